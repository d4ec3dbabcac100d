import { clock } from '../../../../platform/clock.ts'
import { type ProspectsDb, withProspects } from '../../../../platform/db/prospects.ts'
import { newId } from '../../../../platform/ids.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { monthNames } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { paths } from '../../../../shared/paths.ts'
import { queueProspectMessage } from '../../outbox/server/commands.ts'
import { auditProspects } from '../../server/audit.ts'
import type { LeadSprint } from '../contract.ts'
import { mayDecide, nextStatus, type SprintStep, stepDue, stepNames } from '../rules.ts'
import { tickSteps, untickStep } from './call-steps.ts'
import { getLeadSprint, getPlaces, type SprintRow, sprintFacts, statusUrl } from './queries.ts'

/** The Sprint of a lead, locked; made when the lead has none yet. @throws not_found */
const lockSprint = async (db: ProspectsDb, leadId: string): Promise<SprintRow> => {
  const lead = await db.selectFrom('leads').select('id').where('id', '=', leadId).executeTakeFirst()
  if (!lead) throw notFound('lead')
  await openSprint(db, leadId)
  return db.selectFrom('sprints').selectAll().where('leadId', '=', leadId).forUpdate().executeTakeFirstOrThrow()
}

/** An application has come in: the lead waits for an answer. The second time changes nothing. */
export const openSprint = async (db: ProspectsDb, leadId: string): Promise<void> => {
  const now = clock.iso()
  await db
    .insertInto('sprints')
    .values({ id: newId(), leadId, createdAt: now, updatedAt: now })
    .onConflict((c) => c.column('leadId').doNothing())
    .execute()
}

const mailDecision = async (db: ProspectsDb, row: SprintRow, decision: 'admitted' | 'queued' | 'declined') => {
  const lead = await db
    .selectFrom('leads')
    .select(['name', 'email'])
    .where('id', '=', row.leadId)
    .executeTakeFirstOrThrow()
  const { fromName } = await db.selectFrom('settings').select('fromName').executeTakeFirstOrThrow()
  const url = await statusUrl(db, row.leadId)
  const see = url ? `\n\nYour page: ${url}` : ''
  const { subject, text } = {
    admitted: {
      subject: 'You are in: your Setup Sprint',
      text: `you have one of this month's places in the free Setup Sprint.\n\nBook call 1 now; the 14 days begin with it. Your page has the button and the checklist.${see}`,
    },
    queued: {
      subject: 'Your application is on the list',
      text: `this month's places are taken. You are on the list for the next one, and we write to you as soon as a place is yours.${see}`,
    },
    declined: {
      subject: 'About your application',
      text: `thank you for applying. We cannot offer you a place in the Setup Sprint. You can use ${fromName} without it at any time: ${absoluteUrl(paths.pricing)}`,
    },
  }[decision]
  await queueProspectMessage(db, {
    leadId: row.leadId,
    channel: 'email',
    purpose: 'transactional',
    address: lead.email,
    subject,
    text: `Hello ${firstNameOf(lead.name)},\n\n${text}\n\n${fromName}`,
    dedupeKey: `sprint:${row.id}:${decision}:${row.version}`,
  })
}

const monthName = (month: string): string => `${monthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`

/**
 * Answers an application. Admitting takes one of this month's places: the settings row is locked first, so that of many at once only as many get in as
 * there are places.
 * @throws state_conflict when no place is left, or the answer does not follow from where the application stands
 */
export const decide = (
  leadId: string,
  decision: 'admitted' | 'queued' | 'declined',
  note: string,
): Promise<LeadSprint> =>
  withProspects(async (db) => {
    await db.selectFrom('settings').select('onlyRow').forUpdate().execute()
    const row = await lockSprint(db, leadId)
    const from = row.status
    if (from === decision) return getLeadSprint(db, leadId)
    if (!mayDecide(from, decision))
      throw conflict('This lead has been admitted already, and the place is used. Nothing was changed.')
    const { month, limit, left } = await getPlaces(db)
    if (decision === 'admitted' && left === 0)
      throw conflict(
        `All ${limit} places of ${monthName(month)} are taken. Queue this lead for later, or raise the number in the settings. Nothing was changed.`,
      )
    const now = clock.iso()
    const decided = await db
      .updateTable('sprints')
      .set((eb) => ({
        status: decision,
        admittedMonth: decision === 'admitted' ? month : null,
        decidedAt: now,
        decisionNote: note,
        version: eb('version', '+', 1),
        updatedAt: now,
      }))
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await auditProspects(db, 'owner', `sprint.${decision}`, { type: 'lead', id: leadId }, { from, note })
    await mailDecision(db, decided, decision)
    return getLeadSprint(db, leadId)
  })

const settledLabel: Record<string, string> = {
  none: 'No step of this Sprint was missed, so no fee is due.',
  waived: 'This fee was waived.',
  paid: 'This fee is paid already.',
}

/**
 * Settles the onboarding fee of a Sprint with a missed step.
 * @throws state_conflict when nothing is due, or it was waived or paid
 */
export const settleFee = (leadId: string, to: 'confirmed' | 'waived', note: string): Promise<LeadSprint> =>
  withProspects(async (db) => {
    const row = await lockSprint(db, leadId)
    await advance(db, row)
    const current = await db.selectFrom('sprints').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow()
    if (current.feeStatus === to) return getLeadSprint(db, leadId)
    const mayChange = current.feeStatus === 'due' || (current.feeStatus === 'confirmed' && to === 'waived')
    if (!mayChange) throw conflict(`${settledLabel[current.feeStatus] ?? settledLabel.none} Nothing was changed.`)
    const now = clock.iso()
    await db
      .updateTable('sprints')
      .set((eb) => ({
        feeStatus: to,
        feeDecidedAt: now,
        feeNote: note,
        version: eb('version', '+', 1),
        updatedAt: now,
      }))
      .where('id', '=', row.id)
      .execute()
    // The link to pay leads to the lead's own page, which whoever was admitted without an application has not got yet.
    if (to === 'confirmed' && !(await statusUrl(db, leadId)))
      await db.insertInto('applications').values({ id: newId(), leadId, createdAt: now, updatedAt: now }).execute()
    await auditProspects(db, 'owner', `sprint.fee_${to}`, { type: 'lead', id: leadId }, { note })
    return getLeadSprint(db, leadId)
  })

/** The product owner ticks a step by hand, or takes the tick back. @throws state_conflict for a lead that is not in a Sprint */
export const setStep = (leadId: string, step: SprintStep, isDone: boolean): Promise<LeadSprint> =>
  withProspects(async (db) => {
    const row = await lockSprint(db, leadId)
    if (!row.admittedMonth) throw conflict('Admit this lead first; nothing was changed.')
    if (isDone) await tickSteps(db, row.id, [step], 'owner')
    else await untickStep(db, row.id, step)
    await auditProspects(
      db,
      'owner',
      isDone ? 'sprint.ticked' : 'sprint.unticked',
      { type: 'lead', id: leadId },
      { step },
    )
    await advance(db, row)
    return getLeadSprint(db, leadId)
  })

/** Brings a Sprint to where it stands now: running, finished, or missed with the fee due. Notes when each step is due. */
export const advance = async (db: ProspectsDb, row: SprintRow): Promise<void> => {
  const facts = await sprintFacts(db, row)
  const now = clock.iso()
  const status = nextStatus(facts, now)
  if (status === row.status) return
  await db
    .updateTable('sprints')
    .set((eb) => ({
      status,
      ...(status === 'finished' || status === 'missed' ? { finishedAt: now } : {}),
      ...(status === 'missed' ? { feeStatus: 'due' } : {}),
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('id', '=', row.id)
    .execute()
  for (const step of stepNames) {
    const dueAt = stepDue(step, facts)
    if (dueAt)
      await db
        .updateTable('sprintSteps')
        .set({ dueAt })
        .where('sprintId', '=', row.id)
        .where('step', '=', step)
        .execute()
  }
  await auditProspects(db, 'system', `sprint.${status}`, { type: 'lead', id: row.leadId }, { from: row.status })
}
