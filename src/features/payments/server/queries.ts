import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { leastChargeCents, mostChargeCents } from '../../../platform/payments/provider.ts'
import { dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { cashDiscountCents, discountLabel } from '../../businesses/cashdiscount/rules.ts'
import { mostTipCents, tipChoices, tipsOf } from '../../businesses/tips/rules.ts'
import { cameFor } from '../../invoices/corrections/rules.ts'
import { sumFreeCredit } from '../../invoices/corrections/server/queries.ts'
import { issuedBy } from '../../invoices/issuing/server/queries.ts'
import { openFees, owedWithFees } from '../../invoices/latefees/rules.ts'
import { isOpen, isOverdue } from '../../invoices/rules.ts'
import { getInvoiceContent, type InvoiceContent } from '../../invoices/server/queries.ts'
import { toldOf } from '../../messages/paperways/rules.ts'
import { getPaperReach } from '../../messages/paperways/server/queries.ts'
import { customerText } from '../../visits/notes/rules.ts'
import { showsOurWork } from '../../visits/photos/server/queries.ts'
import { mandateOf, publicAutopay } from '../cards/server/queries.ts'
import { partLimits } from '../checkout/rules.ts'
import { findCardTaker, takesBankDebits } from '../connect/server/queries.ts'
import type { PublicInvoice } from '../contract.ts'
import { bankProblem } from '../debits/rules.ts'
import { reasonIn } from '../reasons/rules.ts'

/** What the bank of a customer is looking into of what they paid on an invoice. */
const sumDisputed = async (db: TenantDb, invoiceId: string): Promise<number> => {
  const { cents } = await db
    .selectFrom('disputeInvoices')
    .innerJoin('disputes', (join) =>
      join
        .onRef('disputes.businessId', '=', 'disputeInvoices.businessId')
        .onRef('disputes.id', '=', 'disputeInvoices.disputeId'),
    )
    .where('disputeInvoices.businessId', '=', db.businessId)
    .where('disputeInvoices.invoiceId', '=', invoiceId)
    .where('disputes.status', 'in', ['needs_response', 'under_review'])
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('disputes.amountCents'), eb.val(0)).as('cents'))
    .executeTakeFirstOrThrow()
  return Number(cents)
}

/** The last payment of an open invoice that the payer's bank took back for good, while nothing came since. */
const findTakenBack = async (
  db: TenantDb,
  invoiceId: string,
  { status, payments }: InvoiceContent,
): Promise<PublicInvoice['takenBack']> => {
  if (!isOpen(status)) return null
  const last = await db
    .selectFrom('disputeInvoices')
    .innerJoin('disputes', (join) =>
      join
        .onRef('disputes.businessId', '=', 'disputeInvoices.businessId')
        .onRef('disputes.id', '=', 'disputeInvoices.disputeId'),
    )
    .innerJoin('payments', (join) =>
      join.onRef('payments.businessId', '=', 'disputes.businessId').onRef('payments.id', '=', 'disputes.paymentId'),
    )
    .where('disputeInvoices.businessId', '=', db.businessId)
    .where('disputeInvoices.invoiceId', '=', invoiceId)
    .where('disputes.status', 'in', ['lost', 'closed'])
    .where('disputes.money', '=', 'taken')
    .select(['disputes.movedCents', 'payments.receivedOn'])
    .select(sql<string>`coalesce(disputes.moved_on, disputes.opened_on)`.as('onDay'))
    .orderBy('onDay', 'desc')
    .limit(1)
    .executeTakeFirst()
  return !last || payments.some(({ receivedOn }) => receivedOn > last.onDay)
    ? null
    : { cents: last.movedCents, paidOn: last.receivedOn, onDay: last.onDay }
}

/** The bank payment of an open invoice that did not come, while nothing came since; what autopay tells is not told twice. */
const bouncedOf = (
  { status, pending, failedDebits, payments, language }: InvoiceContent,
  isToldByAutopay: boolean,
  zone: string,
): PublicInvoice['bounced'] => {
  const last = failedDebits.at(-1)
  if (!last || !isOpen(status) || pending || isToldByAutopay) return null
  const onDay = dayOf(last.at, zone)
  return payments.some(({ receivedOn }) => receivedOn >= onDay)
    ? null
    : { cents: last.cents, onDay, reason: reasonIn(language, bankProblem(last.problem)) }
}

/** The invoice as its customer sees it; a draft does not exist for them. */
export const getPublicInvoice = async (db: TenantDb, id: string): Promise<PublicInvoice> => {
  const invoice = await getInvoiceContent(db, id)
  if (invoice.status === 'draft' || !invoice.issueOn || !invoice.dueOn) throw notFound('invoice')
  const now = await db
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
      'tips',
      'timeZone',
      'cashDiscountBps',
      'partPayments',
      'useCredit',
    ])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const business = await issuedBy(db, id, now)
  const fees = openFees(invoice)
  const creditCents = await sumFreeCredit(db, invoice.customer.id)
  const autopay = await publicAutopay(db, invoice)
  const payableCents = Math.max(0, invoice.balanceCents - invoice.pendingCents)
  const isChargeable = payableCents >= leastChargeCents && payableCents <= mostChargeCents
  const rule = tipsOf(business.tips)
  const offCents = cashDiscountCents(payableCents, business.cashDiscountBps)
  const isOffered = isOpen(invoice.status) && !invoice.disputed && invoice.pendingCents === 0 && offCents > 0
  const provider = (await findCardTaker(db))?.provider ?? null
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
        .where(showsOurWork('visit_photos'))
        .select(['visitPhotos.fileId', 'visitPhotos.kind', 'properties.street'])
        .orderBy('visitPhotos.createdAt')
        .limit(40)
        .execute()
    : []
  return {
    language: invoice.language,
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
    creditedCents: invoice.creditedCents,
    credit: creditCents > 0 ? { cents: creditCents, byItself: now.useCredit } : null,
    balanceCents: invoice.balanceCents,
    writtenOffCents: invoice.writtenOffCents,
    gaveBack: invoice.gaveBack.map(({ onDay, method, amountCents }) => ({ onDay, method, amountCents })),
    payments: invoice.payments
      .map((p) => ({
        receivedOn: p.receivedOn,
        method: p.method,
        deposit: p.deposit,
        amountCents: cameFor(p, invoice.gaveBack),
        keptCents: p.allocatedCents,
        tipCents: p.tipCents,
      }))
      .filter(({ amountCents }) => amountCents > 0),
    lateFees: fees.map(({ number, openCents, onDay, publicPath: path }) => ({ number, openCents, onDay, path })),
    owedWithFeesCents: owedWithFees(invoice),
    message: invoice.message,
    terms: business.invoiceTerms,
    canPay: isOpen(invoice.status) && !invoice.disputed && isChargeable && provider !== null,
    whyNoCard:
      provider === null || payableCents === 0 || isChargeable
        ? null
        : payableCents < leastChargeCents
          ? 'tooLittle'
          : 'tooMuch',
    payableCents,
    parts:
      business.partPayments && provider !== null && isOpen(invoice.status) && !invoice.disputed
        ? partLimits(payableCents, mostChargeCents)
        : null,
    tips:
      rule.kind === 'off'
        ? null
        : {
            // who pays the rest of a bill is asked for a share of the rest
            choices: tipChoices(rule, Math.min(invoice.subtotalCents - invoice.discountCents, payableCents)),
            mostCents: mostTipCents(invoice.balanceCents),
          },
    cashDiscount: isOffered
      ? {
          percent: discountLabel(business.cashDiscountBps),
          cents: offCents,
          payCents: payableCents - offCents,
          withFeesCents: fees.reduce(
            (sum, { openCents }) => sum + openCents - cashDiscountCents(openCents, business.cashDiscountBps),
            payableCents - offCents,
          ),
        }
      : null,
    pending: invoice.pending,
    pageOpen: (await listOpenSessions(db, [id])).length > 0,
    bounced: bouncedOf(invoice, autopay?.declined != null, business.timeZone),
    takenBack: await findTakenBack(db, id, invoice),
    takesBank: provider !== null && (await takesBankDebits(db)),
    disputedCents: invoice.disputed ? await sumDisputed(db, id) : null,
    takesCards: provider !== null,
    autopay,
    told: toldOf(await getPaperReach(db, invoice.customer.id)),
    mandate: await mandateOf(db, invoice.language),
    livemode: provider?.livemode ?? true,
    words: await wordsOf(db, visitIds, invoice.language),
    photos: photos.map((p) => ({ url: signedFilePath(db.businessId, p.fileId), kind: p.kind, place: p.street })),
  }
}

/** What crews said to the customer about visits, in their order. */
const wordsOf = async (
  db: TenantDb,
  visitIds: readonly string[],
  language: string,
): Promise<PublicInvoice['words']> => {
  if (visitIds.length === 0) return []
  const said = await db
    .selectFrom('visits')
    .innerJoin('properties', (join) =>
      join.onRef('properties.businessId', '=', 'visits.businessId').onRef('properties.id', '=', 'visits.propertyId'),
    )
    .where('visits.businessId', '=', db.businessId)
    .where('visits.id', 'in', [...visitIds])
    .where('visits.status', '=', 'completed')
    .where((eb) =>
      eb.or(
        (['customerNote', 'sawNote', 'didNote', 'expectNote'] as const).map((field) => eb(`visits.${field}`, '<>', '')),
      ),
    )
    .select([
      'visits.day',
      'properties.street as place',
      'visits.customerNote',
      'visits.sawNote',
      'visits.didNote',
      'visits.expectNote',
    ])
    .orderBy('visits.day')
    .limit(40)
    .execute()
  return said.map(({ day, place, ...words }) => ({ day, place, text: customerText(words, language) }))
}

/** The payment pages of some invoices that are still open, by the provider's session. */
export const listOpenSessions = async (
  db: TenantDb,
  invoiceIds: readonly string[],
): Promise<{ sessionId: string; accountId: string | null }[]> => {
  const { rows } = await sql<{ sessionId: string | null; accountId: string | null }>`
    select distinct l.provider_session_id as "sessionId", l.account_id as "accountId" from checkout_sessions s
    join checkout_sessions l on l.business_id = s.business_id and l.id = coalesce(s.lead_id, s.id)
    where s.business_id = ${db.businessId} and s.invoice_id = any(${[...invoiceIds]}::uuid[]) and s.status = 'open'`.execute(
    db,
  )
  return rows.flatMap(({ sessionId, accountId }) => (sessionId ? [{ sessionId, accountId }] : []))
}
