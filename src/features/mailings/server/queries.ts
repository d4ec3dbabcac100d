import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { invalid, notFound } from '../../../shared/errors.ts'
import { toE164 } from '../../../shared/phone.ts'
import { getPortalUrl } from '../../businesses/letters/server/queries.ts'
import { CustomerChoice } from '../../customers/contract.ts'
import { listChosen } from '../../customers/server/bulk/queries.ts'
import { quietUntil } from '../../messages/rules.ts'
import { smsUsage } from '../../messages/server/queries.ts'
import type { Mailing, MailingChoice, MailingPreview } from '../contract.ts'
import { type About, mostChosen, type Reached, reachedBy, valuesFor, type Way } from '../rules.ts'

export type Addressee = {
  id: string
  name: string
  company: string | null
  language: 'en' | 'es'
  email: string | null
  phone: string | null
}

/** Customers who are not archived, in the order of their ids. */
export const listAddressees = (db: TenantDb, ids: readonly string[]): Promise<Addressee[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : (db
        .selectFrom('customers')
        .select(['id', 'name', 'company', 'language', 'email', 'phone'])
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
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const first = new Map<string, string>()
  return new Map(
    at.map(({ id, sms, email }) => {
      const how = reachedBy(way, about, { sms: facts('sms', sms), email: facts('email', email) })
      if (how.channel === null) return [id, how]
      const at = key(how.channel, how.address)
      const other = first.get(at)
      if (other === undefined) first.set(at, names.get(id) ?? '')
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
export const readChoice = (choice: MailingChoice): CustomerChoice => {
  const read = CustomerChoice.safeParse(choice)
  if (!read.success) throw invalid([{ path: 'choice', message: 'Choose the customers again.' }])
  return read.data
}

const mostNamed = 50

/** Whom it would reach, by what, and who is left out and why. */
export const previewMailing = async (
  db: TenantDb,
  { choice, way, about }: { choice: MailingChoice; way: Way; about: About },
): Promise<MailingPreview> => {
  const chosen = await listChosen(db, readChoice(choice), mostChosen + 1)
  const people = await listAddressees(db, chosen.slice(0, mostChosen))
  const reached = await listReached(db, people, { way, about })
  const business = await senderOf(db)
  const usage = await smsUsage(db)
  const by = (channel: 'sms' | 'email' | null) => people.filter(({ id }) => reached.get(id)?.channel === channel)
  const unreached = by(null)
  const gets = people.filter(({ id }) => reached.get(id)?.channel)
  return {
    chosen: chosen.length,
    tooMany: chosen.length > mostChosen,
    texts: by('sms').length,
    mails: by('email').length,
    quietUntil: quietUntil(about === 'offer' ? 'marketing' : 'transactional', clock.now(), business.timeZone, {
      startMinute: business.quietStartMinute,
      endMinute: business.quietEndMinute,
    }),
    segmentsLeft: usage.segmentLimit === null ? null : Math.max(0, usage.segmentLimit - usage.segmentsUsed),
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

/** @throws not_found */
export const getMailing = async (db: TenantDb, id: string): Promise<Mailing> => {
  const { rows } = await sql<Mailing>`
    select m.id, m.chosen, m.unreached, cardinality(m.waiting) as waiting, m.leaves_at, m.stopped_at, n.texts, n.mails, n.sent, n.failed
    from mailings m, lateral (
      select count(*) filter (where channel = 'sms')::int as texts, count(*) filter (where channel = 'email')::int as mails,
        count(*) filter (where status in ('sent', 'delivered'))::int as sent,
        count(*) filter (where status in ('failed', 'suppressed', 'unknown'))::int as failed
      from messages s where s.business_id = m.business_id and s.entity_type = 'mailing' and s.entity_id = m.id) n
    where m.business_id = ${db.businessId} and m.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('message')
  return rows[0]
}
