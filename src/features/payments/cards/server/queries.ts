import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf } from '../../../../shared/can.ts'
import type { Day } from '../../../../shared/dates.ts'
import { cashDiscountCents } from '../../../businesses/cashdiscount/rules.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { getCashDiscount, todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { isHeld } from '../../../invoices/pending/server/queries.ts'
import { isReached } from '../../../messages/paperways/rules.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { textReachOf } from '../../../messages/server/reach/queries.ts'
import { findCardTaker, takesBankDebits } from '../../connect/server/queries.ts'
import { reasonIn } from '../../reasons/rules.ts'
import { type CustomerCard, cardsApi } from '../contract.ts'
import {
  bankMandateVersion,
  cardLabel,
  cardRefusals,
  expiresSoon,
  expiryLabel,
  lastGoodDay,
  mandateText,
  mandateVersion,
} from '../rules.ts'

/** The card that a customer left, or undefined. */
export const findMethod = (db: TenantDb, customerId: string) =>
  db
    .selectFrom('paymentMethods')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('removedAt', 'is', null)
    .executeTakeFirst()

/** Whether the bank of a customer is looking into a payment of theirs. */
export const isDisputing = async (db: TenantDb, customerId: string): Promise<boolean> =>
  (await db
    .selectFrom('disputes')
    .innerJoin('payments', (join) =>
      join.onRef('payments.businessId', '=', 'disputes.businessId').onRef('payments.id', '=', 'disputes.paymentId'),
    )
    .where('disputes.businessId', '=', db.businessId)
    .where('payments.customerId', '=', customerId)
    .where('disputes.status', 'in', ['needs_response', 'under_review'])
    .select('disputes.id')
    .executeTakeFirst()) !== undefined

/** How long before a charge its customer is told: as the business wants it now, and never later than the holder of the card agreed to. */
export const noticeDaysOf = async (db: TenantDb, method: { noticeDays: number }): Promise<number> =>
  Math.max((await mandateOf(db)).noticeDays, method.noticeDays)

/** Whether one invoice is held. */
export const isInvoiceHeld = async (db: TenantDb, invoiceId: string, today: Day): Promise<boolean> => {
  const { rows } = await sql<{ held: boolean }>`
    select ${isHeld(today)} as held from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    where i.business_id = ${db.businessId} and i.id = ${invoiceId}`.execute(db)
  return rows[0]?.held ?? true
}

/** The words that a customer of this business agrees to now. */
export const mandateOf = async (
  db: TenantDb,
  language: Language = 'en',
): Promise<{ text: string; version: number; noticeDays: number }> => {
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'autopayNoticeDays', 'bankDebits'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const { name, autopayNoticeDays: noticeDays, bankDebits } = business
  const version = bankDebits ? bankMandateVersion : mandateVersion
  return { text: mandateText(name, noticeDays, bankDebits, language), version, noticeDays }
}

export const factsOf = async (
  db: TenantDb,
  method: {
    customerId: string
    autopay: boolean
    expMonth: number | null
    expYear: number | null
    stoppedByHolderAt: string | null
  },
  today: Day,
) => ({
  autopay: method.autopay,
  expired: (lastGoodDay(method) ?? today) < today,
  stoppedByHolder: method.stoppedByHolderAt !== null,
  disputed: await isDisputing(db, method.customerId),
  reached: isReached(await getPaperReach(db, method.customerId)),
})

const nextCharge = (db: TenantDb, methodId: string) =>
  db
    .selectFrom('autopayCharges')
    .innerJoin('invoices', (join) =>
      join
        .onRef('invoices.businessId', '=', 'autopayCharges.businessId')
        .onRef('invoices.id', '=', 'autopayCharges.invoiceId'),
    )
    .where('autopayCharges.businessId', '=', db.businessId)
    .where('autopayCharges.methodId', '=', methodId)
    .where('autopayCharges.status', '=', 'waiting')
    .where('invoices.status', 'in', ['issued', 'partially_paid'])
    .select(['invoices.id as invoiceId', 'invoices.number', 'autopayCharges.chargeOn'])
    .select((eb) => eb('invoices.totalCents', '-', eb.ref('invoices.paidCents')).as('openCents'))
    .orderBy('autopayCharges.chargeOn')
    .orderBy('invoices.number')
    .limit(1)
    .executeTakeFirst()

/** What is charged for what is open: from a bank account less the discount for paying without a card. */
const chargedOf = async (db: TenantDb, { kind }: { kind: string }, openCents: number): Promise<number> =>
  kind === 'bank' ? openCents - cashDiscountCents(openCents, await getCashDiscount(db)) : openCents

/** The card on file as the office sees it. @throws not_found */
export const getCustomerCard = async (db: TenantDb, actor: Actor, customerId: string): Promise<CustomerCard> => {
  const contact = await getContact(db, customerId)
  const { email } = contact
  const { number, why } = await textReachOf(db, contact)
  const text = { number, why }
  const method = await findMethod(db, customerId)
  const takesCards = (await findCardTaker(db)) !== null
  const takesBank = takesCards && (await takesBankDebits(db))
  if (!method) return { card: null, takesCards, takesBank, email, text }
  const today = await todayOf(db)
  const next = method.autopay ? await nextCharge(db, method.id) : undefined
  const facts = await factsOf(db, method, today)
  return {
    takesCards,
    takesBank,
    email,
    text,
    card: {
      kind: method.kind,
      label: cardLabel(method),
      expires: expiryLabel(method),
      expiresSoon: expiresSoon(method, today),
      autopay: method.autopay,
      ended: method.autopay ? null : method.autopayEnded,
      stoppedByHolder: facts.stoppedByHolder && !method.autopay,
      next: next ? { ...next, amountCents: await chargedOf(db, method, Number(next.openCents)) } : null,
      mandate: {
        text: method.mandateText,
        version: method.mandateVersion,
        at: method.mandateAt,
        page: method.mandatePage,
      },
      livemode: method.livemode,
      can: canOf(
        actor,
        { remove: cardsApi.removeCard, turnOn: cardsApi.setAutopay, turnOff: cardsApi.setAutopay },
        cardRefusals,
        facts,
      ),
    },
  }
}

/** What the page of an invoice says of autopay. */
export const publicAutopay = async (
  db: TenantDb,
  invoice: { id: string; customer: { id: string }; language: Language },
): Promise<{ card: string; chargeOn: Day | null; declined: string | null } | null> => {
  const method = await findMethod(db, invoice.customer.id)
  if (!method?.autopay) return null
  const charge = await db
    .selectFrom('autopayCharges')
    .select(['chargeOn', 'status', 'declined'])
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoice.id)
    .executeTakeFirst()
  return {
    card: cardLabel(method, invoice.language),
    chargeOn: charge?.status === 'waiting' ? charge.chargeOn : null,
    declined:
      charge?.status === 'paid' || charge?.declined == null ? null : reasonIn(invoice.language, charge.declined),
  }
}

/** The card that pays a customer's invoices by itself, by its name, or null. */
export const publicAutopayOf = async (db: TenantDb, customerId: string, language: Language): Promise<string | null> => {
  const method = await findMethod(db, customerId)
  return method?.autopay ? cardLabel(method, language) : null
}

/** Autopay that ended by itself and waits for somebody of the office. */
export const listEndedAutopay = async (db: TenantDb) =>
  db
    .selectFrom('paymentMethods')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.businessId', '=', 'paymentMethods.businessId')
        .onRef('customers.id', '=', 'paymentMethods.customerId'),
    )
    .where('paymentMethods.businessId', '=', db.businessId)
    .where('paymentMethods.removedAt', 'is', null)
    .where('paymentMethods.autopay', '=', false)
    .where('paymentMethods.autopayEnded', 'is not', null)
    .select([
      'paymentMethods.id',
      'paymentMethods.autopayEnded as reason',
      'customers.id as customerId',
      'customers.name',
    ])
    .orderBy('paymentMethods.autopayEndedAt', 'desc')
    .limit(20)
    .execute()
