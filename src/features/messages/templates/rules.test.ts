import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { mostCharacters } from '../rules.ts'
import {
  fillTemplate,
  fillToFit,
  holeProblem,
  holesIn,
  insertAt,
  shorterNames,
  templateProblem,
  textFor,
  withPlainVariables,
} from './rules.ts'

describe('the text of a template', () => {
  test.each([
    ['Hi {customer first name}, we come {next visit day}.', null],
    ['Hi { Customer  First Name }', null],
    ['No braces', null],
    ['Hi {first_name}', 'There is no {first_name}.'],
    ['You owe {balance', 'A brace is open or closed without the other.'],
    ['You owe balance}', 'A brace is open or closed without the other.'],
    ['{}', 'There is no {}.'],
  ])('%s', (text, problem) => {
    const found = templateProblem(text)
    if (problem === null) expect(found).toBeNull()
    else expect(found).toContain(problem)
  })

  it('names the variables that there are when one is unknown', () => {
    expect(templateProblem('{who}')).toContain('{customer first name}, {customer name}, {business name}')
    expect(templateProblem('{who}')).toContain('{pay link}')
  })

  it('is kept with its variables as they are called', () => {
    expect(withPlainVariables('{ Balance } and {NEXT visit  day}')).toBe('{balance} and {next visit day}')
  })

  it('is filled, and what has no value is named with where it stands', () => {
    const text = 'Hi {customer first name}, next: {next visit day}. {business name}'
    expect(
      fillTemplate(text, { 'customer first name': 'Ann', 'next visit day': 'Friday', 'business name': 'G' }),
    ).toEqual({
      text: 'Hi Ann, next: Friday. G',
      holes: [],
    })
    const { text: filled, holes } = fillTemplate(text, {
      'customer first name': 'Ann',
      'next visit day': null,
      'business name': 'G',
    })
    expect(filled).toBe('Hi Ann, next: {next visit day}. G')
    expect(holes.map(({ variable, at, length }) => [variable, filled.slice(at, at + length)])).toEqual([
      ['next visit day', '{next visit day}'],
    ])
  })

  it('a value that looks like a variable is not filled again', () => {
    expect(fillTemplate('{customer name}', { 'customer name': '{balance}', balance: '$5' }).text).toBe('{balance}')
  })

  it('is the one of the language, and English where there is no Spanish', () => {
    expect(textFor({ textEn: 'Hi', textEs: 'Hola' }, 'es')).toEqual({ text: 'Hola', fellBack: false })
    expect(textFor({ textEn: 'Hi', textEs: ' ' }, 'es')).toEqual({ text: 'Hi', fellBack: true })
    expect(textFor({ textEn: 'Hi', textEs: 'Hola' }, 'en')).toEqual({ text: 'Hi', fellBack: false })
  })
})

test('a variable in a message is no message; other braces are', () => {
  expect(holesIn('Use {code} 5, {balance} and { Balance }')).toEqual(['balance'])
  expect(holeProblem('Use {code} 5')).toBeNull()
  expect(holeProblem('You owe {balance}')).toContain('{balance} still stands in it')
})

test.each([
  ['', 0, 0, 'Hi', 'Hi', 0],
  ['Dear Ann,', 9, 9, 'Hi', 'Dear Ann, Hi', 10],
  ['one two', 3, 3, 'Hi', 'one Hi two', 4],
  ['a /', 2, 3, 'Hi', 'a Hi', 2],
  ['end.', 3, 3, 'Hi', 'end Hi.', 4],
])('"%s" from %i to %i', (text, from, to, insert, result, at) => {
  expect(insertAt(text, { from, to }, insert)).toEqual({ text: result, at })
})

it.each([
  [
    'Chesapeake Bay Lawn & Landscape, LLC',
    ['Chesapeake Bay Lawn & Landscape', 'Chesapeake Bay Lawn', 'Chesapeake Bay', 'Chesapeake'],
  ],
  ['Palmetto and Pine Inc.', ['Palmetto and Pine', 'Palmetto']],
  ['Jardines y Más', ['Jardines']],
  ['Greenway', []],
  ['', []],
])('%s is shortened as people say it', (name, expected) => {
  expect(shorterNames(name)).toEqual(expected)
})

it('only what is too long is shortened, and only where that makes it fit', () => {
  const values = { 'business name': 'Palmetto Pine Lawn Care' }
  const within = (most: number) => (text: string) => text.length <= most
  expect(fillToFit('From {business name}', values, within(40))).toMatchObject({ shortName: null })
  expect(fillToFit('From {business name}', values, within(18))).toMatchObject({
    text: 'From Palmetto Pine',
    shortName: 'Palmetto Pine',
  })
  expect(fillToFit('From {business name}', values, within(6)).text).toBe('From Palmetto Pine Lawn Care')
  expect(fillToFit('From us', values, within(2))).toMatchObject({ text: 'From us', shortName: null })
})

/** Words as the first migration gives them to every business. */
const usual = [
  ...readFileSync(new URL('../../../../migrations/0800_message_templates.sql', import.meta.url), 'utf8').matchAll(
    /^\s+'([^'\n]*\{[^'\n]*)'[,)]/gm,
  ),
].map(([, text = '']) => text)

it('each text that a business begins with fits in one text for long names and days', () => {
  expect(usual).toHaveLength(10)
  for (const text of usual) {
    const spanish = /Hola|Gracias/.test(text)
    const filled = fillToFit(
      text,
      {
        'customer first name': 'Christopher',
        'business name': 'Chesapeake Bay Lawn & Landscape Maintenance Services, LLC',
        'my name': 'Marisol Quintero-Vance',
        'next visit day': spanish ? 'miércoles, 23 de septiembre' : 'Wednesday, September 23',
        'next visit time': spanish ? 'entre las 10 AM y las 12 PM' : 'between 10 AM and 12 PM',
        balance: '$12,345.67',
        'pay link': 'https://lawns.example.com/i/4kq8Zt0bXw7Yh2Lp9Rs3Vn6M',
      },
      (one) => one.length <= mostCharacters,
    )
    expect([filled.text.length <= mostCharacters, filled.holes, filled.text]).toEqual([true, [], filled.text])
  }
})
