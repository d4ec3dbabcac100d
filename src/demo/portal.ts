import { sql } from 'kysely'
import { updateCustomer } from '../features/customers/server/commands.ts'
import { mailCustomer } from '../features/messages/server/commands.ts'
import { receivePortalTx } from '../features/messages/server/inbound/commands.ts'
import { savePortalSettings } from '../features/portal/office/server/commands.ts'
import { getDoor, getRules, listPeople } from '../features/portal/server/queries.ts'
import { askForService } from '../features/portal/services/server/commands.ts'
import { listServices } from '../features/services/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'

/** Whoever asks for a link with this address at /portal/{demo} finds it in the local outbox. */
export const portalEmail = 'customer@demo.swath.test'

/** Somebody with visits, photos, an open bill and visits to come. */
const findShown = (owner: Actor) =>
  withTenant(owner, async (db) => {
    const { rows } = await sql<{ id: string; version: number }>`
      select c.id, c.version from customers c where c.business_id = ${db.businessId} and c.archived_at is null and c.email is not null
        and c.language = 'en' and c.type = 'residential'
        and exists (select from invoices i where i.business_id = c.business_id and i.customer_id = c.id and i.status = 'issued' and not i.disputed)
        and exists (select from visits v where v.business_id = c.business_id and v.customer_id = c.id and v.status = 'scheduled')
      order by (select count(*) from visit_photos x join visits v on v.business_id = x.business_id and v.id = x.visit_id
        where v.business_id = c.business_id and v.customer_id = c.id) desc, c.name, c.id limit 1`.execute(db)
    return rows[0]
  })

/** A portal worth looking at: services to ask for, somebody who wrote, and what the office answered. */
export const openPortal = async (owner: Actor): Promise<void> => {
  const { services, version } = await withTenant(owner, async (db) => ({
    services: (await listServices(db)).filter(({ category, unit }) => category !== 'mow' && unit === 'visit'),
    version: (await getRules(db)).version,
  }))
  await savePortalSettings(owner, { serviceIds: services.slice(0, 4).map(({ id }) => id), version })
  const shown = await findShown(owner)
  if (!shown) return
  await updateCustomer(owner, shown.id, { email: portalEmail, version: shown.version })
  const { door, person } = await withTenant(owner, async (db) => ({
    door: await getDoor(db),
    person: (await listPeople(db, { channel: 'email', address: portalEmail }))[0],
  }))
  const [service] = services
  if (!person || !service) return
  await withTenant(owner, (db) =>
    receivePortalTx(db, {
      customerId: person.customerId,
      address: portalEmail,
      fromName: person.name,
      text: 'Hi! We planted roses along the fence last weekend. Could the crew go around them with the trimmer?',
      key: newId(),
    }),
  )
  await mailCustomer(owner, person.customerId, {
    subject: 'Your roses',
    text: 'Of course. The crew has a note for it from the next visit on. Enjoy the roses!',
  })
  const [place] = await withTenant(owner, (db) =>
    db
      .selectFrom('properties')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', person.customerId)
      .where('archivedAt', 'is', null)
      .orderBy('id')
      .execute(),
  )
  if (place)
    await askForService(door, {
      person,
      language: 'en',
      serviceId: service.id,
      propertyId: place.id,
      words: 'Sometime next month would be great.',
      onceKey: newId(),
    })
}
