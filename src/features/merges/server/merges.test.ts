import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { today } from '../../../test/field.ts'
import { aFullBusiness } from '../../../test/full-business.ts'
import { contactsApi } from '../../customers/contacts/contract.ts'
import { customersApi } from '../../customers/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { quotesApi } from '../../quotes/contract.ts'
import { servicesApi } from '../../services/contract.ts'
import { tasksApi } from '../../tasks/contract.ts'
import { timelineApi } from '../../timeline/contract.ts'
import { mergesApi } from '../contract.ts'
import { mergeUndoDays } from '../rules.ts'

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

/** Tables in which a column still names a customer, whatever it is called; the merge itself remembers who went where. */
const pointing = (business: TestBusiness, customerId: string): Promise<string[]> =>
  business.db(async (db) => {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.table_name as table, c.column_name as column from information_schema.columns c
      join information_schema.columns b on b.table_schema = c.table_schema and b.table_name = c.table_name and b.column_name = 'business_id'
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      where c.table_schema = 'public' and c.data_type = 'uuid' and c.column_name <> 'business_id'
        and c.table_name not in ('customers', 'customer_merges', 'audit_log') order by 1, 2`.execute(db)
    expect(rows.length).toBeGreaterThan(100)
    const found: string[] = []
    for (const { table, column } of rows) {
      const { rows: some } = await sql`select 1 from ${sql.table(table)} where business_id = ${business.id}
        and ${sql.id(column)} = ${customerId} limit 1`.execute(db)
      if (some.length > 0) found.push(`${table}.${column}`)
    }
    return found
  })

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
    expect(await read(gone.id)).toMatchObject({
      archivedAt: null,
      mergedIntoId: null,
      properties: [{ street: street.street }],
    })
    expect((await api.ok(contactsApi.list, { params: { id: gone.id } })).items).toHaveLength(1)
    expect((await api.call(mergesApi.undo, { params: { id: mergeId } })).status).toBe(409)
  })

  it('bring their money together: what is owed is the sum of both, papers keep their numbers, and there is no way back', async () => {
    const pair = await aPair()
    const { api, kept, gone, business } = pair
    for (const [id, cents] of [
      [kept.id, 5000],
      [gone.id, 7000],
    ] as const) {
      const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
      const made = await api.ok(invoicesApi.create, { body: { customerId: id, termsDays: 14, lines } })
      await api.ok(invoicesApi.send, { params: { id: made.id } })
    }
    await business.db(async (db) => {
      const link = { businessId: business.id, createdAt: new Date().toISOString() }
      await db
        .insertInto('statementLinks')
        .values([
          { ...link, id: newId(), customerId: kept.id },
          { ...link, id: newId(), customerId: gone.id },
        ])
        .execute()
      await db
        .insertInto('portalSessions')
        .values({
          businessId: business.id,
          id: newId(),
          channel: 'email',
          address: 'ann@oak.test',
          customerId: gone.id,
          secretHash: 'x',
          expiresAt: link.createdAt,
        })
        .execute()
      await db
        .insertInto('referralCodes')
        .values([
          { businessId: business.id, customerId: kept.id, code: 'KEPT1', createdAt: link.createdAt },
          { businessId: business.id, customerId: gone.id, code: 'GONE1', createdAt: link.createdAt },
        ])
        .execute()
      await db
        .insertInto('customerNotices')
        .values([
          { businessId: business.id, customerId: kept.id, muted: ['moved'] },
          { businessId: business.id, customerId: gone.id, muted: ['reminder'] },
        ])
        .execute()
    })
    const before = [(await pair.read(kept.id)).balanceCents, (await pair.read(gone.id)).balanceCents]
    expect(before).toEqual([5000, 7000])
    const seen = await api.ok(mergesApi.preview, pair.pair)
    expect(seen.refusal).toBeNull()
    expect(seen.notes.join(' ')).toContain('cannot be taken back')
    expect(seen.moves).toContainEqual({ label: 'Invoices', count: 1 })
    const office = await aPerson(business.id, 'Admin', { permissions: ['customers'] })
    const body = { goneId: gone.id, version: seen.kept.version, goneVersion: seen.gone.version }
    const refused = await office.api.call(mergesApi.merge, { params: { id: kept.id }, body })
    expect(refused.status).toBe(403)
    const merged = await pair.merge()
    expect([merged.status, (merged.body as { isFinal: boolean }).isFinal]).toEqual([200, true])
    const one = await pair.read(kept.id)
    expect(one).toMatchObject({ balanceCents: 12_000, invoices: { count: 2, openCents: 12_000 } })
    expect(await pair.read(gone.id)).toMatchObject({ balanceCents: 0, mergedIntoId: kept.id })
    await business.db(async (db) => {
      const of = { businessId: business.id, customerId: kept.id }
      const links = await db
        .selectFrom('statementLinks')
        .select('merged')
        .where('customerId', '=', of.customerId)
        .execute()
      expect(links.map(({ merged: late }) => late).sort()).toEqual([false, true])
      const codes = await db
        .selectFrom('referralCodes')
        .select('code')
        .where('customerId', '=', of.customerId)
        .execute()
      expect(codes.map(({ code }) => code).sort()).toEqual(['GONE1', 'KEPT1'])
      const [notices] = await db
        .selectFrom('customerNotices')
        .select('muted')
        .where('customerId', '=', of.customerId)
        .execute()
      expect(notices?.muted.toSorted()).toEqual(['moved', 'reminder'])
    })
    expect(await pointing(business, gone.id)).toEqual([])
    const { mergeId } = merged.body as { mergeId: string }
    expect((await api.call(mergesApi.undo, { params: { id: mergeId } })).status).toBe(409)
  })

  it('say so on the record for 30 days, and why not where something stands against it since', async () => {
    const { business, api, kept, gone, merge } = await aPair()
    const { mergeId } = (await merge()).body as { mergeId: string }
    const shown = async () => (await api.ok(mergesApi.undoable, { params: { id: kept.id } })).items
    const undo = (id = mergeId) => api.call(mergesApi.undo, { params: { id } })
    const same = { keptId: kept.id, goneId: gone.id }
    expect(await shown()).toMatchObject([
      { id: mergeId, gone: { id: gone.id, name: 'A. Lee' }, byName: business.owner.name, refusal: null },
    ])
    expect((await api.call(mergesApi.undoable, { params: { id: newId() } })).status).toBe(404)
    const other = await aBusiness()
    expect((await other.api.call(mergesApi.undoable, { params: { id: kept.id } })).status).toBe(404)
    expect((await other.api.call(mergesApi.undo, { params: { id: mergeId } })).status).toBe(404)

    const refusedWith = async (words: string, id = mergeId) => {
      const answer = await undo(id)
      expect([answer.status, answer.error.message]).toEqual([409, `${words} Nothing was changed.`])
    }
    const place = await business.db((db) =>
      db
        .selectFrom('properties')
        .select('id')
        .where('businessId', '=', business.id)
        .where('customerId', '=', kept.id)
        .executeTakeFirstOrThrow(),
    )
    // a quote at a property that moved
    const [service] = (await api.ok(servicesApi.addDefaults, {})).items
    const content = { lines: [{ id: newId(), serviceId: service?.id, name: 'Mowing', unitPriceCents: 5000 }] }
    const quote = await api.ok(quotesApi.create, { body: { propertyId: place.id, title: 'T', content } as never })
    const quoted = 'A quote was made at a property that moved, so this cannot be taken back.'
    await refusedWith(quoted)
    expect((await shown())[0]?.refusal).toBe(quoted)
    await business.db((db) =>
      db.deleteFrom('quotes').where('businessId', '=', business.id).where('id', '=', quote.id).execute(),
    )

    // the kept record went into a third one
    const third = await api.ok(customersApi.create, { body: { name: 'Anna Lee', allowDuplicate: true } })
    const seen = await api.ok(mergesApi.preview, { params: { id: third.id, goneId: kept.id } })
    const next = await api.ok(mergesApi.merge, {
      params: { id: third.id },
      body: { goneId: kept.id, version: seen.kept.version, goneVersion: seen.gone.version },
    })
    await refusedWith('The record that was kept was merged into another one since. Take that back first.')
    expect((await undo(next.mergeId)).status).toBe(200)

    // too long ago, then in time
    const setAt = (days: number) =>
      business.db((db) =>
        db
          .updateTable('customerMerges')
          .set({ at: new Date(clock.nowMs() - days * 86_400_000).toISOString() })
          .where('businessId', '=', business.id)
          .where('id', '=', mergeId)
          .execute(),
      )
    await setAt(mergeUndoDays + 1)
    await refusedWith('A merge can be taken back within 30 days, and this one is older.')
    expect(await shown()).toEqual([])
    await setAt(mergeUndoDays - 1)
    // what was asked for a property in the portal goes back with it
    const request = { kind: 'service' as const, title: 'Mulch', words: '', propertyId: place.id, customerId: kept.id }
    await business.db((db) =>
      db
        .insertInto('portalRequests')
        .values({ ...request, businessId: business.id, id: newId(), onceKey: newId(), createdAt: clock.iso() } as never)
        .execute(),
    )
    expect((await undo()).body).toMatchObject(same)
    expect(await shown()).toEqual([])
    expect(
      await business.db((db) =>
        db.selectFrom('portalRequests').select('customerId').where('businessId', '=', business.id).execute(),
      ),
    ).toEqual([{ customerId: gone.id }])
  })

  it('leave nothing behind that points to the one that is gone, whatever hangs on it', {
    timeout: 120_000,
  }, async () => {
    const { business } = await aFullBusiness()
    const { api } = business
    const kept = await api.ok(customersApi.create, { body: { name: 'The One' } })
    const rows = await business.db((db) =>
      db
        .selectFrom('customers')
        .select('id')
        .where('businessId', '=', business.id)
        .where('id', '<>', kept.id)
        .execute(),
    )
    const balance = () =>
      business.db(async (db) =>
        (await db.selectFrom('customerBalances').selectAll().where('businessId', '=', business.id).execute()).map(
          (row) => ({ id: row.customerId, cents: Number(row.balanceCents) }),
        ),
      )
    const owed = (await balance()).reduce((sum, { cents }) => sum + cents, 0)
    expect(owed).not.toBe(0)
    let merges = 0
    for (const { id } of rows) {
      const seen = await api.ok(mergesApi.preview, { params: { id: kept.id, goneId: id } })
      if (seen.refusal) continue
      await api.ok(mergesApi.merge, {
        params: { id: kept.id },
        body: { goneId: id, version: seen.kept.version, goneVersion: seen.gone.version },
      })
      merges += 1
      expect([id, await pointing(business, id)]).toEqual([id, []])
    }
    expect(merges).toBeGreaterThan(1)
    expect(merges).toBe(rows.length)
    expect(await balance()).toEqual([{ id: kept.id, cents: owed }])
    expect((await api.ok(customersApi.get, { params: { id: kept.id } })).jobs.length).toBeGreaterThan(0)
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

describe('the other phone', () => {
  it('is told formatted, kept as a contact, and goes when the merge is taken back', async () => {
    const { api } = await aBusiness()
    const made = (name: string, phone: string) =>
      api.ok(customersApi.create, { body: { name, email: 'ann@oak.test', phone, allowDuplicate: true } })
    const [kept, gone] = [await made('Ann Lee', '(912) 555-0101'), await made('A. Lee', '(912) 555-0109')]
    const seen = await api.ok(mergesApi.preview, { params: { id: kept.id, goneId: gone.id } })
    expect(seen.stays).toContainEqual({ label: 'Phone', kept: '(912) 555-0101', gone: '(912) 555-0109' })
    expect(seen.gets).toContainEqual({ label: 'A contact', value: 'A. Lee, (912) 555-0109' })
    const { mergeId } = await api.ok(mergesApi.merge, {
      params: { id: kept.id },
      body: { goneId: gone.id, version: seen.kept.version, goneVersion: seen.gone.version },
    })
    const contacts = async () => (await api.ok(contactsApi.list, { params: { id: kept.id } })).items
    expect(await contacts()).toMatchObject([{ name: 'A. Lee', phone: '+19125550109', email: null }])
    await api.ok(mergesApi.undo, { params: { id: mergeId } })
    expect(await contacts()).toEqual([])
  })
})
