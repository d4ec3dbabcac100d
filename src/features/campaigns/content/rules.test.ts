import { describe, expect, it } from 'vitest'
import { starters } from '../starters/rules.ts'
import {
  contentProblems,
  filled,
  isAddress,
  isWritten,
  noWords,
  type Surroundings,
  withScheme,
  wordsFor,
  wordsProblem,
} from './rules.ts'

const around: Surroundings = { name: 'Oak Lawn', hasAddress: true, hasPhone: true, hasPage: true, hasPortal: true }

describe('the campaigns to begin with', () => {
  it.each(starters)('$name is whole in English and Spanish, for any business', ({ channel, content }) => {
    for (const isTested of channel === 'email' ? [true, false] : [false])
      expect(contentProblems(channel, content, isTested, { ...around, hasPhone: false })).toEqual([])
    expect(isWritten(content.es)).toBe(true)
    expect(JSON.stringify(content)).not.toMatch(/\$\d|\d ?%/)
  })
})

it('knows the variables of a campaign and no other', () => {
  expect(wordsProblem('Hi { Customer First  name }, {business phone}')).toBeNull()
  for (const wrong of ['{balance}', '{next visit day}', '{nme}', '{', 'a } b'])
    expect(wordsProblem(wrong)).not.toBeNull()
  expect(filled('Hi {customer first name}!', { 'customer first name': 'Pat' })).toBe('Hi Pat!')
})

it.each([
  ['www.palmetto.example', 'https://www.palmetto.example'],
  ['palmetto.example/book?a=1', 'https://palmetto.example/book?a=1'],
  ['palmetto.example:8080#x', 'https://palmetto.example:8080#x'],
  ['http://palmetto.example', 'http://palmetto.example'],
  ['palmetto .example', null],
  ['palmetto', null],
  ['javascript:alert(1)', null],
  ['ann@palmetto.example', null],
  ['mailto:ann@palmetto.example', null],
])('takes %s for %s', (typed, url) => {
  expect(withScheme(typed)).toBe(url ?? typed)
  expect(isAddress(withScheme(typed))).toBe(url !== null)
})

it('gives Spanish only to who reads it, and only where it was written', () => {
  const content = { en: { ...noWords, text: 'Hi' }, es: { ...noWords, text: 'Hola' } }
  expect(wordsFor(content, 'es')).toMatchObject({ language: 'es', words: { text: 'Hola' } })
  expect(wordsFor(content, 'en')).toMatchObject({ language: 'en', words: { text: 'Hi' } })
  expect(wordsFor({ ...content, es: noWords }, 'es')).toMatchObject({ language: 'en' })
})

it.each([
  [{ hasAddress: false }, 'address'],
  [{ hasPage: false }, 'content.en.blocks.0.to'],
])('says with %j where it is put right', (changes, path) => {
  const blocks = [
    { kind: 'button' as const, label: 'Go', to: 'page' as const, url: '' },
    { kind: 'text' as const, text: 'Hi' },
  ]
  const content = { en: { ...noWords, subject: 'Hi', blocks }, es: noWords }
  expect(contentProblems('email', content, false, around)).toEqual([])
  expect(contentProblems('email', content, false, { ...around, ...changes }).map((one) => one.path)).toEqual([path])
})

it('asks for the phone that stands in it', () => {
  const content = { en: { ...noWords, text: 'Call {business phone}, {business name}' }, es: noWords }
  expect(contentProblems('sms', content, false, { ...around, hasPhone: false })).toEqual([
    { path: 'content', message: expect.stringContaining('your business has none') },
  ])
})
