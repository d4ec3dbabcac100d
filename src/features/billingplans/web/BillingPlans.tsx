import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import type { Choice } from '../../../ui/ComboboxField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { lazyPart, useAhead } from '../../../ui/lazyAhead.tsx'
import { Money } from '../../../ui/Money.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SavedViews } from '../../../ui/SavedViews.tsx'
import { Table } from '../../../ui/Table.tsx'
import type { Column } from '../../../ui/tableProps.ts'
import { useParams } from '../../../ui/useParams.ts'
import { useMay } from '../../accounts/web/session.ts'
import { billingPlansApi, type PlanRow, type PlanView, planViews } from '../contract.ts'
import { kindLabel, standingLabel } from '../rules.ts'
import { plansQuery } from './data.ts'
import { PlanBadge, PlanPanel } from './PlanPanel.tsx'
import './plans.css'

const NewPlan = lazyPart(() => import('./NewPlan.tsx').then((m) => m.NewPlan))

const viewNames: Record<PlanView, string> = {
  running: 'Running',
  to_settle: 'To settle',
  delivered_more: 'Delivered more',
  billed_more: 'Billed more',
  over: 'Settled',
}
const nothing: Record<PlanView, { title: string; text: string }> = {
  running: {
    title: 'No plan is running',
    text: 'A customer on a plan pays the same each month, or the whole season ahead. You see at any time what was done against what was billed. Plans that ended stand under Settled.',
  },
  to_settle: { title: 'Nothing to settle', text: 'Seasons that are over come up here.' },
  delivered_more: { title: 'Nobody is behind', text: 'Nobody had more work than was billed.' },
  billed_more: { title: 'Nobody is ahead', text: 'Nobody was billed more than was done.' },
  over: { title: 'Nothing settled yet', text: 'Plans that ended are kept here.' },
}

const columns: Column<PlanRow>[] = [
  { id: 'customer', header: 'Customer', grow: 1.6, minWidth: 160, cell: (row) => <b>{row.customer.name}</b> },
  {
    id: 'plan',
    header: 'Plan',
    grow: 1.2,
    minWidth: 130,
    leaves: 3,
    cell: (row) => `${row.name}, ${kindLabel[row.kind].toLowerCase()}`,
  },
  {
    id: 'delivered',
    header: 'Delivered',
    align: 'right',
    width: 112,
    leaves: 4,
    cell: (row) => <Money cents={row.deliveredCents} />,
  },
  {
    id: 'billed',
    header: 'Billed',
    align: 'right',
    width: 112,
    leaves: 5,
    cell: (row) => <Money cents={row.billedCents} />,
  },
  { id: 'paid', header: 'Paid', align: 'right', width: 112, leaves: 1, cell: (row) => <Money cents={row.paidCents} /> },
  {
    id: 'difference',
    header: 'Difference',
    align: 'right',
    width: 168,
    cell: (row) => standingLabel(row.differenceCents),
  },
  {
    id: 'next',
    header: 'Next month',
    width: 122,
    leaves: 2,
    cell: (row) => (row.next ? formatDay(row.next.billOn) : <span className="hint">–</span>),
  },
  { id: 'state', header: 'State', width: 132, cell: (row) => <PlanBadge plan={row} /> },
]

const usePlace = () => {
  const { params, change } = useParams()
  return {
    isShown: params.get('plans') === '1',
    view: planViews.find((one) => one === params.get('view')) ?? 'running',
    planId: params.get(recordParam.billingPlan),
    customerId: params.get(recordParam.customer),
    makesOne: params.get('new') === '1',
    change,
  }
}

/** Every billing plan: what was delivered, billed and paid, who is ahead and who is behind. */
export const BillingPlans = ({
  findCustomers,
}: {
  findCustomers: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>
}) => {
  const place = usePlace()
  const may = useMay()
  useAhead(NewPlan)
  const list = useInfiniteQuery(plansQuery(place.view))
  const rows = list.data?.pages.flatMap((page) => page.items)
  const at = rows?.findIndex(({ id }) => id === place.planId) ?? -1
  const open = (id: string | null) => place.change({ [recordParam.billingPlan]: id })
  const beside = (step: number) => {
    const row = at < 0 ? undefined : rows?.[at + step]
    return row ? () => place.change({ [recordParam.billingPlan]: row.id }, { replace: true }) : undefined
  }
  const begin = may(billingPlansApi.create) ? (
    <Button
      calls={billingPlansApi.create}
      kind="primary"
      icon={<IconPlus />}
      onClick={() => place.change({ new: '1' })}
    >
      New plan
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title="Billing plans"
        sub="Seasons paid in equal months or ahead: what was done against what was billed."
        actions={
          <>
            <Button kind="quiet" href={linkTo.invoices()}>
              All invoices
            </Button>
            {begin}
          </>
        }
      />
      <div className="inv-tools">
        <SavedViews
          label="Views of billing plans"
          views={planViews.map((id) => ({
            id,
            name: viewNames[id],
            href: linkTo.billingPlans({ view: id === 'running' ? undefined : id }),
          }))}
          currentId={place.view}
        />
      </div>
      <Card flush>
        <Table
          label="Billing plans"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          onOpen={(row) => open(row.id)}
          currentId={place.planId}
          loading={list.isPending}
          refreshing={list.isPlaceholderData}
          error={list.error}
          onRetry={() => void list.refetch()}
          onMore={() => void list.fetchNextPage()}
          hasMore={list.hasNextPage}
          loadingMore={list.isFetchingNextPage}
          empty={
            <EmptyState
              picture={place.view === 'running' ? 'unmowed' : 'mowed'}
              title={nothing[place.view].title}
              action={place.view === 'running' ? begin : undefined}
            >
              {nothing[place.view].text}
            </EmptyState>
          }
          mobile={(row) => (
            <span className="plan-card">
              <span>
                <b>{row.customer.name}</b>
                <span className="num">{standingLabel(row.differenceCents)}</span>
              </span>
              <span className="hint">
                <span>
                  {row.name}
                  {row.next ? ` · next ${formatDay(row.next.billOn)}` : ''}
                </span>
                <PlanBadge plan={row} />
              </span>
            </span>
          )}
        />
      </Card>
      {place.planId ? (
        <PlanPanel
          key={place.planId}
          id={place.planId}
          onClose={() => open(null)}
          onPrevious={beside(-1)}
          onNext={beside(1)}
        />
      ) : null}
      <NewPlan
        open={place.makesOne}
        customerId={place.customerId}
        findCustomers={findCustomers}
        onClose={() => place.change({ new: null, [recordParam.customer]: null })}
        onDone={(id) =>
          place.change({ new: null, [recordParam.customer]: null, view: null, [recordParam.billingPlan]: id })
        }
      />
    </>
  )
}
