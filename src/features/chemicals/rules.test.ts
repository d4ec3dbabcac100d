import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  amountFor,
  businessDayBefore,
  carrierFor,
  dilutionOf,
  type ForCompleteness,
  type HeldLicense,
  isLate,
  keepOffUntil,
  licenseFor,
  licenseTexts,
  licenseVerdict,
  missingOf,
  windOf,
} from './rules.ts'
import { neededIn, sourceOf, stateRules } from './states/rules.ts'

describe('amounts', () => {
  it.each([
    [1.5, 8000, 12],
    [3.57, 6000, 21.42],
    [0.0459, 5000, 0.23],
    [0.0001, 1000, 0.01],
    [2, 0, 0],
  ])('%s for 1,000 sq ft on %i sq ft is %s', (rate, area, amount) => expect(amountFor(rate, area)).toBe(amount))

  it('grow with the area, and two halves are the whole to the rounding', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }).map((n) => n / 10_000),
        fc.integer({ min: 1, max: 500_000 }),
        fc.integer({ min: 1, max: 500_000 }),
        (rate, a, b) => {
          expect(amountFor(rate, a + b)).toBeGreaterThanOrEqual(amountFor(rate, a))
          expect(Math.abs(amountFor(rate, a) + amountFor(rate, b) - amountFor(rate, a + b))).toBeLessThanOrEqual(0.021)
        },
      ),
    )
  })

  it('water and what is in a gallon of it; what is spread dry has none', () => {
    expect(carrierFor(1.5, 8000)).toBe(12)
    expect(carrierFor(null, 8000)).toBeNull()
    expect(dilutionOf(12, 12)).toBe(1)
    expect(dilutionOf(12, null)).toBeNull()
    expect(dilutionOf(12, 0)).toBeNull()
  })

  it.each([
    [0, 'N'],
    [22, 'N'],
    [23, 'NE'],
    [180, 'S'],
    [315, 'NW'],
    [338, 'N'],
    [-90, 'W'],
    [720, 'N'],
  ])('wind of %i degrees comes from %s', (degrees, from) => expect(windOf(degrees)).toBe(from))
})

const held = (more: Partial<HeldLicense> = {}): HeldLicense => ({
  skill: 'Applicator',
  state: 'GA',
  number: 'GA-1',
  validFrom: '2026-01-01',
  expiresOn: '2026-12-31',
  ...more,
})
const where = { state: 'GA', day: '2026-06-12' }
const plain = { licenseSkill: '', restricted: false }
const weed = { licenseSkill: 'applicator ', restricted: false }
const restricted = { licenseSkill: 'Applicator', restricted: true }

describe('who may apply', () => {
  it.each([
    ['nothing that asks for one', [plain], [], null, 'notNeeded'],
    ['a license of one’s own', [weed, plain], [held()], null, 'own'],
    ['none', [weed], [], null, 'missing'],
    ['none, restricted', [weed, restricted], [], null, 'refused'],
    ['of another state', [weed], [held({ state: 'SC' })], null, 'missing'],
    ['of another category', [restricted], [held({ skill: 'Trees' })], null, 'refused'],
    ['expired the day before', [restricted], [held({ expiresOn: '2026-06-11' })], null, 'refused'],
    ['expires that day', [restricted], [held({ expiresOn: '2026-06-12' })], null, 'own'],
    ['begins the day after', [restricted], [held({ validFrom: '2026-06-13' })], null, 'refused'],
    ['under somebody who has it', [restricted], [], [held()], 'supervised'],
    ['under somebody who has none', [restricted], [], [held({ state: 'SC' })], 'refused'],
    [
      'each covers a part',
      [restricted, { licenseSkill: 'Trees', restricted: true }],
      [held()],
      [held({ skill: 'trees' })],
      'supervised',
    ],
    [
      'restricted without a category takes the usual one',
      [{ licenseSkill: '', restricted: true }],
      [held()],
      null,
      'own',
    ],
    [
      'restricted without a category and without a license',
      [{ licenseSkill: '', restricted: true }],
      [],
      null,
      'refused',
    ],
  ] as const)('%s: %s', (_name, products, own, supervisor, verdict) =>
    expect(licenseVerdict(products, own, supervisor, where)).toBe(verdict),
  )

  it('takes the license that is valid longest', () => {
    expect(
      licenseFor([held(), held({ number: 'GA-2', expiresOn: '2027-12-31' })], { skill: 'applicator', ...where })
        ?.number,
    ).toBe('GA-2')
  })

  it('a license more never makes it worse, and a restricted product is never only marked', () => {
    const order = ['refused', 'missing', 'supervised', 'own', 'notNeeded']
    const license = fc.record({
      skill: fc.constantFrom('Applicator', 'Trees'),
      state: fc.constantFrom('GA', 'SC'),
      number: fc.constant('1'),
      validFrom: fc.constantFrom(null, '2026-06-01', '2026-07-01'),
      expiresOn: fc.constantFrom('2026-06-11', '2026-12-31'),
    })
    const product = fc.record({ licenseSkill: fc.constantFrom('', 'Applicator', 'Trees'), restricted: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(product),
        fc.array(license),
        license,
        fc.option(fc.array(license)),
        (products, own, more, supervisor) => {
          const before = licenseVerdict(products, own, supervisor, where)
          const after = licenseVerdict(products, [...own, more], supervisor, where)
          expect(order.indexOf(after)).toBeGreaterThanOrEqual(order.indexOf(before))
          if (before === 'missing') {
            const all = products.filter((one) => one.restricted)
            expect(licenseVerdict(all, own, supervisor, where)).not.toBe('refused')
          }
        },
      ),
    )
  })
})

const full: ForCompleteness = {
  state: 'GA',
  areaSquareFeet: 8000,
  startedAt: '2026-06-12T14:00:00.000Z',
  products: [{ epaNumber: '2217-539', licenseSkill: 'Applicator', restricted: false, amount: 12, rate: 1.5 }],
  target: 'Dollarweed',
  method: 'Broadcast spray',
  equipment: 'Z-spray',
  windMph: 4,
  windFrom: 'SW',
  temperatureF: 78,
  applicator: 'Luis Ortega',
  licenseNumber: 'GA-1',
  license: 'own',
  signPosted: true,
  noticeLeft: 'Door hanger',
  disposal: '',
}

describe('what a record lacks', () => {
  it('is nothing where everything of the state is there, and no other state’s rules count', () => {
    expect(missingOf(full)).toEqual([])
    expect(missingOf({ ...full, target: ' ', equipment: '' })).toEqual(['target', 'equipment'])
    expect(missingOf({ ...full, state: 'FL', target: '', equipment: '', signPosted: false })).toEqual([])
    expect(missingOf({ ...full, state: 'oh', signPosted: false, noticeLeft: '' })).toEqual(['signPosted', 'notice'])
    expect(missingOf({ ...full, state: 'TX', licenseNumber: '' })).toEqual(['license'])
  })
  it('plain fertilizer has no registration number and takes no license', () => {
    const products = [{ epaNumber: '', licenseSkill: '', restricted: false, amount: 20, rate: 3 }]
    expect(missingOf({ ...full, state: 'TX', products, licenseNumber: '' })).toEqual([])
    expect(missingOf({ ...full, products: [{ ...products[0]!, licenseSkill: 'Applicator' }] })).toEqual(['epaNumber'])
  })
  it('a product with a number that asks for no license is complete without one; with one that asks, each of them counts', () => {
    const [weed] = full.products
    const free = { ...weed!, licenseSkill: '' }
    const texas = { ...full, state: 'TX', licenseNumber: '', license: 'notNeeded' as const }
    expect(missingOf({ ...texas, products: [free] })).toEqual([])
    expect(missingOf({ ...texas, products: [free, weed!], license: 'missing' })).toEqual(['license'])
    // one of two categories is not both
    expect(missingOf({ ...full, state: 'TX', licenseNumber: 'TX 1', license: 'missing' })).toEqual(['license'])
  })
  it('licenses are named by category, any valid one where none is asked for, and none without a number', () => {
    const where = { state: 'GA', day: '2026-06-12' }
    const weed = { licenseSkill: 'Applicator', restricted: false, epaNumber: '1-1' }
    const free = { ...weed, licenseSkill: '' }
    const trees = held({ skill: 'Trees', number: 'GA-7' })
    expect(licenseTexts([weed], [trees], where)).toEqual([])
    expect(licenseTexts([free], [trees], where)).toEqual(['GA GA-7'])
    expect(licenseTexts([weed, free], [held()], where)).toEqual(['GA GA-1'])
    expect(licenseTexts([weed], [held({ number: ' ' })], where)).toEqual([])
    expect(licenseTexts([{ ...free, epaNumber: '' }], [held()], where)).toEqual([])
  })
  it('no area, time, product or amount is lacking anywhere', () => {
    expect(missingOf({ ...full, areaSquareFeet: 0, startedAt: null, products: [] })).toEqual([
      'area',
      'time',
      'products',
    ])
  })
  it('every state has the federal fields, a source, and no longer than the five years that we keep', () => {
    for (const [state, rule] of Object.entries(stateRules)) {
      expect(neededIn(state)).toEqual(
        expect.arrayContaining(['area', 'time', 'products', 'epaNumber', 'amount', 'applicator']),
      )
      expect(sourceOf(state)).toMatch(/^https?:/)
      expect(rule.keepYears).toBeLessThanOrEqual(5)
    }
  })
})

describe('times', () => {
  it('the longest product says how long the lawn is closed', () => {
    const until = keepOffUntil(
      [{ reentryHours: 4 }, { reentryHours: 24 }, { reentryHours: 0 }],
      '2026-06-12T14:00:00.000Z',
    )
    expect(until).toBe('2026-06-13T14:00:00.000Z')
    expect(keepOffUntil([{ reentryHours: 0 }], '2026-06-12T14:00:00.000Z')).toBeNull()
  })
  it('a day later is not late, a minute more is', () => {
    const endedAt = '2026-06-12T14:00:00.000Z'
    expect(isLate({ endedAt, enteredAt: '2026-06-13T14:00:00.000Z' })).toBe(false)
    expect(isLate({ endedAt, enteredAt: '2026-06-13T14:01:00.000Z' })).toBe(true)
  })
  it.each([
    ['2026-06-12', '2026-06-11'],
    ['2026-06-15', '2026-06-12'],
    ['2026-06-14', '2026-06-12'],
    ['2026-07-06', '2026-07-02'],
  ])('neighbors of %s are told by %s', (day, by) =>
    expect(businessDayBefore(day, (one) => one === '2026-07-03')).toBe(by),
  )
})
