import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { PaperLetters } from '../../../../platform/letters-pdf.ts'
import { addDays, type Day, dayOf, formatDay } from '../../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { type Reach, reachOf } from '../../../messages/server/reach/queries.ts'
import { openLineVisits } from '../../../visits/server/queries.ts'
import { farthestDays } from '../../lines/server/commands.ts'
import { nextStepAfter, priceOn } from '../../prices/rules.ts'
import {
  type Booked,
  bookedLines,
  type ChangedLine,
  customersOf,
  getPriceChange,
  languageOf,
  type PricePlan,
  payersOf,
} from '../../prices/server/queries.ts'
import { type LetterFacts, letterReason, letterReasonText } from '../rules.ts'
import { letterParagraphs, letterSubject, letterText, type Told } from './templates.ts'

/** A new price for a unit of a line. */
export type LetterLine = { lineId: string; toCents: number }

const businessOf = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select(['name', 'phone', 'letterNoticeDays', 'street', 'city', 'state', 'zip', 'timeZone'])
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
    if (!line) throw notFound('job')
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

const toldOf = (lines: readonly ChangedLine[], fromOn: Day): Told => ({
  name: lines[0]?.customerName ?? '',
  fromOn,
  lines,
})

/** Every letter of a plan as its customer would read it, and by which way. */
export const lettersOf = async (db: TenantDb, plan: PricePlan, fromOn: Day) => {
  const business = await businessOf(db)
  return (await customersOf(db, plan))
    .map(({ customerId, lines, reach }) => {
      const language = languageOf(lines[0] ?? { language: null })
      const told = toldOf(lines, fromOn)
      return {
        customerId,
        customerName: told.name,
        language,
        channel: reach.channel,
        reason: reach.channel === null ? reach.reason : null,
        text:
          reach.channel === 'sms'
            ? letterText(business.name, told, language)
            : letterParagraphs(business, told, language, reach.channel === null).join('\n'),
      }
    })
    .toSorted((a, b) => (a.customerName < b.customerName ? -1 : a.customerName > b.customerName ? 1 : 0))
}

type PaperRow = {
  customerId: string
  name: string
  language: string | null
  serviceName: string
  street: string
  addressLines: string[]
  beforeCents: number
  afterCents: number
}

const cityLine = (city: string | null, state: string | null, zip: string | null): string =>
  [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')

const paperRows = async (db: TenantDb, changeId: string): Promise<PaperRow[]> => {
  const rows = await db
    .selectFrom('priceChangeLines as n')
    .innerJoin('jobLines as l', (x) => x.onRef('l.businessId', '=', 'n.businessId').onRef('l.id', '=', 'n.jobLineId'))
    .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'l.businessId').onRef('j.id', '=', 'l.jobId'))
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
    )
    .innerJoin('services as s', (x) => x.onRef('s.businessId', '=', 'l.businessId').onRef('s.id', '=', 'l.serviceId'))
    .where('n.businessId', '=', db.businessId)
    .where('n.changeId', '=', changeId)
    .select(['j.customerId', 'c.name', 'c.language', 's.name as serviceName', 'n.beforeCents', 'n.afterCents'])
    .select(['p.street', 'p.city', 'p.state', 'p.zip'])
    .select(['c.billingStreet', 'c.billingCity', 'c.billingState', 'c.billingZip'])
    .orderBy('c.name')
    .orderBy('l.id')
    .execute()
  return rows.map((row) => ({
    ...row,
    addressLines: (row.billingStreet
      ? [row.billingStreet, cityLine(row.billingCity, row.billingState, row.billingZip)]
      : [row.street, cityLine(row.city, row.state, row.zip)]
    ).filter(Boolean),
  }))
}

/** Customers of a letter that stands whom nothing reaches: neither now nor by a message that is on its way. */
const unreachedOf = async (db: TenantDb, changeId: string, rows: readonly PaperRow[]) => {
  const ids = [...new Set(rows.map((row) => row.customerId))]
  const reaches: Map<string, Reach> = await reachOf(db, await payersOf(db, ids))
  const written = await db
    .selectFrom('messages')
    .select('customerId')
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', 'price_change')
    .where('entityId', '=', changeId)
    .where('direction', '=', 'outbound')
    .where('status', 'not in', ['failed', 'suppressed'])
    .execute()
  const has = new Set(written.map((row) => row.customerId))
  return ids.filter((id) => !has.has(id) && reaches.get(id)?.channel === null)
}

/** How many letters of each change are to be printed, because nothing else reaches their customers. */
export const countPaper = async (db: TenantDb, changeIds: readonly string[]): Promise<Map<string, number>> => {
  const found = new Map<string, number>()
  for (const id of changeIds) found.set(id, (await unreachedOf(db, id, await paperRows(db, id))).length)
  return found
}

/** The letters of a change that are to be printed. @throws AppError not_found, state_conflict when there are none, or it was taken back */
export const getPaper = async (db: TenantDb, id: string): Promise<PaperLetters> => {
  const change = await getPriceChange(db, id)
  if (change.kind !== 'letter') throw notFound('price letter')
  if (change.undoneAt !== null) throw conflict('These prices were taken back: there is nothing to tell.')
  const rows = await paperRows(db, id)
  const unreached = new Set(await unreachedOf(db, id, rows))
  if (unreached.size === 0) throw conflict('Everybody can be told by text or mail: there is no letter to print.')
  const business = await businessOf(db)
  const date = dayOf(clock.now(), business.timeZone)
  const groups = Map.groupBy(
    rows.filter((row) => unreached.has(row.customerId)),
    (row) => row.customerId,
  )
  return {
    business: business.name,
    businessLines: [business.street, cityLine(business.city, business.state, business.zip)].filter(
      (line): line is string => line !== null && line !== '',
    ),
    letters: [...groups.values()].flatMap((own) => {
      const [one] = own
      if (!one) return []
      const language = languageOf(one)
      const told = { name: one.name, fromOn: change.fromOn, lines: own }
      return [
        {
          name: one.name,
          addressLines: one.addressLines,
          language,
          date:
            language === 'es'
              ? new Intl.DateTimeFormat('es-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
                  new Date(`${date}T00:00:00Z`),
                )
              : formatDay(date, { long: true, year: true }),
          subject: letterSubject(business.name, language),
          text: letterParagraphs(business, told, language, true).join('\n\n'),
        },
      ]
    }),
  }
}
