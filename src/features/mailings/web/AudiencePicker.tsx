import { useQuery } from '@tanstack/react-query'
import { dayOf } from '../../../shared/dates.ts'
import { ComboboxField } from '../../../ui/ComboboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconX } from '../../../ui/icons.ts'
import { RadioField } from '../../../ui/RadioField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { CustomerFilters } from '../../customers/web/CustomerFilters.tsx'
import type { Place } from '../../customers/web/filter.ts'
import { crewsQuery } from '../../jobs/web/data.ts'
import { servicesQuery } from '../../services/web/data.ts'
import { mostChosen } from '../rules.ts'
import type { Picked } from './audience.ts'
import { findReceivers } from './data.ts'

type Props = { picked: Picked; onChange: (picked: Picked) => void; place: Place }

const kinds = [
  { value: 'active', label: 'All active customers', hint: 'Everybody you work for' },
  { value: 'day', label: 'Visits of a day', hint: 'By crew or service' },
  { value: 'filter', label: 'A part of the list', hint: 'By tag, city, ZIP code' },
  { value: 'chosen', label: 'Chosen customers', hint: 'One by one' },
] as const

const stages = [
  { value: 'active', label: 'Active' },
  { value: 'lead', label: 'Leads' },
  { value: 'past', label: 'Past' },
] as const

const OfDay = ({ picked, onChange }: Props) => {
  const { timeZone } = useUser().business
  const crews = useQuery(crewsQuery)
  const services = useQuery(servicesQuery)
  return (
    <FieldGrid min={180}>
      <DateField
        label="Day"
        value={picked.day}
        today={dayOf(new Date(), timeZone)}
        onChange={(day) => onChange({ ...picked, day })}
      />
      <SelectField
        label="Crew"
        value={picked.crewId}
        onChange={(crewId) => onChange({ ...picked, crewId })}
        options={[
          { value: '', label: 'All crews' },
          ...(crews.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label="Service"
        value={picked.serviceId}
        onChange={(serviceId) => onChange({ ...picked, serviceId })}
        options={[
          { value: '', label: 'All services' },
          ...(services.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </FieldGrid>
  )
}

const OneByOne = ({ picked, onChange }: Props) => (
  <div className="mailing-new">
    <ComboboxField
      label="Add a customer"
      placeholder="Name, phone or street"
      value={null}
      search={findReceivers}
      emptyText="No such customer"
      disabled={picked.people.length >= mostChosen}
      onChange={(found) => {
        if (found && !picked.people.some(({ id }) => id === found.value))
          onChange({ ...picked, people: [...picked.people, { id: found.value, name: found.label }] })
      }}
    />
    {picked.people.length > 0 ? (
      <ul className="mailing-people" aria-label="Chosen customers">
        {picked.people.map(({ id, name }) => (
          <li key={id}>
            {name}
            <IconButton
              label={`Leave out ${name}`}
              icon={<IconX />}
              size="s"
              tooltip={false}
              onClick={() => onChange({ ...picked, people: picked.people.filter((one) => one.id !== id) })}
            />
          </li>
        ))}
      </ul>
    ) : null}
  </div>
)

/** Who gets it: everybody active, who has a visit on a day, a part of the customers' list, or some by name. */
export const AudiencePicker = (props: Props) => {
  const { picked, onChange, place } = props
  const stage = place.params.get('stage')
  return (
    <div className="mailing-new">
      <RadioField
        label="Who gets it?"
        row
        options={kinds}
        value={picked.audience}
        onChange={(audience) => onChange({ ...picked, audience })}
      />
      {picked.audience === 'day' ? <OfDay {...props} /> : null}
      {picked.audience === 'filter' ? (
        <div className="mailing-new">
          <FilterChips
            label="Stage"
            single
            chips={stages}
            values={stages.map(({ value }) => value).filter((value) => value === stage)}
            onChange={([next]) => place.change({ stage: next ?? null }, { replace: true })}
          />
          <CustomerFilters place={place} />
        </div>
      ) : null}
      {picked.audience === 'chosen' ? <OneByOne {...props} /> : null}
    </div>
  )
}
