import { describe, expect, it } from 'vitest'
import { statusOf } from '../rules.ts'
import { linkParts } from './labels.ts'

const zone = 'America/New_York'

describe('words of messages', () => {
  it.each([
    ['delivered', 'Delivered', 'good'],
    ['failed', 'Not delivered', 'bad'],
    ['unknown', 'May not have arrived', 'bad'],
    ['pending', 'On its way', 'wait'],
  ] as const)('%s', (status, label, tone) =>
    expect(statusOf({ status, runAfter: null, direction: 'outbound' }, zone)).toEqual({ label, tone }),
  )
  it('says when a held text leaves, on the clock of the business', () =>
    expect(statusOf({ status: 'held', runAfter: '2026-06-13T12:00:00Z', direction: 'outbound' }, zone).label).toBe(
      'Leaves at 8:00 AM',
    ))
  it('cuts a text at its links', () => {
    expect(linkParts('Pay here: https://x.test/i/a?b=1. Thanks')).toEqual([
      { text: 'Pay here: ', href: null },
      { text: 'https://x.test/i/a?b=1', href: 'https://x.test/i/a?b=1' },
      { text: '. Thanks', href: null },
    ])
    expect(linkParts('no link')).toEqual([{ text: 'no link', href: null }])
    expect(linkParts('')).toEqual([])
  })
})
