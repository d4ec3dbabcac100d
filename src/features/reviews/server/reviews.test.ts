import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { contactsApi } from '../../customers/contacts/contract.ts'
import { customersApi } from '../../customers/contract.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { messagesApi } from '../../messages/contract.ts'
import { queueMessage, recordConsent, suppress } from '../../messages/server/commands.ts'
import { businessOutbox } from '../../messages/server/delivery/commands.ts'
import { sendFromOutbox } from '../../messages/server/outbox/commands.ts'
import { tasksApi } from '../../tasks/contract.ts'
import { askForReviews, askTx, recallAsks } from '../asking/server/commands.ts'
import { publicReviewsApi, reviewSettingsApi, reviewsApi } from '../contract.ts'

let business: TestBusiness
let slug: string
/** A Friday noon. */
const noon = Date.parse('2026-06-12T16:00:00Z')
const at = (ms: number) => setClock(() => new Date(ms))
const hours = (n: number) => n * 3_600_000
const phoneOf = (n: number) => `+1912555${String(1000 + n)}`

const settle = async (change: object) => {
  const { version } = await business.api.ok(reviewSettingsApi.get, {})
  return business.api.ok(reviewSettingsApi.save, { body: { version, ...change } })
}
/** A visit that was done so many hours before noon, of a customer with an e-mail. */
const done = async (hoursAgo: number, customer: object = {}) => {
  const made = await aVisit(business, { customer: 'Rosa Marsh', day: '2026-06-12', status: 'completed' })
  await business.db(async (db) => {
    await db
      .updateTable('visits')
      .set({ finishedAt: new Date(noon - hours(hoursAgo)).toISOString() })
      .where('businessId', '=', business.id)
      .where('id', '=', made.visitId)
      .execute()
    await db
      .updateTable('customers')
      .set({ email: `rosa-${made.customerId.slice(-6)}@test.swath.test`, ...customer })
      .where('businessId', '=', business.id)
      .where('id', '=', made.customerId)
      .execute()
  })
  return made
}
const ask = () => askForReviews(systemActor(business.id))
const sent = async () =>
  (
    await business.db((db) =>
      db
        .selectFrom('messages')
        .select(['channel', 'address', 'subject', 'bodyText', 'status', 'customerId'])
        .where('businessId', '=', business.id)
        .where('entityType', '=', 'review_ask')
        .orderBy('id')
        .execute(),
    )
  ).map((row) => ({ ...row, path: /\/review\/[\w-]{43}/.exec(row.bodyText)?.[0] ?? '' }))

const send = (path: string, fields: Record<string, string>) =>
  stranger.raw({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
const look = async (path: string) => stranger.raw({ method: 'GET', url: path })
/** Somebody who was asked; the path of their page. */
const asked = async (customer: object = {}) => {
  const made = await done(30, customer)
  await ask()
  const path = (await sent()).find(({ customerId }) => customerId === made.customerId)?.path ?? ''
  return { ...made, path }
}
const onPage = (cursor?: string) =>
  stranger.ok(publicReviewsApi.list, { params: { slug }, query: cursor ? { cursor } : {} })
const reviews = async (show: 'all' | 'low' | 'hidden' | 'private' | 'unanswered' = 'all') =>
  (await business.api.ok(reviewsApi.list, { query: { show } })).items
const theReview = async () => {
  const [review] = await reviews()
  if (!review) throw new Error('no review')
  return review
}

beforeEach(async () => {
  at(noon)
  business = await aBusiness({ name: 'Marsh Side Lawns' })
  ;({ slug } = await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ publicPage: true })
      .where('businessId', '=', business.id)
      .returning('slug')
      .executeTakeFirstOrThrow(),
  ))
  await settle({ enabled: true })
  // switched on ten days ago
  await business.db((db) =>
    db
      .updateTable('reviewSettings')
      .set({ enabledAt: new Date(noon - hours(240)).toISOString() })
      .where('businessId', '=', business.id)
      .execute(),
  )
})
afterEach(resetClock)

describe('asking', () => {
  it('is off until somebody switches it on, and then only for visits that are done after', async () => {
    await settle({ enabled: false })
    await done(30)
    await ask()
    expect(await sent()).toEqual([])
    await settle({ enabled: true })
    await ask()
    expect(await sent()).toEqual([])
    at(noon + hours(26))
    await done(-1)
    await ask()
    expect(await sent()).toHaveLength(1)
  })

  it('comes once after the hours that were set, not twice by two processes, and not again for so many days', async () => {
    const { customerId, visitId } = await done(23)
    await ask()
    expect(await sent()).toEqual([])
    at(noon + hours(2))
    await Promise.all([ask(), ask(), ask()])
    await ask()
    const [mail, ...others] = await sent()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ channel: 'email', subject: 'Marsh Side Lawns: how was our visit?' })
    expect(mail?.path).not.toBe('')
    await runTasks()
    expect((await sent())[0]?.status).toMatch(/sent|delivered/)
    // their next visit
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ customerId })
        .where('businessId', '=', business.id)
        .where('id', '!=', visitId)
        .execute(),
    )
    const next = await done(30)
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ customerId })
        .where('businessId', '=', business.id)
        .where('id', '=', next.visitId)
        .execute(),
    )
    await ask()
    expect(await sent()).toHaveLength(1)
  })

  it('goes to nobody with an open task, an unread message, an archived record, a word against it, or no finished visit', async () => {
    const busy = await done(30)
    await business.api.ok(tasksApi.create, {
      body: { title: 'Call back: ruts in the lawn', dueOn: '2026-06-12', customerId: busy.customerId },
    })
    const wrote = await done(30)
    await business.db((db) =>
      db
        .insertInto('messages')
        .values({
          businessId: business.id,
          id: newId(),
          direction: 'inbound',
          channel: 'email',
          purpose: 'transactional',
          address: 'rosa@test.swath.test',
          fromName: 'Rosa',
          bodyText: 'You missed the back yard',
          customerId: wrote.customerId,
          dedupeKey: newId(),
          status: 'received',
        } as never)
        .execute(),
    )
    await done(30, { archivedAt: clock.iso() })
    const opened = await done(30)
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'scheduled' })
        .where('businessId', '=', business.id)
        .where('id', '=', opened.visitId)
        .execute(),
    )
    const no = await done(30, { email: 'no@test.swath.test' })
    await business.db((db) =>
      db
        .insertInto('consentEvents')
        .values({
          businessId: business.id,
          id: newId(),
          channel: 'email',
          address: 'no@test.swath.test',
          purpose: 'marketing',
          action: 'revoke',
          source: 'test',
          wording: '',
          at: clock.iso(),
        })
        .execute(),
    )
    expect(no.customerId).toBeTruthy()
    await done(30, { email: null, phone: null })
    await ask()
    expect(await sent()).toEqual([])
    // the task is done: now there is nothing against it
    const { items } = await business.api.ok(tasksApi.list, { query: { show: 'open' } })
    await business.api.ok(tasksApi.finish, {
      params: { id: items[0]?.id ?? '' },
      body: { version: items[0]?.version ?? 0 } as never,
    })
    await ask()
    expect((await sent()).map(({ customerId }) => customerId)).toEqual([busy.customerId])
  })

  it('waits for hours in which people want to be asked, and goes by text in their language, with the way to end it each time', async () => {
    const { customerId } = await done(30, { phone: phoneOf(1), language: 'es' })
    // not the first text to them
    await business.db((db) =>
      queueMessage(db, {
        channel: 'sms',
        purpose: 'transactional',
        address: phoneOf(1),
        text: 'Vamos manana.',
        dedupeKey: newId(),
        customerId,
      }),
    )
    // 8:30 in the evening: reminders still leave, a question does not
    at(noon + hours(8.5))
    await ask()
    expect(await sent()).toEqual([])
    at(noon + hours(22))
    await ask()
    const rows = await sent()
    expect(rows.map(({ channel }) => channel)).toEqual(['sms'])
    expect(rows[0]?.bodyText).toMatch(
      /^Marsh Side Lawns: que le parecio nuestra visita.*\/review\/[\w-]{43} Responda STOP/,
    )
    expect((await look(rows[0]?.path ?? '')).text).toContain('Sus estrellas')
  })

  it('is taken back while it has not left: the visit was opened again, or the switch went off; its link opens nothing', async () => {
    const made = await asked()
    await recallAsks(systemActor(business.id))
    expect((await sent())[0]?.status).toBe('pending')
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'in_progress' })
        .where('businessId', '=', business.id)
        .where('id', '=', made.visitId)
        .execute(),
    )
    await recallAsks(systemActor(business.id))
    expect((await sent())[0]?.status).toBe('suppressed')
    expect((await look(made.path)).status).toBe(404)
    await runTasks()
    expect((await sent())[0]?.status).toBe('suppressed')
  })

  it('said STOP between the question and its leaving: it never leaves', async () => {
    await done(30, { phone: phoneOf(7), email: null })
    await ask()
    await business.db((db) => suppress(db, 'sms', phoneOf(7), 'all', 'Replied STOP'))
    await runTasks()
    expect((await sent()).map(({ status }) => status)).toEqual(['suppressed'])
  })
})

describe('whoever said no', () => {
  const says = (channel: 'sms' | 'email', address: string) =>
    business.db((db) => recordConsent(db, { channel, address, purpose: 'marketing', action: 'revoke', source: 'test' }))

  it('by text is not asked by mail, and who did by mail not by text', async () => {
    await done(30, { phone: phoneOf(11) })
    await says('sms', phoneOf(11))
    await business.db((db) => suppress(db, 'sms', phoneOf(11), 'all', 'They replied STOP'))
    await done(30, { phone: phoneOf(12), email: 'off@test.swath.test' })
    await says('email', 'off@test.swath.test')
    await done(30, { phone: phoneOf(13), email: 'on@test.swath.test' })
    await ask()
    expect((await sent()).map(({ address }) => address)).toEqual([phoneOf(13)])
  })

  it('between the question and its leaving is not asked; and a text of the morning leaves in the hours of offers', async () => {
    await asked({ phone: phoneOf(14), email: 'late@test.swath.test' })
    await asked({ phone: phoneOf(15) })
    await says('email', 'late@test.swath.test')
    // 8:30 in the evening: news of a visit still leave, a question waits
    at(noon + hours(8.5))
    await runTasks()
    expect((await sent()).map(({ status }) => status)).toEqual(['suppressed', 'held'])
    at(noon + hours(22))
    const { id } = await business.db((db) =>
      db
        .selectFrom('messages')
        .select('id')
        .where('businessId', '=', business.id)
        .where('status', '=', 'held')
        .executeTakeFirstOrThrow(),
    )
    await sendFromOutbox(businessOutbox(business.id), id)
    expect((await sent())[1]?.status).toMatch(/sent|delivered/)
  })

  it('ends asks to the address that was mailed, a contact of somebody without an e-mail too', async () => {
    const { customerId } = await done(30, { email: null, phone: null })
    await business.api.ok(contactsApi.add, {
      params: { id: customerId },
      body: { name: 'Beth Beside', role: 'other', email: 'beth@beside.test', visitsBy: 'email' },
    })
    await ask()
    await runTasks()
    const [mail] = await sent()
    expect(mail).toMatchObject({ address: 'beth@beside.test' })
    const token = /\/u\/([\w-]{43})/.exec(mail?.bodyText ?? '')?.[1] ?? ''
    const info = await stranger.ok(messagesApi.unsubscribeInfo, { params: { token } })
    expect(info).toMatchObject({ address: 'beth@beside.test', unsubscribed: false })
    await stranger.ok(messagesApi.unsubscribe, { params: { token } })
    const next = await aVisit(business, { customer: 'Rosa Marsh', day: '2026-06-12', status: 'completed' })
    await business.db(async (db) => {
      expect(await askTx(db, { visitId: next.visitId, customerId, day: '2026-06-12' })).toBe(false)
    })
  })

  it('finds in the mail where the business is, and its mail program a button that ends it', async () => {
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ street: '12 Yard Rd', city: 'Savannah', state: 'GA', zip: '31419' })
        .where('businessId', '=', business.id)
        .execute(),
    )
    await asked()
    const [mail] = await sent()
    expect(mail?.bodyText).toContain('Marsh Side Lawns, 12 Yard Rd, Savannah, GA 31419')
    const token = /\/u\/[\w-]{43}/.exec(mail?.bodyText ?? '')?.[0] ?? 'none'
    const { id } = await business.db((db) =>
      db.selectFrom('messages').select('id').where('businessId', '=', business.id).executeTakeFirstOrThrow(),
    )
    const outbox = businessOutbox(business.id)
    const parcel = await outbox.transaction(async (db) => {
      const row = await outbox.find(db, id)
      if (!row) throw new Error('no message')
      return outbox.compose(row, await outbox.prepare(db, row))
    })
    expect('mail' in parcel && parcel.mail.unsubscribeUrl).toContain(token)
  })
})

describe('an ask', () => {
  const visitAgain = async (customerId: string) => {
    const next = await done(30)
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ customerId })
        .where('businessId', '=', business.id)
        .where('id', '=', next.visitId)
        .execute(),
    )
  }

  it.each(['suppressed', 'failed'] as const)(
    'that never left (%s) does not spare its customer the next one',
    async (status) => {
      const { customerId } = await asked()
      await business.db((db) =>
        db.updateTable('messages').set({ status }).where('businessId', '=', business.id).execute(),
      )
      await visitAgain(customerId)
      await ask()
      expect(await sent()).toHaveLength(2)
    },
  )

  it('that was taken back, because the customer had a task open, does not either', async () => {
    const { customerId } = await asked()
    const task = await business.api.ok(tasksApi.create, {
      body: { title: 'Call back', dueOn: '2026-06-12', customerId },
    })
    await recallAsks(systemActor(business.id))
    await business.api.ok(tasksApi.finish, {
      params: { id: task.id },
      body: { version: task.version } as never,
    })
    await visitAgain(customerId)
    await ask()
    expect((await sent()).map(({ status }) => status)).toEqual(['suppressed', 'pending'])
  })

  it('is not kept waiting by many customers whom nothing reaches', async () => {
    for (let n = 0; n < 4; n++) await done(30, { email: null, phone: null })
    await done(30)
    // as many as are read at once have no way open, and come first
    expect(await askForReviews(systemActor(business.id), 2)).toBe(1)
    expect(await sent()).toHaveLength(1)
  })

  it('that the sender takes in the same moment leaves, and its link opens', async () => {
    const made = await asked()
    await business.api.ok(tasksApi.create, {
      body: { title: 'Call back', dueOn: '2026-06-12', customerId: made.customerId },
    })
    let recalled: Promise<void> = Promise.resolve()
    await business.db(async (db) => {
      await db.updateTable('messages').set({ status: 'sending' }).where('businessId', '=', business.id).execute()
      recalled = recallAsks(systemActor(business.id))
      await somebodyWaits(db)
    })
    await recalled
    expect((await look(made.path)).status).toBe(200)
    expect((await sent())[0]?.status).toBe('sending')
  })
})

/** Until another transaction waits for this one. */
const somebodyWaits = async (db: TenantDb): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{ waits: boolean }>`select exists (
      select 1 from pg_locks l where not l.granted and pg_backend_pid() = any(pg_blocking_pids(l.pid))) as waits`.execute(
      db,
    )
    if (rows[0]?.waits) return
  }
}

describe('the page', () => {
  it('of a forged or an old link takes nothing', async () => {
    const forged = `/review/${'x'.repeat(43)}`
    expect([(await look(forged)).status, (await send(forged, { stars: '5', where: 'page' })).status]).toEqual([
      404, 404,
    ])
    const { path } = await asked()
    at(noon + hours(24 * 31))
    expect((await look(path)).text).toContain('This link takes no answer any more.')
    expect((await send(path, { stars: '5', where: 'page' })).status).toBe(409)
    at(noon)
    expect(await reviews()).toEqual([])
  })

  it('keeps what was typed where something is missing, in English and Spanish, without a script', async () => {
    const { path } = await asked()
    const { text, headers } = await look(path)
    expect(text).not.toContain('<script')
    expect([headers['x-robots-tag'], headers['cache-control']]).toEqual(['noindex', 'no-store'])
    for (const fields of [
      { words: 'Neat edges <b>', where: 'page' },
      { words: 'Neat edges <b>', stars: '9', where: 'page' },
      { words: 'Neat edges <b>', stars: '4' },
    ] as Record<string, string>[]) {
      const answer = await send(path, fields)
      expect([answer.status, answer.text.includes('Neat edges &lt;b&gt;')]).toEqual([422, true])
    }
    expect((await send(path, { stars: '4', where: 'page', words: 'x'.repeat(2001) })).status).toBe(422)
    expect((await send(path, { lang: 'es' })).text).toContain('Elija sus estrellas.')
    expect(await reviews()).toEqual([])
  })

  it('takes one answer: pressed twice at once it is one, told once', async () => {
    const { path } = await asked()
    const fields = { stars: '5', words: 'Neat edges.\r\nKind crew.', where: 'page' }
    const answers = await Promise.all([send(path, fields), send(path, fields), send(path, fields)])
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    const { items, average, count } = await onPage()
    expect([average, count]).toEqual([5, 1])
    expect(items).toMatchObject([{ author: 'Rosa M.', city: 'Savannah', stars: 5, words: 'Neat edges.\nKind crew.' }])
    expect(JSON.stringify(items)).not.toContain('Marsh')
    const told = await business.db((db) =>
      db.selectFrom('notifications').select('title').where('businessId', '=', business.id).execute(),
    )
    expect(told.map(({ title }) => title)).toEqual(['Rosa Marsh gave 5 stars'])
  })

  it('takes another mind for some days: stars, words, and who may read it', async () => {
    const { path } = await asked()
    await send(path, { stars: '5', words: 'Great', where: 'page' })
    await send(path, { stars: '2', words: 'They left ruts', where: 'page' })
    expect(await onPage()).toMatchObject({ average: 2, count: 1, counts: [0, 1, 0, 0, 0] })
    await send(path, { stars: '2', words: 'They left ruts', where: 'them' })
    expect(await onPage()).toMatchObject({ average: null, count: 0, items: [] })
    expect((await look(path)).text).toContain('Nobody else reads it.')
    at(noon + hours(24 * 15))
    expect((await send(path, { stars: '5', words: 'Fine', where: 'page' })).status).toBe(409)
    at(noon)
    expect((await theReview()).stars).toBe(2)
  })

  it('leads everybody to Google, whatever their stars', async () => {
    await settle({ googleUrl: 'https://g.page/r/marsh/review' })
    const one = await asked()
    const two = await asked()
    await send(one.path, { stars: '1', where: 'page' })
    await send(two.path, { stars: '5', where: 'page' })
    for (const { path } of [one, two]) expect((await look(path)).text).toContain('https://g.page/r/marsh/review')
    const { version } = await business.api.ok(reviewSettingsApi.get, {})
    for (const googleUrl of ['javascript:alert(1)', 'http://g.page', 'https://'])
      expect((await business.api.call(reviewSettingsApi.save, { body: { version, googleUrl } })).status).toBe(422)
  })
})

describe('the office', () => {
  const low = async () => {
    const { path } = await asked()
    await send(path, { stars: '2', words: 'They left ruts', where: 'page' })
    return { path, review: await theReview() }
  }
  const needs = async () => (await business.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'review')

  it('has a low review before it at once, while it stands on the page; who replies once has taken care of it', async () => {
    const { review } = await low()
    expect((await onPage()).items).toHaveLength(1)
    expect(await needs()).toMatchObject([{ badge: '2 stars', title: '“They left ruts”' }])
    const body = { words: 'We are sorry, and come back on Monday.', version: review.version }
    const replied = await business.api.ok(reviewsApi.reply, { params: { id: review.id }, body })
    expect(replied).toMatchObject({ reply: body.words, can: { reply: false, hide: true } })
    expect(await needs()).toEqual([])
    const again = await business.api.call(reviewsApi.reply, {
      params: { id: review.id },
      body: { words: 'And another', version: replied.version },
    })
    expect(again.status).toBe(409)
    expect((await onPage()).items).toMatchObject([{ reply: body.words }])
  })

  it('marks a low one as taken care of; it comes back when the customer says it otherwise', async () => {
    const { review, path } = await low()
    await business.api.ok(reviewsApi.handle, { params: { id: review.id }, body: { version: review.version } })
    expect(await needs()).toEqual([])
    await send(path, { stars: '1', words: 'Nobody came back', where: 'page' })
    expect(await needs()).toHaveLength(1)
  })

  it('hides one only for a stated reason, which is kept and told to its customer, and shows it again', async () => {
    const { review, path } = await low()
    const params = { id: review.id }
    const hide = (body: object) => business.api.call(reviewsApi.hide, { params, body: body as never })
    for (const body of [
      { version: review.version },
      { reason: 'low', note: 'Few stars hurt', version: review.version },
      { reason: 'abuse', note: ' ', version: review.version },
    ])
      expect((await hide(body)).status).toBe(422)
    const admin = await aPerson(business.id, 'Admin')
    const body = { reason: 'personal_data' as const, note: 'Names our crew lead', version: review.version }
    expect((await admin.api.call(reviewsApi.hide, { params, body })).status).toBe(403)
    const hidden = (await hide(body)).body
    expect(hidden).toMatchObject({ hiddenReason: 'personal_data', hiddenNote: 'Names our crew lead' })
    expect(await onPage()).toMatchObject({ count: 0, average: null, items: [] })
    expect((await look(path)).text).toContain('personal data, such as an address')
    expect(await reviews('hidden')).toHaveLength(1)
    await business.api.ok(reviewsApi.show, { params, body: { version: hidden.version } })
    expect(await onPage()).toMatchObject({ count: 1, average: 2 })
  })

  it('filters, and sees nothing of another business; an address without a page tells nothing', async () => {
    const { review } = await low()
    const other = await asked()
    await send(other.path, { stars: '5', where: 'them' })
    const show = async (filter: Parameters<typeof reviews>[0]) => (await reviews(filter)).map(({ stars }) => stars)
    expect(await show('all')).toEqual([5, 2])
    expect(await show('low')).toEqual([2])
    expect(await show('private')).toEqual([5])
    expect(await show('unanswered')).toEqual([2])
    expect(await business.api.ok(reviewsApi.summary, {})).toMatchObject({ askedCount: 2, answeredCount: 2, count: 1 })
    const foreign = await aBusiness()
    const call = (endpoint: typeof reviewsApi.show) =>
      foreign.api.call(endpoint, { params: { id: review.id }, body: { version: review.version } })
    expect((await call(reviewsApi.handle as never)).status).toBe(404)
    expect((await call(reviewsApi.show)).status).toBe(404)
    expect((await foreign.api.ok(reviewsApi.list, { query: {} })).items).toEqual([])
    await business.db((db) =>
      db.updateTable('businesses').set({ publicPage: false }).where('businessId', '=', business.id).execute(),
    )
    expect((await stranger.call(publicReviewsApi.list, { params: { slug }, query: {} })).status).toBe(404)
  })

  it('the page counts what stands on it, page by page, and cuts the average', async () => {
    for (let n = 0; n < 10; n++) {
      const { path } = await asked()
      await send(path, { stars: n === 0 ? '4' : '5', words: `Review ${n}`, where: 'page' })
    }
    const first = await onPage()
    expect([first.count, first.average, first.items.length]).toEqual([10, 4.9, 8])
    const rest = await onPage(first.nextCursor ?? '')
    expect([rest.items.map(({ words }) => words), rest.nextCursor]).toEqual([['Review 1', 'Review 0'], null])
    const rows = await business.db((db) =>
      db.selectFrom('reviews').select('stars').where('businessId', '=', business.id).execute(),
    )
    expect(first.counts).toEqual([1, 2, 3, 4, 5].map((of) => rows.filter(({ stars }) => stars === of).length))
  })

  it('goes with its customer when two records become one', async () => {
    const { path, customerId } = await asked()
    await send(path, { stars: '3', where: 'page' })
    const kept = await business.api.ok(customersApi.create, { body: { name: 'Rosa Marsh', allowDuplicate: true } })
    expect((await theReview()).customerId).toBe(customerId)
    const { mergesApi } = await import('../../merges/contract.ts')
    const { version } = await business.api.ok(customersApi.get, { params: { id: customerId } })
    await business.api.ok(mergesApi.merge, {
      params: { id: kept.id },
      body: { goneId: customerId, version: kept.version, goneVersion: version },
    })
    expect((await theReview()).customerId).toBe(kept.id)
  })

  it('an answer that is changed while it is being hidden is not counted on the page', async () => {
    const { review, path } = await low()
    let answered: Promise<unknown> = Promise.resolve()
    await business.db(async (db) => {
      await db
        .updateTable('reviews')
        .set({ hiddenAt: clock.iso(), hiddenReason: 'abuse' })
        .where('businessId', '=', business.id)
        .where('id', '=', review.id)
        .execute()
      await db
        .updateTable('reviewTotals')
        .set({ count: 0 })
        .where('businessId', '=', business.id)
        .where('stars', '=', 2)
        .execute()
      answered = send(path, { stars: '4', words: 'Better now', where: 'page' })
      await somebodyWaits(db)
    })
    await answered
    expect(await onPage()).toMatchObject({ count: 0, counts: [0, 0, 0, 0, 0], items: [] })
  })

  it('a review outlives its visit, where it was', async () => {
    const { review, path } = await low()
    await business.db((db) =>
      db
        .deleteFrom('visits')
        .where('businessId', '=', business.id)
        .where('id', '=', review.visitId ?? '')
        .execute(),
    )
    expect(await theReview()).toMatchObject({ id: review.id, visitId: null, jobId: null, words: 'They left ruts' })
    expect(await needs()).toHaveLength(1)
    expect(await onPage()).toMatchObject({ count: 1, items: [{ city: 'Savannah' }] })
    await send(path, { stars: '4', words: 'They came back', where: 'page' })
    expect(await onPage()).toMatchObject({ count: 1, items: [{ city: 'Savannah', stars: 4 }] })
    expect((await look(path)).status).toBe(200)
  })

  it('looks again at a hidden one whose customer changed it: it stays hidden, or is shown', async () => {
    const { review, path } = await low()
    const params = { id: review.id }
    const hide = (version: number) =>
      business.api.ok(reviewsApi.hide, {
        params,
        body: { reason: 'personal_data', note: 'Names our crew lead', version },
      })
    const { version } = await hide(review.version)
    expect((await business.api.call(reviewsApi.keepHidden, { params, body: { version } })).status).toBe(409)
    expect((await look(path)).text).toContain('we look at it again')
    await send(path, { stars: '2', words: 'Ruts by the driveway', where: 'page' })
    expect((await look(path)).text).toContain('You changed it since. We look at it again.')
    expect(await needs()).toMatchObject([
      { badge: 'Hidden', detail: expect.stringContaining('changed since you hid it') },
    ])
    const changed = await theReview()
    expect(changed.can).toMatchObject({ keepHidden: true, show: true })
    const kept = await business.api.ok(reviewsApi.keepHidden, { params, body: { version: changed.version } })
    expect(kept).toMatchObject({ hiddenReason: 'personal_data', can: { keepHidden: false } })
    await business.api.ok(reviewsApi.handle, { params, body: { version: kept.version } })
    expect(await needs()).toEqual([])
    // who may read it alone changes nothing that was hidden
    await send(path, { stars: '2', words: 'Ruts by the driveway', where: 'them' })
    expect((await theReview()).can.keepHidden).toBe(false)
    await send(path, { stars: '3', words: 'Ruts by the driveway', where: 'page' })
    await business.api.ok(reviewsApi.show, { params, body: { version: (await theReview()).version } })
    expect(await onPage()).toMatchObject({ count: 1, average: 3 })
  })

  it('changes its reply and takes it back; one that is older than the words says so', async () => {
    const { review, path } = await low()
    const params = { id: review.id }
    const reply = { words: 'We are sorry about the ruts.', version: review.version }
    const replied = await business.api.ok(reviewsApi.reply, { params, body: reply })
    expect((await onPage()).items).toMatchObject([{ repliedBefore: false }])
    at(noon + 1000)
    await send(path, { stars: '5', words: 'All good now', where: 'page' })
    expect((await onPage()).items).toMatchObject([{ reply: reply.words, repliedBefore: true }])
    expect((await look(path)).text).toContain('Written before you changed your review.')
    const { version } = await theReview()
    expect(version).toBeGreaterThan(replied.version)
    at(noon + 2000)
    const edited = await business.api.ok(reviewsApi.editReply, { params, body: { words: 'Thank you!', version } })
    expect((await onPage()).items).toMatchObject([{ reply: 'Thank you!', repliedBefore: false }])
    await business.api.ok(reviewsApi.withdrawReply, { params, body: { version: edited.version } })
    expect((await onPage()).items).toMatchObject([{ reply: '', replyDay: null }])
    expect((await theReview()).can).toMatchObject({ reply: true, editReply: false, withdrawReply: false })
    const kept = await business.db((db) =>
      db
        .selectFrom('auditLog')
        .select('before')
        .where('businessId', '=', business.id)
        .where('action', '=', 'review.withdrawReply')
        .executeTakeFirstOrThrow(),
    )
    expect(kept.before).toMatchObject({ reply: 'Thank you!' })
  })

  it('has one line in the bell for a review, however often it is changed, and a link is pressed so often and no more', async () => {
    const { path, review } = await low()
    const statuses: number[] = []
    for (let n = 0; n < 14; n++)
      statuses.push((await send(path, { stars: '1', words: `Ruts ${n}`, where: 'page' })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([303, 429])
    const bell = () =>
      business.db((db) =>
        db.selectFrom('notifications').select(['title', 'readAt']).where('businessId', '=', business.id).execute(),
      )
    expect(await bell()).toEqual([{ title: 'Rosa Marsh changed their review to 1 star', readAt: null }])
    await business.api.ok(reviewsApi.handle, {
      params: { id: review.id },
      body: { version: (await theReview()).version },
    })
    expect((await bell()).map(({ readAt }) => readAt !== null)).toEqual([true])
  })

  it('takes words with what no keyboard writes, without it; a name is told as it is now', async () => {
    const { path, customerId } = await asked({ name: 'Marsh, Rosa' })
    expect((await send(path, { stars: '4', words: 'Neat\u0000 edges\u0007', where: 'page' })).status).toBe(303)
    expect((await onPage()).items).toMatchObject([{ words: 'Neat edges', author: 'Rosa M.' }])
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ name: 'Rosa Oak' })
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute(),
    )
    await send(path, { stars: '5', words: 'Neat edges', where: 'page' })
    expect((await onPage()).items).toMatchObject([{ author: 'Rosa O.' }])
  })

  it('whoever tries many links is slowed down before any is looked up', async () => {
    const forged = `/review/${'y'.repeat(43)}`
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) statuses.push((await send(forged, { stars: '5', where: 'page' })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429])
  })
})
