import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf } from '../../../shared/dates.ts'
import { leftCrewDays, type ThreadFacts, type ThreadKind } from '../rules.ts'

/** Days from which a person reads a thread; both are of it. */
type Span = { from: Day; to: Day }
const always: Span[] = [{ from: '0001-01-01', to: '9999-12-31' }]
/** A crew that somebody stands in on now and then has many; older ones are not looked at. */
const mostSpans = 200

/** A thread as one person may see it. */
export type SeenThread = Omit<ThreadFacts, 'byOffice'> & {
  id: string
  kind: ThreadKind
  color: string | null
  lastNumber: number
  version: number
  officeUnread: number
  byOffice: boolean
  spans: readonly Span[]
}

export const isOffice = ({ role }: Pick<Actor, 'role'>): boolean => role !== 'Employee'
const todayAt = ({ timeZone }: Pick<Actor, 'timeZone'>): Day => dayOf(clock.now(), timeZone)

type Subject = Pick<
  SeenThread,
  'id' | 'kind' | 'name' | 'color' | 'gone' | 'joinedOffice' | 'lastNumber' | 'version' | 'officeUnread'
>

const subjectsOf = async (db: TenantDb, ids: readonly string[]): Promise<Subject[]> => {
  const { rows } = await sql<Subject>`
    select s.*, coalesce(t.last_number, 0) as "lastNumber", coalesce(t.version, 0) as version, coalesce(t.office_unread, 0) as "officeUnread"
    from (
      select u.id, 'person' as kind, u.name, null as color, (u.status = 'disabled' or u.archived_at is not null) as gone, u.role <> 'Employee' as "joinedOffice"
      from users u where u.business_id = ${db.businessId} and u.id = any(${sql.val([...ids])}::uuid[])
      union all
      select c.id, 'crew', c.name, c.color, c.archived_at is not null, false
      from crews c where c.business_id = ${db.businessId} and c.id = any(${sql.val([...ids])}::uuid[])
      union all
      select b.business_id, 'everybody', '', null, false, false
      from businesses b where b.business_id = ${db.businessId} and b.business_id = any(${sql.val([...ids])}::uuid[])
    ) s
    left join chat_threads t on t.business_id = ${db.businessId} and t.id = s.id`.execute(db)
  return rows
}

/** The crews that a person is or was on since a day, with when. */
const membershipsOf = async (db: TenantDb, userId: string, crewIds?: readonly string[]) => {
  let query = db
    .selectFrom('crewMembers')
    .select(['crewId', 'validFrom', 'validTo'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
  if (crewIds) query = query.where('crewId', 'in', [...crewIds])
  return query.orderBy('validFrom', 'desc').limit(mostSpans).execute()
}

/** A crew is there for whoever is on it, and some days longer. */
const isRecent = ({ to }: Pick<Span, 'to'>, today: Day): boolean => to >= addDays(today, -leftCrewDays)

const spansOf = async (db: TenantDb, actor: Actor, subject: Subject): Promise<Span[]> => {
  if (isOffice(actor)) return always
  if (subject.kind === 'person') return subject.id === actor.userId ? always : []
  if (subject.kind === 'crew') {
    const today = todayAt(actor)
    const spans = (await membershipsOf(db, actor.userId, [subject.id])).map(({ validFrom, validTo }) => ({
      from: validFrom,
      to: validTo ?? '9999-12-31',
    }))
    return spans.some((span) => isRecent(span, today)) ? spans : []
  }
  const { createdAt } = await db
    .selectFrom('users')
    .select('createdAt')
    .where('businessId', '=', db.businessId)
    .where('id', '=', actor.userId)
    .executeTakeFirstOrThrow()
  return [{ from: dayOf(createdAt, actor.timeZone), to: '9999-12-31' }]
}

const seen = async (db: TenantDb, actor: Actor, subject: Subject): Promise<SeenThread | null> => {
  // Nobody writes with somebody of the office; what was written before they came there stays.
  if (subject.joinedOffice && subject.lastNumber === 0) return null
  const today = todayAt(actor)
  const spans = await spansOf(db, actor, subject)
  if (spans.length === 0) return null
  const onCrew = subject.kind === 'crew' && spans.some(({ from, to }) => from <= today && today <= to)
  return { ...subject, spans, onCrew, byOffice: isOffice(actor) }
}

/** A thread that this person may read, or null: another business's, another person's and one that never was look the same. */
export const findThread = async (db: TenantDb, actor: Actor, id: string): Promise<SeenThread | null> => {
  const [subject] = await subjectsOf(db, [id])
  return subject ? seen(db, actor, subject) : null
}

/** What a crew member has: the office, the crews of these weeks, and what everybody reads. */
export const listOwnThreads = async (db: TenantDb, actor: Actor): Promise<SeenThread[]> => {
  const today = todayAt(actor)
  const recent = (await membershipsOf(db, actor.userId)).filter(
    ({ validFrom, validTo }) => validFrom <= today && isRecent({ to: validTo ?? '9999-12-31' }, today),
  )
  const ids = [actor.userId, ...new Set(recent.map(({ crewId }) => crewId)), db.businessId]
  const subjects = await subjectsOf(db, ids)
  const found: SeenThread[] = []
  for (const id of ids) {
    const subject = subjects.find((one) => one.id === id)
    const thread = subject && (await seen(db, actor, subject))
    // a crew of the past is there for what was said, not for nothing
    if (thread && (thread.kind !== 'crew' || (thread.onCrew && !thread.gone) || thread.lastNumber > 0))
      found.push(thread)
  }
  return found
}

/**
 * What of a thread a person sees, newest first, as `c`: by the days of each span, so that a page costs what it shows, however much was said at
 * other times.
 * @param beyond the condition of the page, on `c`
 */
export const visible = (
  db: TenantDb,
  { id, spans }: Pick<SeenThread, 'id' | 'spans'>,
  { beyond, limit }: { beyond: RawBuilder<SqlBool>; limit: number },
): RawBuilder<unknown> => sql`
  unnest(${sql.val(spans.map(({ from }) => from))}::date[], ${sql.val(spans.map(({ to }) => to))}::date[]) as span(from_day, to_day)
  cross join lateral (
    select * from chat_messages c
    where c.business_id = ${db.businessId} and c.thread_id = ${id} and c.on_day between span.from_day and span.to_day and ${beyond}
    order by c.on_day desc, c.number desc limit ${limit}) c`
