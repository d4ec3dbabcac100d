import { type Expression, type SqlBool, sql } from 'kysely'
import { containing } from '../../../../platform/db/like.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { invalid, notFound } from '../../../../shared/errors.ts'
import type { CustomChanges, CustomFieldRecord } from '../contract.ts'
import { boundOf, type CustomFilter, type CustomRecord, type CustomValues, changedCustom } from '../rules.ts'

const columns = ['id', 'record', 'name', 'type', 'choices', 'version', 'archivedAt'] as const

/** The fields of a business in their order, archived ones last. */
export const listCustomFields = async (db: TenantDb): Promise<CustomFieldRecord[]> =>
  (await db
    .selectFrom('customFields')
    .select(columns)
    .where('businessId', '=', db.businessId)
    .orderBy((eb) => eb('archivedAt', 'is not', null))
    .orderBy('position')
    .orderBy('id')
    .execute()) as CustomFieldRecord[]

/** One field. @throws AppError not_found */
export const getCustomField = async (db: TenantDb, id: string): Promise<CustomFieldRecord> => {
  const row = await db
    .selectFrom('customFields')
    .select(columns)
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('field')
  return row as CustomFieldRecord
}

/**
 * What the values of a record become, each fit for its field.
 * @returns as the row keeps it; null where nothing of it is asked for
 * @throws AppError validation_failed, by field
 */
export const customAfter = async (
  db: TenantDb,
  record: CustomRecord,
  before: unknown,
  changes: CustomChanges | undefined,
  path = 'custom',
): Promise<Record<string, string | number | boolean> | null> => {
  if (!changes || Object.keys(changes).length === 0) return null
  const fields = (await listCustomFields(db)).filter((field) => field.record === record)
  const { values, problems } = changedCustom(fields, before as CustomValues, changes)
  if (problems.length > 0) throw invalid(problems.map(({ id, message }) => ({ path: `${path}.${id}`, message })))
  return values
}

const condition = ({ op, value }: CustomFilter): Expression<SqlBool> => {
  if (op === 'is') return sql<SqlBool>`x.word = ${value.toLowerCase().slice(0, 200)}`
  if (op === 'has') return sql<SqlBool>`x.word like ${containing(value.toLowerCase())}`
  if (op === 'from') return sql<SqlBool>`x.number >= ${boundOf(value) ?? 0}::float8`
  if (op === 'to') return sql<SqlBool>`x.number <= ${boundOf(value) ?? 0}::float8`
  return sql<SqlBool>`true`
}

/**
 * What custom filters ask of a customer `c`, and with `place` of that customer's property `p` itself. Several choices of one field: any of them.
 * Each is a look into the index of custom_values.
 */
export const customConditions = (
  filters: readonly CustomFilter[],
  { place }: { place: boolean },
): Expression<SqlBool>[] => {
  const here = place ? sql`and (x.property_id is null or x.property_id = p.id)` : sql``
  const some = (fieldId: string, what: Expression<SqlBool>) => sql<SqlBool>`exists (select 1 from custom_values x
    where x.business_id = c.business_id and x.field_id = ${fieldId}::uuid and x.customer_id = c.id ${here} and ${what})`
  const chosen = Map.groupBy(
    filters.filter(({ op }) => op === 'is'),
    ({ fieldId }) => fieldId,
  )
  return [
    ...[...chosen].map(([fieldId, list]) =>
      some(fieldId, sql<SqlBool>`x.word = any(${list.map(({ value }) => value.toLowerCase().slice(0, 200))}::text[])`),
    ),
    ...filters
      .filter(({ op }) => op !== 'is')
      .map((one) =>
        one.op === 'empty'
          ? sql<SqlBool>`not ${some(one.fieldId, sql<SqlBool>`true`)}`
          : some(one.fieldId, condition(one)),
      ),
  ]
}
