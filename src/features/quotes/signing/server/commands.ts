import { createHash } from 'node:crypto'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { emit } from '../../../../platform/events/events.ts'
import type { Once } from '../../../../platform/http/idempotency.ts'
import { newId } from '../../../../platform/ids.ts'
import { readObject, storeObject } from '../../../../platform/storage.ts'
import { addressLines } from '../../../../shared/address-lines.ts'
import { refuse } from '../../../../shared/can.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { billToOfCustomer } from '../../../invoices/papers/server/queries.ts'
import { drawFor, getSender } from '../../../invoices/server/commands.ts'
import { dayIn } from '../../../invoices/words/rules.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import type { QuoteRecord } from '../../contract.ts'
import { isRenewal } from '../../renewals/server/rows.ts'
import { type Choice, firstChoice, isWaiting, quoteName, quoteRefusals, tidyChoice } from '../../rules.ts'
import { findRevision, getQuote, type SentContent } from '../../server/queries.ts'
import { lockQuoteTx, noteTx, setQuoteTx } from '../../server/rows.ts'
import { findQuotePage } from '../../viewer/server/queries.ts'
import { viewerTexts } from '../../viewer/server/texts.ts'
import { agreeWords, hasOptions, renewedWords } from '../rules.ts'
import { quotePaper, type SignatureFacts, totalsOf } from './paper.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

type Signer = {
  way: 'typed' | 'drawn' | 'office' | 'notice'
  signer: string
  strokes: number[][]
  ip: string
  userAgent: string
  note: string
  by: { userId: string; name: string } | null
}

/** What the paper of a version says, read in one go. */
const readFacts = async (db: TenantDb, revisionId: string) => {
  const row = await db
    .selectFrom('quoteRevisions as r')
    .innerJoin('quotes as q', (x) => x.onRef('q.businessId', '=', 'r.businessId').onRef('q.id', '=', 'r.quoteId'))
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'q.businessId').onRef('c.id', '=', 'q.customerId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'q.businessId').onRef('p.id', '=', 'q.propertyId'),
    )
    .where('r.businessId', '=', db.businessId)
    .where('r.id', '=', revisionId)
    .select(['q.id', 'q.number', 'q.customerId', 'r.revision', 'r.content', 'r.sentAt', 'c.language'])
    .select(['p.street', 'p.city', 'p.state', 'p.zip'])
    .executeTakeFirst()
  if (!row) throw notFound('quote')
  return {
    ...row,
    content: row.content as unknown as SentContent,
    language: row.language === 'es' ? ('es' as const) : ('en' as const),
    place: addressLines(row).join(', '),
    to: (await billToOfCustomer(db, row.customerId)).to,
    sender: await getSender(db),
    zone: await timeZoneOf(db),
  }
}

/** The instant as it stands on the paper, in the zone of the business. */
const stampOf = (at: string, zone: string, language: 'en' | 'es'): string =>
  new Intl.DateTimeFormat(language === 'es' ? 'es-US' : 'en-US', {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: zone,
  }).format(new Date(at))

const drawSigned = async (
  businessId: BusinessId,
  facts: Awaited<ReturnType<typeof readFacts>>,
  choice: Choice,
  signer: Signer,
) => {
  const at = clock.iso()
  const agreed = agreeWords[facts.language](facts.sender.name, hasOptions(facts.content))
  const contentHash = hashOf(JSON.stringify({ content: facts.content, choice }))
  const termsHash = hashOf(`${agreed}\n${facts.content.terms}`)
  const signature: SignatureFacts = {
    way: signer.way,
    signer: signer.signer,
    strokes: signer.strokes,
    at: stampOf(at, facts.zone, facts.language),
    ip: signer.ip,
    contentHash,
    termsHash,
    agreed,
    byName: signer.by?.name ?? '',
    note: signer.note,
  }
  const paper = quotePaper({ ...facts, sentOn: dayOf(facts.sentAt, facts.zone), choice, signature })
  const { pdf } = await drawFor(businessId, facts.sender, paper)
  // under the hash of its bytes: what is handed out later is what was drawn now
  const stored = await storeObject(businessId, pdf)
  return { at, contentHash, termsHash, stored }
}

/** Keeps a signature on a locked quote, and tells whoever waits for it. */
const keepTx = async (
  db: TenantDb,
  quote: Awaited<ReturnType<typeof lockQuoteTx>>,
  facts: Awaited<ReturnType<typeof readFacts>>,
  choice: Choice,
  signer: Signer,
  drawn: Awaited<ReturnType<typeof drawSigned>>,
): Promise<void> => {
  const { totalCents, depositCents } = totalsOf(facts.content, choice)
  await db
    .insertInto('quoteSignatures')
    .values({
      businessId: db.businessId,
      id: newId(),
      quoteId: quote.id,
      revision: facts.revision,
      way: signer.way,
      signer: signer.signer,
      strokes: JSON.stringify(signer.strokes),
      choice: JSON.stringify(choice),
      totalCents,
      depositCents,
      termsHash: drawn.termsHash,
      contentHash: drawn.contentHash,
      ip: signer.ip,
      userAgent: signer.userAgent.slice(0, 400),
      note: signer.note,
      userId: signer.by?.userId ?? null,
      signedAt: drawn.at,
      storageKey: drawn.stored.storageKey,
      pdfHash: drawn.stored.sha256,
      byteCount: drawn.stored.byteCount,
    })
    .execute()
  await setQuoteTx(db, quote, {
    status: 'approved',
    choice: JSON.stringify(choice),
    totalCents,
    depositCents,
    approvedAt: drawn.at,
    answeredAt: drawn.at,
    followOn: null,
  })
  await noteTx(db, quote, 'approved', { words: signer.signer, userId: signer.by?.userId ?? null })
  await emit(db, 'quote.approved', { quoteId: quote.id, customerId: quote.customerId, at: clock.iso() })
  const renews = await isRenewal(db, quote.id)
  if (signer.way === 'typed' || signer.way === 'drawn')
    await notifyOffice(db, {
      type: 'quote',
      title: `${(await getContact(db, quote.customerId)).name} signed ${quoteName(quote.number)}`,
      content: `${formatCents(totalCents)}${depositCents > 0 ? `, ${formatCents(depositCents)} of it ${choice.prepay ? 'paid ahead' : 'as a deposit'}` : ''}. ${renews ? 'The next season is booked by itself.' : 'Make it a job to put it on the calendar.'}`,
      customerId: quote.customerId,
      path: linkTo.quote(quote.id),
      dedupeKey: `quote-signed:${quote.id}`,
    })
}

/**
 * The customer signs what they see. The paper is drawn before anything is written; then the quote is locked and looked at again: of two people who
 * sign at once the second is told that it was done, and nobody signs a price that the page did not show.
 * @throws state_conflict with what stands now
 */
export const signQuote = async (
  businessId: BusinessId,
  revisionId: string,
  asked: {
    choice: Choice
    /** What the page said that it comes to. */
    expectedCents: number
    way: 'typed' | 'drawn'
    signer: string
    strokes: number[][]
    ip: string
    userAgent: string
  },
): Promise<void> => {
  const { facts, page } = await withTenant({ businessId }, async (db) => ({
    facts: await readFacts(db, revisionId),
    page: await findQuotePage(db, revisionId),
  }))
  const t = viewerTexts[facts.language]
  const refuseUnlessOpen = (now: typeof page): void => {
    if (now?.state === 'open') return
    const first = now?.state === 'approved' ? now.signature?.signer : undefined
    throw conflict(first ? t.signedAlready(first) : t.notOpen)
  }
  refuseUnlessOpen(page)
  const choice = tidyChoice(facts.content, asked.choice)
  if (totalsOf(facts.content, choice).totalCents !== asked.expectedCents) throw conflict(t.otherTotal)
  const signer: Signer = { ...asked, note: '', by: null }
  const drawn = await drawSigned(businessId, facts, choice, signer)
  await withTenant({ businessId }, async (db) => {
    const quote = await lockQuoteTx(db, facts.id)
    refuseUnlessOpen(await findQuotePage(db, revisionId))
    await keepTx(db, quote, facts, choice, signer, drawn)
  })
}

/** The office notes that the customer agreed some other way. */
export const approveQuote = async (
  actor: Actor,
  id: string,
  { signer, note, choice: wished, version }: { signer: string; note: string; choice: Choice; version: number },
  once: Once,
): Promise<QuoteRecord> => {
  const { facts, revisionId } = await withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    refuse(quoteRefusals.approve(quote))
    requireVersion(quote, version, quoteName(quote.number))
    const { id: revisionId } = await db
      .selectFrom('quoteRevisions')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('quoteId', '=', id)
      .where('revision', '=', quote.revision)
      .executeTakeFirstOrThrow()
    return { facts: await readFacts(db, revisionId), revisionId }
  })
  const choice = tidyChoice(facts.content, wished)
  const by: Signer = {
    way: 'office',
    signer,
    strokes: [],
    ip: '',
    userAgent: '',
    note,
    by: { userId: actor.userId, name: actor.name },
  }
  const drawn = await drawSigned(actor.businessId, { ...facts }, choice, by)
  return once(() =>
    withTenant(actor, async (db) => {
      const quote = await lockQuoteTx(db, id)
      refuse(quoteRefusals.approve(quote))
      if (quote.revision !== facts.revision)
        throw conflict('Somebody made a new version meanwhile. Nothing was changed.')
      await keepTx(db, quote, facts, choice, by, drawn)
      await audit(db, actor, 'quote.approve', { type: 'quote', id }, { after: { signer, note, revisionId } })
      return getQuote(db, actor, id)
    }),
  )
}

/**
 * Nobody said no to a renewal that goes on by itself: it holds with what was ticked beforehand, and the paper says why.
 * @returns whether it does; an answer that came meanwhile counts instead
 */
export const approveByNotice = async (businessId: BusinessId, quoteId: string): Promise<boolean> => {
  const found = await withTenant({ businessId }, async (db) => {
    const sent = await findRevision(db, quoteId)
    return sent ? { facts: await readFacts(db, sent.id), sentOn: sent.sentAt } : null
  })
  if (!found) return false
  const { facts, sentOn } = found
  const choice = firstChoice(facts.content)
  const by: Signer = {
    way: 'notice',
    signer: facts.sender.name.slice(0, 120),
    strokes: [],
    ip: '',
    userAgent: '',
    note: renewedWords[facts.language](
      dayIn(facts.language, dayOf(sentOn, facts.zone), { year: true }),
      dayIn(facts.language, facts.content.validUntil ?? dayOf(sentOn, facts.zone), { year: true }),
    ),
    by: null,
  }
  const drawn = await drawSigned(businessId, facts, choice, by)
  return withTenant({ businessId }, async (db) => {
    const quote = await lockQuoteTx(db, quoteId)
    if (!isWaiting(quote.status) || quote.revision !== facts.revision) return false
    await keepTx(db, quote, facts, choice, by, drawn)
    return true
  })
}

/** A quote on paper: the very bytes that were signed, else as it was sent or stands. @throws not_found */
export const printQuote = async (
  businessId: BusinessId,
  quoteId: string,
): Promise<{ name: string; pdf: Buffer; signed: boolean }> => {
  const found = await withTenant({ businessId }, async (db) => {
    const quote = await db
      .selectFrom('quotes')
      .select(['number', 'customerId', 'propertyId', 'title', 'content', 'validUntil', 'status', 'revision'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', quoteId)
      .executeTakeFirst()
    if (!quote) throw notFound('quote')
    const signature = await db
      .selectFrom('quoteSignatures')
      .select('storageKey')
      .where('businessId', '=', db.businessId)
      .where('quoteId', '=', quoteId)
      .executeTakeFirst()
    const revision = await db
      .selectFrom('quoteRevisions')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('quoteId', '=', quoteId)
      .orderBy('revision', 'desc')
      .limit(1)
      .executeTakeFirst()
    return {
      name: quoteName(quote.number),
      key: signature?.storageKey ?? null,
      facts: signature || !revision ? null : await readFacts(db, revision.id),
    }
  })
  if (found.key) {
    const pdf = await readObject(found.key)
    if (!pdf) throw notFound('signed quote')
    return { name: found.name, pdf, signed: true }
  }
  if (!found.facts) throw conflict('This quote was not sent yet. Send it, then print it.')
  const { facts } = found
  const paper = quotePaper({
    ...facts,
    sentOn: dayOf(facts.sentAt, facts.zone),
    choice: firstChoice(facts.content),
    signature: null,
  })
  const { pdf } = await drawFor(businessId, facts.sender, paper)
  return { name: found.name, pdf, signed: false }
}
