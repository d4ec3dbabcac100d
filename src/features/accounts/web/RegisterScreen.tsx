import { useEffect, useRef, useState } from 'react'
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { brand } from '../../../shared/brand.ts'
import { ApiError, call } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { accountsApi, type SessionUser } from '../contract.ts'
import { companySizes, customerCountOf, customerRanges, registrationMessage } from '../rules.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { NewPasswordFields, newPasswordErrors } from './Password.tsx'
import { type Chosen, chosenLabel, chosenOf, PayChosen } from './PayChosen.tsx'
import { startOf } from './return-to.ts'
import { useSession, useSessionState } from './session.ts'

type Values = {
  name: string
  businessName: string
  email: string
  password: string
  repeated: string
  customers: string
  companySize: (typeof companySizes)[number]['value'] | ''
}
/** What the public pages know of somebody already. */
type Arrival = { name?: string; email?: string; message?: string } | null
type Problem = { title: string; others: string[] }

const needed = (message: string) => ({ type: 'required', message })

const resolver: Resolver<Values> = (values) => {
  const errors: FieldErrors<Values> = {
    ...(values.name.trim() ? {} : { name: needed('Enter your name') }),
    ...(/^\S+@\S+\.\S+$/.test(values.email.trim()) ? {} : { email: needed('Please enter a valid email address') }),
    ...newPasswordErrors(values.password, values.repeated),
    ...(values.customers ? {} : { customers: needed('Choose how many customers you have') }),
    ...(values.companySize ? {} : { companySize: needed('Choose how big your team is') }),
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
}

const hasPlan = (user: SessionUser): boolean => user.subscriptionActive && user.subscriptionTier !== null

/** What comes after the account: the plan that was chosen on the price list, named with its price. */
const leadFor = (chosen: Chosen | null): string =>
  chosen
    ? `You chose ${chosenLabel(chosen)}. You pay after the account is made.`
    : '14 days free on Basic once you have chosen a plan.'

/** Opens an account; who has no plan yet goes on to choose one. */
export const RegisterScreen = () => {
  const session = useSession()
  const state = useSessionState()
  const navigate = useNavigate()
  const { state: carried, search } = useLocation()
  const arrival = carried as Arrival
  const [problem, setProblem] = useState<Problem | null>(null)
  const [made, setMade] = useState<SessionUser | null>(null)
  const chosen = chosenOf(search)
  const failed = useRef<HTMLDivElement>(null)
  const form = useForm<Values>({
    resolver,
    defaultValues: {
      name: arrival?.name ?? '',
      businessName: '',
      email: arrival?.email ?? '',
      password: '',
      repeated: '',
      customers: '',
      companySize: '',
    },
  })
  useEffect(() => {
    if (problem) failed.current?.focus()
  }, [problem])

  const submit = form.handleSubmit(async (values) => {
    setProblem(null)
    try {
      const answer = await call(
        accountsApi.register,
        {
          body: {
            name: values.name.trim(),
            email: values.email.trim(),
            password: values.password,
            customerCount: customerCountOf(values.customers),
            companySize: values.companySize || 'solo',
            timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            ...(values.businessName.trim() ? { businessName: values.businessName.trim() } : {}),
          },
        },
        { retries: 0 },
      )
      const user = session.adopt(answer)
      if (chosen && !hasPlan(user)) return setMade(user)
      const next = hasPlan(user) ? paths.dashboard : paths.pricing
      void navigate(next, { replace: true, state: { name: user.name, email: user.email } })
    } catch (error) {
      const errors = error instanceof ApiError ? error.errors : []
      const known = errors.filter((item) => item.path in values)
      for (const item of known) form.setError(item.path as keyof Values, { type: 'server', message: item.message })
      setProblem({
        title: registrationMessage(error),
        others: errors.filter((item) => !known.includes(item)).map((item) => item.message),
      })
    }
  })

  if (state.phase === 'signedIn' && !form.formState.isSubmitting && !form.formState.isSubmitted)
    return <Navigate replace to={startOf(state.user.role)} />
  if (made && chosen) return <PayChosen chosen={chosen} user={made} />
  return (
    <AccountFrame title="Create your account" lead={leadFor(chosen)}>
      {arrival?.message && !problem ? <Banner title={arrival.message} /> : null}
      {problem ? (
        <Banner tone="error" title={problem.title} ref={failed}>
          {problem.others.length > 0 ? problem.others.join(' ') : null}
        </Banner>
      ) : null}
      <form noValidate onSubmit={(event) => void submit(event)} aria-label="Create your account">
        <FormField control={form.control} name="name">
          {(field) => (
            <TextField label="Your name" autoComplete="name" maxLength={120} autoFocus={!arrival?.name} {...field} />
          )}
        </FormField>
        <FormField control={form.control} name="businessName">
          {(field) => (
            <TextField
              label="Business name"
              optional
              autoComplete="organization"
              maxLength={120}
              hint="Stands on your invoices. You can change it later."
              {...field}
            />
          )}
        </FormField>
        <FormField control={form.control} name="email">
          {(field) => <TextField label="Email" type="email" autoComplete="username" inputMode="email" {...field} />}
        </FormField>
        <NewPasswordFields control={form.control} />
        <div className="signin__pair">
          <FormField control={form.control} name="customers">
            {(field) => <SelectField label="Customers" placeholder="Choose" options={customerRanges} {...field} />}
          </FormField>
          <FormField control={form.control} name="companySize">
            {(field) => <SelectField label="Company size" placeholder="Choose" options={companySizes} {...field} />}
          </FormField>
        </div>
        <Button type="submit" kind="primary" size="l" wide loading={form.formState.isSubmitting}>
          Create account
        </Button>
      </form>
      <p className="signin__new">
        Already with {brand.name}? <LinkTo href={paths.signin}>Sign in</LinkTo>
      </p>
      <p className="hint">
        By creating an account you agree to the <LinkTo href={paths.terms}>terms</LinkTo> and the{' '}
        <LinkTo href={paths.privacy}>privacy policy</LinkTo>.
      </p>
    </AccountFrame>
  )
}
