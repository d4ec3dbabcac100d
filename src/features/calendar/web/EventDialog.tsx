import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { covers, type Day, formatDay, formatMinute } from '../../../shared/dates.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { has } from '../../../shared/roles.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { TimeField } from '../../../ui/TimeField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { useMay, useToday, useUser } from '../../accounts/web/session.ts'
import { staffingApi } from '../../employees/staffing/contract.ts'
import { employeesQuery } from '../../employees/web/data.ts'
import { type OffPay, offPayLabel, offPays, usualPaidMinutes } from '../../timeclock/timeoff/rules.ts'
import { visitCalendarQuery } from '../../visits/web/data.ts'
import { type CalendarEvent, calendarEventsApi } from '../events/contract.ts'
import { type EventKind, eventKindLabel, eventKinds } from '../events/rules.ts'

type Draft = CallInput<(typeof calendarEventsApi)['create']>['body']
type Values = {
  kind: EventKind
  title: string
  note: string
  firstDay: Day | null
  lastDay: Day | null
  startMinute: number | null
  endMinute: number | null
  userId: string
  crewId: string
  payKind: OffPay | ''
  paidMinutes: number | null
}
type Props = {
  event: CalendarEvent | null
  day: Day
  onClose: () => void
  /** Somebody is off on a day on which their crew has stops. */
  onMissed?: (crewId: string, day: Day) => void
}

const valuesOf = (event: CalendarEvent | null, day: Day): Values =>
  event
    ? { ...event, userId: event.userId ?? '', crewId: event.crewId ?? '', payKind: event.payKind ?? '' }
    : {
        kind: 'time_off',
        title: '',
        note: '',
        firstDay: day,
        lastDay: day,
        startMinute: null,
        endMinute: null,
        userId: '',
        crewId: '',
        payKind: '',
        paidMinutes: null,
      }

/** What the form sends; `day` stands where none was chosen, which it says before it sends. */
const bodyOf = (
  { title, userId, crewId, firstDay, lastDay, payKind, paidMinutes, ...rest }: Values,
  day: Day,
  ownTitle: string,
) => {
  const off = rest.kind === 'time_off'
  const from = firstDay ?? day
  return {
    ...rest,
    title: title.trim() || ownTitle,
    firstDay: from,
    lastDay: lastDay && lastDay > from ? lastDay : from,
    userId: off ? userId || null : null,
    crewId: off ? null : crewId || null,
    payKind: off ? payKind || null : null,
    paidMinutes: off && payKind ? paidMinutes : null,
  }
}
type Body = ReturnType<typeof bodyOf>

/** The crew that misses somebody on a day, if it has stops then. */
const findMissed = async (userId: string, day: Day): Promise<string | null> => {
  const { items } = await call(staffingApi.stretches, { params: { id: userId } })
  const crew = items.find((one) => covers(one, day))?.crew
  if (!crew) return null
  const { stops } = await call(staffingApi.standIns, { params: { id: crew.id }, query: { day } })
  return stops > 0 ? crew.id : null
}

const timeLabel = (minute: number | null) => (minute === null ? 'All day' : formatMinute(minute))
const paidLabel = (minutes: number | null) => (minutes === null ? 'Not paid' : `${minutes / 60} h`)
const dayLabel = (day: Day) => formatDay(day, { year: true })

const useEvents = () => {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['calendar'] })
  const create = useIdempotentMutation({
    onSuccess,
    mutationFn: (body: Draft, key) => call(calendarEventsApi.create, { body }, { idempotencyKey: key }),
  })
  const update = useIdempotentMutation({
    onSuccess,
    mutationFn: ({ id, ...body }: Draft & { id: string; version: number }, key) =>
      call(calendarEventsApi.update, { params: { id }, body }, { idempotencyKey: key }),
  })
  const put = useIdempotentMutation({
    onSuccess,
    mutationFn: ({ id, version, verb }: { id: string; version: number; verb: 'remove' | 'restore' }, key) =>
      call(calendarEventsApi[verb], { params: { id }, body: { version } }, { idempotencyKey: key }),
  })
  return { create, update, put }
}

const Fields = ({ event: shown, day, onClose, onMissed }: Props) => {
  const today = useToday()
  const may = useMay()
  const paysOff = has(useUser(), 'payroll')
  const { data: people } = useQuery(employeesQuery({ status: 'active' }))
  const { data: calendar } = useQuery(visitCalendarQuery)
  const { create, update, put } = useEvents()
  const nameOf = (userId: string | null) => people?.items.find((one) => one.id === userId)?.name ?? ''
  const read = (event: CalendarEvent): Body => bodyOf(valuesOf(event, day), day, event.title)
  const {
    opened: event,
    save,
    dialog,
  } = useVersioned<CalendarEvent, Body>({
    record: shown,
    read,
    load: () => call(calendarEventsApi.get, { params: { id: shown?.id ?? '' } }),
    words: {
      kind: { label: 'What', show: eventKindLabel },
      title: 'Title',
      note: 'Note',
      firstDay: { label: 'From', show: dayLabel },
      lastDay: { label: 'To', show: dayLabel },
      startMinute: { label: 'Begins', show: timeLabel },
      endMinute: { label: 'Ends', show: timeLabel },
      userId: { label: 'Who', show: nameOf },
      payKind: { label: 'Counts as', show: (pay) => (pay ? offPayLabel(pay) : 'Time off') },
      paidMinutes: { label: 'Paid a day', show: paidLabel },
      crewId: { label: 'Crew', show: (id) => calendar?.crews.find((crew) => crew.id === id)?.name ?? 'Everybody' },
    },
  })
  const form = useForm<Values>({ defaultValues: valuesOf(event, day) })
  const kind = form.watch('kind')
  const payKind = form.watch('payKind')
  const submit = async (values: Values) => {
    const off = values.kind === 'time_off'
    if (!values.firstDay) return form.setError('firstDay', { message: 'On which day?' }, { shouldFocus: true })
    if (off && !values.userId) return form.setError('userId', { message: 'Who is off?' }, { shouldFocus: true })
    const body = bodyOf(values, day, off ? `${nameOf(values.userId)} off` : eventKindLabel(kind))
    if (event)
      return save(body, async (changes, over, also) => {
        const { title } = await update.mutateAsync({ ...read(over), ...changes, id: over.id, version: over.version })
        onClose()
        toast.success(`${title} is changed${also}`)
      })
    const made = await create.mutateAsync(body)
    onClose()
    const missed = made.userId && made.startMinute === null && made.firstDay >= today ? made.userId : null
    if (missed && onMissed && may(staffingApi.standIns))
      void findMissed(missed, made.firstDay)
        .then((crewId) => crewId && onMissed(crewId, made.firstDay))
        // the board says it, too
        .catch(() => undefined)
    toast.undo(`${made.title} is on the calendar`, () =>
      put.mutateAsync({ id: made.id, version: made.version, verb: 'remove' }).catch(toast.error),
    )
  }
  const remove = async () => {
    if (!event) return
    try {
      const gone = await put.mutateAsync({ id: event.id, version: event.version, verb: 'remove' })
      onClose()
      toast.undo(`${gone.title} is off the calendar`, () =>
        put.mutateAsync({ id: gone.id, version: gone.version, verb: 'restore' }).catch(toast.error),
      )
    } catch (error) {
      toast.error(error)
    }
  }
  const fixed = event ? !event.can.update : !may(calendarEventsApi.create)
  return (
    <Form form={form} onSubmit={submit} label={event ? 'Change the event' : 'New event'}>
      <FormField control={form.control} name="kind">
        {(f) => (
          <SelectField
            {...f}
            label="What"
            options={eventKinds.map((value) => ({ value, label: eventKindLabel(value) }))}
          />
        )}
      </FormField>
      {kind === 'time_off' ? (
        <FormField control={form.control} name="userId">
          {(f) => (
            <SelectField
              {...f}
              label="Who"
              placeholder="Pick a person"
              hint="Their crew is planned without them: its capacity goes down."
              options={(people?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </FormField>
      ) : (
        <FormField control={form.control} name="crewId">
          {(f) => (
            <SelectField
              {...f}
              label="Crew"
              placeholder="Everybody"
              {...(kind === 'shop' ? { hint: 'They mow less then: their capacity goes down.' } : {})}
              options={(calendar?.crews ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </FormField>
      )}
      <FormField control={form.control} name="title">
        {(f) => (
          <TextField
            {...f}
            label="Title"
            optional
            maxLength={120}
            {...(kind === 'time_off' ? { placeholder: 'Their name and “off”' } : {})}
          />
        )}
      </FormField>
      <FieldGrid min={200}>
        <FormField control={form.control} name="firstDay">
          {(f) => <DateField {...f} label="From" today={today} />}
        </FormField>
        <FormField control={form.control} name="lastDay">
          {(f) => <DateField {...f} label="To" today={today} />}
        </FormField>
        <FormField control={form.control} name="startMinute">
          {(f) => <TimeField {...f} label="Begins" optional placeholder="All day" />}
        </FormField>
        <FormField control={form.control} name="endMinute">
          {(f) => <TimeField {...f} label="Ends" optional placeholder="All day" />}
        </FormField>
      </FieldGrid>
      {kind === 'time_off' ? (
        <FieldGrid min={200}>
          <FormField control={form.control} name="payKind">
            {({ onChange, ...f }) => (
              <SelectField
                {...f}
                label="Counts as"
                options={[
                  { value: '', label: 'Time off' },
                  ...offPays.map((value) => ({ value, label: offPayLabel(value) })),
                ]}
                onChange={(value) => {
                  onChange(value)
                  form.setValue('paidMinutes', value && paysOff ? usualPaidMinutes : null)
                }}
              />
            )}
          </FormField>
          {payKind ? (
            <FormField control={form.control} name="paidMinutes">
              {({ value, onChange, ...f }) => (
                <NumberField
                  {...f}
                  label="Paid hours a day"
                  unit="h"
                  min={0}
                  max={24}
                  step={0.25}
                  optional
                  disabled={!paysOff}
                  hint={
                    paysOff
                      ? 'For each working day. Empty: not paid. Never toward overtime.'
                      : 'Set by who may run the payroll.'
                  }
                  value={value === null ? null : value / 60}
                  onChange={(hours) => onChange(hours === null || hours === 0 ? null : Math.round(hours * 60))}
                />
              )}
            </FormField>
          ) : null}
        </FieldGrid>
      ) : null}
      <FormField control={form.control} name="note">
        {(f) => <TextAreaField {...f} label="Note" optional rows={2} maxLength={1000} />}
      </FormField>
      <FormActions>
        <Button
          type="submit"
          kind="primary"
          calls={event ? calendarEventsApi.update : calendarEventsApi.create}
          disabled={fixed}
          loading={form.formState.isSubmitting}
        >
          {event ? 'Save' : 'Add to the calendar'}
        </Button>
        {event?.can.remove ? (
          <Button kind="danger" calls={calendarEventsApi.remove} loading={put.isPending} onClick={() => void remove()}>
            Delete
          </Button>
        ) : null}
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
      {dialog}
    </Form>
  )
}

/** Something of the office beside visits: time off, a shop day, a supplier. Deleted with Undo. */
export const EventDialog = (props: Props) => (
  <Dialog open onClose={props.onClose} title={props.event ? props.event.title : 'New event'} size="s">
    <Fields {...props} />
  </Dialog>
)
