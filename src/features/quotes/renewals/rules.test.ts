import { describe, expect, it } from 'vitest'
import { answerOf, priceRenewal, type Raise, raisedCents, renewalSums, runRefusals, usualSeason } from './rules.ts'

const raise = (kind: Raise['kind'], value: number, roundTo = 1): Raise => ({ kind, value, roundTo })

describe('a raised price', () => {
  it.each([
    ['nothing', 4550, raise('none', 0, 500), 4550],
    ['five percent to the cent', 4500, raise('percent', 500), 4725],
    ['five percent to the dollar', 4500, raise('percent', 500, 100), 4700],
    ['five percent to five dollars', 4500, raise('percent', 500, 500), 4500],
    ['eight percent to five dollars', 4500, raise('percent', 800, 500), 5000],
    ['rounding never undoes a raise', 4900, raise('percent', 100, 500), 5000],
    ['nor makes a raised price lower', 5200, raise('percent', 50, 500), 5200],
    ['three dollars a visit', 4500, raise('amount', 300), 4800],
    ['three dollars to five dollars', 4500, raise('amount', 300, 500), 5000],
    ['two percent less', 5000, raise('percent', -200, 100), 4900],
    ['a lowered price is never higher', 5020, raise('percent', -10, 100), 5000],
    ['never below nothing', 200, raise('amount', -500), 0],
  ])('%s', (_, cents, by, is) => expect(raisedCents(cents, by)).toBe(is))
})

const line = (more: object = {}) => ({
  id: 'a',
  jobLineId: 'a',
  name: 'Mowing',
  description: '',
  serviceId: 's',
  serviceName: 'Mowing',
  quantity: 1,
  unit: 'visit',
  frequency: 'weekly' as const,
  rhythm: '',
  visits: 30,
  wasCents: 4500,
  minutes: 40,
  taxCategory: 'none',
  round: null,
  typed: false,
  ...more,
})

describe('the lines of a renewal', () => {
  it('follow the raise, except what was typed and rounds that are new', () => {
    const priced = priceRenewal(
      [line(), line({ typed: true, cents: 4600 }), line({ jobLineId: null, wasCents: 7000 })],
      raise('percent', 1000, 100),
    )
    expect(priced.map(({ cents }) => cents)).toEqual([5000, 4600, 7000])
  })
  it('come to what a season costs today and then', () => {
    const priced = priceRenewal([line({ quantity: 2 }), line({ visits: 1, wasCents: 10_000 })], raise('percent', 1000))
    expect(renewalSums(priced)).toEqual({ beforeCents: 280_000, afterCents: 308_000 })
  })
})

it('an answer follows the quote', () => {
  expect(answerOf('open', null)).toBe('open')
  expect(answerOf('excluded', null)).toBe('excluded')
  expect(
    (['sent', 'viewed', 'changes_requested', 'approved', 'converted', 'declined', 'expired', 'archived'] as const).map(
      (status) => answerOf('sent', status),
    ),
  ).toEqual(['waiting', 'waiting', 'changes', 'to_pay', 'accepted', 'declined', 'no_answer', 'withdrawn'])
  expect(answerOf('sent', 'expired', true)).toBe('undelivered')
  expect(answerOf('sent', 'sent', true)).toBe('waiting')
})

it('only a draft is changed and sent; what nobody answered is taken back', () => {
  const facts = (status: 'draft' | 'sending' | 'sent' | 'withdrawn', more: object = {}) => ({
    name: 'Season 2027',
    status,
    failed: 0,
    unanswered: 3,
    ...more,
  })
  expect(runRefusals.send(facts('draft'))).toBeNull()
  expect(runRefusals.send(facts('sent'))).toContain('was sent')
  expect(runRefusals.update(facts('sending'))).toContain('is being sent')
  expect(runRefusals.withdraw(facts('sent'))).toBeNull()
  expect(runRefusals.withdraw(facts('sent', { unanswered: 0 }))).toContain('has answered')
  expect(runRefusals.withdraw(facts('withdrawn'))).toContain('taken back')
  expect(runRefusals.retry(facts('sent'))).toContain('Everything')
  expect(runRefusals.retry(facts('sent', { failed: 1 }))).toBeNull()
})

it('the season that is offered is the next one that begins', () => {
  const season = { start: '03-01', end: '11-30' }
  expect(usualSeason(season, '2026-01-10')).toEqual({ startsOn: '2026-03-01', endsOn: '2026-11-30' })
  expect(usualSeason(season, '2026-07-10')).toEqual({ startsOn: '2027-03-01', endsOn: '2027-11-30' })
  expect(usualSeason({ start: '10-01', end: '04-30' }, '2026-07-10')).toEqual({
    startsOn: '2026-10-01',
    endsOn: '2027-04-30',
  })
})
