import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { lockPairTx } from '../../customers/server/merging/commands.ts'
import { findDuplicatesTx, getContact, listProperties } from '../../customers/server/queries.ts'
import type { MergePreview } from '../contract.ts'
import { type Booked, type MergedField, mergeConflicts, mergedFields, mergedValues, mergeRefusal } from '../rules.ts'

/** Who else may be this customer: the same e-mail or phone, or the address of one of the properties. @throws not_found */
export const listDuplicates = async (db: TenantDb, customerId: string) => {
  await getContact(db, customerId)
  const own = await db
    .selectFrom('customers')
    .select(['email', 'phone'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const places = (await listProperties(db, customerId)).filter(({ archivedAt }) => archivedAt === null).slice(0, 20)
  const none = { email: null, phone: null, street: '', unit: '', city: '', zip: '' }
  const probes = [
    { ...none, ...own },
    ...places.map(({ street, unit, city, zip }) => ({ ...none, street, unit, city, zip })),
  ]
  const found = [...(await findDuplicatesTx(db, probes)).values()].flat().filter((one) => one.customerId !== customerId)
  const byId = Map.groupBy(found, (one) => one.customerId)
  return [...byId.values()].flatMap(([first, ...rest]) =>
    first ? [{ ...first, matches: [...new Set([first, ...rest].flatMap(({ matches }) => matches))] }] : [],
  )
}

/** What was booked on a customer, counted up to a thousand of each. */
export const getBooked = async (db: TenantDb, customerId: string): Promise<Booked> => {
  const count = (table: string) =>
    sql`(select count(*)::int from (select 1 from ${sql.table(table)} x where x.business_id = ${db.businessId} and x.customer_id = ${customerId} limit 1000) most)`
  const { rows } =
    await sql<Booked>`select ${count('jobs')} as jobs, ${count('quotes')} as quotes, ${count('invoices')} as invoices, ${count('payments')} as payments,
    ${count('billing_plans')} as plans, ${count('payment_methods')} as cards, ${count('tax_exemptions')} as papers,
    ${count('ledger_entries')} as entries`.execute(db)
  return rows[0] ?? { jobs: 0, quotes: 0, invoices: 0, payments: 0, plans: 0, cards: 0, papers: 0, entries: 0 }
}

const moveLabels = {
  properties: 'Properties',
  contacts: 'Contacts',
  messages: 'Messages',
  calls: 'Calls',
  tasks: 'Tasks',
  notes: 'Notes of the timeline',
} as const

const countMoves = async (db: TenantDb, customerId: string) => {
  const count = (table: string) =>
    sql`(select count(*)::int from ${sql.table(table)} x where x.business_id = ${db.businessId} and x.customer_id = ${customerId})`
  const { rows } = await sql<Record<keyof typeof moveLabels, number>>`
    select ${count('properties')} as properties, ${count('customer_contacts')} as contacts, ${count('messages')} as messages,
      ${count('customer_calls')} as calls, ${count('office_tasks')} as tasks, ${count('customer_notes')} as notes`.execute(
    db,
  )
  return (Object.keys(moveLabels) as (keyof typeof moveLabels)[])
    .map((key) => ({ label: moveLabels[key], count: rows[0]?.[key] ?? 0 }))
    .filter((move) => move.count > 0)
}

const wordOf = (key: string, value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : key === 'phone' ? formatPhone(String(value)) : String(value)

const labelOf = (key: string): string =>
  mergedFields[key as MergedField] ?? { tags: 'Tags', notes: 'Notes', stage: 'Stage' }[key] ?? key

/** What a merge would do, this way round. @throws not_found */
export const previewMerge = async (db: TenantDb, keptId: string, goneId: string): Promise<MergePreview> => {
  const { kept, gone } = await lockPairTx(db, keptId, goneId, { look: true })
  const [keptBooked, goneBooked] = [await getBooked(db, keptId), await getBooked(db, goneId)]
  const side = (row: typeof kept, booked: Booked) => ({
    id: row.id,
    name: row.name,
    version: row.version,
    archived: row.archivedAt !== null,
    booked,
  })
  const [one, other] = [side(kept, keptBooked), side(gone, goneBooked)]
  const refusal = mergeRefusal(one, other)
  return {
    kept: one,
    gone: other,
    refusal,
    turned: refusal !== null && mergeRefusal(other, one) === null,
    moves: await countMoves(db, goneId),
    gets: Object.entries(mergedValues(kept, gone)).map(([key, value]) => ({
      label: labelOf(key),
      value: wordOf(key, value),
    })),
    stays: mergeConflicts(kept, gone),
  }
}
