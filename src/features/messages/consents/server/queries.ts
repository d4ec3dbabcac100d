import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf } from '../../../../shared/can.ts'
import { type Day, dayOf } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { toE164 } from '../../../../shared/phone.ts'
import { mostContacts } from '../../../customers/contacts/rules.ts'
import { type CustomerConsents, consentsApi } from '../contract.ts'
import { consentRefusals, standingOf } from '../rules.ts'

const mostWords = 50

type Address = { channel: 'email' | 'sms'; address: string; name: string }

/** The numbers and addresses of a customer and their contacts, each once. @throws not_found */
const listAddresses = async (db: TenantDb, customerId: string): Promise<Address[]> => {
  const { rows } = await sql<{ name: string; email: string | null; phone: string | null }>`
    (select name, email, phone from customers where business_id = ${db.businessId} and id = ${customerId})
    union all
    (select name, email, phone from customer_contacts where business_id = ${db.businessId} and customer_id = ${customerId}
      order by id limit ${mostContacts})`.execute(db)
  if (rows.length === 0) throw notFound('customer')
  const all = rows.flatMap(({ name, email, phone }): Address[] => {
    const number = phone ? toE164(phone) : null
    const mail = email?.trim().toLowerCase()
    return [
      ...(number ? [{ channel: 'sms' as const, address: number, name }] : []),
      ...(mail ? [{ channel: 'email' as const, address: mail, name }] : []),
    ]
  })
  return [...new Map(all.reverse().map((one) => [`${one.channel} ${one.address}`, one])).values()].reverse()
}

type AddressFacts = Address & {
  suppressed: { purpose: 'all' | 'marketing'; reason: string } | null
  last: 'grant' | 'revoke' | null
  /** The day of their newest no to offers. */
  lastNoOn: Day | null
}

/** What each address of a customer stands at. @throws not_found */
export const listAddressFacts = async (db: TenantDb, customerId: string): Promise<AddressFacts[]> => {
  const addresses = await listAddresses(db, customerId)
  if (addresses.length === 0) return []
  const { timeZone } = await db
    .selectFrom('businesses')
    .select('timeZone')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{
    at: number
    last: 'grant' | 'revoke' | null
    noAt: string | null
    noOn: Day | null
    purpose: 'all' | 'marketing' | null
    reason: string | null
  }>`
    select a.at::int as at, last.action as last, no.at as no_at, no.said_on as no_on, s.purpose, s.reason
    from unnest(${addresses.map(({ channel }) => channel)}::text[], ${addresses.map(({ address }) => address)}::text[])
      with ordinality as a(channel, address, at)
    left join lateral (select e.action from consent_events e where e.business_id = ${db.businessId} and e.channel = a.channel
      and e.address = a.address and e.purpose = 'marketing' order by e.at desc, e.id desc limit 1) last on true
    left join lateral (select e.at, e.said_on from consent_events e where e.business_id = ${db.businessId} and e.channel = a.channel
      and e.address = a.address and e.purpose = 'marketing' and e.action = 'revoke' order by e.at desc, e.id desc limit 1) no on true
    left join lateral (select u.purpose, u.reason from suppressions u where u.business_id = ${db.businessId} and u.channel = a.channel
      and u.address = a.address order by u.purpose limit 1) s on true`.execute(db)
  const found = new Map(rows.map((row) => [row.at, row]))
  return addresses.map((one, at) => {
    const row = found.get(at + 1)
    return {
      ...one,
      last: row?.last ?? null,
      lastNoOn: row?.noOn ?? (row?.noAt ? dayOf(row.noAt, timeZone) : null),
      suppressed: row?.purpose ? { purpose: row.purpose, reason: row.reason ?? '' } : null,
    }
  })
}

/** Where offers may go, and the newest words about it. @throws not_found */
export const listConsents = async (db: TenantDb, actor: Actor, customerId: string): Promise<CustomerConsents> => {
  const facts = await listAddressFacts(db, customerId)
  const { rows } = await sql<CustomerConsents['items'][number]>`
    select w.id, w.channel, w.address, w.purpose, w.action, w.source, w.wording, u.name as by_name, w.at,
      coalesce(w.said_on, (w.at at time zone b.time_zone)::date) as day
    from unnest(${facts.map(({ channel }) => channel)}::text[], ${facts.map(({ address }) => address)}::text[]) as a(channel, address)
    cross join lateral (select e.* from consent_events e where e.business_id = ${db.businessId} and e.channel = a.channel
      and e.address = a.address order by e.at desc, e.id desc limit ${mostWords}) w
    join businesses b on b.business_id = w.business_id
    left join users u on u.business_id = w.business_id and u.id = w.actor_id
    order by w.at desc, w.id desc limit ${mostWords}`.execute(db)
  const needs = { agree: consentsApi.record, takeBack: consentsApi.record }
  return {
    customerId,
    addresses: facts.map(({ lastNoOn: _, ...one }) => ({
      channel: one.channel,
      address: one.address,
      name: one.name,
      standing: standingOf(one),
      reason: one.suppressed?.reason ?? null,
      can: canOf(actor, needs, consentRefusals, one),
    })),
    items: rows,
  }
}
