import { describe, expect, it } from 'vitest'
import { defaultServices } from '../../services/defaults/rules.ts'
import { isMachine, isServed, lawnBetween, notZipsIn, priceBetween, requestProblems, zipsOf } from './rules.ts'

const form = {
  name: 'Maya',
  phone: '912-555-0147',
  email: '',
  street: '',
  city: '',
  state: '',
  zip: '',
  wants: '',
  company: '',
  ms: '',
  consent: '',
}

describe('a form', () => {
  it.each([
    [{}, []],
    [{ name: ' ' }, ['name']],
    [{ phone: '' }, ['phone']],
    [{ phone: '', email: 'a@b.co' }, []],
    [{ phone: '123' }, ['phone']],
    [{ email: 'nobody' }, ['email']],
    [{ zip: '314' }, ['zip']],
    [{ zip: '31401-1234' }, []],
  ])('with %o has to be put right at %o', (change, paths) => {
    expect(requestProblems({ ...form, ...change }).map(({ path }) => path)).toEqual(paths)
  })
  it.each([
    [{}, false],
    [{ company: 'x' }, true],
    [{ ms: '300' }, true],
    [{ ms: '9000' }, false],
    [{ name: 'http://x.y' }, true],
    [{ wants: 'see https://my.house' }, false],
    [{ wants: 'http://a http://b http://c' }, true],
  ])('with %o is of a machine: %s', (change, expected) => expect(isMachine({ ...form, ...change })).toBe(expected))
})

describe('the service area', () => {
  const ring = [
    [32, -81.2],
    [32, -81],
    [32.2, -81],
    [32.2, -81.2],
  ] as const
  it.each([
    ['anywhere', '', null, true],
    ['zips', '31401-0001', null, true],
    ['zips', '99999', null, false],
    ['zips', '', null, null],
    ['drawn', '31401', { lat: 32.1, lng: -81.1 }, true],
    ['drawn', '31401', { lat: 33, lng: -81.1 }, false],
    ['drawn', '31401', null, null],
  ] as const)('%s, ZIP %s at %o: %s', (kind, zip, point, expected) => {
    expect(isServed({ kind, zips: ['31401'], ring }, { zip, point })).toBe(expected)
  })
  it('names what is no ZIP code', () => expect(notZipsIn('31401, 31419; 31405 3140')).toEqual(['3140']))
  it('reads ZIP codes as they are typed', () => expect(zipsOf('31405, 31401;31405 1234 ')).toEqual(['31401', '31405']))
})

describe('a price range', () => {
  const rule = defaultServices[0]?.priceRule
  it('reaches further where less is known, and never the wrong way round', () => {
    if (!rule) throw new Error('no service')
    const width = (squareFeet: number, way: 'drawn' | 'typed' | 'lot') => {
      const range = priceBetween({ measuredBy: 'lawn' }, rule, lawnBetween(squareFeet, way), 'weekly')
      if (!range) throw new Error('no price')
      expect(range.lowCents).toBeLessThanOrEqual(range.highCents)
      return range.highCents - range.lowCents
    }
    expect(width(12_000, 'drawn')).toBeLessThanOrEqual(width(12_000, 'typed'))
    expect(width(12_000, 'typed')).toBeLessThanOrEqual(width(43_560, 'lot'))
  })
})
