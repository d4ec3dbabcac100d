import { useForm } from 'react-hook-form'
import type { Day } from '../../../../shared/dates.ts'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import type { PayPerson } from '../contract.ts'
import { usePayroll } from './data.ts'

type Props = { person: PayPerson; period: { from: Day; to: Day }; today: Day; onClose: () => void }

const PayNumber = ({ person, onClose }: Pick<Props, 'person' | 'onClose'>) => {
  const { setNumber } = usePayroll()
  const form = useForm({ defaultValues: { number: person.number } })
  return (
    <Form
      form={form}
      label="Payroll number"
      onSubmit={async ({ number }) => {
        await setNumber.mutateAsync({ id: person.userId, number })
        toast.success(`The number of ${person.name} is saved`)
        onClose()
      }}
    >
      <FormField control={form.control} name="number">
        {(f) => (
          <TextField
            label="Number at the payroll"
            maxLength={20}
            optional
            hint="ADP: File #. Paychex: Worker ID."
            {...f}
          />
        )}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={setNumber.isPending}>
          Save the number
        </Button>
      </FormActions>
    </Form>
  )
}

const Miles = ({ person, period, today, onClose }: Props) => {
  const { setMiles } = usePayroll()
  const form = useForm<{ day: Day | null; miles: number | null; note: string }>({
    defaultValues: { day: period.from, miles: null, note: '' },
  })
  const { control } = form
  return (
    <Form
      form={form}
      label="Own car"
      onSubmit={async ({ day, miles, note }) => {
        await setMiles.mutateAsync({
          id: person.userId,
          day: day ?? '',
          tenthMiles: Math.round((miles ?? 0) * 10),
          note,
        })
        toast.success(`The miles of ${person.name} are saved`)
        onClose()
      }}
    >
      <FieldGrid min={130}>
        <FormField control={control} name="day" needed="On which day?">
          {(f) => <DateField label="Own car, day" today={today} min={period.from} max={period.to} {...f} />}
        </FormField>
        <FormField control={control} name="miles" needed="Type the miles; 0 takes them off.">
          {(f) => <NumberField label="Miles" unit="mi" min={0} max={1000} step={0.1} {...f} />}
        </FormField>
      </FieldGrid>
      <FormField control={control} name="note">
        {(f) => <TextField label="What for" optional maxLength={200} {...f} />}
      </FormField>
      <FormActions>
        <Button type="submit" loading={setMiles.isPending}>
          Save the miles
        </Button>
      </FormActions>
    </Form>
  )
}

/** What the payroll knows of a person besides the hours: the number there, and miles in an own car. */
export const PersonPay = ({ person, ...rest }: Omit<Props, 'person'> & { person: PayPerson | null }) => (
  <Dialog open={person !== null} onClose={rest.onClose} title={person?.name ?? ''} size="s">
    {person ? (
      <div className="pay-person">
        <PayNumber person={person} onClose={rest.onClose} />
        <Miles person={person} {...rest} />
      </div>
    ) : null}
  </Dialog>
)
