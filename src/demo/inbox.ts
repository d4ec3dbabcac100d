import { sql } from 'kysely'
import {
  addConversationNote,
  assignConversation,
  snoozeConversation,
} from '../features/messages/conversations/server/commands.ts'
import { getConversation, listConversationPeople } from '../features/messages/conversations/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'

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
