import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween } from '../../shared/dates.ts'
import {
  averageCents,
  bucketsOf,
  changePercent,
  changeText,
  columnsNote,
  isEmpty,
  jobsPerRoute,
  noFigures,
  pairUp,
  periodDays,
  periodLabel,
  periodOfRange,
  periods,
  perLaborHour,
  pointsText,
  ratesOf,
  spansOf,
  sumFigures,
  uncaptured,
  whySentence,
} from './rules.ts'

describe('a change', () => {
  it.each([
    [1124, 1000, 12.4, '+12.4%'],
    [0, 1000, -100, '-100.0%'],
    [1000, 1000, 0, '+0.0%'],
    [500, 0, null, 'n/a'],
    [0, 0, null, 'n/a'],
  ])('%i against %i is %s, shown as %s', (now, before, percent, text) => {
    expect(changePercent(now, before)).toBe(percent)
    expect(changeText(percent)).toBe(text)
  })
})

it.each([
  [6820, 3600, 6820],
  [5500, 899, null],
  [5500, 7200, 2750],
])('%i cents in %i labor seconds is %s an hour', (cents, seconds, expected) => {
  expect(perLaborHour(cents, seconds)).toBe(expected)
})

describe('periods', () => {
  it.each([
    ['7', 'week'],
    ['30', 'month'],
    ['365', 'year'],
    ['14', 'month'],
    ['', 'month'],
    [undefined, 'month'],
  ])('%s days is a %s', (range, period) => {
    expect(periodOfRange(range)).toBe(period)
  })
  it('end today, and the one before ends where they begin', () => {
    expect(periods.map((period) => [periodDays[period], periodLabel[period]])).toEqual([
      [7, 'Last 7 Days'],
      [30, 'Last 30 Days'],
      [365, 'Last 365 Days'],
    ])
    expect(spansOf('week', '2026-03-10')).toEqual({
      current: { from: '2026-03-04', to: '2026-03-10' },
      previous: { from: '2026-02-25', to: '2026-03-03' },
      lastYear: { from: '2025-03-04', to: '2025-03-10' },
    })
    // a leap day has no day a year ago: it is the one before
    expect(spansOf('month', '2028-02-29').lastYear.to).toBe('2027-02-28')
    expect(spansOf('year', '2026-03-10').lastYear).toEqual(spansOf('year', '2026-03-10').previous)
  })
  it('fall into columns without a gap and without a day twice', () => {
    fc.assert(
      fc.property(fc.constantFrom(...periods), fc.integer({ min: 0, max: 4000 }), (period, at) => {
        const { current } = spansOf(period, addDays('2024-01-01', at))
        const buckets = bucketsOf(period, current)
        expect(buckets[0]?.from).toBe(current.from)
        expect(new Set(buckets.map(({ label }) => label)).size).toBe(buckets.length)
        expect(buckets.at(-1)?.to).toBe(current.to)
        for (const [index, { from }] of buckets.slice(1).entries())
          expect(daysBetween(buckets[index]?.to ?? '', from)).toBe(1)
      }),
    )
    expect(bucketsOf('week', { from: '2026-03-04', to: '2026-03-10' }).map(({ label }) => label)).toEqual([
      'Wed',
      'Thu',
      'Fri',
      'Sat',
      'Sun',
      'Mon',
      'Tue',
    ])
  })
})

it('two columns are one where there is little room, and nothing is lost', () => {
  const rows = [1, 2, 3].map((cents) => ({ label: `${cents}`, cents }))
  expect(pairUp(rows)).toEqual([
    { label: '1', cents: 3 },
    { label: '3', cents: 3 },
  ])
  expect(columnsNote('month', false)).toBe('Each column is six days, named by the first.')
  expect(columnsNote('year', true)).toBe('Each column is two months, named by the first.')
  expect([columnsNote('week', true), columnsNote('year', false)]).toEqual([null, null])
})

describe('rates', () => {
  const figures = {
    ...noFigures,
    completions: 8,
    worthCents: 40_000,
    capturedCents: 10_050,
    laborSeconds: 36_000,
    driveLaborSeconds: 7200,
    // a visit without a clock brought 4,000 of it, and a drive of a quarter hour
    clockedWorthCents: 36_000,
    clockedLaborSeconds: 35_100,
    clockedDriveLaborSeconds: 6300,
    stops: 10,
    skips: 1,
    runs: 3,
    runStops: 10,
    drivenStops: 8,
    driveMeters: 16_093,
    invoices: 3,
    invoicesPaid: 2,
  }
  it('are shares with one decimal, and nothing where there is nothing to say it of', () => {
    expect(ratesOf(figures)).toEqual({
      captureRate: 25.1,
      paymentRate: 66.7,
      perLaborHourCents: 3692,
      drivePercent: 17.9,
      skipPercent: 10,
      stopsPerMile: 0.8,
    })
    expect(ratesOf(noFigures)).toEqual({
      captureRate: 0,
      paymentRate: 0,
      perLaborHourCents: null,
      drivePercent: null,
      skipPercent: null,
      stopsPerMile: null,
    })
    expect([jobsPerRoute(figures), jobsPerRoute(noFigures)]).toEqual([3.3, 0])
    expect([averageCents(100, 3), averageCents(100, 0)]).toEqual([33, 0])
    expect(uncaptured({ worthCents: { now: 5 }, capturedCents: { now: 2 } })).toBe(3)
    expect(sumFigures([figures, figures]).worthCents).toBe(80_000)
  })
  it('nothing happened only where nothing happened in any of the periods', () => {
    const none = { now: 0, before: 0, lastYear: 0 }
    expect(isEmpty({ completions: none, receivedCents: none, invoicedCents: none })).toBe(true)
    expect(isEmpty({ completions: { ...none, lastYear: 1 }, receivedCents: none, invoicedCents: none })).toBe(false)
  })
})

describe('what changed and why', () => {
  const part = (kind: 'crew' | 'service' | 'city', name: string, nowCents: number, beforeCents: number) => ({
    kind,
    name,
    nowCents,
    beforeCents,
  })
  const before = 'the 30 days before'
  it('names what did most of a rise, and of a fall', () => {
    const parts = [
      part('crew', 'North', 90_000, 50_000),
      part('service', 'Mowing', 80_000, 20_000),
      part('city', 'Pooler', 0, 10_000),
      part('crew', 'South', 60_000, 50_000),
      part('service', 'Mulch', 70_000, 80_000),
      part('city', 'Savannah', 150_000, 90_000),
    ]
    expect(whySentence({ nowCents: 150_000, beforeCents: 100_000 }, parts, before)).toBe(
      'Completed work comes to $500.00 more than in the 30 days before (+50.0%); the service Mowing did most of it with $600.00 more.',
    )
    expect(whySentence({ nowCents: 90_000, beforeCents: 100_000 }, parts, before)).toBe(
      'Completed work comes to $100.00 less than in the 30 days before (-10.0%); the city Pooler did most of it with $100.00 less.',
    )
  })
  it('says "most" only of at least half', () => {
    const third = (name: string, cents: number) => part('crew', name, cents, 0)
    expect(
      whySentence({ nowCents: 300, beforeCents: 0 }, [third('A', 110), third('B', 95), third('C', 95)], before),
    ).toBe(
      'Completed work comes to $3.00 more than in the 30 days before; the crew A did more of it than any other with $1.10 more.',
    )
    expect(whySentence({ nowCents: 300, beforeCents: 0 }, [third('A', 150), third('B', 150)], before)).toContain(
      'the crew A did most of it with $1.50 more',
    )
  })
  it('says so where nothing changed, nothing was there before, or nothing stands out', () => {
    expect(whySentence({ nowCents: 0, beforeCents: 0 }, [], before)).toBe(
      'No work was completed, and none in the 30 days before.',
    )
    expect(whySentence({ nowCents: 100, beforeCents: 100 }, [], before)).toContain('to the cent as much')
    // all of the work is of the one service
    expect(whySentence({ nowCents: 100, beforeCents: 0 }, [part('service', 'Mowing', 100, 0)], before)).toBe(
      'Completed work comes to $1.00 more than in the 30 days before.',
    )
  })
})

it('tells how far a share moved in points, never as a percentage of itself', () => {
  const points = (now: number | null, before: number | null) => pointsText({ now, before })
  expect([points(10.8, 11.2), points(3.1, 2.1), points(2.1, 2.1), points(1, null), points(0.5, 0)]).toEqual([
    ...['-0.4 points', '+1.0 point', '0.0 points', 'n/a', '+0.5 points'],
  ])
})
