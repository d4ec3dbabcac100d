import { describe, expect, it } from 'vitest'
import { capacityOf } from '../employees/staffing/rules.ts'
import { type Board, judgeMove, loadPercent, loadTone, type Movable } from './rules.ts'

const crew = { id: 'n', shiftStartMinute: 420, shiftEndMinute: 960, breakMinutes: 30 }
const off = (changes: object) => ({
  firstDay: '2026-06-08',
  lastDay: '2026-06-10',
  startMinute: null,
  endMinute: null,
  userId: null,
  crewId: null,
  ...changes,
})

describe('what a crew can do', () => {
  it.each([
    ['two people', ['a', 'b'], [], '2026-06-08', { capacityMinutes: 1020, people: 2, away: [] }],
    ['nobody counts as one', [], [], '2026-06-08', { capacityMinutes: 510, people: 1, away: [] }],
    ['one is off', ['a', 'b'], [off({ userId: 'a' })], '2026-06-10', { capacityMinutes: 510, people: 1, away: ['a'] }],
    ['the day after', ['a', 'b'], [off({ userId: 'a' })], '2026-06-11', { capacityMinutes: 1020, people: 2, away: [] }],
    [
      'off till ten',
      ['a', 'b'],
      [off({ userId: 'a', startMinute: 360, endMinute: 600 })],
      '2026-06-08',
      { capacityMinutes: 840, people: 2, away: [] },
    ],
    ['shop day of all', ['a', 'b'], [off({})], '2026-06-08', { capacityMinutes: 0, people: 0, away: ['a', 'b'] }],
    ['of another crew', ['a'], [off({ crewId: 'x' })], '2026-06-08', { capacityMinutes: 510, people: 1, away: [] }],
    ['time off of others', [], [off({ userId: 'z' })], '2026-06-08', { capacityMinutes: 510, people: 1, away: [] }],
  ])('%s', (_name, people, absences, day, expected) => {
    expect(capacityOf(crew, day, people, absences)).toEqual(expected)
  })

  it.each([
    [90, 'fits'],
    [91, 'tight'],
    [105, 'tight'],
    [106, 'over'],
  ])('%i percent is %s', (percent, tone) => {
    expect(loadTone(percent)).toBe(tone)
  })

  it('counts driving, and work without anybody is past every limit', () => {
    expect(loadPercent({ capacityMinutes: 200, workMinutes: 100, driveMinutes: 90 })).toBe(95)
    expect(loadTone(loadPercent({ capacityMinutes: 0, workMinutes: 1, driveMinutes: 0 }))).toBe('over')
    expect(loadPercent({ capacityMinutes: 0, workMinutes: 0, driveMinutes: 0 })).toBe(0)
  })
})

describe('what speaks against a move', () => {
  const board: Board = {
    calendar: {
      today: '2026-06-08',
      workDays: [1, 2, 3, 4, 5],
      holidays: ['2026-06-19'],
      crews: [
        { id: 'n', name: 'North', workDays: [1, 2, 3, 4, 5], daysOff: [{ day: '2026-06-10', reason: 'rain' }] },
        { id: 's', name: 'South', workDays: [1, 2, 3, 4, 5], daysOff: [] },
      ],
    },
    crews: [
      { id: 'n', name: 'North', shiftStartMinute: 420, shiftEndMinute: 960, skills: ['Ride-on'] },
      { id: 's', name: 'South', shiftStartMinute: 720, shiftEndMinute: 960, skills: [] },
    ],
    loadOf: (_day, crewId) =>
      crewId === 's' ? { capacityMinutes: 200, workMinutes: 180, driveMinutes: 10 } : undefined,
  }
  const visit: Movable = {
    id: 'v',
    day: '2026-06-09',
    crewId: 'n',
    budgetMinutes: 60,
    windowStartMinute: null,
    windowEndMinute: null,
    skills: [],
    minGapDays: 0,
    previousDay: null,
    nextDay: null,
    sameWork: [],
  }
  it.each([
    ['an open day', {}, { day: '2026-06-11', crewId: 'n' }, null, []],
    ['a holiday', {}, { day: '2026-06-19', crewId: 'n' }, /holiday/, []],
    ['a Sunday', {}, { day: '2026-06-14', crewId: null }, /Sundays/, []],
    ['rain', {}, { day: '2026-06-10', crewId: 'n' }, /North is off .* rain/, []],
    ['a day that is over', {}, { day: '2026-06-05', crewId: 'n' }, /is over/, []],
    ['its own closed day', { day: '2026-06-14' }, { day: '2026-06-14', crewId: null }, null, []],
    ['the same day off the crew', { day: '2026-06-10', crewId: 's' }, { day: '2026-06-10', crewId: 'n' }, /rain/, []],
    ['a full crew', {}, { day: '2026-06-11', crewId: 's' }, null, [/125%/]],
    ['its own full crew', { crewId: 's' }, { day: '2026-06-09', crewId: 's' }, null, []],
    ['a skill', { skills: ['Sprayer'] }, { day: '2026-06-11', crewId: 'n' }, null, [/Sprayer/]],
    ['a skill in capitals', { skills: ['ride-on '] }, { day: '2026-06-11', crewId: 'n' }, null, []],
    [
      'too near before',
      { minGapDays: 7, previousDay: '2026-06-05' },
      { day: '2026-06-11', crewId: 'n' },
      null,
      [/6 days/],
    ],
    ['too near after', { minGapDays: 3, nextDay: '2026-06-12' }, { day: '2026-06-11', crewId: 'n' }, null, [/1 day /]],
    ['far enough', { minGapDays: 6, previousDay: '2026-06-05' }, { day: '2026-06-11', crewId: 'n' }, null, []],
    [
      'another job that does the same that day, the nearest of them',
      {
        sameWork: [
          { day: '2026-06-18', jobNumber: 8 },
          { day: '2026-06-11', jobNumber: 7 },
        ],
      },
      { day: '2026-06-11', crewId: 'n' },
      null,
      [/^J-7 does the same work at this property on this day\.$/],
    ],
    [
      'the same work of another job too near, when it has a gap',
      { minGapDays: 5, sameWork: [{ day: '2026-06-15', jobNumber: 8 }] },
      { day: '2026-06-11', crewId: 'n' },
      null,
      [/J-8 .* on Mon, Jun 15; it wants 5 days between/],
    ],
    [
      'the same work of another job on its own day, only to another crew',
      { sameWork: [{ day: '2026-06-09', jobNumber: 7 }] },
      { day: '2026-06-09', crewId: 's' },
      null,
      [/%/],
    ],
    [
      'a window in the morning',
      { windowStartMinute: 480, windowEndMinute: 600, budgetMinutes: 0 },
      { day: '2026-06-11', crewId: 's' },
      null,
      [/8:00 AM to 10:00 AM/],
    ],
  ])('%s', (_name, changes, to, stops, warns) => {
    const verdict = judgeMove({ ...visit, ...changes }, to, board)
    if (stops) expect(verdict.stops).toMatch(stops)
    else expect(verdict.stops).toBeNull()
    expect(verdict.warns).toHaveLength(warns.length)
    for (const [i, warn] of warns.entries()) expect(verdict.warns[i]).toMatch(warn)
  })

  it('a window is held against the shift of that weekday', () => {
    const onDay = { ...board, crewOn: () => ({ shiftStartMinute: 480, shiftEndMinute: 720, skills: [] }) }
    const afternoon = { ...visit, windowStartMinute: 840, windowEndMinute: 900 }
    const to = { day: '2026-06-12', crewId: 'n' }
    expect(judgeMove(afternoon, to, onDay).warns).toEqual([
      'The customer wants 2:00 PM to 3:00 PM; North works 8:00 AM to 12:00 PM.',
    ])
    expect(judgeMove(afternoon, to, board).warns).toEqual([])
  })
})
