import { expect, test } from 'vitest'
import {
  bulkUsual,
  byThousand,
  cubicYards,
  fertilizerPerThousand,
  gallonsPerAcre,
  grasses,
  grassOf,
  limePerThousand,
  nutrientPounds,
  ouncesPerGallon,
  productInTank,
  pureLiveShare,
  seedPounds,
  seedRange,
  sodSquareFeet,
  solublePounds,
  waterGallons,
} from './rules.ts'

const to = (value: number, digits: number): number => Number(value.toFixed(digits))

test.each([
  // percent N, pounds for 1,000 sq ft at 1.0 lb and at 0.9 lb of nitrogen
  [46, 2.17, 1.96],
  [32, 3.13, 2.81],
  [24, 4.17, 3.75],
  [21, 4.76, 4.29],
  [16, 6.25, 5.63],
  [10, 10, 9],
])('%s percent nitrogen takes %s lb a thousand at 1 lb N, %s at 0.9', (percent, atOne, atCap) => {
  expect([to(fertilizerPerThousand(1, percent), 2), to(fertilizerPerThousand(0.9, percent) + 1e-9, 2)]).toEqual([
    atOne,
    atCap,
  ])
})

test('28-3-6 at 1 lb of nitrogen is 3.57 lb a thousand, 21.4 lb on 6,000 sq ft, with its phosphate and potash', () => {
  const perThousand = fertilizerPerThousand(1, 28)
  const pounds = byThousand(6000, perThousand)
  expect([to(perThousand, 2), to(pounds, 1)]).toEqual([3.57, 21.4])
  expect([
    to(nutrientPounds(pounds, 28), 2),
    to(nutrientPounds(pounds, 3), 2),
    to(nutrientPounds(pounds, 6), 2),
  ]).toEqual([6, 0.64, 1.29])
})

test('nitrogen is all soluble until the label says what of it is slow', () => {
  expect([solublePounds(0.9, null), to(solublePounds(0.9, 30), 2), solublePounds(1, 100)]).toEqual([0.9, 0.63, 0])
})

test('seed: rates of the source, half for overseeding, more where less comes up, and some to spare', () => {
  expect(grasses.map((grass) => seedRange(grass, 'new'))).toEqual([
    [1, 3],
    [3, 5],
    [4, 6],
    [6, 8],
    [4, 5],
    [1, 2],
  ])
  expect(seedRange('tallFescue', 'overseed')).toEqual([3, 4])
  expect(pureLiveShare(98, 85)).toBeCloseTo(0.833)
  expect(pureLiveShare(98, null)).toBe(1)
  expect(seedPounds(5000, 7, { liveShare: 1, extraPercent: 0 })).toBe(35)
  expect(to(seedPounds(5000, 7, { liveShare: 0.833, extraPercent: 20 }), 1)).toBe(50.4)
})

test.each([
  [1, 324],
  [2, 162],
  [3, 108],
  [4, 81],
])('a yard covers at %s in what the source says', (depth, squareFeet) => {
  expect(cubicYards(squareFeet, depth)).toBe(1)
})

test('waste is on top, and a yard weighs what the source says at most', () => {
  expect(to(cubicYards(1000, 3, 5), 2)).toBe(9.72)
  expect(Object.values(bulkUsual).map(({ poundsPerYard }) => poundsPerYard)).toEqual([800, 1600, 1500, 2700])
})

test('sod with what is cut away, lime by the bag', () => {
  expect(sodSquareFeet(900, 5)).toBe(945)
  expect(byThousand(6000, limePerThousand)).toBe(300)
})

test('a tank: product by rate, tank and carrier; gallons an acre; spot mixes by percent', () => {
  // 1.5 fl oz a thousand, 100 gal at 1.5 gal a thousand treat 66,667 sq ft
  expect(productInTank(1.5, 100, 1.5)).toBe(100)
  expect(to(productInTank(1.5, 50, 1.75), 1)).toBe(42.9)
  expect(to(gallonsPerAcre(1.5), 0)).toBe(65)
  expect(ouncesPerGallon(2)).toBe(2.56)
})

test('half an inch of water is 312 gal a thousand', () => {
  expect(to(waterGallons(1000, 0.5), 0)).toBe(312)
})

test('the grass of a product is known by its name, so that no bermuda is sown at the rate of fescue', () => {
  const of = [
    'Hulled bermudagrass',
    'Tall fescue, turf type',
    'Creeping red fescue',
    'KBG/rye 80/20',
    'Perennial ryegrass',
    'Kentucky Bluegrass',
    'Shade mix',
  ]
  expect(of.map(grassOf)).toEqual(['bermuda', 'tallFescue', 'redFescue', 'kbgRye', 'rye', 'kbg', null])
})
