import { describe, expect, it } from 'vitest'
import { arrivalWindow, changesWords, clockWords, dayWords, linkIsOver, liveWindow, mayTellMoveNow } from './rules.ts'

describe('an arrival window', () => {
  it('is never narrower than the error, for any start and error, and stands on half hours', () => {
    for (let start = 0; start < 1440; start += 7)
      for (const error of [0, 1, 14, 15, 29, 30, 31, 44, 90, 121]) {
        const { from, to } = arrivalWindow(start, error)
        expect(from <= Math.max(0, start - error) && to >= Math.min(1440, start + error)).toBe(true)
        expect(to - from).toBeGreaterThanOrEqual(30)
        expect([from % 30, to % 30]).toEqual([0, 0])
      }
  })

  it.each([
    [540, 40, 480, 600],
    [545, 40, 480, 600],
    [540, null, 420, 660],
    [540, 0, 540, 570],
    [10, 60, 0, 90],
    [1430, 60, 1350, 1440],
  ])('of %i off by %s is %i to %i', (start, error, from, to) => {
    expect(arrivalWindow(start, error)).toEqual({ from, to })
  })

  it('moves with a late crew, and has nothing that has passed', () => {
    expect(liveWindow(540, 30, { lateMinutes: 60, nowMinute: 480 })).toEqual({ from: 570, to: 630 })
    expect(liveWindow(540, 30, { lateMinutes: -20, nowMinute: 600 })).toEqual({ from: 600, to: 630 })
    expect(liveWindow(540, 30, { lateMinutes: 0, nowMinute: 1439 })).toEqual({ from: 1410, to: 1440 })
  })
})

it('a clock and a day in both languages', () => {
  expect([clockWords(0), clockWords(570), clockWords(720), clockWords(1440)]).toEqual([
    '12 AM',
    '9:30 AM',
    '12 PM',
    '12 AM',
  ])
  expect([dayWords('2028-02-29', 'en'), dayWords('2028-02-29', 'es')]).toEqual(['Tue, Feb 29', 'mar, 29 de feb'])
})

describe('a move', () => {
  it('is told as what it is', () => {
    const of = (told: string | null, now: string | null, canceled = false) => ({ told, now, canceled })
    expect(changesWords([of('2026-06-09', '2026-06-10')], 'en')).toBe('your visit of Tue, Jun 9 is now on Wed, Jun 10')
    expect(changesWords([of('2026-06-09', null), of(null, '2026-06-10')], 'en')).toBe(
      'we cannot come on Tue, Jun 9; we will tell you the new day; your visit is now on Wed, Jun 10',
    )
    expect(changesWords([of('2026-06-09', null, true)], 'es')).toBe('su visita del mar, 9 de jun fue cancelada')
    // two visits that move together are one sentence
    expect(changesWords([of('2026-06-09', '2026-06-10'), of('2026-06-09', '2026-06-10')], 'en')).not.toMatch(/;/)
  })

  it.each([
    [false, '2026-06-20', '2026-06-22', true],
    [true, '2026-06-20', '2026-06-22', false],
    [true, '2026-06-09', '2026-06-22', true],
    [true, '2026-06-20', '2026-06-10', true],
  ])('told today already: %s; from %s to %s: now %s', (toldToday, told, now, may) => {
    expect(mayTellMoveNow([{ told, now, canceled: false }], { today: '2026-06-09', toldToday })).toBe(may)
  })
})

it('a link is over some days after its visit, on no day before', () => {
  expect([linkIsOver('2028-02-26', '2028-03-02'), linkIsOver('2028-02-26', '2028-03-03')]).toEqual([false, true])
})
