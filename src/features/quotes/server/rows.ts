import type { Selectable } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Quotes } from '../../../platform/db/types.generated.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { getSender } from '../../invoices/server/commands.ts'
import { queueMessage, stopMessagesTx } from '../../messages/server/commands.ts'
import { stopLine } from '../../messages/server/queries.ts'
import type { QuoteContent } from '../contract.ts'
import { type QuoteStatus, quoteName } from '../rules.ts'
import { findRevision, getQuoteReach } from './queries.ts'
import { type QuoteMailKind, quoteMail, quoteText } from './texts.ts'

/** How the rows of quotes are locked, written and told of. */

export type LockedQuote = Omit<Selectable<Quotes>, 'content' | 'status'> & {
  content: QuoteContent
  status: QuoteStatus
}

/** @throws not_found */
export const lockQuoteTx = async (db: TenantDb, id: string): Promise<LockedQuote> => {
  const row = await db
    .selectFrom('quotes')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('quote')
  return row as unknown as LockedQuote
}

type Change = Partial<
  Pick<
    Selectable<Quotes>,
    | 'status'
    | 'revision'
    | 'title'
    | 'note'
    | 'source'
    | 'sellerId'
    | 'totalCents'
    | 'depositCents'
    | 'validUntil'
    | 'lostReason'
    | 'firstSentAt'
    | 'sentAt'
    | 'viewedAt'
    | 'answeredAt'
    | 'approvedAt'
    | 'convertedAt'
    | 'jobId'
    | 'followStep'
    | 'followOn'
  >
> & { content?: string; choice?: string | null }

/** Why what still waits to leave about a quote is not true any more. */
const stopReason: Partial<Record<QuoteStatus, string>> = {
  sent: 'A newer version of the quote was sent',
  changes_requested: 'The customer asked for changes of the quote',
  approved: 'The quote was signed',
  declined: 'The quote was declined',
  expired: 'The quote has expired',
  converted: 'The quote is a job now',
  archived: 'The quote was archived',
}

/**
 * Writes a change of a locked quote and tells open screens. What was written about it before and has not left, held in quiet hours, stays: call it before
 * the messages of the new state are queued.
 */
export const setQuoteTx = async (
  db: TenantDb,
  quote: Pick<LockedQuote, 'id' | 'version' | 'customerId'>,
  change: Change,
): Promise<void> => {
  await db
    .updateTable('quotes')
    .set({ ...change, version: quote.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', quote.id)
    .execute()
  const reason = change.status && stopReason[change.status]
  if (reason) await stopMessagesTx(db, { type: 'quote', id: quote.id }, reason)
  await publishChange(db, 'quotes', [quote.id])
}

type EventKind =
  | 'created'
  | 'sent'
  | 'viewed'
  | 'revised'
  | 'changes_requested'
  | 'approved'
  | 'declined'
  | 'expired'
  | 'converted'
  | 'archived'
  | 'follow_up'
  | 'deposit_paid'
  | 'deposit_kept'

/** Keeps what happened to a quote. */
export const noteTx = async (
  db: TenantDb,
  quote: Pick<LockedQuote, 'id' | 'revision'>,
  kind: EventKind,
  { words = '', userId = null }: { words?: string; userId?: string | null } = {},
): Promise<void> => {
  await db
    .insertInto('quoteEvents')
    .values({
      businessId: db.businessId,
      id: newId(),
      quoteId: quote.id,
      kind,
      revision: quote.revision,
      words: words.slice(0, 2000),
      userId,
      at: clock.iso(),
    })
    .execute()
}

/**
 * Writes to everybody of a customer who gets quotes, by the ways that are wished for.
 * @returns to how many addresses and numbers it goes
 */
export const tellCustomerTx = async (
  db: TenantDb,
  quote: Pick<LockedQuote, 'id' | 'number' | 'customerId' | 'propertyId' | 'totalCents'>,
  kind: QuoteMailKind,
  ways: { mail: boolean; text: boolean },
  key: string,
  {
    runAfter,
    asks = false,
  }: {
    /** Does not leave before this instant. */ runAfter?:
      | string
      | undefined /** It asks for an answer: one that comes first recalls it. */
    asks?: boolean
  } = {},
): Promise<number> => {
  const sent = await findRevision(db, quote.id)
  if (!sent) return 0
  const reach = await getQuoteReach(db, quote.customerId)
  const sender = await getSender(db)
  const { street } = await db
    .selectFrom('properties')
    .select('street')
    .where('businessId', '=', db.businessId)
    .where('id', '=', quote.propertyId)
    .executeTakeFirstOrThrow()
  const common = {
    purpose: 'transactional' as const,
    customerId: quote.customerId,
    entity: { type: 'quote', id: quote.id },
    asks,
    ...(runAfter ? { runAfter } : {}),
  }
  let count = 0
  for (const one of reach.people) {
    const facts = {
      name: quoteName(quote.number),
      customer: one.name,
      street,
      totalCents: quote.totalCents,
      validUntil: sent.content.validUntil,
      message: sent.content.message,
      url: absoluteUrl(paths.quote(await linkToken(db, 'quote', sent.id))),
    }
    const own = `quote:${sent.id}:${key}:${one.contactId ?? 'own'}`
    if (ways.mail && one.email) {
      const mail = quoteMail(kind, facts, sender, reach.language)
      await queueMessage(db, { channel: 'email', ...common, address: one.email, dedupeKey: own, ...mail })
      count += 1
    }
    if (ways.text && one.phone) {
      const stop = await stopLine(db, { customerId: quote.customerId, address: one.phone, language: reach.language })
      const text = `${quoteText(kind, facts, sender.name, reach.language)}${stop}`
      await queueMessage(db, { channel: 'sms', ...common, address: one.phone, dedupeKey: `${own}:text`, text })
      count += 1
    }
  }
  return count
}
