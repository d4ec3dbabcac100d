import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, dayOf } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import type { CustomValues } from '../../customers/custom/rules.ts'
import { customText } from '../../customers/custom/rules.ts'
import { listCustomFields } from '../../customers/custom/server/queries.ts'
import { lockPairTx } from '../../customers/server/merging/commands.ts'
import { findDuplicatesTx, getContact, listProperties } from '../../customers/server/queries.ts'
import type { MergePreview, UndoableMerge } from '../contract.ts'
import {
  type Booked,
  type MergedField,
  type MergeSide,
  mergeConflicts,
  mergedFields,
  mergedValues,
  mergeNotes,
  mergeRefusal,
  mergeUndoDays,
  otherWays,
  type UndoFacts,
  undoRefusal,
} from '../rules.ts'

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

/** What of a record decides whether it can be one with another. */
export const sideOf = async (
  db: TenantDb,
  row: { id: string; name: string; archivedAt: string | null },
): Promise<MergeSide> => {
  const { rows } = await sql<{ hasCard: boolean; inBooks: boolean }>`
    select exists (select 1 from payment_methods m where m.business_id = ${db.businessId} and m.customer_id = ${row.id} and m.removed_at is null) as has_card,
      exists (select 1 from books_connections b join books_links l on l.business_id = b.business_id and l.connection_id = b.id
        where b.business_id = ${db.businessId} and b.status <> 'disconnected' and l.kind = 'customer' and l.local_id = ${row.id} and l.remote_id is not null
          and l.state = 'live') as in_books`.execute(db)
  return {
    id: row.id,
    name: row.name,
    archived: row.archivedAt !== null,
    booked: await getBooked(db, row.id),
    hasCard: rows[0]?.hasCard ?? false,
    inBooks: rows[0]?.inBooks ?? false,
  }
}

const moveLabels = {
  properties: 'Properties',
  jobs: 'Jobs',
  visits: 'Visits',
  quotes: 'Quotes',
  invoices: 'Invoices',
  payments: 'Payments',
  credits: 'Credit notes',
  plans: 'Billing plans',
  cards: 'Cards on file',
  papers: 'Tax papers',
  applications: 'Records of treatments',
  leads: 'Leads',
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
    select ${count('properties')} as properties, ${count('jobs')} as jobs, ${count('visits')} as visits, ${count('quotes')} as quotes,
      ${count('invoices')} as invoices, ${count('payments')} as payments, ${count('credit_notes')} as credits, ${count('billing_plans')} as plans,
      ${count('payment_methods')} as cards, ${count('tax_exemptions')} as papers, ${count('application_records')} as applications,
      ${count('business_leads')} as leads, ${count('customer_contacts')} as contacts, ${count('messages')} as messages,
      ${count('customer_calls')} as calls, ${count('office_tasks')} as tasks, ${count('customer_notes')} as notes`.execute(
    db,
  )
  return (Object.keys(moveLabels) as (keyof typeof moveLabels)[])
    .map((key) => ({ label: moveLabels[key], count: rows[0]?.[key] ?? 0 }))
    .filter((move) => move.count > 0)
}

/** A customer's row as what of it can be merged. */
export const asMergeable = <T extends { custom: unknown }>(row: T) => ({ ...row, custom: row.custom as CustomValues })

const wordOf = (key: string, value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : key === 'phone' ? formatPhone(String(value)) : String(value)

const labelOf = (key: string): string =>
  mergedFields[key as MergedField] ?? { tags: 'Tags', notes: 'Notes', stage: 'Stage' }[key] ?? key

/** What a merge would do, this way round. @throws not_found */
export const previewMerge = async (db: TenantDb, keptId: string, goneId: string): Promise<MergePreview> => {
  const { kept, gone } = await lockPairTx(db, keptId, goneId, { look: true })
  const [one, other] = [await sideOf(db, kept), await sideOf(db, gone)]
  const refusal = mergeRefusal(one, other)
  const ways = otherWays(asMergeable(kept), asMergeable(gone))
  const { custom: _, ...values } = mergedValues(asMergeable(kept), asMergeable(gone))
  const own = (await listCustomFields(db)).filter(({ record }) => record === 'customer')
  const [mine, theirs] = [kept.custom as CustomValues, gone.custom as CustomValues]
  return {
    kept: { ...one, version: kept.version },
    gone: { ...other, version: gone.version },
    notes: refusal === null ? mergeNotes(one, other) : [],
    refusal,
    turned: refusal !== null && mergeRefusal(other, one) === null,
    moves: await countMoves(db, goneId),
    gets: [
      ...(ways
        ? [
            {
              label: 'A contact',
              value: [ways.name, ways.phone ? formatPhone(ways.phone) : null, ways.email].filter(Boolean).join(', '),
            },
          ]
        : []),
      ...Object.entries(values).map(([key, value]) => ({ label: labelOf(key), value: wordOf(key, value) })),
      ...own.flatMap((field) =>
        mine[field.id] === undefined && theirs[field.id] !== undefined
          ? [{ label: field.name, value: customText(field, theirs[field.id]) }]
          : [],
      ),
    ],
    stays: [
      ...mergeConflicts(asMergeable(kept), asMergeable(gone)).map((one) =>
        one.label === mergedFields.phone ? { ...one, kept: formatPhone(one.kept), gone: formatPhone(one.gone) } : one,
      ),
      ...own.flatMap((field) =>
        mine[field.id] !== undefined && theirs[field.id] !== undefined && mine[field.id] !== theirs[field.id]
          ? [{ label: field.name, kept: customText(field, mine[field.id]), gone: customText(field, theirs[field.id]) }]
          : [],
      ),
    ],
  }
}

type KeptMerge = { id: string; keptId: string; isFinal: boolean; undoneAt: string | null; at: string; moved: unknown }

const undoableSince = (): string => new Date(clock.nowMs() - mergeUndoDays * 86_400_000).toISOString()

/** What decides whether a merge can be taken back, as things stand. */
export const undoFactsOf = async (db: TenantDb, merge: KeptMerge): Promise<UndoFacts> => {
  const { properties } = merge.moved as { properties: string[] }
  const { rows } = await sql<Pick<UndoFacts, 'wentOn' | 'booked' | 'joined'>>`
    select
      exists (select 1 from customer_merges m where m.business_id = ${db.businessId} and m.gone_id = ${merge.keptId} and m.undone_at is null
        and m.at > ${merge.at}::timestamptz) as "wentOn",
      case
        when exists (select 1 from jobs j where j.business_id = ${db.businessId} and j.property_id = any(${sql.val(properties)}::uuid[])) then 'work'
        when exists (select 1 from quotes q where q.business_id = ${db.businessId} and q.property_id = any(${sql.val(properties)}::uuid[])) then 'quote'
      end as booked,
      exists (select 1 from property_merges p where p.business_id = ${db.businessId} and p.undone_at is null
        and (p.kept_id = any(${sql.val(properties)}::uuid[]) or p.gone_id = any(${sql.val(properties)}::uuid[]))) as joined`.execute(
    db,
  )
  const found = rows[0] ?? { wentOn: false, booked: null, joined: false }
  return { isFinal: merge.isFinal, isUndone: merge.undoneAt !== null, isOld: merge.at < undoableSince(), ...found }
}

/** Merges into a customer that can be taken back, or could be until something happened since; the latest first. @throws not_found */
export const listUndoableMerges = async (db: TenantDb, customerId: string): Promise<UndoableMerge[]> => {
  await getContact(db, customerId)
  const rows = await db
    .selectFrom('customerMerges as m')
    .innerJoin('customers as g', (join) =>
      join.onRef('g.businessId', '=', 'm.businessId').onRef('g.id', '=', 'm.goneId'),
    )
    .leftJoin('users as u', (join) => join.onRef('u.businessId', '=', 'm.businessId').onRef('u.id', '=', 'm.byUserId'))
    .select([
      'm.id',
      'm.keptId',
      'm.goneId',
      'm.isFinal',
      'm.undoneAt',
      'm.at',
      'm.moved',
      'g.name as goneName',
      'u.name as byName',
    ])
    .where('m.businessId', '=', db.businessId)
    .where('m.keptId', '=', customerId)
    .where('m.undoneAt', 'is', null)
    .where('m.isFinal', '=', false)
    .where('m.at', '>', undoableSince())
    .orderBy('m.at', 'desc')
    .limit(5)
    .execute()
  const timeZone = await timeZoneOf(db)
  const items: UndoableMerge[] = []
  for (const { id, goneId, goneName, byName, at, ...row } of rows)
    items.push({
      id,
      gone: { id: goneId, name: goneName },
      at,
      byName,
      until: addDays(dayOf(at, timeZone), mergeUndoDays),
      refusal: undoRefusal(await undoFactsOf(db, { id, at, ...row })),
    })
  return items
}
