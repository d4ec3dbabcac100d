import { expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { clock } from '../../../../platform/clock.ts'
import { ownerPool } from '../../../../platform/db/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { formatCents } from '../../../../shared/money.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { somebodyWaits } from '../../../../test/database.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { readPdf } from '../../../../test/papers.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { compareBooks } from '../../../payments/corrections/server/queries.ts'
import { servicesApi } from '../../../services/contract.ts'
import { quotesApi } from '../../contract.ts'
import { quoteDepositsApi } from '../../deposits/contract.ts'
import { syncDeposit } from '../../deposits/server/commands.ts'
import { quoteBillingApi } from '../contract.ts'

const signed = async (content: object = {}) => {
  const own = await aBusiness()
  const { customerId, propertyId } = await aLawn(own)
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'rebecca@test.swath.test' })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const { items } = await own.api.ok(servicesApi.addDefaults, {})
  const serviceId = items[0]?.id ?? ''
  const option = newId()
  const lines = [
    { id: newId(), serviceId, name: 'Mulch', unitPriceCents: 10_001, quantity: 3 },
    { id: newId(), serviceId, name: 'Mowing', frequency: 'weekly', visits: 12, unitPriceCents: 5000 },
    { id: option, serviceId, name: 'Edging', unitPriceCents: 7000, optional: true },
    { id: newId(), serviceId, name: 'Never chosen', unitPriceCents: 99_900, optional: true },
  ]
  const made = await own.api.ok(quotesApi.create, { body: { propertyId, content: { lines, ...content } } as never })
  const sent = await own.api.ok(quotesApi.send, {
    params: { id: made.id },
    body: { mail: true, text: false, version: made.version },
  })
  const quote = await own.api.ok(quotesApi.approve, {
    params: { id: made.id },
    body: {
      signer: 'Rebecca',
      note: 'On the phone',
      choice: { packageId: null, lineIds: [option] },
      version: sent.version,
    } as never,
  })
  return { own, customerId, quote }
}

/** How many signed quotes wait for somebody, and for how much. */
const waiting = async (own: TestBusiness) => [
  (await own.api.ok(dashboardApi.get, {})).needs.filter(({ badge }) => badge === 'Signed').length,
  (await own.api.ok(quotesApi.list, {})).approvedCents,
]

it('an invoice of a signed quote has what was chosen at the prices that were signed, once, whoever presses how often', async () => {
  const { own, quote, customerId } = await signed({ discount: { kind: 'percent', value: 1000 } })
  expect(quote.billing).toEqual({ can: true, invoice: null })
  const press = () => own.api.call(quoteBillingApi.bill, { params: { id: quote.id } })
  const answers = await Promise.all([press(), press()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const { items } = await own.api.ok(invoicesApi.list, {})
  expect(items).toHaveLength(1)
  const invoice = await own.api.ok(invoicesApi.get, { params: { id: items[0]?.id ?? '' } })
  expect(invoice).toMatchObject({ status: 'draft', subtotalCents: quote.totalCents, customer: { id: customerId } })
  expect(invoice.lines.map(({ description }) => description)).toEqual(['Mulch', 'Mowing (12 visits)', 'Edging'])
  const now = await own.api.ok(quotesApi.get, { params: { id: quote.id } })
  expect(now.billing).toEqual({ can: false, invoice: { id: invoice.id, number: invoice.number, isCredited: false } })
  // its work is not billed by visits as well
  const convert = () =>
    own.api.call(quotesApi.convert, { params: { id: quote.id }, body: { startOn: today(), version: now.version } })
  const refused = await convert()
  expect([refused.status, refused.error.message]).toEqual([
    409,
    expect.stringContaining('Void that invoice or credit all of it first'),
  ])
  await own.api.ok(invoicesApi.voidInvoice, { params: { id: invoice.id } })
  expect((await own.api.ok(quotesApi.get, { params: { id: quote.id } })).billing).toEqual({ can: true, invoice: null })
  expect((await convert()).status).toBe(200)
  expect((await press()).status).toBe(409)
})

it('becomes a job once all of its paid invoice was credited, not before, and is never invoiced as a whole again', async () => {
  const { own, quote } = await signed({ deposit: { kind: 'amount', value: 20_000 } })
  const { billing } = await own.api.ok(quoteBillingApi.bill, { params: { id: quote.id } })
  const id = billing.invoice?.id ?? ''
  const { totalCents } = await own.api.ok(invoicesApi.issue, { params: { id } })
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents: totalCents, receivedOn: today() },
  })
  const credit = (amountCents: number) =>
    own.api.ok(correctionsApi.creditInvoice, { params: { id }, body: { amountCents, reason: 'In spring instead' } })
  const read = () => own.api.ok(quotesApi.get, { params: { id: quote.id } })
  const convert = async () =>
    own.api.call(quotesApi.convert, {
      params: { id: quote.id },
      body: { startOn: today(), version: (await read()).version },
    })
  // its link asks for the deposit only where nothing bills the quote
  const page = async () => (await stranger.raw({ method: 'GET', url: quote.publicPath ?? '' })).text.includes('/pay"')
  await credit(totalCents - 1)
  expect((await convert()).status).toBe(409)
  expect([await waiting(own), (await read()).depositCan.record, await page()]).toEqual([[0, 0], false, false])
  await credit(1)
  expect((await read()).billing).toMatchObject({ can: false, invoice: { isCredited: true } })
  expect((await own.api.call(quoteBillingApi.bill, { params: { id: quote.id } })).status).toBe(409)
  // nothing bills it now, wherever that is asked
  expect([await waiting(own), (await read()).depositCan.record, await page()]).toEqual([
    [1, quote.totalCents],
    true,
    true,
  ])
  expect((await convert()).status).toBe(200)
  // the job bills it now: the invoice is not opened again beside it
  const note = (await own.api.ok(invoicesApi.get, { params: { id } })).customer.id
  const [credit0] = (await own.api.ok(correctionsApi.listCredits, { params: { id: note } })).items
  const back = await own.api.call(correctionsApi.reversePayment, {
    params: { id: credit0?.paymentId ?? '' },
    body: { reason: 'Not meant' },
  })
  expect([back.status, back.error.message]).toEqual([409, expect.stringContaining('the job bills it now')])
  expect(await own.db((db) => compareBooks(db))).toEqual([])
})

it('its deposit is taken off in the moment it is issued, so its mail, page and paper ask for the rest, and voided it gives it back', async () => {
  const { own, customerId, quote } = await signed({ deposit: { kind: 'amount', value: 20_000 } })
  await own.api.ok(quoteDepositsApi.record, {
    params: { id: quote.id },
    body: { method: 'check', receivedOn: today(), note: '' } as never,
  })
  const bill = async () =>
    (await own.api.ok(quoteBillingApi.bill, { params: { id: quote.id } })).billing.invoice?.id ?? ''
  const credit = async () =>
    (await own.api.ok(correctionsApi.listCredits, { params: { id: customerId } })).items.map(
      ({ restCents, quote: of }) => [restCents, of?.id ?? null],
    )
  const id = await bill()
  expect(await credit()).toEqual([[20_000, quote.id]])
  const rest = quote.totalCents - 20_000
  expect(await own.api.ok(invoicesApi.send, { params: { id } })).toMatchObject({
    status: 'partially_paid',
    balanceCents: rest,
  })
  await runTasks()
  const mails = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
  expect(mails.map(({ subject }) => subject)).toContainEqual(expect.stringContaining(`${formatCents(rest)} due`))
  const { bytes } = await own.api.raw({ method: 'GET', url: `/api/invoices/${id}/pdf` })
  expect((await readPdf(bytes)).flat().join(' ')).toContain(formatCents(rest))
  expect(await credit()).toEqual([])
  await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
  expect(await credit()).toEqual([[20_000, quote.id]])
  const again = await bill()
  expect(await own.api.ok(invoicesApi.issue, { params: { id: again } })).toMatchObject({ paidCents: 20_000 })
  expect(await own.db((db) => compareBooks(db))).toEqual([])
})

it('takes of a deposit that is larger than it as far as it goes; the rest is credit, and the quote’s again once it is voided', async () => {
  const { own, customerId, quote } = await signed({ deposit: { kind: 'amount', value: 20_000 } })
  await own.api.ok(quoteDepositsApi.record, {
    params: { id: quote.id },
    body: { method: 'check', receivedOn: today(), note: '' } as never,
  })
  const { billing } = await own.api.ok(quoteBillingApi.bill, { params: { id: quote.id } })
  const id = billing.invoice?.id ?? ''
  const { version, lines, termsDays } = await own.api.ok(invoicesApi.get, { params: { id } })
  const [first] = lines
  await own.api.ok(invoicesApi.change, {
    params: { id },
    body: {
      version,
      termsDays,
      message: '',
      discountCents: 0,
      lines: [
        { id: first?.id, description: 'Mulch', quantity: 1, unitPriceCents: 12_000, taxCategory: first?.taxCategory },
      ],
    } as never,
  })
  expect(await own.api.ok(invoicesApi.issue, { params: { id } })).toMatchObject({ status: 'paid', paidCents: 12_000 })
  const kept = async () => (await own.api.ok(quotesApi.get, { params: { id: quote.id } })).deposit
  expect(await kept()).toMatchObject({ kept: true, restCents: 8000 })
  await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
  expect(await kept()).toMatchObject({ kept: false, restCents: 20_000 })
  expect((await own.api.ok(correctionsApi.listCredits, { params: { id: customerId } })).creditCents).toBe(20_000)
  expect(await own.db((db) => compareBooks(db))).toEqual([])
})

it('waits for no job any more, until its invoice is voided', async () => {
  const { own, quote } = await signed()
  expect(await waiting(own)).toEqual([1, quote.totalCents])
  const { billing } = await own.api.ok(quoteBillingApi.bill, { params: { id: quote.id } })
  expect(await waiting(own)).toEqual([0, 0])
  await own.api.ok(invoicesApi.voidInvoice, { params: { id: billing.invoice?.id ?? '' } })
  expect(await waiting(own)).toEqual([1, quote.totalCents])
})

it('asks for no deposit any more: its page ends, and what comes all the same is taken off the invoice', async () => {
  const { own, quote } = await signed({ deposit: { kind: 'amount', value: 20_000 } })
  const form = (path: string) => ({
    method: 'POST' as const,
    url: `${quote.publicPath}${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  })
  const page = async () => (await stranger.raw({ method: 'GET', url: quote.publicPath ?? '' })).text
  const pay = (sessionId: string) =>
    stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
  const sessionId = /\/local\/checkout\/([\w-]+)/.exec((await stranger.raw(form('/pay'))).text)?.[1] ?? ''
  expect([sessionId, await page()]).toEqual([expect.stringMatching(/./), expect.stringContaining('$200.00')])
  const { billing } = await own.api.ok(quoteBillingApi.bill, { params: { id: quote.id } })
  expect((await pay(sessionId)).status).not.toBe(200)
  expect(await page()).not.toContain('/pay"')
  expect((await stranger.raw(form('/pay'))).text).toContain('on an invoice now')
  const recorded = await own.api.call(quoteDepositsApi.record, {
    params: { id: quote.id },
    body: { method: 'check', receivedOn: today(), note: '' } as never,
  })
  expect([recorded.status, recorded.error.message]).toEqual([409, expect.stringContaining('record the money at that')])
  // a bank that pays days later, whatever became of the quote meanwhile
  const rows = await own.db((db) =>
    db.selectFrom('quoteDeposits').selectAll().where('businessId', '=', own.id).execute(),
  )
  await syncDeposit(
    {
      id: sessionId,
      status: 'complete',
      method: 'bank',
      paymentId: 'pi_late',
      paidAt: null,
      amountCents: 20_000,
      provider: rows[0]?.provider,
      livemode: rows[0]?.livemode,
      deposit: { businessId: own.id, quoteDepositId: rows[0]?.id },
    } as never,
    rows[0]?.accountId ?? null,
  )
  const id = billing.invoice?.id ?? ''
  expect(await own.api.ok(invoicesApi.issue, { params: { id } })).toMatchObject({ paidCents: 20_000 })
  expect(await own.db((db) => compareBooks(db))).toEqual([])
})

/** What stands on an invoice of a quote, as the form of a voided one sends it again. */
const makeAgain = async (own: TestBusiness, id: string) => {
  const { customer, lines } = await own.api.ok(invoicesApi.get, { params: { id } })
  return own.api.call(invoicesApi.create, {
    body: {
      customerId: customer.id,
      madeFrom: id,
      lines: lines.map(({ id: lineId, description, quantity, unitPriceCents, taxCategory, propertyId }) => ({
        id: lineId,
        description,
        quantity,
        unitPriceCents,
        taxCategory,
        propertyId,
      })),
    },
  })
}
const aVoidedBill = async (own: TestBusiness, quoteId: string) => {
  const { billing } = await own.api.ok(quoteBillingApi.bill, { params: { id: quoteId } })
  const id = billing.invoice?.id ?? ''
  await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
  return id
}

it('its voided invoice made again and the quote made a job at once: one of the two bills the work', async () => {
  const { own, quote, customerId } = await signed()
  const id = await aVoidedBill(own, quote.id)
  const { version } = await own.api.ok(quotesApi.get, { params: { id: quote.id } })
  const locked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  // the job waits here: its quote is locked and was seen without an invoice
  const holder = own.db(async (db) => {
    await db
      .selectFrom('properties')
      .select('id')
      .where('businessId', '=', own.id)
      .where('customerId', '=', customerId)
      .forUpdate()
      .execute()
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const body = { startOn: today(), version }
  const job = own.api.call(quotesApi.convert, { params: { id: quote.id }, body })
  await somebodyWaits(1)
  const again = makeAgain(own, id)
  await somebodyWaits(2)
  held.resolve()
  await holder
  const refused = await again
  expect([(await job).status, refused.status, refused.error.message]).toEqual([
    200,
    409,
    expect.stringContaining('its quote is a job by now'),
  ])
})

it('its voided invoice is not made again beside an open page of the deposit; made from the quote, it ends that page', async () => {
  const { own, quote } = await signed({ deposit: { kind: 'amount', value: 20_000 } })
  const id = await aVoidedBill(own, quote.id)
  await stranger.raw({
    method: 'POST',
    url: `${quote.publicPath}/pay`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  })
  const refused = await makeAgain(own, id)
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('deposit open')])
  const next = await aVoidedBill(own, quote.id)
  expect((await makeAgain(own, next)).status).toBe(200)
})

it('takes the deposit that an invoice of before had freed, also where no other credit is used by itself', async () => {
  const { own, quote } = await signed({ deposit: { kind: 'amount', value: 20_000 } })
  await own.api.ok(quoteDepositsApi.record, {
    params: { id: quote.id },
    body: { method: 'check', receivedOn: today(), note: '' } as never,
  })
  await aVoidedBill(own, quote.id)
  await own.db(async (db) => {
    await db.updateTable('businesses').set({ useCredit: false }).where('businessId', '=', own.id).execute()
    // as it stood before deposits stayed with their quote
    await db.updateTable('payments').set({ freedAt: clock.iso() }).where('businessId', '=', own.id).execute()
  })
  const { billing } = await own.api.ok(quoteBillingApi.bill, { params: { id: quote.id } })
  expect(await own.api.ok(invoicesApi.issue, { params: { id: billing.invoice?.id ?? '' } })).toMatchObject({
    paidCents: 20_000,
  })
  expect(await own.db((db) => compareBooks(db))).toEqual([])
})

it('is made by who handles money of that business, of what is signed', async () => {
  const { own, quote } = await signed()
  const clerk = await aPerson(own.id, 'Admin', { permissions: ['schedule', 'customers'] })
  const other = await aBusiness()
  const params = { id: quote.id }
  expect((await clerk.api.call(quoteBillingApi.bill, { params })).status).toBe(403)
  expect((await other.api.call(quoteBillingApi.bill, { params })).status).toBe(404)
})

it('one invoice of a quote counts, and its quote is there: what is made while others write is whole', async () => {
  const { rows } = await ownerPool().query(
    `select (select convalidated from pg_constraint where conname = 'invoices_business_id_quote_id_fkey') as key,
      (select indisvalid and indisunique from pg_index where indexrelid = 'invoices_quote'::regclass) as index,
      (select count(*)::int from schema_migrations where name = '0575_index_of_quote_invoices.sql') as files`,
  )
  expect(rows).toEqual([{ key: true, index: true, files: 1 }])
})
