import { describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { importsApi } from '../../../imports/contract.ts'
import { mergesApi } from '../../../merges/contract.ts'
import { viewsApi } from '../../../views/contract.ts'
import { customersApi } from '../../contract.ts'
import { customFieldsApi } from '../contract.ts'
import { type CustomFilter, mostCustomFields, writeCustomFilters } from '../rules.ts'

const withFields = async () => {
  const business = await aBusiness()
  const { api } = business
  const make = (body: object) => api.ok(customFieldsApi.create, { body: body as never })
  const fields = {
    text: await make({ record: 'customer', name: 'Gate brand', type: 'text' }),
    number: await make({ record: 'customer', name: 'Loads', type: 'number' }),
    date: await make({ record: 'customer', name: 'Contract ends', type: 'date' }),
    yesno: await make({ record: 'customer', name: 'Pool', type: 'yesno' }),
    choice: await make({
      record: 'property',
      name: 'Irrigation',
      type: 'choice',
      choices: [
        { id: null, name: 'Hunter' },
        { id: null, name: 'None' },
      ],
    }),
  }
  const street = { street: '12 Oak St', city: 'Savannah', state: 'GA', zip: '31401' }
  const hunter = fields.choice.choices[0]?.id ?? ''
  const ann = await api.ok(customersApi.create, {
    body: {
      name: 'Ann Lee',
      custom: {
        [fields.text.id]: '  Ameristar 500 ',
        [fields.number.id]: 2.5,
        [fields.date.id]: '2027-03-31',
        [fields.yesno.id]: true,
      },
      property: { ...street, custom: { [fields.choice.id]: hunter } },
    },
  })
  const bob = await api.ok(customersApi.create, {
    body: { name: 'Bob Roe', custom: { [fields.number.id]: 7, [fields.yesno.id]: false } },
  })
  const cat = await api.ok(customersApi.create, { body: { name: 'Cat Moe' } })
  const named = async (...filters: CustomFilter[]) => {
    const found = await api.ok(customersApi.list, { query: { custom: writeCustomFilters(filters) } })
    expect(found.total).toBe(found.items.length)
    return found.items.map(({ name }) => name.split(' ')[0])
  }
  return { business, api, fields, ann, bob, cat, named, hunter, street }
}

describe('custom fields', () => {
  it('stand on records, are typed, changed one by one and taken away', async () => {
    const { api, fields, ann } = await withFields()
    expect(ann.custom[fields.text.id]).toBe('Ameristar 500')
    expect(ann.properties[0]?.custom).toEqual({ [fields.choice.id]: '1' })
    const changed = await api.ok(customersApi.update, {
      params: { id: ann.id },
      body: { version: ann.version, custom: { [fields.number.id]: 3, [fields.text.id]: null } },
    })
    expect(changed.custom).toEqual({ [fields.number.id]: 3, [fields.date.id]: '2027-03-31', [fields.yesno.id]: true })
    const bad = (custom: object) =>
      api.call(customersApi.update, {
        params: { id: ann.id },
        body: { version: changed.version, custom: custom as never },
      })
    for (const custom of [
      { [fields.number.id]: 'three' },
      { [fields.date.id]: '2027-02-30' },
      { [fields.yesno.id]: 'yes' },
      { [fields.choice.id]: '1' },
      { [newId()]: 'x' },
      { nonsense: 1 },
    ]) {
      const refused = await bad(custom)
      expect([refused.status, JSON.stringify(custom)]).toEqual([422, JSON.stringify(custom)])
      expect((refused.body as unknown as { errors: { path: string }[] }).errors[0]?.path).toContain('custom.')
    }
    expect((await api.ok(customersApi.get, { params: { id: ann.id } })).version).toBe(changed.version)
    const wrongPlace = await api.call(customersApi.create, {
      body: { name: 'X', property: { street: '1 Elm St', custom: { [fields.choice.id]: 'nine' } } },
    })
    expect((wrongPlace.body as unknown as { errors: { path: string }[] }).errors[0]?.path).toBe(
      `property.custom.${fields.choice.id}`,
    )
  })

  it('narrow the list, the map and an action on all of it', async () => {
    const { api, fields, named, hunter, ann } = await withFields()
    const { text, number, date, yesno, choice } = fields
    expect(await named({ fieldId: text.id, op: 'has', value: 'STAR' })).toEqual(['Ann'])
    expect(await named({ fieldId: number.id, op: 'from', value: '2.5' })).toEqual(['Ann', 'Bob'])
    expect(
      await named({ fieldId: number.id, op: 'from', value: '3' }, { fieldId: number.id, op: 'to', value: '7' }),
    ).toEqual(['Bob'])
    expect(await named({ fieldId: date.id, op: 'to', value: '2027-03-31' })).toEqual(['Ann'])
    expect(await named({ fieldId: date.id, op: 'from', value: '2027-04-01' })).toEqual([])
    expect(await named({ fieldId: yesno.id, op: 'is', value: 'false' })).toEqual(['Bob'])
    expect(
      await named({ fieldId: yesno.id, op: 'is', value: 'false' }, { fieldId: yesno.id, op: 'is', value: 'true' }),
    ).toEqual(['Ann', 'Bob'])
    expect(await named({ fieldId: yesno.id, op: 'empty', value: '' })).toEqual(['Cat'])
    expect(await named({ fieldId: choice.id, op: 'is', value: hunter })).toEqual(['Ann'])
    expect(await named({ fieldId: newId(), op: 'is', value: '1' })).toEqual([])
    expect((await api.call(customersApi.list, { query: { custom: 'x.is.1' } })).status).toBe(422)
    const custom = writeCustomFilters([{ fieldId: yesno.id, op: 'filled', value: '' }])
    const tagged = await api.ok(customersApi.bulk, {
      body: { choice: { filter: { custom } }, action: { kind: 'tag', tag: 'pool' } },
    })
    expect(tagged.changed).toBe(2)
    // an archived property is not searched for, and comes back
    const propertyId = ann.properties[0]?.id ?? ''
    await api.ok(customersApi.archiveProperty, { params: { id: propertyId } })
    expect(await named({ fieldId: choice.id, op: 'is', value: hunter })).toEqual([])
    await api.ok(customersApi.unarchiveProperty, { params: { id: propertyId } })
    expect(await named({ fieldId: choice.id, op: 'is', value: hunter })).toEqual(['Ann'])
    const view = await api.ok(viewsApi.create, { body: { hub: 'customers', name: 'Pools', query: { custom } } })
    expect(view.query.custom).toBe(custom)
  })

  it('leave a lawn that nobody measured unsaid in the list', async () => {
    const { api } = await withFields()
    const { items } = await api.ok(customersApi.list, { query: {} })
    expect(items.map(({ lawnSquareFeet }) => lawnSquareFeet)).toEqual([null, null, null])
  })

  it('are the owner’s to define: named once, at most so many, renamed with their values kept', async () => {
    const { business, api, fields, named } = await withFields()
    const admin = await business.admin()
    const body = { record: 'customer', name: 'pool', type: 'text' } as const
    expect((await admin.api.call(customFieldsApi.create, { body })).status).toBe(403)
    expect((await admin.api.ok(customFieldsApi.list, {})).items).toHaveLength(5)
    expect((await api.call(customFieldsApi.create, { body })).status).toBe(422)
    expect((await api.call(customFieldsApi.create, { body: { ...body, name: 'C', type: 'choice' } })).status).toBe(422)
    const { choice, yesno } = fields
    const renamed = await api.ok(customFieldsApi.update, {
      params: { id: choice.id },
      body: {
        version: choice.version,
        name: 'Sprinklers',
        choices: [
          { id: null, name: 'Toro' },
          { id: '1', name: 'Hunter Pro-C' },
        ],
      },
    })
    expect(renamed.choices).toEqual([
      { id: '3', name: 'Toro' },
      { id: '1', name: 'Hunter Pro-C' },
      { id: '2', name: 'None', gone: true },
    ])
    expect(await named({ fieldId: choice.id, op: 'is', value: '1' })).toEqual(['Ann'])
    const stale = await api.call(customFieldsApi.update, {
      params: { id: choice.id },
      body: { version: choice.version, name: 'Late' },
    })
    expect(stale.status).toBe(409)
    await api.ok(customFieldsApi.archive, { params: { id: yesno.id } })
    expect((await api.call(customFieldsApi.archive, { params: { id: yesno.id } })).status).toBe(409)
    await api.ok(customFieldsApi.create, { body })
    // its name is taken meanwhile
    expect((await api.call(customFieldsApi.unarchive, { params: { id: yesno.id } })).status).toBe(422)
    for (let n = 4; n < mostCustomFields; n++)
      await api.ok(customFieldsApi.create, { body: { ...body, name: `Field ${n}` } })
    expect((await api.call(customFieldsApi.create, { body: { ...body, name: 'One more' } })).status).toBe(409)
    const order = await api.ok(customFieldsApi.order, {
      body: { record: 'customer', fieldIds: [fields.date.id, fields.text.id] },
    })
    expect(
      order.items
        .filter(({ record }) => record === 'customer')
        .slice(0, 2)
        .map(({ id }) => id),
    ).toEqual([fields.date.id, fields.text.id])
  })

  it('come in with a file: matched by their names, what does not fit is left out and told, an undo takes them along', async () => {
    const { api, fields, named } = await withFields()
    const text = [
      'Name,Street,City,State,Zip,Loads,Contract ends,POOL,Irrigation,Extra',
      'Dan Poe,1 Elm St,Savannah,GA,31401,4,3/31/2028,yes,hunter,x',
      'Eve Zoe,2 Elm St,Savannah,GA,31401,lots,soon,,Toro,y',
    ].join('\n')
    const made = await api.ok(importsApi.create, { body: { fileName: 'list.csv', text } })
    expect(made.mapping.slice(5)).toEqual([
      `custom:${fields.number.id}`,
      `custom:${fields.date.id}`,
      `custom:${fields.yesno.id}`,
      `custom:${fields.choice.id}`,
      null,
    ])
    const params = { id: made.id }
    const twice = [...made.mapping.slice(0, 9), `custom:${fields.number.id}` as const]
    expect((await api.call(importsApi.setMapping, { params, body: { mapping: twice } })).status).toBe(422)
    const strange = [...made.mapping.slice(0, 9), `custom:${newId()}` as const]
    expect((await api.call(importsApi.setMapping, { params, body: { mapping: strange } })).status).toBe(422)
    await api.ok(importsApi.check, { params })
    const said = await api.ok(importsApi.rows, { params, query: { withReason: 'true' } })
    expect(said.items.map(({ name, reasons }) => [name, reasons.length])).toEqual([['Eve Zoe', 3]])
    await api.ok(importsApi.confirm, { params, body: {} })
    await runTasks()
    expect(
      await named(
        { fieldId: fields.number.id, op: 'from', value: '4' },
        { fieldId: fields.yesno.id, op: 'is', value: 'true' },
      ),
    ).toEqual(['Dan'])
    expect(await named({ fieldId: fields.choice.id, op: 'is', value: '1' })).toEqual(['Ann', 'Dan'])
    const [eve] = (await api.ok(customersApi.list, { query: { q: 'Eve' } })).items
    expect((await api.ok(customersApi.get, { params: { id: eve?.id ?? '' } })).notes).toContain(
      'Loads "lots" is not a number',
    )
    await api.ok(importsApi.undo, { params })
    await runTasks()
    expect(await named({ fieldId: fields.choice.id, op: 'is', value: '1' })).toEqual(['Ann'])
  })

  it('are filled on who is there when a file brings them again, and emptied by the undo', async () => {
    const { api, fields, bob } = await withFields()
    await api.ok(customersApi.update, { params: { id: bob.id }, body: { version: bob.version, email: 'bob@x.test' } })
    const text = ['Name,Email,Street,Loads,Gate brand', 'Bob Roe,bob@x.test,9 Elm St,99,Ameristar'].join('\n')
    const { id } = await api.ok(importsApi.create, { body: { fileName: 'again.csv', text } })
    await api.ok(importsApi.check, { params: { id } })
    await api.ok(importsApi.confirm, { params: { id }, body: { duplicates: 'update' } })
    await runTasks()
    const read = async () => (await api.ok(customersApi.get, { params: { id: bob.id } })).custom
    expect(await read()).toMatchObject({ [fields.number.id]: 7, [fields.text.id]: 'Ameristar' })
    await api.ok(importsApi.undo, { params: { id } })
    await runTasks()
    expect(await read()).toEqual({ [fields.number.id]: 7, [fields.yesno.id]: false })
  })

  it('are kept by a merge: the kept record’s word stays, what it has not comes over, and goes back', async () => {
    const { api, fields, ann, bob } = await withFields()
    const pair = { params: { id: bob.id, goneId: ann.id } }
    const seen = await api.ok(mergesApi.preview, pair)
    expect(seen.gets.map(({ label, value }) => [label, value])).toEqual(
      expect.arrayContaining([
        ['Gate brand', 'Ameristar 500'],
        ['Contract ends', 'Wed, Mar 31, 2027'],
      ]),
    )
    expect(seen.stays).toContainEqual({ label: 'Loads', kept: '7', gone: '2.5' })
    const { mergeId } = await api.ok(mergesApi.merge, {
      params: { id: bob.id },
      body: { goneId: ann.id, version: seen.kept.version, goneVersion: seen.gone.version },
    })
    const merged = await api.ok(customersApi.get, { params: { id: bob.id } })
    expect(merged.custom).toEqual({
      [fields.text.id]: 'Ameristar 500',
      [fields.number.id]: 7,
      [fields.date.id]: '2027-03-31',
      [fields.yesno.id]: false,
    })
    await api.ok(mergesApi.undo, { params: { id: mergeId } })
    expect((await api.ok(customersApi.get, { params: { id: bob.id } })).custom).toEqual(bob.custom)
  })

  it('of another business are nobody’s here', async () => {
    const { fields } = await withFields()
    const other = await aBusiness()
    expect((await other.api.ok(customFieldsApi.list, {})).items).toEqual([])
    const params = { id: fields.text.id }
    expect((await other.api.call(customFieldsApi.archive, { params })).status).toBe(404)
    expect(
      (await other.api.call(customersApi.create, { body: { name: 'X', custom: { [fields.text.id]: 'x' } } })).status,
    ).toBe(422)
  })
})
