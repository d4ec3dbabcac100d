import { describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { contactsApi } from '../../../customers/contacts/contract.ts'
import { customersApi } from '../../../customers/contract.ts'
import { mailingsApi } from '../../../mailings/contract.ts'
import { suppress } from '../../server/commands.ts'
import { receiveText } from '../../server/inbound/commands.ts'
import { consentsApi } from '../contract.ts'

const phone = '+19125550101'
const mail = 'ann@oak.test'

const aCustomer = async () => {
  const business = await aBusiness({ name: 'Oak Lawn' })
  const { id } = await business.api.ok(customersApi.create, {
    body: { name: 'Ann Lee', phone: '(912) 555-0101', email: 'Ann@Oak.test' },
  })
  return { ...business, customerId: id }
}
type Word = { channel?: 'email' | 'sms'; address?: string; action?: 'grant' | 'revoke'; on?: string; note?: string }
const said = (word: Word = {}) => ({
  channel: 'sms' as const,
  address: phone,
  action: 'grant' as const,
  how: 'phone' as const,
  on: '2026-01-05',
  ...word,
})
const record = ({ api }: TestBusiness, id: string, word: Word = {}) =>
  api.call(consentsApi.record, { params: { id }, body: said(word) })
const list = ({ api }: TestBusiness, id: string) => api.ok(consentsApi.list, { params: { id } })
const standings = async (business: TestBusiness, id: string) =>
  Object.fromEntries((await list(business, id)).addresses.map(({ address, standing }) => [address, standing]))
const reached = async ({ api }: TestBusiness, id: string) => {
  const { texts, mails } = await api.ok(mailingsApi.preview, {
    body: { choice: { ids: [id] }, way: 'sms', about: 'offer' },
  })
  return { texts, mails }
}

const text = (business: TestBusiness, body: string) =>
  receiveText(business.id, { from: phone, body, providerId: newId(), provider: 'test' })

describe('what somebody said of offers', () => {
  it('is written down by the office, once for a key, and an offer reaches them by text from then on', async () => {
    const ann = await aCustomer()
    expect(await standings(ann, ann.customerId)).toEqual({ [phone]: 'never', [mail]: 'never' })
    expect(await reached(ann, ann.customerId)).toEqual({ texts: 0, mails: 0 })
    const key = { 'idempotency-key': newId() }
    const asked = { params: { id: ann.customerId }, body: said({ note: 'Wants the fall cleanup' }) }
    await ann.api.ok(consentsApi.record, asked, key)
    const { addresses, items } = await ann.api.ok(consentsApi.record, asked, key)
    expect(addresses.map(({ address, standing, can }) => [address, standing, can])).toEqual([
      [phone, 'agreed', { agree: true, takeBack: true }],
      [mail, 'never', { agree: true, takeBack: false }],
    ])
    expect(items).toEqual([
      expect.objectContaining({
        address: phone,
        purpose: 'marketing',
        action: 'grant',
        source: 'office: On the phone',
        wording: 'Wants the fall cleanup',
        byName: ann.owner.name,
        day: '2026-01-05',
      }),
    ])
    expect(await reached(ann, ann.customerId)).toEqual({ texts: 1, mails: 0 })
    await record(ann, ann.customerId, { action: 'revoke', on: '2026-01-06' })
    expect(await standings(ann, ann.customerId)).toMatchObject({ [phone]: 'taken_back' })
    expect(await reached(ann, ann.customerId)).toEqual({ texts: 0, mails: 0 })
    expect((await list(ann, ann.customerId)).items.map(({ action }) => action)).toEqual(['revoke', 'grant'])
  })

  it('gives way to their STOP, which the office cannot overrule before START', async () => {
    const ann = await aCustomer()
    await record(ann, ann.customerId)
    await text(ann, 'STOP')
    expect(await standings(ann, ann.customerId)).toMatchObject({ [phone]: 'stopped' })
    const { addresses } = await list(ann, ann.customerId)
    expect(addresses[0]).toMatchObject({ reason: 'They replied STOP', can: { agree: false } })
    const today = await ann.db(todayOf)
    const refused = await record(ann, ann.customerId, { on: today })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('START')])
    expect((await list(ann, ann.customerId)).items.filter(({ source }) => source.startsWith('office'))).toHaveLength(1)
    await text(ann, 'START')
    expect(await standings(ann, ann.customerId)).toMatchObject({ [phone]: 'taken_back' })
    // what was agreed before the STOP does not count again
    const older = await record(ann, ann.customerId)
    expect([older.status, older.error.message]).toEqual([409, expect.stringContaining('said no on')])
    expect(await reached(ann, ann.customerId)).toEqual({ texts: 0, mails: 0 })
  })

  it('opens an unsubscribed e-mail again only by a newer yes, and never one that bounces', async () => {
    const ann = await aCustomer()
    await ann.db((db) => suppress(db, 'email', mail, 'marketing', 'They unsubscribed'))
    await record(ann, ann.customerId, { channel: 'email', address: mail, action: 'revoke', on: '2026-02-01' })
    const older = await record(ann, ann.customerId, { channel: 'email', address: mail, on: '2026-01-31' })
    expect(older.status).toBe(409)
    expect(await standings(ann, ann.customerId)).toMatchObject({ [mail]: 'taken_back' })
    expect((await record(ann, ann.customerId, { channel: 'email', address: mail, on: '2026-02-02' })).status).toBe(200)
    expect(await standings(ann, ann.customerId)).toMatchObject({ [mail]: 'agreed' })
    await ann.db((db) => suppress(db, 'email', mail, 'all', 'The mailbox does not exist'))
    const shut = await record(ann, ann.customerId, { channel: 'email', address: mail, on: '2026-02-03' })
    expect([shut.status, shut.error.message]).toEqual([409, expect.stringContaining('The mailbox does not exist')])
  })

  it('is taken of contacts, too, and only of numbers on the record, on days that have been', async () => {
    const ann = await aCustomer()
    await ann.api.ok(contactsApi.add, {
      params: { id: ann.customerId },
      body: { name: 'Beth', phone: '(912) 555-0188' },
    })
    expect((await record(ann, ann.customerId, { address: '+19125550188' })).status).toBe(200)
    expect(await standings(ann, ann.customerId)).toMatchObject({ '+19125550188': 'agreed', [phone]: 'never' })
    for (const wrong of [{ address: '+19125550199' }, { on: '2099-01-01' }, { on: 'yesterday' }])
      expect((await record(ann, ann.customerId, wrong)).status).toBe(422)
    expect((await list(ann, ann.customerId)).items).toHaveLength(1)
  })

  it('is nobody else’s: another business neither sees nor writes it', async () => {
    const [ann, other] = [await aCustomer(), await aBusiness()]
    expect((await record(other, ann.customerId)).status).toBe(404)
    expect((await other.api.call(consentsApi.list, { params: { id: ann.customerId } })).status).toBe(404)
  })
})
