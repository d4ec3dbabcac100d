import type { TenantDb } from '../../../platform/db/tenant.ts'
import { notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { listProperties } from '../../customers/server/queries.ts'
import { findExempt } from '../../invoices/exemptions/server/queries.ts'
import { billToOf, invoiceTotals, placeOf, placeOfWork, type Totals } from '../../invoices/rules.ts'
import type { insertInvoicesTx } from '../../invoices/server/commands.ts'
import { listTaxRules } from '../../invoices/server/queries.ts'
import type { PaperReach } from '../../messages/paperways/rules.ts'
import { getPaperReach } from '../../messages/paperways/server/queries.ts'

/** What the invoices of plans are made of. */

export type PaperLine = { propertyId: string; taxCategory: string; description: string; cents: number }
type NewInvoice = Parameters<typeof insertInvoicesTx>[2][number]

/** A customer as their invoices are made: where they work, where they are exempt, and by which rates. */
export const readPayer = async (db: TenantDb, customerId: string) => {
  const customer = await db
    .selectFrom('customers')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!customer) throw notFound('customer')
  const business = await db
    .selectFrom('businesses')
    .select(['termsDays', 'invoiceMessage', 'name', 'brandColor', 'phone', 'email'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return {
    customer,
    business,
    places: await listProperties(db, customerId),
    exempt: (await findExempt(db, [customer]))(customerId, null),
    taxes: await listTaxRules(db),
    today: await todayOf(db),
  }
}
export type Payer = Awaited<ReturnType<typeof readPayer>>

/** Where word of a plan goes. */
export const reachOf = async (db: TenantDb, customerId: string): Promise<PaperReach> => {
  const { mail, text, why, also } = await getPaperReach(db, customerId)
  return { mail, text, why, also }
}

/** What lines come to with the tax of their places. */
export const totalsOf = ({ customer, places, taxes, today, exempt }: Payer, lines: readonly PaperLine[]): Totals =>
  invoiceTotals(
    lines.map(({ propertyId, taxCategory, cents }) => ({
      quantity: 1,
      unitPriceCents: cents,
      taxCategory,
      place: placeOfWork(propertyId, places, customer),
    })),
    { taxes, today, taxExempt: exempt },
  )

/** A draft over lines of a plan. */
export const draftOf = (payer: Payer, number: number, lines: readonly PaperLine[]): NewInvoice => {
  const { customer, business, places } = payer
  return {
    number,
    customerId: customer.id,
    termsDays: customer.termsDays ?? business.termsDays,
    message: business.invoiceMessage,
    billTo: billToOf(customer, placeOf(lines[0]?.propertyId ?? null, places)),
    totals: totalsOf(payer, lines),
    lines: lines.map(({ propertyId, taxCategory, description, cents }) => ({
      propertyId,
      serviceOn: null,
      description,
      quantity: 1,
      unitPriceCents: cents,
      taxCategory,
    })),
  }
}

/** Why a plan asks for no money now, or null: on hold, or nobody pays month by month for work that was called off. */
export const whyHeld = async (
  db: TenantDb,
  { id, name }: { id: string; name: string },
  { customer }: Pick<Payer, 'customer'>,
): Promise<string | null> => {
  if (customer.archivedAt) return `${customer.name} is archived. Settle ${name}, or bring the customer back.`
  const alive = await db
    .selectFrom('billingPlanLines as c')
    .innerJoin('jobLines as l', (x) => x.onRef('l.businessId', '=', 'c.businessId').onRef('l.id', '=', 'c.jobLineId'))
    .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'l.businessId').onRef('j.id', '=', 'l.jobId'))
    .where('c.businessId', '=', db.businessId)
    .where('c.planId', '=', id)
    .where('j.status', '!=', 'canceled')
    .where('j.archivedAt', 'is', null)
    .select('l.id')
    .limit(1)
    .executeTakeFirst()
  if (!alive) return `All work of ${name} is canceled. Settle the plan or take it back, or cover other work with it.`
  return customer.holdInvoices ? `Invoices for ${customer.name} are on hold.` : null
}
