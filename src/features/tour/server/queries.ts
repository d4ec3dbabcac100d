import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { mayTour, type TourRow } from '../../../platform/http/tour.ts'
import { dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { tourHours } from '../../../shared/tour.ts'
import type { SessionUser } from '../../accounts/contract.ts'
import { getLooker, getSessionUser } from '../../accounts/server/queries.ts'
import type { PublicInvoice } from '../../payments/contract.ts'
import { getPublicInvoice } from '../../payments/server/queries.ts'
import type { TourView } from '../contract.ts'

const hourMs = 3_600_000

/** A demo business as the guard judges it, with the person whose phone is shown. */
export const findTour = (businessId: BusinessId, crewUserId: string | null): Promise<TourRow | undefined> =>
  withTenant({ businessId, readOnly: true }, (db) =>
    db
      .selectFrom('businesses')
      .leftJoin('users', (join) =>
        join
          .onRef('users.businessId', '=', 'businesses.businessId')
          .on('users.id', '=', crewUserId)
          .on('users.role', '=', 'Employee')
          .on('users.archivedAt', 'is', null),
      )
      .where('businesses.businessId', '=', businessId)
      .select([
        'businesses.name',
        'businesses.timeZone',
        'businesses.demo',
        'businesses.closedAt',
        'users.name as crewName',
      ])
      .executeTakeFirst(),
  )

/** The newest demo business that visitors may look at, or null where there is none or none is shown. */
export const findTourBusiness = async (): Promise<BusinessId | null> => {
  if (!mayTour()) return null
  const newest = await database()
    .selectFrom('tourDemos')
    .select('businessId')
    .where('readyAt', 'is not', null)
    .orderBy('readyAt', 'desc')
    .orderBy('businessId', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return null
  const businessId = asBusinessId(newest.businessId)
  const found = await findTour(businessId, null)
  return found?.demo && !found.closedAt ? businessId : null
}

/** Whether a demo of this hour is there or being made: one is enough, however often it is asked for. */
export const hasDemoOfThisHour = async (): Promise<boolean> => {
  const hour = new Date(Math.floor(clock.nowMs() / hourMs) * hourMs).toISOString()
  const found = await database()
    .selectFrom('tourDemos')
    .select('businessId')
    .where('begunAt', '>=', hour)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Demos in which no visitor can be: the next one was ready a whole tour ago, or they were never finished. */
export const listReplacedDemos = async (): Promise<BusinessId[]> => {
  const before = (hours: number) => new Date(clock.nowMs() - hours * hourMs).toISOString()
  const { rows } = await sql<{ businessId: string }>`
    select business_id as "businessId" from (
      select business_id, ready_at, begun_at, lead(ready_at) over (order by ready_at, business_id) as replaced_at from tour_demos
    ) demo
    where case when ready_at is null then begun_at < ${before(1)} else replaced_at <= ${before(tourHours)} end`.execute(
    database(),
  )
  return rows.map((row) => asBusinessId(row.businessId))
}

/** Every demo that visitors are or were shown, and those that are being made. */
export const listDemos = async (): Promise<BusinessId[]> =>
  (await database().selectFrom('tourDemos').select('businessId').execute()).map((row) => asBusinessId(row.businessId))

const askedEveryMs = 30_000
let asked = { at: Number.NEGATIVE_INFINITY, isOpen: false }
let asking: Promise<void> | null = null

/** Asks whether there is a tour to take, one question for all who want to know; where the database does not answer there is none. */
export const lookForTour = (): Promise<void> => {
  asking ??= findTourBusiness()
    .then(
      (id) => id !== null,
      () => false,
    )
    .then((isOpen) => {
      asked = { at: clock.nowMs(), isOpen }
      asking = null
    })
  return asking
}

/** Whether there was a tour to take when it was last asked, every half minute at most: a page of the public site never waits for the answer. */
export const isTourOpen = (): boolean => {
  if (Math.abs(clock.nowMs() - asked.at) >= askedEveryMs) void lookForTour()
  return asked.isOpen
}

/** Whose phone shows most today: the leader of the crew with the most stops that are still to come; null where the demo has no crew. */
export const findTourCrew = async (db: TenantDb): Promise<string | null> => {
  const business = await db
    .selectFrom('businesses')
    .select('timeZone')
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  if (!business) return null
  const today = dayOf(clock.now(), business.timeZone)
  const { rows } = await sql<{ userId: string }>`
    select u.id as "userId"
    from crews c
    join crew_members m on m.business_id = c.business_id and m.crew_id = c.id
      and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
    join users u on u.business_id = m.business_id and u.id = m.user_id and u.role = 'Employee' and u.archived_at is null
    left join visits v on v.business_id = c.business_id and v.crew_id = c.id and v.day = ${today}
    where c.business_id = ${db.businessId}
    group by u.id, u.language, c.id, c.leader_user_id, c.position
    order by count(v.id) filter (where v.status not in ('completed', 'skipped', 'canceled')) desc, count(v.id) desc,
      u.language = 'en' desc, u.id = c.leader_user_id desc, c.position, u.id
    limit 1`.execute(db)
  return rows[0]?.userId ?? null
}

/** The invoice that tells most: still to pay, not late, several lines, the newest. */
const findShownInvoice = async (db: TenantDb, actor: Actor): Promise<string | null> => {
  const today = dayOf(clock.now(), actor.timeZone)
  const { rows } = await sql<{ id: string }>`
    select i.id from invoices i
    where i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid', 'paid')
    order by (i.status = 'issued') desc, (i.due_on >= ${today}) desc,
      least(3, (select count(*) from invoice_lines l where l.business_id = i.business_id and l.invoice_id = i.id)) desc,
      i.issue_on desc, i.number desc
    limit 1`.execute(db)
  return rows[0]?.id ?? null
}

const visitorOf = (db: TenantDb, { userId, name, role, permissions }: Actor): Promise<SessionUser> =>
  getLooker(db, { _id: userId, name, role, permissions: [...permissions] })

/** The demo business as a visitor meets it, in the office or with a crew member's phone in hand. */
export const getTourView = (actor: Actor): Promise<TourView> =>
  withTenant(actor, async (db) => {
    const user =
      actor.role === 'Employee'
        ? { ...(await getSessionUser(db, actor.userId)), email: null, language: 'en' as const }
        : await visitorOf(db, actor)
    return {
      user,
      businessName: actor.tour?.businessName ?? '',
      until: actor.tour?.until ?? '',
      invoiceId: await findShownInvoice(db, actor),
    }
  })

/** The shown invoice as its customer sees it, as if the demo took cards; nothing in the answer opens or pays it. @throws AppError not_found */
export const getCustomerPage = (actor: Actor): Promise<PublicInvoice> =>
  withTenant(actor, async (db) => {
    const id = await findShownInvoice(db, actor)
    if (!id) throw notFound('invoice')
    const invoice = await getPublicInvoice(db, id)
    return { ...invoice, canPay: invoice.balanceCents > 0, livemode: true }
  })
