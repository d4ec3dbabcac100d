import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { allocateCents } from '../../../../shared/money.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import { listPropertyIdsTx } from '../../../customers/server/queries.ts'
import { type MeasuredBy, measureOf } from '../../../services/measures/rules.ts'
import { budgetMinutesFor, minutesFor, priceFor } from '../../../services/rules.ts'
import { getServices, type PricedService } from '../../../services/server/queries.ts'
import type { BatchAnswer, BatchItem, BatchReason, BatchRequest, BatchState } from '../../contract.ts'
import { pricesAhead } from '../../prices/rules.ts'
import { type Calendar, frequencyOf, horizonOf, nextOccurrence, occurrences } from '../../rules.ts'
import { getCalendar, type PlannedLine } from '../../schedule/server/queries.ts'

export type PlannedItem = BatchItem & { lines: PlannedLine[] }
export type Plan = { title: string; items: PlannedItem[]; totals: BatchAnswer['totals']; days: Day[] }

type Place = Omit<BatchItem, 'priceCents' | 'minutes' | 'reason'> & {
  difficulty: number
  hasPin: boolean
  archived: boolean
  hasJob: boolean
}

const placesOf = async (
  db: TenantDb,
  propertyIds: readonly string[],
  serviceIds: readonly string[],
): Promise<Place[]> => {
  const { rows } = await sql<Place>`
    select p.id as property_id, p.customer_id, c.name as customer_name, p.street, p.city, p.lawn_square_feet, ${bedSquareFeetOf('p')} as bed_square_feet, ${edgeFeetOf('p')} as edge_feet, p.difficulty,
      (p.latitude is not null and p.longitude is not null) as has_pin,
      (p.archived_at is not null or c.archived_at is not null) as archived,
      exists (select 1 from jobs j join job_lines l on l.business_id = j.business_id and l.job_id = j.id
        where j.business_id = p.business_id and j.property_id = p.id and j.archived_at is null and j.status in ('draft', 'active', 'paused')
        and l.archived_at is null and l.service_id = any(${[...serviceIds]}::uuid[])) as has_job
    from properties p join customers c on c.business_id = p.business_id and c.id = p.customer_id
    where p.business_id = ${db.businessId} and p.id = any(${[...propertyIds]}::uuid[])
    order by lower(c.name), c.id, p.id`.execute(db)
  return rows
}

/** What keeps a price from being known, by what the service goes by. */
const missing: Record<MeasuredBy, BatchReason> = { lawn: 'no_lawn_size', beds: 'no_beds', edges: 'no_edges' }

const itemOf = (
  place: Place,
  services: readonly PricedService[],
  request: BatchRequest,
  excluded: ReadonlySet<string>,
): PlannedItem => {
  const factsOf = (service: PricedService) => ({ ...measureOf(service, place), difficulty: place.difficulty })
  const frequency = frequencyOf(request.recurrence)
  const byRule = services.map((service) => priceFor(service.priceRule, { ...factsOf(service), frequency }).cents)
  const fixed =
    request.priceMode === 'fixed'
      ? allocateCents(
          request.fixedPriceCents ?? 0,
          byRule.map((cents, index) => cents ?? services[index]?.priceRule.minCents ?? 1),
        )
      : null
  const prices = fixed ?? byRule
  const minutes = services.map((service) => minutesFor(service.timeRule, factsOf(service)).minutes)
  const known = prices.every((cents) => cents !== null)
  const reason: BatchReason | null = excluded.has(place.propertyId)
    ? 'excluded'
    : place.archived
      ? 'archived'
      : place.hasJob
        ? 'has_job'
        : !known
          ? missing[services.find((_, index) => prices[index] === null)?.measuredBy ?? 'lawn']
          : !place.hasPin && !request.includeWithoutPin
            ? 'no_pin'
            : null
  const { difficulty: _difficulty, hasPin: _hasPin, archived: _archived, hasJob: _hasJob, ...shown } = place
  return {
    ...shown,
    priceCents: known ? prices.reduce<number>((sum, cents) => sum + (cents ?? 0), 0) : null,
    minutes: minutes.every((m) => m !== null) ? minutes.reduce<number>((sum, m) => sum + (m ?? 0), 0) : null,
    reason,
    lines: services.map((service, index) => ({
      serviceId: service.id,
      description: '',
      quantity: 1,
      unitPriceCents: prices[index] ?? 0,
      budgetMinutes: budgetMinutesFor(service, factsOf(service)),
      recurrence: request.recurrence,
      onceOn: request.onceOn,
      ...(!fixed
        ? pricesAhead(
            prices[index] ?? 0,
            service.pricesAhead.filter(({ booked }) => booked),
            { ...factsOf(service), frequency },
          )
        : {}),
    })),
  }
}

const daysOf = (request: BatchRequest, calendar: Calendar): { days: Day[]; firstOn: Day | null } => {
  if (!request.recurrence) return { days: request.onceOn ? [request.onceOn] : [], firstOn: request.onceOn }
  const from = [request.startOn, calendar.today].sort()[1] as Day
  const horizon = horizonOf(from, [request], calendar.season)
  const to = request.endOn !== null && request.endOn < horizon ? request.endOn : horizon
  const days = occurrences(request.recurrence, { ...calendar, from, to }).map((o) => o.day)
  const first = days[0] ?? nextOccurrence(request.recurrence, from, calendar)?.day ?? null
  return { days, firstOn: first !== null && request.endOn !== null && first > request.endOn ? null : first }
}

/**
 * What a batch would make: an item per property with price and minutes, or the reason why no job would be made there. Exceptions first.
 * @throws AppError not_found for a service or property of another business
 */
export const planBatch = async (db: TenantDb, request: BatchRequest): Promise<Plan> => {
  const calendar = await getCalendar(db)
  if (request.onceOn !== null && request.onceOn < calendar.today)
    throw invalid([{ path: 'onceOn', message: 'This day is past.' }])
  const found = await getServices(db, request.serviceIds)
  const services = [...new Set(request.serviceIds)].flatMap((id) => found.filter((s) => s.id === id))
  const archived = services.find((s) => s.archivedAt !== null)
  if (archived) throw conflict(`${archived.name} is archived. Restore it to book it again.`)
  const propertyIds =
    request.propertyIds ??
    (request.customerFilter ? (await listPropertyIdsTx(db, request.customerFilter)).map((p) => p.propertyId) : [])
  const places = await placesOf(
    db,
    propertyIds,
    services.map((s) => s.id),
  )
  if (request.propertyIds && places.length !== new Set(request.propertyIds).size) throw notFound('property')
  const excluded = new Set(request.exceptPropertyIds)
  const all = places.map((place) => itemOf(place, services, request, excluded))
  const items = [...all.filter((i) => i.reason !== null), ...all.filter((i) => i.reason === null)]
  const good = items.filter((i) => i.reason === null)
  const byReason: Partial<Record<BatchReason, number>> = {}
  for (const { reason } of items) if (reason !== null) byReason[reason] = (byReason[reason] ?? 0) + 1
  const { days, firstOn } = daysOf(request, calendar)
  return {
    title: services
      .map((s) => s.name)
      .join(', ')
      .slice(0, 160),
    items,
    days: days.slice(0, 6),
    totals: {
      properties: items.length,
      jobs: good.length,
      exceptions: items.length - good.length,
      roundCents: good.reduce((sum, i) => sum + (i.priceCents ?? 0), 0),
      roundMinutes: good.reduce((sum, i) => sum + i.lines.reduce((m, line) => m + line.budgetMinutes, 0), 0),
      visitsPerJob: days.length,
      firstOn,
      byReason,
    },
  }
}

/** How far a batch is. @throws AppError not_found */
export const getBatch = async (db: TenantDb, id: string): Promise<BatchState> => {
  const row = await db
    .selectFrom('jobBatches')
    .select(['id', 'status', 'total', 'done', 'error'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('batch')
  return row
}
