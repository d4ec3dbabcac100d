import { afterEach, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays } from '../../../../shared/dates.ts'
import { apiFor } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { compareBooks } from './queries.ts'

afterEach(resetClock)

it('a lost row of a check that is dated weeks ago and was written down today is told, like one of today', async () => {
  const weeksAgo = clock.nowMs() - 30 * 86_400_000
  setClock(() => new Date(weeksAgo))
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  resetClock()
  const api = await apiFor(own.owner)
  const body = { method: 'check' as const, amountCents: 2000, receivedOn: addDays(today(), -20) }
  await api.ok(paymentsApi.recordPayment, { params: { id }, body })
  expect(await own.db(compareBooks)).toEqual([])
  await own.db((db) => db.deleteFrom('paymentAllocations').where('businessId', '=', own.id).execute())
  expect((await own.db(compareBooks)).map(({ what, cents }) => [what, cents])).toEqual([
    ['invoice', 2000],
    ['payment', 2000],
  ])
})
