import { sql } from 'kysely'

/**
 * Whether a photo of a visit shows our work, for SQL: what a customer sent stands with the office and the crew, and is not shown back to them as ours.
 * @param as the name that `visit_photos` has there; `sent` is taken
 */
export const showsOurWork = (as: string) => sql<boolean>`not exists (select from files sent
  where sent.business_id = ${sql.ref(`${as}.business_id`)} and sent.id = ${sql.ref(`${as}.file_id`)} and sent.kind = 'message')`
