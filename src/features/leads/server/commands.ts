import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { refuse } from '../../../shared/can.ts'
import { formatDay } from '../../../shared/dates.ts'
import { AppError, invalid } from '../../../shared/errors.ts'
import { clip } from '../../../shared/wire-text.ts'
import { queueMailTx, queueTextTx } from '../../messages/server/commands.ts'
import type { businessLeadsApi, LeadChanges, LeadRecord, NewLead } from '../contract.ts'
import {
  belongsTo,
  callAnswers,
  callOutcomeLabel,
  type Fact,
  type FactScope,
  factLabel,
  type LostReason,
  leadRefusals,
  lostReasonLabel,
  type Stage,
  stageAfterFact,
} from '../rules.ts'
import { findLeadDuplicates, getLead } from './queries.ts'
import {
  answeredTx,
  insertLeadTx,
  type LeadRow,
  lockLead,
  setLead,
  stageTx,
  tellAbout,
  tellPast,
  waitOnTx,
} from './rows.ts'

const checkPeople = async (
  db: TenantDb,
  { assigneeId, referredById }: { assigneeId?: string | null | undefined; referredById?: string | null | undefined },
): Promise<void> => {
  if (assigneeId) {
    const person = await db
      .selectFrom('users')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', '=', assigneeId)
      .where('role', 'in', ['Owner', 'Admin'])
      .executeTakeFirst()
    if (!person)
      throw invalid([{ path: 'assigneeId', message: 'Nobody of the office is that any more. Choose somebody else.' }])
  }
  if (referredById) {
    const customer = await db
      .selectFrom('customers')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', '=', referredById)
      .executeTakeFirst()
    if (!customer)
      throw invalid([{ path: 'referredById', message: 'That customer is not there any more. Choose another one.' }])
  }
}

const refuseDuplicates = async (db: TenantDb, input: NewLead): Promise<void> => {
  const { email = null, phone = null, street = '', unit = '', city = '', zip = '' } = input
  const found = await findLeadDuplicates(db, { email, phone, street, unit, city, zip })
  const names = [...found.leads, ...found.customers].map(({ name }) => name)
  if (names.length === 0) return
  throw new AppError(
    'conflict',
    names.length === 1
      ? `${names[0]} is here already. Nothing was saved yet: open that one, or add this lead anyway.`
      : `${names.length} people here look like this one. Nothing was saved yet: open one of them, or add this lead anyway.`,
    { details: { duplicates: found } },
  )
}

/** Adds a lead by hand. @throws AppError conflict with `duplicates`, validation_failed */
export const createLead = (actor: Actor, input: NewLead): Promise<LeadRecord> =>
  withTenant(actor, async (db) => {
    const { allowDuplicate, referredById, ...values } = input
    await checkPeople(db, input)
    if (!allowDuplicate) await refuseDuplicates(db, input)
    const id = await insertLeadTx(
      db,
      { ...values, referredBy: referredById ?? null },
      { userId: actor.userId, words: input.wants ?? '', tells: false },
    )
    await audit(db, actor, 'lead.create', { type: 'lead', id })
    return getLead(db, actor, id)
  })

const changed = async (
  actor: Actor,
  id: string,
  version: number | undefined,
  work: (db: TenantDb, row: LeadRow) => Promise<void>,
): Promise<LeadRecord> =>
  withTenant(actor, async (db) => {
    const row = await lockLead(db, id)
    requireVersion(row, version, 'this lead')
    await work(db, row)
    return getLead(db, actor, id)
  })

const assignTx = async (db: TenantDb, actor: Actor, row: LeadRow, assigneeId: string | null): Promise<void> => {
  if (row.assigneeId === assigneeId) return
  await setLead(db, row, { assigneeId })
  const person = assigneeId
    ? await db
        .selectFrom('users')
        .select('name')
        .where('businessId', '=', db.businessId)
        .where('id', '=', assigneeId)
        .executeTakeFirst()
    : null
  await tellPast(db, row.id, { kind: 'assigned', words: person?.name ?? '', userId: actor.userId })
  if (assigneeId && assigneeId !== actor.userId)
    await tellAbout(db, row, {
      title: `${row.name} is your lead now`,
      content: clip(row.wants, 200),
      dedupeKey: `lead:${row.id}:assigned:${row.version}`,
    })
}

const nextTx = async (
  db: TenantDb,
  actor: Actor,
  row: LeadRow,
  next: { nextAction: string; nextActionOn: string | null },
): Promise<void> => {
  if (row.nextAction === next.nextAction && row.nextActionOn === next.nextActionOn) return
  await setLead(db, row, next)
  await tellPast(db, row.id, {
    kind: 'next',
    words: next.nextActionOn ? `${next.nextAction || 'Follow up'}, ${formatDay(next.nextActionOn)}` : next.nextAction,
    userId: actor.userId,
  })
}

export const updateLead = (actor: Actor, id: string, { version, ...input }: LeadChanges): Promise<LeadRecord> =>
  changed(actor, id, version, async (db, row) => {
    await checkPeople(db, input)
    const { assigneeId, nextAction, nextActionOn, referredById, ...rest } = input
    const values: Record<string, unknown> = {
      ...rest,
      ...(referredById === undefined ? {} : { referredBy: referredById }),
    }
    // Another address is another place.
    if (
      ['street', 'city', 'state', 'zip'].some(
        (key) => key in rest && rest[key as keyof typeof rest] !== row[key as keyof typeof row],
      )
    )
      Object.assign(values, { latitude: null, longitude: null })
    const kept = Object.entries(values).filter(([key, value]) => row[key as keyof LeadRow] !== value)
    if (kept.length > 0) {
      await setLead(db, row, Object.fromEntries(kept))
      await tellPast(db, id, { kind: 'changed', data: { fields: kept.map(([key]) => key) }, userId: actor.userId })
    }
    if (assigneeId !== undefined) await assignTx(db, actor, row, assigneeId)
    if (nextAction !== undefined || nextActionOn !== undefined)
      await nextTx(db, actor, row, {
        nextAction: nextAction ?? row.nextAction,
        nextActionOn: nextActionOn === undefined ? row.nextActionOn : nextActionOn,
      })
    await audit(db, actor, 'lead.update', { type: 'lead', id }, { after: input })
  })

const wordsOfLost = (lost: { reason: LostReason; note: string } | undefined): string =>
  lost ? [lostReasonLabel[lost.reason], lost.note].filter(Boolean).join('. ') : ''

const moveTx = async (
  db: TenantDb,
  actor: Actor,
  row: LeadRow,
  { stage, lost }: { stage: Stage; lost?: { reason: LostReason; note: string } | undefined },
): Promise<void> => {
  if (stage === 'lost' && !lost)
    throw invalid([{ path: 'lost.reason', message: 'Say why it was lost, so that you can see it later.' }])
  if (row.stage === stage && stage !== 'lost') return
  await stageTx(db, row, { stage, by: 'person', lost, why: wordsOfLost(stage === 'lost' ? lost : undefined) }, actor)
  await waitOnTx(db, row)
  await audit(db, actor, 'lead.stage', { type: 'lead', id: row.id }, { after: { stage, lost } })
}

export const moveLead = (
  actor: Actor,
  id: string,
  { version, ...to }: { version: number; stage: Stage; lost?: { reason: LostReason; note: string } | undefined },
): Promise<LeadRecord> => changed(actor, id, version, (db, row) => moveTx(db, actor, row, to))

/** A note, or a call that was made. A call that reached them is an answer. */
export const noteLead = (
  actor: Actor,
  id: string,
  { words, call }: { words: string; call: 'talked' | 'voicemail' | 'no_answer' | null },
): Promise<LeadRecord> =>
  changed(actor, id, undefined, async (db, row) => {
    await tellPast(db, id, {
      kind: call ? 'call' : 'note',
      words: [call ? callOutcomeLabel[call] : '', words].filter(Boolean).join('. '),
      data: { call },
      userId: actor.userId,
    })
    await setLead(db, row, {})
    if (call && callAnswers(call)) await factTx(db, row, 'replied', clock.iso())
  })

export const textLead = (actor: Actor, id: string, text: string): Promise<LeadRecord> =>
  changed(actor, id, undefined, async (db, row) => {
    refuse(leadRefusals.text(row))
    const { name, phone, customerId } = row
    await queueTextTx(db, actor, { name, address: phone ?? '', text, customerId, entity: { type: 'lead', id } })
    // The office did its part; the stage follows when it has left, which quiet hours may hold up.
    await answeredTx(db, row)
    await audit(db, actor, 'message.text', { type: 'lead', id })
  })

export const mailLead = (actor: Actor, id: string, mail: { subject: string; text: string }): Promise<LeadRecord> =>
  changed(actor, id, undefined, async (db, row) => {
    refuse(leadRefusals.mail(row))
    await queueMailTx(db, actor, {
      address: row.email ?? '',
      ...mail,
      customerId: row.customerId,
      entity: { type: 'lead', id },
    })
    await answeredTx(db, row)
    await audit(db, actor, 'message.mail', { type: 'lead', id })
  })

/** Something happened to a lead: it moves forward, unless a person said otherwise since. */
export const factTx = async (db: TenantDb, row: LeadRow, fact: Fact, at: string): Promise<void> => {
  if (fact === 'replied') await answeredTx(db, row, at)
  const stage = stageAfterFact(row, fact, at)
  if (!stage) return
  await stageTx(
    db,
    row,
    {
      stage,
      by: 'facts',
      why: factLabel[fact],
      ...(stage === 'lost' ? { lost: { reason: 'declined' as const, note: '' } } : {}),
    },
    null,
  )
}

/** So many leads of one customer are looked at; the newest. */
const mostOfCustomer = 20

/** Leads of a customer move with what happens to the quote or the work that they belong to; an answer is for all who wait. */
export const customerFactTx = async (
  db: TenantDb,
  customerId: string,
  fact: Fact,
  at: string,
  scope: FactScope | null = null,
): Promise<void> => {
  const found = await db
    .selectFrom('businessLeads')
    .select(['id', 'createdAt', 'propertyId', 'convertedAt', 'stage', 'repliedAt'])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('stage', '!=', 'won')
    .orderBy('id', 'desc')
    .limit(mostOfCustomer)
    .execute()
  for (const lead of found)
    if (scope === null || belongsTo(lead, scope)) {
      const row = await lockLead(db, lead.id)
      if (fact === 'quoteDeclined' && (await hasOpenQuote(db, customerId, row))) continue
      await factTx(db, row, fact, at)
    }
}

/** Whether another quote of a lead still waits for its answer: then one no is not the last word. */
const hasOpenQuote = async (db: TenantDb, customerId: string, lead: LeadRow): Promise<boolean> => {
  const open = await db
    .selectFrom('quotes')
    .select(['leadId', 'createdAt', 'propertyId'])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('status', 'in', ['sent', 'viewed', 'changes_requested'])
    .orderBy('number', 'desc')
    .limit(mostOfCustomer)
    .execute()
  return open.some(({ leadId, createdAt, propertyId }) =>
    belongsTo(lead, { leadId, since: createdAt, propertyId, isByHand: false }),
  )
}

/** What happened to a quote moves the lead that it was made of, or who asked before it was made. */
export const quoteFactTx = async (
  db: TenantDb,
  { quoteId, customerId, at }: { quoteId: string; customerId: string; at: string },
  fact: Fact,
): Promise<void> => {
  const quote = await db
    .selectFrom('quotes')
    .select(['leadId', 'createdAt', 'propertyId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', quoteId)
    .executeTakeFirst()
  if (quote)
    await customerFactTx(db, customerId, fact, at, {
      leadId: quote.leadId,
      since: quote.createdAt,
      propertyId: quote.propertyId,
      isByHand: false,
    })
}

export const changeLeads = (
  actor: Actor,
  ids: readonly string[],
  action: Parameters<typeof bulkOf>[3],
): Promise<{ changed: number }> =>
  withTenant(actor, async (db) => {
    if (action.kind === 'assign') await checkPeople(db, action)
    let count = 0
    // In one order, so that two people who choose the same leads wait for each other.
    for (const id of [...new Set(ids)].sort()) {
      const row = await lockLead(db, id).catch((error: unknown) => {
        if (error instanceof AppError && error.status === 404) return null
        throw error
      })
      if (!row) continue
      const before = row.version
      await bulkOf(db, actor, row, action)
      if (row.version !== before) count++
    }
    return { changed: count }
  })

const bulkOf = async (
  db: TenantDb,
  actor: Actor,
  row: LeadRow,
  action: (typeof businessLeadsApi.bulk.body)['_zod']['output']['action'],
): Promise<void> => {
  if (action.kind === 'assign') return assignTx(db, actor, row, action.assigneeId)
  if (action.kind === 'next') return nextTx(db, actor, row, action)
  return moveTx(db, actor, row, action)
}
