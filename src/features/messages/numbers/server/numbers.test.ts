import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localPhoneApi } from '../../../../local/phone/contract.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { runTasks } from '../../../../test/api.ts'
import { aCustomer } from '../../../../test/cards.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { contactsApi } from '../../../customers/contacts/contract.ts'
import { customersApi } from '../../../customers/contract.ts'
import { businessLeadsApi } from '../../../leads/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { messagesApi } from '../../contract.ts'
import { conversationsApi } from '../../conversations/contract.ts'
import { numberConversationsApi } from '../contract.ts'
import { wakeNumberTx } from './commands.ts'

const address = '+19125550181'
const params = { address }
beforeEach(() => setClock(() => new Date('2026-06-12T16:00:00Z')))
afterEach(resetClock)

const text = async (own: TestBusiness, words: string, from = address) => {
  await own.api.ok(localPhoneApi.act, { body: { kind: 'reply', from, text: words, media: [] } })
  await runTasks()
}
const aTalk = async () => {
  const own = await aBusiness({ timeZone: 'America/New_York' })
  const clerk = await aPerson(own.id, 'Admin', { name: 'Priya Raman' })
  await text(own, 'Do you mow on the island?')
  return { own, api: own.api, clerk, version: (await own.api.ok(numberConversationsApi.get, { params })).version }
}
const keysIn = async (api: TestBusiness['api'], query: Record<string, unknown>) =>
  (await api.ok(messagesApi.conversations, { query })).items.map(({ key }) => key)
const bell = async (api: TestBusiness['api']) =>
  (await api.ok(notificationsApi.list, { query: {} })).notifications.map(({ title }) => title)

describe('the conversation with a number that nobody knows', () => {
  it('is given to somebody, who is told once, and stands among theirs', async () => {
    const { api, clerk, version } = await aTalk()
    const body = { userId: clerk.userId, version }
    const given = await api.ok(numberConversationsApi.assign, { params, body })
    expect(given).toMatchObject({ assignee: { name: 'Priya Raman' }, address, customerId: null, state: 'open' })
    expect((await api.ok(numberConversationsApi.assign, { params, body })).version).toBe(given.version)
    expect((await bell(clerk.api)).filter((title) => title.includes('gave you'))).toHaveLength(1)
    expect(await keysIn(clerk.api, { whose: 'mine' })).toEqual([address])
    expect(await keysIn(api, { whose: 'nobody' })).toEqual([])
    const { mineCount, mineWaitingCount } = await clerk.api.ok(messagesApi.conversations, { query: {} })
    expect([mineCount, mineWaitingCount]).toEqual([1, 1])
    const stale = await api.call(numberConversationsApi.assign, { params, body: { userId: null, version } })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
  })

  it('rests until its time or until they write, and is done until they write', async () => {
    const { own, api, version } = await aTalk()
    expect(await keysIn(api, { state: 'waiting' })).toEqual([address])
    const rests = await api.ok(numberConversationsApi.snooze, { params, body: { until: 'tomorrow', version } })
    expect([rests.state, rests.snoozedUntil]).toEqual(['snoozed', '2026-06-13T12:00:00.000Z'])
    const { waitingCount, snoozedCount } = await api.ok(messagesApi.conversations, { query: {} })
    expect([waitingCount, snoozedCount, await keysIn(api, { state: 'snoozed' })]).toEqual([0, 1, [address]])
    expect(await keysIn(api, { state: 'open' })).toEqual([])
    await own.db((db) => wakeNumberTx(db, address))
    expect(await keysIn(api, { state: 'snoozed' })).toEqual([address])
    setClock(() => new Date('2026-06-13T12:01:00Z'))
    const wake = () => own.db((db) => wakeNumberTx(db, address))
    await wake()
    await wake()
    setClock(() => new Date('2026-06-12T16:00:00Z'))
    expect(await keysIn(api, { state: 'waiting' })).toEqual([address])
    expect((await bell(api)).filter((title) => title === 'The conversation with (912) 555-0181 is back')).toHaveLength(
      1,
    )
    const woke = await api.ok(numberConversationsApi.get, { params })
    const done = await api.ok(numberConversationsApi.close, { params, body: { version: woke.version } })
    expect([done.state, await keysIn(api, { state: 'done' }), await keysIn(api, { state: 'waiting' })]).toEqual([
      'done',
      [address],
      [],
    ])
    await text(own, 'Hello?')
    const heard = await api.ok(numberConversationsApi.get, { params })
    expect(heard.state).toBe('open')
    // a press over a thread without their newest word is refused
    expect((await api.call(numberConversationsApi.close, { params, body: { version: done.version } })).status).toBe(409)
    expect(await bell(api)).toContain('(912) 555-0181 wrote: the conversation is open again')
  })

  it('goes with the number to the customer it becomes', async () => {
    const { api, clerk, version } = await aTalk()
    await api.ok(numberConversationsApi.assign, { params, body: { userId: clerk.userId, version } })
    const { items } = await api.ok(businessLeadsApi.list, { query: {} })
    const [lead] = items
    if (!lead) throw new Error('no lead')
    const { customer } = await api.ok(businessLeadsApi.convert, {
      params: { id: lead.id },
      body: { version: lead.version, name: 'Bo Lind', property: null },
    })
    expect((await api.call(numberConversationsApi.get, { params })).status).toBe(404)
    const taken = await api.ok(conversationsApi.get, { params: { id: customer?.id ?? '' } })
    expect([taken.assignee?.name, taken.state]).toEqual(['Priya Raman', 'open'])
  })

  it('goes with its texts, notes and state to the customer that is added with it, and its lead is theirs; once', async () => {
    const { own, api, clerk, version } = await aTalk()
    await api.ok(numberConversationsApi.assign, { params, body: { userId: clerk.userId, version } })
    await api.ok(numberConversationsApi.addNote, { params, body: { text: 'Has a white fence' } })
    await text(own, 'HELP')
    const { id, phone } = await api.ok(customersApi.create, { body: { name: 'Bo Lind', phone: address } })
    expect(phone).toBe(address)
    const { items } = await api.ok(conversationsApi.thread, { params: { id } })
    const words = items.map((item) => (item.kind === 'note' ? `(${item.note.text})` : item.message.text))
    expect(words.slice(1)).toEqual(['HELP', '(Has a white fence)', 'Do you mow on the island?'])
    expect((await api.call(numberConversationsApi.get, { params })).status).toBe(404)
    const taken = await api.ok(conversationsApi.get, { params: { id } })
    expect([taken.assignee?.name, taken.state, taken.unanswered]).toEqual(['Priya Raman', 'open', true])
    expect(await keysIn(api, {})).toEqual([id])
    const { items: leads } = await api.ok(businessLeadsApi.list, { query: {} })
    expect(leads).toHaveLength(1)
    const lead = await api.ok(businessLeadsApi.get, { params: { id: leads[0]?.id ?? '' } })
    expect([lead.name, lead.customer?.id, lead.convertedAt !== null, lead.can.convert]).toEqual([
      'Bo Lind',
      id,
      true,
      false,
    ])
    // the same number once more, of somebody else, takes nothing from them
    const second = await api.ok(customersApi.create, {
      body: { name: 'Al Lind', phone: address, allowDuplicate: true },
    })
    expect((await api.ok(conversationsApi.thread, { params: { id: second.id } })).items).toEqual([])
    expect((await api.ok(conversationsApi.thread, { params: { id } })).items).toHaveLength(4)
  })

  it.each<[string, (own: TestBusiness) => Promise<string>]>([
    [
      'is given the number',
      async ({ api }) => {
        const { id, version } = await api.ok(customersApi.create, { body: { name: 'Bo Lind' } })
        await api.ok(customersApi.update, { params: { id }, body: { phone: address, version } })
        return id
      },
    ],
    [
      'has a contact with it',
      async ({ api }) => {
        const { id } = await api.ok(customersApi.create, { body: { name: 'Bo Lind' } })
        await api.ok(contactsApi.add, { params: { id }, body: { name: 'Al Lind', role: 'household', phone: address } })
        return id
      },
    ],
  ])('goes to a customer who %s', async (_, become) => {
    const { own, api } = await aTalk()
    const id = await become(own)
    const { items } = await api.ok(conversationsApi.thread, { params: { id } })
    expect(items).toHaveLength(1)
    expect(await keysIn(api, { state: 'waiting' })).toEqual([id])
    const { items: leads } = await api.ok(businessLeadsApi.list, { query: {} })
    const lead = await api.ok(businessLeadsApi.get, { params: { id: leads[0]?.id ?? '' } })
    expect([lead.customer?.id, lead.can.convert]).toEqual([id, false])
  })

  it('stays a number’s where the customer who has it is archived, and goes to them when they are back', async () => {
    const own = await aBusiness({ timeZone: 'America/New_York' })
    const { api } = own
    const { id } = await api.ok(customersApi.create, { body: { name: 'Bo Lind', phone: address } })
    await api.ok(customersApi.archive, { params: { id } })
    await text(own, 'Are you there?')
    expect(await keysIn(api, {})).toEqual([address])
    await api.ok(customersApi.unarchive, { params: { id } })
    expect(await keysIn(api, {})).toEqual([id])
  })

  it('has internal notes between its texts, found by their words, which the customer has that it becomes', async () => {
    const { own, api, clerk } = await aTalk()
    const note = await clerk.api.ok(numberConversationsApi.addNote, {
      params,
      body: { text: ' Wants the same as the neighbor at 12 Palmetto ' },
    })
    expect(note).toMatchObject({ customerId: null, address, byName: 'Priya Raman', can: { remove: true } })
    await text(own, 'Anybody?')
    const thread = async (limit = 40, cursor?: string | null) =>
      api.ok(numberConversationsApi.thread, { params, query: { limit, ...(cursor ? { cursor } : {}) } })
    const words = ({ items }: Awaited<ReturnType<typeof thread>>) =>
      items.map((item) => (item.kind === 'note' ? `(${item.note.text})` : item.message.text))
    expect(words(await thread())).toEqual([
      'Anybody?',
      '(Wants the same as the neighbor at 12 Palmetto)',
      'Do you mow on the island?',
    ])
    const first = await thread(2)
    expect(words(await thread(2, first.nextCursor))).toEqual(['Do you mow on the island?'])
    // what stands in the list is what they wrote, and the note where it is what was found
    const shown = async (query: object) =>
      (await api.ok(messagesApi.conversations, { query })).items.map(({ key, last }) => [key, last.channel, last.text])
    expect(await shown({})).toEqual([[address, 'sms', 'Anybody?']])
    expect(await shown({ search: 'palmetto' })).toEqual([
      [address, 'note', 'Wants the same as the neighbor at 12 Palmetto'],
    ])
    const refused = await api.call(conversationsApi.removeNote, { params: { id: note.id } })
    expect(refused.status).toBe(409)
    const nobody = { params: { address: '+19125550182' }, body: { text: 'Hi' } }
    expect((await api.call(numberConversationsApi.addNote, nobody)).status).toBe(404)
    const other = await aBusiness()
    expect((await other.api.call(numberConversationsApi.addNote, { params, body: { text: 'Hi' } })).status).toBe(404)
    expect((await other.api.call(numberConversationsApi.thread, { params })).status).toBe(404)
    const { items } = await api.ok(businessLeadsApi.list, { query: {} })
    const [lead] = items
    if (!lead) throw new Error('no lead')
    const { customer } = await api.ok(businessLeadsApi.convert, {
      params: { id: lead.id },
      body: { version: lead.version, name: 'Bo Lind', property: null },
    })
    const id = customer?.id ?? ''
    const taken = await api.ok(conversationsApi.thread, { params: { id } })
    expect(words(taken)).toContain('(Wants the same as the neighbor at 12 Palmetto)')
    expect(await shown({ search: 'palmetto' })).toEqual([[id, 'note', 'Wants the same as the neighbor at 12 Palmetto']])
    await clerk.api.ok(conversationsApi.removeNote, { params: { id: note.id } })
    expect(await shown({ search: 'palmetto' })).toEqual([])
  })

  it('late in the evening rests until tomorrow only, and is still nobody’s of another business', async () => {
    setClock(() => new Date('2026-06-13T02:00:00Z'))
    const { api, version } = await aTalk()
    const other = await aBusiness()
    const body = { until: 'later', version } as const
    expect((await other.api.call(numberConversationsApi.snooze, { params, body })).status).toBe(404)
    expect((await api.call(numberConversationsApi.snooze, { params, body })).status).toBe(422)
  })

  it('is nobody’s of another business, of the field or without the permission, and there is none where nothing was texted', async () => {
    const { own, api, version } = await aTalk()
    const other = await aBusiness()
    const body = { until: 'tomorrow', version } as const
    expect((await other.api.call(numberConversationsApi.snooze, { params, body })).status).toBe(404)
    expect((await other.api.call(numberConversationsApi.get, { params })).status).toBe(404)
    const money = await aPerson(own.id, 'Admin', { permissions: ['money'] })
    const employee = await own.employee()
    for (const one of [money, employee]) {
      expect((await one.api.call(numberConversationsApi.snooze, { params, body })).status).toBe(403)
      expect(
        (await api.call(numberConversationsApi.assign, { params, body: { userId: one.userId, version } })).status,
      ).toBe(422)
    }
    const nobody = { params: { address: '+19125550182' } }
    expect((await api.call(numberConversationsApi.close, { ...nobody, body: { version: 0 } })).status).toBe(404)
    expect((await api.ok(numberConversationsApi.get, { params })).state).toBe('open')
  })
})

it('a conversation of notes alone stands in the list, is assigned and rests as any other', async () => {
  const own = await aBusiness({ timeZone: 'America/New_York' })
  const { api } = own
  const id = await aCustomer(own)
  await runTasks()
  await own.db((db) => db.deleteFrom('messages').where('businessId', '=', own.id).execute())
  expect((await api.ok(messagesApi.conversations, { query: {} })).hasAny).toBe(false)
  await api.ok(conversationsApi.addNote, { params: { id }, body: { text: 'Gate sticks, lift it.' } })
  const { items, hasAny } = await api.ok(messagesApi.conversations, { query: { state: 'open' } })
  expect([hasAny, items.map(({ key }) => key)]).toEqual([true, [id]])
  expect(items[0]).toMatchObject({ last: { channel: 'note', text: 'Gate sticks, lift it.' }, unreadCount: 0 })
  await api.ok(conversationsApi.snooze, { params: { id }, body: { until: 'tomorrow', version: 0 } })
  const rests = await api.ok(messagesApi.conversations, { query: { state: 'snoozed', whose: 'nobody' } })
  expect([rests.items.map(({ key }) => key), rests.snoozedCount]).toEqual([[id], 1])
  expect(await keysIn(api, { state: 'waiting' })).toEqual([])
})
