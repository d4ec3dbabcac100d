import { useEffect, useRef, useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { ApiError } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { portalApi } from '../../accounts/portal/contract.ts'
import { type AccountForm, checkAccount } from '../../accounts/portal/rules.ts'
import { companySizes, customerCountOf, customerRanges, registrationMessage } from '../../accounts/rules.ts'
import { useOwner } from '../../owner/web/session.ts'
import type { Registered } from './registered.ts'

const empty = { name: '', email: '', password: '', confirmPassword: '', customers: '', companySize: '' }

const checked: Resolver<AccountForm> = (values) => {
  const problems = Object.entries(checkAccount(values))
  return problems.length > 0
    ? {
        values: {},
        errors: Object.fromEntries(problems.map(([field, message]) => [field, { type: 'check', message }])),
      }
    : { values, errors: {} }
}

/** Opens an account for somebody; this browser stays as it is. */
export const CreateAccount = ({
  registered,
  onRegistered,
}: {
  registered: Registered | null
  onRegistered: (registered: Registered) => void
}) => {
  const { ask } = useOwner()
  const form = useForm<AccountForm>({ resolver: checked, defaultValues: empty })
  const [problem, setProblem] = useState<{ title: string; others: string[] } | null>(null)
  const failed = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem) failed.current?.focus()
  }, [problem])
  return (
    <Card title="Create account" as="section">
      {problem ? (
        <Banner tone="error" title={problem.title} ref={failed}>
          {problem.others.length > 0 ? problem.others.join(' ') : null}
        </Banner>
      ) : registered ? (
        <Banner tone="done" title={`Account created for ${registered.name}`}>
          {registered.email} can sign in now. Choose a plan to make their checkout link.
        </Banner>
      ) : null}
      <Form
        form={form}
        label="Create account"
        onSubmit={async ({ customers, confirmPassword: _, ...values }) => {
          setProblem(null)
          try {
            const made = await ask(portalApi.createAccount, {
              body: { ...values, customerCount: customerCountOf(customers), companySize: values.companySize as 'solo' },
            })
            onRegistered(made)
            form.reset(empty)
          } catch (error) {
            const errors = error instanceof ApiError ? error.errors : []
            const known = errors.filter(({ path }) => path in empty)
            for (const { path, message } of known) form.setError(path as keyof AccountForm, { type: 'server', message })
            setProblem({
              title: registrationMessage(error),
              others: errors.filter((one) => !known.includes(one)).map(({ message }) => message),
            })
          }
        }}
      >
        <FieldGrid min={240}>
          <FormField control={form.control} name="name">
            {(field) => <TextField label="Name" maxLength={120} autoComplete="off" {...field} />}
          </FormField>
          <FormField control={form.control} name="email">
            {(field) => <TextField label="Email" type="email" maxLength={254} autoComplete="off" {...field} />}
          </FormField>
          <FormField control={form.control} name="password">
            {(field) => (
              <TextField
                label="Password"
                type="password"
                hint="At least 6 characters"
                autoComplete="new-password"
                {...field}
              />
            )}
          </FormField>
          <FormField control={form.control} name="confirmPassword">
            {(field) => <TextField label="Confirm password" type="password" autoComplete="new-password" {...field} />}
          </FormField>
          <FormField control={form.control} name="customers">
            {(field) => (
              <SelectField
                label="Number of customers"
                placeholder="Choose a range"
                options={customerRanges}
                {...field}
              />
            )}
          </FormField>
          <FormField control={form.control} name="companySize">
            {(field) => (
              <SelectField label="Company size" placeholder="Choose a size" options={companySizes} {...field} />
            )}
          </FormField>
        </FieldGrid>
        <FormActions>
          <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
            Create account
          </Button>
        </FormActions>
      </Form>
    </Card>
  )
}
