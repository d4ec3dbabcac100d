import { expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, dayOf } from '../../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import type { Channel, MessageStatus } from '../../rules.ts'
import { messageLogApi } from '../contract.ts'

type Wish = {
  customerId: string
  channel?: Channel
  status?: MessageStatus
  purpose?: 'transactional' | 'marketing' | 'account' | 'reply'
  reason?: string
  daysAgo?: number
  key?: string
}
const aMessage = async (own: TestBusiness, wish: Wish): Promise<string> => {
  const { customerId, channel = 'sms', status = 'delivered', purpose = 'transactional', reason, daysAgo = 0 } = wish
  const id = newId()
  await own.db((db) =>
    db
      .insertInto('messages')
      .values({
        ...{ businessId: own.id, id, channel, status, purpose, customerId },
        address: channel === 'sms' ? '+19125550147' : 'ann@test.swath.test',
        subject: channel === 'email' ? 'Your invoice' : '',
        bodyText: 'See you tomorrow',
        dedupeKey: wish.key ?? `reminder:${id}`,
        reason: reason ?? null,
        createdAt: new Date(clock.nowMs() - daysAgo * 86_400_000).toISOString(),
      })
      .execute(),
  )
  return id
}

it('says of every message to customers what became of it and why, by outcome, way, customer and day', async () => {
  const [own, other] = [await aBusiness(), await aBusiness()]
  const { customerId } = await aLawn(own)
  const { customerId: second } = await aLawn(own)
  await aMessage(other, { customerId: (await aLawn(other)).customerId })
  await own.db((db) =>
    db
      .insertInto('consentEvents')
      .values({
        ...{ businessId: own.id, id: newId(), channel: 'sms' as const, address: '+19125550147' },
        ...{ purpose: 'marketing' as const, action: 'grant' as const, source: 'booking page' },
        at: new Date(clock.nowMs() - 9 * 86_400_000).toISOString(),
      })
      .execute(),
  )
  const old = await aMessage(own, { customerId, daysAgo: 8, channel: 'email', key: 'invoice:1:sent' })
  const stopped = await aMessage(own, { customerId, status: 'suppressed', reason: 'They replied STOP', daysAgo: 2 })
  const offer = await aMessage(own, { customerId: second, purpose: 'marketing', daysAgo: 1 })
  const unsure = await aMessage(own, { customerId: second, status: 'unknown' })
  await aMessage(own, { customerId, purpose: 'account', key: 'account:secret' })
  const ask = async (query: object = {}) => (await own.api.ok(messageLogApi.list, { query })).items
  const all = await ask()
  expect(all.map(({ id }) => id)).toEqual([unsure, offer, stopped, old])
  expect(all.find(({ id }) => id === stopped)).toMatchObject({ cause: 'Reminder of a visit', status: 'suppressed' })
  expect(all.find(({ id }) => id === stopped)?.why[0]).toBe('Was not sent. They replied STOP.')
  expect(all.find(({ id }) => id === offer)?.why[1]).toMatch(/^They agreed to offers by text on .* \(booking page\)\.$/)
  expect(all.find(({ id }) => id === old)).toMatchObject({ cause: 'Invoice', text: 'Your invoice', channel: 'email' })
  const ids = async (query: object) => (await ask(query)).map(({ id }) => id)
  expect(await ids({ outcome: 'stopped' })).toEqual([stopped])
  expect(await ids({ outcome: 'unknown' })).toEqual([unsure])
  expect(await ids({ outcome: 'left' })).toEqual([offer, old])
  expect(await ids({ channel: 'email' })).toEqual([old])
  expect(await ids({ customerId: second })).toEqual([unsure, offer])
  expect(await ids({ until: addDays(dayOf(clock.now(), 'America/New_York'), -5) })).toEqual([old])
  // page by page, each once
  const first = await own.api.ok(messageLogApi.list, { query: { limit: 3 } })
  const rest = await own.api.ok(messageLogApi.list, { query: { limit: 3, cursor: first.nextCursor ?? '' } })
  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual([unsure, offer, stopped, old])
  const employee = await own.employee()
  expect((await employee.api.call(messageLogApi.list, { query: {} })).status).toBe(403)
  expect((await own.api.call(messageLogApi.list, { query: { until: 'soon' } })).status).toBe(422)
})
