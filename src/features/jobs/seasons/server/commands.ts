import type { Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { refuse } from '../../../../shared/can.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { changeJobTx } from '../../change/server/commands.ts'
import type { JobDraft, LineDraft } from '../../contract.ts'
import { findProgramJob } from '../../programs/server/queries.ts'
import { getCalendar } from '../../schedule/server/queries.ts'
import { createJobTx } from '../../server/commands.ts'
import { lockJob } from '../../server/row.ts'
import { jobRefusals } from '../../states/rules.ts'
import { later, type Undated } from '../../undated/rules.ts'
import { type NextRound, nextRule } from '../rules.ts'

/** Whether the night renews a job of a program by itself. @returns what held before */
export const setRenewsTx = async (db: TenantDb, jobId: string, renews: boolean): Promise<boolean> => {
  const job = await lockJob(db, jobId)
  if (job.programRenews === renews) return renews
  await db
    .updateTable('jobs')
    .set({ programRenews: renews, version: job.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', jobId)
    .execute()
  await publishChange(db, 'jobs', [jobId])
  return job.programRenews
}

/** A line of the next season: what comes back keeps the rule of the old line, a round has its window. */
export type NextLine = {
  jobLineId: string | null
  serviceId: string
  description: string
  quantity: number
  unitPriceCents: number
  budgetMinutes: number
  round: NextRound | null
  name: string
}

type Next = {
  /** The quote in which it was agreed. */
  quoteId?: string
  title: string
  lines: NextLine[]
  /** Work that was added to the next season, as it is booked. */
  added: LineDraft[]
  startsOn: Day
  endsOn: Day | null
  /** Another crew or note than the old job has. */
  crewId?: string | null
  instructions?: string
  /** The job of the season after it renews by itself. */
  renews: boolean
}

const listOldLines = (db: TenantDb, jobId: string) =>
  db
    .selectFrom('jobLines')
    .select(['id', 'serviceId', 'description', 'quantity', 'unitPriceCents', 'budgetMinutes', 'recurrence', 'undated'])
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .execute()

const roundOf = ({ round, name }: NextLine): Undated | null =>
  round
    ? {
        kind: 'step',
        name: name.slice(0, 80),
        opensOn: round.opensOn,
        closesOn: round.closesOn,
        minGapDays: round.minGapDays,
      }
    : null

/**
 * Makes the next season of a job, once: a new job with the rules of the old one and the prices that were agreed. A series ends the day before it; a program
 * goes on until its last round is done. What is done on demand goes along as it is.
 * @returns the new job
 * @throws AppError state_conflict where it was renewed, is over, or its program is on already
 */
export const renewSeasonTx = async (db: TenantDb, who: Who, jobId: string, next: Next): Promise<string> => {
  const job = await lockJob(db, jobId)
  refuse(
    job.renewedAs ? 'This job was renewed already. Nothing was changed.' : null,
    job.renewedAs ? { jobId: job.renewedAs } : {},
  )
  refuse(job.status === 'canceled' ? 'This job was canceled. Reactivate it first. Nothing was changed.' : null)
  const { today } = await getCalendar(db)
  const old = await listOldLines(db, jobId)
  const rounds = next.lines.filter(({ round }) => round !== null)
  const [{ round } = { round: null }] = rounds
  if (round) {
    const there = await findProgramJob(db, { ...round, propertyId: job.propertyId })
    refuse(
      there ? `The program runs at this property in ${round.year} already: job J-${there.number}.` : null,
      there ? { jobId: there.id } : {},
    )
  }
  // A job that was not begun yet and a day that is past both wait until tomorrow.
  const startOn = round ? today : later(next.startsOn, addDays(later(today, job.startOn), 1))
  const lines: LineDraft[] = next.lines.flatMap((line): LineDraft[] => {
    const before = old.find(({ id }) => id === line.jobLineId)
    const rule = before?.recurrence as Parameters<typeof nextRule>[0] | null | undefined
    const undated = roundOf(line)
    if (!undated && !rule) return []
    return [
      {
        serviceId: line.serviceId,
        description: line.description,
        quantity: line.quantity,
        unitPriceCents: line.unitPriceCents,
        budgetMinutes: line.budgetMinutes,
        recurrence: undated || !rule ? null : nextRule(rule, startOn),
        onceOn: null,
        undated,
        movesPhase: false,
      },
    ]
  })
  const onDemand = old.flatMap((line): LineDraft[] =>
    (line.undated as Undated | null)?.kind === 'on_demand'
      ? [
          {
            serviceId: line.serviceId,
            description: line.description,
            quantity: Number(line.quantity),
            unitPriceCents: line.unitPriceCents,
            budgetMinutes: line.budgetMinutes,
            recurrence: null,
            onceOn: null,
            undated: { kind: 'on_demand' },
            movesPhase: false,
          },
        ]
      : [],
  )
  const draft: JobDraft = {
    propertyId: job.propertyId,
    title: next.title,
    instructions: next.instructions || job.instructions,
    poNumber: job.poNumber,
    billing: job.billing as JobDraft['billing'],
    crewId: next.crewId ?? job.crewId,
    keepDay: job.keepDay,
    startOn,
    endOn: round ? null : next.endsOn && next.endsOn >= startOn ? next.endsOn : null,
    lines: [
      ...lines,
      ...next.added.map((line) => ({ ...line, onceOn: line.onceOn ? later(line.onceOn, startOn) : null })),
      ...onDemand,
    ],
    draft: false,
    includePast: false,
    pastDone: false,
  }
  const nextId = await createJobTx(db, who, draft, {
    ...(round ? { programId: round.programId, programYear: round.year, programRenews: next.renews } : {}),
    quoteId: next.quoteId,
  })
  const lastDay = addDays(startOn, -1)
  const goesOn = job.endOn === null || job.endOn > lastDay
  if (!round && goesOn && jobRefusals.reschedule(job) === null)
    await changeJobTx(db, who, jobId, {
      version: job.version,
      endOn: lastDay,
      scope: 'this_and_following',
      includeMoved: false,
    })
  await db
    .updateTable('jobs')
    .set((eb) => ({ renewedAs: nextId, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', jobId)
    .execute()
  await audit(db, who, 'job.renew', { type: 'job', id: jobId }, { after: { renewedAs: nextId, startOn } })
  await publishChange(db, 'jobs', [jobId, nextId])
  return nextId
}
