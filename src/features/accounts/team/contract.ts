import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { isPersonName, nameWords } from '../../../shared/names.ts'
import { roles } from '../../../shared/roles.ts'
import { OpenedSession } from '../contract.ts'
import { inviteStates, pinProblem } from './rules.ts'

/** How a person of the business gets in, for the people list. */
export const SignInState = z.object({
  /** Null until an invitation was taken. */
  method: z.enum(['password', 'google', 'pin']).nullable(),
  twoFactor: z.boolean(),
  /** Phones and tablets on which the PIN works. */
  deviceCount: z.number().int(),
  /** The last invitation, as long as it was not taken. */
  invite: z
    .object({
      channel: z.enum(['email', 'sms']),
      address: z.string(),
      state: z.enum(inviteStates),
      sentAt: z.string(),
      expiresAt: z.string(),
    })
    .nullable(),
})
export type SignInState = z.output<typeof SignInState>

export const InviteChannel = z.enum(['email', 'sms'])
export type InviteChannel = z.output<typeof InviteChannel>

/** What the invitation page may know before anybody proved anything. Name and address only while it is open. */
const InviteView = z.object({
  state: z.enum(inviteStates),
  businessName: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  method: z.enum(['password', 'pin']),
  role: z.enum(roles).nullable(),
  language: z.enum(['en', 'es']),
})
export type InviteView = z.output<typeof InviteView>

const Pin = z.string().superRefine((pin, context) => {
  const problem = pinProblem(pin)
  if (problem) context.addIssue({ code: 'custom', message: problem })
})

const Id = z.object({ id: z.uuid() })
const Token = z.object({ token: z.string().min(20).max(100) })

export const teamApi = {
  invite: endpoint({
    method: 'POST',
    path: '/api/employees/:id/invite',
    access: 'office',
    permission: 'team',
    idempotent: true,
    params: Id,
    body: z.object({ channel: InviteChannel }),
    response: SignInState,
    summary: 'Send an invitation; one that was sent before ends',
  }),
  cancelInvite: endpoint({
    method: 'POST',
    path: '/api/employees/:id/invite/cancel',
    access: 'office',
    permission: 'team',
    idempotent: true,
    params: Id,
    response: SignInState,
    summary: 'Withdraw an invitation that was not taken',
  }),
  resetPin: endpoint({
    method: 'POST',
    path: '/api/employees/:id/reset-pin',
    access: 'office',
    permission: 'team',
    idempotent: true,
    params: Id,
    response: SignInState,
    summary: 'Forget the PIN and its phones, sign the person out, and text a new invitation',
  }),
  showInvite: endpoint({
    method: 'GET',
    path: '/api/auth/invites/:token',
    access: 'public',
    params: Token,
    response: InviteView,
    summary: 'Who invites whom, and whether the invitation can still be taken',
  }),
  acceptInvite: endpoint({
    method: 'POST',
    path: '/api/auth/invites/:token',
    access: 'public',
    params: Token,
    body: z.object({
      name: z.string().trim().min(1, 'A name is needed').max(120).refine(isPersonName, nameWords),
      password: z.string().min(8, 'A password has at least 8 characters').max(128).optional(),
      pin: Pin.optional(),
    }),
    response: OpenedSession,
    summary: 'Take an invitation: set the password or PIN and be signed in',
  }),
  pinSignIn: endpoint({
    method: 'POST',
    path: '/api/auth/pin',
    access: 'public',
    body: z.object({ phone: z.string().trim().min(1).max(40), pin: z.string().min(1).max(12) }),
    response: OpenedSession,
    summary: 'Sign in by phone number and PIN on an invited device',
  }),
}
