import { sql } from 'kysely'
import { z } from 'zod'
import type { SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { encryptField } from '../../../platform/keys.ts'
import { task } from '../../../platform/tasks/task.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { CustomField } from '../../customers/custom/rules.ts'
import { listCustomFields } from '../../customers/custom/server/queries.ts'
import { roomFor } from '../../customers/rules.ts'
import {
  type Filled,
  fillEmptyTx,
  insertImportedAreasTx,
  insertImportedContactsTx,
  insertImportedCustomersTx,
  insertImportedPropertiesTx,
  restoreImportedCustomersTx,
} from '../../customers/server/bulk/commands.ts'
import { listPlacesOf } from '../../customers/server/bulk/queries.ts'
import { lockCustomerLimitTx } from '../../customers/server/commands.ts'
import { findDuplicatesTx } from '../../customers/server/queries.ts'
import { insertImportedExemptionsTx } from '../../invoices/exemptions/server/commands.ts'
import { insertImportedWordsTx } from '../../messages/consents/server/commands.ts'
import type { NewService } from '../contract.ts'
import { duplicateReason, type ImportValues, readRow } from '../rows/rules.ts'
import type { Mapping } from '../rules.ts'
import { type Own, ownCustom, readOwn } from './own-cells.ts'
import { listAddressKeys, listKnownPlaces, listRowsAfter, listWorkPlaces, type StoredRow } from './queries.ts'
import { chunkRows, lockImport, markRows } from './rows.ts'
import { inOurNames, ourNames } from './services.ts'
import { undoChunk } from './undo.ts'
import { servicesByName, sourceKeyOf, writeBalancesTx, writeJobsTx } from './work.ts'
import { readWork } from './work-cells.ts'

type ImportPlan = {
  importId: string
  mapping: Mapping
  services: readonly NewService[]
  withDuplicates: boolean
  updateDuplicates: boolean
  preset: string
  source: string
  fileName: string
}
type Row = { stored: StoredRow & { customerId: string }; values: ImportValues; own: Own }

/** What a file of ours says of custom fields counts like a column of their own. */
const withOwnCustom = (
  values: ImportValues,
  own: Own,
  fields: readonly CustomField[],
): Pick<Row, 'values' | 'own'> => ({
  own,
  values: own.details
    ? {
        ...values,
        custom: { ...values.custom, ...ownCustom(fields, 'customer', own.details.custom) },
        propertyCustom: { ...values.propertyCustom, ...ownCustom(fields, 'property', own.details.propertyCustom) },
      }
    : values,
})

/** Who came in since the check: rows that became duplicates meanwhile are taken out, so that two imports of one file make no doubles. */
const takeOutDuplicates = async (db: TenantDb, plan: ImportPlan, rows: Row[]): Promise<Row[]> => {
  if (plan.withDuplicates) return rows
  const fresh = rows.filter(({ stored }) => !stored.attached)
  const found = await findDuplicatesTx(
    db,
    fresh.map((r) => r.values),
    { exceptImportId: plan.importId },
  )
  const late = fresh.flatMap((row, at) => {
    const duplicate = found.get(at)?.[0]
    return duplicate
      ? [
          {
            line: row.stored.line,
            status: 'duplicate',
            reasons: [duplicateReason(duplicate)],
            customerId: null,
            brings: [],
          },
        ]
      : []
  })
  if (late.length > 0) {
    await markRows(db, plan.importId, late)
    await db
      .updateTable('imports')
      .set((eb) => ({
        okCount: eb('okCount', '-', late.length),
        duplicateCount: eb('duplicateCount', '+', late.length),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', plan.importId)
      .execute()
  }
  const out = new Set(late.map(({ line }) => line))
  return rows.filter(({ stored }) => !out.has(stored.line))
}

/**
 * Takes out of the archive whom rows bring work or money, as far as the plan holds them; who is archived in the file stays there.
 * @returns by line whom an undo has to put back
 */
const restoreKnown = async (db: TenantDb, rows: readonly Row[]): Promise<Map<number, Filled>> => {
  const wanting = rows.filter(({ stored, values }) => stored.attached && stored.brings.length > 0 && !values.isArchived)
  const { archived } = await listWorkPlaces(
    db,
    [],
    wanting.map(({ stored }) => stored.customerId),
  )
  if (archived.size === 0) return new Map()
  const { active, limit } = await lockCustomerLimitTx(db)
  const ids = [...archived].slice(0, roomFor(archived.size, active, limit))
  await restoreImportedCustomersTx(db, ids)
  return new Map(
    ids.flatMap((id) => {
      const first = wanting.find(({ stored }) => stored.customerId === id)
      return first
        ? [[first.stored.line, { customer: {}, property: {}, propertyId: null, restored: true } as Filled]]
        : []
    }),
  )
}

const writeCustomers = async (db: TenantDb, plan: ImportPlan, rows: Row[]): Promise<void> => {
  const first = new Map<string, Row>()
  for (const row of rows)
    if (!row.stored.attached && !first.has(row.stored.customerId)) first.set(row.stored.customerId, row)
  if (first.size === 0) return
  const there = await db
    .selectFrom('customers')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...first.keys()])
    .execute()
  for (const { id } of there) first.delete(id)
  if (first.size === 0) return
  const { active, limit } = await lockCustomerLimitTx(db)
  const wanted = [...first.values()].filter(({ values }) => !values.isArchived).length
  const room = roomFor(wanted, active, limit)
  if (wanted > room)
    await db
      .updateTable('imports')
      .set((eb) => ({ archivedCount: eb('archivedCount', '+', wanted - room) }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', plan.importId)
      .execute()
  let taken = 0
  const now = clock.iso()
  await insertImportedCustomersTx(
    db,
    [...first].map(([id, { values: v, own }]) => ({
      id,
      type: v.type,
      name: v.name,
      company: v.company,
      email: v.email,
      phone: v.phone,
      billingStreet: v.billingStreet,
      billingCity: v.billingCity,
      billingState: v.billingState,
      billingZip: v.billingZip,
      stage: v.stage,
      tags: own.details?.tags ?? v.tags,
      notes: v.notes,
      custom: JSON.stringify(v.custom),
      importId: plan.importId,
      sourceKey: sourceKeyOf(plan.preset, v.externalId),
      archivedAt: !v.isArchived && taken++ < room ? null : now,
      source: own.details && own.details.source !== 'manual' ? own.details.source : 'Import',
      ...(own.details
        ? {
            termsDays: own.details.termsDays,
            invoiceGrouping: own.details.invoiceGrouping,
            holdInvoices: own.details.holdInvoices,
            noLateFees: own.details.noLateFees,
            autoInvoices: own.details.autoInvoices,
            language: own.details.language,
            gets: own.details.gets,
            paperWay: own.details.paperWay,
            taxExempt: own.details.taxExempt,
            taxCertificate: own.details.taxCertificate,
          }
        : {}),
    })),
  )
  await insertImportedContactsTx(
    db,
    [...first].flatMap(([customerId, { own }]) =>
      own.contacts.map((contact) => ({ ...contact, id: newId(), customerId })),
    ),
  )
  await insertImportedWordsTx(db, {
    words: [...first.values()].flatMap(({ own }) => own.details?.words ?? []),
    shut: [...first.values()].flatMap(({ own }) => own.details?.shut ?? []),
  })
  await insertImportedExemptionsTx(
    db,
    [...first].flatMap(([customerId, { own }]) =>
      (own.details?.exemptions ?? []).map((certificate) => ({ ...certificate, customerId })),
    ),
  )
}

const isPlace = (row: Row): row is Row & { stored: { propertyId: string } } =>
  row.stored.propertyId !== null && row.values.street !== ''

const writeProperties = async (db: TenantDb, plan: ImportPlan, rows: readonly Row[]): Promise<void> => {
  const now = clock.iso()
  const places = [...new Map(rows.filter(isPlace).map((row) => [row.stored.propertyId, row])).values()].reverse()
  if (places.length === 0) return
  const before = new Set(
    await listKnownPlaces(
      db,
      places.map(({ stored }) => stored.propertyId),
    ),
  )
  const fresh = places.filter(({ stored }) => !before.has(stored.propertyId))
  if (fresh.length === 0) return
  await insertImportedPropertiesTx(
    db,
    fresh.map(({ stored, values: v, own }) => ({
      id: stored.propertyId,
      customerId: stored.customerId,
      street: v.street,
      unit: v.unit,
      city: v.city,
      state: v.state,
      zip: v.zip,
      latitude: v.latitude,
      longitude: v.longitude,
      geocodeQuality: v.latitude === null ? 'none' : (own.details?.property?.geocodeQuality ?? 'exact'),
      geocodeWantedAt: v.latitude === null ? now : null,
      lawnSquareFeet: v.lawnSquareFeet,
      mowHeightInches: v.mowHeightInches,
      gateCodeCipher: v.gateCode === null ? null : encryptField(v.gateCode),
      dog: v.dog,
      parking: v.parking,
      noGo: v.noGo,
      notes: v.propertyNotes,
      custom: JSON.stringify(v.propertyCustom),
      importId: plan.importId,
      ...(own.details?.property
        ? { difficulty: own.details.property.difficulty, clippings: own.details.property.clippings }
        : {}),
    })),
  )
  await insertImportedAreasTx(
    db,
    fresh.flatMap(({ stored, own }) =>
      own.areas.map((area, position) => ({
        ...area,
        rings: area.rings === null ? null : JSON.stringify(area.rings),
        id: newId(),
        propertyId: stored.propertyId,
        position,
      })),
    ),
  )
}

/** Fills what is empty on customers who were there before, where that was asked for. */
const fillKnown = async (
  db: TenantDb,
  rows: readonly Row[],
): Promise<{ line: number; status: string; filled: Filled }[]> => {
  const known = rows.filter(({ stored }) => stored.attached && stored.brings.length === 0)
  if (known.length === 0) return []
  const places = Map.groupBy(
    await listPlacesOf(
      db,
      known.map(({ stored }) => stored.customerId),
    ),
    (place) => place.customerId,
  )
  const keys = await listAddressKeys(
    db,
    known.map(({ values }) => values),
  )
  const done: { line: number; status: string; filled: Filled }[] = []
  for (const [at, { stored, values: v }] of known.entries()) {
    const own = places.get(stored.customerId) ?? []
    const place =
      own.find(({ addressKey }) => addressKey === keys[at]) ??
      (v.street === '' && own.length === 1 ? own[0] : undefined)
    const { street: _, ...customer } = v
    const filled = await fillEmptyTx(db, {
      customerId: stored.customerId,
      propertyId: place?.id ?? null,
      customer,
      property: {
        lawnSquareFeet: v.lawnSquareFeet,
        mowHeightInches: v.mowHeightInches,
        gateCodeCipher: v.gateCode === null ? null : encryptField(v.gateCode),
        dog: v.dog,
        parking: v.parking,
        noGo: v.noGo,
        notes: v.propertyNotes,
        custom: v.propertyCustom,
        ...(v.latitude === null ? {} : { latitude: v.latitude, longitude: v.longitude }),
      },
    })
    done.push({ line: stored.line, status: 'written', filled: { ...filled, propertyId: place?.id ?? null } as Filled })
  }
  return done
}

/** What rows that fill add besides: an address that the customer does not have yet. */
const withoutKnownPlaces = async (db: TenantDb, rows: readonly Row[]): Promise<Row[]> => {
  const keys = await listAddressKeys(
    db,
    rows.map(({ values }) => values),
  )
  const places = Map.groupBy(
    await listPlacesOf(
      db,
      rows.map(({ stored }) => stored.customerId),
    ),
    (place) => place.customerId,
  )
  return rows.filter(
    ({ stored }, at) =>
      !(stored.attached && stored.brings.length === 0) ||
      !(places.get(stored.customerId) ?? []).some(({ addressKey }) => addressKey === keys[at]),
  )
}

const writeWork = async (
  db: TenantDb,
  actor: SystemActor,
  plan: ImportPlan,
  rows: readonly Row[],
): Promise<string[]> => {
  const wanting = rows.filter(({ stored }) => stored.brings.length > 0)
  if (wanting.length === 0) return []
  const today = await todayOf(db)
  const { places, archived } = await listWorkPlaces(
    db,
    wanting.flatMap(({ stored }) => stored.propertyId ?? []),
    wanting.map(({ stored }) => stored.customerId),
  )
  const names = ourNames(plan.services, await servicesByName(db))
  const work = wanting.map((row) => {
    const read = readWork(row.stored.data, plan.mapping, today)
    return { row, ...read, job: inOurNames(read.job, names) }
  })
  const made = await writeJobsTx(
    db,
    actor,
    plan.importId,
    work.flatMap(({ row: { stored }, job }) => {
      const place = places.get(stored.propertyId ?? '')
      return stored.brings.includes('job') && job && place
        ? [
            {
              job,
              customerId: stored.customerId,
              propertyId: place.id,
              place,
              archived: archived.has(stored.customerId),
            },
          ]
        : []
    }),
  )
  await writeBalancesTx(
    db,
    actor,
    plan.importId,
    plan.source || plan.fileName.slice(0, 120),
    work.flatMap(({ row: { stored, values }, balanceCents, balanceOn }) =>
      stored.brings.includes('balance')
        ? [{ values, customerId: stored.customerId, cents: balanceCents, on: balanceOn ?? today }]
        : [],
    ),
  )
  return made
}

const finish = async (db: TenantDb, importId: string): Promise<void> => {
  const made = await db
    .selectFrom('customers')
    .select((eb) => eb.fn.countAll<number>().as('customers'))
    .where('businessId', '=', db.businessId)
    .where('importId', '=', importId)
    .executeTakeFirstOrThrow()
  const now = clock.iso()
  await db
    .updateTable('imports')
    .set({
      status: 'done',
      customerCount: made.customers,
      error: null,
      finishedAt: now,
      updatedAt: now,
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', importId)
    .execute()
  await emit(db, 'import.finished', { importId })
  await publishChange(db, 'customers')
}

/** One chunk in one transaction. The ids stand on the rows already, so a chunk that was cut off is simply done again. Returns whether more is left. */
const writeChunk = async (actor: SystemActor, importId: string): Promise<boolean> =>
  withTenant(actor, async (db) => {
    const plan = await lockImport(db, importId, 'running')
    if (!plan) return false
    const stored = await listRowsAfter(db, importId, 0, chunkRows, 'ok')
    if (stored.length === 0) await finish(db, importId)
    else {
      const fields = await listCustomFields(db)
      const read = stored.map(
        (row) =>
          ({
            stored: row,
            ...withOwnCustom(readRow(row.data, plan.mapping, fields).values, readOwn(row.data, plan.mapping), fields),
          }) as Row,
      )
      const rows = await takeOutDuplicates(db, plan, read)
      if (rows.length > 0) {
        const restored = await restoreKnown(db, rows)
        await writeCustomers(db, plan, rows)
        await writeProperties(db, plan, await withoutKnownPlaces(db, rows))
        const filled = plan.updateDuplicates ? await fillKnown(db, rows) : []
        const made = await writeWork(db, actor, plan, rows)
        const done = new Map<number, { line: number; status: string }>(filled.map((one) => [one.line, one]))
        await markRows(
          db,
          importId,
          rows.map(({ stored: { line } }) => done.get(line) ?? { line, status: 'written', filled: restored.get(line) }),
        )
        if (made.length > 0)
          await db
            .updateTable('imports')
            .set((eb) => ({ madeServices: sql`${eb.ref('madeServices')} || ${made}::uuid[]` }))
            .where('businessId', '=', db.businessId)
            .where('id', '=', importId)
            .execute()
      }
      await db
        .updateTable('imports')
        .set((eb) => ({ doneCount: eb('doneCount', '+', rows.length), error: null, updatedAt: clock.iso() }))
        .where('businessId', '=', db.businessId)
        .where('id', '=', importId)
        .execute()
    }
    await publishChange(db, 'imports', [importId])
    return stored.length > 0
  })

/** Thousands of new rows change how the database should look things up; it does not notice by itself while an import runs. */
const refreshStatistics = async (db: TenantDb): Promise<void> => {
  await sql`select refresh_customer_statistics()`.execute(db)
}

const ImportTask = z.object({ importId: z.uuid() })

/** Goes on until a chunk says that nothing is left; says on the import when it has to try again later. */
const inChunks =
  (chunk: (actor: SystemActor, importId: string) => Promise<boolean>) =>
  async (actor: SystemActor, { importId }: z.output<typeof ImportTask>): Promise<void> => {
    try {
      while (await chunk(actor, importId)) await withTenant(actor, refreshStatistics)
    } catch (error) {
      await withTenant(actor, async (db) => {
        await db
          .updateTable('imports')
          .set({ error: 'This stopped half-way. What is done stays; we are trying the rest again.' })
          .where('businessId', '=', db.businessId)
          .where('id', '=', importId)
          .execute()
        await publishChange(db, 'imports', [importId])
      })
      throw error
    }
  }

export const writeImport = task({ name: 'imports.write', payload: ImportTask, run: inChunks(writeChunk) })
export const undoImportTask = task({ name: 'imports.undo', payload: ImportTask, run: inChunks(undoChunk) })
