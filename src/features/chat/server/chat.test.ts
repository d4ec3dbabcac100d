import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, today } from '../../../test/field.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import { employeesApi } from '../../employees/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { chatApi } from '../contract.ts'
import { mostAMinute, mostCharacters } from '../rules.ts'

let business: TestBusiness
let luis: Person
let ana: Person
let crewId: string

beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  ana = await business.employee({ name: 'Ana Ruiz' })
  crewId = await aCrew(business, { name: 'North', members: [luis] })
})
afterEach(resetClock)

type Words = { text?: string; aboutVisitId?: string; photoIds?: string[] }
const aMessage = (threadId: string, payload: Words = {}, id: string = newId(), at = clock.iso()) => ({
  id,
  type: 'chat' as const,
  at,
  payload: { threadId, text: 'Which gate?', ...payload },
})
const sendFrom = async (person: Person, ...commands: ReturnType<typeof aMessage>[]) =>
  (await person.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })).results
const say = async (person: Person, threadId: string, payload: Words = {}) => {
  const [reply] = await sendFrom(person, aMessage(threadId, payload))
  if (!reply?.said) throw new Error(`Not said: ${reply?.reason}`)
  return reply.said
}
const write = (threadId: string, text: string, more: object = {}) =>
  business.api.ok(chatApi.send, { params: { threadId }, body: { text, ...more } })
const read = (person: { api: Person['api'] }, threadId: string, upTo: number, more: object = {}) =>
  person.api.ok(chatApi.read, { params: { threadId }, body: { upTo, ...more } })
const textsOf = async (person: { api: Person['api'] }, threadId: string) =>
  (await person.api.ok(chatApi.messages, { params: { threadId }, query: {} })).items.map(({ text }) => text)
const threadsOf = async (person: { api: Person['api'] }) => (await person.api.ok(chatApi.threads, { query: {} })).items
const photo = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#3c8f4f' } })
    .jpeg()
    .toBuffer()
const later = (ms: number) => {
  const at = clock.nowMs() + ms
  setClock(() => new Date(at))
}

/** What was said so far was said yesterday. */
const aDayPasses = () =>
  business.db((db) =>
    db
      .updateTable('chatMessages')
      .set({ onDay: addDays(today(), -1) })
      .where('businessId', '=', business.id)
      .execute(),
  )

it('is said by many at once, more than there are connections, without one waiting for another', async () => {
  const texts = Array.from({ length: 24 }, (_, at) => `Number ${at}`)
  await Promise.all(texts.map(() => threadsOf(business)))
  await Promise.all(texts.map((text) => write(ana.userId, text)))
  expect((await textsOf(business, ana.userId)).sort()).toEqual(texts.sort())
})

describe('a message of a phone', () => {
  it('reaches the office once, by its own id, in order, with when it was written', async () => {
    const earlier = new Date(clock.nowMs() - 3 * 3_600_000).toISOString()
    const first = aMessage(luis.userId, { text: ' Gate is locked.\r\nWhat now? ' }, newId(), earlier)
    const second = aMessage(luis.userId, { text: 'Never mind' })
    const results = await sendFrom(luis, first, second)
    expect(results.map(({ result }) => result)).toEqual(['applied', 'applied'])
    const again = await sendFrom(luis, first, second)
    expect(again.map(({ result }) => result)).toEqual(['duplicate', 'duplicate'])
    expect(again[0]?.said).toEqual(results[0]?.said)
    const { items, thread } = await business.api.ok(chatApi.messages, { params: { threadId: luis.userId }, query: {} })
    expect(items.map(({ text, number }) => [number, text])).toEqual([
      [2, 'Never mind'],
      [1, 'Gate is locked.\nWhat now?'],
    ])
    expect(items[1]).toMatchObject({ id: first.id, at: earlier, by: { name: 'Luis Ortega', office: false } })
    expect(thread).toMatchObject({ name: 'Luis Ortega', kind: 'person', unreadCount: 2, can: { write: true } })
    expect((await business.api.ok(notificationsApi.navCounts, {})).communications).toBe(2)
  })

  it('goes to the own thread and the own crew, and nowhere else', async () => {
    const otherCrew = await aCrew(business, { name: 'South', members: [ana] })
    const places = [luis.userId, crewId, ana.userId, otherCrew, business.id, business.owner.userId, newId()]
    const results = await sendFrom(luis, ...places.map((id) => aMessage(id)))
    expect(results.map(({ result, reason }) => reason ?? result)).toEqual([
      'applied',
      'applied',
      ...Array(5).fill('chat_closed'),
    ])
    expect((await luis.api.call(chatApi.send, { params: { threadId: luis.userId }, body: { text: 'x' } })).status).toBe(
      403,
    )
    expect(await threadsOf(ana)).toMatchObject([
      { lastNumber: 0 },
      { name: 'South', lastNumber: 0 },
      { kind: 'everybody' },
    ])
    for (const id of [luis.userId, crewId]) {
      expect((await ana.api.call(chatApi.messages, { params: { threadId: id }, query: {} })).status).toBe(404)
      expect((await ana.api.call(chatApi.read, { params: { threadId: id }, body: { upTo: 1 } })).status).toBe(404)
    }
  })

  it('has an end and a beginning: nothing empty, nothing endless, not under the id of another', async () => {
    const said = await write(luis.userId, 'Hello')
    const results = await sendFrom(luis, aMessage(luis.userId, { text: '  ' }), aMessage(luis.userId, {}, said.id))
    expect(results.map(({ reason }) => reason)).toEqual(['invalid', 'invalid'])
    const long = await business.api.call(chatApi.send, {
      params: { threadId: luis.userId },
      body: { text: 'x'.repeat(mostCharacters + 1) },
    })
    expect([long.status, long.error.errors?.[0]?.message]).toEqual([422, 'A message has at most 2,000 characters.'])
    const empty = await business.api.call(chatApi.send, { params: { threadId: luis.userId }, body: { text: ' ' } })
    expect([empty.status, empty.error.errors?.[0]?.path]).toEqual([422, 'text'])
    expect(await textsOf(business, luis.userId)).toEqual(['Hello'])
  })

  it('waits on the phone when it is one of too many, and what came before it is kept', async () => {
    const messages = Array.from({ length: mostAMinute + 1 }, (_, n) => aMessage(luis.userId, { text: `${n}` }))
    expect(await sendFrom(luis, ...messages)).toHaveLength(mostAMinute)
    const commands = messages.slice(-1)
    const answer = await luis.api.call(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })
    expect([answer.status, answer.error.code]).toEqual([429, 'too_many_requests'])
    later(61_000)
    const results = await sendFrom(luis, ...messages.slice(-2))
    expect(results.map(({ result }) => result)).toEqual(['duplicate', 'applied'])
  })

  it('can be about a visit of the own crew; another one is left out, and the words count', async () => {
    const mine = await aVisit(business, { crewId, street: '7 Bay St' })
    const theirs = await aVisit(business, { street: '8 Bay St' })
    expect((await say(luis, luis.userId, { aboutVisitId: mine.visitId })).visit).toEqual({
      id: mine.visitId,
      street: '7 Bay St',
      day: today(),
    })
    expect((await say(luis, luis.userId, { aboutVisitId: theirs.visitId })).visit).toBeNull()
    expect((await write(luis.userId, 'Go there', { visitId: theirs.visitId })).visit?.street).toBe('8 Bay St')
    const foreign = await (await aBusiness()).api.call(chatApi.send, {
      params: { threadId: luis.userId },
      body: { text: 'x' },
    })
    expect(foreign.status).toBe(404)
    const unknown = { params: { threadId: luis.userId }, body: { text: 'x', visitId: newId() } }
    expect((await business.api.call(chatApi.send, unknown)).status).toBe(404)
  })

  it('takes its photos after its words, each once, from its author only', async () => {
    const [id, other] = [newId(), newId()]
    const said = await say(luis, luis.userId, { text: '', photoIds: [id] })
    expect([said.photos, said.text]).toEqual([[{ id, url: null }], ''])
    const [row] = (await threadsOf(business)) ?? []
    expect(row?.last?.text).toBe('Photo')
    const add = async (person: Person, photoId: string) =>
      person.api.call(chatApi.addPhoto, {
        params: { messageId: said.id },
        query: { id: photoId },
        body: await photo(),
      })
    expect((await add(ana, id)).status).toBe(404)
    expect((await add(luis, other)).status).toBe(404)
    const kept = await add(luis, id)
    expect(kept.status).toBe(200)
    expect((await add(luis, id)).body).toEqual(kept.body)
    const url = kept.body.photos[0]?.url ?? ''
    expect((await business.api.raw({ method: 'GET', url })).status).toBe(200)
    expect((await threadsOf(business))[0]?.version).toBe((row?.version ?? 0) + 1)
  })
})

describe('a thread', () => {
  it('of a crew shows what was said while somebody was on it; the office reads all', async () => {
    await write(crewId, 'before Ana')
    const { items } = await business.api.ok(employeesApi.crews, { query: {} })
    const version = items.find(({ id }) => id === crewId)?.version ?? 0
    await aDayPasses()
    await business.api.ok(employeesApi.updateCrew, {
      params: { id: crewId },
      body: { version, memberUserIds: [ana.userId], membersFrom: today() },
    })
    await write(crewId, 'after Luis')
    expect(await textsOf(ana, crewId)).toEqual(['after Luis'])
    expect(await textsOf(luis, crewId)).toEqual(['before Ana'])
    expect(await textsOf(business, crewId)).toEqual(['after Luis', 'before Ana'])
    const left = (await threadsOf(luis)).find(({ id }) => id === crewId)
    expect(left).toMatchObject({ can: { write: false }, last: { text: 'before Ana' }, unreadCount: 1 })
    expect((await sendFrom(luis, aMessage(crewId)))[0]?.reason).toBe('chat_closed')
    // reading it does not read what came after
    expect((await read(luis, crewId, 99)).unreadCount).toBe(0)
  })

  it('to everybody is written by the office and read by all who worked here then', async () => {
    await business.db((db) =>
      db
        .updateTable('users')
        .set({ createdAt: new Date(clock.nowMs() - 30 * 86_400_000).toISOString() })
        .where('businessId', '=', business.id)
        .execute(),
    )
    await write(business.id, 'Rain tomorrow')
    await aDayPasses()
    const newcomer = await business.employee({ name: 'Sam Okafor' })
    expect([await textsOf(luis, business.id), await textsOf(newcomer, business.id)]).toEqual([['Rain tomorrow'], []])
    expect((await threadsOf(luis)).at(-1)).toMatchObject({ kind: 'everybody', unreadCount: 1, can: { write: false } })
    const [message] = (await business.api.ok(chatApi.messages, { params: { threadId: business.id }, query: {} })).items
    await read(luis, business.id, 1)
    const reads = await business.api.ok(chatApi.reads, { params: { messageId: message?.id ?? '' } })
    expect([reads.read.map(({ name }) => name), reads.waiting]).toEqual([['Luis Ortega'], ['Ana Ruiz', 'Sam Okafor']])
    // who else read it is not told to the crews
    const seen = await luis.api.ok(chatApi.messages, { params: { threadId: business.id }, query: {} })
    expect(seen.items[0]).toMatchObject({ readCount: 0, readBy: [] })
  })

  it('of a crew that somebody left is gone after 30 days, also by its address', async () => {
    const path = { params: { threadId: crewId }, query: {} }
    const leftOn = (ago: number) =>
      business.db((db) =>
        db
          .updateTable('crewMembers')
          .set({ validFrom: addDays(today(), -90), validTo: addDays(today(), -ago) })
          .where('businessId', '=', business.id)
          .where('userId', '=', luis.userId)
          .execute(),
      )
    await write(crewId, 'Hello North')
    await leftOn(30)
    expect((await luis.api.call(chatApi.messages, path)).status).toBe(200)
    await leftOn(31)
    expect((await luis.api.call(chatApi.messages, path)).status).toBe(404)
    expect((await luis.api.call(chatApi.read, { params: path.params, body: { upTo: 1 } })).status).toBe(404)
    expect((await threadsOf(luis)).some(({ id }) => id === crewId)).toBe(false)
  })

  it('of somebody who left stays to be read, and nobody writes there', async () => {
    await say(luis, luis.userId)
    await business.api.ok(employeesApi.deactivate, { params: { id: luis.userId } })
    const { items, thread } = await business.api.ok(chatApi.messages, { params: { threadId: luis.userId }, query: {} })
    expect([items.length, thread.gone, thread.can.write]).toEqual([1, true, false])
    const answer = await business.api.call(chatApi.send, { params: { threadId: luis.userId }, body: { text: 'x' } })
    expect([answer.status, answer.error.message]).toEqual([409, thread.closed])
    expect(thread.closed).toContain('Luis Ortega does not work here any more.')
    const people = await business.api.ok(chatApi.people, { query: {} })
    expect(people.items.map(({ name }) => name)).toEqual(['Everybody', 'North', 'Ana Ruiz'])
  })

  it('goes page by page, the newest first, and no message comes twice', async () => {
    for (let n = 1; n <= 5; n++) await write(luis.userId, `${n}`)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await luis.api.ok(chatApi.messages, {
        params: { threadId: luis.userId },
        query: { limit: 2, ...(cursor ? { cursor } : {}) },
      })
      seen.push(...page.items.map(({ text }) => text))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(['5', '4', '3', '2', '1'])
    await write(crewId, 'crew')
    const first = await business.api.ok(chatApi.threads, { query: { limit: 1 } })
    const second = await business.api.ok(chatApi.threads, { query: { limit: 1, cursor: first.nextCursor ?? '' } })
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['North', 'Luis Ortega'])
    expect((await business.api.ok(chatApi.threads, { query: { search: 'nor' } })).items).toHaveLength(1)
  })
})

describe('reading', () => {
  it('says who read a message and when it was first read, to the other side', async () => {
    await write(luis.userId, 'one')
    await write(luis.userId, 'two')
    const at = clock.nowMs()
    await read(luis, luis.userId, 1, { secondsAgo: 600 })
    await read(luis, luis.userId, 2)
    await read(luis, luis.userId, 1)
    const { items } = await business.api.ok(chatApi.messages, { params: { threadId: luis.userId }, query: {} })
    expect(items.map(({ readBy }) => readBy[0]?.name)).toEqual(['Luis', 'Luis'])
    const [two, one] = items.map(({ readBy }) => Date.parse(readBy[0]?.at ?? ''))
    expect((two ?? 0) - (one ?? 0)).toBeGreaterThan(590_000)
    expect(one).toBeLessThan(at)
    // colleagues in the office are no receipt of what the office wrote
    await read(business, luis.userId, 2)
    const [again] = (await business.api.ok(chatApi.messages, { params: { threadId: luis.userId }, query: {} })).items
    expect(again?.readCount).toBe(1)
  })

  it('by one of the office takes a message off the list of all of them, and the notice off their bells', async () => {
    const admin = await business.admin()
    const said = await say(luis, luis.userId, { text: 'The mower does not start' })
    await runTasks()
    expect((await business.api.ok(notificationsApi.list, {})).notifications).toEqual([])
    const { remindOfficeTx } = await import('./commands.ts')
    const look = () => business.db((db) => remindOfficeTx(db, luis.userId))
    await look()
    expect((await business.api.ok(notificationsApi.list, {})).unreadCount).toBe(0)
    later(5 * 60_000)
    await look()
    await look()
    const [notice, ...more] = (await admin.api.ok(notificationsApi.list, {})).notifications
    expect([more, notice?.title, notice?.content, notice?.path]).toEqual([
      [],
      'Luis Ortega wrote to the office',
      'The mower does not start',
      linkTo.chat(luis.userId),
    ])
    await read(business, luis.userId, said.number)
    expect((await admin.api.ok(notificationsApi.list, {})).unreadCount).toBe(0)
    expect((await admin.api.ok(chatApi.threads, { query: { unread: 'true' } })).items).toEqual([])
    expect((await admin.api.ok(notificationsApi.navCounts, {})).communications).toBe(0)
    const [mine] = (await luis.api.ok(chatApi.messages, { params: { threadId: luis.userId }, query: {} })).items
    expect(mine?.readBy).toEqual([{ name: 'Owner', at: expect.any(String) }])
  })

  it('of a crew counts for each person alone, without what they wrote themselves', async () => {
    const crew = await aCrew(business, { name: 'East', members: [luis, ana] })
    await say(luis, crew, { text: 'On my way' })
    const unread = async (person: Person) => (await threadsOf(person)).find(({ id }) => id === crew)?.unreadCount
    expect([await unread(luis), await unread(ana)]).toEqual([0, 1])
    await read(ana, crew, 1)
    expect([await unread(luis), await unread(ana)]).toEqual([0, 0])
    expect((await business.api.ok(chatApi.threads, { query: {} })).unreadCount).toBe(1)
  })
})

it('a day is one of the business: who joins a crew tomorrow does not read today', async () => {
  await business.db((db) =>
    db
      .insertInto('crewMembers')
      .values({ businessId: business.id, id: newId(), crewId, userId: ana.userId, validFrom: addDays(today(), 1) })
      .execute(),
  )
  await write(crewId, 'today')
  expect(await textsOf(ana, crewId)).toEqual([])
  expect((await threadsOf(ana)).some(({ id }) => id === crewId)).toBe(false)
})
