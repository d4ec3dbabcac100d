import { describe, expect, it } from 'vitest'
import type { JobRecord } from '../contract.ts'
import { proposalOf } from './usual.ts'

const calendar = { today: '2028-02-28', workDays: [], holidays: [], holidayRule: 'next' as const, season: [] }
const rule = {
  ...{ freq: 'week' as const, interval: 2, weekdays: [4], phaseOn: '2027-03-04', holiday: 'skip' as const },
  ...{ exceptions: ['2027-07-01'], end: { on: '2027-11-30' }, minGapDays: 5 },
}
const line = (changes: object = {}) => ({
  ...{ id: 'l1', serviceId: 'mow', serviceName: 'Mow', description: 'front', quantity: 1, unitPriceCents: 5500 },
  ...{
    totalCents: 5500,
    budgetMinutes: 40,
    recurrence: rule,
    onceOn: null,
    undated: null,
    standing: null,
    scheduleText: '',
  },
  ...changes,
})
const job = (lines: object[]) =>
  ({
    number: 12,
    startOn: '2027-03-01',
    endOn: '2027-11-30',
    crew: { id: 'north', name: 'North', color: '' },
    lines,
  }) as unknown as JobRecord
const services = [{ id: 'mow' }, { id: 'beds' }]

describe('what a customer had last, booked again', () => {
  it('keeps services, prices, rhythm and crew, and begins on the next work day without the old end', () => {
    const found = proposalOf(job([line()]), services, calendar)
    expect(found).toMatchObject({ jobNumber: 12, crewId: 'north' })
    expect(found?.lines).toEqual([
      { key: 'l1', serviceId: 'mow', description: 'front', quantity: 1, priceCents: 5500, minutes: 40, schedule: null },
    ])
    // The leap day is a day like every other.
    expect(found?.schedule).toMatchObject({ startOn: '2028-02-29', endOn: null, onceOn: null })
    expect(found?.schedule.recurrence).toEqual({
      ...{ freq: 'week', interval: 2, weekdays: [4], phaseOn: '2028-02-29', holiday: 'skip', exceptions: [] },
      minGapDays: 5,
    })
  })

  it('leaves out services that are gone and rounds of a program', () => {
    const step = { kind: 'step', name: 'Round 1', opensOn: '2027-03-01', closesOn: '2027-04-01', minGapDays: 0 }
    expect(proposalOf(job([line({ recurrence: null, undated: step })]), services, calendar)).toBeNull()
    expect(proposalOf(job([line({ serviceId: 'gone' })]), services, calendar)).toBeNull()
    const once = proposalOf(job([line({ recurrence: null, onceOn: '2027-05-01' })]), services, calendar)
    expect(once?.schedule).toMatchObject({ recurrence: null, onceOn: '2028-02-29' })
    const asked = proposalOf(job([line({ recurrence: null, undated: { kind: 'on_demand' } })]), services, calendar)
    expect(asked?.schedule.undated).toEqual({ kind: 'on_demand' })
  })
})
