import { beforeEach, describe, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { newId } from '../../../../platform/ids.ts'
import { playedProvider, setPlayedProvider } from '../../../../platform/payments/providers.ts'
import { addDays } from '../../../../shared/dates.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { compareBooks } from '../../../payments/corrections/server/queries.ts'
import { creditsApi } from '../../../payments/credits/contract.ts'
import { servicesApi } from '../../../services/contract.ts'
import { quoteBillingApi } from '../../billing/contract.ts'
import { type QuoteRecord, quotesApi } from '../../contract.ts'
import { quoteDepositsApi } from '../contract.ts'

let own: TestBusiness
let propertyId: string
let mulch: string

const check = { method: 'check' as const, receivedOn: today(), note: '#1042' }
const record = (id: string, body: object = check) =>
  own.api.call(quoteDepositsApi.record, { params: { id }, body: body as never })
const post = (path: string, fields: Record<string, string> = {}) =>
  stranger.raw({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mozilla/5.0 (iPhone) Safari' },
    payload: new URLSearchParams(fields).toString(),
  })
const get = (id: string) => own.api.ok(quotesApi.get, { params: { id } })

const aSigned = async (): Promise<QuoteRecord> => {
  const lines = [{ id: newId(), serviceId: mulch, name: 'Mulch', unitPriceCents: 30_000, minutes: 180 }]
  const draft = await own.api.ok(quotesApi.create, {
    body: { propertyId, content: { lines, deposit: { kind: 'amount', value: 20_000 } } } as never,
  })
  const sent = await own.api.ok(quotesApi.send, {
    params: { id: draft.id },
    body: { mail: true, text: false, version: draft.version },
  })
  await post(`${sent.publicPath}/sign`, { signer: 'Rebecca Odom', agree: '1', expected: '30000' })
  return get(draft.id)
}
/** The provider's page for its deposit. */
const openPage = async ({ publicPath }: QuoteRecord): Promise<string> =>
  /\/local\/checkout\/([\w-]+)/.exec((await post(`${publicPath}/pay`)).text)?.[1] ?? ''
const archive = async (id: string) =>
  own.api.ok(quotesApi.archive, { params: { id }, body: { version: (await get(id)).version } })
const needs = async () =>
  (await own.api.ok(dashboardApi.get, {})).needs.filter(({ badge }) => badge === 'Deposit').map(({ title }) => title)
const payments = () =>
  own.db((db) => db.selectFrom('payments').selectAll().where('businessId', '=', own.id).orderBy('id').execute())

beforeEach(async () => {
  own = await aBusiness()
  const lawn = await aLawn(own)
  propertyId = lawn.propertyId
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'rebecca@test.swath.test' })
      .where('businessId', '=', own.id)
      .where('id', '=', lawn.customerId)
      .execute(),
  )
  const { items } = await own.api.ok(servicesApi.addDefaults, {})
  mulch = items.find(({ category }) => category === 'install')?.id ?? ''
})

describe('a deposit that came by check', () => {
  it('is recorded once from the quote, with a receipt and the books in line, and goes with the job', async () => {
    const quote = await aSigned()
    expect([quote.deposit, quote.depositCan]).toEqual([null, { record: true, keep: false, refund: false }])
    const both = await Promise.all([record(quote.id), record(quote.id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const later = await record(quote.id)
    expect([later.status, later.error.message]).toEqual([409, expect.stringContaining('paid already: $200.00')])
    await runTasks()
    const paid = await get(quote.id)
    expect(paid).toMatchObject({
      depositPaidCents: 20_000,
      deposit: { method: 'check', amountCents: 20_000, receiptNumber: 1001, restCents: 20_000 },
      depositCan: { record: false, keep: false, refund: false },
    })
    expect(paid.events[0]).toMatchObject({
      kind: 'deposit_paid',
      words: '$200.00 by check',
      byName: expect.any(String),
    })
    expect((await payments()).map(({ amountCents, note }) => [amountCents, note])).toEqual([[20_000, 'Q-1001. #1042']])
    const mails = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
    expect(mails.some(({ text }) => text.includes('$200.00 for Q-1001'))).toBe(true)
    const converted = await own.api.ok(quotesApi.convert, {
      params: { id: quote.id },
      body: { startOn: today(), version: paid.version },
    })
    const [made] = await own.db((db) => db.selectFrom('jobs').select(['id', 'quoteId']).execute())
    expect([made, (await payments()).map(({ quoteId }) => quoteId)]).toEqual([
      { id: converted.jobId, quoteId: quote.id },
      [quote.id],
    ])
    expect(await own.db(compareBooks)).toEqual([])
  })

  it('is paid when it was recorded at the job that the quote became', async () => {
    const quote = await aSigned()
    const { jobId } = await own.api.ok(quotesApi.convert, {
      params: { id: quote.id },
      body: { startOn: today(), version: quote.version },
    })
    expect((await get(quote.id)).depositCan.record).toBe(true)
    await own.api.ok(creditsApi.recordDeposit, {
      params: { id: quote.customer.id },
      body: { ...check, amountCents: 20_000, jobId },
    })
    expect((await get(quote.id)).depositCan.record).toBe(false)
    const twice = await record(quote.id)
    expect([twice.status, twice.error.message]).toEqual([409, expect.stringContaining('paid already: $200.00')])
  })

  it('ends the payment page that is open, and counts what was paid there instead', async () => {
    const quote = await aSigned()
    const sessionId = await openPage(quote)
    await stranger.ok(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
    const answer = await record(quote.id)
    expect([answer.status, answer.error.message]).toEqual([409, expect.stringContaining('paid already')])
    await runTasks()
    expect((await payments()).map(({ method, amountCents }) => [method, amountCents])).toEqual([['card', 20_000]])
    const other = await aSigned()
    const stale = await openPage(other)
    expect((await record(other.id)).status).toBe(200)
    const late = await stranger.call(localPaymentsApi.pay, {
      params: { sessionId: stale },
      body: { cardNumber: '4242 4242 4242 4242' },
    })
    expect(late.status).not.toBe(200)
    await runTasks()
    expect(await payments()).toHaveLength(2)
  })

  it('opens another page where the open one has no address any more, and ends that one', async () => {
    const quote = await aSigned()
    const first = await openPage(quote)
    const played = playedProvider()
    if (!played) throw new Error('Nobody plays the provider.')
    const findCheckout: typeof played.provider.findCheckout = async (...asked) => {
      const found = await played.provider.findCheckout(...asked)
      return found ? { ...found, url: '' } : null
    }
    setPlayedProvider({ ...played, provider: { ...played.provider, findCheckout } })
    const second = await openPage(quote).finally(() => setPlayedProvider(played))
    expect([first, second].every(Boolean) && first !== second).toBe(true)
    const late = { params: { sessionId: first }, body: { cardNumber: '4242 4242 4242 4242' } }
    expect((await stranger.call(localPaymentsApi.pay, late)).status).toBe(409)
  })

  it('is refused for a day to come, before a signature, and to who does not handle money', async () => {
    const quote = await aSigned()
    expect((await record(quote.id, { ...check, receivedOn: addDays(today(), 1) })).status).toBe(422)
    const draft = await own.api.ok(quotesApi.copy, { params: { id: quote.id }, body: {} })
    expect((await record(draft.id)).status).toBe(409)
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['customers'] })
    const params = { params: { id: quote.id }, body: check }
    expect((await clerk.api.call(quoteDepositsApi.record, params)).status).toBe(403)
    expect((await (await aBusiness()).api.call(quoteDepositsApi.record, params)).status).toBe(404)
    expect(await payments()).toEqual([])
  })
})

it('the history of a quote names the invoices that were made from it, and those that were voided', async () => {
  const quote = await aSigned()
  await record(quote.id)
  const { billing } = await own.api.ok(quoteBillingApi.bill, { params: { id: quote.id } })
  const { id = '', number } = billing.invoice ?? {}
  expect(await own.api.ok(invoicesApi.issue, { params: { id } })).toMatchObject({
    payments: [{ deposit: true, allocatedCents: 20_000 }],
  })
  await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
  expect((await get(quote.id)).events.slice(0, 2)).toMatchObject([
    { kind: 'invoice_voided', words: `INV-${number}` },
    { kind: 'invoiced', words: `INV-${number}`, byName: expect.any(String) },
  ])
})

describe('a deposit whose quote came to nothing', () => {
  it('needs somebody, and is credit once the office keeps it', async () => {
    const quote = await aSigned()
    await record(quote.id)
    expect(await needs()).toEqual([])
    await archive(quote.id)
    expect(await needs()).toEqual([expect.stringContaining('paid a deposit for Q-1001, which came to nothing')])
    expect((await get(quote.id)).depositCan).toEqual({ record: false, keep: true, refund: true })
    await own.api.ok(quoteDepositsApi.keep, { params: { id: quote.id } })
    expect((await own.api.call(quoteDepositsApi.keep, { params: { id: quote.id } })).status).toBe(409)
    expect(await needs()).toEqual([])
    expect((await get(quote.id)).deposit).toMatchObject({ kept: true, restCents: 20_000 })
    expect(await own.db(compareBooks)).toEqual([])
  })

  it('needs nobody any more when it went back', async () => {
    const quote = await aSigned()
    await record(quote.id)
    await archive(quote.id)
    const id = (await get(quote.id)).deposit?.id ?? ''
    await own.api.ok(correctionsApi.refundPayment, {
      params: { id },
      body: { amountCents: 20_000, method: 'check', onDay: today(), reason: 'They moved away' },
    })
    expect(await needs()).toEqual([])
    expect((await get(quote.id)).depositCan).toEqual({ record: false, keep: false, refund: false })
    expect(await own.db(compareBooks)).toEqual([])
  })
})
