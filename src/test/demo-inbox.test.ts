import { expect, it } from 'vitest'
import { fillInbox, tendInbox } from '../demo/inbox.ts'
import { ownerOf } from '../demo/team.ts'
import { messagesApi } from '../features/messages/contract.ts'
import { conversationsApi } from '../features/messages/conversations/contract.ts'
import { numberConversationsApi } from '../features/messages/numbers/contract.ts'
import { receiveText } from '../features/messages/server/inbound/commands.ts'
import { newId } from '../platform/ids.ts'
import { aBusiness, aPerson } from './factories.ts'
import { aLawn } from './field.ts'

it('the demo has two conversations with somebody, one that rests, and two notes', async () => {
  const business = await aBusiness()
  await aPerson(business.id, 'Admin', { name: 'Priya Raman' })
  const ids: string[] = []
  for (const n of [1, 2, 3]) {
    const { customerId } = await aLawn(business)
    ids.push(customerId)
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ phone: `+1912555010${n}` })
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute(),
    )
    await receiveText(business.id, { from: `+1912555010${n}`, body: 'Hi', provider: 'test', providerId: newId() })
  }
  const { owner } = business
  await tendInbox(await ownerOf(business.id, 'America/New_York'))
  const seen = await Promise.all(ids.map((id) => business.api.ok(conversationsApi.get, { params: { id } })))
  expect(seen.map(({ state, assignee }) => [state, assignee?.name ?? null])).toEqual([
    ['snoozed', null],
    ['open', owner.name],
    ['open', 'Priya Raman'],
  ])
  expect((await business.api.ok(messagesApi.conversations, { query: {} })).snoozedCount).toBe(1)
})

it('the demo has a mail with a photo and a PDF, an unknown number that somebody has with a note, and a conversation of a note alone', async () => {
  const business = await aBusiness()
  const { api } = business
  await aPerson(business.id, 'Admin', { name: 'Priya Raman' })
  const mails = await aLawn(business)
  const silent = await aLawn(business)
  await business.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'ann@test.swath.test' })
      .where('businessId', '=', business.id)
      .where('id', '=', mails.customerId)
      .execute(),
  )
  await fillInbox(await ownerOf(business.id, 'America/New_York'))
  const thread = await api.ok(conversationsApi.thread, { params: { id: mails.customerId } })
  expect(thread.items).toMatchObject([
    { message: { photos: [{ name: 'back gate.jpg' }], files: [{ name: 'HOA rules.pdf' }], notKept: null } },
  ])
  const params = { address: '+19125550236' }
  expect((await api.ok(numberConversationsApi.get, { params })).assignee?.name).toBe('Priya Raman')
  expect((await api.ok(numberConversationsApi.thread, { params })).items.map(({ kind }) => kind)).toEqual([
    'note',
    'message',
  ])
  const { items } = await api.ok(messagesApi.conversations, { query: {} })
  expect(items.find(({ key }) => key === silent.customerId)?.last.channel).toBe('note')
})
