import type { TenantDb } from '../../../platform/db/tenant.ts'
import { notFound } from '../../../shared/errors.ts'

/** Takes a job for a change. @throws AppError not_found */
export const lockJob = async (db: TenantDb, id: string) => {
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!job) throw notFound('job')
  return job
}
