import { beforeEach, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { apiFor, runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { statementsApi } from '../../../invoices/statements/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { suppress } from '../../../messages/server/commands.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { cardsApi } from '../../cards/contract.ts'
import { mandateVersion } from '../../cards/rules.ts'
import { cardLinksApi, type LinkWay } from '../contract.ts'

beforeEach(() => {
  setClock(() => new Date('2026-06-10T16:00:00Z'))
  return resetClock
})

const aCustomer = async (own: TestBusiness, email: string | null = 'ann@test.swath.test') => {
  const { customerId } = await aLawn(own)
  await own.db((db) =>
    db.updateTable('customers').set({ email, name: 'Ann Odom' }).where('id', '=', customerId).execute(),
  )
  return customerId
}
const send = (own: TestBusiness, id: string, by: LinkWay = 'hand') =>
  own.api.call(cardLinksApi.send, { params: { id }, body: { by } })
const linkOf = async (own: TestBusiness, id: string) => new URL((await send(own, id)).body.url).pathname
const read = (url: string) => stranger.raw({ method: 'GET', url })
/** The words that a page asks to agree to, as its form sends them. */
const wordsOf = async (path: string) =>
  (/name="mandate" value="([^"]*)"/.exec((await read(path)).text)?.[1] ?? '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
const press = async (url: string, own?: Record<string, string>) => {
  const fields = own ?? { mandate: await wordsOf(url.replace(/\/leave$/, '')) }
  const answer = await stranger.raw({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return { ...answer, page: /url=\/local\/checkout\/([\w]+)/.exec(answer.text)?.[1] ?? '' }
}
const keep = (sessionId: string) =>
  stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
const cardOf = async (own: TestBusiness, id: string) => (await own.api.ok(cardsApi.getCard, { params: { id } })).card
const subjects = async (own: TestBusiness) =>
  (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items.map((m) => m.subject)

it('a card is left by a mailed link without paying, once however often it is told, with the words that were agreed to', async () => {
  const own = await aBusiness()
  const ann = await aCustomer(own)
  const sent = await send(own, ann, 'email')
  expect(sent.body).toMatchObject({ address: 'ann@test.swath.test', expiresAt: '2026-06-24T16:00:00.000Z' })
  await runTasks()
  expect(await subjects(own)).toEqual(['Green Test Lawns: keep a card for your invoices'])
  const path = new URL(sent.body.url).pathname
  const page = await read(path)
  expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(page.text).toContain('I let Green Test Lawns keep this card')
  expect(page.text).toContain('Nothing is charged now')
  const both = await Promise.all([press(`${path}/leave`), press(`${path}/leave`)])
  expect(new Set(both.map((one) => one.page)).size).toBe(1)
  const sessionId = both[0]?.page ?? ''
  expect(await stranger.ok(localPaymentsApi.checkout, { params: { sessionId } })).toMatchObject({
    amountCents: 0,
    keepsOnly: true,
  })
  await Promise.all([keep(sessionId), keep(sessionId)])
  const back = await Promise.all([read(`${path}?done=1`), runTasks(), read(`${path}?done=1`)])
  expect(back[0].text).toContain('Your card is on file. Thank you!')
  await runTasks()
  expect(await cardOf(own, ann)).toMatchObject({
    label: 'Visa ending in 4242',
    autopay: true,
    mandate: { version: mandateVersion, page: 'card', text: expect.stringContaining('I let Green Test Lawns') },
  })
  expect(
    await own.db((db) => db.selectFrom('payments').select('id').where('businessId', '=', own.id).execute()),
  ).toEqual([])
  expect((await subjects(own)).filter((s) => s.includes('is on file'))).toHaveLength(1)
  const news = (await own.api.ok(notificationsApi.list, {})).notifications.map(({ title }) => title)
  expect(news.filter((title) => title === 'Ann Odom left a card')).toHaveLength(1)
  const again = await press(`${path}/leave`)
  expect([again.status, again.page]).toEqual([409, ''])
})

const withPhone = (own: TestBusiness, id: string, phone: string | null, language: 'en' | 'es' = 'en') =>
  own.db((db) => db.updateTable('customers').set({ phone, language }).where('id', '=', id).execute())
const textsOf = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('messages')
      .select(['address', 'bodyText', 'status', 'customerId', 'purpose'])
      .where('businessId', '=', own.id)
      .where('channel', '=', 'sms')
      .orderBy('id')
      .execute(),
  )

it('is asked for by text, once, which leads to the same page, and waits for the morning', async () => {
  const own = await aBusiness()
  const ann = await aCustomer(own)
  await withPhone(own, ann, '(912) 555-0147')
  expect((await own.api.ok(cardsApi.getCard, { params: { id: ann } })).text).toEqual({
    number: '+19125550147',
    why: null,
  })
  const sent = await send(own, ann, 'sms')
  expect(sent.body).toMatchObject({ address: '+19125550147', waitsUntil: null })
  await runTasks()
  const [text] = await textsOf(own)
  expect(text).toMatchObject({ address: '+19125550147', status: 'sent', customerId: ann, purpose: 'transactional' })
  expect(text?.bodyText).toMatch(
    /^Green Test Lawns: leave a card that pays your invoices by itself\. Nothing is charged now\. See and agree: http\S+\/card\/\S+ /,
  )
  const path = new URL(/http\S+/.exec(text?.bodyText ?? '')?.[0] ?? '').pathname
  await keep((await press(`${path}/leave`)).page)
  await runTasks()
  expect((await cardOf(own, ann))?.label).toBe('Visa ending in 4242')
  // nine in the evening where they live
  setClock(() => new Date('2026-06-12T02:00:00Z'))
  const night = await (await apiFor(own.owner)).call(cardLinksApi.send, { params: { id: ann }, body: { by: 'sms' } })
  expect(Date.parse(night.body.waitsUntil ?? '')).toBe(Date.parse('2026-06-12T12:00:00Z'))
  await runTasks()
  expect((await textsOf(own)).at(-1)?.status).toBe('held')
})

it('by text speaks their language, and is refused without a number, after a STOP and where the texts are used up', async () => {
  const own = await aBusiness()
  const ann = await aCustomer(own)
  await withPhone(own, ann, null)
  const none = await send(own, ann, 'sms')
  expect([none.status, none.error.message]).toEqual([409, expect.stringContaining('no mobile number is on file')])
  await withPhone(own, ann, '(912) 555-0147', 'es')
  expect((await send(own, ann, 'sms')).status).toBe(200)
  await runTasks()
  expect((await textsOf(own)).at(-1)?.bodyText).toContain('deje una tarjeta que pague sus facturas por si sola')
  await own.db((db) => suppress(db, 'sms', '+19125550147', 'all', 'They replied STOP'))
  const stopped = await send(own, ann, 'sms')
  expect([stopped.status, stopped.error.message]).toEqual([409, expect.stringContaining('They replied STOP')])
  expect((await own.api.ok(cardsApi.getCard, { params: { id: ann } })).text).toEqual({
    number: null,
    why: 'They replied STOP',
  })
  expect(await textsOf(own)).toHaveLength(1)
})

it('a link that is too old, forged or of another kind takes no card, and other words than were read are not agreed to', async () => {
  const own = await aBusiness()
  const ann = await aCustomer(own)
  const path = await linkOf(own, ann)
  expect((await read(`${path.slice(0, -1)}_`)).status).toBe(404)
  expect((await press(`${path.slice(0, -1)}_/leave`)).status).toBe(404)
  const words = await wordsOf(path)
  await own.db((db) =>
    db.updateTable('businesses').set({ autopayNoticeDays: 1 }).where('businessId', '=', own.id).execute(),
  )
  const other = await press(`${path}/leave`, { mandate: words })
  expect([other.status, other.page, other.text.includes('The terms changed')]).toEqual([409, '', true])
  setClock(() => new Date('2026-06-24T16:00:01Z'))
  expect((await read(path)).text).toContain('This link is too old')
  const late = await press(`${path}/leave`)
  expect([late.status, late.page]).toEqual([409, ''])
})

it('hands out no page of the provider in its last minute: the next one takes the card', async () => {
  const own = await aBusiness()
  const path = await linkOf(own, await aCustomer(own))
  const [first, again] = [await press(`${path}/leave`), await press(`${path}/leave`)]
  expect(again.page).toBe(first.page)
  await database()
    .updateTable('localCheckoutSessions')
    .set({ expiresAt: new Date(clock.nowMs() + 30_000).toISOString() })
    .where('id', '=', first.page)
    .execute()
  const next = await press(`${path}/leave`)
  expect(next.page).not.toBe(first.page)
  expect([(await keep(first.page)).status, (await keep(next.page)).status]).toEqual([409, 200])
})

it('is refused without an e-mail, for somebody else’s customer, and offered on the statement until a card is there', async () => {
  const [own, other] = [await aBusiness(), await aBusiness()]
  const ann = await aCustomer(own, null)
  const refused = await send(own, ann, 'email')
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('no e-mail')])
  expect((await send(other, ann)).status).toBe(404)
  const statement = new URL((await own.api.ok(statementsApi.link, { params: { id: ann } })).url).pathname
  // each charge is announced: who is reached by nothing is not asked for a card
  expect((await read(statement)).text).not.toContain('Leave a card')
  await own.db((db) =>
    db.updateTable('customers').set({ email: 'ann@test.swath.test' }).where('businessId', '=', own.id).execute(),
  )
  expect((await read(statement)).text).toContain('Leave a card')
  const { headers, status } = await press(`${statement}/card`, {})
  expect(status).toBe(303)
  const path = String(headers.location)
  const { page } = await press(`${path}/leave`)
  await keep(page)
  await runTasks()
  expect((await cardOf(own, ann))?.label).toBe('Visa ending in 4242')
  expect((await read(statement)).text).not.toContain('Leave a card')
})
