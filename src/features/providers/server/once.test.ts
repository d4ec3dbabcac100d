import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { playTwilio, postSignedForm } from '../../../test/twilio.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { businessOutbox } from '../../messages/server/delivery/commands.ts'
import { receiveText } from '../../messages/server/inbound/commands.ts'
import { sendFromOutbox } from '../../messages/server/outbox/commands.ts'

// What must never happen with texts, in its short form; `npm run faults -- messages` is the long one, which kills processes.

let provider: Awaited<ReturnType<typeof playTwilio>>
beforeAll(async () => {
  provider = await playTwilio()
  // Noon in New York: texts may leave.
  setClock(() => new Date('2026-06-12T16:00:00Z'))
})
beforeEach(() => {
  provider.answer = undefined
  provider.taken.length = 0
})
afterAll(() => {
  resetClock()
  provider.stop()
})

const phoneOf = (n: number): string => `+1912556${String(n).padStart(4, '0')}`
const queue = (own: TestBusiness, address: string, text = 'We come Friday.') =>
  own.db((db) =>
    queueMessage(db, { channel: 'sms', purpose: 'transactional', address, dedupeKey: newId(), text, userId: null }),
  )
const queueMany = async (own: TestBusiness, count: number, first: number): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await queue(own, phoneOf(first + n)))
  return ids
}
const states = async (own: TestBusiness): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await own.db((db) =>
        db.selectFrom('messages').select(['id', 'status']).where('businessId', '=', own.id).orderBy('id').execute(),
      )
    ).map(({ id, status }) => [id, status]),
  )
const takenIds = (): string[] =>
  provider.taken.map(({ form }) => new URL(form.get('StatusCallback') ?? '').searchParams.get('m') ?? '')

it('eight workers who are each given all texts again and again hand over every one once', async () => {
  const own = await aBusiness({ timeZone: 'America/New_York' })
  const ids = await queueMany(own, 24, 0)
  const worker = async (turn: number) => {
    for (let again = 0; again < 2; again++)
      for (let n = 0; n < ids.length; n++)
        await sendFromOutbox(businessOutbox(own.id), ids[(n * 7 + turn * 5) % ids.length] ?? '')
  }
  await Promise.all([...Array.from({ length: 7 }, (_, turn) => worker(turn)), runTasks()])
  expect(takenIds().sort()).toEqual([...ids].sort())
  expect(new Set(Object.values(await states(own)))).toEqual(new Set(['sent']))
})

it('a worker that dies between the yes of the provider and our word of it leaves a text that nobody sends again', async () => {
  const own = await aBusiness({ timeZone: 'America/New_York' })
  const [id = ''] = await queueMany(own, 1, 100)
  const storage = businessOutbox(own.id)
  let transactions = 0
  const dying: typeof storage = {
    ...storage,
    // the second one would note what the provider said
    transaction: (work) => {
      transactions += 1
      return transactions > 1 ? Promise.reject(new Error('killed')) : storage.transaction(work)
    },
  }
  await expect(sendFromOutbox(dying, id)).rejects.toThrow('killed')
  expect([provider.taken.length, (await states(own))[id]]).toEqual([1, 'sending'])
  // its task is given back, and so it is once more
  for (let again = 0; again < 3; again++) await sendFromOutbox(storage, id)
  await runTasks()
  expect([provider.taken.length, (await states(own))[id]]).toEqual([1, 'unknown'])
})

it('a STOP during the sending lets nothing leave that was not leaving when it was obeyed', async () => {
  const own = await aBusiness({ timeZone: 'America/New_York' })
  const phones = Array.from({ length: 12 }, (_, n) => phoneOf(200 + n))
  const ids: string[] = []
  for (const phone of phones) for (let n = 0; n < 6; n++) ids.push(await queue(own, phone, `No. ${n}`))
  // slow enough that every STOP comes while something to its number is leaving or waits
  provider.answer = async () => {
    await sleep(4)
    return false
  }
  // the first four numbers are written to while they stop, the fifth only after that: however fast the machine is, both happen
  const fifth = Promise.withResolvers<void>()
  const worker = async (turn: number) => {
    for (let n = turn; n < ids.length; n += 8) {
      if (n >= 24) await fifth.promise
      await sendFromOutbox(businessOutbox(own.id), ids[n] ?? '')
    }
  }
  let stopped = 0
  const stopping = async () => {
    for (const [index, from] of phones.entries()) {
      await receiveText(own.id, { from, body: 'Stop', provider: 'test', providerId: newId() })
      // in the same transaction: nothing waits any more, and what was leaving is all that ever left
      const rows = await own.db((db) =>
        db
          .selectFrom('messages')
          .select(['id', 'status'])
          .where('businessId', '=', own.id)
          .where('address', '=', from)
          .where('direction', '=', 'outbound')
          .execute(),
      )
      expect(rows.filter(({ status }) => status === 'pending' || status === 'held')).toEqual([])
      for (const { id, status } of rows) {
        if (status === 'suppressed') stopped += 1
        may.set(id, status !== 'suppressed')
      }
      if (index === 4) fifth.resolve()
    }
  }
  const may = new Map<string, boolean>()
  await Promise.all([...Array.from({ length: 8 }, (_, turn) => worker(turn)), stopping()])
  await runTasks()
  expect(takenIds().filter((id) => may.get(id) === false)).toEqual([])
  expect(new Set(takenIds()).size).toBe(takenIds().length)
  // it came in the middle, not before or after all of it
  expect(stopped).toBeGreaterThan(0)
  // written now, it does not leave either
  const [phone = ''] = phones
  const late = await queue(own, phone)
  await runTasks()
  expect((await states(own))[late]).toBe('suppressed')
})

/** The same shuffle for the same seed. */
const shuffled = <T>(list: readonly T[], seed: number): T[] => {
  let state = seed
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  return list
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)
}

it('what the provider says of texts ends in the same state, in whatever order and however often it comes', async () => {
  const own = await aBusiness({ timeZone: 'America/New_York' })
  const stories = [
    ['queued', 'sent', 'delivered'],
    ['queued', 'sent', 'undelivered'],
    ['accepted', 'queued', 'sending', 'sent'],
    ['sent', 'delivered', 'read', 'delivered'],
    ['queued', 'failed'],
  ]
  const expected = ['delivered', 'failed', 'sent', 'delivered', 'failed']
  for (const seed of [1, 2, 3]) {
    provider.taken.length = 0
    const ids = await queueMany(own, 10, 300 + 10 * seed)
    await runTasks()
    const callbacks = provider.taken.flatMap(({ sid, form }, n) => {
      const url = new URL(form.get('StatusCallback') ?? '')
      const words = stories[n % stories.length] ?? []
      return [...words, ...words].map((word) => ({ path: url.pathname + url.search, sid, word }))
    })
    const told = provider.taken.map(({ form }) => new URL(form.get('StatusCallback') ?? '').searchParams.get('m') ?? '')
    for (const [n, { path, sid, word }] of shuffled(callbacks, seed).entries()) {
      await postSignedForm(path, {
        MessageSid: sid,
        MessageStatus: word,
        ...(word === 'undelivered' || word === 'failed' ? { ErrorCode: '30008' } : {}),
      })
      if (n % 20 === 19) await Promise.all([runTasks(), runTasks()])
    }
    await runTasks()
    const now = await states(own)
    expect(told.map((id) => now[id])).toEqual(told.map((_, n) => expected[n % expected.length]))
    expect([...told].sort()).toEqual([...ids].sort())
  }
})
