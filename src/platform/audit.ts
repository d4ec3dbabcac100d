import { sql } from 'kysely'
import type { Who } from './actor.ts'
import { userIdOf } from './actor.ts'
import { clock } from './clock.ts'
import { inPieces, jsonOf } from './db/rows.ts'
import type { TenantDb } from './db/tenant.ts'
import { newId } from './ids.ts'
import { requestIdOf } from './request-context.ts'

type Audited = { id: string | null; before?: unknown; after?: unknown }

/** Appends to the audit log in the transaction of the change. `before` and `after` hold what changed, never secrets. */
export const audit = (
  db: TenantDb,
  who: Who,
  action: string,
  entity: { type: string; id: string | null },
  change: { before?: unknown; after?: unknown } = {},
): Promise<void> => auditAll(db, who, action, entity.type, [{ id: entity.id, ...change }])

/** The same action on many records, in one statement for a thousand of them. */
export const auditAll = async (
  db: TenantDb,
  who: Who,
  action: string,
  entityType: string,
  records: readonly Audited[],
): Promise<void> => {
  if (records.length === 0) return
  const at = clock.iso()
  for (const some of inPieces(records))
    await sql`
      insert into audit_log (business_id, id, actor_kind, actor_id, action, entity_type, entity_id, before, after, request_id, at)
      values ${sql.join(
        some.map(
          ({ id, before, after }) =>
            sql`(${db.businessId}::uuid, ${newId()}::uuid, ${who.kind}, ${userIdOf(who)}::uuid, ${action}, ${entityType}, ${id}::uuid,
              ${jsonOf(before)}::jsonb, ${jsonOf(after)}::jsonb, ${requestIdOf()}, ${at}::timestamptz)`,
        ),
      )}`.execute(db)
}
