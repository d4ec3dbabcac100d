import { sql } from 'kysely'
import { payInvoice, syncCheckout } from '../features/payments/checkout/server/commands.ts'
import { findAccountRow } from '../features/payments/connect/server/queries.ts'
import { syncDispute } from '../features/payments/disputes/server/sync.ts'
import { completeLocalPayment } from '../local/payments/checkout.ts'
import { openLocalDispute, stepLocalDispute } from '../local/payments/disputes.ts'
import { setLocalPost } from '../local/payments/events.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { accountProvider } from '../platform/payments/providers.ts'

/** Three customers whose banks questioned a payment: one waits for the evidence, one was won, one was lost. */
export const disputePayments = async (owner: Actor): Promise<void> => {
  if (accountProvider().provider?.name !== 'local') return
  const account = await withTenant(owner, findAccountRow)
  if (!account) return
  const { rows } = await withTenant(owner, (db) =>
    sql<{ id: string }>`
      select (array_agg(i.id::text order by i.number desc))[1] as id
      from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
      where i.business_id = ${db.businessId} and i.status = 'issued' and c.email is not null
        and exists (select from invoice_lines l where l.business_id = i.business_id and l.invoice_id = i.id and l.visit_id is not null)
        and not exists (select from payment_methods m where m.business_id = i.business_id and m.customer_id = i.customer_id)
      group by i.customer_id having count(*) = 1 order by max(i.number) desc limit 3`.execute(db),
  )
  // nobody is there yet to hear the provider's events
  const restore = setLocalPost(async () => 200)
  try {
    for (const [at, { id }] of rows.entries()) {
      const page = (await payInvoice(owner.businessId, id, '')).url.split('/').at(-1) ?? ''
      const paymentId = await completeLocalPayment(page)
      await syncCheckout(page, account.accountId)
      const dispute = await openLocalDispute(account.accountId, paymentId ?? '', {
        kind: 'dispute',
        reason: at === 0 ? 'product_not_received' : 'unrecognized',
      })
      if (!dispute) continue
      await syncDispute(dispute, account.accountId)
      if (at === 0) continue
      await stepLocalDispute(dispute, at === 1 ? 'win' : 'lose')
      await syncDispute(dispute, account.accountId)
    }
  } finally {
    restore()
  }
}
