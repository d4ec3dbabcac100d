import { afterEach, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { apiFor } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { choicesApi } from '../../notifications/choices/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { notifyOffice, notifyUsers } from '../../notifications/server/commands.ts'
import { sendDigests } from './tasks.ts'

/** What somebody of the office hears of by the bell and by mail. */

afterEach(resetClock)

const anAdmin = (business: TestBusiness) => aPerson(business.id, 'Admin')
const tell = (business: TestBusiness, type: 'invoice' | 'quote' | 'system', title: string) =>
  business.db((db) => notifyOffice(db, { type, title, path: '/jobs?tab=invoices', dedupeKey: title }))
const bell = async (business: TestBusiness) => {
  const { notifications, unreadCount } = await (await apiFor(business.owner)).ok(notificationsApi.list, {})
  return [unreadCount, ...notifications.map(({ title }) => title)]
}
const mails = (business: TestBusiness) =>
  business.db((db) =>
    db
      .selectFrom('messages')
      .select(['address', 'subject', 'bodyText', 'userId'])
      .where('businessId', '=', business.id)
      .where('dedupeKey', 'like', 'digest:%')
      .orderBy('createdAt')
      .execute(),
  )
const choose = async (
  business: TestBusiness,
  topic: 'money' | 'quotes' | 'needsYou',
  way: 'bell' | 'mail',
  on: boolean,
) => (await apiFor(business.owner)).call(choicesApi.choose, { body: { topic, way, on } })
const digests = (business: TestBusiness) => sendDigests(systemActor(business.id))
const at = (instant: string) => setClock(() => new Date(instant))

it('hears of everything on the bell and gets no mail, until somebody chooses otherwise', async () => {
  const business = await aBusiness()
  expect(await (await apiFor(business.owner)).ok(choicesApi.own, {})).toMatchObject({
    bellOff: [],
    mailOff: [],
    digestHour: null,
  })
  await tell(business, 'invoice', 'A charge failed')
  expect(await bell(business)).toEqual([1, 'A charge failed'])
  await digests(business)
  expect(await mails(business)).toEqual([])
})

it('leaves a kind off the bell for who wants none of it, and for nobody else; a changed mind brings the next ones', async () => {
  const business = await aBusiness()
  const admin = await anAdmin(business)
  for (let n = 0; n < 2; n += 1) expect((await choose(business, 'money', 'bell', false)).status).toBe(200)
  await tell(business, 'invoice', 'A charge failed')
  await tell(business, 'quote', 'Maria Lopez signed')
  expect(await bell(business)).toEqual([1, 'Maria Lopez signed'])
  expect((await (await apiFor(admin)).ok(notificationsApi.list, {})).unreadCount).toBe(2)
  expect((await (await apiFor(admin)).ok(choicesApi.own, {})).bellOff).toEqual([])
  await choose(business, 'money', 'bell', true)
  await tell(business, 'invoice', 'Another charge failed')
  expect(await bell(business)).toEqual([2, 'Another charge failed', 'Maria Lopez signed'])
})

it('keeps what needs somebody on the bell, and a crew from choosing', async () => {
  const business = await aBusiness()
  const refused = await choose(business, 'needsYou', 'bell', false)
  expect([refused.status, refused.error.errors]).toEqual([
    422,
    [{ path: 'topic', message: 'What needs you always stands on the bell.' }],
  ])
  expect((await choose(business, 'needsYou', 'mail', false)).status).toBe(200)
  const crew = await business.employee()
  expect((await crew.api.call(choicesApi.own, {})).status).toBe(403)
  expect((await (await apiFor(business.owner)).call(choicesApi.digest, { body: { hour: 24 } })).status).toBe(422)
})

it('mails once a day at its hour what was not read, with what the bell does not show and without what the mail leaves out', async () => {
  // a summer day in New York: 9 AM, and the mail is wanted at 5 PM
  at('2026-06-10T13:00:00Z')
  const business = await aBusiness()
  const admin = await anAdmin(business)
  await tell(business, 'system', 'Told before the mail was wanted')
  at('2026-06-10T13:30:00Z')
  expect((await (await apiFor(business.owner)).ok(choicesApi.digest, { body: { hour: 17 } })).digestHour).toBe(17)
  await choose(business, 'quotes', 'mail', false)
  await choose(business, 'money', 'bell', false)
  at('2026-06-10T14:00:00Z')
  await tell(business, 'invoice', 'A charge failed')
  await tell(business, 'quote', 'Maria Lopez signed')
  await tell(business, 'system', 'Read by then')
  await tell(business, 'system', 'A truck is down')
  const { notifications } = await (await apiFor(business.owner)).ok(notificationsApi.list, {})
  const read = notifications.find(({ title }) => title === 'Read by then')
  await (await apiFor(business.owner)).ok(notificationsApi.markRead, { body: { notificationIds: read?._id } })
  at('2026-06-10T20:59:00Z')
  await digests(business)
  expect(await mails(business)).toEqual([])
  at('2026-06-10T21:02:00Z')
  await Promise.all([digests(business), digests(business)])
  await digests(business)
  const [mail, ...more] = await mails(business)
  expect(more).toEqual([])
  expect(mail?.subject).toMatch(/^2 things you have not read, /)
  expect(mail?.bodyText).toMatch(/Invoices and payments\n\n- A charge failed\n {2}Wed, Jun 10, 10:00 AM\n {2}http/)
  expect(mail?.bodyText).toContain('A truck is down')
  expect(mail?.bodyText).not.toMatch(/Maria Lopez|Read by then|Told before/)
  expect(mail?.userId).not.toBe(admin.userId)
  // nothing new is no mail; what came since is in the next one, also where a night without power ended late
  at('2026-06-11T21:02:00Z')
  await digests(business)
  expect(await mails(business)).toHaveLength(1)
  await tell(business, 'invoice', 'Another charge failed')
  at('2026-06-12T23:40:00Z')
  await digests(business)
  const [, next] = await mails(business)
  expect(next?.bodyText).toContain('Another charge failed')
  expect(next?.bodyText).not.toContain('A truck is down')
})

it('leaves first the next time that its hour strikes, and never for who ended it or is gone', async () => {
  at('2026-06-10T23:00:00Z')
  const business = await aBusiness()
  const admin = await anAdmin(business)
  await (await apiFor(business.owner)).ok(choicesApi.digest, { body: { hour: 6 } })
  await (await apiFor(admin)).ok(choicesApi.digest, { body: { hour: 6 } })
  at('2026-06-10T23:30:00Z')
  await business.db((db) =>
    notifyUsers(db, [business.owner.userId, admin.userId], { type: 'system', title: 'News', dedupeKey: 'news' }),
  )
  await digests(business)
  expect(await mails(business)).toEqual([])
  await (await apiFor(business.owner)).ok(choicesApi.digest, { body: { hour: null } })
  await business.db((db) =>
    db.updateTable('users').set({ status: 'disabled' }).where('id', '=', admin.userId).execute(),
  )
  at('2026-06-11T10:05:00Z')
  await digests(business)
  expect(await mails(business)).toEqual([])
})

it('names a hundred in a mail and keeps the rest for the next one', async () => {
  at('2026-06-10T13:00:00Z')
  const business = await aBusiness()
  await (await apiFor(business.owner)).ok(choicesApi.digest, { body: { hour: 17 } })
  const titles = Array.from({ length: 103 }, (_, n) => `News ${String(n + 1).padStart(3, '0')}`)
  await business.db(async (db) => {
    for (const [n, title] of titles.entries()) {
      at(new Date(Date.parse('2026-06-10T14:00:00Z') + n * 60_000).toISOString())
      await notifyUsers(db, [business.owner.userId], { type: 'system', title, dedupeKey: title })
    }
  })
  const named = (text = '') => [...text.matchAll(/News \d{3}/g)].map(([title]) => title)
  at('2026-06-10T21:02:00Z')
  await digests(business)
  const [first] = await mails(business)
  expect(first?.subject).toMatch(/^103 things you have not read, /)
  expect(first?.bodyText).toContain('3 more things, newer than these, stand in the next mail.')
  expect(named(first?.bodyText)).toEqual(titles.slice(0, 100).toReversed())
  at('2026-06-11T21:02:00Z')
  await digests(business)
  const [, second] = await mails(business)
  expect([second?.subject?.slice(0, 27), named(second?.bodyText)]).toEqual([
    '3 things you have not read,',
    titles.slice(100).toReversed(),
  ])
})
