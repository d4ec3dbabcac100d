import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useUser } from '../../web/session.ts'
import type { TwoFactorState } from '../contract.ts'
import { beginTwoFactor, twoFactorQuery, useConfirm, useDisable, useRenew, useRequire } from './data.ts'
import { SetUp } from './SetUp.tsx'
import { NewRecoveryCodes, SwitchOff } from './WithCode.tsx'

type Open = 'setUp' | 'off' | 'renew' | null

const StateLabel = ({ state }: { state: TwoFactorState }) =>
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
  const confirm = useConfirm()
  const disable = useDisable()
  const renew = useRenew()
  const [open, setOpen] = useState<Open>(null)
  if (!state) return null
  const close = () => setOpen(null)
  return (
    <>
      <div className="own-row">
        <div>
          <b>Second step</b>
          <span className="hint">
            <StateLabel state={state} />
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
        {open === 'setUp' ? (
          <SetUp hasPassword={state.hasPassword} begin={beginTwoFactor} confirm={confirm.mutateAsync} onDone={close} />
        ) : null}
      </Dialog>
      <Dialog open={open === 'off'} onClose={close} title="Switch the second step off?" size="s">
        {open === 'off' ? (
          <SwitchOff hasPassword={state.hasPassword} disable={disable.mutateAsync} onDone={close} />
        ) : null}
      </Dialog>
      <Dialog open={open === 'renew'} onClose={close} title="New recovery codes" size="m">
        {open === 'renew' ? <NewRecoveryCodes renew={renew.mutateAsync} onDone={close} /> : null}
      </Dialog>
    </>
  )
}
