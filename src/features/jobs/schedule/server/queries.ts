import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, dayOf } from '../../../../shared/dates.ts'
import type { VisitLine } from '../../../visits/server/commands.ts'
import { type PriceStep, priceOn } from '../../prices/rules.ts'
import type { Calendar, Recurrence } from '../../rules.ts'
import type { JobStatus } from '../../states/rules.ts'
import type { EarlierTerms } from '../../terms/rules.ts'
import type { Undated } from '../../undated/rules.ts'

/** What a schedule has to know of the business. */
export const getCalendar = async (db: TenantDb): Promise<Calendar> => {
  const row = await db
    .selectFrom('businesses')
    .select(['timeZone', 'workDays', 'holidays', 'holidayRule', 'seasonStart', 'seasonEnd'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return {
    today: dayOf(clock.now(), row.timeZone),
    workDays: row.workDays,
    holidays: row.holidays,
    holidayRule: row.holidayRule,
    season: [{ from: row.seasonStart, to: row.seasonEnd }],
  }
}

/** A line of a job: what is done, for how much, when. */
export type PlannedLine = {
  serviceId: string
  description: string
  quantity: number
  unitPriceCents: number
  budgetMinutes: number
  recurrence: Recurrence | null
  onceOn: Day | null
  undated?: Undated | null
  /** What it costs from a day on, when the price book says so ahead of time. */
  nextUnitPriceCents?: number | null
  nextPriceOn?: Day | null
  laterPrices?: PriceStep[]
}

export type ScheduledLine = PlannedLine & {
  id: string
  position: number
  /** The open visit of a rule that follows its last one; null for every other rule. */
  dueOn: Day | null
  undated: Undated | null
}

export type ScheduledJob = {
  id: string
  customerId: string
  propertyId: string
  status: JobStatus
  billing: string
  crewId: string | null
  startOn: Day
  endOn: Day | null
  pausedUntil: Day | null
  horizonOn: Day | null
  nextOn: Day | null
  lines: ScheduledLine[]
  /** What holds before a day that is still to come. */
  earlier: EarlierTerms<ScheduledLine>[]
  /** The next day on which work without days opens, once that was looked at. */
  opensOn?: Day | null
}

/** A job's lines as a visit of a day has them. */
export const visitLinesOf = (lines: readonly ScheduledLine[], day: Day): VisitLine[] =>
  lines.map((line) => ({
    jobLineId: line.id,
    serviceId: line.serviceId,
    description: line.description,
    quantity: line.quantity,
    unitPriceCents: priceOn(line, day),
    budgetMinutes: line.budgetMinutes,
  }))

/** The lines of visits, by visit. */
export const listVisitLines = async (
  db: TenantDb,
  visitIds: readonly string[],
): Promise<ReadonlyMap<string, VisitLine[]>> => {
  const rows = await db
    .selectFrom('visitLines')
    .select(['visitId', 'jobLineId', 'serviceId', 'description', 'quantity', 'unitPriceCents', 'budgetMinutes'])
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', sql<string>`any(${[...visitIds]}::uuid[])`)
    .execute()
  const lines = new Map<string, VisitLine[]>()
  for (const { visitId, ...line } of rows) lines.set(visitId, [...(lines.get(visitId) ?? []), line])
  return lines
}

/** Whether a visit has everything that its lines say, in whatever order. */
export const sameLines = (a: readonly VisitLine[] | undefined, b: readonly VisitLine[]): boolean => {
  const byLine = (lines: readonly VisitLine[]) =>
    lines
      .map(({ quantity, ...line }) => ({ ...line, quantity: Number(quantity) }))
      .toSorted((x, y) => ((x.jobLineId ?? '') < (y.jobLineId ?? '') ? -1 : 1))
  return isDeepStrictEqual(byLine(a ?? []), byLine(b))
}

/** What the visits of a line are made from. */
export const lineColumns = [
  'id',
  'jobId',
  'serviceId',
  'description',
  'quantity',
  'unitPriceCents',
  'nextUnitPriceCents',
  'nextPriceOn',
  'laterPrices',
  'budgetMinutes',
  'recurrence',
  'onceOn',
  'dueOn',
  'undated',
  'position',
] as const

/** Jobs with what their visits are made from, locked until the transaction ends. */
export const lockScheduledJobsTx = (db: TenantDb, jobIds: readonly string[]): Promise<ScheduledJob[]> =>
  readScheduledJobs(db, jobIds, { lock: true })

/** The same, for a look only. */
export const readScheduledJobs = async (
  db: TenantDb,
  jobIds: readonly string[],
  options: { lock?: true } = {},
): Promise<ScheduledJob[]> => {
  if (jobIds.length === 0) return []
  const wanted = db
    .selectFrom('jobs')
    .select([
      'id',
      'customerId',
      'propertyId',
      'status',
      'billing',
      'crewId',
      'startOn',
      'endOn',
      'pausedUntil',
      'horizonOn',
      'nextOn',
      'earlierTerms',
    ])
    .where('businessId', '=', db.businessId)
    .where('id', '=', sql<string>`any(${[...jobIds]}::uuid[])`)
    .where('archivedAt', 'is', null)
    .orderBy('id')
  const jobs = await (options.lock ? wanted.forUpdate() : wanted).execute()
  const lines = await db
    .selectFrom('jobLines')
    .select(lineColumns)
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', sql<string>`any(${[...jobIds]}::uuid[])`)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const byJob = new Map<string, ScheduledLine[]>()
  for (const { jobId, ...line } of lines) {
    const list = byJob.get(jobId) ?? []
    list.push(line as unknown as ScheduledLine)
    byJob.set(jobId, list)
  }
  const held = new Map(jobs.map(({ id, earlierTerms }) => [id, earlierTerms as unknown as EarlierTerms[]]))
  const earlierOf = await readEarlier(db, [...held.values()].flat())
  return jobs.map(({ earlierTerms: _kept, ...job }) => ({
    ...job,
    lines: byJob.get(job.id) ?? [],
    earlier: (held.get(job.id) ?? []).map(earlierOf),
  }))
}

/** Gives earlier terms what stands on the lines of a job whatever its terms: their open day, and a round that is done late. Of many jobs in one query. */
const readEarlier = async (
  db: TenantDb,
  all: readonly EarlierTerms[],
): Promise<(terms: EarlierTerms) => EarlierTerms<ScheduledLine>> => {
  const ids = [...new Set(all.flatMap(({ lines }) => lines.map((line) => line.id)))]
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('jobLines')
          .select(['id', 'dueOn', 'undated'])
          .where('businessId', '=', db.businessId)
          .where('id', '=', sql<string>`any(${ids}::uuid[])`)
          .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (terms) => ({
    ...terms,
    lines: terms.lines.map((line) => {
      const now = byId.get(line.id)
      const late = (now?.undated as { late?: boolean } | null)?.late
      const undated = late && line.undated?.kind === 'step' ? { ...line.undated, late } : line.undated
      return { ...line, undated, dueOn: now?.dueOn ?? null }
    }),
  })
}

/** Running jobs whose rules still name days and whose visits may not reach far enough; a chunk after an id. */
export const listJobIdsToTopUp = async (
  db: TenantDb,
  options: { before: Day; afterId: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .where((eb) =>
      eb.or([eb('status', '=', 'active'), eb.and([eb('status', '=', 'paused'), eb('pausedUntil', 'is not', null)])]),
    )
    .where((eb) =>
      eb.or([
        eb('horizonOn', 'is', null),
        eb.and([eb('nextOn', 'is not', null), eb('horizonOn', '<', options.before)]),
      ]),
    )
    .$if(options.afterId !== null, (q) => q.where('id', '>', options.afterId as string))
    .orderBy('id')
    .limit(options.limit)
    .execute()
  return rows.map((row) => row.id)
}
