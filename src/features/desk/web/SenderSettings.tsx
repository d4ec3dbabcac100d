import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { DeskSettings } from '../contract.ts'
import { useSettingsForm } from './useSettingsForm.ts'

type Values = { fromName: string; postalAddress: string; monthlyAdmissions: number | null }

/** Who writes, from where, and how many businesses are admitted a month. */
export const SenderSettings = ({ settings }: { settings: DeskSettings }) => {
  const { form, submit, dialog } = useSettingsForm({
    settings,
    valuesOf: ({ fromName, postalAddress, monthlyAdmissions }): Values => ({
      fromName,
      postalAddress,
      monthlyAdmissions,
    }),
    bodyOf: ({ monthlyAdmissions, ...rest }: Values) => ({ ...rest, monthlyAdmissions: monthlyAdmissions ?? 0 }),
    words: {
      fromName: 'Sender name',
      postalAddress: 'Postal address',
      monthlyAdmissions: 'Businesses admitted a month',
    },
  })
  return (
    <Form form={form} label="Sender and admissions" onSubmit={submit}>
      <FormField control={form.control} name="fromName">
        {(field) => <TextField label="Sender name" maxLength={80} {...field} />}
      </FormField>
      <FormField control={form.control} name="postalAddress">
        {(field) => (
          <TextAreaField
            label="Postal address"
            hint="Stands under every mail to a lead. The law wants it: without one, offers are not sent."
            rows={3}
            maxLength={300}
            {...field}
          />
        )}
      </FormField>
      <FormField control={form.control} name="monthlyAdmissions" needed="Type how many a month; 0 admits nobody.">
        {(field) => (
          <NumberField
            label="Businesses admitted a month"
            hint="The home page and the application say how many are left."
            min={0}
            max={1000}
            {...field}
          />
        )}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Save
        </Button>
      </FormActions>
      {dialog}
    </Form>
  )
}
