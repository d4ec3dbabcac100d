import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/Button.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { CustomFilters } from '../custom/web/CustomFilters.tsx'
import { facetsQuery } from './data.ts'
import { notNarrowed, type Place } from './filter.ts'
import './customer-filters.css'

type Facet = { value: string; count: number }

/** A value that the address bar names stays choosable, also when nobody has it any more. */
const optionsOf = (facets: readonly Facet[] | undefined, current: string) => {
  const list = facets ?? []
  const known = current === '' || list.some((facet) => facet.value === current)
  return [
    ...(known ? [] : [{ value: current, label: current }]),
    ...list.map(({ value, count }) => ({ value, label: `${value} (${count})` })),
  ]
}

export const CustomerFilters = ({ place }: { place: Place }) => {
  const facets = useQuery(facetsQuery)
  const select = (key: 'tag' | 'city' | 'zip', label: string, any: string, list: readonly Facet[] | undefined) => {
    const value = place.params.get(key) ?? ''
    if ((list?.length ?? 0) === 0 && value === '') return null
    return (
      <SelectField
        label={label}
        hideLabel
        className="customers-filter"
        value={value}
        placeholder={any}
        options={optionsOf(list, value)}
        onChange={(next) => place.change({ [key]: next })}
      />
    )
  }
  return (
    <div className="customers-filters">
      <div className="customers-filters__search">
        <SearchInput
          slash
          label="Search customers"
          placeholder="Name, company, phone, e-mail or street"
          value={place.params.get('q') ?? ''}
          onChange={(q) => place.change({ q }, { replace: true })}
        />
      </div>
      {select('tag', 'Tag', 'Any tag', facets.data?.tags)}
      {select('city', 'City', 'Any city', facets.data?.cities)}
      {select('zip', 'ZIP code', 'Any ZIP', facets.data?.zips)}
      <CustomFilters filters={place.customFilters} onChange={(custom) => place.change({ custom })} />
      {place.narrowed ? (
        <Button kind="quiet" size="s" onClick={() => place.change(notNarrowed)}>
          Clear
        </Button>
      ) : null}
    </div>
  )
}
