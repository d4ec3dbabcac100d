import { describe, expect, it } from 'vitest'
import { crewCostCents, crewSize } from './rules.ts'

describe('crewCostCents', () => {
  const business = { defaultWageCents: 2000, burdenPercent: 12 }
  it.each([
    [[{ wageCentsPerHour: 2000 }, { wageCentsPerHour: 1800 }], 4256],
    [[{ wageCentsPerHour: null }], 2240],
    [[], 2240],
    [[{ wageCentsPerHour: 0 }], 0],
  ])('%j costs %i cents an hour', (members, cents) => {
    expect(crewCostCents(members, business)).toBe(cents)
  })
  it('plans an empty crew as one person', () => expect(crewSize(0)).toBe(1))
})
