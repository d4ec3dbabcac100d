import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** Whether the business wants credit to pay invoices by itself. */
export const usesCredit = async (db: TenantDb): Promise<boolean> =>
  (
    await db
      .selectFrom('businesses')
      .select('useCredit')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
  ).useCredit

/** The jobs whose work stands on each of these invoices. */
export const listJobsOnInvoices = async (
  db: TenantDb,
  invoiceIds: readonly string[],
): Promise<Map<string, Set<string>>> => {
  const rows = await db
    .selectFrom('invoiceLines')
    .innerJoin('visits', (join) =>
      join.onRef('visits.businessId', '=', 'invoiceLines.businessId').onRef('visits.id', '=', 'invoiceLines.visitId'),
    )
    .select(['invoiceLines.invoiceId', 'visits.jobId'])
    .distinct()
    .where('invoiceLines.businessId', '=', db.businessId)
    .where('invoiceLines.invoiceId', 'in', [...invoiceIds])
    .execute()
  const jobs = new Map<string, Set<string>>()
  for (const { invoiceId, jobId } of rows) jobs.set(invoiceId, (jobs.get(invoiceId) ?? new Set()).add(jobId))
  return jobs
}
