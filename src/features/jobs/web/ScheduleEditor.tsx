import { weekdayOf } from '#src/shared/dates.ts'
import { DateField } from '#src/ui/DateField.tsx'
import { FieldGrid } from '#src/ui/FieldGrid.tsx'
import { NumberField } from '#src/ui/NumberField.tsx'
import { RadioField } from '#src/ui/RadioField.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { weekdayNames } from '../../../shared/dates.ts'
import { type Calendar, followsDone, type HolidayRule, type Recurrence } from '../rules.ts'
import { UndatedFields } from '../undated/web/UndatedFields.tsx'

import { PaceFields } from './PaceFields.tsx'
import { SchedulePreview } from './SchedulePreview.tsx'
import { SeasonField } from './SeasonField.tsx'
import { type HowOften, howOftenOf, type Schedule, withAnchor, withHowOften, withStart, withUnit } from './schedule.ts'
import { WeekdaysField, weekOrder } from './WeekdaysField.tsx'
import { WeekField } from './WeekField.tsx'

type Props = {
  value: Schedule
  onChange: (value: Schedule) => void
  calendar: Calendar
  /** Without the choice of a single day. */
  onlyRepeating?: boolean
  /** A job keeps its start; only what follows is changed. */
  hideStart?: boolean
  /** Where the words and the next days stand elsewhere on the screen. */
  hidePreview?: boolean
  /** Also the waiting list and work on demand. */
  withUndated?: boolean
  /** Also a day that is over, for work that was done already. */
  allowPast?: boolean
}

const choices: { value: HowOften; label: string }[] = [
  { value: 'weekly', label: 'Every week' },
  { value: 'biweekly', label: 'Every 2 weeks' },
  { value: 'monthly', label: 'Every month' },
  { value: 'other', label: 'Other' },
  { value: 'once', label: 'Once' },
  { value: 'waiting', label: 'Waiting list' },
  { value: 'on_demand', label: 'On demand' },
]

const nthLabel = ['first', 'second', 'third', 'fourth', 'fifth']

/** When work comes back, said in words and shown as the next six days while it is changed. */
export const ScheduleEditor = ({
  value,
  onChange,
  calendar,
  onlyRepeating,
  hideStart,
  hidePreview,
  withUndated = false,
  allowPast = false,
}: Props) => {
  const rule = value.recurrence
  const set = (changes: Partial<Recurrence>) => rule && onChange({ ...value, recurrence: { ...rule, ...changes } })
  const often = howOftenOf(value)
  const { undated } = value
  // A round of a program stays one: only its window is changed.
  if (undated?.kind === 'step')
    return (
      <div className="sched">
        <UndatedFields
          value={undated}
          today={calendar.today}
          onChange={(next) => onChange({ ...value, undated: next })}
        />
      </div>
    )
  return (
    <div className="sched">
      <RadioField
        label="How often"
        row
        value={often}
        options={choices.filter(
          (c) =>
            !(onlyRepeating && c.value === 'once') &&
            (withUndated || (c.value !== 'waiting' && c.value !== 'on_demand')),
        )}
        onChange={(next) => onChange(withHowOften(value, next, calendar))}
      />
      {undated ? (
        <UndatedFields
          value={undated}
          today={calendar.today}
          onChange={(next) => onChange({ ...value, undated: next })}
        />
      ) : rule === null ? (
        <FieldGrid min={190}>
          <DateField
            label="Day"
            value={value.onceOn}
            {...(allowPast ? {} : { min: calendar.today })}
            today={calendar.today}
            onChange={(onceOn) => onChange({ ...value, onceOn })}
          />
        </FieldGrid>
      ) : (
        <>
          {often === 'other' ? (
            <FieldGrid min={130}>
              <NumberField
                label="Every"
                value={rule.interval}
                min={1}
                max={365}
                onChange={(n) => set({ interval: Math.max(1, Math.round(n ?? 1)) })}
              />
              <SelectField
                label="Unit"
                value={rule.freq}
                onChange={(freq) => onChange({ ...value, recurrence: withUnit(rule, freq) })}
                options={[
                  { value: 'day', label: rule.interval === 1 ? 'day' : 'days' },
                  { value: 'week', label: rule.interval === 1 ? 'week' : 'weeks' },
                  { value: 'month', label: rule.interval === 1 ? 'month' : 'months' },
                ]}
              />
            </FieldGrid>
          ) : null}
          {rule.freq === 'week' ? (
            <WeekdaysField value={rule.weekdays} onChange={(weekdays) => set({ weekdays })} />
          ) : null}
          {rule.freq === 'week' && rule.interval > 1 && rule.interval <= 8 && !followsDone(rule) ? (
            <WeekField value={value} onChange={onChange} calendar={calendar} running={hideStart ?? false} />
          ) : null}
          {rule.freq === 'month' && !followsDone(rule) ? (
            <FieldGrid min={170}>
              <SelectField
                label="On"
                value={rule.nth ? 'nth' : 'day'}
                onChange={(kind) => {
                  const { nth: _nth, dayOfMonth: _day, ...rest } = rule
                  const recurrence =
                    kind === 'nth'
                      ? { ...rest, nth: { week: 1, weekday: weekdayOf(value.startOn) } }
                      : { ...rest, dayOfMonth: Number(value.startOn.slice(8)) }
                  onChange({ ...value, recurrence })
                }}
                options={[
                  { value: 'day', label: 'a date' },
                  { value: 'nth', label: 'a weekday' },
                ]}
              />
              {rule.nth ? (
                <>
                  <SelectField
                    label="Which"
                    value={String(rule.nth.week)}
                    onChange={(week) => set({ nth: { weekday: rule.nth?.weekday ?? 1, week: Number(week) } })}
                    options={[
                      ...nthLabel.map((label, index) => ({ value: String(index + 1), label })),
                      { value: '-1', label: 'last' },
                    ]}
                  />
                  <SelectField
                    label="Weekday"
                    value={String(rule.nth.weekday)}
                    onChange={(day) => set({ nth: { week: rule.nth?.week ?? 1, weekday: Number(day) } })}
                    options={weekOrder.map((day) => ({ value: String(day), label: weekdayNames[day] ?? '' }))}
                  />
                </>
              ) : (
                <NumberField
                  label="Day"
                  hint="31 is always the last day"
                  value={rule.dayOfMonth ?? Number(rule.phaseOn.slice(8))}
                  min={1}
                  max={31}
                  onChange={(n) => set({ dayOfMonth: Math.min(31, Math.max(1, Math.round(n ?? 1))) })}
                />
              )}
            </FieldGrid>
          ) : null}
          <RadioField
            label="Counts from"
            row
            value={rule.anchor ?? 'calendar'}
            onChange={(anchor) => onChange({ ...value, recurrence: withAnchor(rule, anchor) })}
            options={[
              { value: 'calendar', label: 'The calendar' },
              { value: 'completion', label: 'The day the last one was done' },
            ]}
          />
          <FieldGrid min={190}>
            {hideStart ? null : (
              <DateField
                label="Starts"
                value={value.startOn}
                today={calendar.today}
                onChange={(startOn) => startOn && onChange(withStart(value, startOn))}
              />
            )}
            <DateField
              label="Ends"
              optional
              placeholder="Goes on"
              value={value.endOn}
              today={calendar.today}
              min={value.startOn}
              onChange={(endOn) => onChange({ ...value, endOn })}
            />
            <SeasonField calendar={calendar} value={rule.season} onChange={(season) => set({ season })} />
            <SelectField
              label="On a holiday"
              value={rule.holiday}
              onChange={(holiday: HolidayRule) => set({ holiday })}
              options={[
                { value: 'next', label: 'Next work day' },
                { value: 'previous', label: 'Work day before' },
                { value: 'skip', label: 'Leave it out' },
              ]}
            />
          </FieldGrid>
          <PaceFields rule={rule} onChange={(recurrence) => onChange({ ...value, recurrence })} />
        </>
      )}
      {hidePreview ? null : <SchedulePreview value={value} calendar={calendar} />}
    </div>
  )
}
