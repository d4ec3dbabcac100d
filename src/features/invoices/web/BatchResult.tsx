import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../shared/counted.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { IconCircleCheck } from '../../../ui/icons.ts'
import { Progress } from '../../../ui/Progress.tsx'
import type { InvoiceBatch } from '../batch/contract.ts'
import { batchQuery } from './data.ts'
import { LostOfBatch } from './LostOfBatch.tsx'

const titleOf = (batch: InvoiceBatch): string =>
  batch.status === 'running'
    ? `Creating ${counted(batch.total, batch.send ? 'invoice' : 'draft')}`
    : batch.send
      ? `${counted(batch.invoiceCount, 'invoice')} made and issued`
      : `${counted(batch.invoiceCount, 'draft')} made`

const mailMessage = (batch: InvoiceBatch): string => {
  if (batch.status === 'running') return 'You can close this; it goes on.'
  if (!batch.send) return 'Nothing was mailed yet: look them over, then send them together.'
  if (batch.lostCount > 0) return `${Math.max(0, batch.mailedCount - batch.lostCount).toLocaleString('en-US')} sent.`
  return batch.mailedCount > 0
    ? `${counted(batch.mailedCount, 'invoice')} with a link to pay ${batch.mailedCount === 1 ? 'is' : 'are'} on the way.`
    : 'Nothing left: neither a mail nor a text reaches any of these customers.'
}

/** What of a batch is opened as a list; without one, all that was made. */
export type BatchView = 'unsent' | 'autopay'

/** What a click made, while it is made and after. */
export const BatchResult = ({
  made,
  onShow,
  onClose,
}: {
  made: InvoiceBatch
  /** Opens all that was made, or what of it nothing carries or autopay charges. */
  onShow: (view?: BatchView) => void
  onClose: () => void
}) => {
  const batch = useQuery({ ...batchQuery(made.batchId), initialData: made }).data
  const running = batch.status === 'running'
  return (
    <div className="batch-done">
      {batch.status === 'done' ? <IconCircleCheck size={52} stroke={1.4} aria-hidden="true" /> : null}
      <h2>{titleOf(batch)}</h2>
      {running ? (
        <Progress
          value={batch.done}
          max={batch.total}
          label={batch.send ? 'Invoices made and issued' : 'Drafts made'}
          detail={`${batch.done} of ${batch.total}`}
        />
      ) : null}
      <p className="batch-done__sum num">{formatCents(batch.totalCents)}</p>
      <p className="muted">
        for {counted(batch.visitCount, 'finished visit')}. {mailMessage(batch)}
      </p>
      {batch.autopay.count > 0 ? (
        <p className="muted">
          Autopay charges {counted(batch.autopay.count, 'of them', 'of them')}, {formatCents(batch.autopay.cents)}, on
          the day that each customer is told.{' '}
          <Button size="s" kind="quiet" onClick={() => onShow('autopay')}>
            See what autopay charges
          </Button>
        </p>
      ) : null}
      {batch.status === 'failed' ? (
        <Banner tone="error" title="This stopped part of the way.">
          {batch.done} of {batch.total} were looked at. {batch.error} What was made stays; look again to invoice the
          rest.
        </Banner>
      ) : null}
      {batch.leftOutCount > 0 ? (
        <Banner
          tone="warn"
          title={`${counted(batch.leftOutCount, batch.send ? 'invoice' : 'draft')} ${batch.leftOutCount === 1 ? 'was' : 'were'} not made.`}
        >
          The work or its price changed meanwhile. What is still open waits among the finished visits: look it over and
          invoice it with the next batch.
        </Banner>
      ) : null}
      <LostOfBatch batch={batch} />
      {batch.unmailedCount > 0 ? (
        <Banner
          tone="warn"
          title={`${counted(batch.unmailedCount, 'invoice')} that no mail and no text carries.`}
          action={
            <Button size="s" onClick={() => onShow('unsent')}>
              See {batch.unmailedCount === 1 ? 'it' : `these ${batch.unmailedCount.toLocaleString('en-US')}`}
            </Button>
          }
        >
          They are issued and due like the others. Print these together, or add an e-mail or a mobile number and send
          again.
        </Banner>
      ) : null}
      <div className="batch-done__actions">
        <Button kind="primary" onClick={() => onShow()}>
          {batch.send
            ? `See the ${counted(batch.invoiceCount, 'invoice')}`
            : `Look over ${counted(batch.invoiceCount, 'draft')}`}
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  )
}
