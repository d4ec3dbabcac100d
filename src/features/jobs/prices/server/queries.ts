import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { lineCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import type { Reach } from '../../../messages/server/reach/queries.ts'
import { type MeasuredBy, measureOf } from '../../../services/measures/rules.ts'
import { type PriceRule, priceFor, priceRuleProblem, raisedCents, raisedRule } from '../../../services/rules.ts'
import { getServices, listRules, type PricedService } from '../../../services/server/queries.ts'
import { type OpenLineVisit, openLineVisits } from '../../../visits/server/queries.ts'
import { frequencyOf, type Recurrence } from '../../rules.ts'
import type { PriceChange, PriceChangeDraft, PriceChangePreview } from '../contract.ts'
import {
  followsBook,
  monthlyCents,
  nextStepAfter,
  overtakenWords,
  type PriceStep,
  priceOn,
  stepsOf,
  undoChangeRefusal,
} from '../rules.ts'
import { waysOf } from './ways.ts'
import { noticeText } from './words.ts'

const shown = 200
/** So long a notice of new prices waits, so that taking the change back recalls it. */
export const recallMinutes = 5
export const leavesAt = (): string => new Date(clock.nowMs() + recallMinutes * 60_000).toISOString()

/** Lines of jobs that are no history yet: of services, or certain ones. */
export const bookedLines = async (db: TenantDb, by: 'serviceId' | 'id', ids: readonly string[]) => {
  const rows = await db
    .selectFrom('jobLines as l')
    .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'l.businessId').onRef('j.id', '=', 'l.jobId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
    )
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'))
    .innerJoin('services as s', (x) => x.onRef('s.businessId', '=', 'l.businessId').onRef('s.id', '=', 'l.serviceId'))
    .where('l.businessId', '=', db.businessId)
    .where(`l.${by}`, 'in', [...ids])
    .where('l.archivedAt', 'is', null)
    .where('j.archivedAt', 'is', null)
    .where('j.status', 'in', ['draft', 'active', 'paused'])
    .select([
      'l.id as lineId',
      'l.serviceId',
      's.name as serviceName',
      's.nameEs as serviceNameEs',
      'l.quantity',
      'l.unitPriceCents',
      'l.nextUnitPriceCents',
      'l.nextPriceOn',
      'l.laterPrices',
      'l.recurrence',
      'l.onceOn',
      'j.status',
      'j.billing',
      'j.endOn',
      'j.pausedUntil',
      'j.id as jobId',
      'j.number as jobNumber',
      'j.customerId',
      'c.name as customerName',
      'c.language',
      'p.street',
      'p.lawnSquareFeet',
      'p.difficulty',
      's.measuredBy',
      bedSquareFeetOf('p').as('bedSquareFeet'),
      edgeFeetOf('p').as('edgeFeet'),
    ])
    .orderBy('l.id')
    .execute()
  return rows.map((row) => ({
    ...row,
    laterPrices: row.laterPrices as unknown as PriceStep[],
    recurrence: row.recurrence as Recurrence | null,
    measuredBy: row.measuredBy as MeasuredBy,
  }))
}
export type Booked = Awaited<ReturnType<typeof bookedLines>>[number]
export type ChangedLine = Booked & {
  beforeCents: number
  afterCents: number
  /** The day from which another price holds again. */
  until: Day | null
  visits: OpenLineVisit[]
}

export type PricePlan = {
  services: { service: PricedService; after: PriceRule }[]
  lines: ChangedLine[]
  own: (Booked & { beforeCents: number })[]
  ownVisits: number
}

const rulesOf = async (db: TenantDb, draft: PriceChangeDraft): Promise<PricePlan['services']> => {
  const wished = draft.raise?.serviceIds ?? draft.rules.map((rule) => rule.serviceId)
  if (new Set(wished).size !== wished.length)
    throw invalid([{ path: 'rules', message: 'A service stands here twice.' }])
  const services = await getServices(db, wished, draft.fromOn)
  return services.map((service) => {
    if (draft.raise) return { service, after: raisedRule(service.priceRule, draft.raise.by) }
    const { priceRule, version } = draft.rules.find((rule) => rule.serviceId === service.id)!
    const problem = priceRuleProblem(priceRule)
    if (problem) throw invalid([problem])
    if (version !== service.version)
      throw conflict(`Somebody changed ${service.name} meanwhile. Nothing was changed; open it again and look.`)
    return { service, after: priceRule }
  })
}

/** A service has one change of a day to come: of two, nobody could say which price holds. */
const refuseSecondAhead = async (
  db: TenantDb,
  serviceIds: readonly string[],
  { fromOn, today }: { fromOn: Day; today: Day },
): Promise<void> => {
  if (fromOn <= today) return
  const ahead = await db
    .selectFrom('servicePrices as r')
    .innerJoin('services as s', (x) => x.onRef('s.businessId', '=', 'r.businessId').onRef('s.id', '=', 'r.serviceId'))
    .where('r.businessId', '=', db.businessId)
    .where('r.serviceId', 'in', [...serviceIds])
    .where('r.undoneAt', 'is', null)
    .where('r.fromOn', '=', fromOn)
    .select(['s.name', 'r.fromOn'])
    .executeTakeFirst()
  if (ahead)
    throw conflict(
      `${ahead.name} already gets a new price on ${formatDay(ahead.fromOn)}. Undo that change first. Nothing was changed.`,
    )
}

/** What a change of prices comes to, from the rows as they are now. @throws AppError validation_failed, not_found, state_conflict */
export const planPrices = async (db: TenantDb, draft: PriceChangeDraft): Promise<PricePlan> => {
  const today = await todayOf(db)
  if (draft.fromOn < today)
    throw invalid([{ path: 'fromOn', message: 'This day is past. Prices change from today or later.' }])
  const services = await rulesOf(db, draft)
  const ids = services.map(({ service }) => service.id)
  await refuseSecondAhead(db, ids, { fromOn: draft.fromOn, today })
  const plan: PricePlan = { services, lines: [], own: [], ownVisits: 0 }
  if (draft.scope === 'new') return plan
  const versions = await listRules(db, ids)
  const left = new Set(draft.exceptCustomerIds)
  const booked = (await bookedLines(db, 'serviceId', ids)).filter((line) => !left.has(line.customerId))
  const visits = Map.groupBy(
    await openLineVisits(
      db,
      booked.map((line) => line.lineId),
      draft.fromOn,
    ),
    (visit) => visit.jobLineId,
  )
  for (const line of booked) {
    // Until a day to come the line may be other work, which has its own price.
    const until = nextStepAfter(line, draft.fromOn)
    const found = (visits.get(line.lineId) ?? []).filter(
      (visit) => visit.serviceId === line.serviceId && (until === null || visit.day < until),
    )
    // Work of one day that is done, or comes before that day, keeps its price, and nobody has to hear of another.
    if (line.onceOn !== null && line.status !== 'draft' && found.length === 0) continue
    const facts = {
      ...measureOf(line, line),
      difficulty: line.difficulty,
      frequency: frequencyOf(line.recurrence),
    }
    const beforeCents = priceOn(line, draft.fromOn)
    const book = (versions.get(line.serviceId) ?? []).map((rule) => priceFor(rule, facts).cents)
    const after = services.find(({ service }) => service.id === line.serviceId)?.after
    const byBook = after && followsBook(beforeCents, book) ? priceFor(after, facts).cents : null
    const afterCents =
      byBook ?? (draft.raise && draft.ownPrices === 'raise' ? raisedCents(beforeCents, draft.raise.by) : null)
    // One that gets a price of its own on that very day keeps it: of two, nobody could say which holds.
    const taken = draft.fromOn > today && stepsOf(line).some(({ on }) => on === draft.fromOn)
    if (afterCents === null || taken) plan.own.push({ ...line, beforeCents })
    else if (afterCents !== beforeCents) {
      // A visit that somebody priced by hand keeps that price.
      const same = found.filter((visit) => visit.unitPriceCents === beforeCents)
      plan.ownVisits += found.length - same.length
      // One day's work that is done already is not changed any more.
      if (line.recurrence === null && same.length === 0 && found.length > 0) continue
      plan.lines.push({ ...line, beforeCents, afterCents, until, visits: same })
    }
  }
  return plan
}

export const visitCountOf = (plan: PricePlan): number =>
  new Set(plan.lines.flatMap((line) => line.visits.map((visit) => visit.visitId))).size

export type Sums = Pick<
  PriceChangePreview,
  'jobs' | 'visits' | 'visitsBeforeCents' | 'visitsAfterCents' | 'beforeCents' | 'afterCents'
>

export const sumsOf = (plan: PricePlan): Sums => {
  const visitCents = (at: 'beforeCents' | 'afterCents') =>
    plan.lines.reduce(
      (sum, line) => sum + line.visits.reduce((part, visit) => part + lineCents(visit.quantity, line[at]), 0),
      0,
    )
  const monthCents = (at: 'beforeCents' | 'afterCents') =>
    plan.lines.reduce((sum, line) => sum + monthlyCents(line, line[at]), 0)
  return {
    jobs: new Set(plan.lines.map((line) => line.jobId)).size,
    visits: visitCountOf(plan),
    visitsBeforeCents: visitCents('beforeCents'),
    visitsAfterCents: visitCents('afterCents'),
    beforeCents: monthCents('beforeCents'),
    afterCents: monthCents('afterCents'),
  }
}

export const languageOf = (line: { language: string | null }): 'en' | 'es' => (line.language === 'es' ? 'es' : 'en')

/** Lines by customer, how each is reached, and what they would read as a text. */
export const customersOf = async (
  db: TenantDb,
  plan: PricePlan,
  { kind, fromOn }: { kind: string; fromOn: Day },
): Promise<{ customerId: string; lines: ChangedLine[]; reach: Reach; text: string }[]> => {
  const { name: business } = await db
    .selectFrom('businesses')
    .select('name')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const writtenOn = await todayOf(db)
  const groups = new Map(
    [...Map.groupBy(plan.lines, (line) => line.customerId)].map(([customerId, lines]) => {
      const language = languageOf(lines[0] ?? { language: null })
      const text = noticeText(kind, business, {
        name: lines[0]?.customerName ?? '',
        fromOn,
        writtenOn,
        lines,
        language,
      })
      return [customerId, { lines, text }]
    }),
  )
  const ways = await waysOf(db, [...groups.keys()], (id) => groups.get(id)?.text ?? '', leavesAt())
  return [...groups].map(([customerId, { lines, text }]) => ({
    ...{ customerId, lines, text },
    reach: ways.get(customerId)!,
  }))
}

const workOf = (line: Booked & { beforeCents: number }) => ({
  lineId: line.lineId,
  jobId: line.jobId,
  jobNumber: line.jobNumber,
  customerId: line.customerId,
  customerName: line.customerName,
  street: line.street,
  serviceName: line.serviceName,
  beforeCents: line.beforeCents,
})

/** The count before anything is changed. */
export const previewPrices = async (db: TenantDb, draft: PriceChangeDraft): Promise<PriceChangePreview> => {
  const plan = await planPrices(db, draft)
  const found = await customersOf(db, plan, { kind: 'rule', fromOn: draft.fromOn })
  const customers = found
    .map(({ customerId, lines, reach, text }) => ({
      customerId,
      name: lines[0]?.customerName ?? '',
      visits: new Set(lines.flatMap((line) => line.visits.map((visit) => visit.visitId))).size,
      beforeCents: lines.reduce((sum, line) => sum + monthlyCents(line, line.beforeCents), 0),
      afterCents: lines.reduce((sum, line) => sum + monthlyCents(line, line.afterCents), 0),
      lines: lines.map((line) => ({ ...workOf(line), afterCents: line.afterCents })),
      way: reach.channel,
      noWay: reach.channel === null ? reach.reason : null,
      step: Math.max(...lines.map((line) => Math.abs(line.afterCents - line.beforeCents))),
      text,
    }))
    .sort(
      (a, b) =>
        Math.abs(b.afterCents - b.beforeCents) - Math.abs(a.afterCents - a.beforeCents) ||
        b.step - a.step ||
        (a.name < b.name ? -1 : 1),
    )
  return {
    services: plan.services.map(({ service, after }) => ({
      serviceId: service.id,
      name: service.name,
      before: service.priceRule,
      after,
    })),
    ...sumsOf(plan),
    customers: customers.slice(0, shown).map(({ step: _step, text: _text, ...customer }) => customer),
    customerCount: customers.length,
    reachable: customers.filter((customer) => customer.way !== null).length,
    own: plan.own.slice(0, shown).map(workOf),
    ownCount: plan.own.length,
    ownVisits: plan.ownVisits,
    notice: customers.find((customer) => customer.way !== null)?.text ?? null,
  }
}

/**
 * A newer change of one of the same services that holds over it by now; one of another day that is still to come stays beside it, whichever is taken
 * back. A service that was edited by itself since keeps that price whatever is undone. A letter has no service: what came after it and went by its price
 * for one of its lines would jump from the price before the letter, so that goes first, whatever its day.
 */
const newerChange = (today: Day) => sql<boolean>`(exists (select 1 from service_prices a
  join service_prices b on b.business_id = a.business_id and b.service_id = a.service_id and b.number > a.number and b.undone_at is null and b.change_id is not null
    and a.from_on <= b.from_on and b.from_on <= ${today}::date
  where a.business_id = c.business_id and a.change_id = c.id)
  or c.kind = 'letter' and exists (select 1 from price_change_lines a
    join price_change_lines b on b.business_id = a.business_id and b.job_line_id = a.job_line_id and b.before_cents = a.after_cents
    join price_changes d on d.business_id = b.business_id and d.id = b.change_id and d.undone_at is null and d.id <> c.id and d.created_at >= c.created_at
    where a.business_id = c.business_id and a.change_id = c.id))`

/** Notices of a change of prices by what became of them; one that was called back was stopped with a reason. */
const notices = (which: RawBuilder<SqlBool>) =>
  sql<number>`(select count(*)::int from messages m where m.business_id = c.business_id and m.entity_type = 'price_change'
    and m.entity_id = c.id and m.direction = 'outbound' and ${which})`

/** Called back, or true no more as it would have left. */
const recalled = sql<boolean>`(m.stopped_reason is not null or m.reason is not distinct from ${overtakenWords})`

const changes = (db: TenantDb, today: Day) =>
  db
    .selectFrom('priceChanges as c')
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 'c.businessId').onRef('u.id', '=', 'c.createdBy'))
    .where('c.businessId', '=', db.businessId)
    .select([
      'c.id',
      'c.kind',
      'c.scope',
      'c.fromOn',
      'c.serviceNames',
      'c.lineCount',
      'c.visitCount',
      'c.beforeCents',
      'c.afterCents',
      'c.toldCount',
      notices(sql`m.status in ('pending', 'held', 'sending')`).as('waitingCount'),
      notices(sql`m.status = 'suppressed' and ${recalled}`).as('recalledCount'),
      notices(sql`(m.status = 'failed' or (m.status = 'suppressed' and not ${recalled})) and not exists (
        select 1 from messages o where o.business_id = m.business_id and o.entity_type = m.entity_type and o.entity_id = m.entity_id
          and o.direction = 'outbound' and o.customer_id = m.customer_id and o.status not in ('failed', 'suppressed'))`).as(
        'missedCount',
      ),
      notices(sql`true`).as('writtenCount'),
      'c.createdAt',
      'c.undoneAt',
      'u.name as byName',
      newerChange(today).as('newer'),
    ])

type Row = Omit<PriceChange, 'canUndo'> & { newer: boolean; writtenCount: number }

/** What is not in the outbox yet waits, too; taken back before that, it is recalled. */
const asChange = ({ newer, writtenCount, ...row }: Row): PriceChange => {
  const unwritten = Math.max(0, row.toldCount - writtenCount)
  return {
    ...row,
    toldCount: Math.max(0, row.toldCount - unwritten - row.waitingCount - row.recalledCount - row.missedCount),
    waitingCount: row.waitingCount + (row.undoneAt === null ? unwritten : 0),
    recalledCount: row.recalledCount + (row.undoneAt === null ? 0 : unwritten),
    canUndo: undoChangeRefusal({ undoneAt: row.undoneAt, newer }) === null,
  }
}

/** The newest changes of prices, or the newest letters among them. */
export const listPriceChanges = async (
  db: TenantDb,
  { only, limit }: { only: 'letter' | null; limit: number } = { only: null, limit: 50 },
): Promise<PriceChange[]> => {
  let found = changes(db, await todayOf(db))
  if (only) found = found.where('c.kind', '=', only)
  return (await found.orderBy('c.createdAt', 'desc').orderBy('c.id', 'desc').limit(limit).execute()).map(asChange)
}

/** @throws AppError not_found */
export const getPriceChange = async (db: TenantDb, id: string): Promise<PriceChange> => {
  const row = await changes(db, await todayOf(db))
    .where('c.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('price change')
  return asChange(row)
}
