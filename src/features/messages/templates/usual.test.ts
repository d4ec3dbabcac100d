import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mostCharacters } from '../rules.ts'
import { fillToFit, shorterNames } from './rules.ts'

it.each([
  ['Chesapeake Bay Lawn & Landscape, LLC', ['Chesapeake Bay Lawn & Landscape', 'Chesapeake Bay Lawn', 'Chesapeake Bay', 'Chesapeake']],
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
  expect(fillToFit('From {business name}', values, within(18))).toMatchObject({ text: 'From Palmetto Pine', shortName: 'Palmetto Pine' })
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
