import { expect, test } from 'vitest'
import { chooseAnswers, roughMinutes, topicsOf } from './rules.ts'

test.each([
  ['When are you coming?', 'visit'],
  ['what time will you be here', 'visit'],
  ['¿Cuándo vienen?', 'visit'],
  ['a que hora llegan', 'visit'],
  ['How much do I owe you', 'balance'],
  ['Can you resend the invoice?', 'balance'],
  ['¿Cuánto debo?', 'balance'],
  ['Is the crew running late? Where are you?', 'late'],
  ['¿Dónde están? ya es tarde', 'late'],
  ['Did you mow yesterday?', 'last'],
  ['ya vinieron?', 'last'],
  ['Thank you so much!', undefined],
  ['Please bill the whenever account', 'balance'],
])('"%s" asks after %s', (text, topic) => {
  expect(topicsOf(text)[0]).toBe(topic)
})

test('what was asked after comes first, then what is most useful, at most three, and only facts', () => {
  expect(chooseAnswers('how much?', ['late', 'visit', 'balance', 'last'])).toEqual(['balance', 'late', 'visit'])
  expect(chooseAnswers('when?', ['visit', 'balance', 'last'])).toEqual(['visit', 'balance', 'last'])
  expect(chooseAnswers('when?', [])).toEqual([])
  expect(chooseAnswers('thanks', ['last', 'visit'])).toEqual(['visit', 'last'])
})

test('minutes are said to the next five', () => {
  expect([11, 15, 18, 22].map(roughMinutes)).toEqual([15, 15, 20, 25])
})
