import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import type { TestBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import {
  aReviewingBusiness,
  at,
  hours,
  look,
  noon,
  phoneOf,
  reviewing,
  somebodyWaits,
} from '../../../../test/reviews.ts'
import { contactsApi } from '../../../customers/contacts/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { queueMessage, recordConsent, suppress } from '../../../messages/server/commands.ts'
import { businessOutbox } from '../../../messages/server/delivery/commands.ts'
import { sendFromOutbox } from '../../../messages/server/outbox/commands.ts'
import { tasksApi } from '../../../tasks/contract.ts'
import { askForReviews, askTx, recallAsks } from './commands.ts'

let business: TestBusiness
const { settle, done, ask, sent, asked } = reviewing(() => business)

beforeEach(async () => {
  ;({ business } = await aReviewingBusiness())
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
