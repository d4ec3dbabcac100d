import { afterEach, expect, it, vi } from 'vitest'
import { arePeopleWaiting, beginAnswering, endAnswering, inBackground, letPeopleFirst } from './quiet-moment.ts'

afterEach(() => vi.restoreAllMocks())

it('background work takes its next step between the requests of people, and what answers them waits for nobody', async () => {
  const end = beginAnswering()
  expect([arePeopleWaiting(), await inBackground(async () => arePeopleWaiting())]).toEqual([false, true])
  const order: string[] = []
  const work = inBackground(async () => {
    await letPeopleFirst()
    order.push('work')
  })
  await letPeopleFirst()
  order.push('answer')
  end()
  await work
  expect(order).toEqual(['answer', 'work'])
})

it('two who ask are two, and one answer is counted once', async () => {
  const [one, other] = [beginAnswering(), beginAnswering()]
  one()
  one()
  expect(await inBackground(async () => arePeopleWaiting())).toBe(true)
  other()
  expect(await inBackground(async () => arePeopleWaiting())).toBe(false)
})

it('a business that is never quiet has its work done, too', async () => {
  const end = beginAnswering()
  let waited = 0
  await inBackground(() =>
    letPeopleFirst(async (ms) => {
      waited += ms
    }),
  )
  end()
  expect(waited).toBe(100)
})

it('who has waited for a second holds no work back: a phone that uploads, or a page that never ends', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const waiting = () => inBackground(async () => arePeopleWaiting())
  const [slow, other] = [beginAnswering(), beginAnswering()]
  now.mockReturnValue(1000)
  expect(await waiting()).toBe(true)
  now.mockReturnValue(1001)
  expect(await waiting()).toBe(false)
  const young = beginAnswering()
  expect(await waiting()).toBe(true)
  young()
  slow()
  other()
  expect(await waiting()).toBe(false)
})

it('a stream that is open, and what a task asks itself, hold no work back', async () => {
  const reply = {}
  beginAnswering(reply)
  endAnswering(reply)
  const end = await inBackground(async () => beginAnswering())
  expect(await inBackground(async () => arePeopleWaiting())).toBe(false)
  end()
})
