import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { addDays, type Day, formatDay } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
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
import { crewOffMessage, dayRefusal, licenseRefusal, openDaysAfter } from '../days/rules.ts'
import { statusLabel } from '../rules.ts'
import { useUndoableDeed, visitCalendarQuery } from './data.ts'

export type Target = { day: Day; crewId: string | null }
type Props = {
  visit: Visit
  open: boolean
  onClose: () => void
  onBooked: (visitId: string) => void
  /** What speaks against a day and crew, as the calendar says it. */
  against?: ((visit: Visit, to: Target) => ReactNode) | undefined
}
/** `opened` is the visit as it was when the question was asked. */
type FieldProps = Omit<Props, 'open'> & { opened: Visit; calendar: VisitCalendar }
type Values = { day: Day | null; crewId: string }

const none = 'none'

const Fields = ({ visit, opened, calendar, onClose, onBooked, against }: FieldProps) => {
  const again = opened.can.rebook
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
  const named = day && closed(day) === null ? day : null
  const unlicensed = (one: Day): string | null => licenseRefusal(calendar, visit.needs.skills, one, crewId)
  const target = named ?? (crewId !== visit.crewId && !again ? visit.day : null)
  const submit = async (values: Values) => {
    if (!values.day && (again || crewId === visit.crewId || !visit.day))
      return form.setError('day', { message: 'On which day?' }, { shouldFocus: true })
    const to = values.day ?? visit.day
    const why = to && (closed(to) ?? unlicensed(to))
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
      {opened.status === 'en_route' ? (
        <Banner tone="warn">
          {visit.crew ? `${visit.crew.name} is` : 'The crew is'} on the way there. Their phones are told at once; what
          they still do there today counts for today.
        </Banner>
      ) : null}
      {again || visit.sent === 'no' || opened.status === 'en_route' ? null : (
        <p className="muted">
          The crew was sent this day already. Publish it on the route map, so that they learn of it.
        </p>
      )}
      {target ? against?.(visit, { day: target, crewId }) : null}
      <FormActions>
        <Button
          type="submit"
          kind="primary"
          disabled={target !== null && unlicensed(target) !== null}
          loading={form.formState.isSubmitting}
        >
          {again ? 'Book again' : visit.day ? 'Move' : 'Schedule'}
          {named ? ` ${visit.day && !again ? 'to' : 'for'} ${formatDay(named)}` : ''}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** What came of the visit while somebody was about to move it; nothing turns into another question by itself. */
const Meanwhile = ({ visit, onGoOn, onClose }: { visit: Visit; onGoOn: () => void; onClose: () => void }) => (
  <div className="ui-form">
    <Banner tone="warn">
      Somebody changed this visit meanwhile: it is {statusLabel(visit.status)} now. Nothing was moved.
    </Banner>
    <FormActions>
      {visit.can.rebook || visit.can.move ? (
        <Button kind="primary" onClick={onGoOn}>
          {visit.can.rebook ? 'Book another day' : 'Move it all the same'}
        </Button>
      ) : null}
      <Button onClick={onClose}>Close</Button>
    </FormActions>
  </div>
)

/** Another day or crew for a visit, or a new visit in place of one that was skipped: only days on which somebody works. */
export const MoveDialog = ({ open, onClose, ...props }: Props) => {
  const { data, error, refetch, isFetching } = useQuery({ ...visitCalendarQuery, enabled: open })
  const { visit } = props
  const [opened, setOpened] = useState(open ? visit : null)
  if (open !== (opened !== null)) setOpened(open ? visit : null)
  const asked = opened ?? visit
  const verb = asked.can.rebook ? 'Book another day for' : asked.day ? 'Move' : 'Schedule'
  const turned = visit.can.rebook !== asked.can.rebook || visit.can.move !== asked.can.move
  return (
    <Dialog open={open} onClose={onClose} title={`${verb} ${props.visit.street}`} size="s">
      {turned && opened ? (
        <Meanwhile visit={visit} onGoOn={() => setOpened(visit)} onClose={onClose} />
      ) : data ? (
        <Fields {...props} opened={asked} calendar={data} onClose={onClose} />
      ) : error ? (
        <ErrorState compact error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </Dialog>
  )
}
