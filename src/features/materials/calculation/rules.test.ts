import { expect, test } from 'vitest'
import { packagesFor, quantityFor } from '../rules.ts'
import type { Choice } from './contract.ts'
import { calculate, type MaterialFacts, overload, waterWeightOf, weightOf } from './rules.ts'

const material = (more: Partial<MaterialFacts>): MaterialFacts => ({
  kind: 'fertilizer',
  name: 'A material',
  package: 'bag',
  packageSize: 50,
  unit: 'lb',
  weightPounds: null,
  nitrogenPercent: null,
  phosphatePercent: null,
  potashPercent: null,
  slowPercent: null,
  purityPercent: null,
  germinationPercent: null,
  costCents: null,
  label: null,
  ...more,
})
const npk = { nitrogenPercent: 28, phosphatePercent: 3, potashPercent: 6, costCents: 4200 }
const spread: Choice = {
  kind: 'fertilizer',
  squareFeet: 6000,
  targetPounds: 1,
  state: 'GA',
  on: '2026-06-12',
  phosphorusAsked: false,
}

test('the example of the source: 28-3-6 at 1 lb N on 6,000 sq ft is 21.4 lb, one bag, with its steps', () => {
  const found = calculate(spread, material(npk))
  expect([Number(found.amount.toFixed(1)), found.unit, found.packages, found.weightPounds, found.costCents]).toEqual([
    21.4,
    'lb',
    1,
    50,
    4200,
  ])
  expect(found.steps).toEqual([
    '1 lb N × 100 ÷ 28% N = 3.57 lb for 1,000 sq ft',
    '6,000 sq ft ÷ 1,000 × 3.57 lb = 21.43 lb',
  ])
  expect(found.problem).toBeNull()
})

test('Maryland stops it above its cap, unless the business switched that off and said why', () => {
  const inMaryland = { ...spread, state: 'MD' }
  const stopped = calculate(inMaryland, material(npk))
  expect(stopped.problem).toMatchObject({
    path: 'targetPounds',
    rule: 'law',
    message: expect.stringContaining('0.9 lb'),
  })
  const off = calculate(inMaryland, material(npk), [{ state: 'MD', reason: 'Sod farm, not turf' }])
  expect(off.problem).toBeNull()
  expect(off.notes).toContain('The limits of Maryland are switched off here: Sod farm, not turf')
  const slow = material({ ...npk, slowPercent: 40 })
  const within = { ...inMaryland, targetPounds: 0.9 }
  expect(calculate(within, slow).problem).toMatchObject({ path: 'phosphorusAsked', rule: 'law' })
  expect(calculate({ ...within, phosphorusAsked: true }, slow).problem).toBeNull()
  expect(calculate(within, slow, [{ state: 'MD', reason: 'Sod farm' }]).problem).toBeNull()
  expect(calculate({ ...inMaryland, targetPounds: 0.7, on: '2026-12-24' }, material(npk)).problem?.path).toBe('on')
})

test('a fertilizer without nitrogen on its label is asked for it, never divided by', () => {
  const found = calculate(spread, material({ nitrogenPercent: 0 }))
  expect([found.problem, found.packages]).toEqual([
    { path: 'nitrogenPercent', message: 'With 0% nitrogen it cannot be calculated by nitrogen.' },
    0,
  ])
  expect(calculate(spread, material({})).problem?.message).toBe('Type the first of the three numbers on the bag.')
})

test('mulch by the yard is rounded up to the half yard, by the bag to whole bags, and weighed', () => {
  const beds: Choice = { kind: 'mulch', squareFeet: 500, depthInches: 3, wastePercent: 5 }
  const loose = calculate(
    beds,
    material({ kind: 'mulch', package: 'yard', packageSize: 1, unit: 'yd', costCents: 3800 }),
  )
  // 500 × 3 ÷ 324 = 4.63, with 5% 4.86
  expect([Number(loose.amount.toFixed(2)), loose.packages, loose.weightPounds, loose.costCents]).toEqual([
    4.86, 5, 4000, 19_000,
  ])
  const bags = calculate(beds, material({ kind: 'mulch', packageSize: 2, unit: 'cu ft' }))
  expect([bags.packages, bags.unit]).toEqual([66, 'cu ft'])
  expect(overload(loose.weightPounds, 2000)).toContain('2 trips')
  expect(overload(2000, 2000)).toBeNull()
})

test('seed with what comes up, sod by the pallet, lime by the bag', () => {
  const seed = calculate(
    { kind: 'seed', squareFeet: 5000, grass: 'tallFescue', seeding: 'new', ratePounds: 7, extraPercent: 20 },
    material({ kind: 'seed', purityPercent: 98, germinationPercent: 85 }),
  )
  expect([Number(seed.amount.toFixed(1)), seed.packages]).toEqual([50.4, 2])
  const sod = calculate(
    { kind: 'sod', squareFeet: 900, wastePercent: 5 },
    material({ kind: 'sod', package: 'pallet', packageSize: 450, unit: 'sq ft' }),
  )
  expect([sod.packages, sod.weightPounds]).toEqual([3, null])
  const lime = calculate({ kind: 'lime', squareFeet: 6000, poundsPerThousand: 50 }, material({ kind: 'lime' }))
  expect([lime.amount, lime.packages]).toEqual([300, 6])
})

const tank: Choice = { kind: 'herbicide', squareFeet: 20_000, rate: 1.2, carrierGallons: 1.5, tankGallons: 50 }
const trimec = (label: MaterialFacts['label']) =>
  material({ kind: 'herbicide', name: 'Trimec', package: 'jug', packageSize: 128, unit: 'fl oz', label })

test('a tank mix takes its rate from the label alone: none typed refuses, more than its most refuses, less is told', () => {
  const found = calculate(tank, trimec({ low: 1.1, high: 1.5, unit: 'fl oz' }))
  expect([found.amount, found.packages, found.problem]).toEqual([24, 1, null])
  expect(found.facts).toContainEqual({ label: 'In a full tank of 50 gal', value: '40 fl oz' })
  const most = calculate({ ...tank, rate: 1.51 }, trimec({ low: 1.1, high: 1.5, unit: 'fl oz' }))
  expect(most.problem).toEqual({
    path: 'rate',
    message: 'The label of Trimec allows at most 1.5 fl oz for 1,000 sq ft.',
  })
  expect(calculate({ ...tank, rate: 1.5 }, trimec({ low: 1.1, high: 1.5, unit: 'fl oz' })).problem).toBeNull()
  expect(calculate(tank, trimec({ low: 1.3, high: 1.5, unit: 'fl oz' })).notes.join()).toContain('less than the label')
  expect(calculate(tank, trimec({ low: null, high: null, unit: 'fl oz' })).problem?.path).toBe('rate')
  expect(calculate(tank, trimec(null)).problem?.path).toBe('materialId')
})

test('a material of another kind is no answer', () => {
  expect(calculate(tank, material(npk)).problem?.message).toBe('A material is no tank mix.')
})

test('a package weighs what is typed, what it is measured in, or the usual weight of a yard; else nobody knows', () => {
  const yard = { package: 'yard', packageSize: 1, unit: 'yd' } as const
  const weights = (
    [
      [{ ...yard, kind: 'mulch' }, 5],
      [{ ...yard, kind: 'gravel', packageSize: 10 }, 1],
      [{ kind: 'mulch', packageSize: 2, unit: 'cu ft' }, 27],
      [{ kind: 'mulch', packageSize: 2, unit: 'cu ft', weightPounds: 40 }, 2],
      [{ kind: 'lime' }, 3],
      [{ kind: 'herbicide', packageSize: 32, unit: 'oz' }, 1],
      [{ kind: 'sod', packageSize: 450, unit: 'sq ft' }, 2],
      [{ kind: 'other', unit: 'each' }, 2],
    ] as const
  ).map(([more, count]) => weightOf(material(more), count))
  expect(weights).toEqual([4000, 27_000, 1600, 80, 150, 2, null, null])
})

test('a load by the ten yards is whole loads, and a quote by the yard counts their yards', () => {
  const load = { unit: 'yd', packageSize: 10 } as const
  expect([packagesFor(4.86, { unit: 'yd', packageSize: 1 }), packagesFor(12, load)]).toEqual([5, 2])
  expect(quantityFor('yard', { amount: 12, packages: 2 }, load)).toBe(20)
  expect(quantityFor('yard', { amount: 4.86, packages: 5 }, { unit: 'yd', packageSize: 1 })).toBe(5)
  const found = calculate(
    { kind: 'mulch', squareFeet: 500, depthInches: 3, wastePercent: 5 },
    material({ kind: 'mulch', package: 'yard', packageSize: 2, unit: 'yd' }),
  )
  expect([found.packages, found.weightPounds]).toEqual([3, 4800])
  expect(found.steps.at(-1)).toBe('4.86 yd³ ÷ 2 yd³, rounded up: 3 yards')
})

test('the water of a tank mix is weighed, never more at once than the tank holds', () => {
  // 20,000 sq ft at 1.5 gal are 30 gal; what a jug weighs is not known
  const found = calculate(tank, trimec({ low: 1.1, high: 1.5, unit: 'fl oz' }))
  expect([found.weightPounds, found.weightIsLeast]).toEqual([expect.closeTo(250.2), true])
  const weighed = { ...trimec({ low: 1.1, high: 1.5, unit: 'fl oz' }), weightPounds: 10 }
  expect(calculate(tank, weighed)).toMatchObject({ weightPounds: expect.closeTo(260.2), weightIsLeast: false })
  expect(waterWeightOf([{ ...tank, tankGallons: 20 }, tank])).toBeCloseTo(50 * 8.34)
  expect(waterWeightOf([{ ...tank, tankGallons: null }, tank])).toBeCloseTo(60 * 8.34)
  expect(waterWeightOf([spread])).toBe(0)
})

test('phosphate that nobody typed is said so, never counted as none', () => {
  const found = calculate(spread, material({ ...npk, phosphatePercent: null }))
  expect(found.facts).toContainEqual({ label: 'Phosphate (P₂O₅) applied', value: 'not typed' })
})

test('a percent that cannot be is refused at its field, never divided by', () => {
  const lawn: Choice = {
    kind: 'seed',
    squareFeet: 5000,
    grass: 'tallFescue',
    seeding: 'new',
    ratePounds: 7,
    extraPercent: 20,
  }
  const seed = (more: Partial<MaterialFacts>) => calculate(lawn, material({ kind: 'seed', ...more }))
  expect(seed({ purityPercent: 0, germinationPercent: 85 })).toMatchObject({
    packages: 0,
    problem: { path: 'purityPercent' },
  })
  expect(seed({ germinationPercent: 101 }).problem?.path).toBe('germinationPercent')
  expect(calculate(spread, material({ ...npk, slowPercent: -1 })).problem?.path).toBe('slowPercent')
  expect(calculate(spread, material({ ...npk, nitrogenPercent: 280 })).problem).toEqual({
    path: 'nitrogenPercent',
    message: 'A percent is 0 to 100.',
  })
})

test('a jug in another unit than its label is never mixed with it', () => {
  const found = calculate(tank, { ...trimec({ low: 1.1, high: 1.5, unit: 'oz' }) })
  expect([found.amount, found.problem?.path, found.problem?.message]).toEqual([
    0,
    'materialId',
    expect.stringContaining('measured in fl oz, the label of its product in oz'),
  ])
})
