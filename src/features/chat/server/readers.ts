import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import type { SeenThread } from './sight.ts'

/** The crew members whose phones a message of a thread is for today; the office has its bell. */
export const listReaders = async (
  db: TenantDb,
  { id, kind }: Pick<SeenThread, 'id' | 'kind'>,
  today: Day,
): Promise<string[]> => {
  if (kind === 'crew') {
    const members = await db
      .selectFrom('crewMembers')
      .select('userId')
      .distinct()
      .where('businessId', '=', db.businessId)
      .where('crewId', '=', id)
      .where('validFrom', '<=', today)
      .where((eb) => eb.or([eb('validTo', 'is', null), eb('validTo', '>=', today)]))
      .execute()
    return members.map(({ userId }) => userId)
  }
  const people = db
    .selectFrom('users')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('role', '=', 'Employee')
    .where('status', '=', 'active')
    .where('archivedAt', 'is', null)
  const rows = await (kind === 'person' ? people.where('id', '=', id) : people).execute()
  return rows.map((row) => row.id)
}
