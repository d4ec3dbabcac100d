import { expect, it } from 'vitest'
import { paidOnce } from './rules.ts'

const off = (day: string, kind: 'vacation' | 'sick' | 'holiday' = 'vacation', minutes = 480) => ({ day, kind, minutes })

it('each day is paid once: what was put in for the day wins over what lies around it, and of two that overlap the first', () => {
  const days = paidOnce([
    { long: true, days: [off('2026-06-08'), off('2026-06-09'), off('2026-06-10')] },
    { long: true, days: [off('2026-06-10', 'sick'), off('2026-06-11', 'sick')] },
    { long: false, days: [off('2026-06-09', 'holiday')] },
  ])
  expect(days.map(({ day, kind }) => `${day} ${kind}`)).toEqual([
    '2026-06-08 vacation',
    '2026-06-09 holiday',
    '2026-06-10 vacation',
    '2026-06-11 sick',
  ])
})

it('two halves of one day are both paid', () => {
  const days = paidOnce([
    { long: false, days: [off('2026-06-09', 'vacation', 240)] },
    { long: false, days: [off('2026-06-09', 'sick', 240)] },
  ])
  expect(days.map(({ minutes }) => minutes)).toEqual([240, 240])
})
