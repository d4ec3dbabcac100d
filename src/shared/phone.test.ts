import fc from 'fast-check'
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' }
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { expect, it } from 'vitest'
import { formatPhone, readPhone, toE164 } from './phone.ts'

// The library knows every country's numbers and is too large for the browser: it measures our own rule instead.

const shapes = [
  (d: string) => d,
  (d: string) => `1${d}`,
  (d: string) => `+1${d}`,
  (d: string) => `(${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}`,
  (d: string) => `+1 (${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}`,
  (d: string) => `${d.slice(0, 3)}.${d.slice(3, 6)}.${d.slice(6)}`,
  (d: string) => ` 1-${d.slice(0, 3)}-${d.slice(3, 6)}-${d.slice(6)} `,
]

it('reads and shows every North American number that the library reads, however it is written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2_000_000_000, max: 9_999_999_999 }), fc.constantFrom(...shapes), (number, shape) => {
      const known = parsePhoneNumberFromString(shape(String(number)), 'US')
      const read = toE164(shape(String(number)))
      expect(read).toBe(known?.number)
      expect(formatPhone(read ?? '')).toBe(known?.formatNational())
    }),
    { numRuns: 3_000 },
  )
})

it.each(getCountries())('an example number of %s is itself, and never another one', (country) => {
  const example = getExampleNumber(country, examples)
  if (!example) return
  for (const text of [example.number, example.formatInternational()]) expect(readPhone(text)).toBe(example.number)
  const isOurs = example.countryCallingCode === '1'
  expect(toE164(example.formatInternational())).toBe(isOurs ? example.number : null)
})

it.each([
  ['912 555 014', 'a digit is missing'],
  ['+1 912 555 014', 'a digit is missing, and it is no foreign number for it'],
  ['912 555 01470', 'a digit too many'],
  ['012 555 0147', 'no area begins with 0'],
  ['112 555 0147', 'no area begins with 1'],
  ['+0 912 555 0147', 'no country begins with 0'],
  ['912-555-0147 / 912-555-0199', 'two numbers'],
  ['', 'nothing'],
])('%j is none: %s', (text) => {
  expect(readPhone(text)).toBeNull()
  const known = parsePhoneNumberFromString(text, 'US')
  expect(known?.isValid() ?? false).toBe(false)
})

it('shows what is no North American number as it is', () => {
  expect(['+19125550147', '+442079460958', ''].map(formatPhone)).toEqual(['(912) 555-0147', '+442079460958', ''])
})
