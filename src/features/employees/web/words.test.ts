import { describe, expect, it } from 'vitest'
import { presetOf, weekdaysText } from './words.ts'

describe('words of people and crews', () => {
  it.each([
    [[1, 2, 3, 4, 5], 'Mon to Fri'],
    [[2, 4, 6], 'Tue, Thu, Sat'],
    [[0, 6], 'Sat, Sun'],
    [[], 'no days'],
    [[0, 1, 2, 3, 4, 5, 6], 'Mon to Sun'],
  ])('%j is %s', (days, text) => {
    expect(weekdaysText(days)).toBe(text)
  })
  it('finds the preset behind permissions', () => {
    expect(presetOf({ role: 'Admin', permissions: ['customers', 'schedule', 'crewLead'] })).toBe('dispatcher')
    expect(presetOf({ role: 'Employee', permissions: ['crewLead'] })).toBe('crewLead')
  })
})
