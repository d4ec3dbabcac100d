import { describe, expect, it } from 'vitest'
import { consentRefusals, officeSource, olderThanNo, sourceWords, standingOf } from './rules.ts'

const stop = { purpose: 'all', reason: 'They replied STOP' } as const
const unsubscribed = { purpose: 'marketing', reason: 'They unsubscribed' } as const

describe('where offers may go', () => {
  it.each([
    [null, null, 'never'],
    [null, 'grant', 'agreed'],
    [null, 'revoke', 'taken_back'],
    [unsubscribed, 'grant', 'taken_back'],
    [stop, 'grant', 'stopped'],
    [stop, null, 'stopped'],
  ] as const)('%j with %s as the last word is %s', (suppressed, last, standing) =>
    expect(standingOf({ channel: 'sms', suppressed, last })).toBe(standing),
  )

  it('is not the office’s to open where everything is shut', () => {
    const { agree, takeBack } = consentRefusals
    expect(agree({ channel: 'sms', suppressed: stop, last: 'grant' })).toContain('replying START from that phone')
    expect(agree({ channel: 'email', suppressed: stop, last: null })).toContain('another address')
    expect(agree({ channel: 'email', suppressed: unsubscribed, last: 'revoke' })).toBeNull()
    expect(takeBack({ channel: 'sms', suppressed: null, last: 'grant' })).toBeNull()
    expect(takeBack({ channel: 'sms', suppressed: null, last: null })).not.toBeNull()
  })

  it.each([
    ['2026-06-11', '2026-06-12', true],
    ['2026-06-12', '2026-06-12', false],
    ['2026-06-13', '2026-06-12', false],
    ['2026-06-11', null, false],
  ])('a yes of %s after a no of %s is refused: %s', (on, no, refused) =>
    expect(olderThanNo(on, no) !== null).toBe(refused),
  )

  it.each([
    [officeSource('paper'), 'On paper, signed'],
    ['keyword', 'Their own text'],
    ['import list.csv', 'Import list.csv'],
  ])('%s is told as %s', (source, told) => expect(sourceWords(source)).toBe(told))
})
