import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useUser } from '../../web/session.ts'
import type { TwoFactorState } from '../contract.ts'
import { twoFactorQuery, useDisable, useRenew, useRequire } from './data.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { SetUp } from './SetUp.tsx'

type Open = 'setUp' | 'off' | 'renew' | null

const codeField = (props: object) => (
  <TextField
    label="Code of your app"
    autoComplete="one-time-code"
    maxLength={20}
    value=""
    onChange={() => undefined}
    {...props}
  />
)

const SwitchOff = ({ state, onDone }: { state: TwoFactorState; onDone: () => void }) => {
  const disable = useDisable()
  const form = useForm({ defaultValues: { password: '', code: '' } })
  return (
    <Form
      form={form}
      label="Switch the second step off"
      onSubmit={async (values) => {
        await disable.mutateAsync(values)
        toast.success('The second step is off')
        onDone()
      }}
    >
      {state.hasPassword ? (
        <FormField control={form.control} name="password">
          {(field) => <TextField label="Your password" type="password" autoComplete="current-password" {...field} />}
        </FormField>
      ) : null}
      <FormField control={form.control} name="code">
        {codeField}
      </FormField>
      <FormActions>
        <Button type="submit" kind="danger" loading={form.formState.isSubmitting}>
          Switch it off
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

const Renew = ({ onDone }: { onDone: () => void }) => {
  const renew = useRenew()
  const form = useForm({ defaultValues: { code: '' } })
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <Form
      form={form}
      label="New recovery codes"
      onSubmit={async ({ code }) => setCodes((await renew.mutateAsync(code)).recoveryCodes)}
    >
      <p className="muted">Ten new codes; the old ones stop working.</p>
      <FormField control={form.control} name="code">
        {codeField}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Make new codes
        </Button>
      </FormActions>
    </Form>
  )
}

const Words = ({ state }: { state: TwoFactorState }) =>
  state.enabled ? (
    <>
      <Badge tone="done">On</Badge> {state.recoveryCodesLeft} of 10 recovery codes left
    </>
  ) : (
    <>A code of your phone besides the password.</>
  )

/** The second step in the list of how a person signs in. */
export const TwoFactorRow = () => {
  const user = useUser()
  const { data: state } = useQuery({ ...twoFactorQuery, enabled: user.role !== 'Employee' })
  const ask = useRequire()
  const [open, setOpen] = useState<Open>(null)
  if (!state) return null
  const close = () => setOpen(null)
  return (
    <>
      <div className="own-row">
        <div>
          <b>Second step</b>
          <span className="hint">
            <Words state={state} />
          </span>
        </div>
        {state.enabled ? (
          <span className="own-row__actions">
            <Button size="s" onClick={() => setOpen('renew')}>
              New recovery codes
            </Button>
            {state.required && user.role !== 'Owner' ? null : (
              <Button size="s" onClick={() => setOpen('off')}>
                Switch off
              </Button>
            )}
          </span>
        ) : (
          <Button size="s" onClick={() => setOpen('setUp')}>
            Set up
          </Button>
        )}
      </div>
      {user.role === 'Owner' && state.enabled ? (
        <div className="own-row">
          <SwitchField
            label="Ask everybody in the office for a second step"
            hint="Who has none sets it up before anything else, at the next click."
            value={state.required}
            disabled={ask.isPending}
            onChange={(required) => ask.mutate(required, { onError: (error) => toast.error(error) })}
          />
        </div>
      ) : null}
      <Dialog open={open === 'setUp'} onClose={close} title="Set up the second step" size="m">
        {open === 'setUp' ? <SetUp hasPassword={state.hasPassword} onDone={close} /> : null}
      </Dialog>
      <Dialog open={open === 'off'} onClose={close} title="Switch the second step off?" size="s">
        {open === 'off' ? <SwitchOff state={state} onDone={close} /> : null}
      </Dialog>
      <Dialog open={open === 'renew'} onClose={close} title="New recovery codes" size="m">
        {open === 'renew' ? <Renew onDone={close} /> : null}
      </Dialog>
    </>
  )
}
