import { sql } from 'kysely'
import type { z } from 'zod'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { type LetterFacts, letterReason, letterReasonText, paperDays } from '../../../jobs/letters/rules.ts'
import {
  getNotice,
  lettersOf,
  linesOnPlans,
  listPaper,
  planLetter,
  sealOf,
} from '../../../jobs/letters/server/queries.ts'
import { withoutOutliers } from '../../../jobs/minutes/rules.ts'
import { monthlyCents, nextStepAfter, type PriceStep, priceOn } from '../../../jobs/prices/rules.ts'
import { listPriceChanges, sumsOf } from '../../../jobs/prices/server/queries.ts'
import type { Recurrence } from '../../../jobs/rules.ts'
import { ruleOn } from '../../../services/prices/server/queries.ts'
import { type PriceRule, raiseStepCents } from '../../../services/rules.ts'
import { isClocked, isSameWork } from '../../../visits/clocked/server/queries.ts'
import { lineParts } from '../../rollups/server/counting.ts'
import { laborSeconds } from '../../worth/server/queries.ts'
import type { LetterPreview, LowLawn, LowLawns, lawnsApi } from '../contract.ts'
import {
  earnedAt,
  type LawnFacts,
  type LawnPrices,
  lawnDays,
  leastLawnVisits,
  suggestedCents,
  usualLawnPeriod,
} from '../rules.ts'

const shown = 200
const shownLeft = 100
const shownLetters = 10

type Row = Omit<
  LowLawn,
  'completions' | 'laborMinutes' | 'unitPriceCents' | 'earnedCents' | 'suggestedCents' | 'monthCents'
> & {
  /** Of each visit. */
  seconds: number[]
  unitPriceCents: number
  nextUnitPriceCents: number | null
  nextPriceOn: Day | null
  laterPrices: PriceStep[]
  recurrence: Recurrence | null
  billing: string
  isOver: boolean
  rests: boolean
  endOn: Day | null
  priceRule: PriceRule
}

/**
 * Lines of jobs with the labor of their finished visits of a span; of a visit with several services each has its part by the planned minutes. What was
 * finished without a clock, or was other work than the line is now, tells nothing of its price.
 */
const workedLines = async (
  db: TenantDb,
  from: Day,
  to: Day,
  propertyIds: readonly string[] | undefined,
): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    with work as materialized (
      select v.id, true as done, ${laborSeconds}::int8 as labor_seconds from visits v
      where v.business_id = ${db.businessId} and v.status = 'completed' and v.day between ${from}::date and ${to}::date and ${isClocked('v')}
        ${propertyIds ? sql`and v.property_id = any(${[...propertyIds]}::uuid[])` : sql``}),
    ${lineParts(db)},
    labor as (
      select k.job_line_id as id, jsonb_agg(round(labor_seconds * time_to) - round(labor_seconds * (time_to - time))) as seconds
      from parts join visit_lines k on k.business_id = ${db.businessId} and k.id = line_id
      join job_lines o on o.business_id = ${db.businessId} and o.id = k.job_line_id and ${isSameWork('k', 'o')}
      group by k.job_line_id)
    select l.id as "lineId", j.id as "jobId", j.number as "jobNumber", j.customer_id as "customerId", c.name as "customerName",
      j.property_id as "propertyId", p.street,
      services.name as "serviceName", a.seconds, l.quantity::float8 as quantity, l.unit_price_cents as "unitPriceCents",
      l.next_unit_price_cents as "nextUnitPriceCents", l.next_price_on as "nextPriceOn", l.later_prices as "laterPrices", l.recurrence, j.billing,
      (j.status not in ('active', 'paused') or l.archived_at is not null or j.archived_at is not null) as "isOver",
      (j.status = 'paused' and j.paused_until is null) as rests, j.end_on as "endOn",
      ${ruleOn(to)} as "priceRule"
    from labor a
    join job_lines l on l.business_id = ${db.businessId} and l.id = a.id
    join jobs j on j.business_id = l.business_id and j.id = l.job_id
    join customers c on c.business_id = j.business_id and c.id = j.customer_id
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    join services on services.business_id = l.business_id and services.id = l.service_id
    where l.unit_price_cents > 0 or l.next_unit_price_cents > 0`.execute(db)
  return rows
}

type Query = z.output<(typeof lawnsApi)['list']['query']>
type Judged = Row &
  Pick<LawnFacts, 'completions' | 'laborSeconds'> & { facts: LawnFacts; suggested: number; earned: number }

/** Each line that earns less than the target at the price that it has, or is to have; and all of which enough is known. */
const judge = (
  rows: readonly Row[],
  targetCents: number,
  today: Day,
): { low: Judged[]; told: Row[]; coming: (Row & { fromOn: Day })[] } => {
  const low: Judged[] = []
  const told: Row[] = []
  const coming: (Row & { fromOn: Day })[] = []
  for (const row of rows) {
    // A clock that was forgotten once is no reason to raise anybody.
    const kept = withoutOutliers(row.seconds)
    const work = { completions: kept.length, laborSeconds: kept.reduce((sum, one) => sum + one, 0) }
    const facts = { ...work, quantity: row.quantity, unitPriceCents: priceOn(row, '9999-12-31') }
    const earned = earnedAt(facts, facts.unitPriceCents)
    if (earned === null) continue
    told.push(row)
    const suggested = suggestedCents(facts, targetCents, raiseStepCents(row.priceRule))
    if (suggested !== null) low.push({ ...row, ...work, facts, suggested, earned })
    const fromOn = nextStepAfter(row, today)
    if (fromOn !== null && suggested === null && (earnedAt(facts, priceOn(row, today)) ?? targetCents) < targetCents)
      coming.push({ ...row, fromOn })
  }
  return { low, told, coming }
}

const shownOf = ({ facts, earned, ...row }: Judged) => ({
  ...{ lineId: row.lineId, jobId: row.jobId, jobNumber: row.jobNumber, customerId: row.customerId },
  ...{
    customerName: row.customerName,
    propertyId: row.propertyId,
    street: row.street,
    serviceName: row.serviceName,
    quantity: row.quantity,
  },
  completions: row.completions,
  laborMinutes: Math.round(row.laborSeconds / 60 / row.completions),
  unitPriceCents: facts.unitPriceCents,
  earnedCents: earned,
})

/** Lawns that earn less than the target, and what of them gets no letter with why. @param propertyIds of these alone */
const sortLawns = async (db: TenantDb, period: Query['period'], propertyIds?: readonly string[]) => {
  const { noticeDays, earliestOn, today } = await getNotice(db)
  const from = addDays(today, 1 - lawnDays[period])
  const { targetLaborHourCents } = await db
    .selectFrom('businesses')
    .select('targetLaborHourCents')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const { low, told, coming } = judge(await workedLines(db, from, today, propertyIds), targetLaborHourCents, today)
  const onPlans = await linesOnPlans(
    db,
    low.map((one) => one.lineId),
  )
  const items: LowLawn[] = []
  const left: LowLawns['left'] = []
  for (const one of low) {
    const facts: LetterFacts = {
      ...{
        isOver: one.isOver,
        rests: one.rests,
        recurs: one.recurrence !== null,
        billing: one.billing,
        endOn: one.endOn,
      },
      onPlan: onPlans.has(one.lineId),
      newPriceOn: nextStepAfter(one, today),
    }
    const reason = letterReason(facts, earliestOn)
    if (reason) left.push({ ...shownOf(one), reason, why: letterReasonText(reason, facts.newPriceOn) })
    else if (one.completions < leastLawnVisits)
      left.push({ ...shownOf(one), reason: 'fewVisits', why: 'has 1 visit with a clock in these days' })
    else
      items.push({
        ...shownOf(one),
        suggestedCents: one.suggested,
        monthCents: monthlyCents(one, one.suggested) - monthlyCents(one, one.facts.unitPriceCents),
      })
  }
  return { known: { from, to: today, targetLaborHourCents, noticeDays, earliestOn }, told, coming, items, left }
}

/** What price letters say of these properties, of which enough is known: the same lines, visits and prices as on their own screen. */
export const pricesOfLawns = async (
  db: TenantDb,
  propertyIds: readonly string[],
): Promise<ReadonlyMap<string, LawnPrices>> => {
  if (propertyIds.length === 0) return new Map()
  const { told, coming, items, left } = await sortLawns(db, usualLawnPeriod, propertyIds)
  const [low, none] = [Map.groupBy(items, (one) => one.propertyId), Map.groupBy(left, (one) => one.propertyId)]
  const later = Map.groupBy(coming, (one) => one.propertyId)
  const comingOf = (id: string): LawnPrices['coming'] =>
    (later.get(id) ?? []).map((one) => ({
      unitPriceCents: priceOn(one, one.fromOn),
      quantity: one.quantity,
      fromOn: one.fromOn,
    }))
  const known = new Set(told.map((one) => one.propertyId))
  return new Map(
    [...known].map((id) => [id, { low: low.get(id) ?? [], left: none.get(id) ?? [], coming: comingOf(id) }]),
  )
}

/** Lawns that earn less than the target, what each would have to cost, and what of them gets no letter with why. */
export const listLowLawns = async (db: TenantDb, { period, propertyId }: Query): Promise<LowLawns> => {
  const { known, told, items, left } = await sortLawns(db, period, propertyId ? [propertyId] : undefined)
  const letters = await listPriceChanges(db, { only: 'letter', limit: shownLetters })
  const paper = await listPaper(
    db,
    letters.filter((one) => one.undoneAt === null && known.to <= addDays(one.fromOn, paperDays)).map((one) => one.id),
  )
  return {
    ...known,
    told: told.length,
    items: items.toSorted((a, b) => b.monthCents - a.monthCents || (a.lineId < b.lineId ? -1 : 1)).slice(0, shown),
    count: items.length,
    properties: new Set(items.map((one) => one.propertyId)).size,
    left: left.toSorted((a, b) => a.earnedCents - b.earnedCents || (a.lineId < b.lineId ? -1 : 1)).slice(0, shownLeft),
    leftCount: left.length,
    letters: letters.map((one) => {
      const { open = [], printedIds = [], printedAt = null, printedByName = null } = paper.get(one.id) ?? {}
      return { ...one, paper: open, printedCount: printedIds.length, printedAt, printedByName }
    }),
  }
}

/** What a letter would do and say; writes nothing. */
export const previewLetters = async (db: TenantDb, wish: Parameters<typeof planLetter>[1]): Promise<LetterPreview> => {
  const plan = await planLetter(db, wish)
  const letters = await lettersOf(db, plan, wish.fromOn)
  const { jobs: _, ...sums } = sumsOf(plan)
  return {
    letters,
    ...sums,
    ownVisits: plan.ownVisits,
    reached: letters.filter(({ channel }) => channel !== null).length,
    seal: sealOf(letters, plan, wish.fromOn),
  }
}
