import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconPlus } from '../../../../ui/icons.ts'
import { Money } from '../../../../ui/Money.tsx'
import { TableSkeleton } from '../../../../ui/Skeleton.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { type Recurring, recurringApi } from '../contract.ts'
import { everyLabels } from '../rules.ts'
import { recurringQuery } from './data.ts'
import { RecurringPanel } from './RecurringPanel.tsx'

const Row = ({ cost, onOpen }: { cost: Recurring; onOpen: () => void }) => (
  <li>
    <button type="button" className="exp-cost" onClick={onOpen}>
      <span className="panel-rows__main">
        <b>{cost.vendor || cost.category.name}</b>
        <span className="muted">
          {[everyLabels[cost.every], cost.vendor ? cost.category.name : '', cost.crew?.name]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="exp-cost__side">
        <Money cents={cost.totalCents} />
        {cost.nextOn ? (
          <span className="hint num">next {formatDay(cost.nextOn, { year: true })}</span>
        ) : (
          <Badge tone="neutral">Ended</Badge>
        )}
      </span>
    </button>
  </li>
)

/** Insurance, truck payments and whatever else comes by itself: booked on its day, every night. */
export const RecurringCosts = () => {
  const costs = useQuery(recurringQuery)
  const may = useMay()
  const [openId, setOpenId] = useState<string | null>(null)
  const data = costs.data
  const add = may(recurringApi.create) ? (
    <Button calls={recurringApi.create} icon={<IconPlus />} onClick={() => setOpenId('new')}>
      Add a recurring cost
    </Button>
  ) : null
  return (
    <section aria-label="Recurring costs">
      {costs.error && !data ? (
        <ErrorState error={costs.error} onRetry={() => void costs.refetch()} retrying={costs.isFetching} />
      ) : !data ? (
        <Card flush>
          <TableSkeleton rows={4} columns={3} />
        </Card>
      ) : data.items.length === 0 ? (
        <Card>
          <EmptyState title="Nothing comes by itself yet" action={add ?? undefined}>
            Insurance, truck payments, software, rent: say it once, and each is booked on its day.
          </EmptyState>
        </Card>
      ) : (
        <>
          <div className="exp-head">
            <p className="muted">
              {data.yearlyCents > 0
                ? `${formatCents(data.yearlyCents)} a year, booked by itself on each day.`
                : 'All of it has ended.'}
            </p>
            {add}
          </div>
          <Card flush>
            <ul className="exp-costs">
              {data.items.map((cost) => (
                <Row key={cost.id} cost={cost} onOpen={() => setOpenId(cost.id)} />
              ))}
            </ul>
          </Card>
        </>
      )}
      {openId !== null && (openId === 'new' || data?.items.some(({ id }) => id === openId)) ? (
        <RecurringPanel
          key={openId}
          cost={data?.items.find(({ id }) => id === openId) ?? null}
          onClose={() => setOpenId(null)}
        />
      ) : null}
    </section>
  )
}
