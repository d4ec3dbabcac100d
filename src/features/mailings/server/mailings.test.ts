import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { customersApi } from '../../customers/contract.ts'
import { recordConsent, suppress } from '../../messages/server/commands.ts'
import { mailingsApi } from '../contract.ts'

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

  it('does not know customers of others', async () => {
    const [row, other] = [await aRow(), await aRow()]
    expect(await row.api.ok(mailingsApi.preview, { body: asked(other.ids) })).toMatchObject({ chosen: 0, texts: 0 })
  })
})
