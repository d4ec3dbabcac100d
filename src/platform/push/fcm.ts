import { importPKCS8, SignJWT } from 'jose'
import { clock } from '../clock.ts'
import { answerMs, keptSeconds, laterOrRefused, noAnswer, type PushNote, type PushResult } from './note.ts'
import type { FcmAccount } from './settings.ts'

export type FcmPlaces = { token: string; api: string }
const google: FcmPlaces = { token: 'https://oauth2.googleapis.com/token', api: 'https://fcm.googleapis.com' }

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
/** A pass is asked for anew some minutes before it is over. */
const spareMs = 300_000
let pass: { of: string; token: string; until: number } | undefined

const passOf = async (account: FcmAccount, places: FcmPlaces): Promise<string> => {
  const of = `${account.clientEmail} ${places.token}`
  if (pass?.of === of && pass.until > clock.nowMs()) return pass.token
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(account.clientEmail)
    .setAudience(places.token)
    .setIssuedAt(Math.floor(clock.nowMs() / 1000))
    .setExpirationTime(Math.floor(clock.nowMs() / 1000) + 3600)
    .sign(await importPKCS8(account.privateKey, 'RS256'))
  const answer = await fetch(places.token, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
    signal: AbortSignal.timeout(answerMs),
  })
  if (!answer.ok) throw new Error(`The sign-in for Android push was answered ${answer.status}`)
  const { access_token, expires_in } = (await answer.json()) as { access_token: string; expires_in: number }
  pass = { of, token: access_token, until: clock.nowMs() + expires_in * 1000 - spareMs }
  return access_token
}

/** What Firebase Cloud Messaging (HTTP v1) is asked to show on one phone. */
export const fcmMessage = (token: string, { title, body, tag, path }: PushNote) => ({
  message: {
    token,
    notification: { title, body },
    data: { path },
    android: { priority: 'HIGH', ttl: `${keptSeconds}s`, collapse_key: tag, notification: { tag } },
  },
})

/** Hands a note to Firebase for one Android phone. */
export const sendFcm = async (
  account: FcmAccount,
  token: string,
  note: PushNote,
  places: FcmPlaces = google,
): Promise<PushResult> => {
  try {
    const answer = await fetch(`${places.api}/v1/projects/${encodeURIComponent(account.projectId)}/messages:send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await passOf(account, places)}`, 'content-type': 'application/json' },
      body: JSON.stringify(fcmMessage(token, note)),
      signal: AbortSignal.timeout(answerMs),
    })
    if (answer.ok) {
      await answer.body?.cancel()
      return { result: 'sent' }
    }
    const said = await answer.text()
    if (answer.status === 404 || /UNREGISTERED|SENDER_ID_MISMATCH/.test(said)) return { result: 'gone' }
    if (answer.status === 401) {
      pass = undefined
      return { result: 'later', reason: 'Firebase wants a new sign-in' }
    }
    return laterOrRefused(answer.status, `Firebase answered ${answer.status}`)
  } catch (error) {
    return noAnswer(error)
  }
}
