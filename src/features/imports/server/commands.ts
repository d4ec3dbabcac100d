import Papa from 'papaparse'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { directly, type Once } from '../../../platform/http/idempotency.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueue } from '../../../platform/tasks/task.ts'
import { refuse } from '../../../shared/can.ts'
import { AppError, conflict, invalid, notFound } from '../../../shared/errors.ts'
import { roomFor } from '../../customers/rules.ts'
import { findDuplicatesTx, getCustomerLimit } from '../../customers/server/queries.ts'
import { type ImportRecord, maxFileBytes, maxRows } from '../contract.ts'
import { duplicateReason, type ImportValues, type RowProblem, readRow } from '../rows/rules.ts'
import { fieldOfHeader, guessMapping, guessSource, importRefusals, type Mapping, mappingProblems } from '../rules.ts'
import { getImport, listAddressKeys, listRowsAfter } from './queries.ts'
import { markRows, undoImportTask, writeImport } from './tasks.ts'

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
    const known = cells.filter((cell) => fieldOfHeader(cell) !== null).length
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
  const save = async (db: TenantDb) => {
    await db
      .insertInto('imports')
      .values({
        businessId: db.businessId,
        id,
        fileName: input.fileName,
        status: 'uploaded',
        source: guessSource(table.headers),
        columns: JSON.stringify(columns),
        mapping: JSON.stringify(guessMapping(columns)),
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
    .select(['id', 'status', 'mapping', 'columns', 'okCount', 'duplicateCount', 'errorCount'])
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
    if (problems.length > 0) throw invalid(problems)
    return setImport(db, who, id, {
      mapping: JSON.stringify(mapping),
      status: 'uploaded',
      okCount: 0,
      errorCount: 0,
      duplicateCount: 0,
    })
  })

type Person = { customerId: string; line: number; name: string }

/** Remembers who and which addresses came earlier in the file. */
class Seen {
  readonly #people = new Map<string, Person>()
  readonly #addresses = new Map<string, Person>()

  /** The earlier row's customer when it is the same person: same name with the same e-mail or phone. */
  samePerson(v: ImportValues): Person | undefined {
    return this.#keys(v, v.name)
      .map((key) => this.#people.get(key))
      .find(Boolean)
  }

  /** An earlier row that is taken for this one: the same address, or the same e-mail or phone under another name. */
  duplicate(v: ImportValues, address: string): RowProblem | null {
    const there = address === '' ? undefined : this.#addresses.get(address)
    if (there) return { field: 'street', message: `Same address as line ${there.line} (${there.name}).` }
    for (const [field, key] of [
      ['email', v.email],
      ['phone', v.phone],
    ] as const) {
      const other = key === null ? undefined : this.#people.get(`${field}:${key}`)
      if (other)
        return {
          field,
          message: `Same ${field === 'email' ? 'e-mail' : 'phone'} as line ${other.line} (${other.name}).`,
        }
    }
    return null
  }

  add(v: ImportValues, address: string, person: Person): void {
    for (const key of [...this.#keys(v, v.name), ...this.#keys(v, null)])
      if (!this.#people.has(key)) this.#people.set(key, person)
    if (address !== '') this.#addresses.set(address, person)
  }

  #keys(v: ImportValues, name: string | null): string[] {
    const prefix = name === null ? '' : `${name.toLowerCase()}\n`
    return [
      ...(v.email === null ? [] : [`${prefix}email:${v.email}`]),
      ...(v.phone === null ? [] : [`${prefix}phone:${v.phone}`]),
    ]
  }
}

type Judged = {
  line: number
  status: 'ok' | 'error' | 'duplicate'
  reasons: RowProblem[]
  customerId: string | null
  propertyId: string | null
}

const judgeChunk = async (
  db: TenantDb,
  rows: readonly { line: number; data: string[] }[],
  mapping: Mapping,
  seen: Seen,
): Promise<Judged[]> => {
  const read = rows.map((row) => ({ line: row.line, ...readRow(row.data, mapping) }))
  const good = read.filter((row) => row.problems.length === 0)
  const addresses = await listAddressKeys(
    db,
    good.map((row) => row.values),
  )
  const existing = await findDuplicatesTx(
    db,
    good.map((row) => row.values),
  )
  const judged: Judged[] = read
    .filter((row) => row.problems.length > 0)
    .map(({ line, problems }) => ({ line, status: 'error', reasons: problems, customerId: null, propertyId: null }))
  for (const [at, { line, values, leftOut }] of good.entries()) {
    const address = addresses[at] ?? ''
    const known = existing.get(at)?.[0]
    const person = seen.samePerson(values)
    const sameAddress = seen.duplicate({ ...values, ...(person ? { email: null, phone: null } : {}) }, address)
    const reason = known ? duplicateReason(known) : sameAddress
    if (reason) {
      judged.push({ line, status: 'duplicate', reasons: [reason], customerId: null, propertyId: null })
      continue
    }
    const customer = person ?? { customerId: newId(), line, name: values.name }
    seen.add(values, address, customer)
    judged.push({ line, status: 'ok', reasons: leftOut, customerId: customer.customerId, propertyId: newId() })
  }
  return judged
}

/** The dry run: judges every row and gives each good one its ids. Customers are not touched. */
export const checkImport = async (who: Actor, id: string): Promise<ImportRecord> =>
  withTenant(who, async (db) => {
    const row = await lockImport(db, id)
    refuse(importRefusals.check(row))
    const mapping = row.mapping as Mapping
    const problems = mappingProblems(mapping)
    if (problems.length > 0) throw invalid(problems)
    const seen = new Seen()
    const counts = { ok: 0, error: 0, duplicate: 0 }
    const customers = new Set<string>()
    for (let after = 0; ; ) {
      const rows = await listRowsAfter(db, id, after, chunkRows)
      const last = rows.at(-1)
      if (!last) break
      after = last.line
      const judged = await judgeChunk(db, rows, mapping, seen)
      await markRows(db, id, judged)
      for (const { status, customerId } of judged) {
        counts[status] += 1
        if (customerId !== null) customers.add(customerId)
      }
    }
    const { active, limit } = await getCustomerLimit(db)
    return setImport(db, who, id, {
      status: 'checked',
      okCount: counts.ok,
      errorCount: counts.error,
      duplicateCount: counts.duplicate,
      customerCount: customers.size,
      archivedCount: customers.size - roomFor(customers.size, active, limit),
    })
  })

const takeDuplicates = async (db: TenantDb, id: string): Promise<number> => {
  let taken = 0
  for (;;) {
    const rows = await listRowsAfter(db, id, 0, chunkRows, 'duplicate')
    if (rows.length === 0) return taken
    await markRows(
      db,
      id,
      rows.map(({ line }) => ({ line, status: 'ok', customerId: newId(), propertyId: newId() })),
    )
    taken += rows.length
  }
}

/** Starts the writing. Once started, a further confirm answers how far it is. */
export const confirmImport = async (who: Actor, id: string, duplicates: 'skip' | 'import'): Promise<ImportRecord> =>
  withTenant(who, async (db) => {
    const row = await lockImport(db, id)
    if (row.status === 'running' || row.status === 'done') return getImport(db, who, id)
    refuse(importRefusals.confirm(row))
    const withDuplicates = duplicates === 'import'
    if (row.okCount + (withDuplicates ? row.duplicateCount : 0) === 0)
      throw conflict('There is no row that can be imported. Nothing was changed.')
    const taken = withDuplicates ? await takeDuplicates(db, id) : 0
    await enqueue(db, writeImport, { importId: id }, { key: id })
    await audit(db, who, 'import.confirm', { type: 'import', id })
    return setImport(db, who, id, {
      status: 'running',
      withDuplicates,
      okCount: row.okCount + taken,
      duplicateCount: row.duplicateCount - taken,
      doneCount: 0,
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
