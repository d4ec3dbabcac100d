import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../../shared/links.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { IconRepeat } from '../../../../ui/icons.ts'
import { Money } from '../../../../ui/Money.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { Table } from '../../../../ui/Table.tsx'
import type { Column } from '../../../../ui/tableProps.ts'
import { useParams } from '../../../../ui/useParams.ts'
import { useMay } from '../../../accounts/web/session.ts'
import { type RunSummary, renewalsApi } from '../contract.ts'
import type { RunStatus } from '../rules.ts'
import { runsQuery } from './data.ts'
import { NewRun } from './NewRun.tsx'
import { RunView } from './RunView.tsx'
import '../../web/quotes.css'
import './renewals.css'

const statusWords: Record<RunStatus, string> = {
  collecting: 'Being put together',
  draft: 'To look over',
  sending: 'Being sent',
  sent: 'Sent',
  withdrawing: 'Being taken back',
  withdrawn: 'Taken back',
}

const yes = ({ counts }: RunSummary) => counts.accepted + counts.to_pay
const asked = ({ counts }: RunSummary) =>
  Object.entries(counts).reduce((sum, [answer, n]) => (answer === 'excluded' ? sum : sum + n), 0)

const columns: Column<RunSummary>[] = [
  {
    id: 'name',
    header: 'Renewal',
    grow: 1.4,
    minWidth: 150,
    cell: (row) => (
      <span className="qt-two">
        <b>{row.name}</b>
        <span className="hint">from {formatDay(row.startsOn, { year: true })}</span>
      </span>
    ),
  },
  { id: 'status', header: 'Stands', width: 150, cell: (row) => statusWords[row.status] },
  { id: 'asked', header: 'Jobs', align: 'right', width: 84, cell: (row) => asked(row).toLocaleString('en-US') },
  { id: 'yes', header: 'Renewed', align: 'right', width: 104, cell: (row) => yes(row).toLocaleString('en-US') },
  {
    id: 'waiting',
    header: 'Waiting',
    align: 'right',
    width: 100,
    cell: (row) => (row.counts.waiting + row.counts.changes).toLocaleString('en-US'),
  },
  {
    id: 'no',
    header: 'Said no',
    align: 'right',
    width: 100,
    cell: (row) => row.counts.declined.toLocaleString('en-US'),
  },
  { id: 'offered', header: 'Offered', align: 'right', width: 130, cell: (row) => <Money cents={row.afterCents} /> },
  { id: 'won', header: 'Renewed for', align: 'right', width: 130, cell: (row) => <Money cents={row.acceptedCents} /> },
]

const List = () => {
  const may = useMay()
  const { change } = useParams()
  const list = useInfiniteQuery(runsQuery)
  const rows = list.data?.pages.flatMap((page) => page.items)
  const start = may(renewalsApi.create) ? (
    <Button calls={renewalsApi.create} kind="primary" icon={<IconRepeat />} href={linkTo.newRenewal()}>
      Renew a season
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title="Renewals"
        sub="Next season’s programs and recurring work for many customers at once, each with a page to say yes on."
        actions={rows && rows.length > 0 ? start : null}
      />
      <Card flush>
        <Table
          label="Renewals of seasons"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          onOpen={(row) => change({ [recordParam.renewal]: row.id })}
          loading={list.isPending}
          error={list.error}
          onRetry={() => void list.refetch()}
          onMore={() => void list.fetchNextPage()}
          hasMore={list.hasNextPage}
          loadingMore={list.isFetchingNextPage}
          density="roomy"
          empty={
            <EmptyState picture="unmowed" title="No season was renewed yet" action={start}>
              Choose whose work goes on, raise the prices, look them over one by one, and send all of it at once.
            </EmptyState>
          }
          mobile={(row) => (
            <span className="qt-card">
              <span>
                <b>{row.name}</b>
                <Money cents={row.afterCents} />
              </span>
              <span className="hint">
                <span>
                  {statusWords[row.status]} · {yes(row)} of {asked(row)} renewed
                </span>
              </span>
            </span>
          )}
        />
      </Card>
    </>
  )
}

const uuid = /^[0-9a-f-]{36}$/i

/** Seasons that are renewed: the list of them, a new one, or one with its answers. */
export const RenewalsTab = () => {
  const { params } = useParams()
  const asked = params.get(recordParam.renewal) ?? ''
  if (asked === 'new') return <NewRun />
  return uuid.test(asked) ? <RunView key={asked} id={asked} /> : <List />
}
