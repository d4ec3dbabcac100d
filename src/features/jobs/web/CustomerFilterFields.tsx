import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { call } from '#src/shared/client.ts'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { FilterChips } from '#src/ui/FilterChips.tsx'
import { SearchInput } from '#src/ui/SearchInput.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { type CustomerStage, customerStages, customersApi } from '../../customers/contract.ts'
import type { BatchBody } from './data.ts'

type Filter = NonNullable<BatchBody['customerFilter']>

/** The filter of customers as it stands in the address. */
export const useCustomerFilter = () => {
  const [query, setQuery] = useSearchParams()
  const q = query.get('q') ?? ''
  const tags = query.getAll('tag')
  const city = query.get('city') ?? ''
  const zip = query.get('zip') ?? ''
  const stage = (query.get('stage') ?? '') as CustomerStage | ''
  // What was narrowed by custom fields in the list of customers stays narrowed.
  const custom = query.get('custom') ?? ''
  const withoutJob = query.get('hasJob') === 'false'
  const value: Filter = {
    ...(q ? { q } : {}),
    ...(tags.length > 0 ? { tag: tags } : {}),
    ...(city ? { city: [city] } : {}),
    ...(zip ? { zip: [zip] } : {}),
    ...(stage && customerStages.includes(stage) ? { stage: [stage] } : {}),
    ...(custom ? { custom } : {}),
    ...(withoutJob ? { hasJob: false } : {}),
  }
  const set = (name: string, next: string | readonly string[]) =>
    setQuery(
      (old) => {
        const params = new URLSearchParams(old)
        params.delete(name)
        for (const one of typeof next === 'string' ? [next] : next) if (one) params.append(name, one)
        return params
      },
      { replace: true },
    )
  return { value, q, tags, city, zip, stage, withoutJob, set }
}

const stageLabel: Record<CustomerStage, string> = { lead: 'Leads', active: 'Active customers', past: 'Past customers' }

/** Which customers are meant. */
export const CustomerFilterFields = ({ filter }: { filter: ReturnType<typeof useCustomerFilter> }) => {
  const facets = useQuery({
    queryKey: ['customers', 'facets'],
    queryFn: ({ signal }) => call(customersApi.facets, {}, { signal }),
  })
  const { tags = [], cities = [], zips = [] } = facets.data ?? {}
  const counted = (items: readonly { value: string; count: number }[]) =>
    items.map(({ value, count }) => ({ value, label: `${value} (${count})` }))
  return (
    <div className="job-who">
      <SearchInput
        label="Find customers"
        placeholder="Name, street, e-mail"
        value={filter.q}
        onChange={(text) => filter.set('q', text)}
      />
      {tags.length > 0 ? (
        <FilterChips
          label="Tags"
          chips={tags.slice(0, 12).map(({ value, count }) => ({ value, label: value, count }))}
          values={filter.tags}
          onChange={(next) => filter.set('tag', next)}
        />
      ) : null}
      <div className="job-who__row">
        <SelectField
          label="City"
          hideLabel
          value={filter.city}
          placeholder="All cities"
          onChange={(city) => filter.set('city', city)}
          options={counted(cities)}
        />
        <SelectField
          label="ZIP code"
          hideLabel
          value={filter.zip}
          placeholder="All ZIP codes"
          onChange={(zip) => filter.set('zip', zip)}
          options={counted(zips)}
        />
        <SelectField
          label="Stage"
          hideLabel
          value={filter.stage}
          placeholder="Everybody"
          onChange={(stage) => filter.set('stage', stage)}
          options={customerStages.map((value) => ({ value, label: stageLabel[value] }))}
        />
      </div>
      <CheckboxField
        label="Only properties without a job"
        value={filter.withoutJob}
        onChange={(on) => filter.set('hasJob', on ? 'false' : '')}
      />
    </div>
  )
}
