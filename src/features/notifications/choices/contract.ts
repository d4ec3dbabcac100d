import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { officeTopics } from '../../push/contract.ts'

const Topic = z.enum(officeTopics, { error: 'Choose one of the kinds of news.' })
export type NewsTopic = z.output<typeof Topic>
export const newsWays = ['bell', 'mail'] as const
export type NewsWay = (typeof newsWays)[number]

const Own = z.object({
  /** What I want none of on the bell. */
  bellOff: z.array(Topic),
  /** What is left out of my digest. */
  mailOff: z.array(Topic),
  /** The hour of the business at which my digest leaves; null where I want none. */
  digestHour: z.number().int().nullable(),
  /** Where it goes. */
  email: z.string().nullable(),
})
export type OwnChoices = z.output<typeof Own>

export const choicesApi = {
  own: endpoint({
    method: 'GET',
    path: '/api/notification-choices',
    access: 'office',
    response: Own,
    summary: 'What I hear of by the bell and by mail',
  }),
  choose: endpoint({
    method: 'POST',
    path: '/api/notification-choices/topics',
    access: 'office',
    idempotent: true,
    body: z.object({ topic: Topic, way: z.enum(newsWays, { error: 'Choose the bell or the mail.' }), on: z.boolean() }),
    response: Own,
    summary: 'Whether I hear of one kind of news by one way',
  }),
  digest: endpoint({
    method: 'POST',
    path: '/api/notification-choices/digest',
    access: 'office',
    idempotent: true,
    body: z.object({
      hour: z
        .number({ error: 'Choose an hour.' })
        .int('A whole hour.')
        .min(0, 'An hour of the day.')
        .max(23, 'An hour of the day.')
        .nullable(),
    }),
    response: Own,
    summary: 'At which hour a mail says what I have not read, or none',
  }),
}
