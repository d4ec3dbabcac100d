import { sql } from 'kysely'
import Papa from 'papaparse'
import { expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { unescapeCell } from '../../../shared/csv.ts'
import { exported } from '../../../test/exports.ts'
import type { TestBusiness } from '../../../test/factories.ts'
import { today } from '../../../test/field.ts'
import { aFullBusiness } from '../../../test/full-business.ts'
import { quotesApi } from '../../quotes/contract.ts'
import { tasksApi } from '../../tasks/contract.ts'
import { timelineApi } from '../../timeline/contract.ts'
import { isKeptBack, leftOut } from '../rules.ts'

/** Every table that belongs to a business with all its columns, whether our own program may read it or not. */
const tenantTables = async (business: TestBusiness) =>
  (
    await business.db((db) =>
      sql<{ name: string; columns: string[] }>`
        select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        group by c.oid, c.relname having 'business_id' = any(array_agg(a.attname::text)) order by c.relname`.execute(
        db,
      ),
    )
  ).rows

const rowsOf = async (business: TestBusiness, name: string) => {
  const { rows } = await business.db((db) =>
    sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(name)} t where business_id = ${business.id}`.execute(db),
  )
  return rows
    .map(({ row }) => row)
    .filter((row) => (name === 'messages' ? row.purpose !== 'account' : name !== 'files' || row.kind !== 'export'))
}

/** What a cell means again: a list that stands in it with semicolons, or what JSON says. */
const isSame = (value: unknown, cell: string): boolean => {
  const text = unescapeCell(cell)
  if (value === null || typeof value !== 'object') return text === String(value ?? '')
  if (Array.isArray(value) && !/^[[{]/.test(text))
    return JSON.stringify(value.map(String)) === JSON.stringify(text === '' ? [] : text.split('; '))
  return JSON.stringify(JSON.parse(text)) === JSON.stringify(value)
}

it('every table and column of a business is in its export, or named with why it is not; every row and value comes out', async () => {
  const { business } = await aFullBusiness()
  const { api } = business
  const [place] = await business.db((db) =>
    db.selectFrom('properties').select(['id', 'customerId']).where('businessId', '=', business.id).limit(1).execute(),
  )
  const { customerId = '', id: propertyId = '' } = place ?? {}
  await business.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'rebecca@test.swath.test', tags: ['=vip', 'north; south', 'two, three'] })
      .where('businessId', '=', business.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const service = await business.db((db) =>
    db.selectFrom('services').select('id').where('businessId', '=', business.id).limit(1).executeTakeFirst(),
  )
  const [must, may] = [newId(), newId()]
  const line = { serviceId: service?.id ?? null, unitPriceCents: 5000 }
  const draft = await api.ok(quotesApi.create, {
    body: {
      propertyId,
      title: '=A green, "season"',
      content: {
        lines: [
          { ...line, id: must, name: 'Mowing' },
          { ...line, id: may, name: 'Edging; deep', optional: true },
        ],
        deposit: { kind: 'percent', value: 25 },
      },
    } as never,
  })
  const quote = await api.ok(quotesApi.send, {
    params: { id: draft.id },
    body: { mail: true, text: false, version: draft.version },
  })
  const signed = await api.ok(quotesApi.approve, {
    params: { id: quote.id },
    body: {
      signer: 'Rebecca',
      note: 'On the phone',
      choice: { packageId: null, lineIds: [may] },
      version: quote.version,
    } as never,
  })
  await api.ok(tasksApi.logCall, {
    params: { id: customerId },
    body: { note: 'Wants mulch\n"soon"', followUp: { title: 'Call back', dueOn: today() } },
  })
  await api.ok(timelineApi.addNote, { params: { id: customerId }, body: { text: "'quoted', and @more" } })

  const archive = await exported(api)
  const tables = await tenantTables(business)
  const here = new Set([...archive.keys()].flatMap((path) => /^records\/(\w+)\.csv$/.exec(path)?.[1] ?? []))
  const names = tables.map(({ name }) => name)
  expect(names.filter((name) => !here.has(name))).toEqual(
    Object.keys(leftOut)
      .filter((name) => names.includes(name))
      .sort(),
  )
  expect(Object.keys(leftOut).filter((name) => !names.includes(name))).toEqual([])
  const keptBack = tables
    .filter(({ name }) => here.has(name))
    .flatMap(({ name, columns }) => columns.filter((one) => isKeptBack(name, one)).map((one) => `${name}.${one}`))
  // keys, marks and where something lies on our disk; a gate code stands readable beside it
  expect(keptBack).toEqual([
    'books_connections.access_cipher',
    'books_connections.refresh_cipher',
    'books_connections.token_version',
    'books_links.sync_token',
    'files.storage_key',
    'portal_sessions.secret_hash',
    'properties.gate_code_cipher',
    'push_devices.address_hash',
    'quote_signatures.storage_key',
    'sender_domains.proof_token',
    'users.password_hash',
    'users.pin_hash',
    'users.token_version',
  ])

  const lost: string[] = []
  const filled: string[] = []
  for (const { name, columns } of tables.filter((table) => here.has(table.name))) {
    const [head = [], ...cells] = Papa.parse<string[]>(
      (archive.get(`records/${name}.csv`) ?? '').replace(/^\uFEFF/, ''),
      {
        delimiter: ',',
        skipEmptyLines: true,
      },
    ).data
    const rows = await rowsOf(business, name)
    if (rows.length > 0) filled.push(name)
    if (rows.length !== cells.length) lost.push(`${name}: ${rows.length} rows, ${cells.length} exported`)
    const wanted = columns.filter((column) => column !== 'business_id' && !isKeptBack(name, column))
    for (const column of wanted.filter((one) => !head.includes(one))) lost.push(`${name}.${column}`)
    for (const row of rows)
      if (!cells.some((one) => wanted.every((column) => isSame(row[column], one[head.indexOf(column)] ?? ''))))
        lost.push(`${name}: ${JSON.stringify(row).slice(0, 300)}`)
  }
  expect(lost).toEqual([])
  expect(filled).toEqual(
    expect.arrayContaining([
      'business_leads',
      'customer_calls',
      'customer_notes',
      'office_tasks',
      'quote_events',
      'quote_revisions',
      'quote_signatures',
      'quotes',
    ]),
  )
  const paper = [...archive].find(([path]) => path.startsWith('files/signed-quote/'))
  expect(paper?.[0]).toContain(signed.number ? `${signed.number}.pdf` : '.pdf')
  expect(paper?.[1].slice(0, 5)).toBe('%PDF-')
}, 120_000)
