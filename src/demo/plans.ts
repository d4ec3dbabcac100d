import { sql } from 'kysely'
import { monthOf, monthsFrom, prepaidCents } from '../features/billingplans/rules.ts'
import { createPlan } from '../features/billingplans/server/commands.ts'
import { previewPlan } from '../features/billingplans/server/preview.ts'
import { readPlan } from '../features/billingplans/server/rows.ts'
import { settlePlan } from '../features/billingplans/server/settle.ts'
import { reckon } from '../features/billingplans/server/settlement.ts'
import { todayOf } from '../features/businesses/server/queries.ts'
import { voidInvoice } from '../features/invoices/latefees/server/commands.ts'
import { recordPayment } from '../features/payments/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays, addMonths } from '../shared/dates.ts'

/** Somebody asked for a plan in place of their newest invoice: it is voided, so that its visits count. Whose it was. */
const takeBack = async (owner: Actor): Promise<string | null> => {
  const { rows } = await withTenant(owner, async (db) =>
    sql<{ id: string; customerId: string }>`
      select i.id, i.customer_id from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
      where i.business_id = ${db.businessId} and i.status = 'issued' and i.paid_cents = 0 and i.issue_on > ${addDays(await todayOf(db), -40)}::date
        and c.email is not null and not c.hold_invoices and i.reminders_stopped is null and i.promised_on is null
        and not exists (select from late_fees f where f.business_id = i.business_id and (f.invoice_id = i.id or f.fee_invoice_id = i.id))
        and not exists (select from payment_methods m where m.business_id = i.business_id and m.customer_id = i.customer_id)
        and exists (select from invoice_lines l join visits v on v.business_id = l.business_id and v.id = l.visit_id
          join jobs j on j.business_id = v.business_id and j.id = v.job_id and j.status = 'active'
          join job_lines k on k.business_id = j.business_id and k.job_id = j.id and k.recurrence is not null and k.archived_at is null
          where l.business_id = i.business_id and l.invoice_id = i.id)
      order by i.issue_on desc, i.number desc limit 1`.execute(db),
  )
  const [invoice] = rows
  if (!invoice) return null
  await voidInvoice(owner, invoice.id, { reason: 'The plan covers this work' })
  return invoice.customerId
}

/** What was done is billed, or what is left is let go: a plan that is settled. */
const endPlan = async (owner: Actor, planId: string): Promise<void> => {
  const found = await withTenant(owner, async (db) => reckon(db, await readPlan(db, planId), { atFullPrice: false }))
  const { choices, totalCents } = found.settlement
  const choice = choices[0]
  if (choice)
    await settlePlan(owner, planId, {
      choice,
      reason: 'Sold the house',
      atFullPrice: false,
      send: false,
      refundMethod: 'check',
      expectedTotalCents: totalCents,
    })
}

/** Four customers pay by plan: one was billed more than was done, one had more done than was billed, one paid the season ahead, one has ended theirs. */
export const startPlans = async (owner: Actor): Promise<void> => {
  const today = await withTenant(owner, todayOf)
  const { rows: customers } = await withTenant(owner, (db) =>
    sql<{ customerId: string }>`
      select j.customer_id from jobs j join customers c on c.business_id = j.business_id and c.id = j.customer_id
      left join visits v on v.business_id = j.business_id and v.job_id = j.id and v.to_bill and v.invoice_id is null and v.price_cents > 0
      where j.business_id = ${db.businessId} and j.status = 'active' and j.archived_at is null and c.email is not null and not c.hold_invoices
        and exists (select from job_lines l where l.business_id = j.business_id and l.job_id = j.id and l.recurrence is not null and l.archived_at is null)
      group by j.customer_id order by count(v.id) > 0 desc, min(j.number) desc limit 5`.execute(db),
  )
  const behind = await takeBack(owner)
  const season = { startsOn: addDays(today, -45), endsOn: addDays(today, 300) }
  const next = monthOf(addMonths(`${monthOf(today)}-01`, 1))
  const kinds = [
    { kind: 'budget', name: 'Level payments', months: monthsFrom(monthOf(today), 9), discount: 0 },
    { kind: 'budget', name: 'Level payments', months: monthsFrom(next, 9), discount: 0 },
    { kind: 'prepaid', name: 'Prepaid season', months: [monthOf(today)], discount: 5 },
    { kind: 'budget', name: 'Level payments', months: monthsFrom(monthOf(today), 9), discount: 0, ends: true },
  ] as const
  const others = customers.filter(({ customerId }) => customerId !== behind)
  const payers = [others[0]?.customerId, behind ?? others[3]?.customerId, others[1]?.customerId, others[2]?.customerId]
  for (const [at, own] of kinds.entries()) {
    const customerId = payers[at]
    if (!customerId) continue
    const { discount, ends, ...wish } = {
      ends: false,
      ...own,
      customerId,
      ...season,
      months: [...own.months],
      billDay: 1,
    }
    const seen = await withTenant(owner, (db) => previewPlan(db, wish))
    if (seen.problems.length > 0) continue
    const plan = await createPlan(owner, {
      ...wish,
      lineIds: seen.lines.filter(({ covered }) => covered).map(({ lineId }) => lineId),
      seasonCents: prepaidCents(seen.listCents, discount),
      expectedListCents: seen.listCents,
      reason: discount > 0 ? `${discount}% for paying ahead` : '',
      tell: false,
    })
    const invoice = plan.months[0]?.invoice
    if (invoice)
      await recordPayment(owner, invoice.id, {
        method: 'check',
        amountCents: invoice.totalCents,
        receivedOn: today,
        note: String(3310 + at),
      })
    if (ends) await endPlan(owner, plan.id)
  }
}
