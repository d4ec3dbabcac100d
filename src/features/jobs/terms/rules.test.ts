import { expect, it } from 'vitest'
import { jobOn, type TermLine, type Terms, termParts, termsAfter } from './rules.ts'

const line = (changes: Partial<TermLine> = {}): TermLine => ({
  id: 'a',
  serviceId: 'mow',
  description: '',
  quantity: 1,
  unitPriceCents: 5800,
  nextUnitPriceCents: null,
  nextPriceOn: null,
  budgetMinutes: 30,
  recurrence: null,
  onceOn: null,
  undated: null,
  position: 0,
  ...changes,
})
const terms = (lines: TermLine[], changes: Partial<Terms> = {}): Terms => ({
  ...{ crewId: null, billing: 'per_visit', lines },
  ...changes,
})
const [today, may, june] = ['2026-04-06', '2026-05-01', '2026-06-01']

it('a change from today leaves nothing behind; one from a later day leaves what it was', () => {
  const [was, is] = [terms([line()]), terms([line({ budgetMinutes: 40 })])]
  expect(termsAfter([], was, is, today, today)).toEqual([])
  expect(termsAfter([], was, is, june, today)).toEqual([{ ...was, until: june }])
})

it('a price that the line itself knows from its day needs nothing beside it', () => {
  const raised = terms([line({ nextUnitPriceCents: 6000, nextPriceOn: june })])
  expect(termsAfter([], terms([line()]), raised, june, today)).toEqual([])
  // A third price does.
  const third = terms([line({ unitPriceCents: 6500 })])
  expect(
    termsAfter([], terms([line({ nextUnitPriceCents: 6000, nextPriceOn: may })]), third, june, today),
  ).toHaveLength(1)
})

it('a change before another one reaches what was to come with its own part only', () => {
  const [now, later] = [terms([line()]), terms([line({ serviceId: 'hedge' }), line({ id: 'b' })])]
  const ahead = termsAfter([], now, later, june, today)
  const crew = termsAfter(ahead, later, { ...later, crewId: 'north' }, today, today)
  expect(crew).toEqual([{ ...now, crewId: 'north', until: june }])
  const longer = terms(later.lines.map((one) => ({ ...one, budgetMinutes: 45 })))
  expect(termsAfter(ahead, later, longer, may, today)).toEqual([
    { ...now, until: may },
    { ...terms([line({ budgetMinutes: 45 })]), until: june },
  ])
  // What ends from May on ends in what held until June, too; what begins in June is not asked about.
  expect(termsAfter(ahead, later, terms([line({ id: 'b' })]), may, today)).toEqual([
    { ...now, until: may },
    { ...terms([]), until: june },
  ])
})

it('what is over is kept no longer', () => {
  const old = [{ ...terms([line()]), until: today }]
  expect(termsAfter(old, terms([line()]), terms([line()], { billing: 'flat' }), today, today)).toEqual([])
})

it('days are cut where terms change, and each day has its own', () => {
  const own = terms([line({ budgetMinutes: 50 })])
  const job = {
    ...own,
    earlier: [
      { ...terms([line()]), until: may },
      { ...terms([]), until: june },
    ],
  }
  expect(termParts(job, today, '2026-07-01').map((part) => [part.from, part.to, part.job.lines.length])).toEqual([
    [today, '2026-04-30', 1],
    [may, '2026-05-31', 0],
    [june, '2026-07-01', 1],
  ])
  expect(termParts(job, '2026-05-10', '2026-05-20').map((part) => [part.from, part.to])).toEqual([
    ['2026-05-10', '2026-05-20'],
  ])
  expect(jobOn(job, '2026-04-30').lines[0]?.budgetMinutes).toBe(30)
  expect(jobOn(job, june)).toBe(job)
})
