import { z } from 'zod'
import { userIdOf, type Who } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { notFound } from '../../../shared/errors.ts'
import { linkTo } from '../../../shared/links.ts'
import { clip } from '../../../shared/wire-text.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import { recallAskingTx } from '../../messages/server/commands.ts'
import { notifyOffice, notifyUsers, settleNotice } from '../../notifications/server/commands.ts'
import type { TimelineItem } from '../contract.ts'
import { type LostReason, reminderAt, reminders, type Source, type Stage, stageLabel } from '../rules.ts'

/** Tells the office that a lead still waits; the work stands in tasks.ts. */
export const remindOfLead = taskName({
  name: 'leads.remind',
  payload: z.object({ leadId: z.uuid(), reminder: z.enum(reminders) }),
})

/** The rows of leads: held still, written with their version, their past and the word to open screens. */

export const lockLead = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('businessLeads')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('lead')
  return row
}
export type LeadRow = Awaited<ReturnType<typeof lockLead>>

export const setLead = async (db: TenantDb, row: LeadRow, values: Record<string, unknown>): Promise<void> => {
  await db
    .updateTable('businessLeads')
    .set({ ...values, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  Object.assign(row, values, { version: row.version + 1 })
  await publishChange(db, 'leads', [row.id])
}

type Happened = {
  kind: Exclude<TimelineItem['kind'], 'message'>
  words?: string
  data?: object
  userId?: string | null
}

export const tellPast = async (
  db: TenantDb,
  leadId: string,
  { kind, words = '', data = {}, userId = null }: Happened,
): Promise<void> => {
  await db
    .insertInto('businessLeadEvents')
    .values({
      businessId: db.businessId,
      id: newId(),
      leadId,
      kind,
      words: clip(words, 4000),
      data: JSON.stringify(data),
      userId,
      at: clock.iso(),
    })
    .execute()
}

/** What the office is told while a lead waits; another wait is another word. */
export const waitingNotice = (lead: { id: string; askedAt: string }): string =>
  `lead:${lead.id}:${Date.parse(lead.askedAt)}`

/** Why what would tell them that somebody will answer does not leave any more. */
const answeredWords = 'They were answered before it left'

/** What left for them by itself and still waits does not leave any more. */
export const recallLeadTx = (db: TenantDb, leadId: string): Promise<string[]> =>
  recallAskingTx(db, { type: 'lead', id: leadId }, answeredWords)

/** Somebody of the business answered: the timer ends, and nobody is reminded any more. */
export const repliedTx = async (db: TenantDb, row: LeadRow, at: string = clock.iso()): Promise<void> => {
  // "We will get back to you soon" says nothing to who was answered, won or lost meanwhile; who was answered long ago and called again waits for a call too.
  await recallLeadTx(db, row.id)
  if (row.repliedAt !== null) return
  await setLead(db, row, { repliedAt: at })
  for (const reminder of reminders) await settleNotice(db, `${waitingNotice(row)}:${reminder}`)
  await settleNotice(db, waitingNotice(row))
}

/** Somebody really wrote or talked to them; a card that is only moved on says nothing of that. */
export const answeredTx = async (db: TenantDb, row: LeadRow, at: string = clock.iso()): Promise<void> => {
  if (row.answeredAt === null) await setLead(db, row, { answeredAt: at })
  await repliedTx(db, row, at)
}

export const stageTx = async (
  db: TenantDb,
  row: LeadRow,
  to: { stage: Stage; by: 'facts' | 'person'; lost?: { reason: LostReason; note: string } | undefined; why: string },
  who: Who | null,
): Promise<void> => {
  // Nobody answers somebody who was won or lost, and who was called stands in Contacted: either way the timer is over.
  if (to.stage !== 'new') await repliedTx(db, row)
  const lost = to.stage === 'lost' ? (to.lost ?? { reason: 'other' as const, note: '' }) : null
  await setLead(db, row, {
    stage: to.stage,
    stageBy: to.by,
    stageAt: clock.iso(),
    lostReason: lost?.reason ?? null,
    lostNote: lost?.note ?? '',
  })
  await tellPast(db, row.id, {
    kind: 'stage',
    words: [stageLabel[to.stage], to.why].filter(Boolean).join(': '),
    data: { stage: to.stage, by: to.by },
    userId: who ? userIdOf(who) : null,
  })
}

const startTimer = async (db: TenantDb, leadId: string, from: string): Promise<void> => {
  const zone = await timeZoneOf(db)
  for (const reminder of reminders) {
    const runAt = reminderAt(from, reminder, zone)
    // What is past was told when it came; the lead stands under Needs you all the same.
    if (Date.parse(runAt) > clock.nowMs())
      await enqueue(db, remindOfLead, { leadId, reminder }, { key: `${leadId}:${reminder}`, runAt })
  }
}

/** Put back to New by hand: whom nobody has answered waits on, since they asked. */
export const waitOnTx = async (db: TenantDb, row: LeadRow): Promise<void> => {
  if (row.stage !== 'new' || row.answeredAt !== null || row.repliedAt === null) return
  await setLead(db, row, { repliedAt: null })
  await startTimer(db, row.id, row.askedAt)
}

/** Who was lost asks again: they wait for an answer as anybody new does. */
export const reopenTx = async (db: TenantDb, row: LeadRow): Promise<void> => {
  await stageTx(db, row, { stage: 'new', by: 'facts', why: 'They asked again' }, null)
  const now = clock.iso()
  await setLead(db, row, { repliedAt: null, answeredAt: null, askedAt: now })
  await startTimer(db, row.id, now)
}

export type LeadValues = {
  name: string
  email?: string | null | undefined
  phone?: string | null | undefined
  street?: string | undefined
  unit?: string | undefined
  city?: string | undefined
  state?: string | undefined
  zip?: string | undefined
  latitude?: number | null | undefined
  longitude?: number | null | undefined
  lawnSquareFeet?: number | null | undefined
  /** JSON of the line that a visitor drew around it. */
  drawnRing?: string | null | undefined
  wants?: string | undefined
  source: Source
  sourceDetail?: string | undefined
  referredBy?: string | null | undefined
  assigneeId?: string | null | undefined
  nextAction?: string | undefined
  nextActionOn?: string | null | undefined
  customerId?: string | null | undefined
  outOfArea?: boolean | undefined
  priceLowCents?: number | null | undefined
  priceHighCents?: number | null | undefined
  requestKey?: string | null | undefined
}

/** A new row with its timer. What came by itself is told to the office at once. */
export const insertLeadTx = async (
  db: TenantDb,
  values: LeadValues,
  options: { userId: string | null; words: string; tells: boolean; at?: string },
): Promise<string> => {
  const id = newId()
  const now = options.at ?? clock.iso()
  await db
    .insertInto('businessLeads')
    .values({
      ...values,
      businessId: db.businessId,
      id,
      stageAt: now,
      askedAt: now,
      createdBy: options.userId,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await tellPast(db, id, { kind: 'created', words: options.words, userId: options.userId })
  await startTimer(db, id, now)
  if (options.tells)
    await notifyOffice(db, {
      type: 'quote',
      title: `New lead: ${values.name}`,
      content: clip(values.wants ?? '', 200),
      path: linkTo.lead(id),
      dedupeKey: waitingNotice({ id, askedAt: now }),
    })
  await publishChange(db, 'leads', [id])
  return id
}

/** Whom a word about a lead goes to: who has it, else the whole office. */
export const tellAbout = async (
  db: TenantDb,
  lead: { id: string; assigneeId: string | null },
  notice: { title: string; content: string; dedupeKey: string },
): Promise<void> => {
  const whole = { type: 'quote' as const, path: linkTo.lead(lead.id), ...notice }
  if (lead.assigneeId) await notifyUsers(db, [lead.assigneeId], whole)
  else await notifyOffice(db, whole)
}
