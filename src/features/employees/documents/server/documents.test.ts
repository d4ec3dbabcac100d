import { expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness, aPerson, type Person } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { documentsApi } from '../contract.ts'

const pdf = Buffer.from('%PDF-1.7\nsecret number 123-45-6789')
const put = (by: Pick<Person, 'api'>, id: string, more: object = {}, bytes: Buffer = pdf) =>
  by.api.call(
    documentsApi.add,
    { params: { id }, query: { documentId: newId(), kind: 'i9', ...more } as never, body: bytes },
    { 'content-type': 'application/octet-stream' },
  )

it('is put on file once, encrypted, handed out as it was, and who looked is written down', async () => {
  const business = await aBusiness()
  const ana = await business.employee({ name: 'Ana Reyes' })
  const documentId = newId()
  const first = await put(business, ana.userId, { documentId })
  expect([first.status, first.body.kind, first.body.mime]).toEqual([200, 'i9', 'application/pdf'])
  expect((await put(business, ana.userId, { documentId })).body.id).toBe(documentId)
  const params = { id: documentId }
  const { items } = await business.api.ok(documentsApi.list, { params: { id: ana.userId } })
  expect(items).toHaveLength(1)
  const [kept] = await business.db((db) => db.selectFrom('personDocumentFiles').select('sealed').execute())
  expect(Buffer.from(kept?.sealed ?? '', 'base64url').includes('secret number')).toBe(false)
  const file = await business.api.raw({ method: 'GET', url: `/api/person-documents/${documentId}/file` })
  expect([file.status, file.headers['content-type'], file.bytes.equals(pdf)]).toEqual([200, 'application/pdf', true])
  expect(file.headers['content-disposition']).toContain('Ana%20Reyes%20Form%20I-9.pdf')
  const looked = await business.db((db) =>
    db.selectFrom('auditLog').select('action').where('action', '=', 'document.open').execute(),
  )
  expect(looked).toHaveLength(1)
  const text = await put(business, ana.userId, {}, Buffer.from('<script>alert(1)</script>'))
  expect(text.status).toBe(415)
  const old = await business.api.call(documentsApi.update, { params, body: { kind: 'w4', version: 7 } })
  expect(old.error.code).toBe('version_conflict')
  const gone = await business.api.ok(documentsApi.remove, { params, body: { version: 1 } })
  expect((await business.api.raw({ method: 'GET', url: `/api/person-documents/${documentId}/file` })).status).toBe(404)
  expect((await business.api.ok(documentsApi.list, { params: { id: ana.userId } })).items).toEqual([])
  await business.api.ok(documentsApi.restore, { params, body: { version: gone.version } })
  expect((await business.api.ok(documentsApi.list, { params: { id: ana.userId } })).items).toHaveLength(1)
})

it('is told of when it ends', async () => {
  const business = await aBusiness()
  const ana = await business.employee({ name: 'Ana Reyes' })
  await put(business, ana.userId, { kind: 'license', expiresOn: addDays(today(), 10) })
  await put(business, ana.userId, { kind: 'medical', expiresOn: addDays(today(), 90) })
  const { needs } = await business.api.ok(dashboardApi.get, {})
  expect(needs.filter(({ badge }) => badge === 'Document').map(({ title }) => title)).toEqual([
    'Ana Reyes: Driver’s license expires',
  ])
  await put(business, ana.userId, { kind: 'license', expiresOn: addDays(today(), 700) })
  const after = (await business.api.ok(dashboardApi.get, {})).needs
  expect(after.filter(({ badge }) => badge === 'Document')).toEqual([])
})

it('is nobody else’s: not the crew’s, not an office’s without the team, not another business’s, not of who stands higher', async () => {
  const [business, other] = [await aBusiness(), await aBusiness()]
  const ana = await business.employee()
  const { body } = await put(business, ana.userId)
  const bookkeeper = await aPerson(business.id, 'Admin', { permissions: ['money'] })
  const lead = await aPerson(business.id, 'Admin', { permissions: ['team'] })
  const url = `/api/person-documents/${body.id}/file`
  const statuses = async (by: Pick<Person, 'api'>) => [
    (await by.api.raw({ method: 'GET', url })).status,
    (await by.api.call(documentsApi.list, { params: { id: ana.userId } })).status,
    (await put(by, ana.userId)).status,
  ]
  expect(await statuses(ana)).toEqual([403, 403, 403])
  expect(await statuses(bookkeeper)).toEqual([403, 403, 403])
  expect(await statuses(other)).toEqual([404, 404, 404])
  expect(await statuses(lead)).toEqual([200, 200, 200])
  expect((await put(lead, business.owner.userId)).status).toBe(403)
})
