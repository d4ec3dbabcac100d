import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { Table } from '../../../../ui/Table.tsx'
import type { Column } from '../../../../ui/tableProps.ts'
import { useParams } from '../../../../ui/useParams.ts'
import type { PayoutSummary } from '../contract.ts'
import { payoutsQuery } from './data.ts'
import { PayoutBadge, PayoutPanel } from './PayoutPanel.tsx'

const movements = (count: number): string =>
  count === 0 ? 'not told yet' : `${count.toLocaleString('en-US')} ${count === 1 ? 'movement' : 'movements'}`

const columns: Column<PayoutSummary>[] = [
  {
    id: 'arrives',
    header: 'Arrives',
    grow: 1,
    minWidth: 130,
    cell: (row) => <b>{formatDay(row.arrivesOn, { year: true })}</b>,
  },
  { id: 'made', header: 'Made of', grow: 1, minWidth: 120, leaves: 2, cell: (row) => movements(row.lineCount) },
  {
    id: 'fees',
    header: 'Fees',
    align: 'right',
    width: 116,
    leaves: 3,
    cell: (row) => <Money cents={-row.feeCents} />,
  },
  {
    id: 'difference',
    header: 'Difference',
    align: 'right',
    width: 116,
    leaves: 1,
    cell: (row) =>
      row.differenceCents === 0 ? <span className="hint">–</span> : <Money cents={row.differenceCents} tone="late" />,
  },
  { id: 'amount', header: 'Payout', align: 'right', width: 128, cell: (row) => <Money cents={row.amountCents} /> },
  {
    id: 'state',
    header: 'State',
    width: 190,
    cell: (row) => (
      <span className="payout-state">
        <PayoutBadge payout={row} />
      </span>
    ),
  },
]

type Way = { amountCents: number; count: number; nextOn: string | null }

const headline = ({ amountCents, count, nextOn }: Way): string =>
  count === 0 || nextOn === null
    ? 'Nothing is on its way to your bank right now.'
    : count === 1
      ? `${formatCents(amountCents)} is on its way and comes ${formatDay(nextOn)}.`
      : `${formatCents(amountCents)} is on its way in ${count} payouts; the next comes ${formatDay(nextOn)}.`

const Nothing = ({ hasAccount }: { hasAccount: boolean }) =>
  hasAccount ? (
    <EmptyState picture="unmowed" title="Nothing was paid out yet">
      When a customer pays by card, the money is on its way to your bank a day later. Each payout stands here with the
      payments, refunds and fees that it is made of.
    </EmptyState>
  ) : (
    <EmptyState
      picture="unmowed"
      title="You do not take cards yet"
      action={<Button href={`${paths.profile}?section=money#cards`}>Set up card payments</Button>}
    >
      Once customers pay by card, what reaches your bank stands here with the payments and fees that it is made of.
    </EmptyState>
  )

/** Money that the card provider sends to the bank: what is on its way, what came, and what each payout is made of. */
export const Payouts = () => {
  const { params, change } = useParams()
  const payoutId = params.get(recordParam.payout)
  const list = useInfiniteQuery(payoutsQuery)
  const first = list.data?.pages[0]
  const rows = list.data?.pages.flatMap((page) => page.items)
  const at = rows?.findIndex(({ id }) => id === payoutId) ?? -1
  const open = (id: string | null) => change({ [recordParam.payout]: id })
  const beside = (step: number) => {
    const row = at < 0 ? undefined : rows?.[at + step]
    return row ? () => change({ [recordParam.payout]: row.id }, { replace: true }) : undefined
  }
  return (
    <>
      <PageHeader
        title="Payouts"
        sub={first ? headline(first.onItsWay) : ' '}
        actions={
          <Button kind="quiet" href={linkTo.invoices()}>
            All invoices
          </Button>
        }
      />
      <Card flush>
        <Table
          label="Payouts"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          onOpen={(row) => open(row.id)}
          currentId={payoutId}
          loading={list.isPending}
          error={list.error}
          onRetry={() => void list.refetch()}
          onMore={() => void list.fetchNextPage()}
          hasMore={list.hasNextPage}
          loadingMore={list.isFetchingNextPage}
          empty={<Nothing hasAccount={first?.hasAccount ?? true} />}
          mobile={(row) => (
            <span className="payout-card">
              <span>
                <b>{formatDay(row.arrivesOn, { year: true })}</b>
                <Money cents={row.amountCents} />
              </span>
              <span className="hint">
                <span>
                  {movements(row.lineCount)}
                  {row.differenceCents === 0 ? '' : ` · ${formatCents(row.differenceCents)} does not add up`}
                </span>
                <span className="payout-state">
                  <PayoutBadge payout={row} />
                </span>
              </span>
            </span>
          )}
        />
      </Card>
      {payoutId ? (
        <PayoutPanel
          key={payoutId}
          id={payoutId}
          onClose={() => open(null)}
          onPrevious={beside(-1)}
          onNext={beside(1)}
        />
      ) : null}
    </>
  )
}
