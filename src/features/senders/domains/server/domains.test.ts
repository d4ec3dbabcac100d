import { Resolver } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import { authenticate } from 'mailauth'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { newId } from '../../../../platform/ids.ts'
import { decryptField } from '../../../../platform/keys.ts'
import { runTasks } from '../../../../test/api.ts'
import { aCustomer, office } from '../../../../test/cards.ts'
import { aNameServer } from '../../../../test/dns.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { type Outgoing, queueMessage } from '../../../messages/server/commands.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { type Sender, senderApi } from '../contract.ts'
import { lookAgain, removeSenderTx } from './commands.ts'

const dns = aNameServer()
const received: { from: string; raw: string }[] = []
let takesOwn = true

// A mail server that takes everything, or only what is from Swath's own address, as a relay that knows its senders does.
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: async (stream, session, done) => {
    let raw = ''
    for await (const chunk of stream) raw += chunk
    if (!takesOwn && !raw.includes(`<${config.mailFrom}>`) && !raw.includes(`From: ${config.mailFrom}`))
      return done(Object.assign(new Error('5.7.1 Sender is not verified'), { responseCode: 554 }))
    received.push({ from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '', raw })
    done()
  },
})
const before = config.smtpUrl
beforeAll(async () => {
  await new Promise<void>((ready) => smtp.listen(0, '127.0.0.1', ready))
  config.smtpUrl = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`
})
afterAll(() => {
  config.smtpUrl = before
  smtp.close()
})
beforeEach(() => {
  received.length = 0
  takesOwn = true
})
afterEach(resetClock)

const later = (hours: number) => {
  const then = clock.nowMs() + hours * 3_600_000
  setClock(() => new Date(then))
}

/** A domain of its own for each test: what one proved is taken for all others. */
const aDomain = () => `${newId().slice(-12)}.test`
const add = (own: TestBusiness, address: string) => own.api.ok(senderApi.add, { body: { address } })
// a token of now: hours have passed for some of them
const check = async (own: TestBusiness) => (await office(own)).ok(senderApi.check, {})
const get = async (own: TestBusiness) => (await office(own)).ok(senderApi.get, {})
const recordOf = ({ own }: Sender, kind: string) => {
  const found = own?.records.find((one) => one.kind === kind)
  if (!found) throw new Error(`there is no record ${kind}`)
  return found
}
const setRecord = (sender: Sender, kind: string) => {
  const { name, value } = recordOf(sender, kind)
  dns.set(name, value ?? '')
}
const ownOf = ({ own }: Sender) => {
  if (!own) throw new Error('there is no own domain')
  return own
}

const proven = async (own: TestBusiness, address = `office@${aDomain()}`): Promise<Sender> => {
  const sender = await add(own, address)
  for (const kind of ['owner', 'key']) setRecord(sender, kind)
  const now = await check(own)
  expect(now.own?.state).toBe('live')
  return now
}

const mailOut = async (own: TestBusiness, changes: Partial<Outgoing> = {}) => {
  const id = await own.db((db) =>
    queueMessage(db, {
      channel: 'email',
      purpose: 'transactional',
      address: `${newId()}@test.swath.test`,
      dedupeKey: newId(),
      subject: 'Your lawn, tomorrow – “Tuesday”',
      text: 'Hi\n.\nSee you tomorrow.',
      ...changes,
    }),
  )
  await runTasks()
  const message = await (await office(own)).ok(messagesApi.get, { params: { id } })
  return { message, got: received.at(-1) }
}

/** What a receiver makes of a mail, by a library of its own that asks the same name server. */
const verify = async (raw: string) => {
  const resolver = new Resolver()
  resolver.setServers([dns.address()])
  const { dkim, dmarc } = await authenticate(raw, {
    ip: '127.0.0.1',
    sender: 'bounce@in.swath.example',
    mta: 'mx.test',
    resolver: (name, type) => resolver.resolve(name, type) as Promise<string[][]>,
  })
  const [one] = dkim.results
  return {
    count: dkim.results.filter(({ status }) => status.result !== 'none').length,
    result: one?.status.result,
    domain: one?.signingDomain,
    selector: one?.selector,
    dmarc: dmarc ? dmarc.status.result : null,
    signed: /\bh=([^;]+);/.exec(raw.replace(/\r\n\s+/g, ''))?.[1] ?? '',
  }
}
const fromOf = (raw = '') => /^From: (.*)$/m.exec(raw)?.[1]?.trim()
const bell = async (own: TestBusiness) =>
  (await (await office(own)).ok(notificationsApi.list, {})).notifications.map(({ title }) => title)

describe('an address', () => {
  it.each([
    ['office', 'Write an address'],
    ['office@lawns', 'Write an address'],
    ['off ice@lawns.com', 'Write an address'],
    ['office@1.2.3.4', 'Write an address'],
    ['office@lawns.com\r\nBcc: x@y.test', 'Write an address'],
    ['office@GMail.com', 'Anybody can have a mailbox at gmail.com'],
    ['office@swath.example', 'belongs to Swath'],
    ['office@mail.swath.example', 'belongs to Swath'],
  ])('%s is refused in words and changes nothing', async (address, words) => {
    const own = await aBusiness()
    const answer = await own.api.call(senderApi.add, { body: { address } })
    expect([answer.status, answer.error.errors?.[0]?.path]).toEqual([422, 'address'])
    expect(answer.error.errors?.[0]?.message).toContain(words)
    expect((await get(own)).own).toBeNull()
  })

  it('with letters beyond a to z is kept as mail writes it and shown as people do', async () => {
    const own = await aBusiness()
    const sender = ownOf(await add(own, 'Office@Bücher.Example'))
    expect([sender.address, sender.shownDomain]).toEqual(['office@xn--bcher-kva.example', 'bücher.example'])
  })

  it('is one a business, can change before the @, and only who may change settings does', async () => {
    const own = await aBusiness()
    const domain = aDomain()
    const { version } = ownOf(await add(own, `office@${domain}`))
    expect((await own.api.call(senderApi.add, { body: { address: `x@${aDomain()}` } })).status).toBe(409)
    const changed = await own.api.ok(senderApi.change, { body: { address: `hello@${domain}`, version } })
    expect(changed.own?.address).toBe(`hello@${domain}`)
    expect((await own.api.call(senderApi.change, { body: { address: `a@${domain}`, version } })).status).toBe(409)
    const other = await own.api.call(senderApi.change, {
      body: { address: `a@${aDomain()}`, version: ownOf(changed).version },
    })
    expect(other.error.errors?.[0]?.message).toContain(`before @${domain}`)
    const crew = await own.employee()
    expect((await crew.api.call(senderApi.get, {})).status).toBe(403)
    const admin = await own.admin()
    await own.db((db) =>
      db
        .updateTable('users')
        .set({ permissions: [] })
        .where('businessId', '=', own.id)
        .where('id', '=', admin.userId)
        .execute(),
    )
    expect((await admin.api.ok(senderApi.get, {})).can).toMatchObject({ check: false, remove: false })
    expect((await admin.api.call(senderApi.check, {})).status).toBe(403)
  })

  it('at a domain that another business writes from is refused, without saying whose', async () => {
    const [first, second, third] = [await aBusiness({ name: 'Oak Lawns' }), await aBusiness(), await aBusiness()]
    const domain = aDomain()
    const waiting = await add(second, `us@${domain}`)
    const { version } = ownOf(await proven(first, `office@${domain}`))
    const answer = await third.api.call(senderApi.add, { body: { address: `x@${domain}` } })
    expect(answer.error.errors?.[0]?.message).toContain('in use at Swath already')
    expect(answer.text).not.toContain('Oak')
    // who was waiting for the same domain finds everything, and still does not get it
    for (const kind of ['owner', 'key']) setRecord(waiting, kind)
    expect((await check(second)).own).toMatchObject({ state: 'waiting', taken: true })
    await first.api.ok(senderApi.remove, { body: { version } })
    expect((await check(second)).own).toMatchObject({ state: 'live', taken: false })
  })
})

describe('the records', () => {
  it('are asked of DNS, and each says where it stands', async () => {
    const own = await aBusiness()
    const domain = aDomain()
    const asked = await add(own, `office@mail.${domain}`)
    expect(asked.own?.records.map(({ kind, needed, state }) => [kind, needed, state])).toEqual([
      ['owner', true, 'open'],
      ['key', true, 'open'],
      ['spf', false, 'open'],
      ['dmarc', false, 'open'],
    ])
    expect(recordOf(asked, 'key').value).toMatch(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/=]{380,}$/)
    const states = async () => (await check(own)).own?.records.map(({ state }) => state)
    expect(await states()).toEqual(['missing', 'missing', 'missing', 'missing'])
    dns.away(true)
    const away = await check(own)
    expect(away.own?.records.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
    expect(recordOf(away, 'key').words).toContain('try again')
    dns.away(false)
    dns.set(recordOf(asked, 'owner').name, 'google-site-verification=1', recordOf(asked, 'owner').value ?? '')
    dns.set(recordOf(asked, 'key').name, 'v=DKIM1; p=Another')
    dns.set(`mail.${domain}`, 'v=spf1 mx -all', 'v=spf1 ~all')
    // a policy of the domain above counts for those below
    dns.set(`_dmarc.${domain}`, 'v=DMARC1; p=reject; adkim=s')
    const mixed = await check(own)
    expect(mixed.own?.records.map(({ state }) => state)).toEqual(['found', 'other', 'wrong', 'found'])
    expect(recordOf(mixed, 'key').there).toEqual(['v=DKIM1; p=Another'])
    expect(recordOf(mixed, 'spf').words).toContain('2 SPF records')
    expect(recordOf(mixed, 'dmarc').words).toContain('refuse what is not signed')
    expect(mixed.own?.state).toBe('waiting')
    // the key behind another name, as some providers want it
    dns.set('key.elsewhere.test', recordOf(asked, 'key').value ?? '')
    dns.alias(recordOf(asked, 'key').name, 'key.elsewhere.test')
    expect((await check(own)).own?.state).toBe('live')
  })

  it('of SPF are counted through what they include', async () => {
    const own = await aBusiness()
    const domain = aDomain()
    await add(own, `office@${domain}`)
    dns.set(domain, 'v=spf1 include:a.test include:b.test mx a ~all')
    dns.set('a.test', 'v=spf1 include:c.test a:x.test mx exists:y.test -all')
    dns.set('b.test', 'v=spf1 ptr redirect=c.test')
    dns.set('c.test', 'v=spf1 ip4:10.0.0.1 -all')
    expect(recordOf(await check(own), 'spf')).toMatchObject({
      state: 'other',
      value: 'v=spf1 include:spf.swath.example include:a.test include:b.test mx a ~all',
    })
    // one more question than is allowed
    dns.set('c.test', 'v=spf1 a -all')
    expect(recordOf(await check(own), 'spf')).toMatchObject({
      state: 'wrong',
      words: expect.stringContaining('more than 10'),
    })
  })

  it('are looked for as soon as ever, however often somebody presses', async () => {
    const own = await aBusiness()
    await add(own, `office@${aDomain()}`)
    for (let press = 0; press < 6; press++) await check(own)
    expect(Date.parse(ownOf(await get(own)).nextLookAt ?? '') - clock.nowMs()).toBeLessThanOrEqual(3_600_000)
  })

  it('are looked for by themselves, and the bell says when mail begins to leave from the address', async () => {
    const own = await aBusiness()
    const sender = await add(own, `office@${aDomain()}`)
    await lookAgain(own.id)
    expect((await get(own)).own?.checkedAt).toBeNull()
    later(1.1)
    await lookAgain(own.id)
    expect((await get(own)).own).toMatchObject({ state: 'waiting', checkedAt: clock.iso() })
    for (const kind of ['owner', 'key']) setRecord(sender, kind)
    later(1.1)
    await lookAgain(own.id)
    expect((await get(own)).own?.state).toBe('live')
    expect(await bell(own)).toContain(`Mail now leaves from ${sender.own?.address}`)
  })
})

describe('mail', () => {
  it('leaves from Swath’s address until the domain is proven, then from its own with a signature that a receiver finds good', async () => {
    const own = await aBusiness()
    const domain = aDomain()
    await add(own, `office@${domain}`)
    const first = await mailOut(own)
    expect(fromOf(first.got?.raw)).toContain(config.mailFrom)
    expect((await verify(first.got?.raw ?? '')).count).toBe(0)
    const { version } = ownOf(await get(own))
    await own.api.ok(senderApi.remove, { body: { version } })
    const sender = await proven(own, `office@${domain}`)
    dns.set(`_dmarc.${domain}`, 'v=DMARC1; p=reject; adkim=s')
    const { message, got } = await mailOut(own, { customerId: await aCustomer(own) })
    expect(message).toMatchObject({ status: 'sent', sentFrom: `office@${domain}` })
    expect(fromOf(got?.raw)).toBe(`${'Green Test Lawns'} <office@${domain}>`)
    const verdict = await verify(got?.raw ?? '')
    expect(verdict).toMatchObject({ count: 1, result: 'pass', domain, dmarc: 'pass' })
    expect(recordOf(sender, 'key').name).toBe(`${verdict.selector}._domainkey.${domain}`)
    // answers and bounces still come back to us
    expect(got?.raw).toMatch(/^Reply-To:\s+r[0-9a-z]{62}@in\.swath\.example/m)
    expect(got?.from).toMatch(/^b[0-9a-z]{62}@in\.swath\.example$/)
    // one changed letter of the words or of a signed line, and the signature is none
    const changed = async (from: string, to: string) => (await verify((got?.raw ?? '').replace(from, to))).result
    expect(await changed('See you', 'See me')).toBe('neutral')
    expect(await changed('Your_lawn', 'Your_lamp')).toBe('fail')
    // mail of the account is from Swath
    expect(fromOf((await mailOut(own, { purpose: 'account', userId: own.owner.userId })).got?.raw)).toContain(
      config.mailFrom,
    )
  })

  it('goes back to Swath’s address when the key’s record is gone twice; nothing is lost, and the office is told', async () => {
    const own = await aBusiness()
    const sender = await proven(own)
    const address = ownOf(sender).address
    dns.remove(recordOf(sender, 'key').name)
    later(25)
    await lookAgain(own.id)
    expect((await get(own)).own).toMatchObject({ state: 'live', isMissing: true })
    expect((await mailOut(own)).message.sentFrom).toBe(address)
    dns.away(true)
    later(1.1)
    await lookAgain(own.id)
    expect((await get(own)).own?.state).toBe('live')
    dns.away(false)
    later(1.1)
    await lookAgain(own.id)
    expect(await get(own)).toMatchObject({ own: { state: 'lapsed' }, leavesFrom: config.mailFrom })
    const { message, got } = await mailOut(own)
    expect(message).toMatchObject({ status: 'sent', sentFrom: config.mailFrom })
    expect((await verify(got?.raw ?? '')).count).toBe(0)
    expect(await bell(own)).toContain(`Mail does not leave from ${address} any more`)
    // set again it is found by itself
    setRecord(sender, 'key')
    later(1.1)
    await lookAgain(own.id)
    expect((await mailOut(own)).message.sentFrom).toBe(address)
  })

  it('that the mail server does not take from the address leaves from Swath’s at once', async () => {
    const own = await aBusiness()
    const { address } = ownOf(await proven(own))
    takesOwn = false
    const { message, got } = await mailOut(own)
    expect(message).toMatchObject({ status: 'sent', sentFrom: config.mailFrom })
    expect(received).toHaveLength(1)
    expect(fromOf(got?.raw)).toContain(config.mailFrom)
    expect((await get(own)).own?.refused?.reason).toContain('Sender is not verified')
    expect(await bell(own)).toContain(`The mail server does not take mail from ${address}`)
    takesOwn = true
    expect((await mailOut(own)).message.sentFrom).toBe(config.mailFrom)
    await check(own)
    expect((await mailOut(own)).message.sentFrom).toBe(address)
  })

  it('is not held up by a key that cannot be read', async () => {
    const own = await aBusiness()
    await proven(own)
    await own.db((db) =>
      db.updateTable('senderDomainKeys').set({ privateCipher: 'k9.broken' }).where('businessId', '=', own.id).execute(),
    )
    expect((await mailOut(own)).message).toMatchObject({ status: 'sent', sentFrom: config.mailFrom })
  })
})

describe('a key', () => {
  const keysOf = (own: TestBusiness) =>
    own.db((db) =>
      db.selectFrom('senderDomainKeys').selectAll().where('businessId', '=', own.id).orderBy('createdAt').execute(),
    )

  it('is kept encrypted and shown to nobody', async () => {
    const own = await aBusiness()
    const sender = await proven(own)
    const [key] = await keysOf(own)
    expect(key?.privateCipher).not.toContain('PRIVATE KEY')
    expect(decryptField(key?.privateCipher ?? '')).toContain('BEGIN PRIVATE KEY')
    expect(JSON.stringify(sender)).not.toContain(key?.privateCipher)
  })

  it('is changed only when the record of the new one was seen, and the old one is deleted then', async () => {
    const own = await aBusiness()
    const first = await proven(own)
    const oldName = recordOf(first, 'key').name
    const rotating = await own.api.ok(senderApi.rotate, { body: { version: ownOf(first).version } })
    const newName = recordOf(rotating, 'nextKey').name
    expect(newName).not.toBe(oldName)
    expect((await own.api.call(senderApi.rotate, { body: { version: ownOf(rotating).version } })).status).toBe(409)
    const selector = async () => (await verify((await mailOut(own)).got?.raw ?? '')).selector
    expect(oldName).toContain(await selector())
    await check(own)
    expect(oldName).toContain(await selector())
    setRecord(rotating, 'nextKey')
    const rotated = await check(own)
    expect(recordOf(rotated, 'key').name).toBe(newName)
    expect(rotated.own?.retired?.name).toBe(oldName)
    expect(newName).toContain(await selector())
    expect((await keysOf(own)).map(({ state, privateCipher }) => [state, privateCipher === null])).toEqual([
      ['retired', true],
      ['signing', false],
    ])
  })

  it('that was made by mistake is dropped, and the old one goes on', async () => {
    const own = await aBusiness()
    const first = await proven(own)
    const rotating = await own.api.ok(senderApi.rotate, { body: { version: ownOf(first).version } })
    const kept = await own.api.ok(senderApi.keepKey, { body: { version: ownOf(rotating).version } })
    expect(recordOf(kept, 'key').name).toBe(recordOf(first, 'key').name)
    expect(kept.own?.records.some(({ kind }) => kind === 'nextKey')).toBe(false)
  })

  it('goes with the address: removed, and when the business closes', async () => {
    const own = await aBusiness()
    const { version } = ownOf(await proven(own))
    expect((await own.api.call(senderApi.remove, { body: { version: version - 1 } })).status).toBe(409)
    const gone = await own.api.ok(senderApi.remove, { body: { version } })
    expect(gone).toMatchObject({ own: null, leavesFrom: config.mailFrom, can: { add: true, remove: false } })
    expect(await keysOf(own)).toEqual([])
    expect((await mailOut(own)).message.sentFrom).toBe(config.mailFrom)
    const other = await aBusiness()
    const { domain } = ownOf(await proven(other))
    await other.db((db) => removeSenderTx(db, { kind: 'system', businessId: other.id } as never))
    expect(await keysOf(other)).toEqual([])
    await proven(own, `office@${domain}`)
  })
})
