import { afterEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, dayOf, instantAt } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { customersApi } from '../../../customers/contract.ts'
import { businessLeadsApi as leadsApi } from '../../../leads/contract.ts'
import { mergesApi } from '../../../merges/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { timelineApi } from '../../../timeline/contract.ts'
import { messagesApi } from '../../contract.ts'
import { queueMessage } from '../../server/commands.ts'
import { receiveMail, receiveText } from '../../server/inbound/commands.ts'
import { conversationsApi } from '../contract.ts'
import { wakeConversationTx } from './commands.ts'

const zone = 'America/New_York'
afterEach(resetClock)
const ahead = (minutes: number) => {
  const base = Date.now()
  setClock(() => new Date(base + minutes * 60_000))
}

const aTalk = async () => {
  const business = await aBusiness({ timeZone: zone })
  const phone = '+19125550101'
  const { id: customerId } = await business.api.ok(customersApi.create, {
    body: { name: 'Ann Lee', phone, email: 'ann@test.swath.test' },
  })
  const writes = (body: string) =>
    receiveText(business.id, { from: phone, body, providerId: newId(), provider: 'test' })
  await writes('Hello?')
  const clerk = await aPerson(business.id, 'Admin', { name: 'Priya Raman' })
  // version 1: what they wrote made it
  return { business, api: business.api, customerId, writes, clerk }
}
type Talk = Awaited<ReturnType<typeof aTalk>>

const get = ({ api, customerId }: Pick<Talk, 'api' | 'customerId'>) =>
  api.ok(conversationsApi.get, { params: { id: customerId } })
const keysIn = async (
  { api }: Pick<Talk, 'api'>,
  query: { state?: 'open' | 'snoozed' | 'done' | 'all'; whose?: 'mine' | 'nobody' },
) => (await api.ok(messagesApi.conversations, { query })).items.map(({ key }) => key)
const bellOf = async ({ api }: Pick<Person, 'api'> | TestBusiness) =>
  (await api.ok(notificationsApi.list, { query: {} })).notifications.map(({ title }) => title)
const isBack = (title: string) => /is back|is open again/.test(title)

describe('whose a conversation is', () => {
  it('it is given to somebody, who is told once, and taken from them; the list says whose', async () => {
    const talk = await aTalk()
    const { api, customerId, clerk } = talk
    const params = { id: customerId }
    const { items: people } = await api.ok(conversationsApi.people, {})
    expect(people.map(({ name }) => name)).toContain('Priya Raman')
    const key = newId()
    const give = () =>
      api.ok(
        conversationsApi.assign,
        { params, body: { userId: clerk.userId, version: 1 } },
        { 'idempotency-key': key },
      )
    expect((await give()).assignee?.name).toBe('Priya Raman')
    expect((await give()).version).toBe(2)
    expect(await bellOf(clerk)).toEqual([`${talk.business.owner.name} gave you the conversation with Ann Lee`])
    expect(await keysIn(talk, { whose: 'mine' })).toEqual([])
    expect(await keysIn(talk, { whose: 'nobody' })).toEqual([])
    expect(await keysIn(clerk, { whose: 'mine' })).toEqual([customerId])
    expect((await clerk.api.ok(messagesApi.conversations, { query: {} })).mineCount).toBe(1)
    // the same wish with another key, and one of somebody who saw an older state
    const again = await api.ok(conversationsApi.assign, { params, body: { userId: clerk.userId, version: 1 } })
    expect(again.version).toBe(2)
    const stale = await api.call(conversationsApi.assign, { params, body: { userId: null, version: 1 } })
    expect([stale.status, stale.error.code, stale.error.message]).toEqual([
      409,
      'version_conflict',
      'Somebody changed this conversation a moment ago. Look and press again.',
    ])
    await api.ok(conversationsApi.assign, { params, body: { userId: null, version: 2 } })
    expect(await keysIn(talk, { whose: 'nobody' })).toEqual([customerId])
    expect(await bellOf(clerk)).toHaveLength(1)
  })

  it('nobody from the field, another business or without the permission has one, and who left has none', async () => {
    const talk = await aTalk()
    const { api, customerId, business } = talk
    const params = { id: customerId }
    const wrong = [
      await business.employee(),
      await aPerson(business.id, 'Admin', { permissions: ['money'] }),
      (await aBusiness()).owner,
    ]
    for (const { userId } of wrong) {
      const refused = await api.call(conversationsApi.assign, { params, body: { userId, version: 1 } })
      expect([refused.status, refused.error.errors?.[0]?.path]).toEqual([422, 'userId'])
    }
    expect(await get(talk)).toMatchObject({ assignee: null, state: 'open' })
    await api.ok(conversationsApi.assign, { params, body: { userId: talk.clerk.userId, version: 1 } })
    await business.db((db) =>
      db
        .updateTable('users')
        .set({ archivedAt: clock.iso() })
        .where('businessId', '=', business.id)
        .where('id', '=', talk.clerk.userId)
        .execute(),
    )
    expect(await get(talk)).toMatchObject({ assignee: null, leftName: 'Priya Raman' })
    expect(await keysIn(talk, { whose: 'nobody' })).toEqual([customerId])
    await api.ok(conversationsApi.assign, { params, body: { userId: null, version: 2 } })
    expect(await get(talk)).toMatchObject({ assignee: null, leftName: null })
  })
})

describe('a snooze', () => {
  it('hides it until its time, then it is there for who looks, and who let it rest hears of it once', async () => {
    const talk = await aTalk()
    const { api, customerId, business } = talk
    const tomorrow = addDays(dayOf(clock.now(), zone), 1)
    const rests = await api.ok(conversationsApi.snooze, {
      params: { id: customerId },
      body: { until: 'tomorrow', version: 1 },
    })
    expect([rests.state, rests.snoozedUntil]).toEqual(['snoozed', instantAt(tomorrow, 480, zone)])
    expect(await keysIn(talk, { state: 'open' })).toEqual([])
    expect(await keysIn(talk, { state: 'snoozed' })).toEqual([customerId])
    const wake = () => business.db((db) => wakeConversationTx(db, customerId))
    await wake()
    expect((await get(talk)).state).toBe('snoozed')
    setClock(() => new Date(Date.parse(rests.snoozedUntil ?? '') + 1000))
    const later = await business.db((db) => db.selectFrom('conversations').selectAll().execute())
    expect(later[0]?.snoozedUntil).not.toBeNull()
    // before its task has run
    const { getConversation, listConversations } = await import('./queries.ts')
    const owner = { ...business.owner, timeZone: zone, permissions: [] } as never
    const seen = await business.db((db) => getConversation(db, owner, customerId))
    expect([seen.state, seen.snoozedUntil]).toEqual(['open', null])
    const open = await business.db((db) => listConversations(db, owner, { limit: 5, state: 'open', whose: 'all' }))
    expect(open.items.map(({ key }) => key)).toEqual([customerId])
    await wake()
    await wake()
    resetClock()
    expect((await bellOf(business)).filter(isBack)).toEqual(['The conversation with Ann Lee is back'])
  })

  it('is over at once when the customer writes, in every way, and who has it hears of it; a machine wakes nobody', async () => {
    const talk = await aTalk()
    const { api, customerId, business, clerk, writes } = talk
    const params = { id: customerId }
    await api.ok(conversationsApi.assign, { params, body: { userId: clerk.userId, version: 1 } })
    await api.ok(conversationsApi.snooze, { params, body: { until: 'monday', version: 2 } })
    const sentId = await business.db((db) =>
      queueMessage(db, {
        channel: 'email',
        purpose: 'transactional',
        address: 'ann@test.swath.test',
        dedupeKey: newId(),
        text: 'Hi',
        customerId,
      }),
    )
    const mail = { from: 'ann@test.swath.test', fromName: 'Ann', subject: 'Re', text: 'Away', messageId: newId() }
    await receiveMail(business.id, sentId, { ...mail, automatic: true } as never)
    expect((await get(talk)).state).toBe('snoozed')
    await writes('Are you there?')
    expect((await get(talk)).state).toBe('open')
    await runTasks()
    expect((await bellOf(clerk)).filter(isBack)).toEqual(['Ann Lee wrote: the conversation is open again'])
    expect((await bellOf(business)).filter(isBack)).toEqual([])
  })

  it('of a chosen time is by the clock of the business; what has passed is refused and changes nothing', async () => {
    const talk = await aTalk()
    const { api, customerId } = talk
    const today = dayOf(clock.now(), zone)
    const snooze = (until: { day: string; minute: number }) =>
      api.call(conversationsApi.snooze, { params: { id: customerId }, body: { until, version: 1 } })
    const past = await snooze({ day: addDays(today, -1), minute: 600 })
    expect([past.status, past.error.errors?.[0]?.message]).toEqual([
      422,
      'This time has passed. Choose one that is still to come. Nothing was changed.',
    ])
    expect((await snooze({ day: '2026-02-31', minute: 600 })).status).toBe(422)
    expect((await snooze({ day: addDays(today, 3), minute: 1440 })).status).toBe(422)
    expect((await get(talk)).state).toBe('open')
    expect((await snooze({ day: addDays(today, 3), minute: 930 })).body?.snoozedUntil).toBe(
      instantAt(addDays(today, 3), 930, zone),
    )
  })

  it('that is put off again wakes only at the later time', async () => {
    const talk = await aTalk()
    const { api, customerId, business } = talk
    const today = dayOf(clock.now(), zone)
    const params = { id: customerId }
    await api.ok(conversationsApi.snooze, { params, body: { until: 'tomorrow', version: 1 } })
    const until = { day: addDays(today, 5), minute: 480 }
    await api.ok(conversationsApi.snooze, { params, body: { until, version: 2 } })
    ahead(60 * 48)
    await business.db((db) => wakeConversationTx(db, customerId))
    resetClock()
    expect((await get(talk)).state).toBe('snoozed')
    expect((await bellOf(business)).filter(isBack)).toEqual([])
  })
})

it('a second rest until the same instant is told of as the first one was', async () => {
  const talk = await aTalk()
  const { api, customerId, business } = talk
  const params = { id: customerId }
  const until = { day: addDays(dayOf(clock.now(), zone), 5), minute: 480 }
  const restAndWake = async () => {
    const { version } = await get(talk)
    await api.ok(conversationsApi.snooze, { params, body: { until, version } })
    ahead(60 * 24 * 7)
    await business.db((db) => wakeConversationTx(db, customerId))
    resetClock()
  }
  await restAndWake()
  await restAndWake()
  expect((await bellOf(business)).filter(isBack)).toEqual([
    'The conversation with Ann Lee is back',
    'The conversation with Ann Lee is back',
  ])
})

describe('done', () => {
  it('is out of the way until the customer writes, and opens by hand', async () => {
    const talk = await aTalk()
    const { api, customerId, writes, business } = talk
    const params = { id: customerId }
    await api.ok(messagesApi.read, { body: { customerId } })
    const done = await api.ok(conversationsApi.close, { params, body: { version: 1 } })
    expect([done.state, done.closedByName, done.can]).toEqual([
      'done',
      business.owner.name,
      { assign: true, snooze: true, close: false, reopen: true },
    ])
    expect((await api.ok(conversationsApi.close, { params, body: { version: 1 } })).version).toBe(done.version)
    expect([await keysIn(talk, { state: 'open' }), await keysIn(talk, { state: 'done' })]).toEqual([[], [customerId]])
    // an invoice that leaves is no answer of theirs
    await api.ok(messagesApi.sendText, { params, body: { text: 'Bye' } })
    expect((await get(talk)).state).toBe('done')
    const opened = await api.ok(conversationsApi.reopen, { params, body: { version: done.version } })
    expect(opened.state).toBe('open')
    await api.ok(conversationsApi.close, { params, body: { version: opened.version } })
    await writes('One more thing')
    expect((await get(talk)).state).toBe('open')
    expect((await bellOf(business)).filter(isBack)).toEqual(['Ann Lee wrote: the conversation is open again'])
    const snoozed = await api.ok(conversationsApi.snooze, {
      params,
      body: { until: 'monday', version: (await get(talk)).version },
    })
    const shut = await api.ok(conversationsApi.close, { params, body: { version: snoozed.version } })
    expect([shut.state, shut.snoozedUntil]).toEqual(['done', null])
  })
})

it('what the customer writes while somebody presses is never buried: the press is over what was seen before', async () => {
  const talk = await aTalk()
  const { api, customerId, writes } = talk
  const params = { id: customerId }
  const { version } = await get(talk)
  await writes('And please bring mulch')
  const presses = [
    await api.call(conversationsApi.close, { params, body: { version } }),
    await api.call(conversationsApi.snooze, { params, body: { until: 'tomorrow', version } }),
  ]
  expect(presses.map(({ status }) => status)).toEqual([409, 409])
  expect(await get(talk)).toMatchObject({ state: 'open', version: version + 1 })
  await api.ok(conversationsApi.close, { params, body: { version: version + 1 } })
})

it('the first message of all makes a version too, which nobody has seen who looked before', async () => {
  const business = await aBusiness({ timeZone: zone })
  const { id } = await business.api.ok(customersApi.create, { body: { name: 'Bo Hart', phone: '+19125550102' } })
  const { version } = await business.api.ok(conversationsApi.get, { params: { id } })
  await receiveText(business.id, { from: '+19125550102', body: 'Hi', providerId: newId(), provider: 'test' })
  const press = await business.api.call(conversationsApi.close, { params: { id }, body: { version } })
  expect(press.status).toBe(409)
})

it('a lead who writes and is taken into a customer that is done opens it again', async () => {
  const business = await aBusiness({ timeZone: zone })
  const { api } = business
  const { id } = await api.ok(customersApi.create, { body: { name: 'Maya Brooks' } })
  await api.ok(conversationsApi.close, { params: { id }, body: { version: 0 } })
  const lead = await api.ok(leadsApi.create, { body: { name: 'Maya', source: 'call', phone: '+19125550103' } as never })
  await receiveText(business.id, { from: '+19125550103', body: 'A quote?', providerId: newId(), provider: 'test' })
  const { version: leadVersion } = await api.ok(leadsApi.get, { params: { id: lead.id } })
  await api.ok(leadsApi.convert, {
    params: { id: lead.id },
    body: { version: leadVersion, customerId: id, property: null },
  })
  expect((await api.ok(conversationsApi.get, { params: { id } })).state).toBe('open')
  expect((await bellOf(business)).filter(isBack)).toEqual(['Maya Brooks wrote: the conversation is open again'])
})

it('what is counted as unread is what the list of the unread shows, of every state; a mail to nobody is in neither', async () => {
  const empty = await aBusiness({ timeZone: zone })
  const pageOf = (one: Pick<Talk, 'api'>, query = {}) => one.api.ok(messagesApi.conversations, { query })
  expect((await pageOf(empty)).hasAny).toBe(false)
  const talk = await aTalk()
  const { api, customerId, business, writes } = talk
  await writes('Anybody?')
  await api.ok(conversationsApi.close, { params: { id: customerId }, body: { version: 2 } })
  await receiveText(business.id, { from: '+19125550999', body: 'Hi', providerId: newId(), provider: 'test' })
  await business.db((db) =>
    db
      .insertInto('messages')
      .values({
        businessId: business.id,
        id: newId(),
        channel: 'email',
        direction: 'inbound',
        purpose: 'reply',
        address: 'lead@test.swath.test',
        bodyText: 'Hello',
        dedupeKey: newId(),
        status: 'received',
      })
      .execute(),
  )
  const unread = await pageOf(talk, { unread: 'true', state: 'all' })
  expect(unread.items.map(({ key }) => key).sort()).toEqual(['+19125550999', customerId].sort())
  expect(unread).toMatchObject({ unreadCount: 3, unreadConversationCount: 2, hasAny: true })
  // done, and nothing open but the number: there are conversations all the same
  expect((await pageOf(talk, { state: 'open' })).hasAny).toBe(true)
})

describe('internal notes', () => {
  it('stand between the messages and in the timeline, leave to nobody, and are taken out by who wrote them', async () => {
    const talk = await aTalk()
    const { api, customerId, clerk, writes } = talk
    const params = { id: customerId }
    const note = await clerk.api.ok(conversationsApi.addNote, { params, body: { text: ' She has a new dog ' } })
    expect(note).toMatchObject({ text: 'She has a new dog', byName: 'Priya Raman', can: { remove: true } })
    await writes('Thanks')
    const thread = async (limit = 40) => api.ok(conversationsApi.thread, { params, query: { limit } })
    const words = (items: Awaited<ReturnType<typeof thread>>['items']) =>
      items.map((item) => (item.kind === 'note' ? `(${item.note.text})` : item.message.text))
    expect(words((await thread()).items)).toEqual(['Thanks', '(She has a new dog)', 'Hello?'])
    const first = await thread(2)
    const rest = await api.ok(conversationsApi.thread, { params, query: { limit: 2, cursor: first.nextCursor ?? '' } })
    expect([words(first.items), words(rest.items), rest.nextCursor]).toEqual([
      ['Thanks', '(She has a new dog)'],
      ['Hello?'],
      null,
    ])
    await runTasks()
    expect((await api.ok(messagesApi.list, { query: {} })).items.map(({ text }) => text)).toEqual(['Thanks', 'Hello?'])
    const { items } = await api.ok(timelineApi.list, { params, query: { kind: 'note' } })
    expect(items).toMatchObject([{ title: 'Note in the conversation', text: 'She has a new dog', who: 'Priya Raman' }])
    const others = await api.call(conversationsApi.removeNote, { params: { id: note.id } })
    expect([others.status, others.error.message]).toEqual([
      409,
      'Only who wrote a note takes it out. Nothing was changed.',
    ])
    await clerk.api.ok(conversationsApi.removeNote, { params: { id: note.id } })
    expect(words((await thread()).items)).toEqual(['Thanks', 'Hello?'])
    const empty = await api.call(conversationsApi.addNote, { params, body: { text: '  ' } })
    expect(empty.status).toBe(422)
  })
})

it("of another business's customer nothing is there, and nothing changes", async () => {
  const [own, other] = [await aBusiness(), await aTalk()]
  const params = { id: other.customerId }
  const body = { version: 1 }
  const answers = [
    await own.api.call(conversationsApi.get, { params }),
    await own.api.call(conversationsApi.thread, { params }),
    await own.api.call(conversationsApi.assign, { params, body: { userId: null, ...body } }),
    await own.api.call(conversationsApi.snooze, { params, body: { until: 'tomorrow', ...body } }),
    await own.api.call(conversationsApi.close, { params, body }),
    await own.api.call(conversationsApi.addNote, { params, body: { text: 'Hi' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
  expect(await get(other)).toMatchObject({ state: 'open', version: 1 })
})

it('a number that nobody knows stands among the open ones that are nobody’s', async () => {
  const talk = await aTalk()
  await receiveText(talk.business.id, { from: '+19125550999', body: 'Hi', providerId: newId(), provider: 'test' })
  expect(await keysIn(talk, { state: 'open', whose: 'nobody' })).toContain('+19125550999')
  expect(await keysIn(talk, { state: 'done' })).toEqual([])
})

it('two records of one customer are one conversation: notes move and come back, and nothing that waits is hidden', async () => {
  const talk = await aTalk()
  const { api, customerId: goneId, clerk } = talk
  const kept = await api.ok(customersApi.create, { body: { name: 'Ann Lee-Moss' } })
  await api.ok(conversationsApi.addNote, { params: { id: goneId }, body: { text: 'Prefers mornings' } })
  await api.ok(conversationsApi.assign, { params: { id: goneId }, body: { userId: clerk.userId, version: 1 } })
  await api.ok(conversationsApi.snooze, { params: { id: goneId }, body: { until: 'monday', version: 2 } })
  const gone = await api.ok(customersApi.get, { params: { id: goneId } })
  const { mergeId } = await api.ok(mergesApi.merge, {
    params: { id: kept.id },
    body: { goneId, version: kept.version, goneVersion: gone.version },
  })
  const notesOf = async (id: string) =>
    (await api.ok(conversationsApi.thread, { params: { id } })).items.filter(({ kind }) => kind === 'note').length
  expect(await api.ok(conversationsApi.get, { params: { id: kept.id } })).toMatchObject({
    state: 'open',
    assignee: { name: 'Priya Raman' },
  })
  expect([await notesOf(kept.id), await notesOf(goneId)]).toEqual([1, 0])
  await api.ok(mergesApi.undo, { params: { id: mergeId } })
  expect([await notesOf(kept.id), await notesOf(goneId)]).toEqual([0, 1])
})

const mergeInto = async ({ api }: Pick<Talk, 'api'>, keptId: string, goneId: string) => {
  const versionOf = async (id: string) => (await api.ok(customersApi.get, { params: { id } })).version
  await api.ok(mergesApi.merge, {
    params: { id: keptId },
    body: { goneId, version: await versionOf(keptId), goneVersion: await versionOf(goneId) },
  })
}

it('a done record does not swallow what waits in one that nobody touched', async () => {
  const talk = await aTalk()
  const { api, customerId: goneId, business } = talk
  // as one is that came in before conversations had rows
  await business.db((db) => db.deleteFrom('conversations').where('businessId', '=', business.id).execute())
  const kept = await api.ok(customersApi.create, { body: { name: 'Ann Lee-Moss' } })
  await api.ok(conversationsApi.close, { params: { id: kept.id }, body: { version: 0 } })
  await mergeInto(talk, kept.id, goneId)
  expect((await api.ok(conversationsApi.get, { params: { id: kept.id } })).state).toBe('open')
})

it('who left the office does not keep a merged conversation from who is still there', async () => {
  const talk = await aTalk()
  const { api, customerId: goneId, business, clerk } = talk
  const left = await aPerson(business.id, 'Admin', { name: 'Gone Girl' })
  const kept = await api.ok(customersApi.create, { body: { name: 'Ann Lee-Moss' } })
  await api.ok(conversationsApi.assign, { params: { id: kept.id }, body: { userId: left.userId, version: 0 } })
  await api.ok(conversationsApi.assign, { params: { id: goneId }, body: { userId: clerk.userId, version: 1 } })
  await business.db((db) =>
    db
      .updateTable('users')
      .set({ archivedAt: clock.iso() })
      .where('businessId', '=', business.id)
      .where('id', '=', left.userId)
      .execute(),
  )
  await mergeInto(talk, kept.id, goneId)
  expect((await api.ok(conversationsApi.get, { params: { id: kept.id } })).assignee?.name).toBe('Priya Raman')
})
