import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Attachment } from '../../server/queries.ts'
import { type Outcome, outcomes, statusesOf } from '../rules.ts'

/** What became of messages, by their ids, for who caused them: of mail of the account this alone is told, never what is in it. */
export const listOutcomes = async (
  db: TenantDb,
  ids: readonly string[],
): Promise<Map<string, { address: string; outcome: Outcome; reason: string }>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'address', 'status', 'reason'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(
    rows.flatMap(({ id, address, status, reason }) => {
      const outcome = outcomes.find((one) => statusesOf[one].some((known) => known === status))
      return outcome ? [[id, { address, outcome, reason: reason ?? '' }] as const] : []
    }),
  )
}

/** Files that lie in the mails about a record since an instant. */
export const listAttached = async (
  db: TenantDb,
  entity: { type: string; id: string },
  since: string,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('messages')
    .select('attachments')
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', entity.type)
    .where('entityId', '=', entity.id)
    .where('createdAt', '>=', since)
    .execute()
  return [...new Set(rows.flatMap(({ attachments }) => (attachments as Attachment[]).map(({ fileId }) => fileId)))]
}
