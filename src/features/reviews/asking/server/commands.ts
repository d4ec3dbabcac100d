import { sql } from 'kysely'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { absoluteUrl, linkToken, revokeLink } from '../../../../platform/links.ts'
import { paths } from '../../../../shared/paths.ts'
import { addressLine } from '../../../../shared/places.ts'
import { customerLetter } from '../../../businesses/letters/server/queries.ts'
import { quietUntil, stopWords } from '../../../messages/rules.ts'
import { queueMessage, stopMessagesTx } from '../../../messages/server/commands.ts'
import { saidNo } from '../../../messages/server/refusals/queries.ts'
import { findWays, getNoticeSettings, listNoticeCustomers, segmentsLeft } from '../../../notices/server/queries.ts'
import { answerDays, askWithinHours, oldestDays } from '../../rules.ts'
import { getKept } from '../../server/queries.ts'
import { bothered, mayAsk } from './against.ts'
import { askText, askWords } from './words.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const before = (ms: number): string => new Date(clock.nowMs() - ms).toISOString()

/** So many customers of a business are read at once; a run goes through all of them, so that who has no way open keeps nobody else waiting. */
const most = 100

type Due = { visitId: string; customerId: string; day: string }

/** Visits that are asked about now, one a customer: the last that was done. */
const listDue = async (
  db: TenantDb,
  settings: { enabledAt: string; delayHours: number; everyDays: number },
  today: string,
  { customerId, after, atOnce = 1 }: { customerId?: string; after?: string | undefined; atOnce?: number },
): Promise<Due[]> => {
  const doneBefore = before(settings.delayHours * hourMs)
  const since = [settings.enabledAt, before((settings.delayHours + askWithinHours) * hourMs)].toSorted().at(-1) ?? ''
  const one = customerId ? sql`and v.customer_id = ${customerId}` : after ? sql`and v.customer_id > ${after}` : sql``
  const { rows } = await sql<Due>`
    select distinct on (v.customer_id) v.id as visit_id, v.customer_id, v.day
    from visits v
    where v.business_id = ${db.businessId} and v.status = 'completed'
      and v.day between ${today}::date - ${sql.lit(oldestDays)} and ${today}::date
      and v.finished_at > ${since} and v.finished_at <= ${doneBefore} ${one}
      and not exists (select 1 from review_asks a
        where a.business_id = v.business_id and a.customer_id = v.customer_id
          and a.created_at > ${before(settings.everyDays * dayMs)} and ${bothered})
      and not exists (select 1 from review_asks a where a.business_id = v.business_id and a.visit_id = v.id)
      and ${mayAsk}
    order by v.customer_id, v.finished_at desc, v.id
    limit ${atOnce}`.execute(db)
  return rows
}

/** Asks one customer about one visit, by the ways they get notices; nobody is asked who said no to offers anywhere. @returns whether there was a way */
export const askTx = async (db: TenantDb, { visitId, customerId, day }: Due): Promise<boolean> => {
  const settings = await getNoticeSettings(db)
  const [customer] = await listNoticeCustomers(db, [customerId])
  if (!customer) return false
  const open = await findWays(db, { ...customer, others: [] }, { segmentsLeft: await segmentsLeft(db) })
  const [found] = open
  if (!found || (await saidNo(db, customerId, found.way.address))) return false
  const id = newId()
  const made = await db
    .insertInto('reviewAsks')
    .values({
      businessId: db.businessId,
      id,
      customerId,
      visitId,
      expiresAt: new Date(clock.nowMs() + answerDays * dayMs).toISOString(),
      createdAt: clock.iso(),
    })
    .onConflict((c) => c.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return false
  const url = absoluteUrl(paths.review(await linkToken(db, 'review', id)))
  const common = {
    purpose: 'transactional',
    address: found.way.address,
    customerId,
    entity: { type: 'review_ask', id },
    dedupeKey: `review:${visitId}`,
  } as const
  const { language } = customer
  if (found.way.channel === 'email') {
    // the link belongs to the ask, and so to the address it went to
    const stopUrl = absoluteUrl(paths.unsubscribe(await linkToken(db, 'unsubscribe', id)))
    const address = addressLine(await postalOf(db))
    const { subject, ...letter } = askWords(
      { customer: customer.name, day, url, stopUrl, address },
      settings.name,
      language,
    )
    await queueMessage(db, {
      channel: 'email',
      ...common,
      subject,
      ...customerLetter(settings, { language, ...letter }),
    })
    return true
  }
  await queueMessage(db, {
    channel: 'sms',
    ...common,
    text: `${askText({ day, url }, settings.name, language)} ${stopWords[language]}`,
  })
  return true
}

/** Where who asks can be found. */
const postalOf = async (db: TenantDb) => {
  const { street, city, state, zip } = await db
    .selectFrom('businesses')
    .select(['street', 'city', 'state', 'zip'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return { street: street ?? '', city: city ?? '', state: state ?? '', zip: zip ?? '' }
}

/**
 * Asks the customers whose visit was done so many hours ago how it was. Everything that speaks against it is asked now, when the message leaves, not
 * when the visit was done; in hours in which nobody wants to be asked (those of marketing) it waits. However many processes run it, a customer
 * is asked once.
 */
export const askForReviews = async (actor: SystemActor, atOnce = most): Promise<number> => {
  const found = await withTenant(actor, async (db) => {
    const { enabled, enabledAt, ...rest } = await getKept(db)
    if (!enabled || !enabledAt) return null
    const { timeZone, quiet, today, closedAt } = await getNoticeSettings(db)
    if (closedAt || quietUntil('marketing', clock.now(), timeZone, quiet) !== null) return null
    return { settings: { ...rest, enabledAt }, today }
  })
  if (!found) return 0
  const { settings, today } = found
  let asked = 0
  let after: string | undefined
  do {
    const due = await withTenant(actor, (db) => listDue(db, settings, today, { after, atOnce }))
    for (const { customerId } of due)
      await withTenant(actor, async (db) => {
        const key = `reviews:${db.businessId}:${customerId}`
        await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db)
        const [still] = await listDue(db, settings, today, { customerId })
        if (still && (await askTx(db, still))) asked++
      })
    after = due.length < atOnce ? undefined : due.at(-1)?.customerId
  } while (after)
  return asked
}

/** Locks what has not left of an ask; empty where the sender took it meanwhile. */
const lockWaiting = (db: TenantDb, askId: string) =>
  db
    .selectFrom('messages')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', 'review_ask')
    .where('entityId', '=', askId)
    .where('status', 'in', ['pending', 'held'])
    .forUpdate()
    .execute()

/** Takes back what has not left yet and has no reason any more: the visit was opened again, the customer wrote, was archived, the switch went off. */
export const recallAsks = (actor: SystemActor): Promise<void> =>
  withTenant(actor, async (db) => {
    const { enabled } = await getKept(db)
    const { rows } = await sql<{ id: string }>`
      select a.id from review_asks a
      left join visits v on v.business_id = a.business_id and v.id = a.visit_id
      where a.business_id = ${db.businessId} and a.created_at > ${before(3 * dayMs)} and a.recalled_at is null
        and exists (select 1 from messages w where w.business_id = a.business_id and w.entity_type = 'review_ask'
          and w.entity_id = a.id and w.status in ('pending', 'held'))
        and (v.id is null or not (${enabled} and ${mayAsk}))
      order by a.id
      limit ${most}`.execute(db)
    for (const { id } of rows) {
      // what the sender took meanwhile leaves, and its link opens
      if ((await lockWaiting(db, id)).length === 0) continue
      await stopMessagesTx(db, { type: 'review_ask', id }, 'Something came up before it left, so nobody is asked.')
      await revokeLink(db, 'review', id)
      await db
        .updateTable('reviewAsks')
        .set({ recalledAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('id', '=', id)
        .execute()
    }
  })
