import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '../../../app-server.ts'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import type { Change } from '../../../shared/topics.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../test/field.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import { employeesApi } from '../../employees/contract.ts'
import { hearingOf } from './hearing.ts'

let own: TestBusiness
let server: Awaited<ReturnType<typeof buildServer>>
beforeAll(async () => {
  own = await aBusiness()
  server = await buildServer()
  await server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

/** A phone that listens; `until` gives what it heard up to a change of `topic`. */
const listening = async (token: string | null) => {
  const { port } = server.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/api/events/stream`, {
    headers: { authorization: `Bearer ${token}`, 'x-client-app': 'crew' },
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (topic: string): Promise<Change[]> => {
    for (;;) {
      const heard = [...text.matchAll(/event: change\ndata: (.*)\n\n/g)].map((m) => JSON.parse(m[1]!) as Change)
      const at = heard.findIndex((change) => change.topic === topic)
      if (at >= 0) {
        text = ''
        return heard.slice(0, at)
      }
      const { done, value } = await reader.read()
      if (done) throw new Error(`The stream ended; heard: ${text}`)
      text += value
    }
  }
  return { until, close: () => reader.cancel() }
}

test('a phone hears of the visits of its own crews, and nothing when another crew taps', async () => {
  const [ann, bob] = [await own.employee(), await own.employee()]
  const mine = await aCrew(own, { name: 'A', members: [ann] })
  const theirs = await aCrew(own, { name: 'B', members: [bob] })
  const { visitId } = await aVisit(own, { crewId: mine })
  await publishDay(own, mine)
  await runTasks()
  // what the making of this day says is over before anybody listens
  const [office, a, b] = [
    await listening(own.api.token),
    await listening(ann.api.token),
    await listening(bob.api.token),
  ]
  await own.db((db) => publishChange(db, 'business'))
  for (const phone of [office, a, b]) await phone.until('business')

  const tap = (type: 'start' | 'finish') =>
    ann.api.ok(crewappApi.commands, {
      body: { commands: [{ id: newId(), type, visitId, at: clock.iso(), payload: {} }], sentAt: clock.iso() },
    })
  await tap('start')
  await tap('finish')
  await runTasks()
  await own.db((db) => publishChange(db, 'invoices'))
  await own.db((db) => publishChange(db, 'services'))
  const toldOffice = (await office.until('services')).map((change) => change.topic)
  expect(toldOffice).toEqual(expect.arrayContaining(['visits', 'invoices']))
  const toldOwn = await a.until('services')
  expect(toldOwn.map((change) => change.topic)).toContain('visits')
  expect(toldOwn.map((change) => change.topic)).not.toContain('invoices')
  expect(await b.until('services')).toEqual([])

  // moved to that crew, it hears of its visits from then on
  const { items } = await own.api.ok(employeesApi.crews, { query: {} })
  await own.api.ok(employeesApi.updateCrew, {
    params: { id: mine },
    body: {
      version: items.find((crew) => crew.id === mine)?.version ?? 0,
      memberUserIds: [ann.userId, bob.userId],
      membersFrom: today(),
    },
  })
  await b.until('crews')
  await aVisit(own, { crewId: mine })
  await own.db((db) => publishChange(db, 'visits', [], { days: [today()], crewIds: [mine] }))
  await own.db((db) => publishChange(db, 'visits', [], { days: [today()], crewIds: [theirs] }))
  await own.db((db) => publishChange(db, 'services'))
  expect((await b.until('services')).some((change) => change.crewIds.includes(mine))).toBe(true)
  for (const phone of [office, a, b]) await phone.close()
})

test('a phone hears what is said to its person, its crew and everybody, and nothing of other conversations', async () => {
  const ann = await own.employee()
  const mine = await aCrew(own, { name: 'D', members: [ann] })
  const hearing = hearingOf({ businessId: own.id, userId: ann.userId })
  await hearing.renew()
  const heard = (ids: string[]) => hearing.hears({ topic: 'chat', ids, days: [], crewIds: [], by: null })
  expect([heard([ann.userId]), heard([mine]), heard([])]).toEqual([true, true, true])
  // another person, another crew, and who has read what everybody reads
  expect([heard([newId()]), heard([own.id])]).toEqual([false, false])
})

test('a phone hears of the own clock, which a leader or the office may have moved, and of nobody else’s', async () => {
  const ann = await own.employee()
  const hearing = hearingOf({ businessId: own.id, userId: ann.userId })
  const heard = (ids: string[]) => hearing.hears({ topic: 'timeclock', ids, days: [], crewIds: [], by: null })
  expect([heard([newId(), ann.userId]), heard([]), heard([newId()])]).toEqual([true, true, false])
})

test('whose crews could not be read is read again, and hears no other crew from then on', async () => {
  const ann = await own.employee()
  const [mine, theirs] = [await aCrew(own, { name: 'C', members: [ann] }), newId()]
  const hearing = hearingOf({ businessId: own.id, userId: ann.userId })
  const of = (crewId: string): Change => ({ topic: 'visits', ids: [], days: [today()], crewIds: [crewId], by: null })
  setClock(() => {
    throw new Error('The database is away.')
  })
  await hearing.renew()
  resetClock()
  expect([hearing.hears(of(mine)), hearing.hears(of(theirs))]).toEqual([true, true])
  await hearing.renewIfUnknown()
  expect([hearing.hears(of(mine)), hearing.hears(of(theirs))]).toEqual([true, false])
})

test('a change of crews is read once for all phones of a business', async () => {
  const phones = [await own.employee(), await own.employee()].map(({ userId }) =>
    hearingOf({ businessId: own.id, userId }),
  )
  let reads = 0
  setClock(() => {
    reads += 1
    return new Date()
  })
  await Promise.all(phones.map((phone) => phone.renew()))
  resetClock()
  expect(reads).toBe(1)
  expect(
    phones.map((phone) => phone.hears({ topic: 'visits', ids: [], days: [], crewIds: [newId()], by: null })),
  ).toEqual([false, false])
})
