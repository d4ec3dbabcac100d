import { describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { customersApi } from '../../../customers/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { consentsApi } from '../../consents/contract.ts'
import { messagesApi } from '../../contract.ts'
import { queueMessage, recordConsent } from '../../server/commands.ts'
import { receiveText } from '../../server/inbound/commands.ts'
import { stopApi } from '../contract.ts'

const phone = '+19125550101'

const aCustomer = async () => {
  const business = await aBusiness()
  const { id } = await business.api.ok(customersApi.create, { body: { name: 'Ann Lee', phone: '(912) 555-0101' } })
  await business.db((db) =>
    recordConsent(db, {
      channel: 'sms',
      address: phone,
      purpose: 'marketing',
      action: 'grant',
      source: 'website form',
    }),
  )
  return { ...business, customerId: id }
}
type Ann = Awaited<ReturnType<typeof aCustomer>>

const text = async ({ id, api }: TestBusiness, body: string): Promise<string> => {
  await receiveText(id, { from: phone, body, providerId: newId(), provider: 'test' })
  const { items } = await api.ok(messagesApi.list, { query: {} })
  return items.find((one) => one.direction === 'inbound' && one.text === body)?.id ?? ''
}
const offer = async (ann: Ann) => {
  const id = await ann.db((db) =>
    queueMessage(db, {
      channel: 'sms',
      purpose: 'marketing',
      address: phone,
      dedupeKey: newId(),
      text: 'Mulch is here',
      customerId: ann.customerId,
    }),
  )
  await runTasks()
  const { status, reason } = await ann.api.ok(messagesApi.get, { params: { id } })
  return { status, reason }
}
const doubtOf = async ({ api }: TestBusiness, id: string) =>
  (await api.ok(messagesApi.get, { params: { id } })).stopDoubt
const bell = async ({ api }: TestBusiness) =>
  (await api.ok(notificationsApi.list, { query: {} })).notifications.filter((one) =>
    one.title.includes('no more texts'),
  )
const settle = ({ api }: TestBusiness, id: string, meant: 'stop' | 'fine', key = newId()) =>
  api.call(stopApi.settle, { params: { id }, body: { meant } }, { 'idempotency-key': key })

describe('a text that may ask for no more texts', () => {
  it('is asked about, and until somebody says so no offers leave to the number', async () => {
    const ann = await aCustomer()
    const id = await text(ann, 'Too many texts')
    expect(await doubtOf(ann, id)).toBe('open')
    expect((await bell(ann)).map(({ title }) => title)).toEqual(['Does Ann Lee want no more texts?'])
    expect(await offer(ann)).toEqual({
      status: 'suppressed',
      reason: 'They may have asked for no more texts: say what they meant in their conversation',
    })
    expect((await settle(ann, id, 'fine')).status).toBe(200)
    expect(await doubtOf(ann, id)).toBe('fine')
    expect(await offer(ann)).toMatchObject({ status: expect.stringMatching(/held|sent/) })
    expect((await bell(ann)).every(({ read }) => read)).toBe(true)
  })

  it('ends all texts when the office reads it so, once, with their words in the ledger', async () => {
    const ann = await aCustomer()
    const [first, second] = [await text(ann, 'wrong number'), await text(ann, 'enough')]
    const key = newId()
    const answers = await Promise.all([settle(ann, first, 'stop', key), settle(ann, first, 'stop', key)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect([await doubtOf(ann, first), await doubtOf(ann, second)]).toEqual(['stop', 'stop'])
    const { addresses, items } = await ann.api.ok(consentsApi.list, { params: { id: ann.customerId } })
    expect(addresses).toEqual([
      expect.objectContaining({ standing: 'stopped', reason: 'They asked for no more texts' }),
    ])
    expect(items.filter(({ action }) => action === 'revoke').map(({ purpose, wording }) => [purpose, wording])).toEqual(
      [
        ['marketing', 'wrong number'],
        ['transactional', 'wrong number'],
      ],
    )
    const late = await settle(ann, second, 'fine')
    expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('replying START')])
    const again = await settle(ann, second, 'stop')
    expect(again.status).toBe(200)
  })

  it.each([
    ['STOP', 'stop'],
    ['START', 'fine'],
  ] as const)('is settled by %s of their own', async (word, meant) => {
    const ann = await aCustomer()
    const id = await text(ann, 'demasiados mensajes')
    await text(ann, word)
    expect(await doubtOf(ann, id)).toBe(meant)
    expect((await bell(ann)).every(({ read }) => read)).toBe(true)
  })

  it('of a number nobody knows is asked about, too; after a STOP there is nothing to ask', async () => {
    const business = await aBusiness()
    const id = await text(business, 'who gave you my number')
    expect((await bell(business)).map(({ title }) => title)).toEqual(['Does (912) 555-0101 want no more texts?'])
    await settle(business, id, 'stop')
    expect(await doubtOf(business, await text(business, 'not interested'))).toBeNull()
  })

  it('is nobody else’s, and what nobody asked about is not settled', async () => {
    const [ann, other] = [await aCustomer(), await aBusiness()]
    const [id, plain] = [await text(ann, 'enough'), await text(ann, 'See you Friday')]
    expect((await settle(other, id, 'stop')).status).toBe(404)
    expect((await settle(ann, plain, 'stop')).status).toBe(409)
    expect(await doubtOf(ann, id)).toBe('open')
  })
})
