import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { counted } from '../../../shared/counted.ts'
import { addDays, addMonths, type Day, formatDay, startOfWeek } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconSend } from '../../../ui/icons.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TableSkeleton } from '../../../ui/Skeleton.tsx'
import { useToday } from '../../accounts/web/session.ts'
import type { InvoiceBatch } from '../batch/contract.ts'
import { mostInBatch, totalsOfChosen } from '../batch/rules.ts'
import { invoicesApi } from '../contract.ts'
import type { Grouping } from '../rules.ts'
import { BatchExceptions } from './BatchExceptions.tsx'
import { BatchGroups } from './BatchGroups.tsx'
import { BatchResult, type BatchView } from './BatchResult.tsx'
import './batch.css'
import { type Period, previewQuery, useCreateBatch } from './data.ts'
import { useOnce } from './useOnce.ts'

type Span = 'all' | 'week' | 'lastWeek' | 'month' | 'lastMonth' | 'custom'
const spanOf = (span: Span, today: Day): { from?: Day; to?: Day } => {
  const monday = startOfWeek(today)
  if (span === 'week') return { from: monday, to: today }
  if (span === 'lastWeek') return { from: addDays(monday, -7), to: addDays(monday, -1) }
  const first = `${today.slice(0, 7)}-01`
  if (span === 'month') return { from: first, to: today }
  if (span === 'lastMonth') return { from: addMonths(first, -1), to: addDays(first, -1) }
  return {}
}

const Flow = ({ onShow, onClose }: { onShow: (batchId: string, view?: BatchView) => void; onClose: () => void }) => {
  const today = useToday()
  const [span, setSpan] = useState<Span>('all')
  const [from, setFrom] = useState<Day | null>(null)
  const [to, setTo] = useState<Day | null>(null)
  const [unread, setUnread] = useState({ from: false, to: false })
  const [grouping, setGrouping] = useState<Grouping | ''>('')
  const [except, setExcept] = useState<ReadonlySet<string>>(new Set())
  const [made, setMade] = useState<InvoiceBatch | null>(null)
  const create = useCreateBatch()
  const once = useOnce()

  const backwards = span === 'custom' && from !== null && to !== null && from > to
  const unclear = backwards || (span === 'custom' && (unread.from || unread.to))
  const dates = span === 'custom' ? { ...(from ? { from } : {}), ...(to ? { to } : {}) } : spanOf(span, today)
  const period: Period = { ...(unclear ? {} : dates), ...(grouping ? { grouping } : {}) }
  const preview = useQuery(previewQuery(period))
  const data = preview.data

  if (made) return <BatchResult made={made} onShow={(view) => onShow(made.batchId, view)} onClose={onClose} />
  if (preview.isError && !data)
    return (
      <ErrorState
        error={preview.error}
        title="We could not look up the finished visits"
        onRetry={() => void preview.refetch()}
        retrying={preview.isFetching}
      />
    )
  if (!data) return <TableSkeleton rows={9} columns={4} />

  const chosen = totalsOfChosen(data.groups, data.taxes, except)
  const leave = (ids: readonly string[], out: boolean) => {
    const next = new Set(except)
    for (const id of ids) {
      if (out) next.add(id)
      else next.delete(id)
    }
    setExcept(next)
  }
  const run = (send: boolean) =>
    once(async () => {
      const body = {
        ...period,
        exceptVisitIds: [...except].sort(),
        send,
        expected: { invoiceCount: chosen.invoiceCount, totalCents: chosen.totalCents },
      }
      // what went wrong is said by the mutation itself
      const batch = await create.mutateAsync(body).catch(() => null)
      if (batch) setMade(batch)
    })
  const running = (send: boolean) => create.isPending && create.variables?.send === send
  const problem = create.error instanceof ApiError ? create.error : null
  const unmailed = chosen.invoiceCount - chosen.mailedCount

  return (
    <div className="batch">
      <p className="batch__lead">
        {unclear ? (
          'The days are not clear yet: put them right to see their work.'
        ) : data.groups.length === 0 ? (
          'There is nothing to invoice.'
        ) : chosen.invoiceCount === 0 ? (
          'Nothing is chosen.'
        ) : (
          <>
            <b className="num">{counted(chosen.invoiceCount, 'invoice')}</b> for{' '}
            <b className="num">{counted(chosen.visitCount, 'finished visit')}</b>
            {data.from ? ` from ${formatDay(data.from)}` : ''} up to {data.to === today ? 'today' : formatDay(data.to)}
          </>
        )}
      </p>
      <div className="batch__wishes">
        <SelectField
          label="Work of"
          value={span}
          onChange={setSpan}
          options={[
            { value: 'all', label: 'Everything not invoiced yet' },
            { value: 'week', label: 'This week' },
            { value: 'lastWeek', label: 'Last week' },
            { value: 'month', label: 'This month' },
            { value: 'lastMonth', label: 'Last month' },
            { value: 'custom', label: 'Days I choose' },
          ]}
        />
        {span === 'custom' ? (
          <>
            <DateField
              label="From"
              value={from}
              onChange={(day, isUnread) => {
                setFrom(day)
                setUnread({ ...unread, from: isUnread })
              }}
              today={today}
              optional
              error={backwards ? 'The first day is after the last.' : undefined}
            />
            <DateField
              label="To"
              value={to}
              onChange={(day, isUnread) => {
                setTo(day)
                setUnread({ ...unread, to: isUnread })
              }}
              today={today}
              optional
            />
          </>
        ) : null}
        <SelectField
          label="One invoice for each"
          value={grouping}
          onChange={(value) => setGrouping(value as Grouping | '')}
          placeholder="Customer, unless they want it otherwise"
          options={[
            { value: 'customer', label: 'Customer' },
            { value: 'property', label: 'Property' },
            { value: 'visit', label: 'Visit' },
          ]}
        />
      </div>
      {problem ? (
        <Banner
          tone={problem.status === 409 ? 'warn' : 'error'}
          title={problem.status === 409 ? 'Nothing was made.' : 'The invoices were not made.'}
          action={
            <Button size="s" onClick={() => void preview.refetch().then(() => create.reset())}>
              Look again
            </Button>
          }
        >
          {problem.message}
        </Banner>
      ) : null}
      {data.coveredCount === 0 || unclear ? null : (
        <p className="hint">
          {data.coveredCount === 1
            ? '1 finished visit is'
            : `${data.coveredCount === null ? 'More than 1,000' : data.coveredCount} finished visits are`}{' '}
          covered by a billing plan: its months are billed instead.
        </p>
      )}
      {unclear ? null : <BatchExceptions exceptions={data.exceptions} more={data.moreExceptions} />}
      {data.more && !unclear ? (
        <Banner title="More work waits than one batch takes.">
          These are up to {mostInBatch.visits.toLocaleString('en-US')} visits, the oldest {mostInBatch.ofJob} of each
          job first. Nothing is lost: invoice these, and the rest comes up here. What you leave out keeps its place
          among them; to get past it, choose days that begin after it.
        </Banner>
      ) : null}
      {unclear ? null : data.groups.length === 0 ? (
        <EmptyState
          picture="mowed"
          title="No finished work waits for an invoice"
          action={
            span === 'all' ? (
              <Button onClick={onClose}>Back to the invoices</Button>
            ) : (
              <Button onClick={() => setSpan('all')}>Look at all days</Button>
            )
          }
        >
          {data.exceptions.length > 0
            ? 'Only the visits above are left; settle them and they come here.'
            : 'Visits that the crews finish from now on wait here for their invoice.'}
        </EmptyState>
      ) : (
        <BatchGroups
          groups={data.groups}
          chosen={chosen}
          except={except}
          onLeave={leave}
          usesCredit={data.usesCredit}
          busy={preview.isPlaceholderData}
        />
      )}
      {data.groups.length > 0 && !unclear ? (
        <footer className="batch__foot">
          <div className="batch__total">
            <b className="num">{formatCents(chosen.totalCents)}</b>
            <span className="hint">
              {[
                chosen.taxCents > 0 ? `tax ${formatCents(chosen.taxCents)} included` : '',
                except.size > 0 ? `${counted(except.size, 'visit')} left out` : '',
                unmailed > 0
                  ? `${unmailed} ${unmailed === 1 ? 'goes' : 'go'} to nobody by mail or text: issued, not sent`
                  : '',
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </div>
          <div className="batch__do">
            <Button
              calls={invoicesApi.createBatch}
              loading={running(false)}
              disabled={chosen.invoiceCount === 0 || running(true) || preview.isPlaceholderData}
              onClick={() => run(false)}
            >
              Create {counted(chosen.invoiceCount, 'draft')}
            </Button>
            <Button
              kind="primary"
              calls={invoicesApi.createBatch}
              icon={<IconSend />}
              loading={running(true)}
              disabled={chosen.invoiceCount === 0 || running(false) || preview.isPlaceholderData}
              onClick={() => run(true)}
            >
              Create and send {counted(chosen.invoiceCount, 'invoice')}
            </Button>
          </div>
        </footer>
      ) : null}
    </div>
  )
}

type Props = { open: boolean; onClose: () => void; onShow: (batchId: string, view?: BatchView) => void }

/** From finished work to invoices: everything is seen before one click makes and mails it. */
export const BatchDialog = ({ open, onClose, onShow }: Props) => (
  <Dialog open={open} onClose={onClose} title="Invoice finished visits" size="full" closeOnOutside={false}>
    {open ? <Flow onShow={onShow} onClose={onClose} /> : null}
  </Dialog>
)

/** What became of a batch that was made before. */
export const BatchResultDialog = ({
  batch,
  open,
  onClose,
  onShow,
}: {
  batch: InvoiceBatch
  open: boolean
  onClose: () => void
  onShow: (view?: BatchView) => void
}) => (
  <Dialog open={open} onClose={onClose} title="Invoices of one batch">
    {open ? <BatchResult made={batch} onShow={onShow} onClose={onClose} /> : null}
  </Dialog>
)
