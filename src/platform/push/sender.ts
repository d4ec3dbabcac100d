import { config } from '../config.ts'
import { sendApns } from './apns.ts'
import { sendFcm } from './fcm.ts'
import type { PushNote, PushResult } from './note.ts'
import { findVapid, sendWeb, type WebAddress } from './web.ts'

export type PushKind = 'web' | 'android' | 'ios'
export type PushTarget =
  | { kind: 'web'; address: WebAddress; keyId: string }
  | { kind: 'android'; address: { token: string } }
  | { kind: 'ios'; address: { token: string } }

type Played = (target: PushTarget, note: PushNote) => Promise<PushResult | { result: 'local' }>
let played: Played | undefined

/** Says what becomes of pushes on one's own computer; set at start. */
export const setPlayedPush = (by: Played | undefined): void => {
  played = by
}

const off = { result: 'refused', reason: 'This kind of push is not set up on this server' } as const

/** Whether a device of a kind can be told something by this server. */
export const canPush = (kind: PushKind): boolean => {
  if (played) return true
  if (kind === 'web') return config.push.vapid.mode !== 'incomplete'
  return config.push[kind === 'android' ? 'fcm' : 'apns'].mode === 'ready'
}

export const pushSubject = (): string => config.push.subject ?? `mailto:${config.supportEmail}`

/** Hands a note to the service of one device; on a computer of one's own to whoever plays it. */
export const sendPush = async (target: PushTarget, note: PushNote): Promise<PushResult | { result: 'local' }> => {
  if (played) return played(target, note)
  const { push } = config
  if (target.kind === 'android') return push.fcm.mode === 'ready' ? sendFcm(push.fcm, target.address.token, note) : off
  if (target.kind === 'ios') return push.apns.mode === 'ready' ? sendApns(push.apns, target.address.token, note) : off
  if (push.vapid.mode === 'incomplete') return off
  const pair = findVapid(push, target.keyId)
  return pair ? sendWeb(pair, pushSubject(), target.address, note) : { result: 'gone' }
}
