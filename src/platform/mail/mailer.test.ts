import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { config } from '../config.ts'
import { newId } from '../ids.ts'
import { deliverMail, type Mail } from './mailer.ts'

type Received = { from: string; to: string[]; raw: string }
const received: Received[] = []

// A mail server that takes what is for people, and answers some names as mail servers do.
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, done) => {
    const answers: Record<string, [number, string]> = {
      'nobody@oak.test': [550, '5.1.1 No such user'],
      'full@oak.test': [552, '5.2.2 Mailbox full'],
      'later@oak.test': [451, '4.3.0 Try again'],
    }
    const [responseCode, words] = answers[address] ?? []
    done(responseCode ? Object.assign(new Error(words), { responseCode }) : null)
  },
  onData: async (stream, session, done) => {
    let raw = ''
    for await (const chunk of stream) raw += chunk
    received.push({
      from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
      to: session.envelope.rcptTo.map((one) => one.address),
      raw,
    })
    done()
  },
})
const before = config.smtpUrl
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  config.smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
afterAll(() => {
  config.smtpUrl = before
  server.close()
})

const mail = (changes: Partial<Mail> = {}): Mail => ({
  id: newId(),
  to: 'dana@oak.test',
  fromName: 'Swath',
  subject: 'Hello',
  text: 'Hi',
  html: '<p>Hi</p>',
  attachments: [],
  unsubscribeUrl: null,
  ...changes,
})

it('arrives with its own id, the addresses it comes back to, and one-click unsubscribe', async () => {
  const one = mail({
    replyTo: 'reply+1.a@in.oak.test',
    bounceTo: 'bounce+1.a@in.oak.test',
    unsubscribeUrl: 'https://app.oak.test/u/x',
  })
  expect((await deliverMail(one)).result).toBe('accepted')
  const got = received.at(-1)
  expect(got).toMatchObject({ from: 'bounce+1.a@in.oak.test', to: ['dana@oak.test'] })
  for (const line of [
    `Message-ID: <${one.id}@`,
    'Reply-To: reply+1.a@in.oak.test',
    'List-Unsubscribe: <https://app.oak.test/u/x>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ])
    expect(got?.raw).toContain(line)
})

it('a subject and a name with line ends make no header', async () => {
  await deliverMail(mail({ subject: 'Hi\r\nBcc: x@evil.test', fromName: 'A\r\nBcc: y@evil.test' }))
  expect(received.at(-1)?.raw).not.toMatch(/^Bcc:/im)
  expect(received.at(-1)?.to).toEqual(['dana@oak.test'])
})

it.each([
  ['nobody@oak.test', { result: 'refused', suppressed: 'The mail server says this address does not exist' }],
  ['full@oak.test', { result: 'refused', suppressed: null }],
  ['later@oak.test', { result: 'later' }],
])('%s is %j', async (to, outcome) => {
  expect(await deliverMail(mail({ to }))).toMatchObject(outcome)
})

it.each(['smtp://127.0.0.1:1', 'smtp://nobody.invalid:25'])(
  '%s is away: nothing was sent, it is tried again',
  async (url) => {
    const before = config.smtpUrl
    config.smtpUrl = url
    expect((await deliverMail(mail())).result).toBe('later')
    config.smtpUrl = before
  },
)

it('without a mail server nothing is said to have left in production', async () => {
  const set = config.smtpUrl
  Object.assign(config, { smtpUrl: undefined, production: true })
  try {
    expect(await deliverMail(mail())).toEqual({
      result: 'refused',
      reason: 'No mail server is set up on this server',
      suppressed: null,
    })
  } finally {
    Object.assign(config, { smtpUrl: set, production: false })
  }
})
