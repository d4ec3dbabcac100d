import { useQuery } from '@tanstack/react-query'
import { addDays, type Day } from '#src/shared/dates.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { DateField } from '#src/ui/DateField.tsx'
import { MoneyField } from '#src/ui/MoneyField.tsx'
import { NumberField } from '#src/ui/NumberField.tsx'
import { RadioField } from '#src/ui/RadioField.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { weekdayNames } from '../../../../shared/dates.ts'
import { servicesQuery } from '../../../services/web/data.ts'
import { crewsQuery } from '../../web/data.ts'
import { weekOrder } from '../../web/WeekdaysField.tsx'

import { type BulkKind, noCrew, type Wish } from './wish.ts'

type Props = { wish: Wish; set: (changes: Partial<Wish>) => void; today: Day; workDays: readonly number[] }

const From = ({ wish, set, today }: Props) => (
  <DateField
    label="From"
    optional
    placeholder="Today on"
    value={wish.day}
    today={today}
    min={today}
    max={addDays(today, 400)}
    onChange={(day) => set({ day })}
  />
)

const Weekday = ({ wish, set, workDays, label, placeholder }: Props & { label: string; placeholder: string }) => (
  <SelectField
    label={label}
    value={wish.weekday}
    placeholder={placeholder}
    onChange={(weekday) => set({ weekday })}
    options={weekOrder.map((day) => ({
      value: String(day),
      label: `${weekdayNames[day]}${workDays.includes(day) ? '' : ' (closed)'}`,
    }))}
  />
)

const ClosedThen = ({ wish, workDays }: Props) =>
  wish.weekday !== '' && !workDays.includes(Number(wish.weekday)) ? (
    <Banner tone="warn" title={`You are closed on ${weekdayNames[Number(wish.weekday)]}s.`}>
      These visits would stand on a day on which no crew works.
    </Banner>
  ) : null

const DayFields = (props: Props) => {
  return (
    <>
      <div className="bulk-row">
        <Weekday label="Weekday" placeholder="Choose a day" {...props} />
        <From {...props} />
      </div>
      <ClosedThen {...props} />
    </>
  )
}

const CrewFieldsOf = (props: Props) => {
  const crews = useQuery(crewsQuery)
  return (
    <div className="bulk-row">
      <SelectField
        label="Crew"
        value={props.wish.crewId}
        placeholder="Choose a crew"
        onChange={(crewId) => props.set({ crewId })}
        options={[
          ...(crews.data ?? []).map((crew) => ({ value: crew.id, label: crew.name })),
          { value: noCrew, label: 'No crew' },
        ]}
      />
      <From {...props} />
    </div>
  )
}

const stays = 'As it is'

/** A service day, a crew, or both. */
const AssignFields = (props: Props) => {
  const { wish, set } = props
  const crews = useQuery(crewsQuery)
  return (
    <>
      <div className="bulk-row">
        <Weekday label="Service day" placeholder={stays} {...props} />
        <SelectField
          label="Crew"
          value={wish.crewId}
          placeholder={stays}
          onChange={(crewId) => set({ crewId })}
          options={[
            ...(crews.data ?? []).map((crew) => ({ value: crew.id, label: crew.name })),
            { value: noCrew, label: 'No crew' },
          ]}
        />
        <From {...props} />
      </div>
      <p className="hint">Counts from the next visit on. What is done, invoiced or placed by hand stays.</p>
      <ClosedThen {...props} />
    </>
  )
}

const PriceFields = (props: Props) => {
  const { wish, set } = props
  const services = useQuery(servicesQuery)
  return (
    <>
      <RadioField
        row
        label="How"
        value={wish.mode}
        onChange={(mode) => set({ mode })}
        options={[
          { value: 'percent', label: 'By percent' },
          { value: 'amount', label: 'By dollars' },
          { value: 'set', label: 'To a price' },
        ]}
      />
      <div className="bulk-row">
        {wish.mode === 'set' ? null : (
          <SelectField
            label="Direction"
            value={wish.direction}
            onChange={(direction) => set({ direction })}
            options={[
              { value: 'up', label: 'Raise' },
              { value: 'down', label: 'Lower' },
            ]}
          />
        )}
        {wish.mode === 'percent' ? (
          <NumberField
            label="Percent"
            unit="%"
            value={wish.percent}
            min={0}
            max={100}
            refuse={(n) => (n < 0 ? 'Choose Lower instead.' : n > 100 ? 'At most 100 percent.' : null)}
            onChange={(percent) => set({ percent })}
          />
        ) : (
          <MoneyField
            label={wish.mode === 'set' ? 'Price of one unit' : 'Dollars'}
            value={wish.cents}
            refuse={(cents) => (cents < 0 ? 'Choose Lower instead.' : null)}
            onChange={(cents) => set({ cents })}
          />
        )}
      </div>
      <div className="bulk-row">
        <SelectField
          label="Service"
          value={wish.serviceId}
          placeholder="All services"
          onChange={(serviceId) => set({ serviceId })}
          options={(services.data ?? []).map((service) => ({ value: service.id, label: service.name }))}
        />
        {wish.mode === 'set' ? null : (
          <SelectField
            label="Round to"
            value={wish.round}
            onChange={(round) => set({ round })}
            options={[
              { value: 'cent', label: 'The cent' },
              { value: 'dollar', label: 'The dollar' },
              { value: 'five', label: '$5' },
            ]}
          />
        )}
        <From {...props} />
      </div>
    </>
  )
}

const EndFields = ({ wish, set, today }: Props) => (
  <>
    <RadioField
      label="When"
      value={wish.end}
      onChange={(end) => set({ end })}
      options={[
        { value: 'now', label: 'Now', hint: 'They are completed. What is open comes off the calendar.' },
        { value: 'after', label: 'After a day', hint: 'Visits up to that day stay.' },
      ]}
    />
    {wish.end === 'after' ? (
      <DateField label="Last day" value={wish.day} today={today} min={today} onChange={(day) => set({ day })} />
    ) : null}
  </>
)

const PauseFields = ({ wish, set, today }: Props) => (
  <DateField
    label="First visits again from"
    optional
    placeholder="Until you resume them"
    value={wish.day}
    today={today}
    min={addDays(today, 1)}
    onChange={(day) => set({ day })}
  />
)

const fields: Record<BulkKind, ((props: Props) => React.ReactNode) | null> = {
  day: DayFields,
  crew: CrewFieldsOf,
  assign: AssignFields,
  price: PriceFields,
  pause: PauseFields,
  resume: null,
  end: EndFields,
}

/** What is to be different, by the kind of change. */
export const BulkFields = ({ kind, ...props }: Props & { kind: BulkKind }) => {
  const Fields = fields[kind]
  return Fields ? <Fields {...props} /> : null
}
