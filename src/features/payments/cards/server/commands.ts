import { type Selectable, sql } from 'kysely'
import type { Actor, Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { afterCommit, type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { PaymentMethods } from '../../../../platform/db/types.generated.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { absoluteUrl, linkToken } from '../../../../platform/links.ts'
import { log } from '../../../../platform/log.ts'
import type { Checkout } from '../../../../platform/payments/provider.ts'
import { providerNamed } from '../../../../platform/payments/providers.ts'
import { refuse } from '../../../../shared/can.ts'
import { notFound } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { getSender } from '../../../invoices/server/commands.ts'
import { queuePaperTx } from '../../../messages/paperways/server/commands.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import type { CustomerCard } from '../contract.ts'
import { cardLabel, cardRefusals, textsNamedFrom } from '../rules.ts'
import { factsOf, findMethod, getCustomerCard } from './queries.ts'
import { type AutopayNews, autopayMail } from './templates.ts'
import { autopayText } from './texts.ts'

export type Method = Selectable<PaymentMethods>
export type Mandate = { text: string; version: number; noticeDays: number; at: string; ip: string | null; page: string }

/**
 * Tells the customer news of their card, as their papers reach them, with the page of an invoice to act on. Who agreed to words that named only
 * mails has a mail wherever there is an address.
 */
export const tellHolderTx = async (
  db: TenantDb,
  method: Method,
  news: AutopayNews,
  dedupeKey: string,
  invoiceId: string | null,
): Promise<void> => {
  const at = invoiceId ?? (await newestInvoice(db, method.customerId))
  const url = at ? absoluteUrl(paths.invoice(await linkToken(db, 'invoice', at))) : null
  const { name, email } = await getContact(db, method.customerId)
  const sender = await getSender(db)
  const mail = (language: Language) =>
    autopayMail(
      news,
      { name, card: cardLabel(method, language), isBank: method.kind === 'bank', url, language },
      sender,
    )
  const to = {
    dedupeKey,
    customerId: method.customerId,
    ...(at ? { entity: { type: 'invoice', id: at } } : {}),
  }
  const reach = await queuePaperTx(db, {
    ...to,
    mail: async (language) => mail(language),
    text: (language) => autopayText(news, method, { business: sender.name, language, url }),
  })
  if (email && reach.mail === null && method.mandateVersion < textsNamedFrom)
    await queueMessage(db, {
      channel: 'email',
      purpose: 'transactional',
      address: email,
      ...to,
      ...mail(reach.language),
    })
}

const newestInvoice = async (db: TenantDb, customerId: string): Promise<string | null> =>
  (
    await db
      .selectFrom('invoices')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', customerId)
      .where('status', 'in', ['issued', 'partially_paid', 'paid'])
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.id ?? null

/** What is stopped of open invoices is planned anew by the next run, with a notice of its own. */
const replanTx = async (db: TenantDb, customerId: string): Promise<void> => {
  await db
    .deleteFrom('autopayCharges')
    .where('businessId', '=', db.businessId)
    .where('status', '!=', 'paid')
    .where('invoiceId', 'in', (eb) =>
      eb
        .selectFrom('invoices')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('customerId', '=', customerId),
    )
    .execute()
}

const forgetAtProvider = (db: TenantDb, method: Method): void =>
  afterCommit(db, async () => {
    await providerNamed(method.provider)
      ?.removeMethod(method.providerMethodId, method.accountId)
      // We never charge it again either way; at the provider it can also be removed by hand.
      .catch((err: unknown) => log.warn({ err, methodId: method.id }, 'a card could not be removed at the provider'))
  })

/**
 * Keeps the card or bank account that a checkout left, with what its holder agreed to. It takes the place of the one agreed to before it, in whatever
 * order they are told. Again changes nothing.
 */
export const saveMethodTx = async (
  db: TenantDb,
  customerId: string,
  { provider, livemode, saved: method }: Pick<Checkout, 'provider' | 'livemode' | 'saved'>,
  accountId: string,
  mandate: Mandate,
): Promise<void> => {
  if (!method) return
  // two that are told at once would both find none before them
  await sql`select pg_advisory_xact_lock(hashtextextended(${`card:${db.businessId}:${customerId}`}, 0))`.execute(db)
  const known = await db
    .selectFrom('paymentMethods')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('providerMethodId', '=', method.id)
    .executeTakeFirst()
  if (known) return
  const before = await findMethod(db, customerId)
  const isLate = before !== undefined && before.mandateAt > mandate.at
  if (before && !isLate) await setRemovedTx(db, before)
  const kept = await db
    .insertInto('paymentMethods')
    .values({
      businessId: db.businessId,
      id: newId(),
      customerId,
      provider,
      livemode,
      accountId,
      providerCustomerId: method.customerId,
      providerMethodId: method.id,
      kind: method.kind,
      brand: method.brand,
      last4: method.last4,
      expMonth: method.expMonth,
      expYear: method.expYear,
      mandateText: mandate.text,
      mandateVersion: mandate.version,
      noticeDays: mandate.noticeDays,
      mandateAt: mandate.at,
      mandateIp: mandate.ip,
      mandatePage: mandate.page,
      createdAt: clock.iso(),
      ...(isLate ? { removedAt: clock.iso(), autopay: false } : {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isLate) return forgetAtProvider(db, kept)
  await replanTx(db, customerId)
  await publishChange(db, 'customers', [customerId])
}

const setRemovedTx = async (db: TenantDb, method: Method): Promise<void> => {
  await db
    .updateTable('paymentMethods')
    .set({ removedAt: clock.iso(), autopay: false })
    .where('businessId', '=', db.businessId)
    .where('id', '=', method.id)
    .execute()
  forgetAtProvider(db, method)
}

/** Whether the card pays invoices by itself from now on. @param ended why it ended by itself; null where somebody wished it */
export const setAutopayTx = async (
  db: TenantDb,
  method: Method,
  on: boolean,
  ended: string | null = null,
): Promise<void> => {
  await db
    .updateTable('paymentMethods')
    .set({ autopay: on, autopayEnded: ended, autopayEndedAt: ended ? clock.iso() : null })
    .where('businessId', '=', db.businessId)
    .where('id', '=', method.id)
    .execute()
  if (ended === null) await replanTx(db, method.customerId)
  else
    await db
      .updateTable('autopayCharges')
      .set({ status: 'stopped', updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('methodId', '=', method.id)
      .where('status', '=', 'waiting')
      .execute()
  await publishChange(db, 'customers', [method.customerId])
  await publishChange(db, 'business', [db.businessId])
}

const lockMethodTx = async (db: TenantDb, customerId: string): Promise<Method> => {
  await getContact(db, customerId)
  const method = await db
    .selectFrom('paymentMethods')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('removedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!method) throw notFound('card')
  return method
}

/** Forgets the card of a customer inside a running transaction; for the customer themself, too. @throws not_found */
export const removeCardTx = async (db: TenantDb, who: Who, customerId: string): Promise<void> => {
  const method = await lockMethodTx(db, customerId)
  await replanTx(db, customerId)
  await setRemovedTx(db, method)
  await audit(db, who, 'card.remove', { type: 'customer', id: customerId }, { after: { card: cardLabel(method) } })
  await publishChange(db, 'customers', [customerId])
}

/** Forgets the card of a customer. */
export const removeCard = (actor: Actor, customerId: string): Promise<CustomerCard> =>
  withTenant(actor, async (db) => {
    await removeCardTx(db, actor, customerId)
    return getCustomerCard(db, actor, customerId)
  })

/** The office turns autopay on or off; the customer hears of it. What they turned off themselves stays off. */
export const setAutopay = (actor: Actor, customerId: string, { on }: { on: boolean }): Promise<CustomerCard> =>
  withTenant(actor, async (db) => {
    const method = await lockMethodTx(db, customerId)
    const facts = await factsOf(db, method, await todayOf(db))
    refuse(on ? cardRefusals.turnOn(facts) : cardRefusals.turnOff(facts))
    await setAutopayTx(db, method, on)
    await audit(db, actor, 'card.autopay', { type: 'customer', id: customerId }, { after: { on } })
    const kind = on ? 'on' : 'off'
    await tellHolderTx(db, method, { kind }, `autopay-${kind}:${method.id}:${clock.iso()}`, null)
    return getCustomerCard(db, actor, customerId)
  })

/** Turns autopay off because its holder wants it so; the card stays on file. Again is the same. @returns whether it was on */
export const stopByHolderTx = async (db: TenantDb, customerId: string, invoiceId: string | null): Promise<boolean> => {
  if (!(await findMethod(db, customerId))) return false
  // of two presses one tells of it
  const method = await lockMethodTx(db, customerId)
  // also where it stopped by itself before: a card that was declined is not charged again either
  await db
    .updateTable('paymentMethods')
    .set({ stoppedByHolderAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', method.id)
    .execute()
  if (!method.autopay) return false
  await setAutopayTx(db, method, false)
  await tellHolderTx(db, method, { kind: 'off' }, `autopay-off:${method.id}:${clock.iso()}`, invoiceId)
  return true
}

/**
 * Turns autopay on again because its holder agrees to the words of today, which take the place of those from before. Again is the same.
 * @returns whether it was off; `'no'` where this card cannot pay by itself now
 */
export const resumeByHolderTx = async (db: TenantDb, customerId: string, mandate: Mandate): Promise<boolean | 'no'> => {
  const method = await lockMethodTx(db, customerId)
  if (method.autopay) return false
  const facts = await factsOf(db, { ...method, stoppedByHolderAt: null }, await todayOf(db))
  if (cardRefusals.turnOn(facts) !== null) return 'no'
  await db
    .updateTable('paymentMethods')
    .set({
      stoppedByHolderAt: null,
      mandateText: mandate.text,
      mandateVersion: mandate.version,
      noticeDays: mandate.noticeDays,
      mandateAt: mandate.at,
      mandateIp: mandate.ip,
      mandatePage: mandate.page,
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', method.id)
    .execute()
  await setAutopayTx(db, method, true)
  await tellHolderTx(
    db,
    method,
    { kind: 'saved', mandate: mandate.text },
    `autopay-agreed:${method.id}:${mandate.at}`,
    null,
  )
  return true
}

/** The customer turns autopay off, on the page of an invoice. Again is the same. */
export const stopAutopay = (businessId: BusinessId, invoiceId: string): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const invoice = await db
      .selectFrom('invoices')
      .select('customerId')
      .where('businessId', '=', db.businessId)
      .where('id', '=', invoiceId)
      .executeTakeFirst()
    if (invoice) await stopByHolderTx(db, invoice.customerId, invoiceId)
  })
