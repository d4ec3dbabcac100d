import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
      'shut@oak.test': [550, '5.2.1 Mailbox disabled'],
      'full@oak.test': [552, '5.2.2 Mailbox full'],
      'relay@oak.test': [550, 'relay not permitted'],
      'policy@oak.test': [550, '5.7.1 Seen from 5.1.1.20'],
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
  ['shut@oak.test', { result: 'refused', suppressed: 'The mail server says this address does not exist' }],
  ['full@oak.test', { result: 'refused', suppressed: null }],
  ['relay@oak.test', { result: 'refused', suppressed: null }],
  ['policy@oak.test', { result: 'refused', suppressed: null }],
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

describe('a mail server', () => {
  const hello = '250-mx\r\n250 AUTH PLAIN'
  const takesAll = {
    '': '220 mx',
    EHLO: hello,
    AUTH: '235 ok',
    MAIL: '250 ok',
    RCPT: '250 ok',
    DATA: '354 go on',
    '.': '250 stored',
  }

  /** Hands a mail to a server that says these words to these commands; with none it does `silent` instead. '' is the greeting, '.' the end of the mail. */
  const handTo = async (
    says: Record<string, string | undefined>,
    silent: (socket: Socket) => void = (socket) => socket.destroy(),
    user = '',
  ) => {
    const spoken: Record<string, string | undefined> = { ...takesAll, ...says }
    const one = createServer((socket) => {
      let inData = false
      const answer = (command: string) => {
        const words = spoken[command]
        if (words) socket.write(`${words}\r\n`)
        else silent(socket)
        inData = words?.startsWith('354') ?? false
      }
      let read = ''
      socket.on('error', () => undefined)
      socket.on('data', (piece) => {
        read += piece
        for (let end = read.indexOf('\r\n'); end >= 0; end = read.indexOf('\r\n')) {
          const line = read.slice(0, end)
          read = read.slice(end + 2)
          if (line === '.') answer('.')
          else if (!inData) answer(line.split(' ')[0] ?? '')
        }
      })
      answer('')
    })
    await new Promise<void>((ready) => one.listen(0, '127.0.0.1', ready))
    const before = config.smtpUrl
    config.smtpUrl = `smtp://${user}127.0.0.1:${(one.address() as AddressInfo).port}`
    try {
      return await deliverMail(mail())
    } finally {
      config.smtpUrl = before
      one.close()
    }
  }
  const reset = (socket: Socket) => socket.resetAndDestroy()

  it('that says yes has it', async () => {
    expect((await handTo({})).result).toBe('accepted')
  })

  it('that is lost after the whole mail may have it: that is thrown, so nobody sends it twice', async () => {
    await expect(handTo({ '.': undefined })).rejects.toThrow('Connection closed unexpectedly')
    await expect(handTo({ '.': undefined }, reset)).rejects.toThrow('ECONNRESET')
    await expect(handTo({ MAIL: undefined })).rejects.toThrow('Connection closed unexpectedly')
  })

  it('that is lost before the mail began has nothing of it: it is tried again', async () => {
    expect((await handTo({ '': undefined })).result).toBe('later')
    expect((await handTo({ EHLO: undefined }, reset)).result).toBe('later')
  })

  it.each([
    ['our password', { AUTH: '535 5.7.8 Bad credentials' }],
    ['our server', { '': '554 5.7.1 No service for you' }],
    ['our sender', { MAIL: '550 5.1.8 Sender unknown' }],
    ['a sender without a password', { MAIL: '530 5.7.0 Authentication required' }],
  ])('that says no to %s is asked again, and no address of a customer pays for it', async (_, says) => {
    expect((await handTo(says, undefined, 'me:wrong@')).result).toBe('later')
  })

  it('that finds a mail too large has refused that mail', async () => {
    expect(await handTo({ MAIL: '552 5.3.4 Too large' })).toMatchObject({ result: 'refused', suppressed: null })
    expect(await handTo({ '.': '550 5.1.1 Not here' })).toMatchObject({ result: 'refused', suppressed: null })
  })
})

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
