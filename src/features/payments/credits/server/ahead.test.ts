import { beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, aVisit, today } from '../../../../test/field.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { jobsApi } from '../../../jobs/contract.ts'
import { programsApi } from '../../../jobs/programs/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { quotesApi } from '../../../quotes/contract.ts'
import { quoteDepositsApi } from '../../../quotes/deposits/contract.ts'
import { servicesApi } from '../../../services/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { creditsApi } from '../contract.ts'
import { spendWaiting } from './tasks.ts'

let own: TestBusiness
let customerId: string
let propertyId: string
let mulch: string

const check = { method: 'check' as const, receivedOn: today() }
const record = (id: string) => own.api.ok(quoteDepositsApi.record, { params: { id }, body: { ...check, note: '' } })
const quoteOf = (id: string) => own.api.ok(quotesApi.get, { params: { id } })
const invoiceOf = (id: string) => own.api.ok(invoicesApi.get, { params: { id } })
const credit = async () => (await own.api.ok(correctionsApi.listCredits, { params: { id: customerId } })).creditCents
const books = () => own.db((db) => compareBooks(db))
const needs = async () =>
  (await own.api.ok(dashboardApi.get, {})).needs
    .filter(({ badge }) => badge === 'Deposit')
    .map(({ amountCents, detail }) => [amountCents, detail])

/** A signed quote over mulch for $300 and a round of a program for $80, which becomes two jobs. */
const aSigned = async (depositCents: number) => {
  const year = Number(today().slice(0, 4))
  const program = await own.api.ok(programsApi.create, {
    body: {
      name: `Lawn care ${newId().slice(-6)}`,
      steps: [
        { serviceId: mulch, from: '03-01', to: '03-31', minGapDays: 0, priceCents: 9000, minutes: 30, name: 'Round 1' },
      ],
    },
  })
  const round = { programId: program.id, year, opensOn: today(), closesOn: addDays(today(), 20), minGapDays: 0 }
  const line = { serviceId: mulch, minutes: 60 }
  const content = {
    lines: [
      { ...line, id: newId(), name: 'Mulch', unitPriceCents: 30_000 },
      { ...line, id: newId(), name: 'Round 1', unitPriceCents: 8000, round },
    ],
    deposit: { kind: 'amount', value: depositCents },
  }
  const made = await own.api.ok(quotesApi.create, { body: { propertyId, content } as never })
  const sent = await own.api.ok(quotesApi.send, {
    params: { id: made.id },
    body: { mail: true, text: false, version: made.version },
  })
  return own.api.ok(quotesApi.approve, {
    params: { id: made.id },
    body: { signer: 'Rebecca', note: 'By phone', choice: { packageId: null, lineIds: [] }, version: sent.version },
  })
}
/** Makes it jobs. @returns the one for the mulch and the one for the round */
const convert = async (id: string) => {
  const { version } = await quoteOf(id)
  await own.api.ok(quotesApi.convert, { params: { id }, body: { startOn: today(), version } })
  const jobs = await own.db((db) =>
    db.selectFrom('jobs').select(['id', 'title', 'programId']).where('quoteId', '=', id).execute(),
  )
  return {
    mulched: jobs.find(({ programId }) => programId === null)?.id ?? '',
    round: jobs.find(({ programId }) => programId !== null)?.id ?? '',
  }
}
/** Finishes the work of jobs and invoices what waits. @returns the newest invoice */
const bill = async (...jobIds: string[]) => {
  for (const jobId of jobIds)
    await own.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'completed', day: today(), finishedAt: new Date().toISOString() })
        .where('businessId', '=', own.id)
        .where('jobId', '=', jobId)
        .where('status', '<>', 'completed')
        .execute(),
    )
  await own.api.ok(invoicesApi.createBatch, { body: { send: false, grouping: 'visit' } })
  const { items } = await own.api.ok(invoicesApi.list, { query: { customerId } })
  const drafts = items.filter(({ status }) => status === 'draft')
  for (const { id } of drafts) {
    const { atIssue } = await invoiceOf(id)
    const issued = await own.api.ok(invoicesApi.issue, { params: { id } })
    // the draft says what is taken off it
    expect([atIssue, issued.atIssue]).toEqual([{ depositCents: issued.paidCents, creditCents: 0 }, null])
  }
  return invoiceOf(drafts[0]?.id ?? '')
}

beforeEach(async () => {
  own = await aBusiness()
  ;({ customerId, propertyId } = await aLawn(own))
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'rebecca@test.swath.test' })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const { items } = await own.api.ok(servicesApi.addDefaults, {})
  mulch = items.find(({ category }) => category === 'install')?.id ?? ''
})

describe('money paid ahead for a quote of several jobs', () => {
  it('is taken off the invoices of all of them until it is used up, and off no other', async () => {
    const quote = await aSigned(35_000)
    await record(quote.id)
    const { mulched, round } = await convert(quote.id)
    const { items } = await own.api.ok(correctionsApi.listCredits, { params: { id: customerId } })
    expect(items).toMatchObject([{ job: null, quote: { id: quote.id }, restCents: 35_000 }])
    // a job added by hand is not the quote's
    const byHand = await own.api.ok(jobsApi.create, {
      body: {
        propertyId,
        startOn: today(),
        lines: [{ serviceId: mulch, unitPriceCents: 4000, budgetMinutes: 30, onceOn: today(), recurrence: null }],
      } as never,
    })
    expect(await bill(byHand.id)).toMatchObject({ totalCents: 4000, paidCents: 0 })
    expect(await bill(round)).toMatchObject({ totalCents: 8000, paidCents: 8000, status: 'paid' })
    expect(await bill(mulched)).toMatchObject({ totalCents: 30_000, paidCents: 27_000, balanceCents: 3000 })
    expect([await credit(), await needs(), await books()]).toEqual([0, [], []])
  })

  it('pays what is open already, the oldest first, when it comes late', async () => {
    const quote = await aSigned(20_000)
    const { mulched, round } = await convert(quote.id)
    const [first, second] = [await bill(round), await bill(mulched)]
    await record(quote.id)
    expect(await invoiceOf(first.id)).toMatchObject({ status: 'paid' })
    expect(await invoiceOf(second.id)).toMatchObject({ paidCents: 12_000 })
    expect([await credit(), await books()]).toEqual([0, []])
  })

  it('pays what was open beside it from before, once, and says so there', async () => {
    const quote = await aSigned(20_000)
    const { mulched, round } = await convert(quote.id)
    const [first, second] = [await bill(round), await bill(mulched)]
    // as it stood where deposits went on what is open only when one came
    const held = (pendingCents: number) =>
      own.db((db) => db.updateTable('invoices').set({ pendingCents }).where('businessId', '=', own.id).execute())
    await held(100)
    await record(quote.id)
    await held(0)
    expect([(await invoiceOf(first.id)).paidCents, await credit()]).toEqual([0, 20_000])
    await Promise.all([spendWaiting(systemActor(own.id)), spendWaiting(systemActor(own.id))])
    await spendWaiting(systemActor(own.id))
    expect(await invoiceOf(first.id)).toMatchObject({ status: 'paid', paidCents: 8000 })
    const { paidCents, payments } = await invoiceOf(second.id)
    expect([paidCents, payments.map((one) => [one.deposit, one.allocatedCents])]).toEqual([12_000, [[true, 12_000]]])
    expect([await credit(), await books()]).toEqual([0, []])
    await runTasks()
    expect(
      (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items.filter(({ subject }) =>
        subject.includes(`INV-${first.number}`),
      ),
    ).toHaveLength(1)
  })

  it('goes on with the work that is left when one job is canceled, and asks for somebody when none is', async () => {
    const quote = await aSigned(30_000)
    await record(quote.id)
    const { mulched, round } = await convert(quote.id)
    const set = (id: string, status: 'canceled' | 'completed') =>
      own.db((db) =>
        db.updateTable('jobs').set({ status }).where('businessId', '=', own.id).where('id', '=', id).execute(),
      )
    await set(mulched, 'canceled')
    expect(await needs()).toEqual([])
    expect((await quoteOf(quote.id)).depositCan.keep).toBe(false)
    await bill(round)
    await set(round, 'completed')
    expect(await credit()).toBe(22_000)
    expect(await needs()).toEqual([[22_000, expect.stringContaining(`The work of Q-${quote.number} is done`)]])
    await set(round, 'canceled')
    expect(await needs()).toEqual([[22_000, expect.stringContaining('was canceled')]])
    // it is settled where it was agreed
    const over = await quoteOf(quote.id)
    expect(over.jobs.map(({ id }) => id).toSorted()).toEqual([mulched, round].toSorted())
    expect(over.depositCan).toEqual({ record: false, keep: true, refund: true })
    await own.api.ok(quoteDepositsApi.keep, { params: { id: quote.id } })
    expect(await needs()).toEqual([])
    expect((await quoteOf(quote.id)).depositCan.keep).toBe(false)
    expect(await books()).toEqual([])
  })

  it('gives back to the same work what a voided invoice had of it', async () => {
    const quote = await aSigned(20_000)
    await record(quote.id)
    const { mulched, round } = await convert(quote.id)
    const first = await bill(mulched)
    const second = await bill(round)
    expect([first.paidCents, second.paidCents, first.can.void]).toEqual([20_000, 0, true])
    await own.api.ok(invoicesApi.voidInvoice, { params: { id: first.id } })
    expect(await credit()).toBe(20_000)
    const voided = await invoiceOf(first.id)
    const [gone] = voided.corrections.filter(({ kind }) => kind === 'void')
    const given = voided.corrections.filter(({ kind }) => kind === 'given_back')
    expect(given).toMatchObject([{ amountCents: 20_000, reason: '' }])
    const back = { id: given[0]?.id, amountCents: 20_000, quote: { number: quote.number }, job: null }
    expect(voided.gaveDeposits).toEqual([{ ...back, restCents: 20_000, pays: [] }])
    expect(gone?.amountCents).toBe(first.balanceCents)
    // what is open of the same quote takes it, and the work that is invoiced anew the rest
    await runTasks()
    expect(await invoiceOf(second.id)).toMatchObject({ status: 'paid', paidCents: 8000 })
    expect(await invoiceOf(first.id)).toMatchObject({
      replacedBy: null,
      gaveDeposits: [{ ...back, restCents: 12_000, pays: [second.number] }],
    })
    const anew = await bill(mulched)
    expect(anew).toMatchObject({ paidCents: 12_000, replacedBy: null })
    expect((await invoiceOf(first.id)).replacedBy).toEqual({ id: anew.id, number: anew.number })
    expect([await credit(), await books()]).toEqual([0, []])
  })

  it('does not hide money that came for the invoice itself: that keeps it from being voided', async () => {
    const quote = await aSigned(20_000)
    await record(quote.id)
    const { mulched } = await convert(quote.id)
    const { id } = await bill(mulched)
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body: { ...check, amountCents: 100 } })
    expect((await invoiceOf(id)).can.void).toBe(false)
    const refused = await own.api.call(invoicesApi.voidInvoice, { params: { id } })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('has payments on it')])
    expect(await invoiceOf(id)).toMatchObject({ paidCents: 20_100 })
  })

  it('is used for no cent twice by two invoices that are issued at once, nor what went back of it', async () => {
    const quote = await aSigned(20_000)
    await record(quote.id)
    const { mulched, round } = await convert(quote.id)
    const paymentId = (await quoteOf(quote.id)).deposit?.id ?? ''
    await own.api.ok(correctionsApi.refundPayment, {
      params: { id: paymentId },
      body: { amountCents: 5000, method: 'check', onDay: today(), reason: 'Less work' },
    })
    for (const jobId of [mulched, round])
      await own.db((db) =>
        db
          .updateTable('visits')
          .set({ status: 'completed', day: today(), finishedAt: new Date().toISOString() })
          .where('businessId', '=', own.id)
          .where('jobId', '=', jobId)
          .execute(),
      )
    await own.api.ok(invoicesApi.createBatch, { body: { send: false, grouping: 'visit' } })
    const { items } = await own.api.ok(invoicesApi.list, { query: { customerId } })
    const issued = await Promise.all(items.map(({ id }) => own.api.ok(invoicesApi.issue, { params: { id } })))
    expect(issued).toHaveLength(2)
    expect(issued.reduce((sum, { paidCents }) => sum + paidCents, 0)).toBe(15_000)
    expect([await credit(), await books()]).toEqual([0, []])
  })

  it('leaves room for a deposit of one of its jobs, which goes on that job first', async () => {
    const quote = await aSigned(20_000)
    await record(quote.id)
    const { mulched, round } = await convert(quote.id)
    await own.api.ok(creditsApi.recordDeposit, {
      params: { id: customerId },
      body: { ...check, amountCents: 15_000, jobId: mulched },
    })
    expect(await bill(mulched)).toMatchObject({ totalCents: 30_000, paidCents: 30_000 })
    expect(await credit()).toBe(5000)
    expect(await bill(round)).toMatchObject({ paidCents: 5000 })
    expect([await credit(), await books()]).toEqual([0, []])
  })

  it('goes on an invoice that stands beside other work for its own lines alone', async () => {
    const quote = await aSigned(38_000)
    await record(quote.id)
    const { round } = await convert(quote.id)
    const other = await aVisit(own, { status: 'completed', priceCents: 4000 })
    await own.db(async (db) => {
      for (const table of ['visits', 'jobs'] as const)
        await db
          .updateTable(table)
          .set({ customerId })
          .where('businessId', '=', own.id)
          .where('id', '=', table === 'visits' ? other.visitId : other.jobId)
          .execute()
      await db
        .updateTable('visits')
        .set({ status: 'completed', day: today(), finishedAt: new Date().toISOString() })
        .where('businessId', '=', own.id)
        .where('jobId', '=', round)
        .execute()
    })
    await own.api.ok(invoicesApi.createBatch, {
      body: { send: true, grouping: 'customer', to: addDays(today(), 1) },
    })
    const [invoice] = (await own.api.ok(invoicesApi.list, { query: { customerId } })).items
    expect(await invoiceOf(invoice?.id ?? '')).toMatchObject({ totalCents: 12_000, paidCents: 8000 })
    expect(await books()).toEqual([])
  })
})

describe('credit that is used by hand', () => {
  const anInvoice = async (unitPriceCents: number) => {
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents }]
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
    return own.api.ok(invoicesApi.issue, { params: { id } })
  }
  const use = (id: string, amountCents: number, deposits?: string[]) =>
    own.api.call(correctionsApi.useCredit, { params: { id }, body: { amountCents, ...(deposits ? { deposits } : {}) } })

  it('is what is free; money for other work is named, counted apart and left where nobody chooses it', async () => {
    const [first, second] = [await aSigned(20_000), await aSigned(30_000)]
    await record(first.id)
    await record(second.id)
    await own.api.ok(correctionsApi.giveCredit, {
      params: { id: customerId },
      body: { amountCents: 1000, reason: 'Bed' },
    })
    const invoice = await anInvoice(45_000)
    const [one, two] = invoice.boundCredit
    expect(invoice).toMatchObject({ creditCents: 1000, can: { useCredit: true } })
    expect([one, two]).toMatchObject([
      { quote: { number: first.number }, job: null, restCents: 20_000, own: false },
      { quote: { number: second.number }, restCents: 30_000, own: false },
    ])
    expect((await use(invoice.id, 1001)).error.errors?.[0]?.path).toBe('amountCents')
    expect((await use(invoice.id, 1000)).status).toBe(200)
    const none = await use(invoice.id, 100)
    expect([none.status, none.error.errors?.[0]?.path]).toEqual([422, 'deposits'])
    expect(await invoiceOf(invoice.id)).toMatchObject({ paidCents: 1000, creditCents: 0, can: { useCredit: true } })
    expect(await credit()).toBe(50_000)
    // the one that is chosen, and no other
    expect((await use(invoice.id, 20_001, [one?.paymentId ?? ''])).status).toBe(422)
    expect((await use(invoice.id, 20_000, [one?.paymentId ?? ''])).status).toBe(200)
    expect((await quoteOf(second.id)).deposit?.restCents).toBe(30_000)
    expect((await invoiceOf(invoice.id)).boundCredit).toMatchObject([{ restCents: 30_000 }])
    expect(await books()).toEqual([])
  })

  it('is told where the deposit was agreed on: the quote and its page say what it paid and what is left', async () => {
    const quote = await aSigned(30_000)
    await record(quote.id)
    const page = async () => {
      const { text } = await stranger.raw({ method: 'GET', url: (await quoteOf(quote.id)).publicPath ?? '' })
      return text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    }
    const { depositUses, totalCents } = await quoteOf(quote.id)
    expect(depositUses).toEqual({ restCents: 30_000, pays: [] })
    expect(await page()).toContain(`Of the total, ${formatCents(totalCents - 30_000)} is left to pay`)
    const invoice = await anInvoice(25_000)
    await use(invoice.id, 25_000, [invoice.boundCredit[0]?.paymentId ?? ''])
    expect((await quoteOf(quote.id)).depositUses).toEqual({
      restCents: 5000,
      pays: [{ id: invoice.id, number: invoice.number, cents: 25_000 }],
    })
    expect(await page()).toContain(`$250.00 of it paid INV-${invoice.number}. $50.00 of it is left.`)
  })

  it('is refused with a deposit that is somebody else’s, used up or none at all', async () => {
    const quote = await aSigned(20_000)
    await record(quote.id)
    const mine = (await quoteOf(quote.id)).deposit?.id ?? ''
    const theirs = await aLawn(own)
    const foreign = await own.api.ok(creditsApi.recordDeposit, {
      params: { id: theirs.customerId },
      body: { ...check, amountCents: 5000 },
    })
    const invoice = await anInvoice(45_000)
    for (const id of [foreign.paymentId, newId()]) {
      const refused = await use(invoice.id, 5000, [mine, id])
      expect([refused.status, refused.error.errors?.[0]?.path]).toEqual([422, 'deposits'])
    }
    expect(await invoiceOf(invoice.id)).toMatchObject({ paidCents: 0 })
    expect((await use(invoice.id, 20_000, [mine])).status).toBe(200)
    expect((await use(invoice.id, 100, [mine])).status).toBe(409)
    expect(await books()).toEqual([])
  })

  it('says which deposit is for the very work of the invoice', async () => {
    const quote = await aSigned(20_000)
    const { round, mulched } = await convert(quote.id)
    const first = await bill(mulched)
    await record(quote.id)
    const paymentId = (await quoteOf(quote.id)).deposit?.id ?? ''
    await own.api.ok(correctionsApi.takeOff, {
      params: { id: paymentId },
      body: { invoiceId: first.id, reason: 'Later' },
    })
    expect((await invoiceOf(first.id)).boundCredit).toMatchObject([{ own: true, restCents: 20_000 }])
    const other = await anInvoice(5000)
    expect(other.boundCredit).toMatchObject([{ own: false, restCents: 20_000 }])
    expect(round).toBeTruthy()
  })
})

it('credit by rule does not take what waits for work', async () => {
  const { version } = await own.api.ok(businessesApi.get, {})
  await own.api.ok(businessesApi.update, { body: { useCredit: true, version } })
  const quote = await aSigned(20_000)
  await record(quote.id)
  await runTasks()
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  expect(await own.api.ok(invoicesApi.issue, { params: { id } })).toMatchObject({ paidCents: 0 })
  expect(await credit()).toBe(20_000)
})
