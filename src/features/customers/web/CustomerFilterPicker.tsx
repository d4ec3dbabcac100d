import type { ReactNode } from 'react'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { CustomerFilters } from './CustomerFilters.tsx'
import type { Filter } from './data.ts'
import { usePlaceInList } from './filter.ts'

type Props = {
  /** @param picker the fields to be shown; @param filter what they say; @param narrowed whether they leave anybody out */
  children: (picker: ReactNode, filter: Filter, narrowed: boolean) => ReactNode
}

const stages = [
  { value: 'active', label: 'Active' },
  { value: 'lead', label: 'Leads' },
  { value: 'past', label: 'Past' },
] as const

/** The filters of the customers' list for another screen that means a part of it; the address keeps them as it does there. */
export const CustomerFilterPicker = ({ children }: Props) => {
  const place = usePlaceInList()
  const stage = place.params.get('stage')
  const { archived: _, ...filter } = place.filter
  const picker = (
    <>
      <FilterChips
        label="Stage"
        single
        chips={stages}
        values={stages.map(({ value }) => value).filter((value) => value === stage)}
        onChange={([next]) => place.change({ stage: next ?? null }, { replace: true })}
      />
      <CustomerFilters place={place} />
    </>
  )
  return children(picker, filter, place.narrowed || stage !== null)
}
