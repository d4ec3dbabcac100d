import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconExternalLink, IconSend } from '../../../../ui/icons.ts'
import { KeyValue } from '../../../../ui/KeyValue.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import type { Dispute } from '../contract.ts'
import { isUndecided, kindLabels, longestText } from '../rules.ts'
import { DisputeBadge } from './DisputesOf.tsx'
import { disputeQuery, useEvidence } from './data.ts'
import './disputes.css'

const Facts = ({ dispute }: { dispute: Dispute }) => {
  const { timeZone } = useUser().business
  const { dueAt } = dispute
  return (
    <KeyValue
      items={[
        {
          label: 'Customer',
          value: <LinkTo href={linkTo.customer(dispute.customer.id)}>{dispute.customer.name}</LinkTo>,
        },
        {
          label: dispute.invoices.length === 1 ? 'Invoice' : 'Invoices',
          value: dispute.invoices.map(({ id, number }) => (
            <span key={id}>
              <LinkTo href={linkTo.invoice(id)}>INV-{number}</LinkTo>{' '}
            </span>
          )),
        },
        { label: 'Amount', value: <span className="num">{formatCents(dispute.amountCents)}</span> },
        { label: 'Why', value: dispute.reason },
        { label: 'Since', value: formatDay(dispute.openedOn, { year: true }) },
        dispute.decidedOn !== null && dispute.kind !== 'return'
          ? { label: 'Decided', value: formatDay(dispute.decidedOn, { year: true }) }
          : null,
        dueAt && isUndecided(dispute.status)
          ? {
              label: 'Evidence until',
              value: `${formatDay(dayOf(dueAt, timeZone), { year: true })}, ${formatTime(dueAt, timeZone)}`,
            }
          : null,
        dispute.feeCents > 0
          ? { label: 'Fee', value: `${formatCents(dispute.feeCents)}, which the card provider keeps` }
          : null,
      ]}
    />
  )
}

const Found = ({ dispute: { evidence } }: { dispute: Dispute }) => {
  const photos = evidence.visits.flatMap((visit) => visit.photos.map((photo) => ({ ...photo, place: visit.place })))
  const { messageCount: count } = evidence
  return (
    <section>
      <h3>What goes to the bank</h3>
      <ul>
        {evidence.invoices.map((name) => (
          <li key={name}>{name} as PDF</li>
        ))}
        {evidence.visits.map((visit) => (
          <li key={visit.id}>
            {formatDay(visit.day, { year: true })}, {visit.place}: {visit.work}
            {visit.times ? `, ${visit.times}` : ', no times on file'}
            {visit.crew ? `, ${visit.crew}` : ''}
          </li>
        ))}
        {evidence.visits.length === 0 ? (
          <li>No visit stands on the invoice: say below what was done and when.</li>
        ) : null}
        {count > 0 ? (
          <li>{count === 1 ? '1 message' : `${count} messages`} with the customer, in the words below</li>
        ) : null}
        {evidence.agreements.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {photos.length > 0 ? (
        <ul className="dispute__photos">
          {photos.map(({ url, kind, place }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noreferrer">
                <img src={url} alt={`${kind === 'before' ? 'Before' : 'After'} the work at ${place}`} loading="lazy" />
              </a>
            </li>
          ))}
        </ul>
      ) : evidence.visits.length > 0 ? (
        <p className="hint">No photos of these visits are on file.</p>
      ) : null}
    </section>
  )
}

/** The words, begun from what is on file; kept or sent. What is typed stays on the screen whatever happens. */
const Answer = ({ dispute }: { dispute: Dispute }) => {
  const evidence = useEvidence(dispute.id)
  const [typed, setTyped] = useState<string | null>(null)
  const [seen, setSeen] = useState(dispute.version)
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const text = typed ?? dispute.text
  const version = typed === null ? dispute.version : seen
  const put = async (sends: boolean) => {
    setProblem(null)
    try {
      const after = await evidence.mutateAsync({ sends, text, version })
      setTyped(null)
      setSeen(after.version)
    } catch (error) {
      const latest = error instanceof ApiError ? error.details?.version : undefined
      if (typeof latest !== 'number') throw error
      setSeen(latest)
      throw new Error(
        'This dispute changed meanwhile. Your words are still here: look at it once more, then press again.',
      )
    }
  }
  const save = () =>
    put(false).then(
      () => toast.success('Your words are kept'),
      (error: unknown) =>
        setProblem(error instanceof Error ? error.message : 'It could not be kept. Please try again.'),
    )
  const empty = text.trim() === ''
  return (
    <section>
      <h3>Your answer</h3>
      <p className="muted">{dispute.advice}</p>
      <TextAreaField
        label="Words for the bank"
        value={text}
        onChange={(next) => {
          if (typed === null) setSeen(dispute.version)
          setTyped(next)
        }}
        rows={14}
        maxLength={longestText}
        error={empty ? 'Say what the bank should know.' : undefined}
      />
      {problem ? <Banner tone="error">{problem}</Banner> : null}
      <div className="dispute__do">
        <Button kind="primary" icon={<IconSend />} disabled={empty} onClick={() => setAsking(true)}>
          Send to the bank
        </Button>
        <Button disabled={typed === null || empty} loading={evidence.isPending && !asking} onClick={save}>
          Keep for later
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Send the evidence?"
        confirmLabel="Send to the bank"
        onConfirm={async () => {
          await put(true)
          toast.success('Your evidence is on its way to the bank')
          setAsking(false)
        }}
      >
        A bank takes evidence once: it cannot be changed or added to afterwards. Your words, the invoices and the photos
        go along.
      </ConfirmDialog>
    </section>
  )
}

const Body = ({ dispute }: { dispute: Dispute }) => (
  <div className="dispute">
    <Banner
      tone={dispute.status === 'won' ? 'done' : isUndecided(dispute.status) ? 'warn' : 'info'}
      title={dispute.state}
    >
      {dispute.problem
        ? `The bank did not take what you sent: ${dispute.problem}`
        : dispute.kind === 'inquiry' && isUndecided(dispute.status)
          ? 'Only a question: no money was taken yet. You can also refund the payment, which ends it.'
          : dispute.kind === 'dispute' && isUndecided(dispute.status)
            ? 'The bank holds the money until it has decided. Nobody is reminded of the invoice or charged meanwhile.'
            : dispute.status === 'lost'
              ? 'What the payment had paid is open again on the invoice.'
              : null}
    </Banner>
    {dispute.uncoveredCents > 0 ? (
      <Banner tone="warn">
        {formatCents(dispute.uncoveredCents)} of it had been refunded before, so it went back twice. Say so: it stands
        in the words below.
      </Banner>
    ) : null}
    <Facts dispute={dispute} />
    {dispute.kind === 'return' ? null : (
      <>
        <Found dispute={dispute} />
        {dispute.can.submit ? (
          <Answer dispute={dispute} />
        ) : dispute.submittedAt ? (
          <details>
            <summary>What you sent to the bank</summary>
            <p className="inv-address">{dispute.text}</p>
          </details>
        ) : null}
      </>
    )}
    {dispute.testBankPath ? (
      <p className="hint">
        <a href={dispute.testBankPath} target="_blank" rel="noreferrer">
          <IconExternalLink size={16} aria-hidden="true" /> Play the bank
        </a>{' '}
        – this payment was made with the test provider, so you decide how it ends.
      </p>
    ) : null}
  </div>
)

/** One dispute: where it stands, what is on file, and the answer to the bank. */
export const DisputeDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const found = useQuery(disputeQuery(id))
  const dispute = found.data
  return (
    <Dialog
      open
      onClose={onClose}
      size="l"
      closeOnOutside={false}
      title={
        dispute ? (
          <>
            {kindLabels[dispute.kind]} over {formatCents(dispute.amountCents)} <DisputeBadge dispute={dispute} />
            {dispute.livemode ? null : <Badge tone="flag">TEST</Badge>}
          </>
        ) : (
          'Disputed payment'
        )
      }
    >
      {dispute ? (
        <Body dispute={dispute} />
      ) : found.isError ? (
        <ErrorState
          error={found.error}
          title="We could not load this dispute"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <PanelSkeleton />
      )}
    </Dialog>
  )
}
