import type { Refusal } from '../../../shared/can.ts'
import { firstNameOf } from '../../../shared/names.ts'
import type { Role } from '../../../shared/roles.ts'

/** An invitation is good for a week and for one use. */
export const inviteDays = 7

/** open: it can be taken; the others say why not. */
export const inviteStates = ['open', 'used', 'revoked', 'expired'] as const
export type InviteState = (typeof inviteStates)[number]

/** What an invitation is worth at an instant. Taken and withdrawn win over expired: they say more. */
export const inviteStateOf = (
  invite: { acceptedAt: string | null; revokedAt: string | null; expiresAt: string },
  nowMs: number,
): InviteState => {
  if (invite.acceptedAt) return 'used'
  if (invite.revokedAt) return 'revoked'
  return Date.parse(invite.expiresAt) <= nowMs ? 'expired' : 'open'
}

/** How somebody proves who they are: an e-mail with a password, or a phone number with a PIN on an invited device. */
export const signInMethodOf = (person: { email: string | null }): 'password' | 'pin' =>
  person.email ? 'password' : 'pin'

const isRun = (digits: string): boolean => {
  const steps = [...digits].slice(1).map((digit, i) => Number(digit) - Number(digits[i]))
  return steps.every((step) => step === steps[0] && Math.abs(step) <= 1)
}

/**
 * Why a PIN is refused, in words for who types it, or null. Six digits; no run (123456, 654321, 777777), no repeated half or pair
 * (123123, 121212): with the slow-down after failures the rest is safe on an invited phone.
 */
export const pinProblem = (pin: string): string | null => {
  if (!/^\d{6}$/.test(pin)) return 'A PIN has six digits'
  if (
    isRun(pin) ||
    pin.slice(0, 3) === pin.slice(3) ||
    (pin.slice(0, 2) === pin.slice(2, 4) && pin.slice(2, 4) === pin.slice(4))
  )
    return 'This PIN is too easy to guess. Choose six digits without a pattern.'
  return null
}

/** What of a person decides how they can be let in. */
export type SignInFacts = {
  name: string
  role: Role
  status: 'invited' | 'active' | 'disabled'
  email: string | null
  phone: string | null
  signIn: { method: 'password' | 'google' | 'pin' | null; invite: { state: InviteState } | null }
}

export const signInActions = ['inviteByEmail', 'inviteByText', 'cancelInvite', 'resetPin'] as const
export type SignInAction = (typeof signInActions)[number]

const inviteRefusal = (person: SignInFacts, address: string | null, what: string): string | null =>
  person.status === 'disabled'
    ? `${person.name} was deactivated. Let them in again first, then invite.`
    : person.signIn.method !== null
      ? `${person.name} can sign in already.`
      : (addressRefusal(person) ??
        (address ? null : `${firstNameOf(person.name)} has no ${what} here yet. Add it first, then invite.`))

const addressRefusal = (person: SignInFacts): string | null =>
  !person.email && person.role !== 'Employee'
    ? `${firstNameOf(person.name)} works in the office and signs in by e-mail. Add an e-mail first.`
    : null

/** Why the state of a person refuses what the office does about their sign-in. */
export const signInRefusals: Record<SignInAction, Refusal<SignInFacts>> = {
  inviteByEmail: (person) => inviteRefusal(person, person.email, 'e-mail'),
  inviteByText: (person) => inviteRefusal(person, person.phone, 'mobile phone'),
  cancelInvite: ({ signIn }) => (signIn.invite?.state === 'open' ? null : 'There is no open invitation to withdraw.'),
  resetPin: ({ name, status, signIn }) =>
    status === 'disabled' || signIn.method !== 'pin' ? `${name} has no PIN to reset.` : null,
}
