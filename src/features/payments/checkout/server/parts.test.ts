import { expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { readPdf } from '../../../../test/papers.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'

const anInvoice = async (own: TestBusiness) => {
  const { customerId } = await aLawn(own)
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
  return { id, token: (publicPath ?? '').split('/').at(-1) ?? '' }
}
const allow = async (own: TestBusiness, partPayments: boolean) => {
  const { version } = await own.api.ok(businessesApi.get, {})
  await own.api.ok(businessesApi.update, { body: { partPayments, version } })
}
const part = (token: string, amountCents: number) =>
  stranger.call(paymentsApi.payPart, { params: { token }, body: { amountCents } })
const pageOf = (token: string) => stranger.ok(paymentsApi.publicInvoice, { params: { token } })
const payPage = async (url: string) => {
  const sessionId = url.split('/').at(-1) ?? ''
  await stranger.ok(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
  await runTasks()
}

it('a part is paid only where the business wants it, and of what is open', async () => {
  const own = await aBusiness()
  const { token } = await anInvoice(own)
  expect([(await part(token, 2000)).status, (await pageOf(token)).parts]).toEqual([409, null])
  await allow(own, true)
  expect((await pageOf(token)).parts).toEqual({ leastCents: 100, mostCents: 5400 })
  for (const amountCents of [99, 5401, 5500]) {
    const wrong = await part(token, amountCents)
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'amountCents'])
  }
})

it('a part is booked on its invoice once, the rest stays open and is paid after it', async () => {
  const own = await aBusiness()
  await allow(own, true)
  const { id, token } = await anInvoice(own)
  const [first, again] = [await part(token, 2000), await part(token, 2000)]
  expect(again.body.url).toBe(first.body.url)
  // another amount is another page, and the first one takes no money any more
  const other = await part(token, 3000)
  expect(other.body.url).not.toBe(first.body.url)
  const sessionId = first.body.url.split('/').at(-1) ?? ''
  const old = await stranger.call(localPaymentsApi.pay, {
    params: { sessionId },
    body: { cardNumber: '4242 4242 4242 4242' },
  })
  expect(old.status).not.toBe(200)
  await payPage(other.body.url)
  const invoice = () => own.api.ok(invoicesApi.get, { params: { id } })
  expect(await invoice()).toMatchObject({ status: 'partially_paid', paidCents: 3000, balanceCents: 2500 })
  expect(await pageOf(token)).toMatchObject({ payableCents: 2500, parts: { mostCents: 2400 } })
  await payPage((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
  expect(await invoice()).toMatchObject({ status: 'paid', paidCents: 5500, creditCents: 0 })
  expect(await own.db(compareBooks)).toEqual([])
})

it('money that was only played says so on the invoice, its receipt and in the file, and a paper names its language and itself', async () => {
  const own = await aBusiness()
  const { id, token } = await anInvoice(own)
  const paper = async (url: string) => {
    const { bytes } = await own.api.raw({ method: 'GET', url })
    return { text: (await readPdf(bytes)).flat().join(' '), raw: Buffer.from(bytes).toString('latin1') }
  }
  const before = await paper(`/api/invoices/${id}/pdf`)
  expect(before.text).not.toContain('TEST')
  expect(before.raw).toContain('/Lang (en-US)')
  expect(before.raw).toContain('/DisplayDocTitle true')
  await payPage((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
  expect((await paper(`/api/invoices/${id}/pdf`)).text).toContain('TEST: no money moved')
  const { payments } = await own.api.ok(invoicesApi.get, { params: { id } })
  expect((await paper(`/api/payments/${payments[0]?.id}/pdf`)).text).toContain('TEST: no money moved')
  const file = await own.api.raw({ method: 'GET', url: `/api/books/csv?kind=payments&from=${today()}&to=${today()}` })
  expect(file.text).toContain('test: no money moved')
})

it('a page over a part ends when money comes another way', async () => {
  const own = await aBusiness()
  await allow(own, true)
  const { id, token } = await anInvoice(own)
  const { body } = await part(token, 2000)
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'cash', amountCents: 4000, receivedOn: today() },
  })
  await runTasks()
  const sessionId = body.url.split('/').at(-1) ?? ''
  const late = await stranger.call(localPaymentsApi.pay, {
    params: { sessionId },
    body: { cardNumber: '4242 4242 4242 4242' },
  })
  expect(late.status).not.toBe(200)
  expect(await own.api.ok(invoicesApi.get, { params: { id } })).toMatchObject({ paidCents: 4000, balanceCents: 1500 })
})
