import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { SetUp } from '../../accounts/twofactor/web/SetUp.tsx'
import { NewRecoveryCodes, SwitchOff } from '../../accounts/twofactor/web/WithCode.tsx'
import { twoFactorQuery, useTwoFactor } from './data.ts'
import './owner.css'
import { useOwner } from './session.ts'

const titles = {
  setUp: 'Set up the second step',
  renew: 'New recovery codes',
  off: 'Switch the second step off?',
} as const

/** How the product owner signs in: by name and password, and with a code of the phone where the second step is on. */
export const OwnerSecondStep = () => {
  const { ask } = useOwner()
  const found = useQuery(twoFactorQuery(ask))
  const verbs = useTwoFactor()
  const [open, setOpen] = useState<keyof typeof titles | null>(null)
  if (found.isError && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data) return <PanelSkeleton />
  const { enabled, recoveryCodesLeft } = found.data
  const close = () => setOpen(null)
  return (
    <div className="owner-step">
      <p className="owner-step__state">
        <b>Second step</b> <Badge tone={enabled ? 'done' : 'neutral'}>{enabled ? 'On' : 'Off'}</Badge>
      </p>
      <p className="muted">
        {enabled
          ? `The leads dashboard and the registration portal ask for a code of your phone. ${recoveryCodesLeft} of 10 recovery codes left.`
          : 'The password alone opens the leads dashboard and the registration portal. With the second step they ask for a code of your phone as well.'}
      </p>
      <div className="owner-step__acts">
        {enabled ? (
          <>
            <Button onClick={() => setOpen('renew')}>New recovery codes</Button>
            <Button onClick={() => setOpen('off')}>Switch off</Button>
          </>
        ) : (
          <Button onClick={() => setOpen('setUp')}>Switch on</Button>
        )}
      </div>
      <Dialog open={open !== null} onClose={close} title={open ? titles[open] : ''} size="m" closeOnOutside={false}>
        {open === 'setUp' ? (
          <SetUp hasPassword begin={verbs.begin} confirm={verbs.confirm} onDone={close} />
        ) : open === 'renew' ? (
          <NewRecoveryCodes renew={verbs.renew} onDone={close} />
        ) : open === 'off' ? (
          <SwitchOff hasPassword={false} disable={verbs.disable} onDone={close} />
        ) : null}
      </Dialog>
    </div>
  )
}
