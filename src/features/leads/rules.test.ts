import { describe, expect, it } from 'vitest'
import {
  belongsTo,
  type Fact,
  joinsLead,
  mayBeSamePerson,
  readCode,
  reminderAt,
  type Stage,
  stageAfterFact,
  waitOf,
} from './rules.ts'

const at = (minute: number): string => new Date(Date.UTC(2026, 5, 12, 12, minute)).toISOString()

describe('the stage after a fact', () => {
  const cases: [Stage, 'facts' | 'person', Fact, number, Stage | null][] = [
    ['new', 'facts', 'replied', 5, 'contacted'],
    ['new', 'facts', 'quoteSent', 5, 'quoted'],
    ['new', 'facts', 'booked', 5, 'won'],
    ['contacted', 'facts', 'replied', 5, null],
    ['quoted', 'facts', 'replied', 5, null],
    ['quoted', 'facts', 'quoteApproved', 5, 'won'],
    ['quoted', 'facts', 'quoteDeclined', 5, 'lost'],
    ['won', 'facts', 'quoteDeclined', 5, null],
    ['won', 'facts', 'quoteSent', 5, null],
    ['lost', 'facts', 'replied', 5, null],
    ['lost', 'facts', 'quoteSent', 5, null],
    ['lost', 'facts', 'quoteApproved', 5, 'won'],
    // A person put it there a minute after: what happened before does not move it back.
    ['contacted', 'person', 'quoteSent', -1, null],
    ['new', 'person', 'replied', -1, null],
    ['lost', 'person', 'booked', -1, null],
    // What happens later is news.
    ['contacted', 'person', 'quoteSent', 5, 'quoted'],
    ['lost', 'person', 'quoteSent', 5, null],
    ['lost', 'person', 'booked', 5, 'won'],
  ]
  it.each(cases)('%s set by %s, %s at %i min: %s', (stage, stageBy, fact, minute, expected) => {
    expect(stageAfterFact({ stage, stageBy, stageAt: at(0) }, fact, at(minute))).toBe(expected)
  })
})

describe('the timer of the first answer', () => {
  it('reminds after 15 minutes, 4 hours and on the next morning of the business', () => {
    const created = '2026-06-13T02:30:00.000Z'
    expect(reminderAt(created, 'quarter', 'America/New_York')).toBe('2026-06-13T02:45:00.000Z')
    expect(reminderAt(created, 'hours', 'America/New_York')).toBe('2026-06-13T06:30:00.000Z')
    // 10:30 pm on the 12th there: the next day is the 13th, 8 in the morning.
    expect(reminderAt(created, 'nextDay', 'America/New_York')).toBe('2026-06-13T12:00:00.000Z')
  })
  it.each([
    [0, 'just now', 'neutral'],
    [14, '14 min', 'neutral'],
    [15, '15 min', 'wait'],
    [239, '3 h', 'wait'],
    [240, '4 h', 'late'],
    [3000, '2 days', 'late'],
  ])('after %i minutes it reads %s', (minutes, text, tone) => {
    const lead = { stage: 'new' as const, repliedAt: null, askedAt: at(0) }
    expect(waitOf(lead, Date.parse(at(0)) + minutes * 60_000)).toEqual({ text, tone })
  })
  it('stands still once somebody answered', () => {
    expect(waitOf({ stage: 'new', repliedAt: at(1), askedAt: at(0) }, Date.parse(at(60)))).toBeNull()
    expect(waitOf({ stage: 'lost', repliedAt: null, askedAt: at(0) }, Date.parse(at(60)))).toBeNull()
  })
})

it.each([
  ['maya-7q', 'MAYA7Q'],
  [' ab cd ', 'ABCD'],
  ['abc', null],
  ['', null],
])('reads the code %s as %s', (text, code) => expect(readCode(text)).toBe(code))

describe('who asks again', () => {
  it.each([
    ['Maya Brooks', 'maya  brooks', true],
    ['Maya Brooks', 'Mrs. Brooks', true],
    ['M. Brooks', 'Maya Brooks', true],
    ['José Núñez', 'Jose Nunez', true],
    ['(912) 555-0147', 'Maya Brooks', true],
    ['maya@home.test', 'Peter Quill', true],
    ['Hollis Brandt', 'Peter Quill', false],
    ['Hollis Brandt', 'Ruth Brandt', false],
    ['李伟', '王芳', false],
  ])('%s and %s may be one person: %s', (one, other, expected) => {
    expect(mayBeSamePerson(one, other)).toBe(expected)
    expect(mayBeSamePerson(other, one)).toBe(expected)
  })
  const lead = { stage: 'new' as Stage, name: 'Hollis Brandt', samePlace: true, isConverted: false }
  it.each([
    [{}, true],
    [{ stage: 'contacted' as const }, true],
    [{ stage: 'lost' as const }, true],
    [{ stage: 'quoted' as const }, false],
    [{ stage: 'won' as const }, false],
    [{ isConverted: true }, false],
    [{ samePlace: false }, false],
    [{ name: 'Peter Quill' }, false],
  ])('a lead that is %o takes the request: %s', (changes, expected) => {
    expect(joinsLead({ ...lead, ...changes }, 'Hollis Brandt')).toBe(expected)
  })
})

describe('the lead that a quote or work belongs to', () => {
  const lead = {
    id: 'a',
    createdAt: at(10),
    propertyId: null as string | null,
    convertedAt: null as string | null,
    stage: 'new' as Stage,
    repliedAt: null as string | null,
  }
  const scope = { leadId: null as string | null, since: at(20), propertyId: 'p', isByHand: false }
  it.each([
    ['asked before the quote was made', {}, {}, true],
    ['asked after the quote was made', { createdAt: at(30) }, {}, false],
    ['the quote was made of it', { createdAt: at(30) }, { leadId: 'a' }, true],
    ['the quote was made of another one', {}, { leadId: 'b' }, false],
    ['its property is another one', { propertyId: 'q' }, {}, false],
    ['its property is that one', { propertyId: 'p' }, {}, true],
    ['work by hand while it waits', {}, { isByHand: true }, false],
    ['work by hand after it was answered', { repliedAt: at(15) }, { isByHand: true }, true],
    ['work by hand for the customer made of it', { convertedAt: at(15) }, { isByHand: true }, true],
  ])('%s', (_, changes, of, expected) => {
    expect(belongsTo({ ...lead, ...changes }, { ...scope, ...of })).toBe(expected)
  })
})
