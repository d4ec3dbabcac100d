import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../shared/dates.ts'
import {
  dayWeather,
  dayWords,
  type Hour,
  heatIndexF,
  iconOf,
  type Limits,
  rainWords,
  spansOf,
  spanWords,
  treatmentWarnings,
} from './rules.ts'

const limits: Limits = { rainHundredthsInch: 10, rainChancePercent: 60, sprayWindMph: 10, treatHeatIndexF: 90 }
const work = { fromMinute: 420, toMinute: 960 }
const calm = { rainHundredths: 0, chancePercent: 5, windMph: 4, heatIndexF: 75, marked: null }
const day = (changes: Record<number, Partial<Hour>> = {}): Hour[] =>
  Array.from({ length: 24 }, (_, hour) => ({ ...calm, ...changes[hour], hour }))

describe('a day', () => {
  it.each([
    ['nothing', {}, false, []],
    ['a tenth of an inch at small odds', { 13: { rainHundredths: 6 }, 14: { rainHundredths: 4 } }, true, [13, 15]],
    ['less than a tenth', { 13: { rainHundredths: 5 }, 14: { rainHundredths: 4 } }, false, [13, 15]],
    ['an hour as likely as sixty', { 13: { chancePercent: 60 } }, true, [13, 14]],
    ['an hour less likely', { 13: { chancePercent: 59 } }, false, []],
    [
      'rain before and after work',
      { 3: { rainHundredths: 90, chancePercent: 99 }, 20: { chancePercent: 99 } },
      false,
      [],
    ],
    ['an hour marked by hand', { 9: { marked: true } }, true, [9, 10]],
    ['rain that a hand denies', { 9: { marked: false, chancePercent: 99, rainHundredths: 50 } }, false, []],
  ])('with %s', (_, changes, suggests, wet) => {
    const found = dayWeather(day(changes), limits, work)
    expect(found.suggests).toBe(suggests)
    expect(found.wet.flatMap((s) => [s.fromMinute / 60, s.toMinute / 60])).toEqual(wet)
    expect(iconOf(found)).toBe(suggests ? 'rain' : 'dry')
  })

  it('loses only what lies in the work hours, and knows wind and heat', () => {
    const found = dayWeather(
      day({
        6: { chancePercent: 90 },
        7: { chancePercent: 90 },
        9: { windMph: 11 },
        10: { windMph: 10 },
        15: { heatIndexF: 90 },
      }),
      limits,
      { fromMinute: 450, toMinute: 930 },
    )
    expect(found.wet).toEqual([{ fromMinute: 450, toMinute: 480 }])
    expect(found.lostMinutes).toBe(30)
    expect(found.windy).toEqual([{ fromMinute: 540, toMinute: 600 }])
    expect(found.hot).toEqual([{ fromMinute: 900, toMinute: 930 }])
  })

  it('never loses more than it has, and spans never touch', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 23 })), fc.integer({ min: 0, max: 1400 }), (wet, from) => {
        const within = { fromMinute: from, toMinute: Math.min(1440, from + 540) }
        const marked = day(Object.fromEntries(wet.map((hour) => [hour, { marked: true }])))
        const { lostMinutes } = dayWeather(marked, limits, within)
        expect(lostMinutes).toBeGreaterThanOrEqual(0)
        expect(lostMinutes).toBeLessThanOrEqual(within.toMinute - within.fromMinute)
        const spans = spansOf(wet)
        for (const [i, span] of spans.entries()) expect(span.fromMinute).toBeGreaterThan(spans[i - 1]?.toMinute ?? -1)
        expect(spans.reduce((sum, s) => sum + s.toMinute - s.fromMinute, 0)).toBe(wet.length * 60)
      }),
    )
  })
})

describe('words', () => {
  it('say when, how much of the day, and how many visits', () => {
    const wet = [{ fromMinute: 780, toMinute: 960 }]
    expect(rainWords({ wet, lostMinutes: 180, workMinutes: 540, visits: 14 })).toBe(
      'rain 1 PM to 4 PM, 3 of 9 hours, 14 visits',
    )
    expect(rainWords({ wet: [{ fromMinute: 450, toMinute: 480 }], lostMinutes: 30, workMinutes: 60, visits: 1 })).toBe(
      'rain 7:30 AM to 8 AM, 0.5 of 1 hour, 1 visit',
    )
    expect(spanWords([{ fromMinute: 420, toMinute: 480 }, { fromMinute: 540, toMinute: 600 }, ...wet])).toBe(
      '7 AM to 8 AM, 9 AM to 10 AM and 1 PM to 4 PM',
    )
    const today = '2028-02-28'
    expect([0, 1, 2].map((n) => dayWords(addDays(today, n), today, addDays(today, 1)))).toEqual([
      'Today',
      'Tomorrow',
      'Wed, Mar 1',
    ])
  })

  it('warn of a treatment for the hours it takes, and for rain until two hours after', () => {
    const hours = day({ 10: { windMph: 14 }, 11: { heatIndexF: 97 }, 14: { chancePercent: 80 } })
    const at = (from: number, to: number) =>
      treatmentWarnings(hours, limits, { fromMinute: from * 60, toMinute: to * 60 })
    expect(at(8, 10)).toEqual([])
    expect(at(9.5, 10.5)).toEqual(['Treatment in wind of 14 mph.'])
    expect(at(11, 12)).toEqual(['Treatment at a heat index of 97 °F.'])
    expect(at(12, 12.25)).toEqual(['Treatment with rain around 2:00 PM.'])
    expect(at(15, 16)).toEqual([])
  })
})

it('knows the heat index as the weather service computes it', () => {
  // its own chart: https://www.weather.gov/safety/heat-index
  expect([heatIndexF(90, 70), heatIndexF(96, 50), heatIndexF(86, 90), heatIndexF(100, 40)]).toEqual([
    106, 108, 105, 109,
  ])
  expect(heatIndexF(60, 50)).toBeLessThan(62)
})
