import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, type Day, daysBetween, isDay } from '../../../shared/dates.ts'
import { isTerminal } from '../../visits/rules.ts'
import { type ProgramStep, sixRounds, spacingProblemOf, windowsOf } from '../programs/rules.ts'
import { type LineVisit, type Step, seasonOf, type UndatedLine } from './rules.ts'

const runs = process.env.SWATH_TEST_LONG ? 400 : 60

const linesOf = (steps: readonly Pick<ProgramStep, 'name' | 'from' | 'to' | 'minGapDays'>[], year: number) =>
  steps.map((step, at): UndatedLine & { undated: Step } => ({
    id: `line${at}`,
    visit: null,
    undated: {
      kind: 'step',
      name: step.name,
      minGapDays: step.minGapDays,
      ...(windowsOf([...steps], year)[at] as { opensOn: Day; closesOn: Day }),
    },
  }))

type Opened = { lineId: string; on: Day; day: Day }
/**
 * Lives through a season day by day, the night before the day's work.
 * @param acts what is done on a day with a visit that is due: done, skipped, or nothing
 */
const live = (
  lines: (UndatedLine & { undated: Step })[],
  from: Day,
  days: number,
  act: (day: Day, lineId: string) => 'done' | 'skip' | 'wait',
) => {
  const opened: Opened[] = []
  const missed: { lineId: string; day: Day }[] = []
  const done: { lineId: string; day: Day }[] = []
  let ids = 0
  for (let n = 0, day = from; n < days; n++, day = addDays(from, n)) {
    for (let turn = 0; ; turn++) {
      expect(turn, `${day} does not come to rest`).toBeLessThan(40)
      const { deeds } = seasonOf(lines, day)
      if (deeds.length === 0) break
      for (const deed of deeds) {
        const line = lines.find((one) => one.id === deed.lineId)
        if (!line) continue
        if (deed.do === 'open') {
          expect(line.visit, 'a round is opened once').toBeNull()
          line.visit = { id: `v${++ids}`, status: 'unscheduled', day: null, finishedOn: null }
          opened.push({ lineId: line.id, on: deed.on, day })
        } else if (deed.do === 'miss' && line.visit) {
          line.visit = { ...line.visit, status: 'missed' }
          missed.push({ lineId: line.id, day })
        } else line.visit = null
      }
    }
    for (const line of lines) {
      if (line.visit?.status !== 'unscheduled') continue
      const what = act(day, line.id)
      if (what === 'wait') continue
      line.visit = {
        ...line.visit,
        status: what === 'done' ? 'completed' : 'skipped',
        day,
        finishedOn: day,
      } as LineVisit
      if (what === 'done') done.push({ lineId: line.id, day })
    }
  }
  return { opened, missed, done }
}

describe('a season of six rounds', () => {
  it('opens each with its window, and the next one no sooner than the gap after the last was done', () => {
    const lines = linesOf(sixRounds, 2026)
    const { opened, missed } = live(lines, '2026-01-01', 365, (day) => (day.endsWith('-20') ? 'done' : 'wait'))
    expect(missed).toEqual([])
    expect(opened.map(({ lineId, on }) => [lineId, on])).toEqual([
      ['line0', '2026-02-15'],
      ['line1', '2026-04-10'],
      ['line2', '2026-06-01'],
      ['line3', '2026-07-18'],
      ['line4', '2026-09-05'],
      ['line5', '2026-10-25'],
    ])
  })

  it('whatever the crews do: no round before its window, gaps are kept, none is opened twice, and every one comes to an end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2024, max: 2032 }),
        fc.array(fc.constantFrom<'done' | 'skip' | 'wait'>('done', 'skip', 'wait', 'wait', 'wait', 'wait'), {
          minLength: 500,
          maxLength: 500,
        }),
        (year, tape) => {
          let at = 0
          const lines = linesOf(sixRounds, year)
          const { opened, missed, done } = live(lines, `${year}-01-01`, 400, () => tape[at++ % tape.length] ?? 'wait')
          expect(new Set(opened.map((one) => one.lineId)).size).toBe(opened.length)
          expect(opened).toHaveLength(6)
          for (const { lineId, day } of done) {
            const own = lines.find((one) => one.id === lineId)?.undated as Step
            expect(day >= own.opensOn && day <= own.closesOn, `${lineId} on ${day}`).toBe(true)
          }
          for (const [n, one] of done.entries()) {
            const before = done[n - 1]
            const gap = lines.find((line) => line.id === one.lineId)?.undated.minGapDays ?? 0
            if (before) expect(daysBetween(before.day, one.day)).toBeGreaterThanOrEqual(gap)
          }
          for (const { lineId, day } of missed)
            expect(day > (lines.find((one) => one.id === lineId)?.undated.closesOn ?? '')).toBe(true)
          expect(lines.every((line) => line.visit && isTerminal(line.visit.status))).toBe(true)
        },
      ),
      { numRuns: runs },
    )
  })

  it('a round that the one ahead holds up too long is missed, too', () => {
    const lines = linesOf(sixRounds, 2026)
    const first = lines[0] as UndatedLine
    first.visit = { id: 'v', status: 'in_progress', day: '2026-02-20', finishedOn: null }
    expect(seasonOf(lines, '2026-05-31').deeds).toEqual([])
    expect(seasonOf(lines, '2026-06-01').deeds).toEqual([{ lineId: 'line1', do: 'open', on: '2026-04-10' }])
  })

  it('one that is to be done late takes the open one behind it back, and that waits for the gap', () => {
    const lines = linesOf(sixRounds, 2026)
    const [first, second] = lines as [UndatedLine & { undated: Step }, UndatedLine]
    first.visit = { id: 'a', status: 'missed', day: null, finishedOn: null }
    second.visit = { id: 'b', status: 'unscheduled', day: null, finishedOn: null }
    expect(seasonOf(lines, '2026-04-12').deeds).toEqual([])
    first.visit = { ...first.visit, status: 'unscheduled' }
    first.undated = { ...first.undated, late: true }
    expect(seasonOf(lines, '2026-04-12').deeds).toEqual([{ lineId: 'line1', do: 'withdraw', visitId: 'b' }])
    second.visit = null
    first.visit = { id: 'a', status: 'completed', day: '2026-04-14', finishedOn: '2026-04-14' }
    expect(seasonOf(lines, '2026-05-18').deeds).toEqual([])
    expect(seasonOf(lines, '2026-05-19').deeds).toEqual([{ lineId: 'line1', do: 'open', on: '2026-05-19' }])
  })

  it('one that has a day ahead is left alone past its window; one whose day went by is missed', () => {
    const lines = linesOf(sixRounds, 2026)
    const first = lines[0] as UndatedLine
    first.visit = { id: 'a', status: 'scheduled', day: '2026-04-09', finishedOn: null }
    expect(seasonOf(lines, '2026-04-09').deeds).toEqual([])
    expect(seasonOf(lines, '2026-04-10').deeds).toEqual([{ lineId: 'line0', do: 'miss', visitId: 'a' }])
  })
})

describe('windows', () => {
  it('on February 29 open no day early and close no day late, in leap years and others', () => {
    const steps = [
      { from: '02-01', to: '02-29' },
      { from: '02-29', to: '03-20' },
    ]
    expect(windowsOf(steps, 2027)).toEqual([
      { opensOn: '2027-02-01', closesOn: '2027-02-28' },
      { opensOn: '2027-03-01', closesOn: '2027-03-20' },
    ])
    expect(windowsOf(steps, 2028)).toEqual([
      { opensOn: '2028-02-01', closesOn: '2028-02-29' },
      { opensOn: '2028-02-29', closesOn: '2028-03-20' },
    ])
  })
  it('go over New Year, and what begins earlier in the year than the round before is in the next one', () => {
    expect(
      windowsOf(
        [
          { from: '11-01', to: '01-15' },
          { from: '02-01', to: '03-01' },
        ],
        2026,
      ),
    ).toEqual([
      { opensOn: '2026-11-01', closesOn: '2027-01-15' },
      { opensOn: '2027-02-01', closesOn: '2027-03-01' },
    ])
  })
  it('are days of the calendar, in order, in any year', () => {
    const monthDay = fc
      .date({ min: new Date('2024-01-01T00:00:00Z'), max: new Date('2024-12-31T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(5, 10))
    fc.assert(
      fc.property(
        fc.array(fc.record({ from: monthDay, to: monthDay }), { maxLength: 12 }),
        fc.integer({ min: 2000, max: 2100 }),
        (steps, year) => {
          const windows = windowsOf(steps, year)
          for (const [at, { opensOn, closesOn }] of windows.entries()) {
            expect(isDay(opensOn) && isDay(closesOn)).toBe(true)
            expect(daysBetween(opensOn, closesOn)).toBeGreaterThanOrEqual(0)
            expect(opensOn >= (windows[at - 1]?.opensOn ?? '')).toBe(true)
          }
        },
      ),
      { numRuns: runs },
    )
  })
  it('a gap that no day of the window keeps is told', () => {
    expect(spacingProblemOf(sixRounds)).toBeNull()
    expect(
      spacingProblemOf([
        { from: '03-01', to: '04-01', minGapDays: 0 },
        { from: '03-10', to: '04-10', minGapDays: 60 },
      ])?.step,
    ).toBe(1)
  })
})

describe('the waiting list', () => {
  const waiting = (visit: LineVisit | null): UndatedLine => ({
    id: 'w',
    visit,
    undated: { kind: 'waiting', fromOn: '2026-05-04', warnOn: '2026-05-18' },
  })
  const open: LineVisit = { id: 'v', status: 'unscheduled', day: null, finishedOn: null }
  it('stands from its start, is late past its warning, and comes once', () => {
    expect(seasonOf([waiting(null)], '2026-05-03')).toMatchObject({ deeds: [], nextOn: '2026-05-04' })
    expect(seasonOf([waiting(null)], '2026-05-04').deeds).toEqual([{ lineId: 'w', do: 'open', on: '2026-05-04' }])
    expect(seasonOf([waiting(open)], '2026-05-18').standings.get('w')).toMatchObject({ state: 'due', daysLate: 0 })
    expect(seasonOf([waiting(open)], '2026-05-20').standings.get('w')).toMatchObject({ state: 'due', daysLate: 2 })
    expect(seasonOf([waiting({ ...open, status: 'completed', day: '2026-05-21' })], '2026-06-01').deeds).toEqual([])
  })
})
