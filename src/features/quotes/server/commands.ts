import type { z } from 'zod'
import type { Actor, Who } from '../../../platform/actor.ts'
import { userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { nextNumber } from '../../../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { registerLinks } from '../../../platform/links.ts'
import { refuse } from '../../../shared/can.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { sourceLabel } from '../../leads/rules.ts'
import { priceFor } from '../../services/rules.ts'
import { getServices } from '../../services/server/queries.ts'
import { type QuoteContent, QuoteLine, type QuoteRecord, type quotesApi } from '../contract.ts'
import { dayOfQuote } from '../days/server/queries.ts'
import {
  contentProblem,
  firstChoice,
  followUpDays,
  lostLabel,
  measureOfInputs,
  most,
  quoteName,
  quoteRefusals,
  quoteTitle,
  quoteTotals,
  sendProblem,
} from '../rules.ts'
import { getQuote, getTaxes, type SentContent } from './queries.ts'
import { type LockedQuote, lockQuoteTx, noteTx, setQuoteTx, tellCustomerTx } from './rows.ts'
import type { QuoteMailKind } from './texts.ts'

type Body<Name extends 'create' | 'update' | 'send' | 'resend' | 'decline'> = z.output<(typeof quotesApi)[Name]['body']>

const entity = (id: string) => ({ type: 'quote', id })
const usualDays = 30

/**
 * Content as it is kept: what the price book says for each line's inputs is worked out here, never taken from a browser, and a price that nobody typed
 * is that. @throws invalid, not_found for a service that is not there
 */
const readContentTx = async (
  db: TenantDb,
  propertyId: string,
  content: QuoteContent,
  before: QuoteContent | null = null,
): Promise<QuoteContent> => {
  const problem = contentProblem(content)
  if (problem) throw invalid([{ ...problem, path: `content.${problem.path}` }])
  if (content.photoIds.length > 0) {
    const known = await db
      .selectFrom('files')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', 'in', content.photoIds)
      .execute()
    if (known.length < new Set(content.photoIds).size) throw notFound('photo')
  }
  const services = new Map(
    (
      await getServices(
        db,
        content.lines.map(({ serviceId }) => serviceId),
      )
    ).map((service) => [service.id, service]),
  )
  const day = await dayOfQuote(db, propertyId, content, before?.day)
  return {
    ...content,
    day,
    lines: content.lines.map((line) => {
      const service = services.get(line.serviceId)
      const ruleCents =
        service && line.inputs && line.round === null
          ? priceFor(service.priceRule, {
              ...line.inputs,
              ...measureOfInputs(service, line.inputs),
              frequency: line.frequency,
            }).cents
          : null
      return { ...line, ruleCents, unitPriceCents: line.unitPriceCents ?? ruleCents }
    }),
  }
}

/** What a quote comes to before anybody chose. */
const sumsTx = async (db: TenantDb, propertyId: string, content: QuoteContent) => {
  const { totalCents, depositCents } = quoteTotals(content, firstChoice(content), await getTaxes(db, propertyId))
  return { totalCents, depositCents }
}

type NewQuote = Omit<Body<'create'>, 'validUntil'> & {
  /** One that a phone made. */
  id?: string
  validUntil?: Day | null | undefined
  isCrewDraft?: boolean
  sellerId?: string | null
}

/** The request of this customer that a quote is made of. */
const getLeadOf = async (db: TenantDb, id: string, customerId: string) => {
  const lead = await db
    .selectFrom('businessLeads')
    .select(['id', 'source'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('customerId', '=', customerId)
    .executeTakeFirst()
  if (!lead) throw notFound('lead')
  return lead
}

/** A draft for a property, in the caller's transaction. @throws not_found, validation_failed, state_conflict for an archived place */
export const createQuoteTx = async (db: TenantDb, who: Who, draft: NewQuote): Promise<string> => {
  const place = await db
    .selectFrom('properties as p')
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'p.businessId').onRef('c.id', '=', 'p.customerId'))
    .where('p.businessId', '=', db.businessId)
    .where('p.id', '=', draft.propertyId)
    .select(['p.customerId', 'p.archivedAt', 'c.archivedAt as customerArchivedAt', 'c.source'])
    .executeTakeFirst()
  if (!place) throw notFound('property')
  if (place.archivedAt || place.customerArchivedAt)
    throw conflict('This customer or property is archived. Restore it first. Nothing was made.')
  const lead = draft.leadId ? await getLeadOf(db, draft.leadId, place.customerId) : null
  const content = await readContentTx(db, draft.propertyId, draft.content)
  const now = clock.iso()
  const id = draft.id ?? newId()
  await db
    .insertInto('quotes')
    .values({
      businessId: db.businessId,
      id,
      number: await nextNumber(db, 'quote'),
      customerId: place.customerId,
      propertyId: draft.propertyId,
      status: 'draft',
      title: draft.title || quoteTitle(content.lines),
      content: JSON.stringify(content),
      note: draft.note,
      source: draft.source || (lead ? sourceLabel[lead.source] : (place.source ?? '')),
      leadId: lead?.id ?? null,
      validUntil: draft.validUntil === undefined ? addDays(await todayOf(db), usualDays) : draft.validUntil,
      sellerId: draft.sellerId === undefined ? userIdOf(who) : draft.sellerId,
      templateId: draft.templateId,
      isCrewDraft: draft.isCrewDraft ?? false,
      ...(await sumsTx(db, draft.propertyId, content)),
      createdBy: userIdOf(who),
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await noteTx(db, { id, revision: 1 }, 'created', { userId: userIdOf(who) })
  await audit(db, who, 'quote.create', entity(id))
  await publishChange(db, 'quotes', [id])
  return id
}

export const createQuote = (actor: Actor, draft: Body<'create'>): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => getQuote(db, actor, await createQuoteTx(db, actor, draft)))

export const updateQuote = (
  actor: Actor,
  id: string,
  { version, content: wished, ...change }: Body<'update'>,
): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    refuse(quoteRefusals.edit(quote))
    requireVersion(quote, version, quoteName(quote.number))
    const content = wished ? await readContentTx(db, quote.propertyId, wished, quote.content) : quote.content
    // a title that was made of the work goes on saying what the work is
    const isOwn = change.title !== undefined && change.title !== '' && change.title !== quoteTitle(quote.content.lines)
    const isMade = isNamedByWork(quote)
    const title = isOwn ? change.title : change.title !== undefined || isMade ? quoteTitle(content.lines) : undefined
    if (change.sellerId) {
      const seller = await db
        .selectFrom('users')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('id', '=', change.sellerId)
        .executeTakeFirst()
      if (!seller) throw notFound('person')
    }
    await setQuoteTx(db, quote, {
      ...(title === undefined ? {} : { title }),
      ...(change.note === undefined ? {} : { note: change.note }),
      ...(change.source === undefined ? {} : { source: change.source }),
      ...(change.validUntil === undefined ? {} : { validUntil: change.validUntil }),
      ...(change.sellerId === undefined ? {} : { sellerId: change.sellerId }),
      content: JSON.stringify(content),
      ...(await sumsTx(db, quote.propertyId, content)),
    })
    return getQuote(db, actor, id)
  })

/** Whether a quote is called by what its work is, and so goes on being. */
const isNamedByWork = (quote: Pick<LockedQuote, 'title' | 'content'>): boolean =>
  quote.title === '' || quote.title === quoteTitle(quote.content.lines)

/** One line more on a draft for a property, in the caller's transaction. @returns its number @throws not_found, state_conflict, validation_failed */
export const addQuoteLineTx = async (
  db: TenantDb,
  who: Who,
  id: string,
  propertyId: string,
  line: z.input<typeof QuoteLine>,
): Promise<number> => {
  const quote = await lockQuoteTx(db, id)
  if (quote.propertyId !== propertyId) throw notFound('quote')
  refuse(quoteRefusals.edit(quote))
  if (quote.content.lines.length >= most.lines)
    throw conflict(`A quote has at most ${most.lines} lines. Nothing was added.`)
  const lines = [...quote.content.lines, QuoteLine.parse(line)]
  const content = await readContentTx(db, propertyId, { ...quote.content, lines }, quote.content)
  await setQuoteTx(db, quote, {
    ...(isNamedByWork(quote) ? { title: quoteTitle(content.lines) } : {}),
    content: JSON.stringify(content),
    ...(await sumsTx(db, propertyId, content)),
  })
  await audit(db, who, 'quote.addLine', entity(id), { after: { name: line.name } })
  return quote.number
}

const reached = (count: number): void => {
  if (count === 0)
    throw conflict(
      'Nobody is reached that way: the customer has no address for it. Add an e-mail or a phone number, or choose the other way. Nothing was sent.',
    )
}

/**
 * Sends a locked draft: what is sent is kept for ever with the taxes of today, and its link leads to it.
 * @throws state_conflict where something is missing or nobody is reached that way
 */
export const sendQuoteTx = async (
  db: TenantDb,
  who: Who,
  quote: LockedQuote,
  ways: { mail: boolean; text: boolean },
  { kind = 'sent', follows = true, runAfter }: { kind?: QuoteMailKind; follows?: boolean; runAfter?: string } = {},
): Promise<void> => {
  refuse(quoteRefusals.send(quote))
  const content = await readContentTx(db, quote.propertyId, quote.content, quote.content)
  const problem = sendProblem(content)
  if (problem) throw conflict(`${problem} Nothing was sent.`)
  const today = await todayOf(db)
  if (quote.validUntil && quote.validUntil < today)
    throw conflict('The day until which it is good is past. Choose a later one, then send it. Nothing was sent.')
  const tax = await getTaxes(db, quote.propertyId)
  const now = clock.iso()
  const revisionId = newId()
  const sent: SentContent = { ...content, title: quote.title, validUntil: quote.validUntil, tax }
  await db
    .insertInto('quoteRevisions')
    .values({
      businessId: db.businessId,
      id: revisionId,
      quoteId: quote.id,
      revision: quote.revision,
      content: JSON.stringify(sent),
      sentAt: now,
      sentBy: userIdOf(who),
    })
    .execute()
  await registerLinks(db, 'quote', [revisionId])
  const { totalCents, depositCents } = quoteTotals(content, firstChoice(content), tax)
  await setQuoteTx(db, quote, {
    status: 'sent',
    content: JSON.stringify(content),
    totalCents,
    depositCents,
    choice: null,
    sentAt: now,
    viewedAt: null,
    answeredAt: null,
    lostReason: null,
    ...(quote.firstSentAt ? {} : { firstSentAt: now }),
    followStep: 0,
    followOn: follows ? addDays(today, followUpDays[0]) : null,
  })
  reached(await tellCustomerTx(db, { ...quote, totalCents }, kind, ways, 'sent', { runAfter }))
  await noteTx(db, quote, 'sent', { userId: userIdOf(who) })
  await emit(db, 'quote.sent', { quoteId: quote.id, customerId: quote.customerId, at: clock.iso() })
  await audit(db, who, 'quote.send', entity(quote.id), { after: { revision: quote.revision, totalCents } })
}

export const sendQuote = (actor: Actor, id: string, { version, ...ways }: Body<'send'>): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    refuse(quoteRefusals.send(quote))
    requireVersion(quote, version, quoteName(quote.number))
    await sendQuoteTx(db, actor, quote, ways)
    return getQuote(db, actor, id)
  })

export const resendQuote = (actor: Actor, id: string, ways: Body<'resend'>): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    refuse(quoteRefusals.resend(quote))
    reached(await tellCustomerTx(db, quote, 'again', ways, `again:${clock.iso()}`))
    await noteTx(db, quote, 'sent', { userId: actor.userId, words: 'Sent once more' })
    await setQuoteTx(db, quote, { sentAt: clock.iso() })
    await audit(db, actor, 'quote.resend', entity(id))
    return getQuote(db, actor, id)
  })

/** A new version to work on; what was sent stays as it is and says that a newer one is on its way. */
export const reviseQuote = (actor: Actor, id: string, version: number): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    refuse(quoteRefusals.revise(quote))
    requireVersion(quote, version, quoteName(quote.number))
    const today = await todayOf(db)
    const next = { ...quote, revision: quote.revision + 1 }
    await setQuoteTx(db, quote, {
      status: 'draft',
      revision: next.revision,
      followOn: null,
      lostReason: null,
      ...(quote.validUntil && quote.validUntil < today ? { validUntil: addDays(today, usualDays) } : {}),
    })
    await noteTx(db, next, 'revised', { userId: actor.userId })
    await audit(db, actor, 'quote.revise', entity(id), { after: { revision: next.revision } })
    return getQuote(db, actor, id)
  })

export const declineQuote = (
  actor: Actor,
  id: string,
  { reason, note, version }: Body<'decline'>,
): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    refuse(quoteRefusals.decline(quote))
    requireVersion(quote, version, quoteName(quote.number))
    await setQuoteTx(db, quote, {
      status: 'declined',
      lostReason: reason,
      answeredAt: clock.iso(),
      followOn: null,
    })
    await noteTx(db, quote, 'declined', {
      userId: actor.userId,
      words: [lostLabel[reason], note].filter(Boolean).join(': '),
    })
    await emit(db, 'quote.declined', { quoteId: quote.id, customerId: quote.customerId, at: clock.iso() })
    await audit(db, actor, 'quote.decline', entity(id), { after: { reason } })
    return getQuote(db, actor, id)
  })

export const archiveQuote = (actor: Actor, id: string, version: number): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    refuse(quoteRefusals.archive(quote))
    requireVersion(quote, version, quoteName(quote.number))
    await setQuoteTx(db, quote, { status: 'archived', followOn: null })
    await noteTx(db, quote, 'archived', { userId: actor.userId })
    await audit(db, actor, 'quote.archive', entity(id), { before: { status: quote.status } })
    return getQuote(db, actor, id)
  })

/** The same as a new draft; its prices are those of the old one until somebody looks. */
export const copyQuote = (actor: Actor, id: string, propertyId: string | null): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    const copied = await createQuoteTx(db, actor, {
      propertyId: propertyId ?? quote.propertyId,
      title: quote.title,
      // another day or place fits another route
      content: { ...quote.content, day: null },
      note: quote.note,
      source: quote.source,
      templateId: quote.templateId,
    })
    return getQuote(db, actor, copied)
  })
