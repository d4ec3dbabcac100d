import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate, useParams } from 'react-router'
import { ApiError } from '../../../shared/client.ts'
import { isPersonName } from '../../../shared/names.ts'
import { paths } from '../../../shared/paths.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { inShell } from '../../../shared/shell.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { InviteView } from '../../accounts/team/contract.ts'
import { pinProblem } from '../../accounts/team/rules.ts'
import { acceptInvite, inviteQuery, rememberPin } from '../../accounts/team/web/data.ts'
import { AccountFrame } from '../../accounts/web/AccountFrame.tsx'
import { GoogleButton } from '../../accounts/web/GoogleButton.tsx'
import { useSession } from '../../accounts/web/session.ts'
import { inviteLabel } from './invite-labels.ts'

type Values = { name: string; password: string; pin: string; again: string }

const startOf = (role: string): string => (role === 'Employee' ? paths.employeeDashboard : paths.dashboard)

const Take = ({ invite, token }: { invite: InviteView; token: string }) => {
  const w = inviteLabel[invite.language]
  const session = useSession()
  const navigate = useNavigate()
  const byPin = invite.method === 'pin'
  const form = useForm<Values>({
    defaultValues: { name: invite.name ?? '', password: '', pin: '', again: '' },
    resolver: (values) => {
      const name = values.name.trim()
      const problem = name === '' ? { name: w.nameNeeded } : isPersonName(name) ? {} : { name: w.nameLetters }
      const weak = byPin
        ? pinProblem(values.pin)
          ? { pin: /^\d{6}$/.test(values.pin) ? w.pinEasy : w.pinSix }
          : {}
        : values.password.length < 8
          ? { password: w.passwordShort }
          : {}
      const differs =
        (byPin ? values.pin : values.password) === values.again
          ? {}
          : { again: byPin ? w.pinsDiffer : w.passwordsDiffer }
      const found = Object.entries({ ...problem, ...weak, ...(Object.keys(weak).length ? {} : differs) })
      if (found.length === 0) return { values, errors: {} }
      return {
        values: {},
        errors: Object.fromEntries(found.map(([name, message]) => [name, { type: 'check', message }])),
      }
    },
  })
  const submit = async ({ name, password, pin }: Values) => {
    const user = session.adopt(await acceptInvite(token, { name: name.trim(), ...(byPin ? { pin } : { password }) }))
    rememberPin(byPin)
    void navigate(startOf(user.role), { replace: true })
  }
  return (
    <>
      <p className="signin__lead">
        {byPin ? w.leadPin(invite.phone ? formatPhone(invite.phone) : '') : w.lead(invite.email ?? '')}
      </p>
      <Form form={form} onSubmit={submit} label={w.title(invite.businessName)}>
        <FormField control={form.control} name="name">
          {(field) => <TextField label={w.name} autoComplete="name" maxLength={120} {...field} />}
        </FormField>
        {byPin ? (
          <FormField control={form.control} name="pin">
            {(field) => (
              <TextField
                label={w.pin}
                type="password"
                showWord={w.showPin}
                inputMode="numeric"
                autoComplete="new-password"
                hint={w.pinHint}
                maxLength={6}
                {...field}
              />
            )}
          </FormField>
        ) : (
          <FormField control={form.control} name="password">
            {(field) => (
              <TextField
                label={w.password}
                type="password"
                showWord={w.show}
                autoComplete="new-password"
                hint={w.passwordHint}
                maxLength={128}
                {...field}
              />
            )}
          </FormField>
        )}
        <FormField control={form.control} name="again">
          {(field) => (
            <TextField
              label={byPin ? w.pinAgain : w.passwordAgain}
              type="password"
              showWord={byPin ? w.showPin : w.show}
              autoComplete="new-password"
              {...(byPin ? { inputMode: 'numeric' as const, maxLength: 6 } : { maxLength: 128 })}
              {...field}
            />
          )}
        </FormField>
        <Button type="submit" kind="primary" size="l" wide loading={form.formState.isSubmitting}>
          {w.submit}
        </Button>
      </Form>
      {byPin || inShell() ? null : (
        <>
          <p className="signin__or">
            <span>{w.or}</span>
          </p>
          <GoogleButton invite={token} />
        </>
      )}
    </>
  )
}

const Over = ({ invite }: { invite: InviteView }) => {
  const w = inviteLabel[invite.language]
  const message = invite.state === 'used' ? w.used : invite.state === 'revoked' ? w.revoked : w.expired
  return (
    <>
      <Banner tone={invite.state === 'used' ? 'info' : 'warn'} title={message.title}>
        {message.text(invite.businessName)}
      </Banner>
      <Button kind={invite.state === 'used' ? 'primary' : 'secondary'} size="l" wide href={paths.signin}>
        {w.toSignIn}
      </Button>
    </>
  )
}

/** Where a new person of the team takes their invitation: who invites, a name, a password or a PIN, and in. */
export const EmployeeInviteScreen = () => {
  const { token = '' } = useParams()
  const [known] = useState(token)
  const found = useQuery(inviteQuery(known))
  const invite = found.data
  if (invite)
    return (
      <AccountFrame
        home={inviteLabel[invite.language].home}
        title={invite.state === 'open' ? inviteLabel[invite.language].title(invite.businessName) : invite.businessName}
      >
        {invite.state === 'open' ? <Take invite={invite} token={known} /> : <Over invite={invite} />}
      </AccountFrame>
    )
  const isUnknown = found.error instanceof ApiError && [404, 422].includes(found.error.status)
  return (
    <AccountFrame title={isUnknown ? 'This invitation does not work' : 'Your invitation'}>
      {isUnknown ? (
        <>
          <Banner tone="warn" title="We do not know this link.">
            It may be cut off: open it again from the message you got. If it still does not work, ask your office for a
            new one.
          </Banner>
          <Button size="l" wide href={paths.signin}>
            To the sign-in
          </Button>
        </>
      ) : found.isError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </AccountFrame>
  )
}
