import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../../platform/actor.ts'
import type { TenantDb } from '../../../../../platform/db/tenant.ts'
import { admits } from '../../../../../shared/can.ts'
import { addDays, type Day } from '../../../../../shared/dates.ts'
import { notFound } from '../../../../../shared/errors.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../../customers/areas/server/queries.ts'
import { measureOf } from '../../../../services/measures/rules.ts'
import { priceFor, ruleOfDay } from '../../../../services/rules.ts'
import { getServices, type PricedService } from '../../../../services/server/queries.ts'
import { getCalendar } from '../../../schedule/server/queries.ts'
import { later, seasonOf, type Undated } from '../../../undated/rules.ts'
import { listLineVisits } from '../../../undated/server/queries.ts'
import { programsApi, type RenewalRecord } from '../../contract.ts'
import { type ProgramStep, type Renewal, renewalOf, renewalRefusal } from '../../rules.ts'

const ofJobs = (db: TenantDb) =>
  db
    .selectFrom('jobs as j')
    .innerJoin('programs as g', (x) => x.onRef('g.businessId', '=', 'j.businessId').onRef('g.id', '=', 'j.programId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
    )
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'))
    .leftJoin('jobs as n', (x) => x.onRef('n.businessId', '=', 'j.businessId').onRef('n.id', '=', 'j.renewedAs'))
    .where('j.businessId', '=', db.businessId)
    .where('j.programYear', 'is not', null)

const columns = [
  'j.id',
  'j.version',
  'j.status',
  'j.archivedAt',
  'j.endOn',
  'j.programId',
  'j.programYear',
  'j.programRenews as renews',
  'j.propertyId',
  'j.crewId',
  'j.instructions',
  'j.poNumber',
  'j.billing',
  'g.name as programName',
  'g.steps',
  'g.archivedAt as programArchivedAt',
  'p.archivedAt as propertyArchivedAt',
  'c.archivedAt as customerArchivedAt',
  'p.lawnSquareFeet',
  'p.difficulty',
  'n.id as nextId',
  'n.number as nextNumber',
  'n.status as nextStatus',
] as const

type Row = Awaited<ReturnType<typeof rowsOf>>[number]

const rowsOf = async (db: TenantDb, jobIds: readonly string[]) =>
  (
    await ofJobs(db)
      .where('j.id', '=', sql<string>`any(${[...jobIds]}::uuid[])`)
      .select(columns)
      .select([bedSquareFeetOf('p').as('bedSquareFeet'), edgeFeetOf('p').as('edgeFeet')])
      .execute()
  ).map((row) => ({
    ...row,
    programId: row.programId ?? '',
    programYear: row.programYear ?? 0,
    steps: row.steps as ProgramStep[],
  }))

const rowOf = async (db: TenantDb, jobId: string): Promise<Row> => {
  const [row] = await rowsOf(db, [jobId])
  if (!row) throw notFound('program of this job')
  return row
}

type Services = ReadonlyMap<string, PricedService>

const servicesOn = async (db: TenantDb, rows: readonly Row[], day: Day): Promise<Services> =>
  new Map(
    (
      await getServices(
        db,
        rows.flatMap(({ steps }) => steps.map(({ serviceId }) => serviceId)),
        day,
      )
    ).map((service) => [service.id, service]),
  )

/** What the rounds of a renewal come to, each as its window opens, by what the book says on its day; null where a rule cannot say. */
const pricesOf = (services: Services, row: Row, { windows }: Renewal) => {
  const cents = windows.map(({ step, opensOn }) => {
    const own = row.steps[step]
    const service = services.get(own?.serviceId ?? '')
    return (
      own?.priceCents ??
      (service
        ? priceFor(ruleOfDay(service, opensOn), {
            ...measureOf(service, row),
            difficulty: row.difficulty,
            frequency: 'once',
          }).cents
        : null)
    )
  })
  const unpriced = windows.find((_, at) => cents[at] === null)
  return {
    cents,
    missingMeasure: unpriced
      ? (services.get(row.steps[unpriced.step]?.serviceId ?? '')?.measuredBy ?? ('lawn' as const))
      : null,
    missingService: windows.some(({ step }) => services.get(row.steps[step]?.serviceId ?? '')?.archivedAt),
  }
}

const refusalOf = (services: Services, row: Row, renewal: Renewal) => {
  const { cents, missingService, missingMeasure } = pricesOf(services, row, renewal)
  const placeArchivedAt = row.propertyArchivedAt ?? row.customerArchivedAt
  const refusal = renewalRefusal({ ...row, placeArchivedAt, missingService, missingMeasure }, renewal.renewsOn)
  return { cents, refusal, missingMeasure }
}

/** What becomes of a job of a program after its season. @throws AppError not_found, also for a job without a program */
export const renewalFacts = async (db: TenantDb, jobId: string) => {
  const { today } = await getCalendar(db)
  const row = await rowOf(db, jobId)
  const renewal = renewalOf(row.steps, row.programYear, today)
  const services = await servicesOn(db, [row], later(renewal.renewsOn, today))
  const { cents, refusal, missingMeasure } = refusalOf(services, row, renewal)
  return { row, renewal, cents, refusal, missingMeasure, today }
}

/** Why jobs do not renew by themselves although their program does, in words, by their ids; those that do are not in it. */
export const listRenewalRefusals = async (db: TenantDb, jobIds: readonly string[]): Promise<Map<string, string>> => {
  if (jobIds.length === 0) return new Map()
  const { today } = await getCalendar(db)
  const told = (await rowsOf(db, jobIds)).map((row) => {
    const renewal = renewalOf(row.steps, row.programYear, today)
    return { row, renewal, day: later(renewal.renewsOn, today) }
  })
  const found = new Map<string, string>()
  // seasons of one program renew on the same day: their services are read once
  for (const [day, group] of Map.groupBy(told, (one) => one.day)) {
    const services = await servicesOn(
      db,
      group.map(({ row }) => row),
      day,
    )
    for (const { row, renewal } of group) {
      const { refusal } = refusalOf(services, row, renewal)
      if (refusal) found.set(row.id, refusal)
    }
  }
  return found
}

export const getRenewal = async (db: TenantDb, actor: Actor, jobId: string): Promise<RenewalRecord> => {
  const { row, renewal, cents, refusal, missingMeasure, today } = await renewalFacts(db, jobId)
  const known = hasPermission(actor, 'money') && !cents.includes(null)
  return {
    programName: row.programName,
    renews: row.renews,
    year: renewal.year,
    renewsOn: renewal.renewsOn,
    due: renewal.renewsOn <= today,
    opensOn: renewal.windows[0]?.opensOn ?? renewal.renewsOn,
    rounds: renewal.windows.length,
    totalCents: known ? cents.reduce((sum: number, one) => sum + (one ?? 0), 0) : null,
    refusal,
    missing: missingMeasure,
    renewedAs:
      row.nextId && row.nextNumber
        ? { id: row.nextId, number: row.nextNumber, canceled: row.nextStatus === 'canceled' }
        : null,
    version: row.version,
    can: {
      change:
        row.nextId === null &&
        row.status !== 'completed' &&
        row.status !== 'canceled' &&
        admits(actor, programsApi.setRenewal),
    },
  }
}

/** Running jobs that go on with the next season of their program. */
const renewing = (db: TenantDb) =>
  ofJobs(db)
    .where('g.archivedAt', 'is', null)
    .where('j.programRenews', '=', true)
    .where('j.renewedAs', 'is', null)
    .where('j.status', '=', 'active')
    .where('j.archivedAt', 'is', null)

/** Running jobs whose program renews by today, a chunk after an id. `lastId` is null when there are no more. */
export const listDueRenewals = async (db: TenantDb, afterId: string | null, limit: number) => {
  const { today } = await getCalendar(db)
  const rows = await renewing(db)
    .where('j.id', '>', afterId ?? '00000000-0000-0000-0000-000000000000')
    .select(['j.id', 'j.programYear', 'g.steps'])
    .orderBy('j.id')
    .limit(limit)
    .execute()
  const due = rows.filter((row) => renewalOf(row.steps as ProgramStep[], row.programYear ?? 0, today).renewsOn <= today)
  return { ids: due.map((row) => row.id), lastId: rows.at(-1)?.id ?? null }
}

/** Running jobs whose next season is made, a chunk after an id. */
export const listRenewed = async (db: TenantDb, afterId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('renewedAs', 'is not', null)
    .where('status', '=', 'active')
    .where('archivedAt', 'is', null)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Whether nothing of a job is left to do or to decide: a round that was missed waits for the office. */
export const isSeasonOver = async (db: TenantDb, jobId: string): Promise<boolean> => {
  const open = await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where('status', 'in', ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused'])
    .limit(1)
    .executeTakeFirst()
  if (open) return false
  const lines = await db
    .selectFrom('jobLines')
    .select(['id', 'recurrence', 'undated'])
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const visits = await listLineVisits(db, [jobId])
  const { standings } = seasonOf(
    lines.flatMap(({ id, undated }) =>
      undated === null
        ? []
        : [{ id, undated: undated as Undated, visit: visits.find((one) => one.lineId === id) ?? null }],
    ),
    (await getCalendar(db)).today,
  )
  const { endOn } = await db
    .selectFrom('jobs')
    .select('endOn')
    .where('businessId', '=', db.businessId)
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  const isPast = endOn !== null && endOn < (await getCalendar(db)).today
  const over: (string | undefined)[] = ['done', 'skipped', 'on_demand']
  return lines.every(({ id, recurrence, undated }) =>
    undated === null ? recurrence === null || isPast : over.includes(standings.get(id)?.state),
  )
}

export type RenewalGroup = {
  programId: string
  programName: string
  /** The season that stands, and the one that follows. */
  season: number
  year: number
  renewsOn: Day
  count: number
  isLate: boolean
}

/** Seasons that renew within some days, and those that should have, with how many jobs each is for. */
export const listRenewalGroups = async (db: TenantDb, withinDays: number): Promise<RenewalGroup[]> => {
  const { today } = await getCalendar(db)
  const rows = await renewing(db)
    .groupBy(['j.programId', 'j.programYear', 'g.id', 'g.businessId', 'g.name', 'g.steps'])
    .select(['j.programId', 'j.programYear', 'g.name', 'g.steps'])
    .select(sql<(Day | null)[]>`json_agg(j.end_on)`.as('ends'))
    .orderBy('g.name')
    .limit(200)
    .execute()
  return rows.flatMap(({ programId, programYear, name, steps, ends }) => {
    const season = programYear ?? 0
    const { year, renewsOn } = renewalOf(steps as ProgramStep[], season, today)
    // A job that ends before that day has no next season.
    const count = ends.filter((day) => day === null || day >= renewsOn).length
    if (count === 0 || renewsOn > addDays(today, withinDays)) return []
    return [
      {
        programId: programId ?? '',
        programName: name,
        season,
        year,
        renewsOn,
        count,
        // On the day itself the night is still to come somewhere.
        isLate: renewsOn < today,
      },
    ]
  })
}
