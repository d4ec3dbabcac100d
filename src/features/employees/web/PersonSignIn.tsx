import { useState } from 'react'
import { formatPhone } from '../../../shared/phone.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { InviteChannel } from '../../accounts/team/contract.ts'
import { useCancelInvite, useInvite, useResetPin } from '../../accounts/team/web/data.ts'
import { useUser } from '../../accounts/web/session.ts'
import type { Employee } from '../contract.ts'

const signInLabels = { password: 'by e-mail and password', google: 'with Google', pin: 'with phone and PIN' } as const

const Standing = ({ person, timeZone }: { person: Employee; timeZone: string }) => {
  const { method, invite, deviceCount, twoFactor } = person.signIn
  if (method)
    return (
      <p>
        Signs in {signInLabels[method]}
        {method === 'pin' ? ` on ${deviceCount} ${deviceCount === 1 ? 'phone' : 'phones'}` : ''}
        {twoFactor ? ', with a second step' : ''}.
      </p>
    )
  if (!invite) return <p className="muted">Not invited yet.</p>
  return (
    <p>
      <Badge tone={invite.state === 'open' ? 'wait' : 'late'}>{invite.state === 'open' ? 'Invited' : 'Expired'}</Badge>{' '}
      {invite.channel === 'sms' ? formatPhone(invite.address) : invite.address}, sent{' '}
      <RelativeTime at={invite.sentAt} timeZone={timeZone} />
      {invite.state === 'open' ? '; good for 7 days.' : '.'}
    </p>
  )
}

/** How somebody gets in: invited or not, by what, and what the office can do about it. */
export const PersonSignIn = ({ person }: { person: Employee }) => {
  const user = useUser()
  const invite = useInvite(person.id)
  const cancel = useCancelInvite(person.id)
  const reset = useResetPin(person.id)
  const [asking, setAsking] = useState(false)
  const { method, invite: open } = person.signIn
  const { can } = person
  const send = (channel: InviteChannel) =>
    invite.mutate(channel, {
      onSuccess: () => toast.success(`Invitation sent to ${person.name}`),
      onError: toast.error,
    })
  return (
    <section className="people-signin" aria-label="Sign-in">
      <h3>Sign-in</h3>
      <Standing person={person} timeZone={user.business.timeZone} />
      <div className="people-signin__actions">
        {can.inviteByEmail ? (
          <Button size="s" loading={invite.isPending} onClick={() => send('email')}>
            {open?.channel === 'email' ? 'Send the e-mail again' : 'Invite by e-mail'}
          </Button>
        ) : null}
        {can.inviteByText ? (
          <Button size="s" loading={invite.isPending} onClick={() => send('sms')}>
            {open?.channel === 'sms' ? 'Send the text again' : 'Invite by text'}
          </Button>
        ) : null}
        {can.cancelInvite ? (
          <Button
            size="s"
            kind="quiet"
            loading={cancel.isPending}
            onClick={() =>
              cancel.mutate(undefined, { onSuccess: () => toast.success('Invitation withdrawn'), onError: toast.error })
            }
          >
            Withdraw
          </Button>
        ) : null}
        {can.resetPin ? (
          <Button size="s" onClick={() => setAsking(true)}>
            Reset PIN
          </Button>
        ) : null}
      </div>
      {can.update && method === null && !person.email && !person.phone ? (
        <p className="hint">Add a mobile phone or an e-mail below, then invite.</p>
      ) : null}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Reset the PIN of ${person.name}?`}
        confirmLabel="Reset and text a new invitation"
        onConfirm={async () => {
          await reset.mutateAsync()
          toast.success(`A new invitation went to ${person.name}`)
        }}
      >
        The old PIN and the phones it worked on stop at once. Work that a phone has not sent yet stays on it and is sent
        after the next sign-in.
      </ConfirmDialog>
    </section>
  )
}
