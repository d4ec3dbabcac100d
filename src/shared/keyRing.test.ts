import { describe, expect, test } from 'vitest'
import { ApiError } from './client.ts'
import { createKeyRing } from './keyRing.ts'

const aRing = () => {
  let made = 0
  const ring = createKeyRing(() => `key-${++made}`)
  const send = async (content: unknown, fails?: unknown): Promise<string> => {
    let used = ''
    await ring
      .run(content, async (key) => {
        used = key
        if (fails) throw fails
      })
      .catch((error) => expect(error).toBe(fails))
    return used
  }
  return { ring, send }
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
    const { ring } = aRing()
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
    await ring.run('pay', async (key) => void used.push(key))
    expect(used).toEqual(['key-1', 'key-1', 'key-2'])
  })
})
