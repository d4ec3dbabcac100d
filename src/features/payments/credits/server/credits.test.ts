import { describe, expect, it } from 'vitest'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit, today } from '../../../../test/field.ts'
import { readPdf } from '../../../../test/papers.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { creditsApi } from '../contract.ts'

const byRule = async (own: TestBusiness) => {
  const { version } = await own.api.ok(businessesApi.get, {})
  await own.api.ok(businessesApi.update, { body: { useCredit: true, version } })
}
const draft = async (own: TestBusiness, customerId: string, cents: number) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  return (await own.api.ok(invoicesApi.create, { body: { customerId, lines } })).id
}
const issued = async (own: TestBusiness, customerId: string, cents: number) => {
  const id = await draft(own, customerId, cents)
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const pay = (own: TestBusiness, id: string, amountCents: number) =>
  own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents, receivedOn: today() },
  })
const invoiceOf = (own: TestBusiness, id: string) => own.api.ok(invoicesApi.get, { params: { id } })
const creditsOf = (own: TestBusiness, id: string) => own.api.ok(correctionsApi.listCredits, { params: { id } })
const deposit = (own: TestBusiness, id: string, body: { amountCents: number; jobId?: string; receivedOn?: string }) =>
  own.api.call(creditsApi.recordDeposit, { params: { id }, body: { method: 'check', receivedOn: today(), ...body } })
const books = (own: TestBusiness) => own.db((db) => compareBooks(db))
const withMail = (own: TestBusiness, customerId: string) =>
  own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'ann@test.swath.test' })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
const mails = async (own: TestBusiness) => {
  await runTasks()
  return (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items.map(({ subject }) => subject)
}
const words = async (own: TestBusiness, paymentId: string) => {
  const { status, bytes } = await own.api.raw({ method: 'GET', url: `/api/payments/${paymentId}/pdf` })
  expect(status).toBe(200)
  return (await readPdf(bytes)).flat()
}

describe('credit by rule', () => {
  it('is off until the business wants it: nothing pays by itself', async () => {
    const own = await aBusiness()
    const { customerId } = await aVisit(own)
    await pay(own, await issued(own, customerId, 5000), 8000)
    const next = await issued(own, customerId, 2000)
    await runTasks()
    expect(await invoiceOf(own, next)).toMatchObject({ status: 'issued', creditCents: 3000 })
  })

  it('pays a new invoice in the moment it is issued, so that its mail asks for what is really open', async () => {
    const own = await aBusiness()
    const { customerId } = await aVisit(own)
    await withMail(own, customerId)
    await byRule(own)
    await pay(own, await issued(own, customerId, 5000), 8000)
    await runTasks()
    const [part, whole] = [await draft(own, customerId, 7000), await draft(own, customerId, 4000)]
    expect(await own.api.ok(invoicesApi.send, { params: { id: part } })).toMatchObject({
      status: 'partially_paid',
      balanceCents: 4000,
      creditCents: 0,
    })
    await own.api.ok(correctionsApi.giveCredit, {
      params: { id: customerId },
      body: { amountCents: 9000, reason: 'A friend they sent' },
    })
    await runTasks()
    expect(await invoiceOf(own, part)).toMatchObject({ status: 'paid' })
    expect(await own.api.ok(invoicesApi.send, { params: { id: whole } })).toMatchObject({
      status: 'paid',
      creditCents: 1000,
    })
    const subjects = await mails(own)
    expect(subjects.filter((one) => one.includes('$40.00 due'))).toHaveLength(1)
    expect(subjects.filter((one) => one.includes('nothing to pay'))).toHaveLength(1)
    expect(await books(own)).toEqual([])
  })

  it('pays the oldest open invoice first when it comes later, and never twice', async () => {
    const own = await aBusiness()
    const { customerId } = await aVisit(own)
    const [first, second, third] = [
      await issued(own, customerId, 3000),
      await issued(own, customerId, 3000),
      await issued(own, customerId, 3000),
    ]
    await byRule(own)
    await pay(own, third, 8000)
    await Promise.all([runTasks(), runTasks()])
    const all = await Promise.all([first, second, third].map((id) => invoiceOf(own, id)))
    expect(all.map(({ paidCents }) => paidCents)).toEqual([3000, 2000, 3000])
    expect(all[0]?.creditCents).toBe(0)
    expect(await books(own)).toEqual([])
  })
})

describe('a deposit', () => {
  it('waits for the first invoice of its job and goes on no other by itself', async () => {
    const own = await aBusiness()
    const { customerId, jobId } = await aVisit(own, { status: 'completed', priceCents: 6000 })
    await withMail(own, customerId)
    await byRule(own)
    const made = await deposit(own, customerId, { amountCents: 4000, jobId })
    expect(made.body).toMatchObject({ creditCents: 4000, receiptNumber: 1001, invoiceId: null })
    const other = await issued(own, customerId, 2500)
    await runTasks()
    expect(await invoiceOf(own, other)).toMatchObject({
      status: 'issued',
      creditCents: 0,
      boundCredit: [{ restCents: 4000 }],
    })
    expect((await creditsOf(own, customerId)).items).toMatchObject([{ receipt: 'R-1001', job: { id: jobId } }])
    await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
    const { items } = await own.api.ok(invoicesApi.list, { query: { customerId } })
    expect(items.find(({ id }) => id !== other)).toMatchObject({ status: 'partially_paid', balanceCents: 2000 })
    expect((await mails(own)).filter((one) => one.startsWith('Received: $40.00'))).toHaveLength(1)
    expect(await books(own)).toEqual([])
  })

  it('that comes after the invoice of its job goes on it at once', async () => {
    const own = await aBusiness()
    const { customerId, jobId } = await aVisit(own, { status: 'completed', priceCents: 6000 })
    await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
    const [invoice] = (await own.api.ok(invoicesApi.list, { query: { customerId } })).items
    const { body } = await deposit(own, customerId, { amountCents: 7000, jobId })
    expect(body).toMatchObject({ invoiceId: invoice?.id, creditCents: 1000 })
    expect(await invoiceOf(own, invoice?.id ?? '')).toMatchObject({ status: 'paid' })
    expect(await books(own)).toEqual([])
  })

  it('pays no other job’s work: of an invoice over two jobs only its own lines with their tax, and what is left asks for somebody', async () => {
    const own = await aBusiness()
    await own.api.ok(businessesApi.addTaxRate, { body: { name: 'Sales tax', ratePercent: 10, taxCategory: 'lawn' } })
    const [one, two] = [
      await aVisit(own, { status: 'completed', priceCents: 6000 }),
      await aVisit(own, { status: 'completed', priceCents: 4000 }),
    ]
    await own.db(async (db) => {
      const ofBusiness = <T extends 'visits' | 'jobs'>(table: T) => table
      await db.updateTable('services').set({ taxCategory: 'lawn' }).where('businessId', '=', own.id).execute()
      for (const [table, id] of [
        [ofBusiness('visits'), two.visitId],
        [ofBusiness('jobs'), two.jobId],
      ] as const)
        await db
          .updateTable(table)
          .set({ customerId: one.customerId })
          .where('businessId', '=', own.id)
          .where('id', '=', id)
          .execute()
    })
    const made = await deposit(own, one.customerId, { amountCents: 9000, jobId: one.jobId })
    expect(made.body.creditCents).toBe(9000)
    await own.api.ok(invoicesApi.createBatch, { body: { send: true, grouping: 'customer' } })
    const [invoice] = (await own.api.ok(invoicesApi.list, { query: { customerId: one.customerId } })).items
    expect(await invoiceOf(own, invoice?.id ?? '')).toMatchObject({
      totalCents: 11_000,
      paidCents: 6600,
      creditCents: 0,
      boundCredit: [{ job: { title: expect.any(String) }, restCents: 2400, own: true }],
    })
    // what comes for the second job goes on its own lines alone, and a second time on nothing
    const second = await deposit(own, one.customerId, { amountCents: 4000, jobId: two.jobId })
    expect(second.body).toMatchObject({ invoiceId: invoice?.id, creditCents: 0 })
    const third = await deposit(own, one.customerId, { amountCents: 1000, jobId: two.jobId })
    expect(third.body).toMatchObject({ creditCents: 600 })
    const needs = async () =>
      (await own.api.ok(dashboardApi.get, {})).needs
        .filter(({ badge }) => badge === 'Deposit')
        .map((need) => need.amountCents)
    expect(await needs()).toEqual([])
    await own.db((db) =>
      db
        .updateTable('jobs')
        .set({ status: 'canceled' })
        .where('businessId', '=', own.id)
        .where('id', '=', one.jobId)
        .execute(),
    )
    expect(await needs()).toEqual([2400])
    expect(await books(own)).toEqual([])
  })

  it('is refused for somebody else’s job, for a day that has not come, and for a stranger', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const [mine, theirs] = [await aVisit(own), await aVisit(own)]
    const foreign = await aVisit(other)
    for (const jobId of [theirs.jobId, foreign.jobId])
      expect((await deposit(own, mine.customerId, { amountCents: 100, jobId })).error.errors?.[0]?.path).toBe('jobId')
    expect((await deposit(own, mine.customerId, { amountCents: 100, receivedOn: '2999-01-01' })).status).toBe(422)
    expect((await deposit(own, foreign.customerId, { amountCents: 100 })).status).toBe(404)
    expect((await creditsOf(own, mine.customerId)).creditCents).toBe(0)
  })
})

describe('papers of money', () => {
  it('every payment has the next receipt, which says where the money went', async () => {
    const own = await aBusiness()
    const { customerId } = await aVisit(own)
    const id = await issued(own, customerId, 5000)
    await Promise.all([pay(own, id, 2000), pay(own, id, 1000)])
    await pay(own, id, 4500)
    const { payments, number } = await invoiceOf(own, id)
    expect(payments.map(({ receipt }) => receipt).sort()).toEqual(['R-1001', 'R-1002', 'R-1003'])
    const last = payments.find(({ amountCents }) => amountCents === 4500)
    const paper = await words(own, last?.id ?? '')
    expect(paper.join(' ')).toContain(last?.receipt)
    expect(paper.join(' ')).toMatch(new RegExp(`INV-${number} \\$\\d+\\.\\d\\d Received \\$45\\.00`))
  })

  it('a credit note says what it takes off, its tax and what is left of it', async () => {
    const own = await aBusiness()
    const { customerId } = await aVisit(own)
    const id = await issued(own, customerId, 5000)
    await pay(own, id, 4000)
    const { paymentId } = await own.api.ok(correctionsApi.creditInvoice, {
      params: { id },
      body: { amountCents: 3000, reason: 'Back yard not mowed' },
    })
    const { number } = await invoiceOf(own, id)
    const paper = (await words(own, paymentId ?? '')).join(' ')
    expect(paper).toContain('CN-1001')
    expect(paper).toContain(
      `Back yard not mowed $30.00 Credited $30.00 Put on INV-${number} -$10.00 Left as credit $20.00`,
    )
    const foreign = await aBusiness()
    expect((await foreign.api.raw({ method: 'GET', url: `/api/payments/${paymentId}/pdf` })).status).toBe(404)
  })
})
