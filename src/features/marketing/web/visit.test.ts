import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { visit } from './visit.ts'

const open = (search: string) => {
  vi.stubGlobal('location', { search, origin: 'https://swath.test' })
  return visit()
}

beforeEach(() => {
  const values = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  })
  vi.stubGlobal('document', { referrer: '' })
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
})
afterEach(() => vi.unstubAllGlobals())

test('the advertisement of a later page counts for a tab that was opened without one', () => {
  const plain = open('')
  const ad = open('?utm_source=fb&utm_campaign=fall')
  expect(ad).toMatchObject({ utm_source: 'fb', utm_campaign: 'fall' })
  expect(ad).toMatchObject({ visitId: plain.visitId, landingTime: plain.landingTime })
  expect(open('')).toEqual(ad)
})

test('the first advertisement stays, whatever follows', () => {
  const spring = open('?utm_source=fb&utm_campaign=spring')
  expect(open('')).toEqual(spring)
  expect(open('?utm_source=mail')).toEqual(spring)
  expect(open('?gclid=abc')).toEqual(spring)
})
