import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import twilio from 'twilio'
import { config } from '../platform/config.ts'
import { newId } from '../platform/ids.ts'
import { stranger } from './api.ts'

const authToken = 'the-token-of-the-account'
const accountSid = `AC${'a'.repeat(32)}`

/** A text as the provider was asked for it. */
export type Taken = { sid: string; form: URLSearchParams }
/** What it keeps of a picture that came in. */
type Medium = {
  mime: string
  bytes: Buffer /** It is somewhere else. */
  location?: string /** It is out of order. */
  status?: number
}

/**
 * The SMS provider as far as we use it, on this computer, and this server set up for it. It takes every text, unless `answer` answers itself.
 * `media` is what it keeps of pictures that came in, by their address.
 */
export const playTwilio = async () => {
  const before = { ...config }
  const taken: Taken[] = []
  const media = new Map<string, Medium>()
  const asked: { url: string; authorization: string }[] = []
  const played = {
    taken,
    media,
    /** All that was asked for with GET. */
    asked,
    answer: undefined as undefined | ((text: Taken, response: ServerResponse) => boolean | Promise<boolean>),
    url: '',
    stop: () => {
      Object.assign(config, before)
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const url = request.url ?? ''
    if (request.method === 'GET') {
      asked.push({ url, authorization: request.headers.authorization ?? '' })
      const found = media.get(url)
      response.writeHead(found ? (found.status ?? (found.location ? 307 : 200)) : 404, {
        'content-type': found?.mime ?? 'text/plain',
        ...(found?.location ? { location: found.location } : {}),
      })
      return response.end(found?.bytes ?? 'not there')
    }
    const text = { sid: `SM${newId().replaceAll('-', '')}`, form: new URLSearchParams(body) }
    taken.push(text)
    if (await played.answer?.(text, response)) return
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ sid: text.sid, status: 'queued' }))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  played.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.assign(config, {
    production: true,
    publicUrl: 'https://app.oak.test',
    twilioAccountSid: accountSid,
    twilioAuthToken: authToken,
    twilioMessagingServiceSid: `MG${'b'.repeat(32)}`,
    twilioApiUrl: played.url,
  })
  return played
}

/** Posts a form to a webhook of ours, signed as the provider signs. */
export const postSignedForm = (path: string, form: Record<string, string>) =>
  stranger.raw({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilio.getExpectedTwilioSignature(authToken, `https://app.oak.test${path}`, form),
    },
    payload: new URLSearchParams(form).toString(),
  })
