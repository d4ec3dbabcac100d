import { expect, it } from 'vitest'
import { forgetGateCodes, knownGateCode, showGateCode, whileHere } from './shown.ts'

it('a code is on the screen for the day on which it was looked up', () => {
  showGateCode('luis', 'visit', '2026-06-12', { code: '4711' })
  expect(knownGateCode('luis', 'visit', '2026-06-12')?.code).toBe('4711')
  expect(knownGateCode('ana', 'visit', '2026-06-12')).toBeNull()
  expect(knownGateCode('luis', 'visit', '2026-06-13')).toBeNull()
  // and is gone with that, also where the clock is set back
  expect(knownGateCode('luis', 'visit', '2026-06-12')).toBeNull()
})

it('who leaves takes it along, and an answer that comes later finds nobody', () => {
  const isHere = whileHere()
  showGateCode('luis', 'visit', '2026-06-12', { code: '4711' })
  expect(isHere()).toBe(true)
  forgetGateCodes()
  expect([isHere(), whileHere()(), knownGateCode('luis', 'visit', '2026-06-12')]).toEqual([false, true, null])
})
