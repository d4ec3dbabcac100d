import { describe, expect, it, test } from 'vitest'
import { fillTemplate, holeProblem, holesIn, insertAt, templateProblem, textFor, withPlainVariables } from './rules.ts'

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
