import { describe, expect, it } from 'vitest'
import { smsSegments } from '../../messages/rules.ts'
import {
  asSms,
  fillText,
  languages,
  noticeKinds,
  noticeText,
  noticeTextProblem,
  reminderMinuteOf,
  usualTexts,
} from './rules.ts'

describe('a text of a business’s own', () => {
  it.each([
    ['reminder', '', null],
    ['reminder', '{business} comes {when}', null],
    ['reminder', '{business} comes', /\{when\} is missing/],
    ['reminder', 'We come {when}', /\{business\} is missing/],
    ['reminder', '{business} {when} {gate_code}', /There is no \{gate_code\} here\. There are \{business\}/],
    ['reminder', '{business} {when} {', /brace is not closed/],
    ['reminder', '{business} {when} {}', /There is no \{\}/],
    ['moved', '{business} {changes} {when}', /There is no \{when\}/],
    ['on_way', `{business} ${'a'.repeat(300)}`, /At most 300/],
  ] as const)('%s: %s', (kind, text, problem) => {
    const found = noticeTextProblem(kind, text)
    if (problem === null) expect(found).toBeNull()
    else expect(found).toMatch(problem)
  })

  it('ours have no fault, in both languages', () => {
    for (const kind of noticeKinds)
      for (const language of languages) expect(noticeTextProblem(kind, usualTexts[`${kind}.${language}`])).toBeNull()
  })

  it('an empty one is ours', () => {
    expect(noticeText({ 'moved.en': ' ' }, 'moved', 'en')).toBe(usualTexts['moved.en'])
    expect(noticeText({ 'moved.en': 'Mine {changes}' }, 'moved', 'en')).toBe('Mine {changes}')
  })
})

it('a value that is empty leaves no hole', () => {
  expect(
    fillText('{business}: we come {when}: {services}. Bye {link}', { business: 'A', when: 'Tue', link: 'x' }),
  ).toBe('A: we come Tue. Bye x')
  // what a customer is called is no pattern
  expect(fillText('{business} {first_name}', { business: '$& {when}', first_name: '$1' })).toBe('$& {when} $1')
})

it('a text in Spanish costs one part', () => {
  const text = asSms('Palmetto & Pine: le visitamos mié, 10 jun, 9 AM a 1 PM: Poda de césped y jardín. ¡Adiós!')
  expect(smsSegments(text)).toMatchObject({ plain: true, segments: 1 })
})

it.each([
  [1020, { startMinute: 1260, endMinute: 480 }, 1020],
  [1300, { startMinute: 1260, endMinute: 480 }, 1230],
  [60, { startMinute: 1260, endMinute: 480 }, 480],
  [1300, { startMinute: 0, endMinute: 0 }, 1300],
])('reminders set to %i with quiet hours %o leave at %i', (minute, quiet, then) => {
  expect(reminderMinuteOf(minute, quiet)).toBe(then)
})
