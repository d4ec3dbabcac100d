import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { type Address, readAddress } from '../../../shared/places.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MapView } from '../../../ui/MapView.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { TimeField } from '../../../ui/TimeField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { useToday, useUser } from '../../accounts/web/session.ts'
import { businessQuery } from '../../businesses/web/data.ts'
import { pinsQuery } from '../../customers/web/data.ts'
import { PlaceTools } from '../../geocoding/web/PlaceTools.tsx'
import { type Crew, employeesApi } from '../contract.ts'
import { crewColors } from '../rules.ts'
import { CrewFacts } from './CrewFacts.tsx'
import { VehicleFields, WeekdayShifts } from './CrewShifts.tsx'
import { bodyOf, fieldsOf, type Values, valuesOf, wordsFor } from './crewValues.tsx'
import { employeesQuery, useAddCrew, useArchiveCrew, useChangeCrew } from './data.ts'
import { weekdays } from './labels.ts'

const toggled = <T,>(list: readonly T[], value: T): T[] =>
  list.includes(value) ? list.filter((v) => v !== value) : [...list, value]

/** A place that is farther away than this (about a mile) was looked for. */
const farDegrees = 0.015

const Depot = ({
  value,
  onChange,
  color,
  address,
}: {
  value: Values['depot']
  onChange: (place: Values['depot']) => void
  color: string
  address: () => Address
}) => {
  // A depot that was looked for may lie far from what the map shows: the map goes there.
  const [looked, setLooked] = useState(0)
  // The customers around it show where on the map the business is.
  const customers = useQuery(pinsQuery({}))
  const pins = useMemo(
    () => [
      ...(customers.data?.pins ?? []).slice(0, 300).map((pin) => ({
        id: pin.id,
        lat: pin.latitude,
        lon: pin.longitude,
        name: pin.street,
        kind: 'customer' as const,
        color: 'var(--crew-8)',
        faded: true,
      })),
      ...(value
        ? [
            {
              id: 'depot',
              lat: value.lat,
              lon: value.lon,
              rough: value.rough ?? false,
              name: 'The depot',
              kind: 'depot' as const,
              color,
              selected: true,
            },
          ]
        : []),
    ],
    [customers.data, value, color],
  )
  return (
    <div>
      <MapView
        label="Where the crew starts"
        pins={pins}
        height={240}
        cooperative
        draggableIds={['depot']}
        fitKey={`${customers.data ? 'all' : 'none'} ${looked}`}
        onMapClick={onChange}
        onPinDrag={(_, place) => onChange(place)}
      />
      <p className="hint">
        {value
          ? 'Drag the pin to the depot.'
          : 'Find the address above, or click the map where the crew starts and ends its day. Without a depot a day is planned from its first stop.'}
      </p>
      <PlaceTools
        address={address}
        pin={value}
        onPin={(place) => {
          // an arrow key's step is seen where one looks already
          if (!value || Math.hypot(place.lat - value.lat, place.lon - value.lon) > farDegrees) setLooked(looked + 1)
          onChange(place)
        }}
        what="the depot"
      />
    </div>
  )
}

type Props = {
  crew: Crew | null
  crews: readonly Crew[]
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

const Editor = ({ crew: shown, crews, onClose, onPrevious, onNext }: Props) => {
  const user = useUser()
  const people = useQuery(employeesQuery({ status: 'active' }))
  const { data: business } = useQuery(businessQuery)
  const home = { city: business?.city ?? '', state: business?.state ?? '', zip: business?.zip ?? '' }
  const versioned = useVersioned({
    record: shown,
    read: (record: Crew) => fieldsOf(valuesOf(record, record.color)),
    load: async () => (await call(employeesApi.crews, { query: {} })).items.find(({ id }) => id === shown?.id),
    words: wordsFor(people.data?.items ?? []),
  })
  const crew = versioned.opened
  const add = useAddCrew()
  const change = useChangeCrew(crew?.id ?? '')
  const archive = useArchiveCrew(crew?.id ?? '')
  const [asking, setAsking] = useState(false)
  const used = crews.map((c) => c.color)
  const form = useForm<Values>({
    defaultValues: valuesOf(crew, crewColors.find((c) => !used.includes(c)) ?? crewColors[0]),
  })
  const [members, workDays, color, name] = form.watch(['memberUserIds', 'workDays', 'color', 'name'])
  const today = useToday()
  const was = new Set(crew?.members.map((one) => one.userId))
  const moved = crew !== null && (was.size !== members.length || members.some((id) => !was.has(id)))
  const set = <K extends 'memberUserIds' | 'workDays' | 'color' | 'depot'>(field: K, value: Values[K]) =>
    form.setValue(field, value as never, { shouldDirty: true })
  const done = (name: string, also = '') => {
    toast.success(`${name} saved${also}`)
    onClose()
  }
  const submit = async (values: Values) => {
    const fields = fieldsOf(values)
    if (!crew) return done((await add.mutateAsync(bodyOf(fields))).name)
    await versioned.save(fields, async (changes, { version }, also) =>
      done(
        (
          await change.mutateAsync({
            ...bodyOf(changes),
            version,
            ...(values.membersFrom ? { membersFrom: values.membersFrom } : {}),
          })
        ).name,
        also,
      ),
    )
  }
  return (
    <>
      <RecordPanel
        open
        width={560}
        onClose={onClose}
        onPrevious={onPrevious}
        onNext={onNext}
        title={crew?.name ?? 'A new crew'}
        sub={crew ? undefined : 'Name it as you call it on the radio'}
        actions={
          crew?.can.archive ? (
            <Button kind="quiet" size="s" onClick={() => setAsking(true)}>
              Archive
            </Button>
          ) : null
        }
      >
        <Form form={form} onSubmit={submit} label={crew?.name ?? 'New crew'}>
          <div className="people-stack">
            <FormField control={form.control} name="name">
              {(f) => <TextField label="Name" maxLength={80} {...f} />}
            </FormField>
            <fieldset className="crew-colors">
              <legend>Color on map and board</legend>
              {crewColors.map((value, i) => (
                <label key={value} style={{ background: value }}>
                  <input
                    type="radio"
                    name="crew-color"
                    checked={color.toLowerCase() === value}
                    onChange={() => set('color', value)}
                    aria-label={`Color ${i + 1}`}
                  />
                </label>
              ))}
            </fieldset>
            <fieldset className="crew-members">
              <legend>On the crew</legend>
              {(people.data?.items ?? []).map((person) => (
                <CheckboxField
                  key={person.id}
                  name={`member-${person.id}`}
                  label={person.id === user._id ? `${person.name} (you)` : person.name}
                  hint={person.crew && person.crew.id !== crew?.id ? `now on ${person.crew.name}` : undefined}
                  value={members.includes(person.id)}
                  onChange={() => set('memberUserIds', toggled(members, person.id))}
                />
              ))}
            </fieldset>
            {moved ? (
              <FormField control={form.control} name="membersFrom">
                {(f) => (
                  <DateField
                    label="The new list counts from"
                    optional
                    today={today}
                    min={today}
                    placeholder="Today"
                    hint="Days before keep who was on the crew then. For one day only, use a stand-in on the calendar."
                    {...f}
                  />
                )}
              </FormField>
            ) : null}
            {members.length > 0 ? (
              <FormField control={form.control} name="leaderUserId">
                {(f) => (
                  <SelectField
                    label="Led by"
                    options={[
                      { value: '', label: 'Nobody in particular' },
                      ...(people.data?.items ?? [])
                        .filter((p) => members.includes(p.id))
                        .map((p) => ({ value: p.id, label: p.name })),
                    ]}
                    {...f}
                  />
                )}
              </FormField>
            ) : null}
            <FormField control={form.control} name="depotStreet">
              {(f) => (
                <TextField label="Depot" optional placeholder="12 Yard Rd, Savannah, GA 31419" maxLength={200} {...f} />
              )}
            </FormField>
            <Depot
              value={form.watch('depot')}
              onChange={(place) => set('depot', place)}
              color={color}
              address={() => readAddress(form.getValues('depotStreet'), home)}
            />
            <FieldGrid min={150}>
              <FormField control={form.control} name="shiftStartMinute" needed="Type when the shift starts.">
                {(f) => <TimeField label="Shift starts" {...f} />}
              </FormField>
              <FormField control={form.control} name="shiftEndMinute" needed="Type when the shift ends.">
                {(f) => <TimeField label="Shift ends" {...f} />}
              </FormField>
              <FormField control={form.control} name="breakMinutes" needed="Type the minutes; 0 for none.">
                {(f) => <NumberField label="Unpaid break" unit="min" min={0} max={240} {...f} />}
              </FormField>
            </FieldGrid>
            <fieldset className="crew-days">
              <legend>Works on</legend>
              {weekdays.map((day) => (
                <label key={day.value}>
                  <input
                    type="checkbox"
                    checked={workDays.includes(day.value)}
                    onChange={() => set('workDays', toggled(workDays, day.value))}
                  />
                  <span>{day.label}</span>
                </label>
              ))}
            </fieldset>
            <WeekdayShifts />
            <VehicleFields people={members.length} />
            <FieldGrid min={220}>
              <FormField control={form.control} name="skills">
                {(f) => (
                  <TextField
                    label="Skills and equipment"
                    optional
                    hint="Separated by commas: applicator, aerator. Services say what they need."
                    {...f}
                  />
                )}
              </FormField>
              <FormField control={form.control} name="driveFactorPercent" needed="Type a percentage; 100 is usual.">
                {(f) => <NumberField label="Drive time" unit="%" min={50} max={300} hint="115 with a trailer" {...f} />}
              </FormField>
            </FieldGrid>
          </div>
          <FormActions>
            <Button type="submit" kind="primary" loading={add.isPending || change.isPending}>
              {crew ? 'Save changes' : `Add ${name.trim() || 'the crew'}`}
            </Button>
          </FormActions>
        </Form>
      </RecordPanel>
      {versioned.dialog}
      {crew ? (
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          title={`Put ${crew.name} away?`}
          confirmLabel={`Put ${crew.name} away`}
          danger
          onConfirm={async () => {
            await archive.mutateAsync()
            toast.success(`${crew.name} was archived`)
            onClose()
          }}
        >
          Its open visits from today wait in “Due, unassigned” for another crew; its people are on no crew. Past days
          stay as they were.
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** Makes or changes a crew. A new list of members counts from today; past days keep theirs. */
export const CrewPanel = ({ crew, ...rest }: Props) =>
  crew && !crew.can.update ? (
    <RecordPanel
      open
      width={560}
      onClose={rest.onClose}
      onPrevious={rest.onPrevious}
      onNext={rest.onNext}
      title={crew.name}
    >
      <div className="people-stack">
        <CrewFacts crew={crew} />
      </div>
    </RecordPanel>
  ) : (
    <Editor crew={crew} {...rest} />
  )
