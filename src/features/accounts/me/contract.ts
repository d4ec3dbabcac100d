import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { isPersonName, nameWords } from '../../../shared/names.ts'
import { roles } from '../../../shared/roles.ts'
import { Email, NewPassword, SessionUser } from '../contract.ts'

/** The person at the screen, as they keep their own details. */
export const Me = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  /** An address that waits for the link in its mail. */
  pendingEmail: z.string().nullable(),
  phone: z.string().nullable(),
  language: z.enum(['en', 'es']),
  role: z.enum(roles),
  hasPassword: z.boolean(),
  version: z.number().int(),
})
export type Me = z.output<typeof Me>

export const Device = z.object({
  id: z.uuid(),
  name: z.string(),
  app: z.enum(['admin', 'employee']),
  ip: z.string(),
  signedInAt: z.string(),
  lastUsedAt: z.string(),
  current: z.boolean(),
})
export type Device = z.output<typeof Device>

const Devices = z.object({ items: z.array(Device) })
const Password = z.string().min(1, 'Enter your password').max(128)

export const meApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/profile',
    access: 'member',
    response: Me,
    summary: 'The own details',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/profile',
    access: 'member',
    idempotent: true,
    body: z.object({
      name: z.string().trim().min(1, 'Enter your name').max(120).refine(isPersonName, nameWords).optional(),
      phone: z.string().trim().max(40).nullable().optional(),
      language: z.enum(['en', 'es']).optional(),
      version: z.number().int().optional(),
    }),
    response: z.object({ user: SessionUser, profile: Me }),
    summary: 'Change the own name, phone or language',
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/api/profile/email',
    access: 'member',
    idempotent: 'steps',
    body: z.object({ email: Email, password: Password }),
    response: Me,
    summary: 'Ask for another e-mail; it takes effect with the link in the mail to it',
  }),
  cancelEmailChange: endpoint({
    method: 'DELETE',
    path: '/api/profile/email',
    access: 'member',
    idempotent: true,
    response: Me,
    summary: 'Keep the present e-mail',
  }),
  resendVerification: endpoint({
    method: 'POST',
    path: '/api/profile/verification',
    access: 'member',
    idempotent: 'steps',
    response: z.object({ sentTo: z.string() }),
    summary: 'Mail the link that confirms the e-mail again',
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/profile/password',
    access: 'member',
    idempotent: 'steps',
    body: z.object({ currentPassword: Password, password: NewPassword }),
    response: z.object({ changed: z.literal(true) }),
    summary: 'Change the own password; all other devices are signed out',
  }),
  devices: endpoint({
    method: 'GET',
    path: '/api/profile/devices',
    access: 'member',
    response: Devices,
    summary: 'Where this person is signed in',
  }),
  endDevice: endpoint({
    method: 'DELETE',
    path: '/api/profile/devices/:id',
    access: 'member',
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    response: Devices,
    summary: 'Sign one device out',
  }),
  signOutEverywhere: endpoint({
    method: 'POST',
    path: '/api/profile/devices/sign-out',
    access: 'member',
    body: z.object({ exceptThisDevice: z.boolean() }),
    response: z.object({ ended: z.number().int() }),
    summary: 'Sign out on all devices, or on all others',
  }),
}
