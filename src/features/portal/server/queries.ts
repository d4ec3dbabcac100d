import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { absoluteUrl, linkHash, signedFilePath } from '../../../platform/links.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import { dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { findBusinessBySlug } from '../../businesses/server/queries.ts'
import type { ContactRole, ContactWays } from '../../customers/contacts/rules.ts'
import { requireCustomer } from '../../customers/server/queries.ts'
import { type PortalRequest, type PortalSettings, portalApi } from '../contract.ts'
import {
  type PortalRules,
  type RequestAction,
  type RequestKind,
  type RequestState,
  requestRefusals,
  usualRules,
} from '../rules.ts'
import { contactRights, ownRights, type Rights } from './rights.ts'

export type Language = 'en' | 'es'

/** The business behind an address of the portal, as everybody may see it. */
export type Door = {
  businessId: BusinessId
  slug: string
  name: string
  color: string
  logoUrl: string | null
  phone: string | null
  email: string | null
  timeZone: string
  closed: boolean
  sharePhotos: boolean
  rules: PortalRules
}

/** The rules of the portal, with their version; 0 while nobody has changed them. */
export const getRules = async (db: TenantDb): Promise<PortalRules & { version: number }> => {
  const row = await db
    .selectFrom('portalSettings')
    .select([
      'enabled',
      'skipAllowed',
      'skipHours',
      'skipReason',
      'pauseAllowed',
      'pauseDays',
      'requestsAllowed',
      'serviceIds',
      'version',
    ])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  return row ?? { ...usualRules, version: 0 }
}

const slugOf = async (db: TenantDb): Promise<string> =>
  (await db.selectFrom('businesses').select('slug').where('businessId', '=', db.businessId).executeTakeFirstOrThrow())
    .slug

export const getPortalSettings = async (db: TenantDb): Promise<PortalSettings> => ({
  ...(await getRules(db)),
  url: absoluteUrl(paths.portal(await slugOf(db))),
})

export const getDoor = async (db: TenantDb): Promise<Door> => {
  const row = await db
    .selectFrom('businesses')
    .select(['slug', 'name', 'brandColor', 'logoFileId', 'phone', 'email', 'timeZone', 'closedAt', 'sharePhotos'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return {
    businessId: db.businessId,
    slug: row.slug,
    name: row.name,
    color: row.brandColor,
    logoUrl: row.logoFileId ? signedFilePath(db.businessId, row.logoFileId) : null,
    phone: row.phone,
    email: row.email,
    timeZone: row.timeZone,
    closed: row.closedAt !== null,
    sharePhotos: row.sharePhotos,
    rules: await getRules(db),
  }
}

/** The business at an address of the portal, or null. */
export const findDoor = async (name: string): Promise<Door | null> => {
  const businessId = await findBusinessBySlug(name)
  return businessId && withTenant({ businessId }, getDoor)
}

/** Somebody who may sign in: a customer, or a contact of one. */
export type Person = {
  customerId: string
  contactId: string | null
  /** Who signs in. */
  name: string
  /** Whose record it is. */
  customerName: string
  email: string | null
  phone: string | null
  language: Language
  street: string | null
  rights: Rights
}

type PersonRow = Omit<Person, 'rights'> & { role: ContactRole | null } & ContactWays

const personOf = ({ role, invoicesBy, quotesBy, visitsBy, marketingBy, ...row }: PersonRow): Person | null => {
  const rights = role === null ? ownRights : contactRights({ role, invoicesBy, quotesBy, visitsBy, marketingBy })
  return rights && { ...row, rights }
}

/** So many records of one address are offered. */
const mostPeople = 20

const peopleWhere = async (
  db: TenantDb,
  own: ReturnType<typeof sql<boolean>>,
  contact: ReturnType<typeof sql<boolean>>,
): Promise<Person[]> => {
  const street = sql`(select p.street from properties p where p.business_id = c.business_id and p.customer_id = c.id
    and p.archived_at is null order by p.id limit 1)`
  const { rows } = await sql<PersonRow>`
    select c.id as "customerId", null::uuid as "contactId", c.name, c.name as "customerName", c.email, c.phone, c.language, ${street} as street,
      null as role, null as "invoicesBy", null as "quotesBy", null as "visitsBy", null as "marketingBy"
    from customers c where c.business_id = ${db.businessId} and c.archived_at is null and ${own}
    union all
    select c.id, k.id, k.name, c.name, k.email, k.phone, c.language, ${street}, k.role, k.invoices_by, k.quotes_by, k.visits_by, k.marketing_by
    from customer_contacts k join customers c on c.business_id = k.business_id and c.id = k.customer_id
    where k.business_id = ${db.businessId} and c.archived_at is null and ${contact}
    order by "customerName", "contactId" nulls first limit ${mostPeople}`.execute(db)
  return rows.map(personOf).filter((one) => one !== null)
}

/** Who may sign in by an address: each record once, a customer's own before a contact's. */
export const listPeople = async (
  db: TenantDb,
  { channel, address }: { channel: 'email' | 'sms'; address: string },
): Promise<Person[]> => {
  const found = await (channel === 'email'
    ? peopleWhere(db, sql<boolean>`c.email = ${address}`, sql<boolean>`k.email = ${address}`)
    : peopleWhere(db, sql<boolean>`c.phone = ${address}`, sql<boolean>`k.phone = ${address}`))
  return found.filter((one, at) => found.findIndex(({ customerId }) => customerId === one.customerId) === at)
}

/** A browser that is signed in. */
export type Session = {
  id: string
  channel: 'email' | 'sms'
  address: string
  language: Language | null
  /** Null until one of several records was chosen. */
  person: Person | null
}

const readCookie = (cookie: string | undefined): { id: string; secret: string } | null => {
  const found = /^([0-9a-f-]{36})\.([\w-]{20,100})$/.exec(cookie ?? '')
  return found ? { id: found[1] ?? '', secret: found[2] ?? '' } : null
}

export type SessionState =
  | { kind: 'none' }
  /** It was one, and is over: signed out elsewhere, too old, or the address is on file no more. */
  | { kind: 'over' }
  /** The customer was put away. */
  | { kind: 'archived' }
  | { kind: 'in'; session: Session }

/** What the cookie of a browser means now; person and rights are read anew each time. */
export const readPortalSession = async (db: TenantDb, cookie: string | undefined): Promise<SessionState> => {
  const read = readCookie(cookie)
  if (!read) return { kind: 'none' }
  const row = await db
    .selectFrom('portalSessions')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', read.id)
    .where('secretHash', '=', linkHash(read.secret))
    .executeTakeFirst()
  if (!row) return { kind: 'none' }
  if (row.revokedAt || Date.parse(row.expiresAt) < clock.nowMs()) return { kind: 'over' }
  const session = { id: row.id, channel: row.channel, address: row.address, language: row.language }
  if (row.customerId === null) return { kind: 'in', session: { ...session, person: null } }
  const [person] = await (row.contactId
    ? peopleWhere(db, sql<boolean>`false`, sql<boolean>`k.id = ${row.contactId} and c.id = ${row.customerId}`)
    : peopleWhere(db, sql<boolean>`c.id = ${row.customerId}`, sql<boolean>`false`))
  if (!person) {
    const { archivedAt } = await db
      .selectFrom('customers')
      .select('archivedAt')
      .where('businessId', '=', db.businessId)
      .where('id', '=', row.customerId)
      .executeTakeFirstOrThrow()
    return { kind: archivedAt ? 'archived' : 'over' }
  }
  const isOnFile = (row.channel === 'email' ? person.email : person.phone) === row.address
  return isOnFile || row.readdressed ? { kind: 'in', session: { ...session, person } } : { kind: 'over' }
}

/** How a link to sign in stands, or null where there is none. */
export const findSignIn = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('portalLinks')
    .select(['id', 'channel', 'address', 'expiresAt', 'usedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const state = row.usedAt ? 'used' : Date.parse(row.expiresAt) < clock.nowMs() ? 'expired' : 'open'
  return { ...row, state: state as 'used' | 'expired' | 'open' }
}

export const todayAt = (door: Door): string => dayOf(clock.now(), door.timeZone)

const needs: Record<RequestAction, Need> = { accept: portalApi.answer, decline: portalApi.answer }

const requestRows = (db: TenantDb) =>
  db
    .selectFrom('portalRequests as r')
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'r.businessId').onRef('c.id', '=', 'r.customerId'))
    .leftJoin('customerContacts as k', (x) =>
      x.onRef('k.businessId', '=', 'r.businessId').onRef('k.id', '=', 'r.contactId'),
    )
    .leftJoin('properties as p', (x) => x.onRef('p.businessId', '=', 'r.businessId').onRef('p.id', '=', 'r.propertyId'))
    .where('r.businessId', '=', db.businessId)
    .select([
      'r.id',
      'r.kind',
      'r.status',
      'r.title',
      'r.words',
      'r.customerId',
      'c.name as customerName',
      'k.name as byName',
      'r.propertyId',
      'p.street',
      'r.serviceId',
      'r.priceCents',
      'r.answer',
      'r.answeredAt',
      'r.createdAt',
    ])

type RequestRow = Awaited<ReturnType<ReturnType<typeof requestRows>['execute']>>[number]

const requestOf = (actor: Actor, row: RequestRow): PortalRequest => ({
  ...row,
  kind: row.kind as RequestKind,
  status: row.status as RequestState,
  priceCents: hasPermission(actor, 'money') && row.priceCents !== null ? Number(row.priceCents) : null,
  can: canOf(actor, needs, requestRefusals, { status: row.status as RequestState }),
})

/** @throws AppError not_found */
export const getRequest = async (db: TenantDb, actor: Actor, id: string): Promise<PortalRequest> => {
  const row = await requestRows(db).where('r.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('request')
  return requestOf(actor, row)
}

/** What a customer asked for, the open ones first, then the latest. @throws AppError not_found */
export const listRequests = async (db: TenantDb, actor: Actor, customerId: string) => {
  await requireCustomer(db, customerId)
  const rows = await requestRows(db)
    .where('r.customerId', '=', customerId)
    .orderBy(sql`(r.status = 'open')`, 'desc')
    .orderBy('r.id', 'desc')
    .limit(30)
    .execute()
  const seen = await db
    .selectFrom('portalSessions')
    .select((eb) => eb.fn.max('lastUsedAt').as('at'))
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .executeTakeFirst()
  return { items: rows.map((row) => requestOf(actor, row)), lastSeenAt: seen?.at ?? null }
}
