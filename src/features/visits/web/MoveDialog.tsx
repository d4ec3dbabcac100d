import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { addDays, type Day, formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import type { Visit, VisitCalendar } from '../contract.ts'
import { crewOffMessage, dayRefusal, openDaysAfter } from '../days/rules.ts'
import { useUndoableDeed, visitCalendarQuery } from './data.ts'

type Props = { visit: Visit; open: boolean; onClose: () => void; onBooked: (visitId: string) => void }
type Values = { day: Day | null; crewId: string }

const none = 'none'

const Fields = ({ visit, calendar, onClose, onBooked }: Omit<Props, 'open'> & { calendar: VisitCalendar }) => {
  const again = visit.can.rebook
  const { act } = useUndoableDeed({ asked: visit, onUndone: (back) => again && onBooked(back.id) })
  const known = calendar.crews.some((crew) => crew.id === visit.crewId)
  const form = useForm<Values>({ defaultValues: { day: null, crewId: known ? (visit.crewId ?? none) : none } })
  const [day, chosen] = form.watch(['day', 'crewId'])
  const crewId = chosen === none ? null : chosen
  const from = visit.day && visit.day > calendar.today ? visit.day : calendar.today
  const near = [...new Set([calendar.today, ...openDaysAfter(calendar, from, crewId, 4)])].filter(
    (one) => one !== visit.day && dayRefusal(calendar, one, crewId) === null,
  )
  const onDay = day ?? visit.day
  const closed = (one: Day): string | null => (one === visit.day && !again ? null : dayRefusal(calendar, one, crewId))
  const submit = async (values: Values) => {
    if (!values.day && (again || crewId === visit.crewId || !visit.day))
      return form.setError('day', { message: 'On which day?' }, { shouldFocus: true })
    const to = values.day ?? visit.day
    const why = to && closed(to)
    if (why) return form.setError('day', { message: why }, { shouldFocus: true })
    if (!to) return
    const crew = calendar.crews.find((one) => one.id === crewId)?.name
    const said = `${formatDay(to)}${crew ? `, ${crew}` : ''}`
    if (again) {
      const made = await act({ deed: 'rebook', visit, body: { day: to, crewId } }, () => `Booked again for ${said}`)
      onBooked(made.id)
    } else await act({ deed: 'move', visit, body: { day: to, crewId } }, () => `Moved to ${said}`)
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label={again ? 'Book again' : 'Move'}>
      {near.length > 0 ? (
        <fieldset className="visit-done">
          <legend>Next open days</legend>
          <div className="visit-days">
            {near.map((one) => (
              <Button
                key={one}
                size="s"
                kind={one === day ? 'primary' : 'secondary'}
                aria-pressed={one === day}
                onClick={() => form.setValue('day', one, { shouldValidate: false })}
              >
                {one === calendar.today ? 'Today' : formatDay(one)}
              </Button>
            ))}
          </div>
        </fieldset>
      ) : null}
      <FormField control={form.control} name="day">
        {(f) => (
          <DateField
            {...f}
            label="Day"
            today={calendar.today}
            min={calendar.today}
            max={addDays(calendar.today, 730)}
            closed={closed}
            placeholder={visit.day && !again ? formatDay(visit.day) : 'Jun 12'}
            hint={
              again || !visit.day ? undefined : `Now ${formatDay(visit.day)}. Leave it empty to change only the crew.`
            }
          />
        )}
      </FormField>
      <FormField control={form.control} name="crewId">
        {(f) => (
          <SelectField
            {...f}
            label="Crew"
            options={[
              { value: none, label: 'No crew yet' },
              ...calendar.crews.map((crew) => {
                const off = onDay ? crewOffMessage(crew, onDay) : null
                return { value: crew.id, label: off ? `${crew.name} (off)` : crew.name, disabled: off !== null }
              }),
            ]}
          />
        )}
      </FormField>
      {again || visit.sent === 'no' ? null : (
        <p className="muted">
          The crew was sent this day already. Publish it on the route map, so that they learn of it.
        </p>
      )}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {again ? 'Book again' : visit.day ? 'Move' : 'Schedule'}
          {day ? ` ${visit.day && !again ? 'to' : 'for'} ${formatDay(day)}` : ''}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Another day or crew for a visit, or a new visit in place of one that was skipped: only days on which somebody works. */
export const MoveDialog = ({ open, onClose, ...props }: Props) => {
  const { data, error, refetch, isFetching } = useQuery({ ...visitCalendarQuery, enabled: open })
  const verb = props.visit.can.rebook ? 'Book another day for' : props.visit.day ? 'Move' : 'Schedule'
  return (
    <Dialog open={open} onClose={onClose} title={`${verb} ${props.visit.street}`} size="s">
      {data ? (
        <Fields {...props} calendar={data} onClose={onClose} />
      ) : error ? (
        <ErrorState compact error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </Dialog>
  )
}
