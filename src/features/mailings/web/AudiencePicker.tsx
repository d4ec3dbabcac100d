import { dayOf } from '../../../shared/dates.ts'
import { ComboboxField } from '../../../ui/ComboboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconX } from '../../../ui/icons.ts'
import { RadioField } from '../../../ui/RadioField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { mostChosen } from '../rules.ts'
import type { Offered, Picked } from './audience.ts'

type Props = { picked: Picked; onChange: (picked: Picked) => void; offered: Offered }

const kinds = [
  { value: 'active', label: 'All active customers', hint: 'Everybody you work for' },
  { value: 'day', label: 'Visits of a day', hint: 'By crew or service' },
  { value: 'filter', label: 'A part of the list', hint: 'By tag, city, ZIP code' },
  { value: 'chosen', label: 'Chosen customers', hint: 'One by one' },
] as const

const OfDay = ({ picked, onChange, offered: { crews, services } }: Props) => {
  const { timeZone } = useUser().business
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
        options={[{ value: '', label: 'All crews' }, ...crews]}
      />
      <SelectField
        label="Service"
        value={picked.serviceId}
        onChange={(serviceId) => onChange({ ...picked, serviceId })}
        options={[{ value: '', label: 'All services' }, ...services]}
      />
    </FieldGrid>
  )
}

const OneByOne = ({ picked, onChange, offered: { findCustomers } }: Props) => (
  <div className="mailing-new">
    <ComboboxField
      label="Add a customer"
      placeholder="Name, phone or street"
      value={null}
      search={findCustomers}
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
  const { picked, onChange, offered } = props
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
      {picked.audience === 'filter' ? <div className="mailing-new">{offered.picker}</div> : null}
      {picked.audience === 'chosen' ? <OneByOne {...props} /> : null}
    </div>
  )
}
