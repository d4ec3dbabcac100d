import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { allocateCents } from '../../../shared/money.ts'
import type { Totals } from '../../invoices/rules.ts'
import { listTaxRules } from '../../invoices/server/queries.ts'
import { addTaxes, type BilledTax, type Group, groupKeyOf, sumOf, taxesOfInvoice, taxShare } from '../rules.ts'
import { type Payer, totalsOf } from './papers.ts'
import { sumPlans } from './rows.ts'

/** Sales tax of what is billed or given back when a plan ends: what comes on top by today's rates, what goes back as it was charged. */

type Billed = { groups: readonly Group[]; taxes: BilledTax[] }

/** What stands of the tax that the invoices of a plan charged, less what was credited of it. */
const readBilled = async (db: TenantDb, planId: string): Promise<Billed> => {
  const groups = (await sumPlans(db, [planId])).get(planId)?.billed ?? []
  const ofPlan = sql`from billing_plan_months m join invoices i on i.business_id = m.business_id and i.id = m.invoice_id and i.status <> 'void'`
  const those = sql`m.business_id = ${db.businessId} and m.plan_id = ${planId}`
  const { rows: lines } = await sql<Group & { invoiceId: string }>`
    select i.id as invoice_id, l.property_id, l.tax_category, sum(l.total_cents)::int8 as cents ${ofPlan}
    join invoice_lines l on l.business_id = i.business_id and l.invoice_id = i.id
    where ${those} group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  const { rows: taxes } = await sql<Totals['taxes'][number] & { invoiceId: string }>`
    select i.id as invoice_id, t.name, t.rate_percent::float8 as rate_percent, t.base_cents, t.tax_cents ${ofPlan}
    join invoice_taxes t on t.business_id = i.business_id and t.invoice_id = i.id
    where ${those} order by i.id, t.position, t.id`.execute(db)
  const { rows: notes } = await sql<{ cents: number }>`
    select coalesce(sum(n.tax_cents), 0)::int8 as cents ${ofPlan}
    join credit_notes n on n.business_id = i.business_id and n.invoice_id = i.id
    join payments p on p.business_id = n.business_id and p.id = n.payment_id and p.status = 'succeeded' where ${those}`.execute(
    db,
  )
  const rules = await listTaxRules(db)
  const likely = (name: string) => rules.flatMap((rule) => (rule.name === name ? rule.taxCategory : []))
  const whole = lines.map((line) => ({ ...line, cents: Number(line.cents) }))
  const charged = [...Map.groupBy(taxes, ({ invoiceId }) => invoiceId)].flatMap(([id, own]) =>
    taxesOfInvoice(
      whole.filter(({ invoiceId }) => invoiceId === id),
      own.map((tax) => ({ ...tax, baseCents: Number(tax.baseCents), taxCents: Number(tax.taxCents) })),
      likely,
    ),
  )
  const weights = charged.map(({ taxCents }) => Math.max(0, taxCents))
  const credited = allocateCents(
    Math.min(
      Number(notes[0]?.cents ?? 0),
      weights.reduce((a, b) => a + b, 0),
    ),
    weights,
  )
  const leftOf = (key: string) => {
    const gross = sumOf(whole.filter((one) => groupKeyOf(one) === key))
    return gross === 0 ? 0 : sumOf(groups.filter((one) => groupKeyOf(one) === key)) / gross
  }
  const taxesLeft = charged.map((tax, at) => ({
    ...tax,
    cents: Math.round(tax.cents * leftOf(groupKeyOf(tax))),
    taxCents: tax.taxCents - (credited[at] ?? 0),
  }))
  return { groups, taxes: addTaxes(taxesLeft) }
}

/** The tax of what goes back of a group. */
const ofGroup = ({ groups, taxes }: Billed, group: Group, most: number) => {
  const own = <T extends Group>(list: readonly T[]) => list.filter((one) => groupKeyOf(one) === groupKeyOf(group))
  const billedCents = sumOf(own(groups))
  const cents = Math.max(0, Math.min(most, billedCents))
  return { cents, taxes: taxShare(own(taxes), cents, billedCents) }
}

/**
 * What is left of a plan with its tax. A rate that came, went or changed since, or an exemption, is no part of what goes back: the customer
 * gets the tax that they were charged.
 * @param groups delivered less billed
 */
export const totalsLeft = async (
  db: TenantDb,
  payer: Payer,
  plan: { id: string; carriedFrom: string | null },
  groups: readonly Group[],
): Promise<Totals> => {
  const more = groups.filter(({ cents }) => cents > 0).map((group) => ({ ...group, description: '' }))
  const over = groups.filter(({ cents }) => cents < 0)
  const totals = totalsOf(payer, more)
  const billed = over.length > 0 ? await readBilled(db, plan.id) : null
  const before = billed && plan.carriedFrom ? await readBilled(db, plan.carriedFrom) : null
  const back = over.flatMap((group) => {
    if (!billed) return []
    const own = ofGroup(billed, group, -group.cents)
    // the rest was carried over from the plan before, which had billed it
    const rest = before ? ofGroup(before, group, -group.cents - own.cents) : null
    return [...own.taxes, ...(rest?.taxes ?? [])]
  })
  const rows = new Map<string, Totals['taxes'][number]>()
  for (const { name, ratePercent, baseCents, taxCents } of [
    ...totals.taxes,
    ...back.map((tax) => ({ ...tax, baseCents: -tax.cents, taxCents: -tax.taxCents })),
  ]) {
    const key = `${name}:${ratePercent}`
    const known = rows.get(key) ?? { name, ratePercent, baseCents: 0, taxCents: 0 }
    rows.set(key, { ...known, baseCents: known.baseCents + baseCents, taxCents: known.taxCents + taxCents })
  }
  const taxes = [...rows.values()].filter(({ baseCents, taxCents }) => baseCents !== 0 || taxCents !== 0)
  const taxCents = taxes.reduce((sum, tax) => sum + tax.taxCents, 0)
  const subtotalCents = sumOf(groups)
  return { ...totals, subtotalCents, taxes, taxCents, totalCents: subtotalCents + taxCents }
}
