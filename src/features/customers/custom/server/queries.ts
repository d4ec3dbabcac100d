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
  if (op === 'has') return sql<SqlBool>`x.word like ${containing(value.toLowerCase())}`
  if (op === 'from') return sql<SqlBool>`x.number >= ${boundOf(value) ?? 0}::float8`
  if (op === 'to') return sql<SqlBool>`x.number <= ${boundOf(value) ?? 0}::float8`
  return sql<SqlBool>`true`
}

/**
 * What custom filters ask of a customer `c`, and with `place` of that customer's property `p` itself. Several choices of one field: any of them.
 * Whom a filter means is found first, by an index of custom_values, and looked up by id: a rare value costs little among many customers.
 */
export const customConditions = (
  db: TenantDb,
  filters: readonly CustomFilter[],
  { place }: { place: boolean },
): Expression<SqlBool>[] => {
  const of = (fieldId: string, what: Expression<SqlBool>) =>
    sql`from custom_values x where x.business_id = ${db.businessId} and x.field_id = ${fieldId}::uuid and ${what}`
  const some = (fieldId: string, what: Expression<SqlBool>): Expression<SqlBool> => {
    const who = sql<SqlBool>`c.id = any(array(select x.customer_id ${of(fieldId, what)}))`
    return place
      ? sql<SqlBool>`(${who} and exists (select 1 ${of(fieldId, what)} and x.customer_id = c.id and (x.property_id is null or x.property_id = p.id)))`
      : who
  }
  const grouped = (...ops: CustomFilter['op'][]) =>
    Map.groupBy(
      filters.filter(({ op }) => ops.includes(op)),
      ({ fieldId }) => fieldId,
    )
  return [
    ...[...grouped('is')].map(([fieldId, list]) =>
      some(fieldId, sql<SqlBool>`x.word = any(${list.map(({ value }) => value.toLowerCase().slice(0, 200))}::text[])`),
    ),
    // both bounds in one look: a range of the index
    ...[...grouped('from', 'to')].map(([fieldId, list]) =>
      some(fieldId, sql<SqlBool>`(${sql.join(list.map(condition), sql` and `)})`),
    ),
    ...filters.filter(({ op }) => op === 'has' || op === 'filled').map((one) => some(one.fieldId, condition(one))),
    ...filters
      .filter(({ op }) => op === 'empty')
      .map(
        ({ fieldId }) =>
          sql<SqlBool>`not exists (select 1 ${of(fieldId, sql<SqlBool>`true`)} and x.customer_id = c.id ${
            place ? sql`and (x.property_id is null or x.property_id = p.id)` : sql``
          })`,
      ),
  ]
}
