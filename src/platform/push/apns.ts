import { type ClientHttp2Session, connect } from 'node:http2'
import { importPKCS8, SignJWT } from 'jose'
import { clock } from '../clock.ts'
import { answerMs, keptSeconds, laterOrRefused, noAnswer, type PushNote, type PushResult } from './note.ts'
import type { ApnsAccount } from './settings.ts'

/** Apple refuses a token that is renewed more often than every 20 minutes, and one older than an hour. */
const tokenMs = 40 * 60_000
let signed: { of: string; token: string; until: number } | undefined

const tokenOf = async ({ keyId, teamId, privateKey }: ApnsAccount): Promise<string> => {
  const of = `${teamId} ${keyId}`
  if (signed?.of === of && signed.until > clock.nowMs()) return signed.token
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt(Math.floor(clock.nowMs() / 1000))
    .sign(await importPKCS8(privateKey, 'ES256'))
  signed = { of, token, until: clock.nowMs() + tokenMs }
  return token
}

/** What Apple is asked to show on one phone. */
export const apnsPayload = ({ title, body, tag, path }: PushNote) => ({
  aps: { alert: { title, body }, sound: 'default', 'thread-id': tag },
  path,
})

const ask = (
  session: ClientHttp2Session,
  headers: Record<string, string>,
  payload: string,
): Promise<{ status: number; reason: string }> =>
  new Promise((done, failed) => {
    session.on('error', failed)
    const stream = session.request(headers)
    let status = 0
    let said = ''
    stream.setTimeout(answerMs, () => stream.destroy(new Error('no answer')))
    stream.on('response', (answer) => {
      status = Number(answer[':status'])
    })
    stream.setEncoding('utf8')
    stream.on('data', (part: string) => {
      said += part
    })
    stream.on('error', failed)
    stream.on('end', () => done({ status, reason: /"reason"\s*:\s*"(\w+)"/.exec(said)?.[1] ?? '' }))
    stream.end(payload)
  })

/** Apple's answers that say that the app is not on that phone any more. */
const gone = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic', 'Unregistered', 'ExpiredToken'])

/** Hands a note to Apple (by token, over HTTP/2) for one iPhone. */
export const sendApns = async (
  account: ApnsAccount,
  token: string,
  note: PushNote,
  origin = account.sandbox ? 'https://api.sandbox.push.apple.com' : 'https://api.push.apple.com',
): Promise<PushResult> => {
  try {
    const authorization = `bearer ${await tokenOf(account)}`
    const session = connect(origin)
    const headers = {
      ':method': 'POST',
      ':path': `/3/device/${encodeURIComponent(token)}`,
      authorization,
      'apns-topic': account.topic,
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-expiration': String(Math.floor(clock.nowMs() / 1000) + keptSeconds),
      'apns-collapse-id': note.tag.slice(0, 64),
    }
    const { status, reason } = await ask(session, headers, JSON.stringify(apnsPayload(note))).finally(() =>
      session.destroy(),
    )
    if (status === 200) return { result: 'sent' }
    if (status === 410 || gone.has(reason)) return { result: 'gone' }
    if (reason === 'ExpiredProviderToken') {
      signed = undefined
      return { result: 'later', reason }
    }
    return laterOrRefused(status, `Apple answered ${status} ${reason}`.trim())
  } catch (error) {
    return noAnswer(error)
  }
}
