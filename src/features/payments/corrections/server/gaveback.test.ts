import { beforeEach, expect, it } from 'vitest'
import { resetClock } from '../../../../platform/clock.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aCardClock, aCustomer, anInvoice, invoiceOf, office, openPage, payPage } from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { readPdf } from '../../../../test/papers.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { renderInvoice } from '../../../invoices/server/commands.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../contract.ts'

/** What the page, the paper and the panel of an invoice say once money of it went back, or was let go. */

const at = aCardClock()
beforeEach(() => {
  resetClock()
  at.begin()
  return resetClock
})

const paid = async (own: TestBusiness) => {
  const { id, token } = await anInvoice(own, await aCustomer(own))
  await payPage(await openPage(token))
  await stranger.ok(paymentsApi.sync, { params: { token } })
  await runTasks()
  return { id, token }
}
const refund = async (own: TestBusiness, id: string, amountCents: number, creditInvoices: boolean) => {
  const payment = (await invoiceOf(own, id)).payments[0]?.id ?? ''
  const body = { amountCents, method: 'card' as const, onDay: at.day(), reason: 'Too much', creditInvoices }
  await (await office(own)).ok(correctionsApi.refundPayment, { params: { id: payment }, body })
  await runTasks()
}
const seen = (token: string) => stranger.ok(paymentsApi.publicInvoice, { params: { token } })
const textOf = async (own: TestBusiness, id: string) =>
  (await readPdf(new Uint8Array((await renderInvoice(own.id, id)).pdf))).flat()

it('a refund in part, credited on its invoice: what was charged, what went back, what is credited', async () => {
  const own = await aBusiness()
  const { id, token } = await paid(own)
  await refund(own, id, 1500, true)
  const page = await seen(token)
  expect(page).toMatchObject({ status: 'paid', paidCents: 5000, creditedCents: 1500 })
  expect(page.gaveBack).toEqual([{ onDay: at.day(), method: 'card', amountCents: 1500 }])
  expect(page.payments.map(({ method, amountCents }) => [method, amountCents])).toEqual([
    ['card', 5000],
    ['credit', 1500],
  ])
  const paper = (await textOf(own, id)).join('\n')
  expect(paper).toMatch(/Paid .* by card, R-\d+ -\$50\.00/)
  expect(paper).toMatch(/Given back .* by card \$15\.00/)
  expect(paper).toMatch(/Credited .*, CN-\d+ -\$15\.00/)
  expect(paper).not.toMatch(/Due /)
})

it('a payment that went back whole stays on the page and in the panel', async () => {
  const own = await aBusiness()
  const { id, token } = await paid(own)
  await refund(own, id, 5000, false)
  const page = await seen(token)
  expect(page).toMatchObject({ status: 'issued', balanceCents: 5000, gaveBack: [{ amountCents: 5000 }] })
  expect(page.payments).toMatchObject([{ method: 'card', amountCents: 5000 }])
  expect((await invoiceOf(own, id)).payments).toMatchObject([{ allocatedCents: 0, refundedCents: 5000 }])
})

it('what was written off stands on page and paper', async () => {
  const own = await aBusiness()
  const { id, token } = await anInvoice(own, await aCustomer(own))
  await (await office(own)).ok(invoicesApi.writeOff, { params: { id }, body: { reason: 'Moved away' } })
  expect(await seen(token)).toMatchObject({ status: 'written_off', writtenOffCents: 5000, balanceCents: 0 })
  const paper = await textOf(own, id)
  expect(paper).toContain('Written off -$50.00')
  expect(paper).toContain('Closed')
})
