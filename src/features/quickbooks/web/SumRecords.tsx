import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { daysOfMonth, monthLabel } from '../../invoices/closing/rules.ts'
import type { MonthCheck, SumRecord } from '../contract.ts'
import { type BooksKind, countedLabel } from '../rules.ts'
import { recordsQuery } from './data.ts'

const recordsWord = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'record' : 'records'}`

/** What else Swath has of that kind and month, which the sum leaves out. */
const leftOut: Partial<Record<BooksKind, { words: string; link: string; href: (month: string) => string }>> = {
  expense: {
    words: 'What was bought on account, what is still to be looked at and own money that was not paid back stand in',
    link: 'all expenses of the month',
    href: (month) => linkTo.expenses({ in: month }),
  },
  payout: { words: 'Payouts on their way stand in', link: 'all payouts', href: () => linkTo.payouts() },
  payout_back: { words: 'What came after them stands in', link: 'all payouts', href: () => linkTo.payouts() },
}

const LeftOut = ({ month, kind }: { month: string; kind: BooksKind }) => {
  const { words, link, href } = leftOut[kind] ?? {
    words: 'What was voided or taken back before its month was closed stands on neither side. Each of its steps is in',
    link: 'the ledger of the month',
    href: () => linkTo.ledger({ view: 'all', ...daysOfMonth(month) }),
  }
  return (
    <p className="muted">
      {words} <LinkTo href={href(month)}>{link}</LinkTo>.
    </p>
  )
}

const Row = ({ row }: { row: SumRecord }) => (
  <li>
    <span className="panel-rows__main">
      {row.href ? <LinkTo href={row.href}>{row.label}</LinkTo> : <b>{row.label}</b>}
      <span className="hint">{[row.about, formatDay(row.day, { year: true })].filter(Boolean).join(' · ')}</span>
    </span>
    <span className="panel-rows__side num">{formatCents(row.cents)}</span>
  </li>
)

type Props = {
  month: string
  kind: BooksKind
  sum: MonthCheck['sums'][number] | undefined
  onClose: () => void
}

/** The records that a sum of a month is made of: as many as it counts, and together as much. */
export const SumRecords = ({ month, kind, sum, onClose }: Props) => {
  const found = useInfiniteQuery(recordsQuery(month, kind))
  const first = found.data?.pages[0]
  const rows = found.data?.pages.flatMap(({ items }) => items)
  const isSame = !first || !sum || (sum.count === first.count && sum.oursCents === first.totalCents)
  return (
    <RecordPanel
      open
      onClose={onClose}
      title={`${countedLabel(kind, first?.count ?? sum?.count ?? 0, sum?.tips)}, ${monthLabel(month)}`}
      sub={first ? `${formatCents(first.totalCents)} in ${recordsWord(first.count)}` : undefined}
    >
      {found.isError && !rows ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : !rows || !first ? (
        <PanelSkeleton />
      ) : (
        <>
          {isSame || !sum ? null : (
            <p role="status">
              The check found {formatCents(sum.oursCents)} in {recordsWord(sum.count)}; it changed since. Check the
              month again.
            </p>
          )}
          <LeftOut month={month} kind={kind} />
          <ul className="panel-rows" aria-label="Records of this sum">
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </ul>
          {found.hasNextPage ? (
            <LoadMore
              hasMore
              loading={found.isFetchingNextPage}
              failed={found.isFetchNextPageError}
              onMore={() => void found.fetchNextPage()}
              shown={rows.length}
              total={first.count}
            />
          ) : null}
        </>
      )}
    </RecordPanel>
  )
}
