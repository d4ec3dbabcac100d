import type { Selectable } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { Sprints } from '../../../../platform/db/prospect-types.generated.ts'
import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { notFound } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { type Answers, readableAnswers } from '../../application/rules.ts'
import { mailedToken } from '../../server/tokens.ts'
import type { LeadSprint, Sprint } from '../contract.ts'
import {
  monthOf,
  nextStatus,
  placesLeft,
  type SprintFacts,
  type SprintStep,
  sprintSteps,
  stepStates,
} from '../rules.ts'

export type SprintRow = Selectable<Sprints>

/** Places of this month, counted from the admitted Sprints. */
export const getPlaces = async (db: ProspectsDb): Promise<{ month: string; limit: number; left: number }> => {
  const settings = await db.selectFrom('settings').select(['timeZone', 'monthlyAdmissions']).executeTakeFirstOrThrow()
  const month = monthOf(clock.now(), settings.timeZone)
  const { used } = await db
    .selectFrom('sprints')
    .select((eb) => eb.fn.countAll<number>().as('used'))
    .where('admittedMonth', '=', month)
    .executeTakeFirstOrThrow()
  return { month, limit: settings.monthlyAdmissions, left: placesLeft(settings.monthlyAdmissions, used) }
}

/** What the rules need to know of a Sprint. */
export const sprintFacts = async (db: ProspectsDb, row: SprintRow): Promise<SprintFacts> => {
  const steps = await db
    .selectFrom('sprintSteps')
    .select(['step', 'doneAt'])
    .where('sprintId', '=', row.id)
    .where('doneAt', 'is not', null)
    .execute()
  const second = await db
    .selectFrom('calls')
    .select('startsAt')
    .where('leadId', '=', row.leadId)
    .where('kind', '=', 'sprint_2')
    .where('status', 'in', ['booked', 'held'])
    .orderBy('startsAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    status: row.status,
    startedAt: row.startedAt,
    endsAt: row.endsAt,
    call2At: second?.startsAt ?? null,
    done: Object.fromEntries(steps.map(({ step, doneAt }) => [step, doneAt])),
  }
}

/** A Sprint as its checklist shows it. `also` are steps that are true now though nobody has ticked them yet. */
export const toSprint = async (db: ProspectsDb, row: SprintRow, also: readonly SprintStep[] = []): Promise<Sprint> => {
  const now = clock.iso()
  const facts = await sprintFacts(db, row)
  const done = { ...Object.fromEntries(also.map((step) => [step, now])), ...facts.done }
  const current = { ...facts, done }
  return {
    _id: row.id,
    status: nextStatus(current, now),
    admittedMonth: row.admittedMonth,
    decidedAt: row.decidedAt,
    startedAt: row.startedAt,
    endsAt: row.endsAt,
    steps: stepStates(current, now).map((one) => ({ ...one, label: sprintSteps[one.step] })),
    feeCents: row.feeCents,
    feeStatus: row.feeStatus,
  }
}

export const findSprint = (db: ProspectsDb, leadId: string): Promise<SprintRow | undefined> =>
  db.selectFrom('sprints').selectAll().where('leadId', '=', leadId).executeTakeFirst()

/** The application that counts: the one that was sent last, else the one that was worked on last. */
const findAnswers = async (db: ProspectsDb, leadId: string): Promise<Answers> => {
  const row = await db
    .selectFrom('applications')
    .select('answers')
    .where('leadId', '=', leadId)
    .where('answers', '<>', '{}')
    .orderBy((eb) => eb('submittedAt', 'is', null))
    .orderBy('updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (row?.answers ?? {}) as Answers
}

/** Where a lead follows application and Sprint: a link for the reader of their mail. */
export const statusUrl = async (db: ProspectsDb, leadId: string): Promise<string | null> => {
  const application = await db
    .selectFrom('applications')
    .select('id')
    .where('leadId', '=', leadId)
    .orderBy((eb) => eb('submittedAt', 'is', null))
    .orderBy('updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!application) return null
  const token = await mailedToken(db, { kind: 'application', leadId, entityId: application.id })
  return absoluteUrl(`${paths.application}#status=${token}`)
}

/** Application and Setup Sprint of one lead. @throws not_found */
export const getLeadSprint = async (db: ProspectsDb, leadId: string): Promise<LeadSprint> => {
  const lead = await db.selectFrom('leads').select(['id', 'appliedAt']).where('id', '=', leadId).executeTakeFirst()
  if (!lead) throw notFound('lead')
  const row = await findSprint(db, leadId)
  const answers = await findAnswers(db, leadId)
  return {
    appliedAt: lead.appliedAt,
    answers: Object.keys(answers).length > 0 ? readableAnswers(answers) : [],
    sprint: row ? await toSprint(db, row) : null,
    note: row?.decisionNote ?? '',
    feeNote: row?.feeNote ?? '',
    feeUrl: row?.feeStatus === 'confirmed' ? await statusUrl(db, leadId) : null,
    feeLinkSentAt: row?.feeLinkSentAt ?? null,
    feePaidAt: row?.feePaidAt ?? null,
    places: await getPlaces(db),
  }
}
