import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { readPhone } from '../../../shared/phone.ts'

/** Whom to call when something happens to a person at work; empty where nobody has said. */
export const EmergencyContact = z.object({
  userId: z.uuid(),
  name: z.string(),
  relation: z.string(),
  phone: z.string().nullable(),
  /** 0 before it was ever said. */
  version: z.number().int(),
})
export type EmergencyContact = z.output<typeof EmergencyContact>

const Id = z.object({ id: z.uuid() })
const team = { access: 'office', permission: 'team' } as const

export const emergencyApi = {
  get: endpoint({
    ...team,
    method: 'GET',
    path: '/api/employees/:id/emergency-contact',
    params: Id,
    response: EmergencyContact,
    summary: 'Whom to call when something happens to a person at work',
  }),
  set: endpoint({
    ...team,
    method: 'PUT',
    path: '/api/employees/:id/emergency-contact',
    idempotent: true,
    params: Id,
    body: z
      .object({
        name: z.string().trim().max(80).default(''),
        relation: z.string().trim().max(60).default(''),
        phone: z.string().trim().max(40).nullable().default(null),
        version: z.number().int().min(0),
      })
      .superRefine(({ name, phone }, context) => {
        const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
        if (name !== '' && phone === null) say('phone', 'At which number?')
        if (name === '' && phone !== null) say('name', 'Whom do we call there?')
        if (phone !== null && readPhone(phone) === null) say('phone', 'This is not a phone number. Check the digits.')
      }),
    response: EmergencyContact,
    summary: 'Who that is; without a name and number nobody',
  }),
}
