import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { has } from '../../../../shared/roles.ts'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import { facetsQuery } from '../../../customers/web/data.ts'
import { servicesQuery } from '../../../services/web/data.ts'
import type { CampaignChannel } from '../../rules.ts'
import { countQuery } from '../../web/data.ts'
import { useRested } from '../../web/useRested.ts'
import {
  type Condition,
  conditionKinds,
  isWhole,
  kindLabels,
  moneyKinds,
  mostConditions,
  newCondition,
} from '../rules.ts'
import { ConditionRow, type Offered } from './ConditionRow.tsx'
import { SavedSegments } from './SavedSegments.tsx'
import { SegmentCount } from './SegmentCount.tsx'
import './segments.css'

type Facet = { value: string; count: number }
const counted = (facets: readonly Facet[] | undefined) =>
  (facets ?? []).map(({ value, count }) => ({ value, label: `${value} (${count})` }))

const useOffered = (): Offered => {
  const facets = useQuery(facetsQuery)
  const services = useQuery(servicesQuery)
  return {
    tags: counted(facets.data?.tags),
    cities: counted(facets.data?.cities),
    zips: counted(facets.data?.zips),
    sources: counted(facets.data?.sources),
    services: (services.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  }
}

type Props = { conditions: Condition[]; channel: CampaignChannel; onChange: (conditions: Condition[]) => void }

/** Who it is for: conditions that all have to fit, and how many that are while they are chosen. */
export const SegmentBuilder = ({ conditions, channel, onChange }: Props) => {
  const user = useUser()
  const offered = useOffered()
  const whole = conditions.filter(isWhole)
  const asked = useRested(whole, 300)
  const count = useQuery({ ...countQuery(asked), placeholderData: keepPreviousData })
  const kinds = conditionKinds.filter((kind) => !moneyKinds.has(kind) || has(user, 'money'))
  return (
    <div className="sg">
      <div className="sg__build">
        <SavedSegments conditions={whole} onPick={onChange} />
        {conditions.length === 0 ? (
          <p className="muted">Everybody in your list who is not archived. Add conditions to narrow it.</p>
        ) : (
          <ul className="sg-rows" aria-label="Conditions, all of which fit">
            {conditions.map((one, at) => (
              <ConditionRow
                // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name of their own and keep their order
                key={`${one.kind} ${at}`}
                one={one}
                offered={offered}
                onChange={(next) => onChange(conditions.map((old, index) => (index === at ? next : old)))}
                onRemove={() => onChange(conditions.filter((_, index) => index !== at))}
              />
            ))}
          </ul>
        )}
        {conditions.length < mostConditions ? (
          <SelectField
            label="Add a condition"
            value=""
            placeholder="Choose one"
            options={kinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
            onChange={(kind) => {
              if (kind) onChange([...conditions, newCondition(kind)])
            }}
          />
        ) : null}
      </div>
      <div className="sg__count">
        {count.data ? (
          <SegmentCount seen={count.data} channel={channel} />
        ) : count.isError ? (
          <ErrorState compact error={count.error} onRetry={() => void count.refetch()} retrying={count.isFetching} />
        ) : (
          <Skeleton height={90} />
        )}
      </div>
    </div>
  )
}
