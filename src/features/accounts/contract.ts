import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { permissions, roles } from '../../shared/roles.ts'

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
      /** When a cancelled subscription ends. */
      endsAt: z.string().nullable(),
    })
    .nullable(),
  customerCount: z.number().int(),
  companySize: z.string().nullable(),
  language: z.enum(['en', 'es']),
  /** Crews the person is on today; an owner may be on one. */
  crewIds: z.array(z.uuid()),
  business: z.object({ _id: z.uuid(), name: z.string(), slug: z.string(), timeZone: z.string() }),
})
export type SessionUser = z.output<typeof SessionUser>

export const SignIn = z.object({
  email: z.string().trim().toLowerCase().min(1).max(254),
  password: z.string().min(1).max(128),
})

const Session = z.object({ token: z.string(), user: SessionUser })

export const accountsApi = {
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    body: SignIn,
    response: Session,
    summary: 'Sign in by e-mail and password',
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/api/auth/refresh-token',
    access: 'refresh',
    response: Session,
    summary: 'A new access token for the refresh cookie of the session that X-Client-App names',
  }),
  verify: endpoint({
    method: 'GET',
    path: '/api/auth/verify',
    access: 'member',
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
