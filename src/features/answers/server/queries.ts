import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { type Day, dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { formatCents } from '../../../shared/money.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { formatPhone } from '../../../shared/phone.ts'
import type { TemplateVariable } from '../../messages/templates/rules.ts'
import { dayWords, windowWords } from '../../notices/rules.ts'
import { findVisitPage } from '../../notices/server/page/queries.ts'
import type { Answers } from '../contract.ts'
import { type AnswerKind, chooseAnswers, lateFromMinutes, topicsOf } from '../rules.ts'
import { balanceWords, lastVisitWords, lateWords, type NextVisit, nextVisitWords } from './words.ts'

type Language = 'en' | 'es'

const findNext = async (db: TenantDb, customerId: string, today: Day): Promise<NextVisit | null> => {
  const row = await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where(sql<boolean>`status in ('scheduled', 'en_route', 'in_progress', 'paused')`)
    .where('day', '>=', today)
    .orderBy('day')
    .orderBy('plannedStartMinute')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const visit = row && (await findVisitPage(db, row.id, { ever: true }))?.visits[0]
  if (!visit?.day) return null
  return {
    day: visit.day,
    isToday: visit.day === today,
    status: visit.status === 'scheduled' ? 'waits' : visit.status === 'en_route' ? 'on the way' : 'there',
    window: visit.window,
    lateMinutes: visit.lateMinutes,
  }
}

const findLast = async (db: TenantDb, customerId: string): Promise<{ day: Day; services: string } | null> => {
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
  return visit?.day ? { day: visit.day, services: visit.services } : null
}

/** What a customer is asked for on their page, as a statement asks for it; and what they owe in all. */
const findOwed = async (db: TenantDb, customerId: string): Promise<{ askedCents: number; owedCents: number }> => {
  const { rows } = await sql<{ asked: number; owed: number }>`
    select coalesce((select sum(i.total_cents - i.paid_cents - i.pending_cents)
        from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id and not c.hold_invoices
        where i.business_id = ${db.businessId} and i.customer_id = ${customerId} and i.status in ('issued', 'partially_paid') and not i.disputed
          and i.total_cents - i.paid_cents - i.pending_cents > 0), 0)::float8 as asked,
      coalesce((select b.balance_cents from customer_balances b
        where b.business_id = ${db.businessId} and b.customer_id = ${customerId}), 0)::float8 as owed`.execute(db)
  const [row] = rows
  return { askedCents: row?.asked ?? 0, owedCents: Math.max(0, row?.owed ?? 0) }
}

/** So far back it is looked for what nobody has answered: more messages than anybody leaves waiting. */
const mostLookedAt = 60

/** Their last message that no person has answered; null where nothing waits. What a machine wrote or read asks for nothing. */
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
    .select(['direction', 'userId', 'reason', 'subject', 'bodyText', 'purpose'])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .orderBy('id', 'desc')
    .limit(mostLookedAt)
    .execute()
  const last = rows.find(
    ({ direction, userId, reason, purpose }) =>
      (direction === 'inbound' && reason === null) ||
      (direction === 'outbound' && userId !== null && purpose !== 'account'),
  )
  return last?.direction === 'inbound' ? `${last.subject}\n${last.bodyText}` : null
}

/** Which answers there are facts for, with their words. */
const answersOf = (
  facts: {
    next: NextVisit | null
    last: { day: Day; services: string } | null
    owed: { askedCents: number; owedCents: number } | null
  },
  asked: string,
  language: Language,
): Partial<Record<AnswerKind, string>> => {
  const { next, last, owed } = facts
  const late = next?.lateMinutes ?? 0
  const asksMoney = topicsOf(asked).includes('balance')
  return {
    ...(next && late >= lateFromMinutes && next.status === 'waits'
      ? { late: lateWords(late, next.window, language) }
      : {}),
    ...(next ? { visit: nextVisitWords(next, language) } : {}),
    // "nothing is open" answers only who asked; money that is owed but not asked for is the office's to explain
    ...(owed && (owed.askedCents > 0 || (asksMoney && owed.owedCents === 0))
      ? { balance: balanceWords(owed.askedCents, language) }
      : {}),
    ...(last ? { last: lastVisitWords(last.day, last.services, language) } : {}),
  }
}

/** What can be said to a customer, from the facts. @throws not_found */
export const getAnswers = async (db: TenantDb, actor: Actor, customerId: string): Promise<Answers> => {
  const customer = await db
    .selectFrom('customers')
    .select(['name', 'language'])
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
  const next = await findNext(db, customerId, dayOf(clock.now(), business.timeZone))
  const last = await findLast(db, customerId)
  const owed = hasPermission(actor, 'money') ? await findOwed(db, customerId) : null
  const noMoney = 'You do not see what customers owe.'
  const values: Record<TemplateVariable, string | null> = {
    'customer first name': firstNameOf(customer.name),
    'customer name': customer.name,
    'business name': business.name,
    'business phone': business.phone ? formatPhone(business.phone) : null,
    'my name': actor.name,
    'next visit day': next ? dayWords(next.day, language, true) : null,
    'next visit time': next?.window ? windowWords(next.window, language) : null,
    'last visit day': last ? dayWords(last.day, language, true) : null,
    balance: owed ? formatCents(owed.askedCents > 0 ? owed.askedCents : owed.owedCents) : null,
    // made when it is used: looking makes no link
    'pay link': owed && owed.askedCents > 0 ? '{pay link}' : null,
  }
  const why: Partial<Record<TemplateVariable, string>> = {
    'business phone': 'Your business has no phone number in its settings.',
    'next visit day': `No visit is planned for ${customer.name}.`,
    'next visit time': next
      ? `The next visit of ${customer.name} has no planned time yet.`
      : `No visit is planned for ${customer.name}.`,
    'last visit day': `No visit to ${customer.name} was finished yet.`,
    balance: noMoney,
    'pay link': owed ? `${customer.name} has nothing open to pay.` : noMoney,
  }
  const asked = await findWaiting(db, customerId)
  const known = asked === null ? {} : answersOf({ next, last, owed }, asked, language)
  return {
    language,
    values,
    missing: Object.fromEntries(
      (Object.keys(values) as TemplateVariable[])
        .filter((name) => values[name] === null)
        .map((name) => [name, why[name] ?? 'Nothing is known.']),
    ),
    suggestions: chooseAnswers(asked ?? '', Object.keys(known) as AnswerKind[]).flatMap((kind) =>
      known[kind] === undefined ? [] : [{ kind, text: known[kind] }],
    ),
  }
}
