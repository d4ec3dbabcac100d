import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { configureClient } from '../../../../shared/client.ts'
import { answerWith } from '../../../../ui/testing/show.tsx'
import { forgetCodesOf, keptCode } from './keptCodes.ts'
import { lookUpGateCode } from './reveal.ts'
import { forgetGateCodes, whileHere } from './shown.ts'

const visitId = '0197a000-0000-7000-8000-000000000001'
const look = (userId = 'luis') =>
  lookUpGateCode({
    userId,
    visitId,
    timeZone: 'America/New_York',
    isHere: whileHere(),
    note: async () => undefined,
  })
const kept = (userId = 'luis') => keptCode({ userId, visitId }, Date.now())

/** How much is in the store, sealed or not, whoever could open it. */
const left = async (): Promise<number> => {
  const db = await openDB('swath-gate', 1)
  const counts = [await db.count('keys'), await db.count('codes')]
  db.close()
  return counts.reduce((sum, count) => sum + count)
}

/** What leaving the phone does to codes (`forgetPerson`). */
const leave = async (userId = 'luis') => {
  forgetGateCodes()
  await forgetCodesOf((owner) => owner === userId)
}

beforeEach(() => void answerWith(() => ({ body: { code: '4711' } })))
afterEach(async () => {
  vi.restoreAllMocks()
  await forgetCodesOf(() => true)
})

// the tests after this one have a client of their own, and no store
afterAll(() => {
  configureClient({ baseUrl: '', retries: 3, fetch: (input, init) => fetch(input, init) })
  Reflect.deleteProperty(globalThis, 'indexedDB')
})

it('a code that was looked up is sealed on the phone for who looked', async () => {
  await look()
  expect([(await kept())?.code, await kept('ana')]).toEqual(['4711', null])
})

it('signed out while its answer is on its way: nothing of it stays', async () => {
  answerWith(async () => {
    await leave()
    return { body: { code: '4711' } }
  })
  expect((await look()).code).toBe('4711')
  expect(await kept()).toBeNull()
})

it.each(['generateKey', 'encrypt'] as const)(
  'signed out while it is being sealed (%s), and cleared up before it was there: it goes all the same',
  async (step) => {
    const own = crypto.subtle[step].bind(crypto.subtle) as (...what: unknown[]) => Promise<unknown>
    vi.spyOn(crypto.subtle, step).mockImplementation((async (...what: unknown[]) => {
      await leave()
      return own(...what)
    }) as never)
    expect((await look()).code).toBe('4711')
    expect(await kept()).toBeNull()
    expect(await left()).toBe(0)
  },
)

it('of somebody else on the same phone it stays', async () => {
  await look('ana')
  answerWith(async () => {
    await leave()
    return { body: { code: '4711' } }
  })
  await look()
  expect([await kept(), (await kept('ana'))?.code]).toEqual([null, '4711'])
})
