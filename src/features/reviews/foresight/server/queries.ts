import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { addDays, type Day, dayOf } from '../../../../shared/dates.ts'
import { paths } from '../../../../shared/paths.ts'
import { type Foreseen, foreseen, standInToken } from '../../../messages/foreseen/rules.ts'
import { quietUntil, stopWords } from '../../../messages/rules.ts'
import { saidNo } from '../../../messages/server/refusals/queries.ts'
import {
  findWay,
  getNoticeSettings,
  listNoticeCustomers,
  type NoticeCustomer,
  type NoticeSettings,
  type Way,
} from '../../../notices/server/queries.ts'
import { bothered, type NotAsked, notAsked, speaksAgainst } from '../../asking/server/against.ts'
import { askText, askWords } from '../../asking/server/words.ts'
import { askWithinHours, oldestDays } from '../../rules.ts'
import { getKept } from '../../server/queries.ts'

/** What asking how visits were would have been in the past, by the rules by which customers are asked. */

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Done = {
  visitId: string
  customerId: string
  day: Day
  finishedAt: string
  against: NotAsked | null
}

/** Visits that were done in a span, the newest first. */
const listDone = async (
  db: TenantDb,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<Done[]> => {
  const { archived, task, unread, dispute } = speaksAgainst
  const { rows } = await sql<Done>`
    select v.id as visit_id, v.customer_id, v.day, v.finished_at,
      case when ${archived} then 'archived' when ${task} then 'task' when ${unread} then 'unread' when ${dispute} then 'dispute' end as against
    from visits v
    where v.business_id = ${db.businessId} and v.status = 'completed'
      and v.day between ${addDays(from.slice(0, 10), -oldestDays * 3)} and ${addDays(to.slice(0, 10), oldestDays)}
      and v.finished_at > ${from} and v.finished_at <= ${to}
    order by v.finished_at desc, v.id
    limit ${limit}`.execute(db)
  return rows
}

/** When customers were last really asked before a time, of those whose ask bothered them. */
const lastAsked = async (
  db: TenantDb,
  customerIds: readonly string[],
  before: string,
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ customerId: string; at: string }>`
    select a.customer_id, max(a.created_at) as at from review_asks a
    where a.business_id = ${db.businessId} and a.customer_id = any(${[...customerIds]}::uuid[]) and a.created_at <= ${before} and ${bothered}
    group by a.customer_id`.execute(db)
  return new Map(rows.map(({ customerId, at }) => [customerId, Date.parse(at)]))
}

/** By which way somebody would be asked today, or why by none; each is looked for once. */
const wayOf = (db: TenantDb) => {
  const known = new Map<string, Promise<{ way: Way; why: null } | { way: null; why: string }>>()
  const look = async (customer: NoticeCustomer) => {
    // what the plan has left today says nothing of last month
    const { way, why } = await findWay(db, customer, { segmentsLeft: null })
    if (!way) return { way: null, why: why ?? '' }
    return (await saidNo(db, customer.id, way.address))
      ? { way: null, why: 'Said no to offers and questions' }
      : { way, why: null }
  }
  return (customer: NoticeCustomer) => {
    const found = known.get(customer.id) ?? look(customer)
    known.set(customer.id, found)
    return found
  }
}

/** When a visit that was done is asked about: in the hours of offers, after its delay. */
const turnOf = (
  { finishedAt }: Pick<Done, 'finishedAt'>,
  delayHours: number,
  { timeZone, quiet }: NoticeSettings,
): string => {
  const due = new Date(Date.parse(finishedAt) + delayHours * hourMs)
  return quietUntil('marketing', due, timeZone, quiet) ?? due.toISOString()
}

/** Why its time speaks against it, or null. */
const timeReason = (
  { day, finishedAt }: Done,
  dueAt: string,
  { delayHours }: { delayHours: number },
  timeZone: string,
): string | null => {
  const on = dayOf(dueAt, timeZone)
  if (day > on) return 'Done before its day, which had not come'
  if (day < addDays(on, -oldestDays)) return `Put down as done more than ${oldestDays} days after its day`
  return Date.parse(dueAt) >= Date.parse(finishedAt) + (delayHours + askWithinHours) * hourMs
    ? `No hour in which customers may be asked came within ${askWithinHours} hours`
    : null
}

/**
 * Asks that were due in a span, one after the other, each sparing its customer the next ones. Addresses, tasks, disputes and what somebody has read
 * are as they are now.
 * @param most so many visits are looked at, the newest
 */
export const foreseeAsks = async (
  db: TenantDb,
  { from, to, most }: { from: string; to: string; most: number },
): Promise<Foreseen> => {
  const kept = await getKept(db)
  const { delayHours, everyDays, enabled } = kept
  const settings = await getNoticeSettings(db)
  const earlier = (instant: string): string => new Date(Date.parse(instant) - delayHours * hourMs).toISOString()
  const rows = await listDone(db, { from: earlier(from), to: earlier(to), limit: most + 1 })
  const visits = rows
    .slice(0, most)
    .map((one) => ({ ...one, dueAt: turnOf(one, delayHours, settings) }))
    .filter(({ dueAt }) => dueAt <= to)
    // of two whose turn comes at once the last that was done is asked about
    .toSorted((a, b) => a.dueAt.localeCompare(b.dueAt) || b.finishedAt.localeCompare(a.finishedAt))
  const ids = [...new Set(visits.map(({ customerId }) => customerId))]
  const customers = new Map((await listNoticeCustomers(db, ids)).map((one) => [one.id, one]))
  const asked = new Map(await lastAsked(db, ids, from))
  const way = wayOf(db)
  const url = absoluteUrl(paths.review(standInToken))
  const found: Foreseen = {
    sent: [],
    notSent: [],
    tooMany: rows.length > most,
    assumes: enabled
      ? null
      : `Review requests are off. This is how it would be with what is set: ${delayHours} hours after a visit, each customer once in ${everyDays} days.`,
  }
  for (const visit of visits) {
    const { customerId, dueAt, day, against } = visit
    const customer = customers.get(customerId)
    if (!customer) continue
    const last = asked.get(customerId)
    const spared = last !== undefined && last > Date.parse(dueAt) - everyDays * dayMs
    const { way: open, why } = spared ? { way: null, why: null } : await way(customer)
    const reason = spared
      ? `They were asked less than ${everyDays} days before`
      : (timeReason(visit, dueAt, kept, settings.timeZone) ?? (against ? notAsked[against] : why))
    if (reason !== null || !open) {
      found.notSent.push({ customerId, dueAt, reason: reason ?? '' })
      continue
    }
    asked.set(customerId, Date.parse(dueAt))
    const { language } = customer
    const text = askText({ day, url }, settings.name, language)
    found.sent.push(
      foreseen(
        { customerId, dueAt, language, url },
        open.channel === 'sms'
          ? { channel: 'sms', text: `${text} ${stopWords[language]}` }
          : {
              channel: 'email',
              text,
              subject: askWords(
                { customer: customer.name, day, url, stopUrl: '', address: '' },
                settings.name,
                language,
              ).subject,
            },
      ),
    )
  }
  found.sent.reverse()
  found.notSent.reverse()
  return found
}
