import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '#src/shared/client.ts'
import { Button } from '../Button.tsx'
import { Card } from '../Card.tsx'
import { CheckboxField } from '../CheckboxField.tsx'
import { type Choice, ComboboxField } from '../ComboboxField.tsx'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { DateField } from '../DateField.tsx'
import { FieldGrid } from '../FieldGrid.tsx'
import { FileDrop } from '../FileDrop.tsx'
import { Form } from '../Form.tsx'
import { FormActions } from '../FormActions.tsx'
import { FormField } from '../FormField.tsx'
import { KeyValue } from '../KeyValue.tsx'
import { MoneyField } from '../MoneyField.tsx'
import { NumberField } from '../NumberField.tsx'
import { PhoneField } from '../PhoneField.tsx'
import { RadioField } from '../RadioField.tsx'
import { RecordPanel } from '../RecordPanel.tsx'
import { SelectField } from '../SelectField.tsx'
import { SwitchField } from '../SwitchField.tsx'
import { TextAreaField } from '../TextAreaField.tsx'
import { TextField } from '../TextField.tsx'
import { TimeField } from '../TimeField.tsx'
import { toast } from '../toast.tsx'

type Values = {
  name: string
  email: string
  phone: string | null
  priceCents: number | null
  minutes: number | null
  day: string | null
  begin: number | null
  every: 'week' | 'two'
  customer: Choice | null
  notes: string
  gate: boolean
  texts: boolean
  pay: 'card' | 'cash'
}
const people = ['Habersham Court HOA', 'R. Odom', 'Dana Whitfield', 'Wassaw Rd Apartments', 'T. Nguyễn'].map(
  (label, index) => ({ value: String(index), label, hint: `${index + 2} jobs` }),
)

export const FormsPage = () => {
  const form = useForm<Values>({
    defaultValues: {
      name: 'Weekly mow',
      email: '',
      phone: '+19125550123',
      priceCents: 5500,
      minutes: 28,
      day: '2026-06-12',
      begin: 435,
      every: 'week',
      customer: null,
      notes: '',
      gate: true,
      texts: true,
      pay: 'card',
    },
  })
  const { control } = form
  const [panel, setPanel] = useState(location.hash === '#panel')
  const [asking, setAsking] = useState(location.hash === '#ask')
  const save = async () => {
    throw new ApiError('validation_failed', 'Validation error', 422, {
      requestId: 'req_8f2',
      errors: [
        { path: 'email', message: 'This address has no @. Check it.' },
        { path: 'discount', message: 'The discount is more than the price.' },
      ],
    })
  }
  return (
    <main style={{ padding: 'min(28px, 4vw)', maxWidth: 900 }}>
      <Card
        title="New job"
        actions={
          <>
            <Button onClick={() => setPanel(true)}>Open panel</Button>
            <Button onClick={() => setAsking(true)}>Ask</Button>
            <Button onClick={() => toast.undo('Visit moved to Friday', () => toast.success('Back where it was'))}>
              Toast
            </Button>
          </>
        }
      >
        <Form form={form} onSubmit={save} label="New job">
          <FieldGrid>
            <FormField control={control} name="name">
              {(f) => <TextField label="Name" {...f} />}
            </FormField>
            <FormField control={control} name="customer">
              {(f) => (
                <ComboboxField
                  label="Customer"
                  placeholder="Name, address or phone"
                  search={(text) => people.filter((one) => one.label.toLowerCase().includes(text.toLowerCase()))}
                  onCreate={() => undefined}
                  {...f}
                />
              )}
            </FormField>
            <FormField control={control} name="email">
              {(f) => <TextField label="Email" type="email" optional hint="For invoices and reminders" {...f} />}
            </FormField>
            <FormField control={control} name="phone">
              {(f) => <PhoneField label="Phone" {...f} />}
            </FormField>
            <FormField control={control} name="priceCents">
              {(f) => <MoneyField label="Price" unit="/ visit" {...f} />}
            </FormField>
            <FormField control={control} name="minutes">
              {(f) => <NumberField label="Budget" unit="min" step={5} {...f} />}
            </FormField>
            <FormField control={control} name="day">
              {(f) => <DateField label="First visit" today="2026-06-10" {...f} />}
            </FormField>
            <FormField control={control} name="begin">
              {(f) => <TimeField label="Not before" {...f} />}
            </FormField>
            <FormField control={control} name="every">
              {(f) => (
                <SelectField
                  label="Repeats"
                  options={[
                    { value: 'week', label: 'Every week' },
                    { value: 'two', label: 'Every two weeks' },
                  ]}
                  {...f}
                />
              )}
            </FormField>
            <FormField control={control} name="pay">
              {(f) => (
                <RadioField
                  label="Pays by"
                  row
                  options={[
                    { value: 'card', label: 'Card on file' },
                    { value: 'cash', label: 'Cash or check' },
                  ]}
                  {...f}
                />
              )}
            </FormField>
            <FormField control={control} name="notes">
              {(f) => <TextAreaField label="Notes for the crew" className="is-whole" maxLength={500} {...f} />}
            </FormField>
            <FormField control={control} name="gate">
              {(f) => <CheckboxField label="Gate is locked" hint="Asks for the code at the stop" {...f} />}
            </FormField>
            <FormField control={control} name="texts">
              {(f) => <SwitchField label="Text when on the way" {...f} />}
            </FormField>
          </FieldGrid>
          <FileDrop
            label="Drop photos or choose them"
            hint="JPEG or PNG, up to 15 MB"
            accept="image/*"
            multiple
            onFiles={() => undefined}
          />
          <FormActions>
            <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
              Create job
            </Button>
            <Button>Cancel</Button>
          </FormActions>
        </Form>
      </Card>
      <RecordPanel
        open={panel}
        onClose={() => setPanel(false)}
        title="Habersham Court HOA"
        sub="INV-1042 · sent May 3"
        onNext={() => undefined}
        onPrevious={() => undefined}
        actions={
          <>
            <Button kind="primary">Record payment</Button>
            <Button>Remind</Button>
          </>
        }
      >
        <KeyValue
          items={[
            { label: 'Balance', value: '$840.00' },
            { label: 'Due', value: 'Fri, Jun 12' },
            { label: 'Property', value: '14 Habersham Court, Savannah GA 31405' },
            { label: 'Nothing', value: '' },
          ]}
        />
      </RecordPanel>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Send 38 invoices?"
        confirmLabel="Send 38 invoices"
        onConfirm={() => new Promise((resolve) => setTimeout(resolve, 800))}
      >
        38 customers get an email with a link to pay $3,184.50 in all. This cannot be undone.
      </ConfirmDialog>
    </main>
  )
}
