import { describe, expect, it } from 'vitest'
import { aBusiness } from '../../../test/factories.ts'
import { today } from '../../../test/field.ts'
import { contactsApi } from '../../customers/contacts/contract.ts'
import { customersApi } from '../../customers/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { tasksApi } from '../../tasks/contract.ts'
import { timelineApi } from '../../timeline/contract.ts'
import { mergesApi } from '../contract.ts'

const street = { street: '12 North Oak Street', city: 'Savannah', state: 'GA', zip: '31401' }

const aPair = async () => {
  const business = await aBusiness()
  const { api } = business
  const kept = await api.ok(customersApi.create, { body: { name: 'Ann Lee', email: 'ann@oak.test', tags: ['weekly'] } })
  const gone = await api.ok(customersApi.create, {
    body: {
      name: 'A. Lee',
      email: 'ann@oak.test',
      phone: '(912) 555-0101',
      tags: ['dog'],
      notes: 'Pays cash.',
      property: street,
      allowDuplicate: true,
    },
  })
  const params = { id: gone.id }
  await api.ok(contactsApi.add, { params, body: { name: 'Beth Cole', email: 'beth@oak.test' } })
  await api.ok(timelineApi.addNote, { params, body: { text: 'Asked for aeration' } })
  await api.ok(tasksApi.logCall, { params, body: { followUp: { title: 'Call back', dueOn: today() } } })
  const read = (id: string) => api.ok(customersApi.get, { params: { id } })
  const pair = { params: { id: kept.id, goneId: gone.id } }
  const merge = async () => {
    const seen = await api.ok(mergesApi.preview, pair)
    return api.call(mergesApi.merge, {
      params: { id: kept.id },
      body: { goneId: gone.id, version: seen.kept.version, goneVersion: seen.gone.version },
    })
  }
  return { business, api, kept, gone, read, pair, merge }
}

const bill = async ({ api }: Awaited<ReturnType<typeof aPair>>, customerId: string) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
  await api.ok(invoicesApi.create, { body: { customerId, termsDays: 14, lines } })
}

describe('two records of one customer', () => {
  it('find each other, say what would move, become one, and are taken apart again', async () => {
    const { api, kept, gone, read, pair, merge } = await aPair()
    const found = await api.ok(mergesApi.duplicates, { params: { id: kept.id } })
    expect(found.items).toMatchObject([{ customerId: gone.id, matches: ['email'] }])
    const seen = await api.ok(mergesApi.preview, pair)
    expect(seen).toMatchObject({ refusal: null, stays: [{ label: 'Name', kept: 'Ann Lee', gone: 'A. Lee' }] })
    expect(Object.fromEntries(seen.moves.map(({ label, count }) => [label, count]))).toMatchObject({
      Properties: 1,
      Contacts: 1,
      Calls: 1,
      Tasks: 1,
      'Notes of the timeline': 1,
    })
    const merged = await merge()
    expect(merged.status).toBe(200)
    const one = await read(kept.id)
    expect(one).toMatchObject({ phone: '+19125550101', tags: ['weekly', 'dog'], notes: 'Pays cash.' })
    expect(one.properties.map((property) => property.street)).toEqual([street.street])
    expect((await read(gone.id)).archivedAt).not.toBeNull()
    const timeline = await api.ok(timelineApi.list, { params: { id: kept.id }, query: {} })
    expect(timeline.items.map(({ kind }) => kind).toSorted()).toEqual(['call', 'note'])
    expect((await api.ok(tasksApi.list, { query: { customerId: kept.id } })).items).toHaveLength(1)
    const { mergeId } = merged.body as { mergeId: string }
    expect(await api.ok(mergesApi.undo, { params: { id: mergeId } })).toMatchObject({ fieldsBack: true })
    expect(await read(kept.id)).toMatchObject({ phone: null, tags: ['weekly'], notes: '', properties: [] })
    expect(await read(gone.id)).toMatchObject({ archivedAt: null, properties: [{ street: street.street }] })
    expect((await api.ok(contactsApi.list, { params: { id: gone.id } })).items).toHaveLength(1)
    expect((await api.call(mergesApi.undo, { params: { id: mergeId } })).status).toBe(409)
  })

  it('keep money with whom it was billed to: only the bare one goes into the other', async () => {
    const pair = await aPair()
    await bill(pair, pair.gone.id)
    const seen = await pair.api.ok(mergesApi.preview, pair.pair)
    expect(seen).toMatchObject({ turned: true })
    expect(seen.refusal).toContain('1 invoice')
    expect((await pair.merge()).status).toBe(409)
    expect((await pair.read(pair.gone.id)).properties).toHaveLength(1)
    await bill(pair, pair.kept.id)
    expect(await pair.api.ok(mergesApi.preview, pair.pair)).toMatchObject({ turned: false })
    expect((await pair.merge()).status).toBe(409)
  })

  it('are merged only as they were seen; what was changed after a merge stays when it is taken back', async () => {
    const { api, kept, gone, read, pair, merge } = await aPair()
    const old = await api.ok(mergesApi.preview, pair)
    await api.ok(customersApi.update, {
      params: { id: gone.id },
      body: { name: 'Anna Lee', version: old.gone.version },
    })
    const body = { goneId: gone.id, version: old.kept.version, goneVersion: old.gone.version }
    expect((await api.call(mergesApi.merge, { params: { id: kept.id }, body })).status).toBe(409)
    const { mergeId } = (await merge()).body as { mergeId: string }
    const { version } = await read(kept.id)
    await api.ok(customersApi.update, { params: { id: kept.id }, body: { notes: 'New', version } })
    expect(await api.ok(mergesApi.undo, { params: { id: mergeId } })).toMatchObject({ fieldsBack: false })
    expect(await read(kept.id)).toMatchObject({ notes: 'New', phone: '+19125550101', properties: [] })
  })

  it('of two businesses never meet', async () => {
    const { kept, gone } = await aPair()
    const other = await aBusiness()
    const params = { id: kept.id, goneId: gone.id }
    expect((await other.api.call(mergesApi.preview, { params })).status).toBe(404)
    expect((await other.api.call(mergesApi.duplicates, { params: { id: kept.id } })).status).toBe(404)
  })
})
