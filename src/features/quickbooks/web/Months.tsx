import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { TableSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useMay } from '../../accounts/web/session.ts'
import { monthLabel } from '../../invoices/closing/rules.ts'
import { type BooksMonth, type Difference, type MonthCheck, quickbooksApi } from '../contract.ts'
import { booksKinds, countedLabel } from '../rules.ts'
import { monthsQuery, useCheckMonth, useResend } from './data.ts'
import { OnlyThere } from './OnlyThere.tsx'
import { SumRecords } from './SumRecords.tsx'

const whyWords = ({ why, waitsFor, oursCents, theirsCents, theirsDay, who, pays }: Difference): string => {
  const [ours, theirs] = [formatCents(oursCents ?? 0), formatCents(theirsCents ?? 0)]
  if (why === 'amount') return `${ours} in Swath, ${theirs} in QuickBooks.`
  if (why === 'other_invoice' && pays) return `${ours}, on ${pays.ours} in Swath, on ${pays.theirs} in QuickBooks.`
  if (why === 'waiting' && waitsFor) return `${ours} in Swath. It waits for ${waitsFor}, which needs you.`
  if (why === 'waiting') return `${ours} in Swath, on its way to QuickBooks.`
  if (why === 'not_sent') return `${ours} in Swath, not in QuickBooks: it needs you, or was skipped.`
  if (why === 'other_month' && theirsDay)
    return `${ours} in Swath. QuickBooks has it on ${formatDay(theirsDay, { year: true })}${ours === theirs ? '' : `, as ${theirs}`}.`
  if (why === 'only_there')
    return `${theirs} in QuickBooks${theirsDay ? `, ${formatDay(theirsDay, { year: true })}` : ''}${who ? `, ${who}` : ''}. Entered there by hand; Swath does not know it.`
  return `${ours} in Swath, not in QuickBooks.`
}

const keyOf = ({ kind, localId, theirs, label }: Difference): string => `${kind}${localId ?? theirs?.id ?? label}`

const sendWords: Partial<Record<Difference['why'], string>> = {
  amount: 'Put Swath’s amount in QuickBooks',
  other_month: 'Put Swath’s day in QuickBooks',
  other_invoice: 'Put it on Swath’s invoice in QuickBooks',
}

const Differs = ({ month, one, onQueue }: { month: string; one: Difference; onQueue: () => void }) => {
  const resend = useResend()
  const may = useMay()
  const canSend =
    one.localId !== null &&
    ['amount', 'missing_there', 'other_month', 'other_invoice'].includes(one.why) &&
    !one.isInQueue &&
    one.theirs === null
  return (
    <li className="books-row">
      <div className="books-row__head">
        <span className="books-row__what">
          {one.href ? <LinkTo href={one.href}>{one.label}</LinkTo> : <b>{one.label}</b>}
        </span>
        <span className="books-row__side num">{formatCents((one.oursCents ?? 0) - (one.theirsCents ?? 0))}</span>
      </div>
      <p className="muted">
        {whyWords(one)}
        {one.reason ? ` Left as it is: ${one.reason}` : ''}
      </p>
      <div className="books-do">
        {canSend && may(quickbooksApi.resend) ? (
          <Button
            size="s"
            kind="primary"
            calls={quickbooksApi.resend}
            loading={resend.isPending}
            onClick={() =>
              resend.mutate(
                { month, kind: one.kind, localId: one.localId ?? '' },
                {
                  onSuccess: () => toast.success('On its way. Check the month again in a minute.'),
                  onError: (error) => toast.error(error),
                },
              )
            }
          >
            {sendWords[one.why] ?? 'Send it'}
          </Button>
        ) : null}
        {one.why === 'not_sent' || one.isInQueue || one.waitsFor ? (
          <Button size="s" onClick={onQueue}>
            See what it needs
          </Button>
        ) : null}
        <OnlyThere month={month} one={one} />
        {one.remoteUrl ? (
          <Button size="s" kind="quiet" href={one.remoteUrl} newTab>
            Look in QuickBooks
          </Button>
        ) : null}
      </div>
    </li>
  )
}

const Sums = ({ month, check }: { month: string; check: MonthCheck }) => (
  <table className="books-sums">
    <thead>
      <tr>
        <th scope="col">
          <span className="ui-hidden">Kind</span>
        </th>
        <th scope="col">Swath</th>
        <th scope="col">QuickBooks</th>
      </tr>
    </thead>
    <tbody>
      {check.sums
        .filter(({ oursCents, theirsCents }) => oursCents !== 0 || theirsCents !== 0)
        .map(({ kind, count, tips, oursCents, theirsCents }) => (
          <tr key={kind} className={oursCents === theirsCents ? undefined : 'is-off'}>
            <th scope="row">
              {countedLabel(kind, count, tips)} <span className="hint num">{count}</span>
            </th>
            <td>
              {oursCents === 0 ? (
                <Money cents={0} />
              ) : (
                <LinkTo href={linkTo.booksMonths({ month, kind })}>
                  <Money cents={oursCents} />
                </LinkTo>
              )}
            </td>
            <td>
              <Money cents={theirsCents} />
            </td>
          </tr>
        ))}
    </tbody>
  </table>
)

type MonthProps = BooksMonth & { isOpen: boolean; onQueue: () => void }
const Month = ({ month, check, failed, isOpen, onQueue }: MonthProps) => {
  const ask = useCheckMonth()
  const may = useMay()
  const [open, setOpen] = useState(isOpen)
  const count = check?.differences.length ?? 0
  const hasSums = check?.sums.some(({ oursCents, theirsCents }) => oursCents !== 0 || theirsCents !== 0) ?? false
  return (
    <li className="books-row">
      <div className="books-row__head">
        <span className="books-row__what">
          {monthLabel(month)}
          {check === null ? (
            <Badge tone={failed ? 'late' : 'neutral'}>{failed ? 'Not checked: no answer' : 'Not checked yet'}</Badge>
          ) : count === 0 ? (
            <Badge tone="done">The same to the cent</Badge>
          ) : (
            <Badge tone="late">{count === 1 ? '1 differs' : `${count}${check.more ? '+' : ''} differ`}</Badge>
          )}
        </span>
        {check ? (
          <span className="hint">
            checked <RelativeTime at={check.checkedAt} />
          </span>
        ) : null}
      </div>
      {failed && !ask.isPending ? (
        <p className="books-row__problem" role="alert">
          The check <RelativeTime at={failed.at} /> did not finish. {failed.message}
          {check ? ' What stands here was found before.' : ''}
        </p>
      ) : null}
      <div className="books-do">
        {may(quickbooksApi.checkMonth) ? (
          <Button
            size="s"
            calls={quickbooksApi.checkMonth}
            loading={ask.isPending}
            onClick={() =>
              ask.mutate(month, { onSuccess: () => setOpen(true), onError: (error) => toast.error(error) })
            }
          >
            {check ? 'Check again' : 'Check against QuickBooks'}
          </Button>
        ) : null}
        {check && (hasSums || count > 0 || check.left.length > 0) ? (
          <Button size="s" kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide' : 'Show'}
          </Button>
        ) : null}
      </div>
      {check && open ? (
        <>
          {hasSums ? (
            <Sums month={month} check={check} />
          ) : (
            <p className="muted">Nothing is dated in this month on either side.</p>
          )}
          {count > 0 ? (
            <ul className="books-rows books-rows--in" aria-label={`What differs in ${monthLabel(month)}`}>
              {check.differences.map((one) => (
                <Differs key={keyOf(one)} month={month} one={one} onQueue={onQueue} />
              ))}
            </ul>
          ) : null}
          {check.left.length > 0 ? (
            <details>
              <summary>
                Left as {check.left.length === 1 ? 'it is' : 'they are'} in QuickBooks ({check.left.length})
              </summary>
              <ul className="books-rows books-rows--in" aria-label={`Left as they are in ${monthLabel(month)}`}>
                {check.left.map((one) => (
                  <Differs key={keyOf(one)} month={month} one={one} onQueue={onQueue} />
                ))}
              </ul>
            </details>
          ) : null}
        </>
      ) : null}
    </li>
  )
}

/** Each month held against the books: the same to the cent, or what differs, by name and with what to do. */
export const Months = ({ onQueue }: { onQueue: () => void }) => {
  const found = useQuery(monthsQuery)
  const { params, change } = useParams()
  const kind = booksKinds.find((one) => one === params.get('kind'))
  if (!found.data)
    return found.isError ? (
      <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
    ) : (
      <Card flush>
        <TableSkeleton rows={4} columns={2} />
      </Card>
    )
  const shown = found.data.months.find(({ month }) => month === params.get('month'))
  return (
    <>
      <Card flush>
        <ul className="books-rows">
          {found.data.months.map((one) => (
            <Month key={one.month} {...one} isOpen={one === shown} onQueue={onQueue} />
          ))}
        </ul>
      </Card>
      {shown && kind ? (
        <SumRecords
          key={`${shown.month}${kind}`}
          month={shown.month}
          kind={kind}
          sum={shown.check?.sums.find((one) => one.kind === kind)}
          onClose={() => change({ month: null, kind: null })}
        />
      ) : null}
    </>
  )
}
