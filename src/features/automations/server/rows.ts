import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { notFound } from '../../../shared/errors.ts'
import type { Conditions } from '../contract.ts'
import type { AutomationKind, Way } from '../kinds/rules.ts'
import type { Approval } from '../rules.ts'

const columns = [
  'id',
  'kind',
  'name',
  'enabled',
  'enabledAt',
  'delay',
  'atMinute',
  'startsOn',
  'conditions',
  'channels',
  'subjectEn',
  'subjectEs',
  'textEn',
  'textEs',
  'approval',
  'everyDays',
  'version',
  'archivedAt',
] as const

const rowsOf = (db: TenantDb) => db.selectFrom('automations').select(columns).where('businessId', '=', db.businessId)
type Stored = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

export type AutomationRow = Omit<Stored, 'conditions' | 'channels' | 'kind' | 'approval'> & {
  kind: AutomationKind
  conditions: Conditions
  channels: Way[]
  approval: Approval
}
const toRow = (row: Stored): AutomationRow => row as unknown as AutomationRow

/**
 * @param lock update: until the transaction ends nobody else reads it so; share: until then nobody changes it
 * @throws not_found
 */
export const getAutomationRow = async (
  db: TenantDb,
  id: string,
  lock: 'update' | 'share' | null = null,
): Promise<AutomationRow> => {
  const row = await rowsOf(db)
    .where('id', '=', id)
    .$if(lock === 'update', (query) => query.forUpdate())
    .$if(lock === 'share', (query) => query.forShare())
    .executeTakeFirst()
  if (!row) throw notFound('automation')
  return toRow(row)
}

/** Those that are on. */
export const listSwitchedOn = async (db: TenantDb): Promise<AutomationRow[]> =>
  (await rowsOf(db).where('enabled', '=', sql.lit(true)).orderBy('id').execute()).map(toRow)

export const listRows = async (db: TenantDb): Promise<AutomationRow[]> =>
  (await rowsOf(db).where('archivedAt', 'is', null).orderBy('id').execute()).map(toRow)
