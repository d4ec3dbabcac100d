import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { decryptField } from '../../../platform/keys.ts'
import { storeObject } from '../../../platform/storage.ts'
import { mailsTo } from '../../../test/account.ts'
import { type Api, runTasks, testServer } from '../../../test/api.ts'
import { exported, fetchArchive } from '../../../test/exports.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit } from '../../../test/field.ts'
import { closingApi } from '../../accounts/closing/contract.ts'
import { hashPassword } from '../../accounts/server/commands.ts'
import { areasApi } from '../../customers/areas/contract.ts'
import { contactsApi } from '../../customers/contacts/contract.ts'
import { customersApi } from '../../customers/contract.ts'
import { customFieldsApi } from '../../customers/custom/contract.ts'
import { addDocumentTx } from '../../files/server/commands.ts'
import { importsApi } from '../../imports/contract.ts'
import { exemptionsApi } from '../../invoices/exemptions/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { consentsApi } from '../../messages/consents/contract.ts'
import { suppress } from '../../messages/server/commands.ts'
import { receiveText } from '../../messages/server/inbound/commands.ts'
import { exportsApi } from '../contract.ts'
import { pathOfFile } from '../rules.ts'

const bringIn = async (api: Api, fileName: string, text: string) => {
  const made = await api.ok(importsApi.create, { body: { fileName, text } })
  expect(made.source).toBe('Swath')
  const found = await api.ok(importsApi.check, { params: { id: made.id } })
  expect([found.errorCount, found.duplicateCount]).toEqual([0, 0])
  expect((await api.ok(importsApi.rows, { params: { id: made.id }, query: { withReason: 'true' } })).items).toEqual([])
  await api.ok(importsApi.confirm, { params: { id: made.id }, body: {} })
  await runTasks()
  return api.ok(importsApi.get, { params: { id: made.id } })
}

describe('the export of everything', () => {
  it('holds every record and file, no secret, and nothing of another business', async () => {
    const business = await aBusiness({ tier: null })
    const passwordHash = await hashPassword('correct horse 1')
    await business.db((db) =>
      db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
    )
    const visit = await aVisit(business, {
      crewId: await aCrew(business, { members: [business.owner] }),
      status: 'completed',
    })
    const other = await aBusiness({ name: 'Somebody Else Mowing' })
    const theirs = await aVisit(other, { crewId: await aCrew(other, { members: [other.owner] }), status: 'completed' })
    const paper = await storeObject(business.id, Buffer.from('%PDF-paper'))
    const fileId = await business.db((db) =>
      addDocumentTx(db, 'invoice', { ...paper, mime: 'application/pdf', name: '../../=evil.pdf' }),
    )
    const files = await exported(business.api)
    for (const table of [
      'customers',
      'properties',
      'jobs',
      'job_lines',
      'visits',
      'visit_lines',
      'invoices',
      'payments',
      'messages',
      'users',
      'crews',
      'expenses',
      'application_records',
      'audit_log',
    ])
      expect([...files.keys()]).toContain(`records/${table}.csv`)
    expect(files.get('records/visits.csv')).toContain(visit.visitId)
    expect(files.get(`files/invoice/${fileId}-evil.pdf`)).toBe('%PDF-paper')
    expect(files.get('README.txt')).toContain('records/invoices.csv: invoices')
    const text = [...files.values()].join('\n')
    for (const secret of [
      passwordHash,
      theirs.visitId,
      other.id,
      'Somebody Else',
      'password_hash',
      'token_hash',
      'storage_key',
    ])
      expect(text.includes(secret), secret).toBe(false)
    // the archive of this one is no part of the next
    expect([...(await exported(business.api)).keys()].filter((name) => name.startsWith('files/export'))).toEqual([])
  })

  it('makes what a spreadsheet would run into text', async () => {
    const { api } = await aBusiness()
    await api.ok(customersApi.create, { body: { name: '=HYPERLINK("http://x.test")', notes: '@SUM(1)' } })
    const rows = Papa.parse<string[]>((await exported(api, false)).get('records/customers.csv') ?? '', {
      delimiter: ',',
    }).data
    expect(rows.flat().filter((cell) => /^[=+@]/.test(cell))).toEqual([])
    expect(rows.flat()).toContain('\'=HYPERLINK("http://x.test")')
  })

  it('is the owner’s alone, works without a subscription, is made once, and is gone after a week', async () => {
    const business = await aBusiness({ status: 'canceled' })
    const admin = await business.admin()
    expect((await admin.api.call(exportsApi.start, { body: {} })).status).toBe(403)
    expect((await admin.api.call(exportsApi.list, {})).status).toBe(403)
    const first = await business.api.ok(exportsApi.start, { body: {} })
    expect((await business.api.ok(exportsApi.start, { body: {} })).id).toBe(first.id)
    await runTasks()
    const path = (await business.api.ok(exportsApi.list, {})).items[0]?.archives[0]?.path ?? ''
    await fetchArchive(path)
    const forged = path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect((await (await testServer()).inject({ url: forged })).statusCode).toBe(404)
    await business.db((db) =>
      db
        .updateTable('businessExports')
        .set({ expiresAt: new Date(clock.nowMs() - 1000).toISOString() })
        .where('businessId', '=', business.id)
        .execute(),
    )
    const over = (await business.api.ok(exportsApi.list, {})).items[0]
    expect([over?.status, over?.archives]).toEqual(['expired', []])
  })

  it('is mailed to the owner of a business that was closed, and opens without signing in', async () => {
    const business = await aBusiness({ tier: null })
    const passwordHash = await hashPassword('correct horse 1')
    await business.db((db) =>
      db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
    )
    await business.api.ok(customersApi.create, { body: { name: 'Kept For Later' } }).catch(() => {})
    const { name } = await business.db((db) =>
      db.selectFrom('businesses').select('name').where('businessId', '=', business.id).executeTakeFirstOrThrow(),
    )
    await business.api.ok(closingApi.close, { body: { password: 'correct horse 1', businessName: name } })
    await runTasks()
    const mail = (await mailsTo(business.id, business.owner.email)).find(({ subject }) =>
      subject?.startsWith('Everything of'),
    )
    const path = /\/api\/f\/[^\s"<]+/.exec(mail?.bodyText ?? '')?.[0] ?? ''
    expect([...(await fetchArchive(path)).keys()]).toContain('bring-in/customers.csv')
  })
})

it.each([
  [{ id: 'x', kind: 'photo', name: '', mime: 'image/jpeg' }, 'files/photo/x.jpg'],
  [{ id: 'x', kind: '../up', name: '../../etc/passwd', mime: 'text/plain' }, 'files/up/x-etcpasswd.txt'],
  [{ id: 'x', kind: 'invoice', name: 'INV-7.pdf', mime: 'application/pdf' }, 'files/invoice/x-INV-7.pdf'],
])('%j lies at %s', (file, path) => expect(pathOfFile(file)).toBe(path))

/** What of a business a round trip has to keep, in words that do not depend on ids. */
const contentOf = (business: TestBusiness) =>
  business.db(async (db) => {
    const customers = await db.selectFrom('customers').selectAll().where('businessId', '=', business.id).execute()
    const properties = await db.selectFrom('properties').selectAll().where('businessId', '=', business.id).execute()
    const areas = await db
      .selectFrom('propertyAreas')
      .selectAll()
      .where('businessId', '=', business.id)
      .orderBy('position')
      .execute()
    const contacts = await db
      .selectFrom('customerContacts')
      .selectAll()
      .where('businessId', '=', business.id)
      .orderBy('id')
      .execute()
    const exemptions = await db
      .selectFrom('taxExemptions')
      .selectAll()
      .where('businessId', '=', business.id)
      .where('removedAt', 'is', null)
      .execute()
    const words = await db.selectFrom('consentEvents').selectAll().where('businessId', '=', business.id).execute()
    const shut = await db.selectFrom('suppressions').selectAll().where('businessId', '=', business.id).execute()
    const jobs = await db.selectFrom('jobs').selectAll().where('businessId', '=', business.id).execute()
    const lines = await db
      .selectFrom('jobLines')
      .selectAll()
      .where('businessId', '=', business.id)
      .orderBy('position')
      .execute()
    const services = await db
      .selectFrom('services')
      .select(['id', 'name'])
      .where('businessId', '=', business.id)
      .execute()
    const balances = await db.selectFrom('customerBalances').selectAll().where('businessId', '=', business.id).execute()
    const fields = await db.selectFrom('customFields').selectAll().where('businessId', '=', business.id).execute()
    const named = (values: unknown) =>
      Object.entries(values as Record<string, unknown>)
        .map(([id, value]) => [fields.find((f) => f.id === id)?.name, value])
        .sort()
    const sorted = <T>(rows: T[]) => rows.map((row) => JSON.stringify(row)).sort()
    const placeOf = (id: string) => properties.find((p) => p.id === id)
    return {
      customers: sorted(
        customers.map((c) => [
          c.name,
          c.company,
          c.email,
          c.phone,
          c.type,
          c.stage,
          c.tags,
          c.notes,
          c.billingStreet,
          c.billingCity,
          c.billingState,
          c.billingZip,
          c.termsDays,
          c.invoiceGrouping,
          c.holdInvoices,
          c.language,
          c.gets,
          c.source,
          c.paperWay,
          c.taxExempt,
          c.taxCertificate,
          exemptions
            .filter((e) => e.customerId === c.id)
            .map((e) => [e.certificate, e.state, e.validFrom, e.validUntil])
            .sort(),
          c.archivedAt !== null,
          named(c.custom),
          Number(balances.find((b) => b.customerId === c.id)?.balanceCents ?? 0),
          contacts
            .filter((k) => k.customerId === c.id)
            .map((k) => [
              k.name,
              k.role,
              k.email,
              k.phone,
              k.note,
              k.invoicesBy,
              k.quotesBy,
              k.visitsBy,
              k.marketingBy,
            ]),
        ]),
      ),
      properties: sorted(
        properties.map((p) => [
          customers.find((c) => c.id === p.customerId)?.name,
          p.street,
          p.unit,
          p.city,
          p.state,
          p.zip,
          p.latitude,
          p.longitude,
          p.geocodeQuality,
          p.lawnSquareFeet,
          p.mowHeightInches,
          p.gateCodeCipher === null ? null : decryptField(p.gateCodeCipher),
          p.dog,
          p.parking,
          p.noGo,
          p.notes,
          p.difficulty,
          p.clippings,
          named(p.custom),
          areas.filter((a) => a.propertyId === p.id).map((a) => [a.kind, a.name, a.squareFeet, a.feetAround, a.rings]),
        ]),
      ),
      words: sorted(words.map((w) => [w.channel, w.address, w.purpose, w.action, w.source, w.wording, w.saidOn, w.at])),
      shut: sorted(shut.map((s) => [s.channel, s.address, s.purpose, s.reason, s.at])),
      fields: sorted(fields.map((f) => [f.record, f.name, f.type, f.position, f.choices])),
      jobs: sorted(
        jobs.map((j) => [
          placeOf(j.propertyId)?.street,
          placeOf(j.propertyId)?.unit,
          j.title,
          j.instructions,
          j.poNumber,
          j.billing,
          j.status,
          j.startOn,
          j.endOn,
          j.pausedUntil,
          lines
            .filter((l) => l.jobId === j.id)
            .map((l) => [
              services.find((s) => s.id === l.serviceId)?.name,
              l.description,
              l.quantity,
              l.unitPriceCents,
              l.budgetMinutes,
              l.recurrence,
              l.onceOn,
              l.undated,
            ]),
        ]),
      ),
    }
  })

it('goes round: what is exported and brought into an empty business is the same, row by row', async () => {
  const from = await aBusiness()
  const { api } = from
  const first = await bringInPlain(api)
  expect(first.jobCount).toBe(3)
  const [ann] = (await api.ok(customersApi.list, { query: { q: 'Ann' } })).items
  const params = { id: ann?.id ?? '' }
  await api.ok(contactsApi.add, {
    params,
    body: { name: 'Pat "Gate" O’Neil', role: 'gate', phone: '9125550177', visitsBy: 'text', note: '=1+1' },
  })
  await api.ok(exemptionsApi.add, {
    params: { id: ann?.id ?? '' },
    body: { certificate: '=GA-4711, "school"', state: 'GA', validFrom: '2026-01-01', validUntil: '2027-12-31' },
  })
  await api.ok(consentsApi.record, {
    params: { id: ann?.id ?? '' },
    body: {
      channel: 'email',
      address: 'ann@x.test',
      action: 'grant',
      how: 'paper',
      on: '2026-01-02',
      note: '=At the "fair"',
    },
  })
  for (const number of ['+19125550101', '+19125550177'])
    await receiveText(from.id, { from: number, body: 'STOP', providerId: number, provider: 'test' })
  await from.db((db) => suppress(db, 'email', 'bob@x.test', 'all', 'The mail server says this address does not exist'))
  await from.db((db) =>
    db
      .updateTable('customers')
      .set({ taxExempt: true, taxCertificate: 'ST-5 of 2024', paperWay: 'both' })
      .where('businessId', '=', from.id)
      .where('name', '=', '=Bob & Söhne')
      .execute(),
  )
  const areas = await api.ok(areasApi.list, { params: { id: ann?.propertyId ?? '' } })
  const ring: [number, number][] = [
    [32.05, -81.1],
    [32.051, -81.1],
    [32.051, -81.099],
  ]
  await api.ok(areasApi.save, {
    params: { id: ann?.propertyId ?? '' },
    body: {
      version: areas.version,
      areas: [
        { kind: 'turf', name: 'Back, left', squareFeet: null, rings: [ring] },
        { kind: 'bed', name: '', squareFeet: 120, rings: null },
      ],
    },
  })
  const pool = await api.ok(customFieldsApi.create, { body: { record: 'customer', name: 'Notes', type: 'text' } })
  const brand = await api.ok(customFieldsApi.create, {
    body: {
      record: 'property',
      name: 'Brand',
      type: 'choice',
      choices: [
        { id: null, name: 'A, B' },
        { id: null, name: '=C' },
      ],
    },
  })
  const since = await api.ok(customFieldsApi.create, { body: { record: 'customer', name: 'Since', type: 'date' } })
  await api.ok(customersApi.create, {
    body: {
      name: 'No Address',
      tags: ['a b', 'vip'],
      language: 'es',
      custom: { [pool.id]: '=1+1, "quoted"', [since.id]: '2020-02-29' },
    } as never,
  })
  await api.ok(customersApi.create, {
    body: {
      name: 'Twin of Ann',
      allowDuplicate: true,
      property: { street: '1 Oak St', city: 'Savannah', state: 'GA', zip: '31401', custom: { [brand.id]: '2' } },
    } as never,
  })
  const [job] = (await api.ok(jobsApi.list, { query: {} })).items
  await from.db((db) =>
    db
      .updateTable('jobs')
      .set({ status: 'paused', pausedUntil: '2030-01-01', instructions: 'Mind the\n"sprinkler"', poNumber: 'PO-7' })
      .where('businessId', '=', from.id)
      .where('id', '=', job?.id ?? '')
      .execute(),
  )
  const archive = await exported(api)
  const to = await aBusiness()
  await bringIn(to.api, 'customers.csv', archive.get('bring-in/customers.csv') ?? '')
  await bringIn(to.api, 'jobs.csv', archive.get('bring-in/jobs.csv') ?? '')
  const [before, after] = [await contentOf(from), await contentOf(to)]
  expect([before.words.length, before.shut.length]).toEqual([5, 3])
  expect(before.customers.length + before.properties.length + before.jobs.length).toBeGreaterThan(9)
  expect(after).toEqual(before)
})

const bringInPlain = async (api: Api) => {
  const text = [
    'Name,Street,City,State,Zip,Email,Phone,Tags,Notes,Gate code,Dog,Lawn size,Mow height,Latitude,Longitude,Billing Street,Billing City,Billing State,Billing Zip,Service,Frequency,Day,Start date,Price,Open balance',
    'Ann Lee,1 Oak St,Savannah,GA,31401,ann@x.test,9125550101,weekly; vip,"Two lines,\nof notes",4711,Rex,5500,3.25,32.05,-81.1,PO Box 1,Pooler,GA,31322,Mowing,Weekly,Tue,3/3/2026,45,120.55',
    'Ann Lee,"2 Oak St",Savannah,GA,31401,ann@x.test,9125550101,weekly; vip,"Two lines,\nof notes",,,6000,,,,PO Box 1,Pooler,GA,31322,Weeding,Every 2 weeks,Thu,3/5/2026,60.10,120.55',
    '=Bob & Söhne,3 Oak St,Savannah,GA,31401,bob@x.test,,,,,,,,,,,,,,Mowing,Monthly on the first Monday,,3/2/2026,45,',
    'Former,4 Oak St,Savannah,GA,31401,former@x.test,,,,,,,,,,,,,,,,,,,',
  ].join('\n')
  const { id } = await api.ok(importsApi.create, { body: { fileName: 'list.csv', text } })
  await api.ok(importsApi.check, { params: { id } })
  await api.ok(importsApi.confirm, { params: { id }, body: {} })
  await runTasks()
  return api.ok(importsApi.get, { params: { id } })
}
