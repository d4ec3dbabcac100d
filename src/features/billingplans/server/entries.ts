import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import { planInvoices } from '../../invoices/ahead/server/queries.ts'
import { creditNoteName } from '../../invoices/corrections/rules.ts'
import { invoiceName } from '../../invoices/rules.ts'
import type { PlanEntry } from '../contract.ts'
import { countedCents, type Group, sumOf } from '../rules.ts'
import { planNotes } from './rows.ts'

type Plan = {
  id: string
  startsOn: Day
  seasonCents: number
  listCents: number
  carry: Group[]
  settlement: { atFullPrice: boolean } | null
}
type Raw = {
  onDay: Day
  kind: PlanEntry['kind']
  number: number | null
  visits: number
  cents: number
  invoiceId: string | null
  at: string
}

/** Day by day what was delivered against a plan, billed, paid and credited; the differences add up as its sums do. */
export const listEntries = async (db: TenantDb, plan: Plan): Promise<PlanEntry[]> => {
  const { rows } = await sql<Raw>`
    select d.on_day, 'delivered' as kind, null::int as number, count(distinct d.visit_id)::int as visits, sum(d.list_cents)::int8 as cents,
        null::uuid as invoice_id, 1 as at
      from billing_plan_deliveries d where d.business_id = ${db.businessId} and d.plan_id = ${plan.id} group by 1
    union all select i.issue_on, 'billed', i.number, 0, i.subtotal_cents, i.id, 2
      from ${planInvoices} m join invoices i on i.business_id = m.business_id and i.id = m.invoice_id and i.status <> 'void'
      where m.business_id = ${db.businessId} and m.plan_id = ${plan.id}
    union all select n.on_day, 'credited', n.number, 0, n.net_cents, n.invoice_id, 3
      from ${planNotes} n join payments p on p.business_id = n.business_id and p.id = n.payment_id and p.status = 'succeeded'
      where n.business_id = ${db.businessId} and n.plan_id = ${plan.id}
    union all select p.received_on, 'paid', i.number, 0, a.amount_cents, i.id, 4
      from ${planInvoices} m join invoices i on i.business_id = m.business_id and i.id = m.invoice_id and i.status <> 'void'
      join payment_allocations a on a.business_id = i.business_id and a.invoice_id = i.id
      join payments p on p.business_id = a.business_id and p.id = a.payment_id and p.method <> 'credit'
      where m.business_id = ${db.businessId} and m.plan_id = ${plan.id}
    order by on_day, at, number`.execute(db)
  const counted = (listCents: number) => (plan.settlement?.atFullPrice ? listCents : countedCents(listCents, plan))
  let [list, delivered, difference] = [0, 0, sumOf(plan.carry)]
  const carried: PlanEntry[] = plan.carry.length
    ? [
        {
          onDay: plan.startsOn,
          kind: 'carried',
          label: 'Carried over from the plan before',
          cents: difference,
          differenceCents: difference,
          invoiceId: null,
        },
      ]
    : []
  return [
    ...carried,
    ...rows.map((row): PlanEntry => {
      const { onDay, kind, number, visits, invoiceId } = row
      const raw = Number(row.cents)
      if (kind === 'delivered') {
        // what counts is rounded once over all of it, so that the days add up to the sum
        list += raw
        const cents = counted(list) - delivered
        delivered += cents
        difference += cents
        return {
          onDay,
          kind,
          label: visits === 1 ? '1 visit done' : `${visits} visits done`,
          cents,
          differenceCents: difference,
          invoiceId,
        }
      }
      if (kind === 'billed') difference -= raw
      if (kind === 'credited') difference += raw
      const name = kind === 'credited' ? creditNoteName(number ?? 0) : invoiceName(number ?? 0)
      const label = kind === 'billed' ? `${name} billed` : kind === 'credited' ? `Credit ${name}` : `Paid on ${name}`
      return { onDay, kind, label, cents: raw, differenceCents: kind === 'paid' ? null : difference, invoiceId }
    }),
  ]
}
