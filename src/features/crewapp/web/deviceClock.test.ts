import { expect, it } from 'vitest'
import { createDeviceClock } from './deviceClock.ts'

const start = Date.parse('2026-06-12T12:00:00Z')
const aPhone = (aheadMs: number) => {
  const at = { true: start, ahead: aheadMs, slept: 0 }
  const phone = createDeviceClock({ wall: () => at.true + at.ahead, counting: () => at.true - start - at.slept })
  return { at, phone }
}
const hour = 3_600_000

it('knows nothing before the first answer', () => {
  expect(aPhone(hour).phone.known()).toBeUndefined()
})

it.each([
  ['an hour ahead', hour, -3600],
  ['an hour behind', -hour, 3600],
  ['right', 0, 0],
])('learns from an answer that it is %s', (_, aheadMs, behind) => {
  const { at, phone } = aPhone(aheadMs)
  const answered = phone.asking()
  at.true += 400
  answered(new Date(at.true - 200).toISOString())
  at.true += 2 * hour
  expect(phone.known()).toEqual({ behind, sure: true })
})

it('is not sure any more once the clock was set or the phone slept', () => {
  const { at, phone } = aPhone(hour)
  phone.asking()(new Date(at.true).toISOString())
  at.ahead = 0
  expect(phone.known()).toEqual({ behind: -3600, sure: false })
  at.ahead = hour
  at.true += hour
  at.slept = hour
  expect(phone.known()).toEqual({ behind: -3600, sure: false })
})

it('believes no answer that was long on its way, or while the clock was set', () => {
  const { at, phone } = aPhone(0)
  const slow = phone.asking()
  at.true += 30_000
  slow(new Date(at.true).toISOString())
  expect(phone.known()).toBeUndefined()
  const crossed = phone.asking()
  at.ahead = hour
  crossed(new Date(at.true).toISOString())
  expect(phone.known()).toBeUndefined()
})

it.each([
  ['an hour ahead', hour],
  ['an hour behind', -hour],
])(
  'shows our time on a phone that is %s, as soon as it has learned that, and its own again once it was set',
  (_, aheadMs) => {
    const { at, phone } = aPhone(aheadMs)
    let heard = 0
    const stop = phone.onLearned(() => {
      heard += 1
    })
    expect(phone.shown()).toBe(start + aheadMs)
    const answered = phone.asking()
    answered(new Date(at.true).toISOString())
    at.true += 60_000
    expect([heard, phone.shown()]).toEqual([1, at.true])
    at.ahead = 0
    expect(phone.shown()).toBe(at.true)
    stop()
    phone.asking()(new Date(at.true).toISOString())
    expect(heard).toBe(1)
  },
)

it('leaves a phone alone that is off by less than is put right', () => {
  const { at, phone } = aPhone(90_000)
  phone.asking()(new Date(at.true).toISOString())
  expect(phone.shown()).toBe(at.true + 90_000)
})
