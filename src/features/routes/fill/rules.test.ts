import { describe, expect, it } from 'vitest'
import { byWorth, type FillFacts, fillRefusal } from './rules.ts'

const day = '2026-02-28'
const facts = (changes: Partial<FillFacts> = {}): FillFacts => ({
  visitId: 'a',
  jobId: 'j',
  opensOn: null,
  closesOn: null,
  isRound: false,
  daysLate: 0,
  budgetMinutes: 60,
  priceCents: 6000,
  minGapDays: 0,
  previousDay: null,
  nextDay: null,
  works: [],
  sameWork: null,
  ...changes,
})

describe('what a day never takes', () => {
  it.each([
    [{}, null],
    [{ isRound: true, opensOn: '2026-03-01' }, 'Its window opens on Sun, Mar 1.'],
    [{ isRound: true, opensOn: day, closesOn: day }, null],
    [
      { isRound: true, closesOn: '2026-02-27' },
      'Its window closed on Fri, Feb 27. Place it by hand if it is still to be done.',
    ],
    [{ opensOn: '2026-03-02' }, 'It waits until Mon, Mar 2.'],
    [{ sameWork: { day, jobNumber: 7 } }, 'J-7 does the same work at this property on this day.'],
    [
      { sameWork: { day: '2026-03-02', jobNumber: 7 }, minGapDays: 5 },
      'J-7 does the same work at this property on Mon, Mar 2; it wants 5 days between.',
    ],
    [{ sameWork: { day: '2026-03-02', jobNumber: 7 } }, null],
    [{ closesOn: '2026-02-20' }, null],
    [{ minGapDays: 5, previousDay: '2026-02-23' }, null],
    [{ minGapDays: 5, previousDay: '2026-02-24' }, 'Only 4 days from its visit on Tue, Feb 24; it wants 5.'],
    [{ minGapDays: 5, nextDay: '2026-03-04' }, 'Only 4 days from its visit on Wed, Mar 4; it wants 5.'],
    [{ minGapDays: 5, previousDay: day }, 'Its job has another visit that day; it wants 5 days between.'],
  ])('%j: %s', (changes, expected) => {
    expect(fillRefusal(facts(changes), day)).toBe(expected)
  })
})

describe('the best work', () => {
  const order = (...list: (Partial<FillFacts> & { drive?: number })[]) =>
    list
      .map(({ drive = 0, ...changes }) => ({ facts: facts(changes), addedDriveSeconds: drive }))
      .sort(byWorth(day))
      .map((one) => one.facts.visitId)
  it('is what is late longest, then what closes soon, then what pays most for its time and its driving', () => {
    expect(
      order(
        { visitId: 'cheap', priceCents: 2000 },
        { visitId: 'far', priceCents: 6000, drive: 3600 },
        { visitId: 'near', priceCents: 6000, drive: 60 },
        { visitId: 'closing', closesOn: '2026-03-03', priceCents: 100 },
        { visitId: 'next month', closesOn: '2026-03-28', priceCents: 100 },
        { visitId: 'late', daysLate: 2, priceCents: 100 },
        { visitId: 'later', daysLate: 9, priceCents: 100 },
      ),
    ).toEqual(['later', 'late', 'closing', 'near', 'far', 'cheap', 'next month'])
  })
})
