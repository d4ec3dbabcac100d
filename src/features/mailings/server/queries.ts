import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf } from '../../../shared/can.ts'
import { invalid, notFound } from '../../../shared/errors.ts'
import { toE164 } from '../../../shared/phone.ts'
import { getPortalUrl } from '../../businesses/letters/server/queries.ts'
import { CustomerChoice } from '../../customers/contract.ts'
import { listChosen } from '../../customers/server/bulk/queries.ts'
import { smsUsage } from '../../messages/server/queries.ts'
import { quietAtHome } from '../../messages/zones/rules.ts'
import { homesOf } from '../../messages/zones/server/queries.ts'
import {
  type MailingChoice,
  type MailingItem,
  type MailingPerson,
  type MailingPreview,
  mailingsApi,
} from '../contract.ts'
import {
  type About,
  mailingRefusals,
  mostChosen,
  type Reached,
  reachedBy,
  segmentsOf,
  smsFor,
  valuesFor,
  type Way,
} from '../rules.ts'

export type Addressee = {
  id: string
  name: string
  company: string | null
  language: 'en' | 'es'
  email: string | null
  phone: string | null
  /** What the record says they get; offers are `marketing`. */
  gets: string[]
}

/** Customers who are not archived, in the order of their ids. */
export const listAddressees = (db: TenantDb, ids: readonly string[]): Promise<Addressee[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : (db
        .selectFrom('customers')
        .select(['id', 'name', 'company', 'language', 'email', 'phone', 'gets'])
        .where('businessId', '=', db.businessId)
        .where('id', 'in', [...ids])
        .where('archivedAt', 'is', null)
        .orderBy('id')
        .execute() as Promise<Addressee[]>)

/** How each of them is reached, or why not; the gate looks once more when it leaves. */
export const listReached = async (
  db: TenantDb,
  people: readonly Addressee[],
  { way, about }: { way: Way; about: About },
): Promise<Map<string, Reached>> => {
  const at = people.map(({ id, email, phone }) => ({
    id,
    sms: phone ? toE164(phone) : null,
    email: email?.trim().toLowerCase() || null,
  }))
  const all = at.flatMap(({ sms, email }) => [sms, email].filter((one) => one !== null))
  const closed =
    all.length === 0
      ? []
      : await db
          .selectFrom('suppressions')
          .select(['channel', 'address', 'reason'])
          .where('businessId', '=', db.businessId)
          .where('address', 'in', all)
          .where('purpose', 'in', about === 'offer' ? ['all', 'marketing'] : ['all'])
          .execute()
  const agreed =
    all.length === 0 || about === 'service'
      ? []
      : await db
          .selectFrom('consentEvents')
          .distinctOn(['channel', 'address'])
          .select(['channel', 'address', 'action'])
          .where('businessId', '=', db.businessId)
          .where('purpose', '=', 'marketing')
          .where('address', 'in', all)
          .orderBy('channel')
          .orderBy('address')
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .execute()
  const key = (channel: string, address: string | null): string => `${channel} ${address}`
  const shut = new Map(closed.map((row) => [key(row.channel, row.address), row.reason]))
  const granted = new Set(agreed.filter(({ action }) => action === 'grant').map((row) => key(row.channel, row.address)))
  const facts = (channel: 'sms' | 'email', address: string | null) => ({
    address,
    closed: shut.get(key(channel, address)) ?? null,
    agreed: granted.has(key(channel, address)),
  })
  const named = new Map(people.map((person) => [person.id, person]))
  const first = new Map<string, string>()
  return new Map(
    at.map(({ id, sms, email }) => {
      if (about === 'offer' && !named.get(id)?.gets.includes('marketing'))
        return [id, { channel: null, reason: 'Gets no offers and news' }]
      const how = reachedBy(way, about, { sms: facts('sms', sms), email: facts('email', email) })
      if (how.channel === null) return [id, how]
      const at = key(how.channel, how.address)
      const other = first.get(at)
      if (other === undefined) first.set(at, named.get(id)?.name ?? '')
      return [id, other === undefined ? how : { channel: null, reason: `Same ${sameOf[how.channel]} as ${other}` }]
    }),
  )
}
const sameOf = { sms: 'number', email: 'e-mail' } as const

export const senderOf = async (db: TenantDb) => ({
  ...(await db
    .selectFrom('businesses')
    .select(['name', 'phone', 'email', 'street', 'city', 'state', 'zip', 'brandColor', 'timeZone'])
    .select(['quietStartMinute', 'quietEndMinute'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()),
  portalUrl: await getPortalUrl(db),
})

/** @throws invalid where the filter is none of the list's */
const readChoice = (choice: MailingChoice): CustomerChoice => {
  const read = CustomerChoice.safeParse(choice)
  if (!read.success) throw invalid([{ path: 'choice', message: 'Choose the customers again.' }])
  return read.data
}

/** Who has a visit on a day that stands, of one crew or with one service where these are named. */
const listVisited = async (
  db: TenantDb,
  { day, crewId, serviceId }: { day: string; crewId?: string | undefined; serviceId?: string | undefined },
  limit: number,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct v.customer_id as id from visits v
    where v.business_id = ${db.businessId} and v.day = ${day} and v.status not in ('canceled', 'skipped', 'unscheduled')
      ${crewId ? sql`and v.crew_id = ${crewId}` : sql``}
      ${
        serviceId
          ? sql`and exists (select 1 from visit_lines l where l.business_id = v.business_id and l.visit_id = v.id and l.service_id = ${serviceId})`
          : sql``
      }
    order by 1 limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whom a choice means, by their ids, the first so many. @throws invalid */
export const listChosenFor = (db: TenantDb, choice: MailingChoice, limit: number): Promise<string[]> =>
  'visits' in choice ? listVisited(db, choice.visits, limit) : listChosen(db, readChoice(choice), limit)

/** Customers whose number got a text before; all others are told how to get no more. */
export const listTexted = async (db: TenantDb, reached: ReadonlyMap<string, Reached>): Promise<Set<string>> => {
  const numbers = [...reached].flatMap(([id, to]) => (to.channel === 'sms' ? [{ id, address: to.address }] : []))
  if (numbers.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select n.id from jsonb_to_recordset(${JSON.stringify(numbers)}::jsonb) as n(id uuid, address text)
    where exists (select 1 from messages m where m.business_id = ${db.businessId} and m.customer_id = n.id and m.address = n.address
      and m.channel = 'sms' and m.direction = 'outbound')`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

const mostNamed = 50

/** Whom it would reach, by what, what that counts against the plan, and who is left out and why. */
export const previewMailing = async (
  db: TenantDb,
  { choice, way, about, en, es }: z.output<typeof mailingsApi.preview.body>,
): Promise<MailingPreview> => {
  const chosen = await listChosenFor(db, choice, mostChosen + 1)
  const people = await listAddressees(db, chosen.slice(0, mostChosen))
  const reached = await listReached(db, people, { way, about })
  const business = await senderOf(db)
  const usage = await smsUsage(db)
  const texted = about === 'offer' ? new Set<string>() : await listTexted(db, reached)
  const by = (channel: 'sms' | 'email' | null) => people.filter(({ id }) => reached.get(id)?.channel === channel)
  const unreached = by(null)
  const gets = people.filter(({ id }) => reached.get(id)?.channel)
  const parts = by('sms').map((person) => segmentsOf(smsFor(person, business, { en, es }, !texted.has(person.id))))
  const texting = by('sms').map(({ id }) => id)
  const homes = await homesOf(db, texting)
  const quiet = { startMinute: business.quietStartMinute, endMinute: business.quietEndMinute }
  const held = texting.flatMap(
    (id) =>
      quietAtHome(
        about === 'offer' ? 'marketing' : 'transactional',
        clock.now(),
        homes.get(id) ?? [],
        business.timeZone,
        quiet,
      ) ?? [],
  )
  return {
    chosen: chosen.length,
    tooMany: chosen.length > mostChosen,
    texts: parts.length,
    mails: by('email').length,
    quietUntil: held.sort().at(-1) ?? null,
    quietTexts: held.length,
    segments: parts.reduce((sum, one) => sum + one, 0),
    segmentsEach: Math.max(0, ...parts),
    segmentsLeft: usage.segmentLimit === null ? null : Math.max(0, usage.segmentLimit - usage.segmentsUsed),
    segmentLimit: usage.segmentLimit,
    unreached: unreached.slice(0, mostNamed).map(({ id, name }) => {
      const how = reached.get(id)
      return { id, name, reason: how?.channel === null ? how.reason : '' }
    }),
    unreachedCount: unreached.length,
    samples: (['en', 'es'] as const).flatMap((language) => {
      const [first, ...rest] = gets.filter((one) => one.language === language)
      return first ? [{ language, name: first.name, values: valuesFor(first, business), count: rest.length + 1 }] : []
    }),
  }
}

type Row = Omit<MailingItem, 'can'>

/** What became of mailings `m`; each has at most as many messages as may be chosen at once. */
const columns = sql`m.id, m.way, m.about, m.subject, m.text_en as en, m.text_es as es, m.created_at, m.chosen, m.unreached,
  cardinality(m.waiting) as waiting, m.leaves_at, m.stopped_at, n.*,
  (select u.name from users u where u.business_id = m.business_id and u.id = m.by_user_id) as by_name`
const counted = sql`lateral (
  select count(*) filter (where channel = 'sms')::int as texts, count(*) filter (where channel = 'email')::int as mails,
    count(*) filter (where status in ('sent', 'delivered'))::int as sent,
    count(*) filter (where status in ('failed', 'suppressed', 'unknown'))::int as failed,
    count(*) filter (where status in ('pending', 'held', 'sending'))::int as on_the_way,
    min(run_after) filter (where status = 'held') as held_until,
    coalesce(sum(segments) filter (where channel = 'sms' and status <> 'suppressed'), 0)::int as segments
  from messages s where s.business_id = m.business_id and s.entity_type = 'mailing' and s.entity_id = m.id) n`

const shown = (actor: Actor, row: Row): MailingItem => ({
  ...row,
  can: canOf(actor, { stop: mailingsApi.stop }, mailingRefusals, row),
})

/** @throws not_found */
export const getMailing = async (db: TenantDb, actor: Actor, id: string): Promise<MailingItem> => {
  const { rows } = await sql<Row>`
    select ${columns} from mailings m, ${counted} where m.business_id = ${db.businessId} and m.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('message')
  return shown(actor, rows[0])
}

/** The newest first; ids are UUIDv7. */
export const listMailings = async (
  db: TenantDb,
  actor: Actor,
  query: { cursor?: string | undefined; limit: number },
): Promise<{ items: MailingItem[]; nextCursor: string | null }> => {
  const { beyond, order, values, limit, page } = keyset([{ of: sql`m.id`, type: 'uuid' }], { ...query, order: 'desc' })
  const { rows } = await sql<Row & { cursorKeys: string[] }>`
    select ${columns}, m.cursor_keys from (
      select m.*, ${values} as cursor_keys from mailings m
      where m.business_id = ${db.businessId} and ${beyond} order by ${order} limit ${limit}) m, ${counted}
    order by ${order}`.execute(db)
  const { items, nextCursor } = page(rows)
  return { items: items.map((row) => shown(actor, row)), nextCursor }
}

/** Everybody of one mailing: who got nothing first, then what did not arrive, what waits and what arrived. @throws not_found */
export const listMailingPeople = async (db: TenantDb, id: string): Promise<{ items: MailingPerson[] }> => {
  const mailing = await db
    .selectFrom('mailings')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!mailing) throw notFound('message')
  const { rows } = await sql<MailingPerson>`
    with one as (
      select o.id as key, o.id, 'leftOut' as status, null as channel, o.reason, null::timestamptz as run_after, null as address, 0 as rank
      from mailings m, jsonb_to_recordset(m.left_out) as o(id uuid, reason text) where m.business_id = ${db.businessId} and m.id = ${id}
      union all
      select w.id, w.id, 'waiting', null, null, m.leaves_at, null, 2
      from mailings m, unnest(m.waiting) as w(id) where m.business_id = ${db.businessId} and m.id = ${id}
      union all
      select s.id, s.customer_id, s.status, s.channel, s.reason, s.run_after, s.address,
        case when s.status in ('failed', 'suppressed', 'unknown') then 1 when s.status in ('sent', 'delivered') then 3 else 2 end
      from messages s where s.business_id = ${db.businessId} and s.entity_type = 'mailing' and s.entity_id = ${id}
    )
    select one.key, c.id, coalesce(c.name, one.address, 'A deleted customer') as name, one.channel, one.status, one.reason, one.run_after
    from one left join customers c on c.business_id = ${db.businessId} and c.id = one.id
    order by one.rank, lower(coalesce(c.name, one.address, '')), one.key limit ${mostChosen * 2}`.execute(db)
  return { items: rows }
}
