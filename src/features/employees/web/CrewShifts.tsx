import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { TimeField } from '../../../ui/TimeField.tsx'
import type { Values } from './crewValues.tsx'
import { weekdays } from './labels.ts'

/** Weekdays with a shift of their own: a short Friday, a late Monday. */
export const WeekdayShifts = () => {
  const { control, watch } = useFormContext<Values>()
  const { fields, append, remove } = useFieldArray({ control, name: 'weekdayShifts' })
  const [taken, workDays, startMinute, endMinute, breakMinutes] = watch([
    'weekdayShifts',
    'workDays',
    'shiftStartMinute',
    'shiftEndMinute',
    'breakMinutes',
  ])
  const free = weekdays.find(
    ({ value }) => workDays.includes(value) && !taken.some((one) => one.weekday === `${value}`),
  )
  return (
    <div className="crew-shifts">
      {fields.map((field, at) => {
        const name = weekdays.find(({ value }) => `${value}` === taken[at]?.weekday)?.label ?? 'the weekday'
        return (
          <fieldset key={field.id} className="crew-shift">
            <legend className="ui-hidden">Another shift on {name}</legend>
            <FieldGrid min={120}>
              <FormField control={control} name={`weekdayShifts.${at}.weekday`}>
                {(f) => (
                  <SelectField
                    label="On"
                    options={weekdays
                      .filter(({ value }) => `${value}` === f.value || !taken.some((one) => one.weekday === `${value}`))
                      .map(({ value, label }) => ({ value: `${value}`, label }))}
                    {...f}
                  />
                )}
              </FormField>
              <FormField control={control} name={`weekdayShifts.${at}.startMinute`} needed="Type when it starts.">
                {(f) => <TimeField label="Starts" {...f} />}
              </FormField>
              <FormField control={control} name={`weekdayShifts.${at}.endMinute`} needed="Type when it ends.">
                {(f) => <TimeField label="Ends" {...f} />}
              </FormField>
              <FormField control={control} name={`weekdayShifts.${at}.breakMinutes`} needed="Type the minutes.">
                {(f) => <NumberField label="Break" unit="min" min={0} max={240} {...f} />}
              </FormField>
            </FieldGrid>
            <Button size="s" kind="quiet" aria-label={`As usual on ${name}`} onClick={() => remove(at)}>
              As usual
            </Button>
          </fieldset>
        )
      })}
      {free ? (
        <Button size="s" onClick={() => append({ weekday: `${free.value}`, startMinute, endMinute, breakMinutes })}>
          Another shift on a weekday
        </Button>
      ) : null}
    </div>
  )
}

/** The truck: what it is called, its plate, and how many it seats. */
export const VehicleFields = ({ people }: { people: number }) => {
  const { control, watch } = useFormContext<Values>()
  const seats = watch('vehicleSeats')
  return (
    <FieldGrid min={150}>
      <FormField control={control} name="vehicleName">
        {(f) => <TextField label="Truck" optional maxLength={60} placeholder="Isuzu NPR" {...f} />}
      </FormField>
      <FormField control={control} name="vehiclePlate">
        {(f) => <TextField label="Plate" optional maxLength={20} {...f} />}
      </FormField>
      <FormField control={control} name="vehicleSeats">
        {(f) => (
          <NumberField
            label="Seats"
            optional
            min={1}
            max={20}
            {...(seats !== null && people > seats
              ? { hint: `${people === 1 ? '1 person is' : `${people} people are`} on the crew: not all fit in.` }
              : {})}
            {...f}
          />
        )}
      </FormField>
    </FieldGrid>
  )
}
