import { useState } from 'react'
import { type Day, formatDay, monthDayText } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconPlus, IconX } from '../../../ui/icons.ts'
import { MonthDayField } from '../../../ui/MonthDayField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { labelIn } from '../../../ui/TwoAnswers.tsx'
import type { BusinessSettings } from '../contract.ts'
import { usualHolidays } from '../rules.ts'
import { Section } from './Section.tsx'

const weekdays = [
  { value: '1', label: 'Mon' },
  { value: '2', label: 'Tue' },
  { value: '3', label: 'Wed' },
  { value: '4', label: 'Thu' },
  { value: '5', label: 'Fri' },
  { value: '6', label: 'Sat' },
  { value: '0', label: 'Sun' },
]

const holidayRules = [
  { value: 'next', label: 'moves to the next work day' },
  { value: 'previous', label: 'moves to the work day before' },
  { value: 'skip', label: 'is left out' },
] as const

const Holidays = ({ days, today, onChange }: { days: readonly Day[]; today: Day; onChange: (days: Day[]) => void }) => {
  const [adding, setAdding] = useState<Day | null>(null)
  const year = Number(today.slice(0, 4))
  const names = new Map([year, year + 1].flatMap((y) => usualHolidays(y).map(({ day, name }) => [day, name] as const)))
  const coming = [...names.keys()].filter((day) => day >= today && !days.includes(day)).slice(0, 6)
  const put = (more: readonly Day[]) => onChange([...new Set([...days, ...more])].sort())
  const shown = days.filter((day) => day >= today)
  return (
    <div className="holidays">
      <h3>Days off</h3>
      {shown.length === 0 ? <p className="muted">No day off is planned.</p> : null}
      <ul>
        {shown.map((day) => (
          <li key={day}>
            <span>
              {formatDay(day, { year: true })}
              {names.has(day) ? <span className="hint"> {names.get(day)}</span> : null}
            </span>
            <IconButton
              size="s"
              label={`Work on ${formatDay(day)} after all`}
              icon={<IconX />}
              tooltip={false}
              onClick={() => onChange(days.filter((one) => one !== day))}
            />
          </li>
        ))}
      </ul>
      <div className="holidays__add">
        <DateField label="Add a day off" value={adding} onChange={setAdding} today={today} min={today} />
        <Button
          icon={<IconPlus />}
          disabled={!adding}
          onClick={() => {
            if (adding) put([adding])
            setAdding(null)
          }}
        >
          Add
        </Button>
        {coming.length > 0 ? (
          <Button kind="quiet" onClick={() => put(coming)}>
            Add the next {coming.length} US holidays
          </Button>
        ) : null}
      </div>
    </div>
  )
}

/** When the business mows: visits are only ever booked into these days. */
export const SeasonSection = ({ settings, today }: { settings: BusinessSettings; today: Day }) => (
  <Section
    id="season"
    title="Season and work days"
    lead="Recurring jobs are booked inside the season and on these days. A job can have its own."
    settings={settings}
    saved="Season saved"
    pick={(s) => ({
      seasonStart: s.seasonStart,
      seasonEnd: s.seasonEnd,
      workDays: s.workDays,
      holidays: s.holidays,
      holidayRule: s.holidayRule,
    })}
    words={{
      seasonStart: { label: 'Season begins', show: monthDayText },
      seasonEnd: { label: 'Season ends', show: monthDayText },
      workDays: {
        label: 'Work days',
        show: (days) =>
          weekdays
            .filter(({ value }) => days.includes(Number(value)))
            .map(({ label }) => label)
            .join(', '),
      },
      holidays: { label: 'Days off', show: (days) => days.map((day) => formatDay(day, { year: true })).join(', ') },
      holidayRule: { label: 'A visit that falls on a day off', show: labelIn(holidayRules) },
    }}
    toChange={(v) => v}
  >
    {({ control }) => (
      <>
        <FieldGrid min={220}>
          <FormField control={control} name="seasonStart">
            {(f) => <MonthDayField label="Season begins" value={f.value} onChange={f.onChange} />}
          </FormField>
          <FormField control={control} name="seasonEnd">
            {(f) => <MonthDayField label="Season ends" value={f.value} onChange={f.onChange} />}
          </FormField>
        </FieldGrid>
        <FormField control={control} name="workDays">
          {(f) => (
            <div className="work-days">
              <h3>Work days</h3>
              <FilterChips
                label="Work days"
                chips={weekdays}
                values={f.value.map(String)}
                onChange={(days) => f.onChange(days.map(Number).sort())}
              />
            </div>
          )}
        </FormField>
        <FormField control={control} name="holidays">
          {(f) => <Holidays days={f.value} today={today} onChange={f.onChange} />}
        </FormField>
        <FormField control={control} name="holidayRule">
          {(f) => <RadioField {...f} label="A visit that falls on a day off" options={holidayRules} />}
        </FormField>
      </>
    )}
  </Section>
)
