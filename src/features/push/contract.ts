import { z } from 'zod'
import { CrewNotice } from '../../shared/crew-notice.ts'
import { endpoint } from '../../shared/endpoint.ts'

export const pushKinds = ['web', 'android', 'ios'] as const
export const PushKind = z.enum(pushKinds)
export type PushKind = z.output<typeof PushKind>

/** What a person may not want to be rung for: of a crew's day, and of what the bell of the office gets. */
export const crewTopics = ['day', 'chat', 'time'] as const
export const officeTopics = ['needsYou', 'replies', 'chat', 'jobs', 'quotes', 'money', 'other'] as const
export const PushTopic = z.enum([...new Set([...crewTopics, ...officeTopics])])
export type PushTopic = z.output<typeof PushTopic>

const NoticeDay = z.string()

/** What a device is told, as facts: the words are made when it is sent, in the language of the device. Never prices or gate codes. */
export const PushAbout = z.union([
  CrewNotice,
  /** A line of the bell, in its own words. */
  z.object({ code: z.literal('bell'), title: z.string(), topic: PushTopic.optional() }),
  /** Somebody wrote; what they wrote is read in the app. */
  z.object({ code: z.literal('chat'), from: z.string() }),
  /** A stop more on a day that the crew was sent. */
  z.object({ code: z.literal('added'), street: z.string(), day: NoticeDay }),
  z.object({ code: z.literal('clockOut') }),
  z.object({ code: z.literal('week') }),
])
export type PushAbout = z.output<typeof PushAbout>

const Address = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('web'),
    endpoint: z.string().max(1000),
    p256dh: z.string().regex(/^[\w-]{80,100}=?$/),
    auth: z.string().regex(/^[\w-]{20,30}={0,2}$/),
    /** Which of our keys the browser subscribed with. */
    keyId: z.string().max(40),
  }),
  z.object({ kind: z.literal('android'), token: z.string().min(20).max(4000) }),
  z.object({ kind: z.literal('ios'), token: z.string().min(20).max(400) }),
])
export type PushAddress = z.output<typeof Address>

const Own = z.object({
  /** Which kinds of devices this server can tell something. */
  can: z.record(PushKind, z.boolean()),
  /** What a browser subscribes with. */
  key: z.object({ id: z.string(), publicKey: z.string() }),
  /** SHA-256 of the endpoints and tokens that are on for me, by which a device knows itself. */
  devices: z.array(z.string()),
  /** What I do not want to be rung for, on none of them. */
  muted: z.array(PushTopic),
})
export type OwnPush = z.output<typeof Own>

export const pushApi = {
  own: endpoint({
    method: 'GET',
    path: '/api/push',
    access: 'member',
    response: Own,
    summary: 'Which of my devices are told things while the app is closed',
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/push/devices',
    access: 'member',
    idempotent: true,
    body: z.object({ address: Address, language: z.enum(['en', 'es']) }),
    response: Own,
    summary: 'Tells this device too, until its sign-in ends',
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/push/devices/remove',
    access: 'member',
    idempotent: true,
    body: z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: Own,
    summary: 'Tells this device nothing more',
  }),
  choose: endpoint({
    method: 'POST',
    path: '/api/push/topics',
    access: 'member',
    idempotent: true,
    body: z.object({ topic: PushTopic, on: z.boolean() }),
    response: Own,
    summary: 'Whether my devices ring for one kind of news',
  }),
}
