import { expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson, type Person } from '../../../../test/factories.ts'
import { customersApi } from '../../../customers/contract.ts'
import { businessLeadsApi } from '../../../leads/contract.ts'
import { mergesApi } from '../../../merges/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { messagesApi } from '../../contract.ts'
import { numberConversationsApi } from '../../numbers/contract.ts'
import { queueMessage } from '../../server/commands.ts'
import { receiveText } from '../../server/inbound/commands.ts'
import { conversationsApi } from '../contract.ts'

const aTalk = async () => {
  const business = await aBusiness()
  const { api } = business
  let next = 100
  const someone = async (name: string) => {
    const phone = `+1912555${String(next++).padStart(4, '0')}`
    const { id } = await api.ok(customersApi.create, { body: { name, phone } })
    const writes = (body: string) =>
      receiveText(business.id, { from: phone, body, providerId: newId(), provider: 'test' })
    const automatic = (text: string) =>
      business.db((db) =>
        queueMessage(db, {
          channel: 'sms',
          purpose: 'transactional',
          address: phone,
          dedupeKey: newId(),
          text,
          customerId: id,
        }),
      )
    const read = () => api.ok(messagesApi.read, { body: { customerId: id } })
    const versionOf = async () => (await api.ok(conversationsApi.get, { params: { id } })).version
    return { id, params: { id }, writes, automatic, read, versionOf }
  }
  const list = (query: object, who: Pick<Person, 'api'> = business) => who.api.ok(messagesApi.conversations, { query })
  /** Who waits for us, by the list, which its own number, the sidebar's and a second person's say the same of. */
  const waiting = async () => {
    const { items, waitingCount } = await list({ state: 'waiting' })
    const { customerMessages } = await api.ok(notificationsApi.navCounts, {})
    expect([waitingCount, customerMessages]).toEqual([items.length, items.length])
    return items.map(({ key }) => key)
  }
  return { business, api, someone, list, waiting }
}

it('waits for us who wrote and has no answer of a person, read or not, also behind our automatic texts', async () => {
  const { api, someone, waiting } = await aTalk()
  const [ann, bo] = [await someone('Ann Lee'), await someone('Bo Hart')]
  await bo.automatic('How was our visit?')
  expect(await waiting()).toEqual([])
  await ann.writes('When do you come?')
  await ann.automatic('Your invoice is ready')
  await ann.read()
  expect(await waiting()).toEqual([ann.id])
  await api.ok(messagesApi.sendText, { params: ann.params, body: { text: 'On Friday' } })
  expect(await waiting()).toEqual([])
  await ann.writes('Thanks')
  expect(await waiting()).toEqual([ann.id])
})

it('what is done, rests or is a word to the machine does not wait; a number that nobody knows waits as a customer does', async () => {
  const { api, business, someone, waiting } = await aTalk()
  const [ann, bo, cy] = [await someone('Ann Lee'), await someone('Bo Hart'), await someone('Cy Ames')]
  for (const one of [ann, bo]) await one.writes('Hello?')
  await cy.writes('STOP')
  // nobody has seen it yet
  expect((await waiting()).sort()).toEqual([ann.id, bo.id, cy.id].sort())
  await cy.read()
  await api.ok(conversationsApi.close, { params: ann.params, body: { version: await ann.versionOf() } })
  await api.ok(conversationsApi.snooze, { params: bo.params, body: { until: 'monday', version: await bo.versionOf() } })
  expect(await waiting()).toEqual([])
  await api.ok(conversationsApi.reopen, { params: ann.params, body: { version: await ann.versionOf() } })
  expect(await waiting()).toEqual([ann.id])
  await receiveText(business.id, { from: '+19125550999', body: 'Hi', providerId: newId(), provider: 'test' })
  expect(await waiting()).toEqual(['+19125550999', ann.id])
  await api.ok(messagesApi.read, { body: { address: '+19125550999' } })
  expect(await waiting()).toEqual(['+19125550999', ann.id])
})

it('a number that nobody knows waits, looked at or not, until it is answered, done or snoozed; its STOP asks for nothing', async () => {
  const { api, business, waiting } = await aTalk()
  const [asks, stops] = ['+19125550901', '+19125550905']
  const writes = (from: string, body: string) =>
    receiveText(business.id, { from, body, providerId: newId(), provider: 'test' })
  const params = { address: asks }
  const versionOf = async () => (await api.ok(numberConversationsApi.get, { params })).version
  await writes(stops, 'STOP')
  await writes(asks, 'Do you mow on the island?')
  await runTasks()
  expect(await waiting()).toEqual([asks])
  await api.ok(messagesApi.read, { body: { address: asks } })
  expect(await waiting()).toEqual([asks])
  expect((await api.ok(numberConversationsApi.get, { params })).unanswered).toBe(true)
  await api.ok(numberConversationsApi.snooze, { params, body: { until: 'monday', version: await versionOf() } })
  expect(await waiting()).toEqual([])
  await api.ok(numberConversationsApi.reopen, { params, body: { version: await versionOf() } })
  expect(await waiting()).toEqual([asks])
  await api.ok(numberConversationsApi.close, { params, body: { version: await versionOf() } })
  expect(await waiting()).toEqual([])
  await writes(asks, 'Hello?')
  await api.ok(messagesApi.read, { body: { address: asks } })
  expect(await waiting()).toEqual([asks])
  const [lead] = (await api.ok(businessLeadsApi.list, { query: { search: asks.slice(2) } })).items
  await api.ok(businessLeadsApi.sendText, { params: { id: lead?.id ?? '' }, body: { text: 'We do, yes.' } })
  expect(await waiting()).toEqual([])
})

it('two records that become one wait as one, and apart again as before', async () => {
  const { api, someone, waiting } = await aTalk()
  const [kept, gone] = [await someone('Ann Lee-Moss'), await someone('Ann Lee')]
  await api.ok(messagesApi.sendText, { params: kept.params, body: { text: 'We come Friday' } })
  await gone.writes('When?')
  await gone.read()
  const versionOf = async (id: string) => (await api.ok(customersApi.get, { params: { id } })).version
  const { mergeId } = await api.ok(mergesApi.merge, {
    params: kept.params,
    body: { goneId: gone.id, version: await versionOf(kept.id), goneVersion: await versionOf(gone.id) },
  })
  expect(await waiting()).toEqual([kept.id])
  await api.ok(mergesApi.undo, { params: { id: mergeId } })
  expect(await waiting()).toEqual([gone.id])
})

it('a row says the newest message that nobody has read; ours only where all is read', async () => {
  const { someone, list } = await aTalk()
  const ann = await someone('Ann Lee')
  await ann.writes('First')
  await ann.writes('Please bring mulch')
  await ann.automatic('How was our visit?')
  const shown = async () => (await list({})).items.map(({ last, unreadCount }) => [last.text, unreadCount])
  expect(await shown()).toEqual([['Please bring mulch', 2]])
  await ann.read()
  expect(await shown()).toEqual([['How was our visit?', 0]])
})

it('a search finds the words of older messages and shows the message that has them', async () => {
  const { someone, list } = await aTalk()
  const [ann, bo] = [await someone('Ann Lee'), await someone('Bo Hart')]
  await ann.writes('The dog dug up the Azaleas')
  await ann.writes('Never mind')
  await bo.writes('Hello')
  const found = await list({ search: 'azalea' })
  expect([found.items.map(({ key, last }) => [key, last.text]), found.lookedBackTo]).toEqual([
    [[ann.id, 'The dog dug up the Azaleas']],
    null,
  ])
  expect((await list({ search: 'bo ha' })).items.map(({ key }) => key)).toEqual([bo.id])
})

it('a search finds internal notes, of done conversations too, says what is around the words, and is nobody else’s', async () => {
  const { api, someone, list } = await aTalk()
  const [ann, bo] = [await someone('Ann Lee'), await someone('Bo Hart')]
  await ann.writes('Hello')
  await bo.writes('The azaleas look great')
  const addNote = (text: string) => api.ok(conversationsApi.addNote, { params: ann.params, body: { text } })
  const { id } = await addNote(
    `${'She called twice about the hedge at the back fence. '.repeat(3)}Azaleas: do not trim.`,
  )
  await api.ok(conversationsApi.close, { params: ann.params, body: { version: await ann.versionOf() } })
  const found = async (one: Pick<Person, 'api'> = { api }) =>
    (await list({ search: 'azalea', state: 'all' }, one)).items.map(({ key, last }) => [key, last.channel, last.text])
  expect(await found()).toEqual([
    [ann.id, 'note', '…twice about the hedge at the back fence. Azaleas: do not trim.'],
    [bo.id, 'sms', 'The azaleas look great'],
  ])
  // the newest of both that has them
  await ann.writes('Azaleas again')
  expect((await found())[0]).toEqual([ann.id, 'sms', 'Azaleas again'])
  expect(await found(await aBusiness())).toEqual([])
  await api.ok(conversationsApi.removeNote, { params: { id } })
  expect((await list({ search: 'hedge' })).items).toEqual([])
})

it('what somebody has is counted apart: what waits, what is open, what rests', async () => {
  const { api, business, someone, list } = await aTalk()
  const [ann, bo] = [await someone('Ann Lee'), await someone('Bo Hart')]
  for (const one of [ann, bo]) {
    await one.writes('Hello?')
    const body = { userId: business.owner.userId, version: await one.versionOf() }
    await api.ok(conversationsApi.assign, { params: one.params, body })
  }
  const counts = async () => {
    const { mineWaitingCount, mineCount, mineSnoozedCount, waitingCount } = await list({})
    return { mineWaitingCount, mineCount, mineSnoozedCount, waitingCount }
  }
  await api.ok(conversationsApi.snooze, { params: bo.params, body: { until: 'monday', version: await bo.versionOf() } })
  expect(await counts()).toEqual({ mineWaitingCount: 1, mineCount: 1, mineSnoozedCount: 1, waitingCount: 1 })
  await ann.read()
  await api.ok(messagesApi.sendText, { params: ann.params, body: { text: 'Hi' } })
  expect(await counts()).toEqual({ mineWaitingCount: 0, mineCount: 1, mineSnoozedCount: 1, waitingCount: 0 })
})

it('who saw the thread before somebody else answered is told once, and what they saw then leaves', async () => {
  const { api, business, someone } = await aTalk()
  const ann = await someone('Ann Lee')
  await ann.writes('When do you come?')
  const clerk = await aPerson(business.id, 'Admin', { name: 'Priya Raman' })
  const seenId = async () => {
    const [newest] = (await api.ok(conversationsApi.thread, { params: ann.params })).items
    return newest?.kind === 'message' ? newest.message.id : null
  }
  const seen = await seenId()
  // what leaves by itself is no answer, and without a thread in sight nothing is compared
  await ann.automatic('Your invoice is ready')
  const body = { text: 'On Friday', seen }
  const answer = await clerk.api.ok(messagesApi.sendText, { params: ann.params, body })
  const late = await api.call(messagesApi.sendText, { params: ann.params, body: { text: 'On Monday', seen } })
  expect([late.status, late.error.message, late.error.details]).toEqual([
    409,
    'Priya Raman answered a moment ago: “On Friday” Nothing was sent. Press Send again if yours should leave, too.',
    { answered: answer.id },
  ])
  const own = await clerk.api.call(messagesApi.sendEmail, {
    params: ann.params,
    body: { subject: 'Hi', text: 'On Friday', seen },
  })
  expect(own.error.message).toMatch(/^You answered a moment ago in another window/)
  await api.ok(messagesApi.sendText, { params: ann.params, body: { text: 'On Monday', seen: answer.id } })
  await api.ok(messagesApi.sendText, { params: ann.params, body: { text: 'Or Tuesday' } })
})

it('an answer out of what is done leaves it done, unless something of theirs is unread in it', async () => {
  const { api, someone } = await aTalk()
  const ann = await someone('Ann Lee')
  await ann.writes('Thanks!')
  await ann.read()
  const state = async () => (await api.ok(conversationsApi.get, { params: ann.params })).state
  const close = async () =>
    api.ok(conversationsApi.close, { params: ann.params, body: { version: await ann.versionOf() } })
  const send = (text: string) => api.ok(messagesApi.sendText, { params: ann.params, body: { text } })
  await close()
  await send('You are welcome')
  expect(await state()).toBe('done')
  await ann.writes('One more thing')
  await close()
  await send('See you Friday')
  expect(await state()).toBe('open')
})
