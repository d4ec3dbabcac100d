import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { goesBackByItself } from '../../../invoices/corrections/rules.ts'

export type Refundable = {
  paymentId: string
  method: 'card' | 'ach' | 'check' | 'cash' | 'other'
  receivedOn: string
  /** What of it lies on those invoices and can go back. */
  cents: number
  byProvider: boolean
}

/** Money that lies on invoices and could go back, the newest first; credits are no money. */
export const listRefundable = async (db: TenantDb, invoiceIds: readonly string[]): Promise<Refundable[]> => {
  const { rows } = await sql<Omit<Refundable, 'byProvider'> & { provider: string }>`
    select p.id as payment_id, p.method, p.received_on, p.provider,
      least(sum(a.amount_cents), p.amount_cents - p.refunded_cents)::int8 as cents
    from payment_allocations a join payments p on p.business_id = a.business_id and p.id = a.payment_id
    join invoices i on i.business_id = a.business_id and i.id = a.invoice_id and i.status <> 'written_off'
    where a.business_id = ${db.businessId} and a.invoice_id = any(${[...invoiceIds]}::uuid[]) and p.status = 'succeeded' and p.method <> 'credit'
    group by p.business_id, p.id having least(sum(a.amount_cents), p.amount_cents - p.refunded_cents) > 0
    order by p.received_on desc, p.id desc`.execute(db)
  return rows.map(({ provider, ...row }) => ({
    ...row,
    cents: Number(row.cents),
    byProvider: goesBackByItself({ provider }),
  }))
}
