import { expect, it } from 'vitest'
import { type ClockPair, createDeviceClock } from './deviceClock.ts'

const start = Date.parse('2026-06-12T12:00:00Z')
const aPhone = (aheadMs: number) => {
  const at = { true: start, ahead: aheadMs, slept: 0 }
  let kept: ClockPair | null = null
  const open = () => {
    const openedAt = at.true
    return createDeviceClock({
      wall: () => at.true + at.ahead,
      counting: () => at.true - openedAt - at.slept,
      shelf: {
        read: () => kept,
        write: (pair) => {
          kept = pair
        },
      },
    })
  }
  return { at, phone: open(), open, kept: () => kept }
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
  expect(phone.known()).toEqual({ behind: -3600, sure: false, likely: true })
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

it.each([
  ['an hour ahead', hour],
  ['an hour behind', -hour],
])('a phone that is %s, opened again without a signal, shows our time and is not sure of it', (_, aheadMs) => {
  const { at, phone, open } = aPhone(aheadMs)
  phone.asking()(new Date(at.true).toISOString())
  at.true += 3 * hour
  const again = open()
  expect(again.shown()).toBe(at.true)
  at.true += 8 * 60_000
  expect(again.shown()).toBe(at.true)
  expect(again.known()).toEqual({ behind: -aheadMs / 1000, sure: false, likely: true })
  at.ahead = 0
  again.asking()(new Date(at.true).toISOString())
  expect([again.shown(), again.known()]).toEqual([at.true, { behind: 0, sure: true }])
  expect(open().shown()).toBe(at.true)
})

it('forgets what was kept once the clock was set back while the app was closed', () => {
  const { at, phone, open, kept } = aPhone(hour)
  phone.asking()(new Date(at.true).toISOString())
  at.true += 3 * hour
  // it was looked at until now, so the hour that is missing is seen
  phone.shown()
  at.ahead = 0
  at.true += 20 * 60_000
  expect([open().shown(), open().known(), kept()]).toEqual([at.true, undefined, null])
})

it.each([
  ['an hour ahead', hour],
  ['an hour behind', -hour],
])(
  'drops what was kept as soon as a clock that was %s is put right in sight, and does not take it up again',
  (_, aheadMs) => {
    const { at, phone, open, kept } = aPhone(aheadMs)
    phone.asking()(new Date(at.true).toISOString())
    at.true += hour
    const again = open()
    expect(again.shown()).toBe(at.true)
    at.ahead = 0
    expect([again.shown(), again.known(), kept()]).toEqual([at.true, undefined, null])
    expect(open().shown()).toBe(at.true)
  },
)

it('goes on showing our time on a phone that is ahead and slept', () => {
  const { at, phone } = aPhone(hour)
  phone.asking()(new Date(at.true).toISOString())
  at.true += hour
  at.slept = hour
  expect(phone.shown()).toBe(at.true)
})
