import { createECDH, createHash, hkdfSync } from 'node:crypto'
import webpush from 'web-push'
import { findSigningKey, signingKey } from '../keys.ts'
import { answerMs, keptSeconds, laterOrRefused, noAnswer, type PushNote, type PushResult } from './note.ts'
import type { PushSettings } from './settings.ts'

export type WebAddress = { endpoint: string; p256dh: string; auth: string }
export type VapidPair = { id: string; publicKey: string; privateKey: string }

const given = 'environment'

/** A pair on P-256 out of one of the server's keys: it is kept, rotated and backed up with them. */
const pairOf = (id: string, secret: Buffer): VapidPair => {
  for (let attempt = 0; ; attempt += 1) {
    const scalar = Buffer.from(hkdfSync('sha256', secret, 'swath', `vapid/${attempt}`, 32))
    const curve = createECDH('prime256v1')
    try {
      curve.setPrivateKey(scalar)
    } catch {
      continue // one of four billion is no point of the curve
    }
    return { id, publicKey: curve.getPublicKey('base64url'), privateKey: scalar.toString('base64url') }
  }
}

/** With which browsers subscribe from now on. */
export const currentVapid = ({ vapid }: Pick<PushSettings, 'vapid'>): VapidPair => {
  if (vapid.mode === 'ready') return { id: given, publicKey: vapid.publicKey, privateKey: vapid.privateKey }
  const { id, secret } = signingKey('push')
  return pairOf(id, secret)
}

/** With which a browser subscribed then; null when that pair is gone, and with it the subscription. */
export const findVapid = (settings: Pick<PushSettings, 'vapid'>, id: string): VapidPair | null => {
  const current = currentVapid(settings)
  if (current.id === id) return current
  const key = id === given ? null : findSigningKey('push', id)
  return key ? pairOf(key.id, key.secret) : null
}

/** Push services of browsers; a server that calls any address it is given could be sent to its own network. */
const services = [
  /^fcm\.googleapis\.com$/,
  /^([\w-]+\.)*push\.services\.mozilla\.com$/,
  /^([\w-]+\.)+notify\.windows\.com$/,
  /^([\w-]+\.)*push\.apple\.com$/,
]

export const isPushService = (endpoint: string): boolean => {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username } = new URL(endpoint)
  return protocol === 'https:' && port === '' && username === '' && services.some((one) => one.test(hostname))
}

/** A push service keeps one note of a topic: letters that it takes, and not what we name it by. */
const topicOf = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32)

/** Encrypts a note for one browser and hands it to its service (RFC 8030, 8188, 8291, 8292). */
export const sendWeb = async (
  pair: VapidPair,
  subject: string,
  { endpoint, p256dh, auth }: WebAddress,
  note: PushNote,
): Promise<PushResult> => {
  try {
    const request = webpush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(note), {
      vapidDetails: { subject, publicKey: pair.publicKey, privateKey: pair.privateKey },
      TTL: keptSeconds,
      contentEncoding: 'aes128gcm',
      urgency: 'high',
      topic: topicOf(note.tag),
    })
    const headers = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== 'content-length')
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
      body: new Uint8Array(request.body ?? Buffer.alloc(0)),
      redirect: 'error',
      signal: AbortSignal.timeout(answerMs),
    })
    await answer.body?.cancel()
    if (answer.ok) return { result: 'sent' }
    if (answer.status === 404 || answer.status === 410) return { result: 'gone' }
    return laterOrRefused(answer.status, `The push service answered ${answer.status}`)
  } catch (error) {
    return noAnswer(error)
  }
}
