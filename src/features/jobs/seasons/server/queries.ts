import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import { type MeasuredBy, measureOf, noMeasure, type Sizes } from '../../../services/measures/rules.ts'
import { priceFor, ruleOfDay } from '../../../services/rules.ts'
import { getServices, type PricedService } from '../../../services/server/queries.ts'
import { priceOn } from '../../prices/rules.ts'
import { type ProgramStep, renewalOf } from '../../programs/rules.ts'
import { type Calendar, followsDone } from '../../rules.ts'
import { plannedOf } from '../../schedule/server/commands.ts'
import { getCalendar, readScheduledJobs, type ScheduledJob, type ScheduledLine } from '../../schedule/server/queries.ts'
import { recurrenceText } from '../../wording/rules.ts'
import { isUsualRhythm, nextRule, rhythmOf, type SeasonLine } from '../rules.ts'

/** Which jobs a renewal is for. */
export type SeasonFilter = {
  work: 'all' | 'programs' | 'recurring'
  programIds: readonly string[]
  serviceIds: readonly string[]
  tags: readonly string[]
  /** Only work that ends by then. */
  endsBy: Day | null
}

/** So long after its end a job can still be renewed, in days. */
const longestGap = 300

/** Jobs of a filter whose next season nobody made: running or paused ones, and those that are over since less than a season. */
export const renewable = (db: TenantDb, filter: SeasonFilter, startsOn: Day, today: Day) => {
  let jobs = db
    .selectFrom('jobs as j')
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
    )
    .where('j.businessId', '=', db.businessId)
    .where('j.archivedAt', 'is', null)
    .where('c.archivedAt', 'is', null)
    .where('p.archivedAt', 'is', null)
    .where('j.renewedAs', 'is', null)
    .where('j.startOn', '<', startsOn)
    .where((eb) =>
      eb.or([
        eb('j.status', 'in', ['active', 'paused']),
        eb.and([eb('j.status', '=', 'completed'), eb('j.endOn', '>=', addDays(today, -longestGap))]),
      ]),
    )
    .where(
      sql<boolean>`exists (select 1 from job_lines l where l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null
        and (l.recurrence is not null or (j.program_year is not null and l.undated ->> 'kind' = 'step')))`,
    )
  if (filter.work === 'programs') jobs = jobs.where('j.programYear', 'is not', null)
  if (filter.work === 'recurring') jobs = jobs.where('j.programYear', 'is', null)
  if (filter.programIds.length > 0) jobs = jobs.where('j.programId', 'in', [...filter.programIds])
  if (filter.tags.length > 0)
    jobs = jobs.where(sql<boolean>`c.tags && ${[...filter.tags]}::text[]` as RawBuilder<boolean>)
  if (filter.endsBy) jobs = jobs.where('j.endOn', '<=', filter.endsBy)
  if (filter.serviceIds.length > 0)
    jobs = jobs.where(
      sql<boolean>`exists (select 1 from job_lines l where l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null
        and l.service_id = any(${[...filter.serviceIds]}::uuid[]))`,
    )
  return jobs
}

/** Seasons of programs that jobs run in, and when each renews. */
export const listProgramSeasons = async (
  db: TenantDb,
  today: Day,
): Promise<{ programId: string; year: number; renewsOn: Day }[]> => {
  const rows = await db
    .selectFrom('jobs as j')
    .innerJoin('programs as p', (x) => x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.programId'))
    .where('j.businessId', '=', db.businessId)
    .where('j.archivedAt', 'is', null)
    .where('j.status', 'in', ['active', 'paused'])
    .where('j.renewedAs', 'is', null)
    .where('j.programYear', 'is not', null)
    .select(['p.id as programId', 'j.programYear as year', 'p.steps'])
    .distinctOn(['p.id', 'j.programYear'])
    .execute()
  return rows.map(({ programId, year, steps }) => ({
    programId,
    year: year ?? 0,
    renewsOn: renewalOf(steps as unknown as ProgramStep[], year ?? 0, today).renewsOn,
  }))
}

/** How often a line comes in a season, by its own rule. */
const visitsOf = (job: ScheduledJob, line: ScheduledLine, from: Day, to: Day, calendar: Calendar): number => {
  const rule = line.recurrence
  if (!rule) return 1
  const { dueOn: _due, ...free } = line
  const own = followsDone(rule) ? (free as ScheduledLine) : line
  const next = { ...own, recurrence: nextRule(rule, from) }
  const ahead = { ...job, status: 'active' as const, pausedUntil: null, startOn: from, endOn: to, lines: [next] }
  return plannedOf(ahead, from, to, calendar).length
}

type Place = Sizes & { difficulty: number }

const recurringLines = (
  job: ScheduledJob,
  services: ReadonlyMap<string, PricedService>,
  span: { from: Day; to: Day },
  calendar: Calendar,
): SeasonLine[] =>
  job.lines.flatMap((line) => {
    const service = services.get(line.serviceId)
    if (!line.recurrence || !service) return []
    const visits = visitsOf(job, line, span.from, span.to, calendar)
    if (visits === 0) return []
    const usual = isUsualRhythm(line.recurrence)
    return [
      {
        jobLineId: line.id,
        name: service.name,
        description: line.description,
        serviceId: line.serviceId,
        serviceName: service.name,
        quantity: Number(line.quantity),
        unit: service.unit,
        frequency: rhythmOf(line.recurrence),
        rhythm: usual ? '' : recurrenceText(line.recurrence).slice(0, 160),
        visits,
        wasCents: priceOn(line, calendar.today),
        minutes: line.budgetMinutes,
        taxCategory: service.taxCategory,
        round: null,
      },
    ]
  })

/** The rounds of a program in its next season; one that the job has costs what it costs there, a new one what the book says. Where that cannot be said, the measure that is missing. */
const roundLines = (
  job: ScheduledJob,
  program: { id: string; year: number; steps: ProgramStep[] },
  place: Place,
  services: ReadonlyMap<string, PricedService>,
  today: Day,
): SeasonLine[] | MeasuredBy => {
  const renewal = renewalOf(program.steps, program.year, today)
  const left = [...job.lines]
  const lines = renewal.windows.map(({ step, opensOn, closesOn }): SeasonLine | MeasuredBy => {
    const own = program.steps[step]
    const service = services.get(own?.serviceId ?? '')
    if (!own || !service) return 'lawn'
    const named = left.findIndex(({ undated }) => undated?.kind === 'step' && undated.name === own.name)
    const at = named >= 0 ? named : left.findIndex(({ serviceId }) => serviceId === own.serviceId)
    const [old] = at >= 0 ? left.splice(at, 1) : []
    const wasCents = old
      ? priceOn(old, today)
      : (own.priceCents ??
        priceFor(ruleOfDay(service, opensOn), {
          ...measureOf(service, place),
          difficulty: place.difficulty,
          frequency: 'once',
        }).cents)
    if (wasCents === null) return service.measuredBy
    return {
      jobLineId: old?.id ?? null,
      name: own.name,
      description: '',
      serviceId: own.serviceId,
      serviceName: service.name,
      quantity: old ? Number(old.quantity) : 1,
      unit: service.unit,
      frequency: 'once' as const,
      rhythm: '',
      visits: 1,
      wasCents,
      minutes: old?.budgetMinutes ?? own.minutes ?? 0,
      taxCategory: service.taxCategory,
      round: { programId: program.id, year: renewal.year, opensOn, closesOn, minGapDays: own.minGapDays },
    }
  })
  return lines.find((line) => typeof line === 'string') ?? lines.filter((line) => typeof line !== 'string')
}

export type NextSeason = { jobId: string; title: string; lines: SeasonLine[]; problem: string }

/**
 * What jobs would do in the season from a day to a day, line by line at the prices of today: recurring work by its rules, rounds by their program. What
 * cannot be said is a problem in words, with no lines.
 */
export const listNextSeasons = async (
  db: TenantDb,
  jobIds: readonly string[],
  span: { from: Day; to: Day },
): Promise<NextSeason[]> => {
  if (jobIds.length === 0) return []
  const calendar = await getCalendar(db)
  const jobs = await readScheduledJobs(db, jobIds)
  const facts = await db
    .selectFrom('jobs as j')
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
    )
    .leftJoin('programs as g', (x) => x.onRef('g.businessId', '=', 'j.businessId').onRef('g.id', '=', 'j.programId'))
    .where('j.businessId', '=', db.businessId)
    .where('j.id', '=', sql<string>`any(${[...jobIds]}::uuid[])`)
    .select(['j.id', 'j.title', 'j.programId', 'j.programYear', 'p.lawnSquareFeet', 'p.difficulty'])
    .select([bedSquareFeetOf('p').as('bedSquareFeet'), edgeFeetOf('p').as('edgeFeet')])
    .select(['g.steps', 'g.archivedAt as programArchivedAt', 'g.name as programName'])
    .execute()
  const byId = new Map(facts.map((row) => [row.id, row]))
  const wanted = [
    ...jobs.flatMap(({ lines }) => lines.map(({ serviceId }) => serviceId)),
    ...facts.flatMap(({ steps }) => ((steps ?? []) as ProgramStep[]).map(({ serviceId }) => serviceId)),
  ]
  const services = new Map((await getServices(db, wanted)).map((service) => [service.id, service]))
  return jobs.map((job) => {
    const row = byId.get(job.id)
    const title = row?.title ?? ''
    const none = (problem: string): NextSeason => ({ jobId: job.id, title, lines: [], problem })
    if (row?.programId && row.programYear !== null) {
      if (row.programArchivedAt) return none('The program is archived. Restore it to renew this.')
      const program = { id: row.programId, year: row.programYear, steps: row.steps as ProgramStep[] }
      const lines = roundLines(job, program, row, services, calendar.today)
      if (typeof lines === 'string')
        return none(`The property has ${noMeasure[lines]}, which the price of a new round needs.`)
      const gone = lines.find(({ serviceId }) => services.get(serviceId)?.archivedAt)
      return gone
        ? none(`${gone.serviceName} is archived. Restore it to renew this.`)
        : { jobId: job.id, title, lines, problem: '' }
    }
    const lines = recurringLines(job, services, span, calendar)
    if (lines.length === 0) return none('Its rules name no day in that season.')
    const gone = lines.find(({ serviceId }) => services.get(serviceId)?.archivedAt)
    return gone
      ? none(`${gone.serviceName} is archived. Restore it to renew this.`)
      : { jobId: job.id, title, lines, problem: '' }
  })
}
