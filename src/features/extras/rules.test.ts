import { describe, expect, it } from 'vitest'
import { visitStatuses } from '../visits/rules.ts'
import {
  extraRefusals,
  extraVerdict,
  mowingCents,
  overgrownCents,
  overgrownProblem,
  overgrownTitle,
  stepText,
  usualOvergrown,
  withdrawRefusal,
} from './rules.ts'

const tall = { id: 'tall', en: 'Tall grass', es: 'Pasto alto', percent: 50, cents: null }
const flat = { ...tall, percent: null, cents: 2000 }

it('a step adds percent of the mowing, half cents up, or its dollars whatever is mowed', () => {
  expect([overgrownCents(tall, 5500), overgrownCents(tall, 5501), overgrownCents(tall, 0)]).toEqual([2750, 2751, 0])
  expect([overgrownCents(flat, 5500), overgrownCents(flat, 0)]).toEqual([2000, 2000])
  expect([stepText(tall), stepText(flat), stepText({ percent: null, cents: 2050 })]).toEqual([
    '+50%',
    '+$20',
    '+$20.50',
  ])
})

it('the mowing is what mows; all of a visit where nothing does', () => {
  const line = (category: string, cents: number) => ({ category, cents })
  expect(mowingCents([line('mow', 5500), line('treat', 8000)])).toBe(5500)
  expect(mowingCents([line('cleanup', 3000), line('other', 1000)])).toBe(4000)
  expect(mowingCents([])).toBe(0)
})

it('is called by its step in both languages, and by itself where nobody knows the step', () => {
  expect(overgrownTitle(tall)).toEqual({ title: 'Overgrown lawn: tall grass', titleEs: 'Césped crecido: pasto alto' })
  expect(overgrownTitle(null)).toEqual({ title: 'Overgrown lawn', titleEs: 'Césped crecido' })
})

it('is taken where somebody has begun and nobody has billed; what the office closed meanwhile is a conflict', () => {
  const kinds = Object.fromEntries(
    visitStatuses.map((status) => [status, extraVerdict({ status, billed: false }).kind]),
  )
  expect(kinds).toEqual({
    unscheduled: 'conflict',
    scheduled: 'refused',
    en_route: 'refused',
    in_progress: 'apply',
    paused: 'apply',
    completed: 'apply',
    skipped: 'conflict',
    canceled: 'conflict',
    missed: 'conflict',
  })
  expect(extraVerdict({ status: 'completed', billed: true })).toEqual({ kind: 'conflict', reason: 'billed' })
})

it('the crew takes it back until the office has decided or billed', () => {
  const of = (change: object) => withdrawRefusal({ state: 'added', decided: false, billed: false, ...change })
  expect([
    of({}),
    of({ state: 'waiting' }),
    of({ decided: true }),
    of({ billed: true }),
    of({ state: 'withdrawn' }),
  ]).toEqual([null, null, 'decided', 'billed', 'already'])
})

describe('the office', () => {
  const facts = (change: object = {}, visit: object = {}) => ({
    state: 'waiting' as const,
    visit: { status: 'completed' as const, billed: false, billable: true, ...visit },
    ...change,
  })
  const may = (change?: object, visit?: object) =>
    (['add', 'reprice', 'decline', 'book'] as const).filter(
      (action) => extraRefusals[action](facts(change, visit)) === null,
    )

  it.each([
    ['waiting', {}, {}, ['add', 'decline', 'book']],
    ['on the visit', { state: 'added' }, {}, ['reprice', 'decline', 'book']],
    ['on an invoice', { state: 'added' }, { billed: true }, []],
    ['waiting, and the visit is on an invoice', {}, { billed: true }, ['decline', 'book']],
    ['of a visit that nobody is billed for', {}, { billable: false }, ['decline', 'book']],
    ['of a visit that was canceled', {}, { status: 'canceled' }, ['decline', 'book']],
    ['declined', { state: 'declined' }, {}, ['add', 'book']],
    ['a job of its own', { state: 'booked' }, {}, []],
    ['taken back', { state: 'withdrawn' }, {}, []],
  ])('%s', (_name, change, visit, wanted) => {
    expect(may(change, visit)).toEqual(wanted)
  })
})

it('a rule says how much each step adds, in one of two ways, and has a step when it is on', () => {
  expect(overgrownProblem(usualOvergrown)).toBeNull()
  expect(overgrownProblem({ on: true, asks: false, steps: [] })?.path).toBe('overgrown.steps')
  expect(overgrownProblem({ on: true, asks: false, steps: [{ ...tall, cents: 100 }] })?.path).toBe(
    'overgrown.steps.0.percent',
  )
  expect(overgrownProblem({ on: true, asks: false, steps: [tall, { ...flat }] })?.path).toBe('overgrown.steps')
})
