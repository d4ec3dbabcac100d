import { sql } from 'kysely'
import { storeImage } from '../features/files/server/commands.ts'
import {
  addConversationNote,
  assignConversation,
  snoozeConversation,
} from '../features/messages/conversations/server/commands.ts'
import { getConversation, listConversationPeople } from '../features/messages/conversations/server/queries.ts'
import { keepPhotosTx } from '../features/messages/photos/server/commands.ts'
import { readMessages, textCustomer } from '../features/messages/server/commands.ts'
import { receiveText } from '../features/messages/server/inbound/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { toE164 } from '../shared/phone.ts'
import { brownPatch } from './photos.ts'

/** The inbox as an office leaves it in the evening: two conversations have somebody, one rests until tomorrow, and two have a note. */
export const tendInbox = async (owner: Actor): Promise<void> => {
  const { customers, people } = await withTenant(owner, async (db) => {
    const { rows } = await sql<{ id: string }>`
      select customer_id as id from messages
      where business_id = ${db.businessId} and direction = 'inbound' and customer_id is not null
      group by customer_id order by max(id::text) desc limit 3`.execute(db)
    return { customers: rows.map(({ id }) => id), people: await listConversationPeople(db) }
  })
  const versionOf = (customerId: string) =>
    withTenant(owner, async (db) => (await getConversation(db, owner, customerId)).version)
  const [first, second, third] = customers
  const other = people.find(({ id }) => id !== owner.userId)
  if (first && other) {
    await assignConversation(owner, first, { userId: other.id, version: await versionOf(first) })
    await addConversationNote(
      owner,
      first,
      'She asked the same last month. Offer to text the evening before each visit.',
    )
  }
  if (second) await assignConversation(owner, second, { userId: owner.userId, version: await versionOf(second) })
  if (third) {
    await snoozeConversation(owner, third, { until: 'tomorrow', version: await versionOf(third) })
    await addConversationNote(owner, third, 'Waits for the supplier: pine straw comes tomorrow.')
  }
}

/** Somebody sends a photo of a brown spot, and is answered with the crew's photo of the day. */
export const talkOverPhotos = async (owner: Actor): Promise<void> => {
  const { businessId } = owner
  const found = await withTenant(owner, async (db) => {
    const { rows } = await sql<{ id: string; phone: string; fileId: string }>`
      select c.id, c.phone, p.file_id as "fileId"
      from customers c join visits v on v.business_id = c.business_id and v.customer_id = c.id
        join visit_photos p on p.business_id = v.business_id and p.visit_id = v.id and p.kind = 'after'
      where c.business_id = ${businessId} and c.archived_at is null and c.phone is not null and c.language = 'en'
        and not exists (select from messages m where m.business_id = c.business_id and m.customer_id = c.id and m.direction = 'inbound')
        and not exists (select from suppressions s where s.business_id = c.business_id and s.address = c.phone)
      order by v.day desc, p.id limit 1`.execute(db)
    return rows[0]
  })
  const phone = found && toE164(found.phone)
  if (!found || !phone) return
  const providerId = 'demo-brown-patch'
  await receiveText(businessId, {
    from: phone,
    body: 'There is a brown spot by the mailbox. Is that from the heat, or grubs?',
    provider: 'demo',
    providerId,
  })
  const image = await storeImage(owner, await brownPatch())
  await withTenant(owner, async (db) => {
    const { id } = await db
      .selectFrom('messages')
      .select('id')
      .where('businessId', '=', businessId)
      .where('providerId', '=', providerId)
      .executeTakeFirstOrThrow()
    await keepPhotosTx(db, id, [image], [])
  })
  await readMessages(owner, { customerId: found.id })
  await textCustomer(owner, found.id, {
    text: 'That is from the heat: no grubs there. This is how the rest looked when we left. It will green up.',
    photos: [found.fileId],
  })
}
