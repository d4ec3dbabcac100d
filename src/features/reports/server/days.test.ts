import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { addDays, type Day, dayOf, instantAt } from '../../../shared/dates.ts'
import { type Api, apiFor, runTasks } from '../../../test/api.ts'
import { aPaid, dispute, step, zone } from '../../../test/disputes.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { creditsApi } from '../../payments/credits/contract.ts'
import { reportsApi } from '../contract.ts'

/** What a report says of days that are over stays so, whatever is done with their money later. */

let start: Day = ''
const day = (ahead: number) => addDays(start, ahead)
const onDay = (ahead: number) => setClock(() => new Date(instantAt(day(ahead), 720, zone)))
beforeEach(() => {
  start = dayOf(clock.now(), zone)
  onDay(0)
})
afterEach(resetClock)

/** Whoever comes back after days signs in again. */
const later = async (own: TestBusiness, ahead: number): Promise<Api> => {
  onDay(ahead)
  return apiFor(own.owner)
}

/** A lawn that is done and charged 100.00 with 7% on it. */
const work = async (own: TestBusiness, customer: string): Promise<string> => {
  const { customerId } = await aVisit(own, { status: 'completed', priceCents: 10_000, customer, day: day(0) })
  await own.db((db) =>
    db.updateTable('services').set({ taxCategory: 'lawn' }).where('businessId', '=', own.id).execute(),
  )
  return customerId
}
/** Invoices all that is done, today. @returns the newest invoice of a customer */
const bill = async (own: TestBusiness) => {
  const api = await apiFor(own.owner)
  await api.ok(invoicesApi.createBatch, { body: { send: true } })
  await runTasks()
  const { items } = await api.ok(invoicesApi.list, { query: {} })
  return (customerId: string) => items.find(({ customer }) => customer.id === customerId)?.id ?? ''
}
const aTaxing = async () => {
  const own = await aBusiness()
  await own.api.ok(businessesApi.addTaxRate, {
    body: { name: 'Georgia', ratePercent: 7, taxCategory: 'lawn', state: 'GA' },
  })
  return own
}
/** The same with an invoice over 107.00 for each of so many customers. */
const aTaxed = async (customers: number) => {
  const own = await aTaxing()
  const ids: string[] = []
  for (let at = 0; at < customers; at++) ids.push(await work(own, `Customer ${at}`))
  const of = await bill(own)
  return { own, invoices: ids.map((customerId) => ({ customerId, id: of(customerId) })) }
}

const pay = (api: Api, id: string, amountCents: number, receivedOn = dayOf(clock.now(), zone)) =>
  api.ok(paymentsApi.recordPayment, { params: { id }, body: { method: 'check', amountCents, receivedOn } })
const paymentOf = async (own: TestBusiness, customerId: string) =>
  own.db(async (db) => {
    const row = await db
      .selectFrom('payments')
      .select('id')
      .where('businessId', '=', own.id)
      .where('customerId', '=', customerId)
      .where('method', '<>', 'credit')
      .executeTakeFirstOrThrow()
    return row.id
  })
const refund = async (api: Api, own: TestBusiness, customerId: string, amountCents: number, more: object = {}) =>
  api.ok(correctionsApi.refundPayment, {
    params: { id: await paymentOf(own, customerId) },
    body: { amountCents, method: 'check', onDay: dayOf(clock.now(), zone), reason: 'Not done', ...more },
  })

/** Tax that was collected on each of these days. */
const collected = async (api: Api, days: readonly Day[]): Promise<number[]> =>
  Promise.all(
    days.map(async (one) => {
      const report = await api.ok(reportsApi.run, { query: { kind: 'tax', period: 'custom', from: one, to: one } })
      const at = report.columns.findIndex(({ id }) => id === 'collected')
      return Number(report.total?.[at] ?? 0)
    }),
  )

describe('tax collected', () => {
  it('in money that came ahead is of the day it was put on its invoice', async () => {
    const own = await aTaxing()
    const customerId = await work(own, 'Ann')
    await own.api.ok(creditsApi.recordDeposit, {
      params: { id: customerId },
      body: { method: 'check', amountCents: 5350, receivedOn: day(0) },
    })
    const api = await later(own, 10)
    const id = (await bill(own))(customerId)
    expect(await collected(api, [day(0), day(10)])).toEqual([0, 0])
    await api.ok(correctionsApi.useCredit, { params: { id }, body: { amountCents: 5350 } })
    expect(await collected(api, [day(0), day(10)])).toEqual([0, 350])
    // it is taken off, and put there again later
    const paymentId = await paymentOf(own, customerId)
    const after = await later(own, 20)
    await after.ok(correctionsApi.takeOff, { params: { id: paymentId }, body: { invoiceId: id, reason: 'Not this' } })
    expect(await collected(after, [day(0), day(10), day(20)])).toEqual([0, 350, -350])
    const last = await later(own, 21)
    await last.ok(correctionsApi.useCredit, { params: { id }, body: { amountCents: 5350 } })
    expect(await collected(last, [day(0), day(10), day(20), day(21)])).toEqual([0, 350, -350, 350])
  })

  it('is taken off on the day of a refund, and stays where a credit note gives money for later', async () => {
    const { own, invoices } = await aTaxed(3)
    for (const { id } of invoices) await pay(own.api, id, 10_700)
    expect(await collected(own.api, [day(0)])).toEqual([2100])
    const api = await later(own, 10)
    const [whole, part, credited] = invoices
    await refund(api, own, whole?.customerId ?? '', 10_700)
    expect(await collected(api, [day(0), day(10)])).toEqual([2100, -700])
    await refund(api, own, part?.customerId ?? '', 2140, { creditInvoices: true })
    expect(await collected(api, [day(0), day(10)])).toEqual([2100, -840])
    await api.ok(correctionsApi.creditInvoice, {
      params: { id: credited?.id ?? '' },
      body: { amountCents: 2140, reason: 'Back yard', tell: false },
    })
    expect(await collected(api, [day(0), day(10)])).toEqual([2100, -840])
    // the refund is dated before it was written down, and the invoice of another is paid anew
    await pay(api, whole?.id ?? '', 10_700)
    expect(await collected(api, [day(0), day(10)])).toEqual([2100, -140])
  })

  it('goes when a bank takes a payment, and comes again when it gives it back', async () => {
    const paid = await aPaid({ taxPercent: 10 })
    const { own } = paid
    expect(await collected(paid.api, [day(0)])).toEqual([550])
    const api = await later(own, 5)
    const bank = await dispute(paid)
    expect(await collected(api, [day(0), day(5)])).toEqual([550, -550])
    const after = await later(own, 9)
    await step(bank, 'win')
    expect(await collected(after, [day(0), day(5), day(9)])).toEqual([550, -550, 550])
  })
})

/** What was open at the end of a day. */
const openOn = async (api: Api, asOf: Day): Promise<number> => {
  const report = await api.ok(reportsApi.run, { query: { kind: 'aging', period: 'custom', to: asOf } })
  return Number(report.total?.at(-1) ?? 0)
}

describe('what was open on an earlier day', () => {
  it('has what was paid in full later, also with credit that lay there before', async () => {
    const { own, invoices } = await aTaxed(1)
    const [invoice] = invoices
    await own.api.ok(creditsApi.recordDeposit, {
      params: { id: invoice?.customerId ?? '' },
      body: { method: 'check', amountCents: 10_700, receivedOn: day(0) },
    })
    const api = await later(own, 10)
    await api.ok(correctionsApi.useCredit, { params: { id: invoice?.id ?? '' }, body: { amountCents: 10_700 } })
    expect(await Promise.all([5, 9, 10].map((ahead) => openOn(api, day(ahead))))).toEqual([10_700, 10_700, 0])
  })

  it('has not what was paid then and went back later', async () => {
    const { own, invoices } = await aTaxed(2)
    const [first, second] = invoices
    await pay(await later(own, 2), first?.id ?? '', 10_700)
    await pay(await later(own, 2), second?.id ?? '', 4000)
    const api = await later(own, 10)
    await refund(api, own, first?.customerId ?? '', 10_700)
    await refund(api, own, second?.customerId ?? '', 1000)
    expect(await Promise.all([1, 5, 9, 10].map((ahead) => openOn(api, day(ahead))))).toEqual([
      21_400, 6700, 6700, 18_400,
    ])
  })

  it('has not what was written off then and is owed again since, nor what was void', async () => {
    const { own, invoices } = await aTaxed(2)
    const [first, second] = invoices
    await (await later(own, 1)).ok(invoicesApi.voidInvoice, {
      params: { id: second?.id ?? '' },
      body: { reason: 'Twice' },
    })
    await (await later(own, 2)).ok(invoicesApi.writeOff, { params: { id: first?.id ?? '' }, body: { reason: 'Gone' } })
    const api = await later(own, 10)
    await api.ok(invoicesApi.reinstate, { params: { id: first?.id ?? '' } })
    expect(await Promise.all([0, 1, 5, 10].map((ahead) => openOn(api, day(ahead))))).toEqual([
      21_400, 10_700, 0, 10_700,
    ])
  })
})
