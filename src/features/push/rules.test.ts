import { expect, it } from 'vitest'
import type { PushAbout } from './contract.ts'
import { pushWords, withoutSecrets } from './rules.ts'

it.each([
  ['Maria Lopez paid $1,240.50', 'Maria Lopez paid …'],
  ['Late fee of $25 for invoice 1042', 'Late fee of … for invoice 1042'],
  ['Gate code is #4711', 'Gate …'],
  ['código: 22-18', 'código …'],
  ['Luis wrote about 18 Oak St', 'Luis wrote about 18 Oak St'],
])('%s is shown as %s', (text, shown) => expect(withoutSecrets(text)).toBe(shown))

const all: PushAbout[] = [
  { code: 'crew', crew: 'North', from: '2026-06-12', to: null },
  { code: 'crew', crew: null, from: '2026-06-12', to: '2026-06-12' },
  { code: 'crewBack' },
  { code: 'moved', street: '7 Bay St', day: null, sameDay: false },
  { code: 'moved', street: '7 Bay St', day: '2026-06-12', sameDay: false },
  { code: 'added', street: '7 Bay St', day: '2026-06-12' },
  { code: 'route', day: '2026-06-12', stops: 1, firstMinute: 450, again: false },
  { code: 'route', day: '2026-06-12', stops: 9, firstMinute: null, again: true },
  { code: 'chat', from: 'Dana' },
  { code: 'clockOut' },
  { code: 'week' },
]

it.each(all)('$code has words in both languages', (about) => {
  const [en, es] = [pushWords(about, 'en'), pushWords(about, 'es')]
  expect(en.title.length * en.body.length * es.title.length * es.body.length).toBeGreaterThan(0)
  expect(es.title).not.toBe(en.title)
})

it('says when, in the way of the country', () => {
  expect(pushWords({ code: 'route', day: '2026-06-12', stops: 9, firstMinute: 450, again: true }, 'en')).toEqual({
    title: 'Your day changed: Fri, Jun 12',
    body: '9 stops, first at 7:30 AM',
  })
})
