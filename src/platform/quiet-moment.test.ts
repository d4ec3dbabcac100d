import { expect, it } from 'vitest'
import { arePeopleWaiting, beginAnswering, inBackground, letPeopleFirst } from './quiet-moment.ts'

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
  await inBackground(letPeopleFirst)
  end()
})
