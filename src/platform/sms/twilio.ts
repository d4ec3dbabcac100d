import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import type { SendResult } from '../mail/mailer.ts'
import { type FetchedMedium, mostMediumBytes, type Text } from './text.ts'

export type TwilioSettings = {
  accountSid: string
  authToken: string
  messagingServiceSid: string
  apiUrl: string
  /** Where the provider reaches us; signatures are over this address, never over what a request says of itself. */
  publicUrl: string
}

/** The provider's settings, or null while any of them is missing: half of them is none. */
export const twilioSettings = (
  config: Pick<
    Config,
    'twilioAccountSid' | 'twilioAuthToken' | 'twilioMessagingServiceSid' | 'twilioApiUrl' | 'production' | 'publicUrl'
  >,
): TwilioSettings | null => {
  const { twilioAccountSid, twilioAuthToken, twilioMessagingServiceSid } = config
  if (!config.production || !twilioAccountSid || !twilioAuthToken || !twilioMessagingServiceSid) return null
  return {
    accountSid: twilioAccountSid,
    authToken: twilioAuthToken,
    messagingServiceSid: twilioMessagingServiceSid,
    apiUrl: config.twilioApiUrl,
    publicUrl: config.publicUrl,
  }
}

export const twilioStatusPath = '/api/webhooks/twilio/status'

/** Texts that left are not repeated by night: the provider drops what it could not send within four hours. */
const validitySeconds = 4 * 3600
const timeoutMs = 10_000

/** Error codes after which nothing more may go to a number. */
const suppressionCodes: Readonly<Record<number, string>> = {
  21610: 'They replied STOP',
  21211: 'This is not a phone number',
  21614: 'This number takes no texts',
  30005: 'This number is not in use',
  30006: 'This is a landline and takes no texts',
}

/** Why nothing more may go to a number, by the provider's error code; null when the number itself is fine. */
export const suppressedByCode = (code: number | null): string | null =>
  code === null ? null : (suppressionCodes[code] ?? null)

const failures: Readonly<Record<number, string>> = {
  ...suppressionCodes,
  30003: 'The phone is switched off or out of reach',
  30007: 'The carrier took it for spam',
  30008: 'The carrier could not deliver it',
  30011: 'This phone takes no photos: send the words alone',
  30019: 'Its photos were too large for the carrier',
  30032: 'The toll-free number is not verified yet',
  30034: 'The sender is not registered with the carriers (10DLC)',
  30036: 'It came too late and was dropped',
  11200: 'The SMS provider could not fetch the photos',
  12300: 'The SMS provider does not take photos of this kind',
  21612: 'This number cannot be sent photos from ours: send the words alone',
  21620: 'The SMS provider could not fetch the photos',
  21623: 'So many photos do not go with one text',
}

/** Why a text failed, in words. */
export const failureByCode = (code: number | null): string =>
  (code === null ? undefined : failures[code]) ??
  (code === null ? 'The carrier could not deliver it' : `The carrier could not deliver it (code ${code})`)

/** The body of the provider's create call: what is sent, and where the news about it goes. */
export const twilioForm = (settings: TwilioSettings, text: Text): Record<string, string> => ({
  To: text.to,
  Body: text.body,
  MessagingServiceSid: settings.messagingServiceSid,
  StatusCallback: `${settings.publicUrl}${twilioStatusPath}?m=${text.id}&b=${text.businessId ?? ''}`,
  ValidityPeriod: String(validitySeconds),
})

/** The same as it goes over the wire, with a field for each photo. */
export const twilioBody = (settings: TwilioSettings, text: Text): URLSearchParams => {
  const body = new URLSearchParams(twilioForm(settings, text))
  for (const url of text.mediaUrls ?? []) body.append('MediaUrl', url)
  return body
}

const authorization = ({ accountSid, authToken }: TwilioSettings): string =>
  `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`

const askMessages = (settings: TwilioSettings, query: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${settings.apiUrl}/2010-04-01/Accounts/${settings.accountSid}/Messages.json${query}`, {
    ...init,
    headers: {
      authorization: authorization(settings),
      accept: 'application/json',
    },
    signal: AbortSignal.timeout(timeoutMs),
  })

/**
 * Hands a text to the provider. It has no idempotency key: a clear no is a refusal, a full queue or a wrong password of ours is worth another try, and
 * a lost answer is thrown, so that nothing is sent twice by itself.
 */
export const sendByTwilio = async (settings: TwilioSettings, text: Text): Promise<SendResult> => {
  let response: Response
  try {
    response = await askMessages(settings, '', {
      method: 'POST',
      body: twilioBody(settings, text),
    })
  } catch (error) {
    const code = (error as { cause?: { code?: string } }).cause?.code
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return { result: 'later', reason: 'The SMS provider could not be reached' }
    throw error
  }
  const answer = (await response.json().catch(() => ({}))) as { sid?: string; code?: number; message?: string }
  if (response.ok && answer.sid)
    return { result: 'accepted', provider: 'twilio', providerId: answer.sid, livemode: true }
  const reason = answer.message ?? `The SMS provider answered ${response.status}`
  // Our own password or a closed account of ours is mended by whoever runs this server; until then texts wait.
  if ([401, 403, 429, 503].includes(response.status)) return { result: 'later', reason }
  if (response.status >= 500 || response.ok) throw new Error(reason)
  const known = answer.code === undefined ? undefined : failures[answer.code]
  return { result: 'refused', reason: known ?? reason, suppressed: suppressedByCode(answer.code ?? null) }
}

/** Where the provider keeps what came with texts; it leads there from its own address, for a few hours. */
const mediaHosts: ReadonlySet<string> = new Set([
  'mms.twiliocdn.com',
  'media.twiliocdn.com',
  's3-external-1.amazonaws.com',
])
const tooLargeMedium = 'it is larger than 5 MB'
const noMedium = 'the SMS provider does not have it'

/** Bytes up to a limit; null where there are more. What is too much is not read. */
const readUpTo = async (response: Response, most: number): Promise<Buffer | null> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > most) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/**
 * Fetches what came with a text. The address is put together here: of what a webhook names only the ids are believed, so that it is our own account at
 * the provider and nobody else. Where that leads on, it is to one of its own stores, without our password.
 * @param ref the address in a webhook
 * @throws when the provider does not answer, or answers that it is out of order
 */
export const fetchAtTwilio = async (settings: TwilioSettings, ref: string): Promise<FetchedMedium> => {
  const found =
    /^https?:\/\/[^/?#]+\/2010-04-01\/Accounts\/(AC\w{32})\/Messages\/([SM]M\w{32})\/Media\/(ME\w{32})$/.exec(ref)
  const [, account, message, medium] = found ?? []
  if (account !== settings.accountSid) return { refused: noMedium }
  const init = { redirect: 'manual' as const, signal: AbortSignal.timeout(3 * timeoutMs) }
  let response = await fetch(`${settings.apiUrl}/2010-04-01/Accounts/${account}/Messages/${message}/Media/${medium}`, {
    ...init,
    headers: { authorization: authorization(settings) },
  })
  if (response.status >= 300 && response.status < 400) {
    const to = response.headers.get('location') ?? ''
    const next = URL.canParse(to) ? new URL(to) : null
    if (next?.protocol !== 'https:' || next.port !== '' || !mediaHosts.has(next.hostname)) return { refused: noMedium }
    response = await fetch(next, init)
  }
  if ([400, 404, 410].includes(response.status)) return { refused: noMedium }
  if (!response.ok) throw new Error(`The SMS provider answered ${response.status} for a photo`)
  const bytes = await readUpTo(response, mostMediumBytes)
  return bytes ? { bytes } : { refused: tooLargeMedium }
}

/** A text as the provider lists it. */
type Listed = { sid?: string; body?: string; to?: string; status?: string; error_code?: number | null }

/**
 * What a text may have become at the provider: `found` there, `absent` where it lists all of the number's texts since then without it, `unsaid`
 * where there are more than one answer lists.
 */
export type Trace =
  | {
      trace: 'found'
      provider: string
      providerId: string
      status: 'sent' | 'delivered' | 'failed' | null
      code: number | null
    }
  | { trace: 'absent' }
  | { trace: 'unsaid' }

const mostListed = 1000

/** Thrown where the provider will never say what became of this one text; of others it may. */
export class Untraceable extends Error {}

/**
 * Looks for a text whose answer was lost: the same words to the same number since then. A text that still waits at the provider is on no list by
 * day of sending, so that `absent` is an answer only once `untracedAfterMs` have gone by.
 * @param since ISO instant at which it was about to be handed over
 * @param known ids of texts to this number that are other messages of ours
 * @throws Untraceable where it refuses the question; any other error when it does not answer
 */
export const findAtTwilio = async (
  settings: TwilioSettings,
  text: Pick<Text, 'to' | 'body'>,
  since: string,
  known: ReadonlySet<string>,
): Promise<Trace> => {
  // clocks differ
  const from = new Date(Date.parse(since) - 60_000).toISOString().replace(/\.\d+/, '')
  const query = new URLSearchParams({ To: text.to, 'DateSent>': from, PageSize: String(mostListed) })
  const response = await askMessages(settings, `?${query}`)
  if (!response.ok) {
    const reason = `The SMS provider answered ${response.status}`
    throw [400, 404, 422].includes(response.status) ? new Untraceable(reason) : new Error(reason)
  }
  const answer = (await response.json()) as { messages?: Listed[]; next_page_uri?: string | null }
  if (!Array.isArray(answer.messages)) throw new Error('The SMS provider answered without a list')
  const one = answer.messages.find(
    ({ sid, body, to }) => sid && !known.has(sid) && to === text.to && body?.trim() === text.body.trim(),
  )
  if (!one?.sid) return { trace: answer.next_page_uri ? 'unsaid' : 'absent' }
  const status = twilioStatus(one.status ?? '')
  return {
    trace: 'found',
    provider: 'twilio',
    providerId: one.sid,
    status: status === 'read' ? 'delivered' : status,
    code: one.error_code ?? null,
  }
}

/** So long after it was handed over a text is at its end: the provider drops what it could not send. */
export const untracedAfterMs = (validitySeconds + 600) * 1000

/**
 * Whether the provider signed this form: HMAC-SHA1 under the auth token over the full address and the sorted fields.
 * @param path path and query as the provider called it; the host is always our public address
 */
export const isTwilioSignature = (
  settings: TwilioSettings,
  path: string,
  form: URLSearchParams,
  signature: string,
): boolean => {
  const names = [...new Set(form.keys())].sort()
  const fields = names.map((name) =>
    [...new Set(form.getAll(name))]
      .sort()
      .map((value) => name + value)
      .join(''),
  )
  const expected = createHmac('sha1', settings.authToken)
    .update(settings.publicUrl + path + fields.join(''))
    .digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The provider's words for what became of a text, as ours; null for what changes nothing (queued, sending). */
export const twilioStatus = (word: string): 'sent' | 'delivered' | 'failed' | 'read' | null => {
  if (word === 'sent' || word === 'delivered' || word === 'read') return word
  return word === 'failed' || word === 'undelivered' || word === 'canceled' ? 'failed' : null
}
