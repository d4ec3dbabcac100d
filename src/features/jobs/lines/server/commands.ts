import { isDeepStrictEqual } from 'node:util'
import { hasPermission, type Who } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, type Day, formatDay } from '../../../../shared/dates.ts'
import { AppError, conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import { measureFirst, measureOf, noMeasureYet, type Sizes } from '../../../services/measures/rules.ts'
import { budgetMinutesFor, priceFor } from '../../../services/rules.ts'
import { getServices } from '../../../services/server/queries.ts'
import type { LineDraft } from '../../contract.ts'
import { type LinePrice, linePrice, type PriceStep, priceOn, pricesAhead, stepsOf } from '../../prices/rules.ts'
import { joinPriceChangesTx } from '../../prices/server/ahead.ts'
import { frequencyOf, type Recurrence } from '../../rules.ts'
import type { PlannedLine } from '../../schedule/server/queries.ts'
import type { Undated } from '../../undated/rules.ts'

/** The lines of a job: what they cost by the rules, and how they are written. */

export const lineRow = (line: PlannedLine) => ({
  serviceId: line.serviceId,
  description: line.description,
  quantity: line.quantity,
  unitPriceCents: line.unitPriceCents,
  budgetMinutes: line.budgetMinutes,
  recurrence: line.recurrence === null ? null : JSON.stringify(line.recurrence),
  onceOn: line.onceOn,
  undated: line.undated ? JSON.stringify(line.undated) : null,
  updatedAt: clock.iso(),
})

const moneyRefused = () =>
  new AppError(
    'forbidden',
    'Setting a price needs the permission for money. Leave the price to the rule, or ask the owner.',
  )

type Priced = Sizes & { difficulty: number }
type OldLine = {
  id: string
  serviceId: string
  description: string
  quantity: number
  /** On the day that is asked about. */
  unitPriceCents: number
  /** As it is written: it may cost another price from a day on. */
  price: LinePrice
  budgetMinutes: number
  onceOn: Day | null
  recurrence: Recurrence | null
  undated: Undated | null
}

/**
 * Prices lines by rule where no price was given. A price is for who may handle money to give: were the right one taken from others,
 * they could guess it.
 */
export const priceLines = async (
  db: TenantDb,
  who: Who,
  place: Priced,
  drafts: readonly LineDraft[],
  old: ReadonlyMap<string, OldLine> = new Map(),
): Promise<(PlannedLine & { id: string | undefined })[]> => {
  const money = who.kind === 'system' || hasPermission(who, 'money')
  if (!money && drafts.some((line) => line.unitPriceCents !== undefined || line.dropsNextPrice)) throw moneyRefused()
  const services = new Map(
    (
      await getServices(
        db,
        drafts.map((line) => line.serviceId),
      )
    ).map((s) => [s.id, s]),
  )
  return drafts.map((line, index) => {
    const service = services.get(line.serviceId)
    const before = line.id === undefined ? undefined : old.get(line.id)
    if (!service || (line.id !== undefined && !before)) throw notFound(service ? 'line' : 'service')
    if (service.archivedAt !== null && !before)
      throw conflict(`${service.name} is archived. Restore it to book it again.`)
    const measured = { ...measureOf(service, place), difficulty: place.difficulty }
    const facts = { ...measured, frequency: frequencyOf(line.recurrence) }
    const rule = priceFor(service.priceRule, facts)
    const kept = before?.serviceId === line.serviceId ? before : undefined
    const unitPriceCents = line.unitPriceCents ?? kept?.unitPriceCents ?? rule.cents
    if (unitPriceCents === null)
      throw invalid([
        {
          path: `lines.${index}.unitPriceCents`,
          message: `${noMeasureYet[service.measuredBy]} ${measureFirst[service.measuredBy]}, ${
            money ? 'or type a price.' : 'so that the rule can price the work.'
          }`,
        },
      ])
    return {
      id: line.id,
      serviceId: line.serviceId,
      description: line.description,
      quantity: line.quantity,
      unitPriceCents,
      budgetMinutes:
        line.budgetMinutes ??
        kept?.budgetMinutes ??
        budgetMinutesFor(service, { ...measured, quantity: line.quantity }),
      recurrence: inItsWeeks(line, before),
      onceOn: line.onceOn,
      undated: line.undated,
      // New work gets a raise that is entered already as booked work gets it. A season is put on far ahead: its rounds take what the book says.
      ...(!kept && line.unitPriceCents === undefined
        ? pricesAhead(
            unitPriceCents,
            service.pricesAhead.filter(({ booked }) => booked || line.undated?.kind === 'step'),
            facts,
          )
        : {}),
    }
  })
}

/** The new rule of a line in the weeks that it always counted: biweekly work changes between A and B only when that is what was asked for. */
const inItsWeeks = (line: LineDraft, before: OldLine | undefined): Recurrence | null =>
  line.recurrence && before?.recurrence && !line.movesPhase
    ? { ...line.recurrence, phaseOn: before.recurrence.phaseOn }
    : line.recurrence

export const lockPlace = async (db: TenantDb, propertyId: string) => {
  const place = await db
    .selectFrom('properties')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.businessId', '=', 'properties.businessId')
        .onRef('customers.id', '=', 'properties.customerId'),
    )
    .where('properties.businessId', '=', db.businessId)
    .where('properties.id', '=', propertyId)
    .select([
      'properties.customerId',
      'properties.lawnSquareFeet',
      'properties.difficulty',
      'properties.archivedAt',
      'customers.archivedAt as customerArchivedAt',
      bedSquareFeetOf('properties').as('bedSquareFeet'),
      edgeFeetOf('properties').as('edgeFeet'),
    ])
    .forShare('properties')
    .executeTakeFirst()
  if (!place) throw notFound('property')
  return place
}

/** So far ahead a job is planned at the most: every visit up to there is made. */
export const farthestDays = 400

/** @throws AppError validation_failed for a day that is farther ahead than work is planned */
export const checkFar = (day: Day | null | undefined, today: Day, path: string): void => {
  if (day && day > addDays(today, farthestDays))
    throw invalid([
      {
        path,
        message: `At most ${farthestDays} days ahead: ${formatDay(addDays(today, farthestDays), { year: true })} or sooner.`,
      },
    ])
}

export type Span = { startOn: Day; endOn: Day | null }

/** A single day lies within the job, and what is new does not lie in the past unless asked. */
export const checkDays = (
  { startOn, endOn }: Span,
  lines: readonly { id?: string | undefined; onceOn: Day | null }[],
  { today, earliest = today }: { today: Day; earliest?: Day | null },
  before: ReadonlyMap<string, OldLine> = new Map(),
): void => {
  if (endOn !== null && endOn < startOn) throw invalid([{ path: 'endOn', message: 'The end comes before the start.' }])
  for (const [index, { id, onceOn }] of lines.entries()) {
    if (onceOn === null || (id !== undefined && before.get(id)?.onceOn === onceOn)) continue
    const path = `lines.${index}.onceOn`
    checkFar(onceOn, today, path)
    if (earliest !== null && onceOn < earliest) throw invalid([{ path, message: 'This day is past.' }])
    if (onceOn < startOn) throw invalid([{ path, message: 'This day is before the start of the job.' }])
    if (endOn !== null && onceOn > endOn) throw invalid([{ path, message: 'This day is after the end of the job.' }])
  }
}

/** The lines that a job has now, by id, with their prices of a day. */
export const linesBefore = async (db: TenantDb, jobId: string, day: Day): Promise<ReadonlyMap<string, OldLine>> => {
  const old = await db
    .selectFrom('jobLines')
    .select(['id', 'serviceId', 'description', 'quantity', 'budgetMinutes'])
    .select(['unitPriceCents', 'nextUnitPriceCents', 'nextPriceOn', 'laterPrices', 'onceOn', 'recurrence', 'undated'])
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where('archivedAt', 'is', null)
    .execute()
  return new Map(
    old.map(({ nextUnitPriceCents, nextPriceOn, laterPrices: later, ...line }) => {
      const laterPrices = later as unknown as PriceStep[]
      const price = { unitPriceCents: line.unitPriceCents, nextUnitPriceCents, nextPriceOn, laterPrices }
      return [
        line.id,
        {
          ...line,
          unitPriceCents: priceOn(price, day),
          price,
          recurrence: line.recurrence as Recurrence | null,
          undated: line.undated as Undated | null,
        },
      ]
    }),
  )
}

/** A price that holds from a day on: a line knows two, what lies between is kept with the terms of the job until then. */
const priceFrom = (old: LinePrice | undefined, cents: number, { today, fromOn }: Counts): LinePrice =>
  !old || fromOn <= today || priceOn(old, today) === cents || stepsOf(old).some(({ on }) => on > today && on < fromOn)
    ? linePrice(cents)
    : linePrice(priceOn(old, today), [{ on: fromOn, cents }])

const aheadOf = ({ nextUnitPriceCents, nextPriceOn, laterPrices }: PlannedLine) => ({
  nextUnitPriceCents,
  nextPriceOn,
  laterPrices,
})

/** From when on a change counts. */
type Counts = { today: Day; fromOn: Day }

/** Writes the whole new list: lines with an id are changed, others added, missing ones end. */
export const writeLinesTx = async (
  db: TenantDb,
  who: Who,
  job: Span & { id: string; propertyId: string },
  drafts: readonly LineDraft[],
  counts: Counts,
) => {
  const jobId = job.id
  const before = await linesBefore(db, jobId, counts.today)
  checkDays(job, drafts, counts, before)
  const lines = await priceLines(db, who, await lockPlace(db, job.propertyId), drafts, before)
  const now = clock.iso()
  for (const [position, { id, ...line }] of lines.entries()) {
    const old = id === undefined ? undefined : before.get(id)
    const sameRule = old !== undefined && isDeepStrictEqual(old.recurrence, line.recurrence)
    // Who leaves the price as it is leaves what it will be, too.
    const price: LinePrice =
      old &&
      !drafts[position]?.dropsNextPrice &&
      old.serviceId === line.serviceId &&
      old.unitPriceCents === line.unitPriceCents
        ? old.price
        : {
            ...priceFrom(old?.price, line.unitPriceCents, counts),
            ...(line.nextPriceOn && (!old || counts.fromOn <= counts.today) ? aheadOf(line) : {}),
          }
    // Under another rule the open day is found anew, once that rule holds.
    const row = {
      ...lineRow(line),
      ...price,
      laterPrices: JSON.stringify(price.laterPrices ?? []),
      position,
      ...(sameRule || counts.fromOn > counts.today ? {} : { dueOn: null }),
    }
    if (id === undefined)
      await db
        .insertInto('jobLines')
        .values({ businessId: db.businessId, id: newId(), jobId, ...row, createdAt: now })
        .execute()
    else
      await db.updateTable('jobLines').set(row).where('businessId', '=', db.businessId).where('id', '=', id).execute()
  }
  if (lines.some((line) => line.nextPriceOn)) await joinPriceChangesTx(db, [jobId])
  const kept = new Set(lines.map((line) => line.id))
  const gone = [...before.keys()].filter((id) => !kept.has(id))
  if (gone.length > 0)
    await db
      .updateTable('jobLines')
      .set({ archivedAt: now, updatedAt: now })
      .where('businessId', '=', db.businessId)
      .where('id', 'in', gone)
      .execute()
}
