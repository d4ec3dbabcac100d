import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, formatDay } from '../../../../shared/dates.ts'
import { type AppError, conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { openLineVisits } from '../../../visits/server/queries.ts'
import { farthestDays } from '../../lines/server/commands.ts'
import { nextStepAfter, priceOn } from '../../prices/rules.ts'
import { type Booked, bookedLines, customersOf, languageOf, type PricePlan } from '../../prices/server/queries.ts'
import { type LetterFacts, letterReason, letterReasonText } from '../rules.ts'
import { letterParagraphs } from './templates.ts'

export { listPaper } from './paper.ts'

/** A new price for a unit of a line. */
export type LetterLine = { lineId: string; toCents: number }

const businessOf = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select(['name', 'phone', 'letterNoticeDays'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

/** How long before customers hear of a new price, and the first day that one may be about. */
export const getNotice = async (db: TenantDb): Promise<{ noticeDays: number; earliestOn: Day; today: Day }> => {
  const [{ letterNoticeDays: noticeDays }, today] = [await businessOf(db), await todayOf(db)]
  return { noticeDays, earliestOn: addDays(today, Math.max(1, noticeDays)), today }
}

/** Which of these lines count against a billing plan that runs. */
export const linesOnPlans = async (db: TenantDb, lineIds: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ id: string }>`
    select distinct l.job_line_id as id from billing_plan_lines l
    join billing_plans b on b.business_id = l.business_id and b.id = l.plan_id and b.status = 'active'
    where l.business_id = ${db.businessId} and l.job_line_id = any(${[...lineIds]}::uuid[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

const factsOf = (line: Booked, onPlan: boolean, today: Day): LetterFacts => ({
  isOver: false,
  rests: line.status === 'paused' && line.pausedUntil === null,
  recurs: line.recurrence !== null,
  billing: line.billing,
  onPlan,
  newPriceOn: nextStepAfter(line, today),
  endOn: line.endOn,
})

const checkDay = async (db: TenantDb, fromOn: Day): Promise<Day> => {
  const { noticeDays, earliestOn, today } = await getNotice(db)
  const say = (message: string) => invalid([{ path: 'fromOn', message }])
  if (fromOn < earliestOn)
    throw say(
      noticeDays > 1
        ? `Customers hear of a price ${noticeDays} days before: choose ${formatDay(earliestOn, { year: true })} or later.`
        : 'Choose a day that is still to come.',
    )
  if (fromOn > addDays(today, farthestDays)) throw say(`At most ${farthestDays} days ahead.`)
  return today
}

/** Why a line is not booked work any more: its job is over, with whose it is; or there is none. */
const overOrGone = async (db: TenantDb, lineId: string): Promise<AppError> => {
  const one = await db
    .selectFrom('jobLines as l')
    .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'l.businessId').onRef('j.id', '=', 'l.jobId'))
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
    )
    .where('l.businessId', '=', db.businessId)
    .where('l.id', '=', lineId)
    .select(['c.name', 'p.street'])
    .executeTakeFirst()
  return one
    ? conflict(`${one.name}, ${one.street}: ${letterReasonText('over', null)}. Nothing was changed.`)
    : notFound('job')
}

/**
 * What a price letter comes to, from the rows as they are now.
 * @throws AppError not_found, validation_failed for a day without its notice or a price that is no raise, state_conflict for work whose price is agreed
 */
export const planLetter = async (
  db: TenantDb,
  { fromOn, lines }: { fromOn: Day; lines: readonly LetterLine[] },
): Promise<PricePlan> => {
  const today = await checkDay(db, fromOn)
  const ids = lines.map((line) => line.lineId)
  if (new Set(ids).size !== ids.length) throw invalid([{ path: 'lines', message: 'A lawn stands here twice.' }])
  const booked = new Map((await bookedLines(db, 'id', ids)).map((line) => [line.lineId, line]))
  const onPlan = await linesOnPlans(db, ids)
  const visits = Map.groupBy(await openLineVisits(db, ids, fromOn), (visit) => visit.jobLineId)
  const plan: PricePlan = { services: [], lines: [], own: [], ownVisits: 0 }
  for (const [at, { lineId, toCents }] of lines.entries()) {
    const line = booked.get(lineId)
    if (!line) throw await overOrGone(db, lineId)
    const facts = factsOf(line, onPlan.has(lineId), today)
    const reason = letterReason(facts, fromOn)
    if (reason)
      throw conflict(
        `${line.customerName}, ${line.street}: ${letterReasonText(reason, facts.newPriceOn)}. Nothing was changed.`,
      )
    const beforeCents = priceOn(line, fromOn)
    if (toCents <= beforeCents)
      throw invalid([
        { path: `lines.${at}.toCents`, message: `More than ${formatCents(beforeCents)}: a letter only raises prices.` },
      ])
    const found = (visits.get(lineId) ?? []).filter((visit) => visit.serviceId === line.serviceId)
    const same = found.filter((visit) => visit.unitPriceCents === beforeCents)
    plan.ownVisits += found.length - same.length
    plan.lines.push({ ...line, beforeCents, afterCents: toCents, until: null, visits: same })
  }
  return plan
}

/** Every letter of a plan as its customer would read it, and by which way. */
export const lettersOf = async (db: TenantDb, plan: PricePlan, fromOn: Day) => {
  const business = await businessOf(db)
  const writtenOn = await todayOf(db)
  return (await customersOf(db, plan, { kind: 'letter', fromOn }))
    .map(({ customerId, lines, reach, text }) => {
      const [first] = lines
      const customerName = first?.customerName ?? ''
      const language = languageOf(first ?? { language: null })
      const told = { name: customerName, fromOn, writtenOn, lines }
      return {
        customerId,
        customerName,
        language,
        channel: reach.channel,
        reason: reach.channel === null ? reach.reason : null,
        quietUntil: reach.channel === null ? null : reach.quietUntil,
        text:
          reach.channel === 'sms'
            ? text
            : letterParagraphs(business, told, language, reach.channel === null).join('\n'),
      }
    })
    .toSorted((a, b) => (a.customerName < b.customerName ? -1 : a.customerName > b.customerName ? 1 : 0))
}

/** What somebody has read of letters, so that no other ones leave: who hears what by which way, and what the new prices reach. */
export const sealOf = (letters: Awaited<ReturnType<typeof lettersOf>>, plan: PricePlan, fromOn: Day): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        fromOn,
        letters.map(({ customerId, channel, text }) => [customerId, channel, text]),
        plan.lines.map(({ lineId, beforeCents, afterCents, visits }) => [
          lineId,
          beforeCents,
          afterCents,
          visits.map(({ visitId }) => visitId).toSorted(),
        ]),
        plan.ownVisits,
      ]),
    )
    .digest('base64url')
