import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../contract.ts'

/** Waits until somebody stands before a lock that this transaction holds. */
const untilWaitedFor = async (db: TenantDb): Promise<void> => {
  await expect
    .poll(
      async () =>
        (
          await sql<{ waits: boolean }>`select exists (select from pg_stat_activity a
            where pg_backend_pid() = any(pg_blocking_pids(a.pid))) as waits`.execute(db)
        ).rows[0]?.waits,
      { timeout: 20_000 },
    )
    .toBe(true)
}

const anIssued = async (own: TestBusiness, customerId: string, unitPriceCents: number) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}

it('payments are locked by their ids: a refund that needs a credit of before holds nothing while it waits for it', async () => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  const id = await anIssued(own, customerId, 6000)
  // the credit is older than the payment, so it comes first
  const note = await own.api.ok(correctionsApi.creditInvoice, {
    params: { id },
    body: { amountCents: 1000, reason: 'x' },
  })
  const paid = await own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents: 5000, receivedOn: today() },
  })
  let refunded: Promise<{ status: number }> = Promise.resolve({ status: 0 })
  await withTenant({ businessId: asBusinessId(own.id) }, async (db) => {
    await sql`select id from payments where id = ${note.paymentId} for update`.execute(db)
    refunded = own.api.call(correctionsApi.refundPayment, {
      params: { id: paid.id },
      body: { amountCents: 2000, method: 'check', onDay: today(), reason: 'Rain', creditInvoices: true },
    })
    await untilWaitedFor(db)
    const { rows } = await sql`select id from payments where id = ${paid.id} for update nowait`.execute(db)
    expect(rows).toHaveLength(1)
  })
  expect((await refunded).status).toBe(200)
})
