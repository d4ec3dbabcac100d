import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { paymentProvider } from '../../../platform/payments/providers.ts'
import { dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { isOpen, isOverdue } from '../../invoices/rules.ts'
import { getInvoiceContent } from '../../invoices/server/queries.ts'
import type { PublicInvoice } from '../contract.ts'

/** The invoice as its customer sees it; a draft does not exist for them. */
export const getPublicInvoice = async (db: TenantDb, id: string): Promise<PublicInvoice> => {
  const invoice = await getInvoiceContent(db, id)
  if (invoice.status === 'draft' || !invoice.issueOn || !invoice.dueOn) throw notFound('invoice')
  const business = await db
    .selectFrom('businesses')
    .select([
      'name',
      'phone',
      'email',
      'street',
      'city',
      'state',
      'zip',
      'brandColor',
      'logoFileId',
      'invoiceTerms',
      'timeZone',
    ])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const provider = paymentProvider('invoice')
  const visitIds = [...new Set(invoice.lines.flatMap((line) => (line.visitId ? [line.visitId] : [])))]
  const photos = visitIds.length
    ? await db
        .selectFrom('visitPhotos')
        .innerJoin('visits', (join) =>
          join.onRef('visits.businessId', '=', 'visitPhotos.businessId').onRef('visits.id', '=', 'visitPhotos.visitId'),
        )
        .innerJoin('properties', (join) =>
          join
            .onRef('properties.businessId', '=', 'visits.businessId')
            .onRef('properties.id', '=', 'visits.propertyId'),
        )
        .where('visitPhotos.businessId', '=', db.businessId)
        .where('visitPhotos.visitId', 'in', visitIds)
        .select(['visitPhotos.fileId', 'visitPhotos.kind', 'properties.street'])
        .orderBy('visitPhotos.createdAt')
        .limit(40)
        .execute()
    : []
  return {
    number: invoice.number,
    status: invoice.status,
    overdue: isOverdue({ status: invoice.status, dueOn: invoice.dueOn }, dayOf(clock.now(), business.timeZone)),
    business: {
      name: business.name,
      phone: business.phone,
      email: business.email,
      street: business.street,
      city: business.city,
      state: business.state,
      zip: business.zip,
      color: business.brandColor,
      logoUrl: business.logoFileId ? signedFilePath(db.businessId, business.logoFileId) : null,
    },
    billTo: invoice.billTo,
    issueOn: invoice.issueOn,
    dueOn: invoice.dueOn,
    lines: invoice.lines,
    taxes: invoice.taxes,
    subtotalCents: invoice.subtotalCents,
    discountCents: invoice.discountCents,
    totalCents: invoice.totalCents,
    paidCents: invoice.paidCents,
    balanceCents: invoice.balanceCents,
    payments: invoice.payments.map((p) => ({
      receivedOn: p.receivedOn,
      method: p.method,
      amountCents: p.allocatedCents,
    })),
    message: invoice.message,
    terms: business.invoiceTerms,
    canPay: isOpen(invoice.status) && invoice.balanceCents > 0 && provider !== null,
    livemode: provider?.livemode ?? true,
    photos: photos.map((p) => ({ url: signedFilePath(db.businessId, p.fileId), kind: p.kind, place: p.street })),
  }
}

/** The payment pages of an invoice that are still open, by the provider's session. */
export const listOpenSessions = async (db: TenantDb, invoiceId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('checkoutSessions')
    .select('providerSessionId')
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoiceId)
    .where('status', '=', 'open')
    .execute()
  return rows.flatMap((row) => row.providerSessionId ?? [])
}
