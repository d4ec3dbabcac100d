import { afterEach, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { ownerPool } from '../../../../platform/db/database.ts'
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

it('a row of the ledger that was lost long ago is told within a week, whosever it is, and in one night of it', async () => {
  const began = clock.nowMs()
  setClock(() => new Date(began - 30 * 86_400_000))
  const own = await aBusiness()
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
  const whose: string[] = []
  for (let n = 0; n < 4; n++) {
    const { customerId } = await aLawn(own)
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await own.api.ok(invoicesApi.issue, { params: { id } })
    whose.push(customerId)
  }
  // the product itself may take no row off the ledger
  await ownerPool().query(
    `begin; set local app.business_id = '${own.id}'; delete from ledger_entries where business_id = '${own.id}'; commit`,
  )
  const told: string[] = []
  for (let night = 0; night < 7; night++) {
    setClock(() => new Date(began + night * 86_400_000))
    for (const { customerId, what, cents } of await own.db(compareBooks)) {
      expect([what, cents]).toEqual(['ledger', 5500])
      told.push(customerId)
    }
  }
  expect(told.sort()).toEqual(whose.sort())
})
