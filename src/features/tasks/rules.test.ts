import { describe, expect, it } from 'vitest'
import { callTitle, followUpDays, taskRefusals } from './rules.ts'

describe('follow-up days', () => {
  it.each([
    ['2026-06-10', ['2026-06-11', '2026-06-15', '2026-06-17']],
    ['2026-06-11', ['2026-06-12', '2026-06-15', '2026-06-18']],
    ['2026-06-12', ['2026-06-13', '2026-06-15', '2026-06-19']],
    ['2026-06-13', ['2026-06-14', '2026-06-16', '2026-06-22']],
  ])('from %s fall on days when people answer the phone', (today, days) => {
    expect(followUpDays(today).map(({ day }) => day)).toEqual(days)
  })
})

it('says of a call who called and what came of it', () => {
  expect(callTitle('out', 'voicemail')).toBe('Called, left a voicemail')
  expect(callTitle('in', 'no_answer')).toBe('Missed call')
})

it('a task is finished once and opened once', () => {
  const open = { title: 'Call Ann back', doneAt: null }
  const done = { ...open, doneAt: '2026-06-12T12:00:00Z' }
  expect(taskRefusals.finish(open)).toBeNull()
  expect(taskRefusals.finish(done)).toContain('done already')
  expect(taskRefusals.update(done)).toContain('Open it again')
  expect(taskRefusals.reopen(open)).toContain('is open')
  expect(taskRefusals.remove(done)).toBeNull()
})
