import { useEffect, useRef, useState } from 'react'
import { type Day as CalendarDay, dayOf, formatMinute, weekdayNames } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconPlus, IconX } from '../../../ui/icons.ts'
import { NumberField } from '../../../ui/NumberField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { TimeField } from '../../../ui/TimeField.tsx'
import { spansOf } from '../../prospects/calls/rules.ts'
import type { DeskSettings } from '../contract.ts'
import { CallHolidays, HolidayCalls, spanLabel } from './CallHolidays.tsx'
import { useSettingsForm } from './useSettingsForm.ts'

const days = ['1', '2', '3', '4', '5', '6', '0'] as const

type Hours = DeskSettings['callHours']
type Span = [number | null, number | null]

const Day = ({ name, spans, onChange }: { name: string; spans: Span[]; onChange: (spans: Span[]) => void }) => {
  const set = (at: number, span: Span) => onChange(spans.map((one, index) => (index === at ? span : one)))
  return (
    <fieldset className="desk-hours">
      <legend>{name}</legend>
      {spans.length === 0 ? <span className="hint">no calls</span> : null}
      {spans.map(([from, to], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a span has nothing but its place
        <span key={at} className="desk-hours__span">
          <TimeField label={`${name} from`} hideLabel value={from} onChange={(next) => set(at, [next, to])} />
          <span aria-hidden="true">to</span>
          <TimeField label={`${name} to`} hideLabel value={to} onChange={(next) => set(at, [from, next])} />
          <IconButton
            size="s"
            label={`Remove these hours of ${name}`}
            icon={<IconX />}
            onClick={() => onChange(spans.filter((_, index) => index !== at))}
            tooltip={false}
          />
        </span>
      ))}
      {spans.length < 4 ? (
        <Button
          size="s"
          kind="quiet"
          icon={<IconPlus />}
          onClick={() => onChange([...spans, spans.length === 0 ? [540, 1020] : [780, 1020]])}
        >
          Add hours<span className="ui-hidden"> on {name}</span>
        </Button>
      ) : null}
    </fieldset>
  )
}

type Values = {
  timeZone: string
  callLink: string
  callNoticeHours: number | null
  callHorizonDays: number | null
  callBufferMinutes: number | null
  restsOnHolidays: boolean
  callHours: Record<string, Span[]>
  holidays: CalendarDay[]
}

const valuesOf = (settings: DeskSettings): Values => ({
  timeZone: settings.timeZone,
  callLink: settings.callLink,
  callNoticeHours: settings.callNoticeMinutes / 60,
  callHorizonDays: settings.callHorizonDays,
  callBufferMinutes: settings.callBufferMinutes,
  restsOnHolidays: settings.restsOnHolidays,
  callHours: settings.callHours as Record<string, Span[]>,
  holidays: settings.holidays,
})

const bodyOf = ({ callNoticeHours, callHorizonDays, callBufferMinutes, callHours, ...rest }: Values) => ({
  ...rest,
  callHours: callHours as Hours,
  callNoticeMinutes: Math.round((callNoticeHours ?? 0) * 60),
  callHorizonDays: callHorizonDays ?? 1,
  callBufferMinutes: callBufferMinutes ?? 0,
})

/** "Monday 9:00 AM to 5:00 PM; Tuesday …": the days that have hours. */
const hoursLabel = (hours: Hours): string =>
  days
    .flatMap((day) => {
      const spans = hours[day] ?? []
      return spans.length === 0
        ? []
        : [
            `${weekdayNames[Number(day)]} ${spans.map(([from, to]) => `${formatMinute(from)} to ${formatMinute(to)}`).join(', ')}`,
          ]
    })
    .join('; ')

/** When calls may be booked: by the slots on the public page and by Book Demo alike. */
export const CallSettings = ({ settings }: { settings: DeskSettings }) => {
  const [wrong, setWrong] = useState<string | null>(null)
  const said = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (wrong) said.current?.focus()
  }, [wrong])
  const { form, submit, dialog } = useSettingsForm({
    settings,
    valuesOf,
    bodyOf,
    words: {
      timeZone: 'Time zone',
      callLink: 'Where the call is held',
      callNoticeMinutes: { label: 'Notice before a call', show: (minutes) => `${minutes / 60} hours` },
      callHorizonDays: { label: 'Bookable ahead', show: (count) => `${count} days` },
      callBufferMinutes: { label: 'Pause after a call', show: (minutes) => `${minutes} minutes` },
      restsOnHolidays: 'No calls on federal holidays',
      callHours: { label: 'Hours for calls', show: hoursLabel },
      holidays: { label: 'Days without calls', show: (off) => spansOf(off).map(spanLabel).join(', ') },
    },
  })
  const hours = form.watch('callHours')
  return (
    <Form
      form={form}
      label="Calls"
      onSubmit={async (values) => {
        const broken = days.find((day) =>
          (values.callHours[day] ?? []).some(([from, to]) => from === null || to === null || to <= from),
        )
        setWrong(null)
        if (!broken) return submit(values)
        // Said again, it is brought into sight again.
        setTimeout(() => setWrong(`${weekdayNames[Number(broken)]}: the end must come after the start.`))
      }}
    >
      <FormField control={form.control} name="callHours">
        {({ onChange }) => (
          <div className="desk-week">
            {days.map((day) => (
              <Day
                key={day}
                name={weekdayNames[Number(day)] ?? ''}
                spans={hours[day] ?? []}
                onChange={(spans) => onChange({ ...hours, [day]: spans })}
              />
            ))}
          </div>
        )}
      </FormField>
      <FormField control={form.control} name="restsOnHolidays">
        {(field) => (
          <CheckboxField
            label="No calls on federal holidays"
            hint="Thanksgiving, Christmas and the nine others, and the weekday on which each is observed."
            {...field}
          />
        )}
      </FormField>
      <FormField control={form.control} name="holidays">
        {({ value, onChange }) => (
          <CallHolidays days={value} onChange={onChange} today={dayOf(Date.now(), settings.timeZone)} />
        )}
      </FormField>
      <HolidayCalls calls={settings.holidayCalls} />
      {wrong ? (
        <p className="desk-wrong" role="alert" tabIndex={-1} ref={said}>
          {wrong}
        </p>
      ) : null}
      <FieldGrid min={180}>
        <FormField control={form.control} name="callNoticeHours" needed="Type the hours; 0 for none.">
          {(field) => <NumberField label="Notice before a call" unit="hours" min={0} max={336} {...field} />}
        </FormField>
        <FormField control={form.control} name="callHorizonDays" needed="Type how many days.">
          {(field) => <NumberField label="Bookable ahead" unit="days" min={1} max={90} {...field} />}
        </FormField>
        <FormField control={form.control} name="callBufferMinutes" needed="Type the minutes; 0 for none.">
          {(field) => <NumberField label="Pause after a call" unit="minutes" min={0} max={120} {...field} />}
        </FormField>
        <FormField control={form.control} name="timeZone">
          {(field) => <TextField label="Time zone" {...field} />}
        </FormField>
        <FormField control={form.control} name="callLink">
          {(field) => (
            <TextField
              label="Where the call is held"
              className="is-whole"
              hint="A meeting link or a number; it stands in the invitation."
              {...field}
            />
          )}
        </FormField>
      </FieldGrid>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Save
        </Button>
      </FormActions>
      {dialog}
    </Form>
  )
}
