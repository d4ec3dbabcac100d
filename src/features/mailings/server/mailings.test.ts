import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { customersApi } from '../../customers/contract.ts'
import { recordConsent, suppress } from '../../messages/server/commands.ts'
import { mailingsApi } from '../contract.ts'
import { mailingStepTx } from './commands.ts'

const people = [
  { name: 'Ann Lee', phone: '(912) 555-0101', email: 'ann@oak.test' },
  { name: 'Rosa Diaz', phone: '(912) 555-0102', language: 'es' },
  { name: 'Ben Cole', email: 'ben@oak.test' },
  { name: 'Gil Stopped', phone: '(912) 555-0104' },
  { name: 'Nora Nowhere' },
] as const

const aRow = async () => {
  const business = await aBusiness({ name: 'Oak Lawn' })
  const ids: string[] = []
  for (const person of people) ids.push((await business.api.ok(customersApi.create, { body: person })).id)
  await business.db((db) => suppress(db, 'sms', '+19125550104', 'all', 'They replied STOP'))
  return { ...business, ids }
}

const words = {
  subject: 'Rain on {name}',
  en: 'Hi {name}, we come on Friday. {business}',
  es: 'Hola {name}, vamos el viernes.',
}
const asked = (ids: string[]) => ({ choice: { ids }, way: 'best', about: 'service' }) as const

const outbox = (business: Awaited<ReturnType<typeof aRow>>) =>
  business.db((db) =>
    db
      .selectFrom('messages')
      .select(['channel', 'address', 'subject', 'bodyText', 'purpose', 'status'])
      .where('businessId', '=', business.id)
      .where('entityType', '=', 'mailing')
      .orderBy('address')
      .execute(),
  )

describe('a message to several', () => {
  it('says before whom it reaches, and why not the others', async () => {
    const { api, ids } = await aRow()
    const seen = await api.ok(mailingsApi.preview, { body: asked(ids) })
    expect(seen).toMatchObject({ chosen: 5, tooMany: false, texts: 2, mails: 1, unreachedCount: 2 })
    expect(seen.unreached.map(({ name, reason }) => `${name}: ${reason}`).sort()).toEqual([
      'Gil Stopped: They replied STOP',
      'Nora Nowhere: No mobile number or e-mail on file',
    ])
    expect(seen.samples.map(({ language, values }) => [language, values.name])).toEqual([
      ['en', 'Ann'],
      ['es', 'Rosa'],
    ])
  })

  it('reaches each once, in their language, also when it is asked twice and its work runs again', async () => {
    const row = await aRow()
    const sent = { body: { ...asked(row.ids), ...words } }
    const key = { 'idempotency-key': newId() }
    const { id } = await row.api.ok(mailingsApi.send, sent, key)
    expect((await row.api.ok(mailingsApi.send, sent, key)).id).toBe(id)
    await runTasks()
    await runTasks()
    const left = await outbox(row)
    expect(left.map(({ channel, address, subject }) => [channel, address, subject])).toEqual([
      ['sms', '+19125550101', ''],
      ['sms', '+19125550102', ''],
      ['email', 'ben@oak.test', 'Rain on Ben'],
    ])
    expect(left[0]?.bodyText).toBe('Hi Ann, we come on Friday. Oak Lawn Reply STOP to opt out.')
    expect(left[1]?.bodyText).toMatch(/^Hola Rosa, vamos el viernes\. .*STOP/)
    expect(left[2]?.bodyText).toContain('Hi Ben, we come on Friday.')
    expect(await row.api.ok(mailingsApi.get, { params: { id } })).toMatchObject({
      chosen: 5,
      texts: 2,
      mails: 1,
      unreached: 2,
      waiting: 0,
    })
  })

  it('reaches a number once, whoever has it', async () => {
    const row = await aRow()
    const body = { name: 'Ann and Son', phone: '(912) 555-0101', allowDuplicate: true }
    const { id } = await row.api.ok(customersApi.create, { body })
    const both = asked([row.ids[0] ?? '', id])
    const seen = await row.api.ok(mailingsApi.preview, { body: both })
    expect([seen.texts, seen.unreached.map(({ reason }) => reason)]).toEqual([1, ['Same number as Ann Lee']])
    await row.api.ok(mailingsApi.send, { body: { ...both, ...words } })
    await runTasks()
    expect((await outbox(row)).map(({ address }) => address)).toEqual(['+19125550101'])
  })

  it('is stopped before it leaves', async () => {
    const row = await aRow()
    const { id } = await row.api.ok(mailingsApi.send, { body: { ...asked(row.ids), ...words } })
    await runTasks()
    const stopped = await row.api.ok(mailingsApi.stop, { params: { id } })
    expect(stopped).toMatchObject({ sent: 0, waiting: 0, failed: 3 })
    expect((await outbox(row)).map(({ status }) => status)).toEqual(['suppressed', 'suppressed', 'suppressed'])
  })

  it('sends an offer only to who agreed to offers', async () => {
    const row = await aRow()
    await row.db((db) =>
      recordConsent(db, {
        channel: 'email',
        address: 'ben@oak.test',
        purpose: 'marketing',
        action: 'grant',
        source: 'test',
      }),
    )
    const seen = await row.api.ok(mailingsApi.preview, { body: { ...asked(row.ids), about: 'offer' } })
    expect(seen).toMatchObject({ texts: 0, mails: 1, unreachedCount: 4 })
    expect(seen.unreached.find(({ name }) => name === 'Ann Lee')?.reason).toBe('Never agreed to offers')
    const benId = row.ids[2] ?? ''
    const { version } = await row.api.ok(customersApi.get, { params: { id: benId } })
    const set = (gets: ('invoices' | 'marketing')[], at: number) =>
      row.api.ok(customersApi.update, { params: { id: benId }, body: { version: at, gets } })
    await set(['invoices'], version)
    const without = await row.api.ok(mailingsApi.preview, { body: { ...asked(row.ids), about: 'offer' } })
    expect(without.unreached.find(({ id }) => id === benId)?.reason).toBe('Gets no offers and news')
    await set(['invoices', 'marketing'], version + 1)
    const offer = { body: { ...asked(row.ids), ...words, about: 'offer' as const } }
    const refused = await row.api.call(mailingsApi.send, offer)
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('add its address')])
    await row.db((db) =>
      db
        .updateTable('businesses')
        .set({ street: '4 Mill Ln', city: 'Savannah', state: 'GA', zip: '31401' })
        .where('businessId', '=', row.id)
        .execute(),
    )
    await row.api.ok(mailingsApi.send, offer)
    await runTasks()
    expect((await outbox(row))[0]?.bodyText).toMatch(
      /Oak Lawn, 4 Mill Ln, Savannah, GA 31401\nGet no more offers: https?:\/\/\S+/,
    )
    expect((await outbox(row)).map(({ address, purpose }) => [address, purpose])).toEqual([
      ['ben@oak.test', 'marketing'],
    ])
  })

  it.each([
    [{ en: '' }, 'en'],
    [{ en: 'Hi {nme}' }, 'en'],
    [{ subject: '' }, 'subject'],
    [{ en: 'x'.repeat(301) }, 'en'],
  ])('refuses %j and sends nothing', async (wrong, path) => {
    const row = await aRow()
    const answer = await row.api.call(mailingsApi.send, { body: { ...asked(row.ids), ...words, ...wrong } })
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.body)).toContain(`"${path}"`)
    expect(await outbox(row)).toEqual([])
  })

  it('says no where nobody can be reached', async () => {
    const row = await aRow()
    const body = { ...asked(row.ids.slice(3)), ...words }
    expect(await row.api.call(mailingsApi.send, { body })).toMatchObject({ status: 409 })
  })

  it('counts what texts cost in segments, each in its language and with its line of how to get no more', async () => {
    const row = await aRow()
    const preview = (body: object) =>
      row.api.ok(mailingsApi.preview, { body: { ...asked(row.ids), way: 'sms', ...body } })
    const short = await preview({ en: 'Hi {name}' })
    expect(short).toMatchObject({ texts: 2, segments: 2, segmentsEach: 1 })
    // 150 characters are one segment, with the line behind them two; a character that is not plain is left out of a text
    const long = await preview({ en: 'x'.repeat(150) })
    expect(long).toMatchObject({ texts: 2, segments: 4, segmentsEach: 2 })
    expect((await preview({ en: `${'x'.repeat(150)} 🌱` })).segmentsEach).toBe(2)
    // who was texted before is told no more how to stop
    await row.api.ok(mailingsApi.send, { body: { ...asked(row.ids), ...words, way: 'sms' } })
    await runTasks()
    expect(await preview({ en: 'x'.repeat(150) })).toMatchObject({ segments: 2, segmentsEach: 1 })
    const left = await outbox(row)
    const [listed] = (await row.api.ok(mailingsApi.list, { query: {} })).items
    expect(listed?.segments).toBe(left.length)
  })

  it('is listed, the newest first and page by page, with who got it and who did not and why', async () => {
    const row = await aRow()
    const ids: string[] = []
    for (const en of ['First', 'Second', 'Third'])
      ids.push((await row.api.ok(mailingsApi.send, { body: { ...asked(row.ids), ...words, en } })).id)
    const one = await row.api.ok(mailingsApi.list, { query: { limit: 2 } })
    expect(one.items.map(({ en }) => en)).toEqual(['Third', 'Second'])
    const two = await row.api.ok(mailingsApi.list, { query: { limit: 2, cursor: one.nextCursor ?? '' } })
    expect([two.items.map(({ en }) => en), two.nextCursor]).toEqual([['First'], null])
    expect(one.items[0]).toMatchObject({ waiting: 5, can: { stop: true }, about: 'service' })
    const people = async () => {
      const { items } = await row.api.ok(mailingsApi.people, { params: { id: ids[0] ?? '' } })
      return items.map(({ name, channel, status, reason }) => [name, channel, status, reason])
    }
    expect((await people()).map(([name, , status]) => [name, status])).toContainEqual(['Ann Lee', 'waiting'])
    await runTasks()
    expect(await people()).toEqual([
      ['Gil Stopped', null, 'leftOut', 'They replied STOP'],
      ['Nora Nowhere', null, 'leftOut', 'No mobile number or e-mail on file'],
      ['Ann Lee', 'sms', 'pending', null],
      ['Ben Cole', 'email', 'pending', null],
      ['Rosa Diaz', 'sms', 'pending', null],
    ])
  })

  it('can be stopped while anything waits, and says so when nothing does', async () => {
    const row = await aRow()
    const { id } = await row.api.ok(mailingsApi.send, { body: { ...asked(row.ids), ...words } })
    // before its first step: nothing stands in the outbox yet
    const stopped = await row.api.ok(mailingsApi.stop, { params: { id } })
    expect(stopped).toMatchObject({ waiting: 0, onTheWay: 0, unreached: 5, can: { stop: false } })
    await runTasks()
    expect(await outbox(row)).toEqual([])
    const { items } = await row.api.ok(mailingsApi.people, { params: { id } })
    expect(new Set(items.map(({ reason }) => reason))).toEqual(new Set(['It was stopped before it left']))
    expect((await row.api.ok(mailingsApi.stop, { params: { id } })).stoppedAt).toBe(stopped.stoppedAt)
    const next = await row.api.ok(mailingsApi.send, { body: { ...asked(row.ids), ...words } })
    await runTasks()
    await row.db((db) =>
      db
        .updateTable('messages')
        .set({ status: 'sent' })
        .where('businessId', '=', row.id)
        .where('entityId', '=', next.id)
        .execute(),
    )
    const late = await row.api.call(mailingsApi.stop, { params: { id: next.id } })
    expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('has left already')])
    expect(await row.api.ok(mailingsApi.get, { params: { id: next.id } })).toMatchObject({ sent: 3, stoppedAt: null })
  })

  it('goes to who has a visit on a day, of a crew or with a service', async () => {
    const business = await aBusiness()
    const { api, id: businessId } = business
    await aVisit(business)
    const { day, crewId, serviceId } = await business.db(async (db) =>
      db
        .selectFrom('visits')
        .innerJoin('visitLines', (join) =>
          join.onRef('visitLines.businessId', '=', 'visits.businessId').onRef('visitLines.visitId', '=', 'visits.id'),
        )
        .select(['visits.day', 'visits.crewId', 'visitLines.serviceId'])
        .where('visits.businessId', '=', businessId)
        .orderBy('visits.day')
        .executeTakeFirstOrThrow(),
    )
    const chosen = async (visits: object) =>
      (
        await api.ok(mailingsApi.preview, {
          body: { choice: { visits: { day: day ?? '', ...visits } }, way: 'best', about: 'service' },
        })
      ).chosen
    expect(await chosen({})).toBe(1)
    expect(await chosen({ serviceId })).toBe(1)
    expect(await chosen({ serviceId: newId() })).toBe(0)
    expect(await chosen({ crewId: newId() })).toBe(0)
    if (crewId) expect(await chosen({ crewId })).toBe(1)
    expect(await chosen({ day: '2020-01-01' })).toBe(0)
  })

  it('is tried on who writes it first, also when it is quiet', async () => {
    const row = await aRow()
    const body = { channel: 'email', about: 'service', language: 'en', subject: 'Rain', en: 'Hi {name}' } as const
    const { to } = await row.api.ok(mailingsApi.test, { body })
    const sent = await row.db((db) =>
      db
        .selectFrom('messages')
        .select(['address', 'subject', 'bodyText', 'customerId'])
        .where('businessId', '=', row.id)
        .where('entityType', '=', 'mailing_test')
        .execute(),
    )
    expect(sent).toMatchObject([{ address: to, subject: 'Test: Rain', customerId: null }])
    const text = await row.api.call(mailingsApi.test, { body: { ...body, channel: 'sms' } })
    expect([text.status, text.error?.message]).toEqual([409, expect.stringContaining('no mobile number')])
    expect((await row.api.ok(mailingsApi.list, { query: {} })).items).toEqual([])
  })

  it('writes to an address once, however far apart the two who have it stand', async () => {
    const row = await aRow()
    const { id } = await row.api.ok(mailingsApi.send, { body: { ...asked(row.ids.slice(0, 1)), ...words } })
    await runTasks()
    // as if the next step began: another customer with the number of the first
    const body = { name: 'Ann and Son', phone: '(912) 555-0101', allowDuplicate: true }
    const other = await row.api.ok(customersApi.create, { body })
    await row.db((db) =>
      db
        .updateTable('mailings')
        .set({ waiting: [other.id] })
        .where('businessId', '=', row.id)
        .where('id', '=', id)
        .execute(),
    )
    await row.db((db) => mailingStepTx(db, id))
    expect(await outbox(row)).toHaveLength(1)
    const { items } = await row.api.ok(mailingsApi.people, { params: { id } })
    expect(items.map(({ name, status }) => [name, status])).toEqual([
      ['Ann and Son', 'leftOut'],
      ['Ann Lee', 'pending'],
    ])
  })

  it('does not know customers of others', async () => {
    const [row, other] = [await aRow(), await aRow()]
    expect(await row.api.ok(mailingsApi.preview, { body: asked(other.ids) })).toMatchObject({ chosen: 0, texts: 0 })
  })
})
