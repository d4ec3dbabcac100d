import { beforeEach, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { readPdf } from '../../../../test/papers.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { noLateFees } from '../../../businesses/latefees/rules.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { chargeFeesOf } from '../../../invoices/latefees/server/commands.ts'
import { paymentsApi } from '../../contract.ts'

beforeEach(() => {
  setClock(() => new Date('2026-06-10T16:00:00Z'))
  return resetClock
})

it('a late invoice shows its fees on its page and its PDF with what is owed in all, and lets all of it be paid at once', async () => {
  const own = await aBusiness()
  const { version } = await own.api.ok(businessesApi.get, {})
  const lateFees = { ...noLateFees, kind: 'fixed' as const, fixedCents: 1500, graceDays: 10 }
  await own.api.ok(businessesApi.update, { body: { lateFees, invoiceTerms: 'Late pays more.', version } })
  const { customerId } = await aLawn(own)
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 10_000 }]
  const { id, number } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  const token = ((await own.api.ok(invoicesApi.get, { params: { id } })).publicPath ?? '').split('/').at(-1) ?? ''
  const page = () => stranger.ok(paymentsApi.publicInvoice, { params: { token } })
  const pdf = async () => {
    const { bytes } = await stranger.raw({ method: 'GET', url: `/api/public/invoices/${token}/pdf` })
    return (await readPdf(bytes)).flat().join(' ')
  }
  expect(await page()).toMatchObject({ lateFees: [], owedWithFeesCents: 10_000 })
  expect(await pdf()).not.toContain('late fee')
  await own.db((db) => db.updateTable('invoices').set({ dueOn: '2026-05-20' }).where('id', '=', id).execute())
  await chargeFeesOf(systemActor(own.id), [id])
  const [fee] = (await own.api.ok(invoicesApi.get, { params: { id } })).lateFees
  const shown = await page()
  expect(shown).toMatchObject({
    balanceCents: 10_000,
    owedWithFeesCents: 11_500,
    lateFees: [{ number: fee?.number, openCents: 1500, onDay: '2026-06-10', path: fee?.publicPath }],
  })
  expect(await pdf()).toContain(`INV-${fee?.number} over $15.00. With it, $115.00 is owed`)
  const { url } = await stranger.ok(paymentsApi.payAll, { params: { token } })
  const sessionId = url.split('/').at(-1) ?? ''
  expect(await stranger.ok(localPaymentsApi.checkout, { params: { sessionId } })).toMatchObject({
    amountCents: 11_500,
    description: `INV-${number} and INV-${fee?.number}`,
  })
  await stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
  await stranger.ok(paymentsApi.sync, { params: { token } })
  await runTasks()
  expect(await page()).toMatchObject({ status: 'paid', lateFees: [], owedWithFeesCents: 0 })
  expect((await own.api.ok(invoicesApi.get, { params: { id: fee?.id ?? '' } })).status).toBe('paid')
})
