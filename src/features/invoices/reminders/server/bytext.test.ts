import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, dayOf, instantAt } from '../../../../shared/dates.ts'
import type { PaperWay } from '../../../../shared/paper-ways.ts'
import { apiFor, runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { customersApi } from '../../../customers/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { receivePortalTx, receiveText } from '../../../messages/server/inbound/commands.ts'
import { sendMessage } from '../../../messages/server/tasks.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { tasksApi } from '../../../tasks/contract.ts'
import { invoicesApi } from '../../contract.ts'
import { lockInvoiceTx, setDisputedTx, setPendingTx } from '../../server/rows/commands.ts'
import { statementsApi } from '../../statements/contract.ts'
import { remindBySchedule } from './commands.ts'

const zone = 'America/New_York'
const [email, phone] = ['ann@test.swath.test', '+19125550177']
let start = ''
const at = (minute: number, ahead = 0) => setClock(() => new Date(instantAt(addDays(start, ahead), minute, zone)))
beforeEach(() => {
  start = dayOf(clock.now(), zone)
  at(600)
})
afterEach(resetClock)

const office = (own: TestBusiness) => apiFor(own.owner)

/** A business that reminds on the due day and a week later, by a way, and a customer of it. */
const aPayer = async (way: PaperWay, who: { email?: string | null; phone?: string | null } = {}) => {
  const own = await aBusiness({ name: 'Green Lawns' })
  const { version } = await (await office(own)).ok(businessesApi.get, {})
  await (await office(own)).ok(businessesApi.update, { body: { invoiceReminders: [0, 7], paperWay: way, version } })
  const { customerId } = await aLawn(own)
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email, phone, ...who })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  return { own, customerId }
}
const anInvoice = async (own: TestBusiness, customerId: string) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
  const { id } = await (await office(own)).ok(invoicesApi.create, { body: { customerId, termsDays: 14, lines } })
  const sent = await (await office(own)).call(invoicesApi.send, { params: { id } })
  await runTasks()
  return { id, sent }
}
const outbox = async (own: TestBusiness) => {
  const { items } = await (await office(own)).ok(messagesApi.list, { query: { limit: 50 } })
  return items.filter(({ direction }) => direction === 'outbound').reverse()
}
const channels = async (own: TestBusiness) => (await outbox(own)).map(({ channel }) => channel)
const invoiceOf = async (own: TestBusiness, id: string) => (await office(own)).ok(invoicesApi.get, { params: { id } })
const says = (own: TestBusiness, body: string) =>
  receiveText(own.id, { from: phone, body, providerId: newId(), provider: 'local' })
const run = async (own: TestBusiness) => {
  await remindBySchedule(systemActor(own.id))
  await runTasks()
}
const setWay = async (own: TestBusiness, id: string, paperWay: PaperWay | null) => {
  const { version } = await (await office(own)).ok(customersApi.get, { params: { id } })
  await (await office(own)).ok(customersApi.update, { params: { id }, body: { paperWay, version } })
}

describe('invoices by text', () => {
  it('go by mail alone until somebody wants it otherwise', async () => {
    const { own, customerId } = await aPayer('email')
    await anInvoice(own, customerId)
    expect(await channels(own)).toEqual(['email'])
  })

  it('carry the sum, the day and a link that opens the page; the first says how to end texts', async () => {
    const { own, customerId } = await aPayer('text', { email: null })
    const { id } = await anInvoice(own, customerId)
    const [text] = await outbox(own)
    const { publicPath, dueOn, sentAt, reach, mails } = await invoiceOf(own, id)
    expect(text).toMatchObject({ channel: 'sms', address: phone, status: 'sent' })
    expect(text?.text).toMatch(
      /^Green Lawns: INV-\d+ for \$50\.00 is due .+\. See and pay: http\S+ Reply STOP to opt out\.$/,
    )
    expect(text?.text).toContain(publicPath)
    expect([dueOn, sentAt !== null, reach]).toEqual([addDays(start, 14), true, { mail: null, text: phone, why: null }])
    expect(mails).toEqual([expect.objectContaining({ channel: 'sms', kind: 'invoice', segments: text?.segments })])
    const token = publicPath?.split('/').at(-1) ?? ''
    expect((await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).balanceCents).toBe(5000)
    await anInvoice(own, customerId)
    expect((await outbox(own)).at(-1)?.text).not.toContain('STOP')
  })

  it('go by both where both are wanted, and the customer\u2019s own way comes before the business\u2019s', async () => {
    const { own, customerId } = await aPayer('both')
    await anInvoice(own, customerId)
    expect((await channels(own)).sort()).toEqual(['email', 'sms'])
    await setWay(own, customerId, 'text')
    await anInvoice(own, customerId)
    expect((await channels(own)).sort()).toEqual(['email', 'sms', 'sms'])
    await setWay(own, customerId, null)
    await anInvoice(own, customerId)
    expect((await channels(own)).sort()).toEqual(['email', 'email', 'sms', 'sms', 'sms'])
  })

  it('after a STOP go by mail, which is said before it is sent; without a mail they are refused', async () => {
    const { own, customerId } = await aPayer('text')
    await says(own, 'STOP')
    const { id, sent } = await anInvoice(own, customerId)
    expect([sent.status, await channels(own)]).toEqual([200, ['email']])
    expect((await invoiceOf(own, id)).reach).toEqual({ mail: email, text: null, why: expect.stringContaining('STOP') })
    await own.db((db) => db.updateTable('customers').set({ email: null }).where('businessId', '=', own.id).execute())
    const { sent: refused } = await anInvoice(own, customerId)
    expect([refused.status, refused.error.message]).toEqual([
      409,
      expect.stringMatching(/has no e-mail on file, and gets no texts \(They replied STOP\)/),
    ])
    expect(await channels(own)).toEqual(['email'])
  })

  it('wait for the end of the quiet hours', async () => {
    const { own, customerId } = await aPayer('text')
    at(1_380)
    const { id } = await anInvoice(own, customerId)
    const [text] = await outbox(own)
    expect([text?.status, text?.runAfter]).toEqual(['held', instantAt(addDays(start, 1), 480, zone)])
    expect((await invoiceOf(own, id)).mails[0]).toMatchObject({ status: 'held', runAfter: text?.runAfter })
    at(481, 1)
    await sendMessage.run(systemActor(own.id), { messageId: text?.id ?? '' })
    expect((await outbox(own))[0]?.status).toBe('sent')
  })

  it.each([
    ['paid', 'was paid'],
    ['paid in part', 'A part of'],
    ['voided', 'was voided'],
    ['disputed', 'is disputed'],
    ['asked of a bank', 'is on its way'],
  ])('that wait in the night do not leave once the invoice is %s', async (how, why) => {
    const { own, customerId } = await aPayer('text')
    at(1_380)
    const { id } = await anInvoice(own, customerId)
    await (await office(own)).ok(invoicesApi.remind, { params: { id } })
    await runTasks()
    await (await office(own)).ok(statementsApi.send, {
      params: { id: customerId },
      body: { from: addDays(start, -30), to: start },
    })
    await runTasks()
    const waiting = (await outbox(own)).filter(({ status }) => status === 'held')
    expect(waiting).toHaveLength(3)
    const api = await office(own)
    if (how === 'voided') await api.ok(invoicesApi.voidInvoice, { params: { id } })
    else if (how.startsWith('paid'))
      await api.ok(paymentsApi.recordPayment, {
        params: { id },
        body: { method: 'cash', amountCents: how === 'paid' ? 5000 : 2000, receivedOn: start },
      })
    else
      await own.db(async (db) => {
        const invoice = await lockInvoiceTx(db, id)
        await (how === 'disputed' ? setDisputedTx(db, invoice, true, null) : setPendingTx(db, invoice, 5000, false))
      })
    await runTasks()
    at(481, 1)
    for (const { id: messageId } of waiting) await sendMessage.run(systemActor(own.id), { messageId })
    const after = await outbox(own)
    const those = after.filter((one) => waiting.some((was) => was.id === one.id))
    expect(those.map(({ status }) => status)).toEqual(['suppressed', 'suppressed', 'suppressed'])
    for (const { reason } of those) expect(reason).toContain(why)
    const { notifications } = await (await office(own)).ok(notificationsApi.list, { query: {} })
    expect(notifications.filter(({ title }) => title === 'A statement was not sent')).toHaveLength(1)
    // thanks for what was paid still leave
    expect(after.some(({ text, status }) => text.includes('thank you') && status === 'held')).toBe(
      how.startsWith('paid'),
    )
  })

  it.each(['a text', 'a call', 'a message in the portal'])(
    'that wait in the night remind of nothing after %s; the invoice itself leaves, and so does what tells a late fee',
    async (how) => {
      const { own, customerId } = await aPayer('text')
      at(1_380)
      const { id } = await anInvoice(own, customerId)
      const late = await anInvoice(own, customerId)
      for (const one of [id, late.id]) await (await office(own)).ok(invoicesApi.remind, { params: { id: one } })
      await own.db((db) =>
        db
          .insertInto('lateFees')
          .values({
            businessId: own.id,
            id: newId(),
            invoiceId: late.id,
            feeInvoiceId: id,
            period: 1,
            amountCents: 1500,
            onDay: start,
            createdAt: clock.iso(),
          })
          .execute(),
      )
      await runTasks()
      at(1_381)
      if (how === 'a text') await says(own, 'I sent a check on Monday')
      else if (how === 'a call') {
        const call = { direction: 'in', outcome: 'talked', note: 'A check is on its way' } as const
        await (await office(own)).ok(tasksApi.logCall, { params: { id: customerId }, body: call })
      } else
        await own.db((db) =>
          receivePortalTx(db, { customerId, address: phone, fromName: 'Ann', text: 'I sent a check', key: newId() }),
        )
      await runTasks()
      at(481, 1)
      for (const one of (await outbox(own)).filter(({ status }) => status === 'held'))
        await sendMessage.run(systemActor(own.id), { messageId: one.id })
      const of = async (invoiceId: string) =>
        (await invoiceOf(own, invoiceId)).mails.map(({ kind, status }) => `${kind} ${status}`).sort()
      expect(await of(id)).toEqual(['invoice sent', 'reminder suppressed'])
      expect(await of(late.id)).toEqual(['invoice sent', 'reminder sent'])
      expect((await outbox(own)).find(({ status }) => status === 'suppressed')?.reason).toBe(
        'They answered before it left',
      )
    },
  )

  it('that wait for one invoice leave when another one is paid', async () => {
    const { own, customerId } = await aPayer('text')
    const first = await anInvoice(own, customerId)
    at(1_380)
    await anInvoice(own, customerId)
    await (await office(own)).ok(paymentsApi.recordPayment, {
      params: { id: first.id },
      body: { method: 'cash', amountCents: 5000, receivedOn: start },
    })
    const [text] = (await outbox(own)).filter(({ status }) => status === 'held')
    at(481, 1)
    await sendMessage.run(systemActor(own.id), { messageId: text?.id ?? '' })
    expect((await outbox(own)).find(({ id }) => id === text?.id)?.status).toBe('sent')
  })

  it('are mailed where the segments of the month are used up', async () => {
    const { own, customerId } = await aPayer('text')
    await own.db((db) =>
      db.updateTable('businesses').set({ planTier: 'basic' }).where('businessId', '=', own.id).execute(),
    )
    const { segmentLimit } = await (await office(own)).ok(messagesApi.usage, {})
    await own.db((db) =>
      queueMessage(db, {
        channel: 'sms',
        purpose: 'transactional',
        address: '+19125550188',
        dedupeKey: 'x',
        text: 'x',
      }),
    )
    await runTasks()
    await own.db((db) =>
      db
        .updateTable('textMonths')
        .set({ segments: segmentLimit ?? 0 })
        .where('businessId', '=', own.id)
        .execute(),
    )
    const { id } = await anInvoice(own, customerId)
    expect((await invoiceOf(own, id)).reach.why).toContain('used up')
    expect(await channels(own)).toEqual(['sms', 'email'])
  })

  it('are thanked for by text, whole and in part, and the statement goes the same way', async () => {
    const { own, customerId } = await aPayer('text')
    const { id } = await anInvoice(own, customerId)
    const pay = async (amountCents: number) => {
      await (await office(own)).ok(paymentsApi.recordPayment, {
        params: { id },
        body: { method: 'cash', amountCents, receivedOn: start },
      })
      await runTasks()
      return (await outbox(own)).at(-1)?.text
    }
    expect(await pay(2000)).toMatch(/thank you for \$20\.00\. \$30\.00 of INV-\d+ is still open: http/)
    expect(await pay(3000)).toMatch(/thank you for \$30\.00\. INV-\d+ is paid\. Your receipt: http/)
    const { address } = await (await office(own)).ok(statementsApi.send, {
      params: { id: customerId },
      body: { from: addDays(start, -30), to: start },
    })
    await runTasks()
    expect(address).toBe('(912) 555-0177 by text')
    const text = (await outbox(own)).at(-1)?.text ?? ''
    expect(text).toMatch(/your statement; the balance is \$0\.00\. See and pay: http\S+\/s\//)
    expect(await channels(own)).toEqual(['sms', 'sms', 'sms', 'sms'])
  })

  it('are in the customer\u2019s language, in characters that cost least', async () => {
    const { own, customerId } = await aPayer('text')
    await own.db((db) => db.updateTable('customers').set({ language: 'es' }).where('businessId', '=', own.id).execute())
    await anInvoice(own, customerId)
    const [text] = await outbox(own)
    expect(text?.text).toMatch(/vence el .+\. Ver y pagar: http\S+ Responda STOP/)
    expect(text?.segments).toBeLessThanOrEqual(2)
  })
})

describe('reminders by text', () => {
  it('leave on their day, once; an answer by text stops them', async () => {
    const { own, customerId } = await aPayer('text', { email: null })
    const { id } = await anInvoice(own, customerId)
    at(600, 14)
    await Promise.all([remindBySchedule(systemActor(own.id)), remindBySchedule(systemActor(own.id))])
    await run(own)
    expect((await outbox(own)).map(({ text }) => text.includes('a friendly reminder'))).toEqual([false, true])
    at(700, 15)
    await says(own, 'I paid the crew on Monday')
    at(600, 21)
    await run(own)
    expect((await outbox(own)).length).toBe(2)
    expect((await invoiceOf(own, id)).reminders.stopped).toContain('wrote since')
  })

  it('go on by mail after a STOP, which is no answer to them', async () => {
    const { own, customerId } = await aPayer('text')
    const { id } = await anInvoice(own, customerId)
    at(600, 14)
    await run(own)
    at(700, 15)
    await says(own, 'Stop')
    at(600, 21)
    await run(own)
    expect(await channels(own)).toEqual(['sms', 'sms', 'email'])
    expect((await invoiceOf(own, id)).reminders.stopped).toBeNull()
  })
})
