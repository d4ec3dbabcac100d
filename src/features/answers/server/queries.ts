import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { type Day, dayOf, minuteOfDay } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { formatCents } from '../../../shared/money.ts'
import { greetingOf } from '../../../shared/names.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { listCustomersWithPhone } from '../../customers/contacts/server/queries.ts'
import { sumAsked } from '../../invoices/statements/server/queries.ts'
import { isWrittenByHand } from '../../messages/rules.ts'
import { reachOf } from '../../messages/server/reach/queries.ts'
import type { TemplateVariable } from '../../messages/templates/rules.ts'
import { dayWords, windowWords } from '../../notices/rules.ts'
import { findVisitPage } from '../../notices/server/page/queries.ts'
import type { Answers } from '../contract.ts'
import { type AnswerKind, chooseAnswers, lateFromMinutes, topicsOf } from '../rules.ts'
import {
  balanceWords,
  type LastVisit,
  lastVisitWords,
  lateWords,
  type NextVisit,
  nextVisitWords,
  noVisitWords,
} from './words.ts'

type Language = 'en' | 'es'

const hasSeveralProperties = async (db: TenantDb, customerId: string): Promise<boolean> =>
  (
    await db
      .selectFrom('properties')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', customerId)
      .where('archivedAt', 'is', null)
      .limit(2)
      .execute()
  ).length > 1

type Found = NextVisit & {
  id: string
  /** The working day of its crew is over; on other days never. */
  tooLate: boolean
}

/** The next visit; of one day's the one that somebody is at or drives to, and last what was begun and left. */
const findNext = async (
  db: TenantDb,
  customerId: string,
  { today, nowMinute, several }: { today: Day; nowMinute: number; several: boolean },
): Promise<Found | null> => {
  const row = await db
    .selectFrom('visits as v')
    .leftJoin('crews as k', (join) => join.onRef('k.businessId', '=', 'v.businessId').onRef('k.id', '=', 'v.crewId'))
    .select(['v.id', 'k.shiftEndMinute'])
    .where('v.businessId', '=', db.businessId)
    .where('v.customerId', '=', customerId)
    .where(sql<boolean>`v.status in ('scheduled', 'en_route', 'in_progress', 'paused')`)
    .where('v.day', '>=', today)
    .orderBy('v.day')
    .orderBy(sql`case v.status when 'in_progress' then 0 when 'en_route' then 1 when 'scheduled' then 2 else 3 end`)
    .orderBy('v.plannedStartMinute')
    .orderBy('v.id')
    .limit(1)
    .executeTakeFirst()
  const visit = row && (await findVisitPage(db, row.id, { ever: true }))?.visits[0]
  if (!visit?.day) return null
  const isToday = visit.day === today
  return {
    id: visit.id,
    day: visit.day,
    isToday,
    status:
      visit.status === 'scheduled'
        ? 'waits'
        : visit.status === 'en_route'
          ? 'on the way'
          : visit.status === 'in_progress'
            ? 'there'
            : 'stopped',
    // nobody comes until midnight: what ends there is no time to name
    window: visit.window && visit.window.to < 1440 ? visit.window : null,
    lateMinutes: visit.lateMinutes,
    street: several ? visit.street : null,
    tooLate: isToday && visit.status === 'scheduled' && nowMinute >= (row?.shiftEndMinute ?? 1440),
  }
}

/** What was done at a visit, for who reads Spanish; nothing where one service has no Spanish name: a sentence in two languages is worse than none. */
const spanishServices = async (db: TenantDb, visitId: string): Promise<string> => {
  const { rows } = await sql<{ names: (string | null)[] }>`
    select coalesce(array_agg(coalesce(nullif(l.title_es, ''), case when l.title is null then nullif(s.name_es, '') end)
      order by l.position, l.id), '{}') as names
    from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
    where l.business_id = ${db.businessId} and l.visit_id = ${visitId}`.execute(db)
  const names = rows[0]?.names ?? []
  return names.includes(null) ? '' : names.join(', ')
}

const findLast = async (
  db: TenantDb,
  customerId: string,
  { several, language }: { several: boolean; language: Language },
): Promise<LastVisit | null> => {
  const row = await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('status', '=', 'completed')
    .where('day', 'is not', null)
    .orderBy('day', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const visit = row && (await findVisitPage(db, row.id, { ever: true }))?.visits[0]
  if (!row || !visit?.day) return null
  const services = language === 'es' ? await spanishServices(db, row.id) : visit.services
  return { day: visit.day, services, street: several ? visit.street : null }
}

type Owed = {
  /** What their page asks for. */
  askedCents: number
  /** What they owe in all. */
  owedCents: number
  /** An invoice is neither paid nor voided, whether it is asked for or not. */
  hasOpen: boolean
}

/** What a customer is asked for on their page, as a statement asks for it; and what they owe in all. */
const findOwed = async (db: TenantDb, customerId: string): Promise<Owed> => {
  const { rows } = await sql<{ owed: number; open: boolean }>`
    select coalesce((select b.balance_cents from customer_balances b
        where b.business_id = ${db.businessId} and b.customer_id = ${customerId}), 0)::float8 as owed,
      exists (select from invoices i
        where i.business_id = ${db.businessId} and i.customer_id = ${customerId} and i.status in ('issued', 'partially_paid')) as open`.execute(
    db,
  )
  const [row] = rows
  return {
    askedCents: await sumAsked(db, customerId),
    owedCents: Math.max(0, row?.owed ?? 0),
    hasOpen: row?.open ?? false,
  }
}

/** The sentence on money, where both sums say the same thing: none where a credit or an advance makes them owe less than their invoices ask for. */
const balanceAnswer = ({ askedCents, owedCents, hasOpen }: Owed, asksMoney: boolean, language: Language) => {
  if (askedCents > 0) return askedCents > owedCents ? null : balanceWords(askedCents, language)
  // "nothing is open" answers only who asked; money that is owed but not asked for is the office's to explain
  return asksMoney && owedCents === 0 && !hasOpen ? balanceWords(0, language) : null
}

/** So far back it is looked for what nobody has answered: more messages than anybody leaves waiting. */
const mostLookedAt = 60

/**
 * Their last message that no person has answered by hand; null where nothing waits. A mailing and what leaves by itself answer nobody, also where they
 * say who began them; what a machine wrote or read asks for nothing.
 */
const findWaiting = async (db: TenantDb, customerId: string): Promise<string | null> => {
  const done = await db
    .selectFrom('conversations')
    .select('customerId')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('closedAt', 'is not', null)
    .executeTakeFirst()
  if (done) return null
  const rows = await db
    .selectFrom('messages')
    .select(['direction', 'dedupeKey', 'reason', 'subject', 'bodyText'])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .orderBy('id', 'desc')
    .limit(mostLookedAt)
    .execute()
  const last = rows.find(
    ({ direction, dedupeKey, reason }) =>
      (direction === 'inbound' && reason === null) || (direction === 'outbound' && isWrittenByHand(dedupeKey)),
  )
  return last?.direction === 'inbound' ? `${last.subject}\n${last.bodyText}` : null
}

/** Which answers there are facts for, with their words. @param quiet a text would only leave in the morning, when "today" and "now" are wrong */
const answersOf = (
  { next, last, owed, quiet }: { next: Found | null; last: LastVisit | null; owed: Owed | null; quiet: boolean },
  asked: string,
  language: Language,
): Partial<Record<AnswerKind, string>> => {
  const late = next?.lateMinutes ?? 0
  const said = next && !next.tooLate && !(next.isToday && quiet) ? next : null
  const visit = said
    ? nextVisitWords(said, language)
    : next === null && topicsOf(asked).includes('visit')
      ? noVisitWords(language)
      : null
  const balance = owed && balanceAnswer(owed, topicsOf(asked).includes('balance'), language)
  return {
    ...(said && late >= lateFromMinutes && said.status === 'waits' ? { late: lateWords(late, said, language) } : {}),
    ...(visit ? { visit } : {}),
    ...(balance ? { balance } : {}),
    ...(last ? { last: lastVisitWords(last, language) } : {}),
  }
}

/** Whether a text to them would wait for the morning now; mail never waits. */
const isQuiet = async (
  db: TenantDb,
  id: string,
  { email, phone }: { email: string | null; phone: string | null },
): Promise<boolean> => {
  const reach = (await reachOf(db, [{ id, email, phone }])).get(id)
  return reach?.channel === 'sms' && reach.quietUntil !== null
}

/** What can be said to a customer, from the facts. @throws not_found */
export const getAnswers = async (db: TenantDb, actor: Actor, customerId: string): Promise<Answers> => {
  const customer = await db
    .selectFrom('customers')
    .select(['name', 'company', 'language', 'email', 'phone'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!customer) throw notFound('customer')
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'phone', 'timeZone'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const language: Language = customer.language === 'es' ? 'es' : 'en'
  const several = await hasSeveralProperties(db, customerId)
  const now = clock.now()
  const next = await findNext(db, customerId, {
    today: dayOf(now, business.timeZone),
    nowMinute: minuteOfDay(now, business.timeZone),
    several,
  })
  const last = await findLast(db, customerId, { several, language })
  const owed = hasPermission(actor, 'money') ? await findOwed(db, customerId) : null
  const noMoney = 'You do not see what customers owe.'
  const values: Record<TemplateVariable, string | null> = {
    'customer first name': greetingOf(customer),
    'customer name': customer.name,
    'business name': business.name,
    'business phone': business.phone ? formatPhone(business.phone) : null,
    'my name': actor.name,
    'next visit day': next ? dayWords(next.day, language, true) : null,
    'next visit time': next?.window ? windowWords(next.window, language) : null,
    'last visit day': last ? dayWords(last.day, language, true) : null,
    // what is owed but not asked for yet is no sum to tell somebody in passing
    balance: owed && (owed.askedCents > 0 || owed.owedCents === 0) ? formatCents(owed.askedCents) : null,
    // made when it is used: looking makes no link
    'pay link': owed && owed.askedCents > 0 ? '{pay link}' : null,
  }
  const why: Partial<Record<TemplateVariable, string>> = {
    'business phone': 'Your business has no phone number in its settings.',
    'next visit day': `No visit is planned for ${customer.name}.`,
    'next visit time': next
      ? next.status === 'waits'
        ? `The next visit of ${customer.name} has no planned time yet.`
        : `The next visit of ${customer.name} is under way.`
      : `No visit is planned for ${customer.name}.`,
    'last visit day': `No visit to ${customer.name} was finished yet.`,
    balance: owed
      ? `${customer.name} owes ${formatCents(owed.owedCents)}, and no invoice asks for it now: it may be on its way, disputed or held back.`
      : noMoney,
    'pay link': owed ? `${customer.name} has nothing open to pay.` : noMoney,
  }
  const places: Partial<Record<TemplateVariable, string>> = {
    ...(next?.street
      ? {
          'next visit day': `The next visit is at ${next.street}.`,
          'next visit time': `The next visit is at ${next.street}.`,
        }
      : {}),
    ...(last?.street ? { 'last visit day': `The last visit was at ${last.street}.` } : {}),
  }
  const asked = await findWaiting(db, customerId)
  const known =
    asked === null
      ? {}
      : answersOf({ next, last, owed, quiet: await isQuiet(db, customerId, customer) }, asked, language)
  return {
    language,
    values,
    missing: Object.fromEntries(
      (Object.keys(values) as TemplateVariable[])
        .filter((name) => values[name] === null)
        .map((name) => [name, why[name] ?? 'Nothing is known.']),
    ),
    places,
    sharedWith: customer.phone
      ? (await listCustomersWithPhone(db, customer.phone)).filter((one) => one.customerId !== customerId)
      : [],
    suggestions: chooseAnswers(asked ?? '', Object.keys(known) as AnswerKind[]).flatMap((kind) =>
      known[kind] === undefined ? [] : [{ kind, text: known[kind] }],
    ),
  }
}

/**
 * What variables say of a customer in a message that nobody writes by hand: `{my name}` is the business. Only what is needed is looked up; the
 * link to pay is made by whoever sends.
 * @throws not_found
 */
export const getAutomaticValues = async (
  db: TenantDb,
  customerId: string,
  language: Language,
  needed: readonly TemplateVariable[],
  /** Which visit is the next or the last one here; without it their next and last of all. */
  about: { nextVisitId?: string | null; lastVisitId?: string | null } = {},
): Promise<{
  values: Partial<Record<TemplateVariable, string | null>>
  missing: Partial<Record<TemplateVariable, string>>
  /** The visit that is named as the next one, with its day; null where none is asked for or there is none. */
  next: { visitId: string; day: Day } | null
}> => {
  const customer = await db
    .selectFrom('customers')
    .select(['name', 'company'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!customer) throw notFound('customer')
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'phone', 'timeZone'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const needs = (...names: TemplateVariable[]) => names.some((name) => needed.includes(name))
  const now = clock.now()
  // nobody answers a question about it: of several properties a day is said with its street
  const several =
    needs('next visit day', 'next visit time', 'last visit day') && (await hasSeveralProperties(db, customerId))
  const place = {
    today: dayOf(now, business.timeZone),
    nowMinute: minuteOfDay(now, business.timeZone),
    several,
  }
  const dayAt = ({ day, street }: { day: Day; street: string | null }): string =>
    several && street ? `${dayWords(day, language, true)} (${street})` : dayWords(day, language, true)
  const visitOf = async (id: string) => (await findVisitPage(db, id, { ever: true }))?.visits[0] ?? null
  const next = !needs('next visit day', 'next visit time')
    ? null
    : about.nextVisitId
      ? await visitOf(about.nextVisitId)
      : await findNext(db, customerId, place)
  const last = !needs('last visit day')
    ? null
    : about.lastVisitId
      ? await visitOf(about.lastVisitId)
      : await findLast(db, customerId, { several, language })
  const owed = needs('balance', 'pay link') ? await findOwed(db, customerId) : null
  return {
    values: {
      'customer first name': greetingOf(customer),
      'customer name': customer.name,
      'business name': business.name,
      'business phone': business.phone ? formatPhone(business.phone) : null,
      'my name': business.name,
      'next visit day': next?.day ? dayAt({ day: next.day, street: next.street }) : null,
      'next visit time': next?.window ? windowWords(next.window, language) : null,
      'last visit day': last?.day ? dayAt({ day: last.day, street: last.street }) : null,
      balance: owed && owed.askedCents > 0 ? formatCents(owed.askedCents) : null,
      'pay link': owed && owed.askedCents > 0 ? '{pay link}' : null,
    },
    missing: {
      'business phone': 'The business has no phone number in its settings',
      'next visit day': 'No visit is planned',
      'next visit time': 'The next visit has no planned time',
      'last visit day': 'No visit was finished yet',
      balance: 'They owe nothing that is asked for',
      'pay link': 'They owe nothing that is asked for',
    },
    next: next?.day ? { visitId: next.id, day: next.day } : null,
  }
}
