import { expect, it } from 'vitest'
import { leaveWords } from './rules.ts'

const eight = '2026-11-23T13:00:00.000Z'

it.each([
  [{ texts: 0, emails: 0, quietUntil: null }, null],
  [{ texts: 2, emails: 1, quietUntil: null }, 'Messages leave in 5 minutes'],
  [{ texts: 2, emails: 0, quietUntil: eight }, 'Texts wait until 8:00 AM'],
  [{ texts: 2, emails: 1, quietUntil: eight }, 'E-mails leave in 5 minutes, texts wait until 8:00 AM'],
  [{ texts: 0, emails: 1, quietUntil: eight }, 'Messages leave in 5 minutes'],
])('says of %o when the messages leave', (tells, said) => {
  expect(leaveWords(tells, 'America/New_York')).toBe(said)
})
