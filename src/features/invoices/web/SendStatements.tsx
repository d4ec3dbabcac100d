import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { IconSend } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useToday, useUser } from '../../accounts/web/session.ts'
import { type StatementRun, statementsApi } from '../statements/contract.ts'
import { runWords, usualPeriods } from '../statements/rules.ts'
import { lastStatementRunQuery, openStatementsQuery, useSendOpenStatements } from './data.ts'

const people = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'customer' : 'customers'}`

const lookedAt = (run: StatementRun): number => run.sentCount + run.settledCount + run.unreachedCount + run.failedCount

/** How far a sending is; the work goes on whatever window is closed. */
const Going = ({ run, onClose }: { run: StatementRun; onClose: () => void }) => (
  <div className="inv-send-all">
    <Progress
      value={Math.min(run.sentCount + run.settledCount + run.failedCount, run.expected)}
      max={Math.max(1, run.expected)}
      label="Statements are being drawn and sent"
      detail={`${run.sentCount.toLocaleString('en-US')} of ${run.expected.toLocaleString('en-US')} sent`}
      tone="now"
    />
    <p className="hint">You can close this: it goes on, and the office is told what became of it.</p>
    <FormActions>
      <Button onClick={onClose}>Close</Button>
    </FormActions>
  </div>
)

/** What became of the last sending, with those who got none. */
const LastRun = ({ run, timeZone }: { run: StatementRun; timeZone: string }) => {
  const { title, content } = runWords(run)
  const rest = run.unreachedCount + run.failedCount - run.without.length
  return (
    <Banner
      tone={run.failedCount > 0 ? 'warn' : 'done'}
      title={`${title} on ${formatDay(dayOf(run.startedAt, timeZone))}, ${formatTime(run.startedAt, timeZone)}${run.by ? `, by ${run.by}` : ''}`}
    >
      {content ? <p>{content}</p> : null}
      {run.without.length > 0 ? (
        <ul className="inv-without">
          {run.without.map(({ customerId, name, problem }) => (
            <li key={customerId}>
              <LinkTo href={linkTo.customer(customerId, { part: 'invoices' })}>{name}</LinkTo> {problem}
            </li>
          ))}
          {rest > 0 ? <li>and {rest.toLocaleString('en-US')} more</li> : null}
        </ul>
      ) : null}
    </Banner>
  )
}

const Fields = ({ onClose }: { onClose: () => void }) => {
  const periods = usualPeriods(useToday())
  const { timeZone } = useUser().business
  const [chosen, setChosen] = useState(periods[0]?.id ?? '')
  const found = useQuery(openStatementsQuery)
  const last = useQuery(lastStatementRunQuery)
  const send = useSendOpenStatements()
  const failed = [found, last].find(({ isError }) => isError)
  if (failed)
    return (
      <ErrorState
        error={failed.error}
        title="We could not look who owes"
        onRetry={() => void Promise.all([found.refetch(), last.refetch()])}
        retrying={found.isFetching || last.isFetching}
      />
    )
  if (!found.data || !last.data) return <PanelSkeleton />
  const { run } = last.data
  if (run?.status === 'running') return <Going run={run} onClose={onClose} />
  const { count, unreachedCount, owedCents } = found.data
  const before = run && lookedAt(run) > 0 ? <LastRun run={run} timeZone={timeZone} /> : null
  if (count + unreachedCount === 0)
    return (
      <div className="inv-send-all">
        {before}
        <EmptyState compact picture="mowed" title="Nobody owes anything">
          When invoices are open, their customers can be sent a statement here.
        </EmptyState>
      </div>
    )
  const period = periods.find(({ id }) => id === chosen) ?? periods[0]
  const press = () => {
    if (!period) return
    send.mutate(
      { from: period.from, to: period.to, count, lastId: run?.id ?? null },
      { onError: () => void Promise.all([found.refetch(), last.refetch()]) },
    )
  }
  return (
    <div className="inv-send-all">
      {before}
      <p>
        {people(count)} with <b className="num">{formatCents(owedCents)}</b> open. Each gets what was charged and paid
        in the time below, with a link to see and pay what is open, as they have their papers.
      </p>
      <SelectField
        label="Statement over"
        value={chosen}
        onChange={setChosen}
        options={periods.map(({ id, label }) => ({ value: id, label }))}
      />
      {unreachedCount > 0 ? (
        <Banner
          tone="warn"
          title={`${people(unreachedCount)} more ${unreachedCount === 1 ? 'owes' : 'owe'} something.`}
        >
          Neither a mail nor a text reaches them: print theirs from the customer.
        </Banner>
      ) : null}
      {send.isError ? <Banner tone="error">{send.error.message}</Banner> : null}
      <FormActions>
        <Button
          kind="primary"
          calls={statementsApi.sendOpen}
          icon={<IconSend />}
          loading={send.isPending}
          disabled={count === 0}
          onClick={press}
        >
          Send {count === 1 ? '1 statement' : `${count.toLocaleString('en-US')} statements`}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </div>
  )
}

/** Statements to all who owe, in one go. */
export const SendStatements = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Send statements to all who owe">
    {open ? <Fields onClose={onClose} /> : null}
  </Dialog>
)
