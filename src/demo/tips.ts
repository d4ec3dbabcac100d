import { sql } from 'kysely'
import { cashDiscountCents, usualDiscountBps } from '../features/businesses/cashdiscount/rules.ts'
import { changeBusiness } from '../features/businesses/server/commands.ts'
import { getBusinessSettings, todayOf } from '../features/businesses/server/queries.ts'
import { noTips } from '../features/businesses/tips/rules.ts'
import { findAccountRow } from '../features/payments/connect/server/queries.ts'
import { recordPayment } from '../features/payments/server/commands.ts'
import { setLocalPost } from '../local/payments/events.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { accountProvider } from '../platform/payments/providers.ts'
import { payByCard } from './payouts.ts'

/** Customers can tip the crew, and one did when they paid. */
const takeTips = async (owner: Actor): Promise<void> => {
  const { version } = await withTenant(owner, (db) => getBusinessSettings(db, owner))
  await changeBusiness(owner, { tips: { ...noTips, kind: 'percent' }, version })
  const account = await withTenant(owner, findAccountRow)
  if (accountProvider().provider?.name !== 'local' || !account) return
  const { rows } = await withTenant(owner, (db) =>
    sql<{ id: string }>`
      select i.id from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
      where i.business_id = ${db.businessId} and i.status = 'issued' and not i.disputed and c.email is not null
        and exists (select from invoice_lines l join visits v on v.business_id = l.business_id and v.id = l.visit_id
          where l.business_id = i.business_id and l.invoice_id = i.id and v.crew_id is not null)
        and not exists (select from late_fees f where f.business_id = i.business_id and f.invoice_id = i.id)
        and not exists (select from payment_methods m where m.business_id = i.business_id and m.customer_id = i.customer_id)
        and not exists (select from checkout_sessions s where s.business_id = i.business_id and s.invoice_id = i.id)
      order by i.issue_on desc, i.number desc limit 1`.execute(db),
  )
  const restore = setLocalPost(async () => 200)
  try {
    for (const { id } of rows) await payByCard(owner, id, account.accountId, 1000)
  } finally {
    restore()
  }
}

/** Who pays without a card pays less, and one did by check. */
const takeLess = async (owner: Actor): Promise<void> => {
  const { version } = await withTenant(owner, (db) => getBusinessSettings(db, owner))
  await changeBusiness(owner, { cashDiscountBps: usualDiscountBps, version })
  const { rows } = await withTenant(owner, (db) =>
    sql<{ id: string; openCents: number }>`
      select i.id, (i.total_cents - i.paid_cents)::float8 as open_cents from invoices i
      where i.business_id = ${db.businessId} and i.status = 'issued' and not i.disputed and i.pending_cents = 0
        and not exists (select from late_fees f where f.business_id = i.business_id and (f.invoice_id = i.id or f.fee_invoice_id = i.id))
        and not exists (select from payment_methods m where m.business_id = i.business_id and m.customer_id = i.customer_id)
        and not exists (select from checkout_sessions s where s.business_id = i.business_id and s.invoice_id = i.id)
        and not exists (select from billing_plan_months m where m.business_id = i.business_id and m.invoice_id = i.id)
      order by i.issue_on desc, i.number desc offset 1 limit 1`.execute(db),
  )
  const receivedOn = await withTenant(owner, todayOf)
  for (const { id, openCents } of rows)
    await recordPayment(owner, id, {
      method: 'check',
      amountCents: openCents - cashDiscountCents(openCents, usualDiscountBps),
      receivedOn,
      note: 'Check 2210',
    })
}

/** Tips, and less for who pays without a card. */
export const showWaysToPay = async (owner: Actor): Promise<void> => {
  await takeTips(owner)
  await takeLess(owner)
}
