import { createHash } from 'node:crypto'
import Papa from 'papaparse'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { directly, type Once } from '../../../platform/http/idempotency.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueue } from '../../../platform/tasks/task.ts'
import { refuse } from '../../../shared/can.ts'
import { AppError, conflict, invalid, notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { bringCustomFieldsTx } from '../../customers/custom/server/commands.ts'
import { listCustomFields } from '../../customers/custom/server/queries.ts'
import { roomFor } from '../../customers/rules.ts'
import { getCustomerLimit } from '../../customers/server/queries.ts'
import { type ImportRecord, maxFileBytes, maxRows, type NewService } from '../contract.ts'
import { presetOf } from '../presets/rules.ts'
import {
  customIdOf,
  type DuplicateChoice,
  fieldOfHeader,
  guessMapping,
  headerKey,
  importRefusals,
  isCustomColumn,
  type Mapping,
  mappingProblems,
  withCustomColumns,
} from '../rules.ts'
import { type Judged, judgeChunk, Seen } from './judge.ts'
import { readBroughtFields } from './own-cells.ts'
import { findRemembered, getImport, hasConnectedBooks, listRowsAfter } from './queries.ts'
import { markRows } from './rows.ts'
import { ourNames, Unknown } from './services.ts'
import { undoImportTask, writeImport } from './tasks.ts'
import { servicesByName } from './work.ts'
import { bringsWork } from './work-cells.ts'

const maxColumns = 200
const chunkRows = 1000

/** Text that the database can hold: no control characters but line breaks and tabs, no halves of characters. */
const storable = (text: string): string => text.replace(/[^\P{Cc}\n\r\t]/gu, '').toWellFormed()

type Table = { headers: string[]; rows: { line: number; cells: string[] }[] }

const isFilled = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '')
const isData = (cell: string): boolean => /@|\d{3}/.test(cell)

/** The row with the column names: the one of the first ten that knows most of them; -1 when the file begins with a customer. */
const headerAt = (rows: readonly string[][]): number => {
  let best = { at: -1, known: 0 }
  for (const [at, cells] of rows.slice(0, 10).entries()) {
    const known = cells.filter((cell) => fieldOfHeader(cell) !== null).length + (presetOf(cells) ? 2 : 0)
    if (known > best.known && !cells.some(isData)) best = { at, known }
  }
  if (best.known > 1) return best.at
  const first = rows.findIndex(isFilled)
  return first >= 0 && (rows[first] ?? []).some(isData) ? -1 : first
}

const parseTable = (text: string): Table => {
  const { data } = Papa.parse<string[]>(storable(text).replace(/^\uFEFF/, ''), {
    delimitersToGuess: [',', '\t', ';', '|'],
    skipEmptyLines: false,
  })
  const header = headerAt(data)
  const rows = data.flatMap((cells, index) => (index > header && isFilled(cells) ? [{ line: index + 1, cells }] : []))
  if (rows.length === 0)
    throw invalid([
      {
        path: 'text',
        message: 'There is no row in this file. A list needs a line of column names and then one line a customer.',
      },
    ])
  if (rows.length > maxRows)
    throw invalid([
      {
        path: 'text',
        message: `This file has ${rows.length.toLocaleString('en-US')} rows; ${maxRows.toLocaleString('en-US')} fit in one import. Split it and bring the parts one after the other.`,
      },
    ])
  const width = Math.max((data[header] ?? []).length, ...rows.slice(0, 1000).map((row) => row.cells.length))
  if (width > maxColumns)
    throw invalid([
      { path: 'text', message: `This file has ${width} columns; ${maxColumns} fit. It may not be a customer list.` },
    ])
  const headers = Array.from({ length: width }, (_, i) => (data[header]?.[i] ?? '').trim() || `Column ${i + 1}`)
  return { headers, rows: rows.map(({ line, cells }) => ({ line, cells: headers.map((_, i) => cells[i] ?? '') })) }
}

const samplesOf = (rows: Table['rows'], column: number): string[] => {
  const samples = new Set<string>()
  for (const { cells } of rows.slice(0, 200)) {
    const text = (cells[column] ?? '').trim()
    if (text !== '') samples.add(text.slice(0, 80))
    if (samples.size === 3) break
  }
  return [...samples]
}

const headersHash = (headers: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(headers.map(headerKey)))
    .digest('hex')

/** Work has prices and a balance is money: who may see neither brings neither. */
const requireMoney = (who: Actor, mapping: Mapping): void => {
  const { jobs, balances } = bringsWork(mapping)
  if (((jobs || balances) && !hasPermission(who, 'money')) || (jobs && !hasPermission(who, 'schedule')))
    throw invalid([
      {
        path: 'mapping',
        message:
          'Jobs and balances need the permissions for schedule and money. Leave these columns out, or ask the owner.',
      },
    ])
}

/** Reads a file and keeps its rows aside; customers are not touched. */
export const createImport = async (
  who: Actor,
  input: { fileName: string; text: string },
  once: Once = directly,
): Promise<ImportRecord> => {
  if (Buffer.byteLength(input.text) > maxFileBytes)
    throw new AppError(
      'payload_too_large',
      'This file is larger than 20 MB. Nothing was saved; split it and bring the parts one after the other.',
    )
  const table = parseTable(input.text)
  const columns = table.headers.map((header, i) => ({
    header: header.slice(0, 200),
    samples: samplesOf(table.rows, i),
  }))
  const id = newId()
  const now = clock.iso()
  const preset = presetOf(table.headers)
  const headers = headersHash(table.headers)
  const save = async (db: TenantDb) => {
    const remembered = await findRemembered(db, headers)
    await db
      .insertInto('imports')
      .values({
        businessId: db.businessId,
        id,
        fileName: input.fileName,
        status: 'uploaded',
        source: preset?.name ?? '',
        preset: preset?.id ?? '',
        headerKey: headers,
        columns: JSON.stringify(columns),
        mapping: JSON.stringify(
          withCustomColumns(
            remembered?.mapping ?? guessMapping(columns, preset?.fields),
            table.headers,
            preset?.id === 'swath' ? [] : await listCustomFields(db),
          ),
        ),
        services: JSON.stringify(remembered?.services ?? []),
        remembered: remembered !== null,
        rowCount: table.rows.length,
        createdBy: who.userId,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    for (let at = 0; at < table.rows.length; at += chunkRows) {
      await db
        .insertInto('importRows')
        .values(
          table.rows
            .slice(at, at + chunkRows)
            .map(({ line, cells }) => ({ businessId: db.businessId, importId: id, line, data: JSON.stringify(cells) })),
        )
        .execute()
    }
    await publishChange(db, 'imports', [id])
    return getImport(db, who, id)
  }
  return once(() => withTenant(who, save))
}

const lockImport = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('imports')
    .select(['id', 'status', 'mapping', 'columns', 'services', 'okCount', 'duplicateCount', 'errorCount', 'preset'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('import')
  return row
}

const setImport = async (
  db: TenantDb,
  who: Actor,
  id: string,
  values: Record<string, unknown>,
): Promise<ImportRecord> => {
  await db
    .updateTable('imports')
    .set({ ...values, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  await publishChange(db, 'imports', [id])
  return getImport(db, who, id)
}

export const setMapping = async (who: Actor, id: string, mapping: Mapping): Promise<ImportRecord> =>
  withTenant(who, async (db) => {
    const row = await lockImport(db, id)
    refuse(importRefusals.setMapping(row))
    const width = (row.columns as unknown[]).length
    const problems =
      mapping.length === width
        ? mappingProblems(mapping)
        : [{ path: 'mapping', message: `The file has ${width} columns; the mapping has ${mapping.length}.` }]
    const known = (await listCustomFields(db)).filter(({ archivedAt }) => archivedAt === null)
    if (mapping.some((field) => isCustomColumn(field) && !known.some(({ id }) => id === customIdOf(field))))
      problems.push({
        path: 'mapping',
        message: 'A column is set to a custom field that is not there any more. Choose again.',
      })
    if (problems.length > 0) throw invalid(problems)
    return setImport(db, who, id, {
      mapping: JSON.stringify(mapping),
      status: 'uploaded',
      okCount: 0,
      errorCount: 0,
      duplicateCount: 0,
    })
  })

/** Judges every row and gives each good one its ids. Customers are not touched. */
const judgeTx = async (
  db: TenantDb,
  who: Actor,
  row: Awaited<ReturnType<typeof lockImport>>,
  chosen: readonly NewService[],
): Promise<ImportRecord> => {
  const { id } = row
  const mapping = row.mapping as Mapping
  const problems = mappingProblems(mapping)
  if (problems.length > 0) throw invalid(problems)
  requireMoney(who, mapping)
  const { active, limit } = await getCustomerLimit(db)
  const services = await servicesByName(db)
  const context = {
    mapping,
    preset: row.preset,
    today: await todayOf(db),
    seen: new Seen(),
    customFields: await listCustomFields(db),
    trustsIds: row.preset === 'swath',
    services,
    names: ourNames(chosen, services),
    unknown: new Unknown(services),
    hasBooks: await hasConnectedBooks(db),
    room: limit === null ? null : limit - active,
  }
  const counts = { ok: 0, error: 0, duplicate: 0 }
  const sums = { jobCount: 0, balanceCents: 0 }
  const customers = new Set<string>()
  const count = ({ status, customerId, attached, brings, balanceCents }: Judged) => {
    counts[status] += 1
    if (customerId !== null && !attached) customers.add(customerId)
    if (brings.includes('job')) sums.jobCount += 1
    sums.balanceCents += balanceCents
  }
  for (let after = 0; ; ) {
    const rows = await listRowsAfter(db, id, after, chunkRows)
    const last = rows.at(-1)
    if (!last) break
    after = last.line
    const judged = await judgeChunk(db, rows, context)
    await markRows(db, id, judged)
    for (const one of judged) count(one)
  }
  const restored = limit === null || context.room === null ? 0 : limit - active - context.room
  return setImport(db, who, id, {
    status: 'checked',
    okCount: counts.ok,
    errorCount: counts.error,
    duplicateCount: counts.duplicate,
    customerCount: customers.size,
    archivedCount: customers.size - roomFor(customers.size, active + restored, limit),
    services: JSON.stringify(context.unknown.list(chosen)),
    ...sums,
  })
}

/** The dry run. */
export const checkImport = async (who: Actor, id: string): Promise<ImportRecord> =>
  withTenant(who, async (db) => {
    const row = await lockImport(db, id)
    refuse(importRefusals.check(row))
    return judgeTx(db, who, row, row.services as NewService[])
  })

/** Says which of ours the file's unknown services are, and judges the rows again: a price or a double may hang on it. */
export const setServices = async (
  who: Actor,
  id: string,
  choices: readonly Pick<NewService, 'name' | 'serviceId'>[],
): Promise<ImportRecord> =>
  withTenant(who, async (db) => {
    const row = await lockImport(db, id)
    refuse(importRefusals.setServices(row))
    const ours = new Set([...(await servicesByName(db)).values()].map((service) => service.id))
    const gone = choices.findIndex(({ serviceId }) => serviceId !== null && !ours.has(serviceId))
    if (gone >= 0)
      throw invalid([
        { path: `services.${gone}.serviceId`, message: 'This service is not there any more. Choose again.' },
      ])
    const chosen = new Map(choices.map((one) => [one.name, one.serviceId]))
    return judgeTx(
      db,
      who,
      row,
      (row.services as NewService[]).map((one) => ({ ...one, serviceId: chosen.get(one.name) ?? null })),
    )
  })

/** Doubles that come in after all: as customers of their own, or as what fills the one they are taken for. */
const takeDuplicates = async (db: TenantDb, id: string, choice: 'import' | 'update'): Promise<number> => {
  let taken = 0
  for (let after = 0; ; ) {
    const rows = await listRowsAfter(db, id, after, chunkRows, 'duplicate')
    const last = rows.at(-1)
    if (!last) return taken
    after = last.line
    const wanted = choice === 'import' ? rows : rows.filter(({ matchId }) => matchId !== null)
    await markRows(
      db,
      id,
      wanted.map(({ line, matchId }) => ({
        line,
        status: 'ok',
        customerId: choice === 'import' ? newId() : matchId,
        propertyId: newId(),
        attached: choice === 'update',
      })),
    )
    taken += wanted.length
  }
}

/** Starts the writing. Once started, a further confirm answers how far it is. */
export const confirmImport = async (who: Actor, id: string, duplicates: DuplicateChoice): Promise<ImportRecord> =>
  withTenant(who, async (db) => {
    const row = await lockImport(db, id)
    if (row.status === 'running' || row.status === 'done') return getImport(db, who, id)
    refuse(importRefusals.confirm(row))
    requireMoney(who, row.mapping as Mapping)
    const taken = duplicates === 'skip' ? 0 : await takeDuplicates(db, id, duplicates)
    if (row.okCount + taken === 0) throw conflict('There is no row that can be imported. Nothing was changed.')
    const [first] = await listRowsAfter(db, id, 0, 1)
    await bringCustomFieldsTx(db, who, first ? readBroughtFields(first.data, row.mapping as Mapping) : [])
    await enqueue(db, writeImport, { importId: id }, { key: id })
    await audit(db, who, 'import.confirm', { type: 'import', id })
    return setImport(db, who, id, {
      status: 'running',
      withDuplicates: duplicates === 'import',
      updateDuplicates: duplicates === 'update',
      okCount: row.okCount + taken,
      duplicateCount: row.duplicateCount - taken,
      doneCount: 0,
      archivedCount: 0,
    })
  })

/** Starts taking back what an import made. */
export const undoImport = async (who: Actor, id: string): Promise<ImportRecord> =>
  withTenant(who, async (db) => {
    const row = await lockImport(db, id)
    if (row.status === 'undoing' || row.status === 'undone') return getImport(db, who, id)
    refuse(importRefusals.undo(row))
    await enqueue(db, undoImportTask, { importId: id }, { key: id })
    await audit(db, who, 'import.undo', { type: 'import', id })
    return setImport(db, who, id, { status: 'undoing', finishedAt: null })
  })
