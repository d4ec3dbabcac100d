import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { paths } from '../../../../shared/paths.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { RelativeTime } from '../../../../ui/RelativeTime.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { GoogleRow } from '../../identity/web/GoogleRow.tsx'
import { TwoFactorRow } from '../../twofactor/web/TwoFactorRow.tsx'
import { NewPasswordFields, newPasswordErrors } from '../../web/Password.tsx'
import { useSession, useUser } from '../../web/session.ts'
import type { Device } from '../contract.ts'
import { devicesQuery, meQuery, signOutEverywhere, useChangePassword, useEndDevice, useSignOutOthers } from './data.ts'
import './me.css'

type Passwords = { currentPassword: string; password: string; repeated: string }

const resolver: Resolver<Passwords> = (values) => {
  const errors = {
    ...(values.currentPassword ? {} : { currentPassword: { type: 'required', message: 'Enter your password' } }),
    ...newPasswordErrors(values.password, values.repeated),
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
}

const ChangePassword = ({ onDone }: { onDone: () => void }) => {
  const change = useChangePassword()
  const form = useForm<Passwords>({ resolver, defaultValues: { currentPassword: '', password: '', repeated: '' } })
  return (
    <Form
      form={form}
      label="Change password"
      onSubmit={async ({ currentPassword, password }) => {
        await change.mutateAsync({ currentPassword, password })
        toast.success('Password changed; all other devices are signed out')
        onDone()
      }}
    >
      <FormField control={form.control} name="currentPassword">
        {(field) => (
          <TextField label="Present password" type="password" autoComplete="current-password" autoFocus {...field} />
        )}
      </FormField>
      <NewPasswordFields control={form.control} label="New password" />
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Change password
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

const DeviceRow = ({ device, timeZone }: { device: Device; timeZone: string }) => {
  const end = useEndDevice()
  return (
    <li className="own-row">
      <div>
        <b>
          {device.name} {device.current ? <Badge tone="done">This device</Badge> : null}
        </b>
        <span className="hint">
          {device.app === 'employee' ? 'Crew app' : 'Office'} · used{' '}
          <RelativeTime at={device.lastUsedAt} timeZone={timeZone} /> · from {device.ip || 'an unknown address'}
        </span>
      </div>
      {device.current ? null : (
        <Button
          size="s"
          aria-label={`Sign out ${device.name}`}
          loading={end.isPending}
          onClick={() => end.mutate(device.id, { onError: (error) => toast.error(error) })}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}

/** How a person signs in and where they are signed in. */
export const SecuritySection = () => {
  const user = useUser()
  const session = useSession()
  const me = useQuery(meQuery).data
  const devices = useQuery(devicesQuery)
  const others = useSignOutOthers()
  const [changing, setChanging] = useState(false)
  const [leaving, setLeaving] = useState(false)
  return (
    <Card id="security" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Sign-in &amp; security</h2>
        <p className="muted">Your password and the devices you are signed in on</p>
      </div>
      <div className="own-row">
        <div>
          <b>Password</b>
          <span className="hint">
            {me && !me.hasPassword ? (
              <>
                You have none yet. <LinkTo href={paths.forgotPassword}>Ask for a link</LinkTo> that sets one.
              </>
            ) : (
              'Changing it signs all your other devices out.'
            )}
          </span>
        </div>
        {me?.hasPassword ? (
          <Button size="s" onClick={() => setChanging(true)}>
            Change password
          </Button>
        ) : null}
      </div>
      <GoogleRow />
      <TwoFactorRow />
      <div className="own-devices">
        <h3>Devices</h3>
        {devices.data ? (
          <ul>
            {devices.data.items.map((device) => (
              <DeviceRow key={device.id} device={device} timeZone={user.business.timeZone} />
            ))}
          </ul>
        ) : devices.isError ? (
          <ErrorState
            compact
            error={devices.error}
            title="We could not load your devices"
            onRetry={() => void devices.refetch()}
            retrying={devices.isFetching}
          />
        ) : (
          <Skeleton height={64} />
        )}
      </div>
      <div className="own-row__actions">
        {(devices.data?.items.length ?? 0) > 1 ? (
          <Button
            loading={others.isPending}
            onClick={() =>
              others.mutate(undefined, {
                onSuccess: ({ ended }) =>
                  toast.success(ended === 1 ? 'One device signed out' : `${ended} devices signed out`),
                onError: (error) => toast.error(error),
              })
            }
          >
            Sign out all others
          </Button>
        ) : null}
        <Button onClick={() => setLeaving(true)}>Sign out everywhere</Button>
      </div>
      <Dialog open={changing} onClose={() => setChanging(false)} title="Change password" size="s">
        {changing ? <ChangePassword onDone={() => setChanging(false)} /> : null}
      </Dialog>
      <ConfirmDialog
        open={leaving}
        onClose={() => setLeaving(false)}
        title="Sign out everywhere?"
        confirmLabel="Sign out everywhere"
        onConfirm={async () => {
          await signOutEverywhere()
          await session.signOut()
        }}
      >
        Every device of yours is signed out at once, this one too. A crew phone sends what it has not sent yet after the
        next sign-in.
      </ConfirmDialog>
    </Card>
  )
}
