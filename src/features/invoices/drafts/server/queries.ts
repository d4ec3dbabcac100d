import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { findExempt } from '../../exemptions/server/queries.ts'
import { invoiceTotals, taxPlaceOf } from '../../rules.ts'
import { listTaxRules } from '../../server/queries.ts'

type Row = {
  invoiceId: string
  discountCents: number
  customerId: string
  taxExempt: boolean
  billingState: string | null
  billingCity: string | null
  billingZip: string | null
  lines: { cents: number; taxCategory: string; serviceOn: string | null; propertyId: string | null }[]
  places: { id: string; state: string; city: string; zip: string; archived: boolean }[]
  taxes: { name: string; ratePercent: number; baseCents: number; taxCents: number }[]
}

const rowsOf = (taxes: Row['taxes']): string =>
  taxes
    .map(({ name, ratePercent, baseCents, taxCents }) => `${name}:${ratePercent}:${baseCents}:${taxCents}`)
    .sort()
    .join(';')

/**
 * Of drafts those whose tax is another one by the rates, places and exemptions that hold now, with both sums: what is issued is never
 * reckoned again, so it is right when it is issued.
 */
export const listChangedTaxes = async (
  db: TenantDb,
  draftIds: readonly string[],
): Promise<Map<string, { savedCents: number; nowCents: number }>> => {
  if (draftIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select i.id as invoice_id, i.discount_cents, c.id as customer_id, c.tax_exempt, c.billing_state, c.billing_city, c.billing_zip,
      (select coalesce(jsonb_agg(jsonb_build_object('cents', l.total_cents, 'taxCategory', l.tax_category, 'serviceOn', l.service_on,
          'propertyId', l.property_id) order by l.position, l.id), '[]') from invoice_lines l
        where l.business_id = i.business_id and l.invoice_id = i.id) as lines,
      (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'state', p.state, 'city', p.city, 'zip', p.zip,
          'archived', p.archived_at is not null) order by p.created_at, p.id), '[]') from properties p
        where p.business_id = i.business_id and p.customer_id = i.customer_id) as places,
      (select coalesce(jsonb_agg(jsonb_build_object('name', t.name, 'ratePercent', t.rate_percent, 'baseCents', t.base_cents,
          'taxCents', t.tax_cents)), '[]') from invoice_taxes t where t.business_id = i.business_id and t.invoice_id = i.id) as taxes
    from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    where i.business_id = ${db.businessId} and i.id = any(${[...draftIds]}::uuid[]) and i.status = 'draft'`.execute(db)
  const customers = new Map(rows.map(({ customerId, taxExempt }) => [customerId, { id: customerId, taxExempt }]))
  const exempt = await findExempt(db, [...customers.values()])
  const taxes = await listTaxRules(db)
  const today = await todayOf(db)
  return new Map(
    rows.flatMap((row) => {
      const now = invoiceTotals(
        row.lines.map(({ cents, taxCategory, serviceOn, propertyId }) => ({
          quantity: 1,
          unitPriceCents: cents,
          taxCategory,
          serviceOn,
          place: taxPlaceOf(
            row.places.find(({ id }) => id === propertyId) ?? row.places.find(({ archived }) => !archived) ?? null,
            row,
          ),
          taxExempt: exempt(row.customerId, serviceOn),
        })),
        { discountCents: row.discountCents, taxes, today },
      )
      const savedCents = row.taxes.reduce((sum, { taxCents }) => sum + taxCents, 0)
      return rowsOf(row.taxes) === rowsOf(now.taxes)
        ? []
        : [[row.invoiceId, { savedCents, nowCents: now.taxCents }] as const]
    }),
  )
}
