import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { conflictsApi } from '../../crewapp/conflicts/contract.ts'
import { ConflictQuestion } from '../../crewapp/conflicts/web/ConflictQuestion.tsx'
import { RemindQuestion } from '../../invoices/web/RemindQuestion.tsx'
import { messagesApi } from '../../messages/contract.ts'
import { useVisitLink } from '../../visits/web/data.ts'
import type { Need } from '../contract.ts'
import { allNeedsQuery, useDismissNeed, useResolveNeed } from './data.ts'

const Dismiss = ({ messageId }: { messageId: string }) => {
  const dismiss = useDismissNeed()
  return (
    <Button
      calls={messagesApi.dismiss}
      size="s"
      kind="quiet"
      loading={dismiss.isPending}
      disabled={dismiss.isSuccess}
      onClick={() => dismiss.mutate(messageId)}
    >
      Dismiss
    </Button>
  )
}

const NeedRow = ({ need }: { need: Need }) => {
  const resolve = useResolveNeed()
  const visitLink = useVisitLink()
  // The second half of a double click comes before the button knows that it is busy.
  const pressed = useRef(false)
  const settle = () => {
    if (pressed.current) return
    pressed.current = true
    resolve.mutate(need, { onError: () => (pressed.current = false) })
  }
  const [asking, setAsking] = useState(false)
  const [sent, setSent] = useState(false)
  const open = (need.visitId && visitLink?.(need.visitId)) ?? need.path
  return (
    <li className="dash-need">
      <span className="dash-need__badge">
        <Badge tone={need.tone}>{need.badge}</Badge>
      </span>
      <span className="dash-need__words">
        <LinkTo href={open}>{need.title}</LinkTo>
        {need.detail ? <span className="hint">{need.detail}</span> : null}
      </span>
      <span className="dash-need__money num">
        {need.amountCents === null ? null : <Money cents={need.amountCents} />}
      </span>
      <span className="dash-need__do">
        {need.action.kind === 'open' ? (
          <Button size="s" href={need.visitId ? open : need.action.path}>
            {need.action.label}
          </Button>
        ) : need.action.kind === 'decide' ? (
          <>
            <Button calls={conflictsApi.decide} size="s" onClick={() => setAsking(true)}>
              {need.action.label}
            </Button>
            <ConflictQuestion
              commandId={need.action.commandId}
              about={need.action.about}
              signature={need.action.signature}
              title={need.title}
              detail={need.detail}
              photos={need.action.photos}
              payer={need.action.payer}
              open={asking}
              onClose={() => setAsking(false)}
            />
          </>
        ) : need.action.kind === 'remind' ? (
          <>
            <Button size="s" disabled={sent} onClick={() => setAsking(true)}>
              {need.action.label}
            </Button>
            <RemindQuestion
              invoiceId={need.action.invoiceId}
              open={asking}
              onClose={() => setAsking(false)}
              onSent={() => setSent(true)}
            />
          </>
        ) : (
          <Button size="s" loading={resolve.isPending} disabled={resolve.isSuccess} onClick={settle}>
            {need.action.label}
          </Button>
        )}
        {need.dismisses ? <Dismiss messageId={need.dismisses} /> : null}
      </span>
    </li>
  )
}

/** What waits for the owner, each row with the click that fixes it. */
export const NeedsYou = ({ needs, count }: { needs: readonly Need[]; count: number }) => {
  const [open, setOpen] = useState(false)
  const isMore = count > needs.length
  const all = useQuery({ ...allNeedsQuery, enabled: open && isMore })
  const shown = open && isMore ? (all.data ?? needs) : needs
  return (
    <Card
      title="Needs you"
      hint={count > shown.length ? `${shown.length} of ${count}` : undefined}
      actions={
        <Button size="s" kind="quiet" href={linkTo.tasks()}>
          Tasks
        </Button>
      }
      flush
    >
      {needs.length === 0 ? (
        <EmptyState compact picture="mowed" title="Nothing needs you right now">
          Overdue invoices, skipped lawns, texts from customers and visits without a crew and tasks of the day show up
          here, each with one click that settles it.
        </EmptyState>
      ) : (
        <ul className="dash-needs">
          {shown.map((need) => (
            <NeedRow key={need.id} need={need} />
          ))}
        </ul>
      )}
      {isMore ? (
        <div className="dash-needs__more">
          <Button
            size="s"
            kind="quiet"
            loading={open && all.isLoading}
            onClick={() => {
              if (all.isError) void all.refetch()
              else setOpen(!open)
            }}
          >
            {all.isError ? 'Try again' : open && all.data ? 'Show fewer' : `Show all ${count}`}
          </Button>
        </div>
      ) : null}
    </Card>
  )
}
