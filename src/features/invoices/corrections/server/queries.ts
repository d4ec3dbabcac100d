import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../../shared/can.ts'
import { type Invoice, invoicesApi } from '../../contract.ts'
import { type PaymentAction, type PaymentFacts, paymentRefusals } from '../rules.ts'

/** What changes money asks the same of a person everywhere; the contract of the payments is beyond this feature. */
export const moneyNeed = (path: string): Need => ({ ...invoicesApi.issue, path })

const paymentNeeds: Record<PaymentAction, Need> = {
  reverse: moneyNeed('/api/payments/:id/reverse'),
  refund: moneyNeed('/api/payments/:id/refunds'),
}

/** What somebody may do with a payment now. */
export const canPayment = (actor: Actor, payment: PaymentFacts): Record<PaymentAction, boolean> =>
  canOf(actor, paymentNeeds, paymentRefusals, payment)

/** What of a customer's money lies on no invoice, in cents. */
export const sumCredit = async (db: TenantDb, customerId: string): Promise<number> => {
  const { sum } = await db
    .selectFrom('payments')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('status', '=', 'succeeded')
    .where(sql<boolean>`allocated_cents + refunded_cents < amount_cents`)
    .select(sql<number>`coalesce(sum(amount_cents - refunded_cents - allocated_cents), 0)`.as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum)
}

/** What was set right on an invoice after it was issued, oldest first. */
export const listCorrections = async (db: TenantDb, invoiceId: string): Promise<Invoice['corrections']> => {
  const { rows } = await sql<Invoice['corrections'][number]>`
    select id, case when refund_id is null then 'reversal' else 'refund' end as kind, amount_cents, reason, on_day, created_at
      from allocation_reversals where business_id = ${db.businessId} and invoice_id = ${invoiceId}
    union all select id, 'write_off', amount_cents, reason, on_day, created_at
      from write_offs where business_id = ${db.businessId} and invoice_id = ${invoiceId}
    union all select id, 'reinstated', amount_cents, '', taken_back_on, created_at
      from write_offs where business_id = ${db.businessId} and invoice_id = ${invoiceId} and taken_back_on is not null
    order by created_at, kind desc`.execute(db)
  return rows.map(({ id, kind, amountCents, reason, onDay }) => ({ id, kind, amountCents, reason, onDay }))
}
