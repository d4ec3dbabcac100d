import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { admits } from '../../../../shared/can.ts'
import type { Day } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import { measureOf } from '../../../services/measures/rules.ts'
import { budgetMinutesFor, priceFor, ruleOfDay } from '../../../services/rules.ts'
import { getServices } from '../../../services/server/queries.ts'
import { getCalendar } from '../../schedule/server/queries.ts'
import type { Undated } from '../../undated/rules.ts'
import { type ProgramRecord, programsApi } from '../contract.ts'
import { type ProgramStep, seasonYearOf, windowsOf } from '../rules.ts'

type Row = Omit<ProgramRecord, 'can'>

const programs = (db: TenantDb) =>
  db
    .selectFrom('programs')
    .where('programs.businessId', '=', db.businessId)
    .select(['id', 'name', 'steps', 'renews', 'version', 'archivedAt'])
    .select(
      sql<number>`(select count(*)::int from jobs j where j.business_id = programs.business_id and j.program_id = programs.id
        and j.archived_at is null and j.status in ('draft', 'active', 'paused'))`.as('jobCount'),
    )
    .orderBy(sql`lower(name)`)
    .orderBy('id')

/** A program as a person may see it: what its rounds cost only with the permission for money. */
const programFor = (actor: Actor, row: unknown): ProgramRecord => {
  const program = row as Row
  const there = program.archivedAt === null
  return {
    ...program,
    steps: hasPermission(actor, 'money')
      ? program.steps
      : program.steps.map((step: ProgramStep) => ({ ...step, priceCents: null })),
    can: {
      update: there && admits(actor, programsApi.update),
      archive: there && admits(actor, programsApi.archive),
      restore: !there && admits(actor, programsApi.restore),
      putOn: there && admits(actor, programsApi.putOn),
    },
  }
}

export const listPrograms = async (db: TenantDb, actor: Actor, archived = false): Promise<ProgramRecord[]> =>
  (
    await programs(db)
      .where('archivedAt', archived ? 'is not' : 'is', null)
      .execute()
  ).map((row) => programFor(actor, row))

/** @throws AppError not_found */
export const getProgram = async (db: TenantDb, actor: Actor, id: string): Promise<ProgramRecord> => {
  const row = await programs(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('program')
  return programFor(actor, row)
}

/** The rounds as they are stored, with prices, whoever asks. @throws AppError not_found */
export const stepsOf = async (db: TenantDb, id: string): Promise<ProgramStep[]> => {
  const row = await db
    .selectFrom('programs')
    .select('steps')
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('program')
  return row.steps as ProgramStep[]
}

/** The job at a property that has a program on for a year, or null. */
export const findProgramJob = async (
  db: TenantDb,
  { programId, propertyId, year }: { programId: string; propertyId: string; year: number },
): Promise<{ id: string; number: number } | null> =>
  (await db
    .selectFrom('jobs')
    .select(['id', 'number'])
    .where('businessId', '=', db.businessId)
    .where('programId', '=', programId)
    .where('propertyId', '=', propertyId)
    .where('programYear', '=', year)
    .where('status', '<>', 'canceled')
    .where('archivedAt', 'is', null)
    .executeTakeFirst()) ?? null

type Standing = {
  serviceId: string
  id: string
  number: number
  endOn: Day | null
  onceOn: Day | null
  undated: Undated | null
}

/** Work of other jobs at a property, by what it is: rules, single days and rounds. */
const standingWork = async (db: TenantDb, propertyId: string, serviceIds: readonly string[]): Promise<Standing[]> => {
  const { rows } = await sql<Standing>`
    select l.service_id as "serviceId", j.id, j.number, j.end_on as "endOn", l.once_on as "onceOn", l.undated
    from jobs j join job_lines l on l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null
    where j.business_id = ${db.businessId} and j.property_id = ${propertyId} and j.archived_at is null
      and j.status in ('draft', 'active', 'paused') and l.service_id = any(${[...serviceIds]}::uuid[])
    order by j.number, l.id`.execute(db)
  return rows
}

const meets = (
  { endOn, onceOn, undated }: Standing,
  { opensOn, closesOn }: { opensOn: Day; closesOn: Day },
): boolean =>
  undated
    ? undated.kind === 'step' && undated.opensOn <= closesOn && undated.closesOn >= opensOn
    : onceOn
      ? opensOn <= onceOn && onceOn <= closesOn
      : endOn === null || endOn >= opensOn

/** What a program would be at a property. @throws AppError not_found */
export const previewProgram = async (
  db: TenantDb,
  actor: Actor,
  id: string,
  query: { propertyId: string; year?: number | undefined },
) => {
  const { today } = await getCalendar(db)
  const steps = await stepsOf(db, id)
  const year = query.year ?? seasonYearOf(steps, today)
  const place = await db
    .selectFrom('properties')
    .select(['lawnSquareFeet', 'difficulty'])
    .select([bedSquareFeetOf('properties').as('bedSquareFeet'), edgeFeetOf('properties').as('edgeFeet')])
    .where('businessId', '=', db.businessId)
    .where('id', '=', query.propertyId)
    .executeTakeFirst()
  if (!place) throw notFound('property')
  const services = new Map(
    (
      await getServices(
        db,
        steps.map((step) => step.serviceId),
      )
    ).map((service) => [service.id, service]),
  )
  const windows = windowsOf(steps, year)
  const seesMoney = hasPermission(actor, 'money')
  const standing = await standingWork(db, query.propertyId, [...services.keys()])
  return {
    year,
    steps: steps.flatMap((step, at) => {
      const [service, own] = [services.get(step.serviceId), windows[at]]
      if (!service || !own) return []
      const measured = { ...measureOf(service, place), difficulty: place.difficulty }
      const price =
        step.priceCents ?? priceFor(ruleOfDay(service, own.opensOn), { ...measured, frequency: 'once' }).cents
      return [
        {
          ...own,
          name: step.name,
          serviceName: service.name,
          minGapDays: step.minGapDays,
          priceCents: seesMoney ? price : null,
          minutes: step.minutes ?? budgetMinutesFor(service, { ...measured, quantity: 1 }),
          missing: price === null ? service.measuredBy : null,
          past: own.closesOn < today,
          also: standing.find((one) => one.serviceId === service.id && meets(one, own)) ?? null,
        },
      ]
    }),
    already: await findProgramJob(db, { programId: id, propertyId: query.propertyId, year }),
  }
}
