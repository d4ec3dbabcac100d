import { describe, expect, it } from 'vitest'
import { withoutPersonalData } from './rules.ts'

describe('an error without personal data', () => {
  it.each([
    ['550 no mailbox dana@example.com here', '550 no mailbox …@… here'],
    ['could not text +1 (912) 555-0147', 'could not text …'],
    ['Key (email)=(dana@example.com) already exists.', 'Key (email)=(…) already exists.'],
    ['Failing row contains (1, Dana Fields, 12 Oak St).', 'Failing row contains (…).'],
    ['no customer named "Dana Fields"', 'no customer named "…"'],
    ['GET https://api.example.com/v1/people/dana?key=1 answered 500', 'GET https://api.example.com/… answered 500'],
    ['visit 01a20206-f160-75df-959a-63802a7913b0 is gone', 'visit … is gone'],
    ['connect ECONNREFUSED\n    at secret stack', 'connect ECONNREFUSED'],
  ])('%s', (text, shown) => {
    expect(withoutPersonalData(text)).toBe(shown)
  })
})
