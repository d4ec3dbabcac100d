import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { isPersonName, nameWords } from '../../shared/names.ts'
import { permissions, roles } from '../../shared/roles.ts'
import { companySizes, passwordMinimum, passwordTooShort } from './rules.ts'

/** The signed-in person with what the screens need of the business. Field names are the specification's. */
export const SessionUser = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  role: z.enum(roles),
  permissions: z.array(z.enum(permissions)),
  subscriptionActive: z.boolean(),
  subscriptionTier: z.enum(['basic', 'pro', 'enterprise']).nullable(),
  /** How the subscription stands, for the office; employees are not told. */
  billing: z
    .object({
      status: z.string(),
      trialEndsAt: z.string().nullable(),
      /** Until when everything stays on after a failed payment. */
      graceEndsAt: z.string().nullable(),
      /** When a canceled subscription ends. */
      endsAt: z.string().nullable(),
    })
    .nullable(),
  customerCount: z.number().int(),
  companySize: z.string().nullable(),
  language: z.enum(['en', 'es']),
  /** Crews the person is on today; an owner may be on one. */
  crewIds: z.array(z.uuid()),
  /** The business asks for a second step and this person has none yet: nothing else works before. */
  mustSetUpTwoFactor: z.boolean(),
  business: z.object({ _id: z.uuid(), name: z.string(), slug: z.string(), timeZone: z.string() }),
})
export type SessionUser = z.output<typeof SessionUser>

export const SignIn = z.object({
  email: z.string().trim().toLowerCase().min(1).max(254),
  password: z.string().min(1).max(128),
  /** The owner of a closed business opens it again with this sign-in. */
  reopen: z.boolean().optional(),
})

export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email('Please enter a valid email address'))
export const NewPassword = z.string().min(passwordMinimum, passwordTooShort).max(128, 'At most 128 characters')

/** What somebody gives to open an account; the password's length is judged where it is set. */
export const Registration = z.object({
  name: z.string().trim().min(1, 'Enter your name').max(120).refine(isPersonName, nameWords),
  email: Email,
  password: z.string().max(128, 'At most 128 characters'),
  customerCount: z.number().int().min(0).max(1_000_000).catch(0).default(0),
  companySize: z.enum(companySizes.map((size) => size.value)),
  /** Stands on invoices and mails; without one the person's name does. */
  businessName: z.string().trim().max(120).optional(),
  /** IANA zone of the browser, taken where it is one of a place. */
  timeZone: z.string().max(100).optional(),
})
export type Registration = z.output<typeof Registration>

const Sent = z.object({ message: z.string() })
const ByToken = z.object({ token: z.string().min(1).max(200) })

/** What every way of signing in answers: the access token and who it belongs to. */
export const OpenedSession = z.object({ token: z.string(), user: SessionUser })

export const accountsApi = {
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    body: SignIn,
    response: OpenedSession,
    summary: 'Sign in by e-mail and password',
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/api/auth/refresh-token',
    access: 'refresh',
    response: OpenedSession,
    summary: 'A new access token for the refresh cookie of the session that X-Client-App names',
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/auth/register',
    access: 'public',
    body: Registration.extend({ password: NewPassword }),
    response: OpenedSession,
    summary: 'Open an account with a business of its own; signs in',
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: 'public',
    body: z.object({ email: Email }),
    response: Sent,
    summary: 'Mail a link that sets a new password; says the same for an unknown address',
  }),
  checkReset: endpoint({
    method: 'GET',
    path: '/api/auth/reset-password/:token/verify',
    access: 'public',
    params: ByToken,
    response: z.object({ valid: z.literal(true), email: z.string() }),
    summary: 'Whether a reset link still works',
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/reset-password/:token',
    access: 'public',
    params: ByToken,
    body: z.object({ password: NewPassword }),
    response: z.object({ reset: z.literal(true), email: z.string() }),
    summary: 'Set a new password by a reset link; every session of the person ends',
  }),
  sendSignInLink: endpoint({
    method: 'POST',
    path: '/api/auth/sign-in-link',
    access: 'public',
    body: z.object({ email: Email }),
    response: Sent,
    summary: 'Mail a link that signs in once; says the same for an unknown address',
  }),
  useEmailLink: endpoint({
    method: 'POST',
    path: '/api/auth/email-link/:token',
    access: 'public',
    params: ByToken,
    response: z.object({
      purpose: z.enum(['verifyEmail', 'changeEmail', 'signIn']),
      email: z.string(),
      /** Only a sign-in link opens one. */
      session: OpenedSession.nullable(),
    }),
    summary: 'Do once what a mailed link is for: confirm an address, change it, sign in',
  }),
  verify: endpoint({
    method: 'GET',
    path: '/api/auth/verify',
    access: 'member',
    beforeSecondFactor: true,
    response: z.object({ user: SessionUser }),
    summary: 'Who this token belongs to',
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    access: 'refresh',
    response: z.object({ signedOut: z.literal(true) }),
    summary: 'End this session',
  }),
}
