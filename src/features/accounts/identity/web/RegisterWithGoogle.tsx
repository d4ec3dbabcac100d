import { useForm } from 'react-hook-form'
import { Button } from '../../../../ui/Button.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import type { SessionUser } from '../../contract.ts'
import { companySizes, customerCountOf, customerRanges } from '../../rules.ts'
import { needs } from '../../web/needs.ts'
import { useSession } from '../../web/session.ts'
import { registerWithGoogle } from './data.ts'

type Values = { name: string; businessName: string; customers: string; companySize: string }

/** The few questions about a new business; who they are, Google has said. */
export const RegisterWithGoogle = ({
  code,
  name,
  onDone,
}: {
  code: string
  name: string
  onDone: (user: SessionUser, next: string | null) => void
}) => {
  const session = useSession()
  const form = useForm<Values>({
    defaultValues: { name, businessName: '', customers: '', companySize: '' },
    resolver: needs<Values>({
      name: 'Enter your name',
      businessName: 'Enter the name of your business',
      customers: 'Choose how many customers you have',
      companySize: 'Choose how big your team is',
    }),
  })
  const submit = async (values: Values) => {
    const opened = await registerWithGoogle({
      code,
      name: values.name.trim(),
      businessName: values.businessName.trim(),
      customerCount: customerCountOf(values.customers),
      companySize: values.companySize as (typeof companySizes)[number]['value'],
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
    onDone(session.adopt(opened), opened.next)
  }
  return (
    <Form form={form} onSubmit={submit} label="Create your account">
      <FormField control={form.control} name="name">
        {(field) => <TextField label="Your name" autoComplete="name" maxLength={120} {...field} />}
      </FormField>
      <FormField control={form.control} name="businessName">
        {(field) => (
          <TextField label="Business name" autoComplete="organization" maxLength={120} autoFocus {...field} />
        )}
      </FormField>
      <FormField control={form.control} name="customers">
        {(field) => (
          <SelectField
            label="How many customers do you have?"
            placeholder="Choose"
            options={customerRanges}
            {...field}
          />
        )}
      </FormField>
      <FormField control={form.control} name="companySize">
        {(field) => (
          <SelectField label="How big is your team?" placeholder="Choose" options={companySizes} {...field} />
        )}
      </FormField>
      <Button type="submit" kind="primary" size="l" wide loading={form.formState.isSubmitting}>
        Create account
      </Button>
    </Form>
  )
}
