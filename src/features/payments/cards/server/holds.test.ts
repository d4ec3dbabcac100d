import { afterEach, beforeEach, expect, it } from 'vitest'
import { resetClock } from '../../../../platform/clock.ts'
import { stranger } from '../../../../test/api.ts'
import {
  aCardClock,
  anInvoice,
  cardOf,
  cards,
  invoiceOf,
  office,
  runCards as run,
  subjects,
  tries,
  withCard,
} from '../../../../test/cards.ts'
import type { TestBusiness } from '../../../../test/factories.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { listForFees } from '../../../invoices/latefees/server/queries.ts'
import { paymentsApi } from '../../contract.ts'
import { cardsApi } from '../contract.ts'

const { begin, onDay, day } = aCardClock()
beforeEach(begin)
afterEach(resetClock)

const setReminders = async (own: TestBusiness, id: string, body: { promisedOn: string } | { stop: string }) =>
  (await office(own)).ok(invoicesApi.setReminders, { params: { id }, body })
const setNotice = (own: TestBusiness, autopayNoticeDays: number) =>
  own.db((db) => db.updateTable('businesses').set({ autopayNoticeDays }).where('businessId', '=', own.id).execute())

it('an invoice that is promised, disputed or on hold is not charged, and announced anew when it is free again', async () => {
  const { own, id, customerId } = await withCard()
  const disputed = await anInvoice(own, customerId)
  onDay(7)
  await run(own)
  expect((await invoiceOf(own, disputed.id)).reminders.autopay).toBe(day(10))
  await setReminders(own, id, { promisedOn: day(20) })
  await setReminders(own, disputed.id, { stop: 'They dispute the price' })
  for (const ahead of [10, 15, 20]) {
    onDay(ahead)
    await run(own)
  }
  expect(await tries(own)).toEqual([])
  // and no page or paper promises a day on which nothing is charged
  expect((await invoiceOf(own, disputed.id)).reminders.autopay).toBeNull()
  onDay(21)
  await run(own)
  expect([await tries(own), (await cardOf(own, customerId))?.next]).toMatchObject([[], { chargeOn: day(24) }])
  onDay(24)
  await run(own)
  expect((await invoiceOf(own, id)).status).toBe('paid')
  expect((await invoiceOf(own, disputed.id)).status).toBe('issued')
})

it('no late fee is charged while the card waits for its day', async () => {
  const { own, customerId } = await withCard()
  const { id } = await anInvoice(own, customerId, 0)
  await run(own)
  onDay(2)
  const rule = { kind: 'flat', amountCents: 500, percent: 0, graceDays: 0, repeats: false, maxCents: null } as never
  const due = () =>
    own.db(async (db) =>
      (await listForFees(db, { rule, from: day(-30), timeZone: 'America/New_York', today: day(2) })).map(
        (one) => one.id,
      ),
    )
  expect(await due()).not.toContain(id)
  await (await office(own)).ok(cardsApi.setAutopay, { params: { id: customerId }, body: { on: false } })
  expect(await due()).toContain(id)
})

it('the notice that was agreed to stays, and a longer one counts at once', async () => {
  const { own, customerId } = await withCard()
  await setNotice(own, 1)
  const { id } = await anInvoice(own, customerId, 0)
  await run(own)
  expect((await cardOf(own, customerId))?.next).toMatchObject({ invoiceId: id, chargeOn: day(3) })
  await setNotice(own, 7)
  const next = await anInvoice(own, customerId, 0)
  // said in the mail of the invoice, before the charge is planned: the same day, and a later one where it is planned tomorrow
  expect((await invoiceOf(own, next.id)).reminders.autopay).toBe(day(7))
  onDay(0, 20 * 60 + 5)
  expect((await invoiceOf(own, next.id)).reminders.autopay).toBe(day(8))
  onDay(0)
  await run(own)
  onDay(3)
  await run(own)
  expect((await cardOf(own, customerId))?.next).toMatchObject({ invoiceId: next.id, chargeOn: day(7) })
})

it('words that changed since they were read are not agreed to', async () => {
  const { own, token } = await withCard()
  const { mandate } = await stranger.ok(paymentsApi.publicInvoice, { params: { token } })
  await setNotice(own, 1)
  const refused = await stranger.call(cardsApi.payAndSave, { params: { token }, body: { mandate: mandate.text } })
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('Reload the page')])
})

it('a card left under words without further tries has its whole notice before each of them', async () => {
  const { own, id } = await withCard(cards.poor)
  await own.db((db) =>
    db
      .updateTable('paymentMethods')
      .set({ mandateVersion: 1, noticeDays: 5 })
      .where('businessId', '=', own.id)
      .execute(),
  )
  onDay(5)
  await run(own)
  onDay(10)
  await run(own)
  onDay(14)
  await run(own)
  expect(await tries(own)).toHaveLength(1)
  onDay(15)
  await run(own)
  expect(await tries(own)).toHaveLength(2)
  expect((await invoiceOf(own, id)).status).toBe('issued')
})

it('what a customer turned off only they turn on; what the office turns on is told to them', async () => {
  const { own, customerId, token } = await withCard()
  const turn = async (on: boolean) =>
    (await office(own)).call(cardsApi.setAutopay, { params: { id: customerId }, body: { on } })
  await turn(false)
  expect((await turn(true)).status).toBe(200)
  await run(own)
  expect((await subjects(own)).filter((subject) => subject.endsWith('is on again'))).toHaveLength(1)
  await stranger.ok(cardsApi.stopAutopay, { params: { token } })
  const refused = await turn(true)
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('Only they can turn it on')])
  expect(await cardOf(own, customerId)).toMatchObject({ stoppedByHolder: true, can: { turnOn: false } })
})
