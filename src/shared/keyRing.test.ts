import { describe, expect, test } from 'vitest'
import { ApiError } from './client.ts'
import { createKeyRing } from './keyRing.ts'

const aRing = () => {
  let [made, clock] = [0, 0]
  const ring = createKeyRing(
    () => `key-${++made}`,
    () => clock,
  )
  const later = (ms: number) => {
    clock += ms
  }
  const send = async (content: unknown, fails?: unknown): Promise<string> => {
    let used = ''
    later(5_000)
    await ring
      .run(content, async (key) => {
        used = key
        if (fails) throw fails
      })
      .catch((error) => expect(error).toBe(fails))
    return used
  }
  return { ring, send, later }
}
const failure = (status: number) => new ApiError(status === 0 ? 'network' : 'internal', 'no', status)

describe('the key of what a form sends', () => {
  test.each([0, 500, 502, 503])('stays after %i: the answer may be lost', async (status) => {
    const { send } = aRing()
    expect([await send({ a: 1 }, failure(status)), await send({ a: 1 }), await send({ a: 1 })]).toEqual([
      'key-1',
      'key-1',
      'key-2',
    ])
  })

  test.each([400, 401, 409, 422, 429])('ends with %i: nothing was done', async (status) => {
    const { send } = aRing()
    expect([await send({ a: 1 }, failure(status)), await send({ a: 1 })]).toEqual(['key-1', 'key-2'])
  })

  test('is another for other contents, and the same again for the same that was lost before', async () => {
    const { send } = aRing()
    const lost = failure(0)
    expect([
      await send({ a: 1 }, lost),
      await send({ a: 2 }, lost),
      await send({ a: 1 }),
      await send({ a: 2 }),
    ]).toEqual(['key-1', 'key-2', 'key-1', 'key-2'])
  })

  test('is the same for a doubled click', async () => {
    const { ring, later } = aRing()
    const used: string[] = []
    let answer = () => {}
    const answered = new Promise<void>((done) => {
      answer = done
    })
    const click = () =>
      ring.run('pay', async (key) => {
        used.push(key)
        await answered
      })
    const both = [click(), click()]
    answer()
    await Promise.all(both)
    later(5_000)
    await ring.run('pay', async (key) => void used.push(key))
    expect(used).toEqual(['key-1', 'key-1', 'key-2'])
  })

  test('is the same for the second half of a double click that comes behind the answer', async () => {
    const { ring, later } = aRing()
    const used: string[] = []
    const click = (content: string) => ring.run(content, async (key) => void used.push(key))
    await click('add')
    later(300)
    await click('add')
    later(300)
    await click('add')
    later(500)
    await click('add')
    expect(used).toEqual(['key-1', 'key-1', 'key-1', 'key-2'])
  })

  test('ends when something else is sent: pause, go on and pause again are three', async () => {
    const { ring } = aRing()
    const used: string[] = []
    for (const verb of ['pause', 'resume', 'pause']) await ring.run(verb, async (key) => void used.push(key))
    expect(used).toEqual(['key-1', 'key-2', 'key-3'])
  })
})
