import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import { getContact, listProperties } from '../../../customers/server/queries.ts'
import { billToOf, placeOf } from '../../rules.ts'
import { isTestMoney, type PaymentFacts } from '../rules.ts'

/** Whom a paper is for that stands on no invoice: the billing address, else the customer's first property. */
export const billToOfCustomer = async (db: TenantDb, customerId: string) => {
  const customer = await getContact(db, customerId)
  return { customer, to: billToOf(customer, placeOf(null, await listProperties(db, customerId))) }
}

/** Whether a payment was made on one page for several invoices, or put on several by the office: its news are one, not one an invoice. */
export const isPaidTogether = async (db: TenantDb, paymentId: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from payments p
    where p.business_id = ${db.businessId} and p.id = ${paymentId} and (p.together or exists (select from checkout_sessions s
      where s.business_id = p.business_id and s.lead_id = p.checkout_session_id)) limit 1`.execute(db)
  return rows.length > 0
}

/** One payment or credit with where it went. @throws not_found */
export const getPaymentFacts = async (
  db: TenantDb,
  paymentId: string,
): Promise<{ customerId: string; facts: PaymentFacts }> => {
  const row = await db
    .selectFrom('payments')
    .leftJoin('creditNotes', (join) =>
      join
        .onRef('creditNotes.businessId', '=', 'payments.businessId')
        .onRef('creditNotes.paymentId', '=', 'payments.id'),
    )
    .leftJoin('invoices', (join) =>
      join
        .onRef('invoices.businessId', '=', 'creditNotes.businessId')
        .onRef('invoices.id', '=', 'creditNotes.invoiceId'),
    )
    .leftJoin('jobs', (join) =>
      join.onRef('jobs.businessId', '=', 'payments.businessId').onRef('jobs.id', '=', 'payments.jobId'),
    )
    .leftJoin('quotes', (join) =>
      join.onRef('quotes.businessId', '=', 'payments.businessId').onRef('quotes.id', '=', 'payments.quoteId'),
    )
    .select([
      'payments.customerId',
      'payments.method',
      'payments.amountCents',
      'payments.refundedCents',
      'payments.tipCents',
      'payments.status',
      'payments.receivedOn',
      'payments.note',
      'payments.receiptNumber',
      'payments.provider',
      'payments.livemode',
      sql<boolean>`(select b.use_credit from businesses b where b.business_id = payments.business_id)`.as('usesCredit'),
      'creditNotes.number as creditNumber',
      'creditNotes.netCents',
      'creditNotes.taxCents',
      'invoices.number as invoiceNumber',
      'invoices.id as invoiceId',
      'invoices.status as invoiceStatus',
      'jobs.number as jobNumber',
      'jobs.title as jobTitle',
      'quotes.number as quoteNumber',
      'quotes.title as quoteTitle',
    ])
    .where('payments.businessId', '=', db.businessId)
    .where('payments.id', '=', paymentId)
    .executeTakeFirst()
  if (!row) throw notFound('payment')
  const on = await db
    .selectFrom('paymentAllocations')
    .innerJoin('invoices', (join) =>
      join
        .onRef('invoices.businessId', '=', 'paymentAllocations.businessId')
        .onRef('invoices.id', '=', 'paymentAllocations.invoiceId'),
    )
    .select(['invoices.number', 'invoices.issueOn', 'paymentAllocations.amountCents'])
    .where('paymentAllocations.businessId', '=', db.businessId)
    .where('paymentAllocations.paymentId', '=', paymentId)
    .orderBy('invoices.number')
    .execute()
  const {
    customerId,
    creditNumber,
    netCents,
    taxCents,
    invoiceNumber,
    invoiceId,
    invoiceStatus,
    jobNumber,
    jobTitle,
    quoteNumber,
    quoteTitle,
    provider,
    livemode,
    ...facts
  } = row
  return {
    customerId,
    facts: {
      ...facts,
      ...(isTestMoney({ provider, livemode }) ? { isTest: true } : {}),
      creditNote:
        creditNumber === null
          ? null
          : {
              number: creditNumber,
              netCents: netCents ?? 0,
              taxCents: taxCents ?? 0,
              invoiceNumber,
              invoiceId,
              isClosed: invoiceStatus === 'paid',
            },
      job:
        jobNumber !== null
          ? { number: jobNumber, title: jobTitle ?? '' }
          : quoteNumber !== null
            ? { number: null, title: `Q-${quoteNumber}, ${quoteTitle}` }
            : null,
      on,
    },
  }
}

/** Whether a crew took a payment at the door, where the customer chose how to have the receipt. */
export const isDoorPayment = async (db: TenantDb, paymentId: string): Promise<boolean> =>
  (await db
    .selectFrom('doorReceipts')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('paymentId', '=', paymentId)
    .executeTakeFirst()) !== undefined
