import { describe, expect, it } from 'vitest'
import {
  type Corner,
  crossingOf,
  feetAround,
  lawnOf,
  metersBetween,
  replacedLawn,
  shapeProblem,
  squareFeetOf,
} from './rules.ts'

/** Square feet and feet around as GeographicLib's planimeter has them on WGS 84. */
const truth: [name: string, ring: Corner[], squareFeet: number, around: number][] = [
  [
    'a lot in Savannah',
    [
      [32.05, -81.1],
      [32.05, -81.099],
      [32.0506, -81.099],
      [32.0506, -81.1],
    ],
    67634.397,
    1056.261,
  ],
  [
    'an L in Seattle',
    [
      [47.6, -122.33],
      [47.6, -122.329],
      [47.6004, -122.329],
      [47.6004, -122.3295],
      [47.6008, -122.3295],
      [47.6008, -122.33],
    ],
    53997.648,
    1077.073,
  ],
  [
    'a corner in Miami',
    [
      [25.76, -80.19],
      [25.7609, -80.1893],
      [25.7603, -80.1881],
    ],
    89721.395,
    1486.068,
  ],
  [
    'a field in Fairbanks',
    [
      [64.84, -147.72],
      [64.84, -147.7],
      [64.845, -147.7],
      [64.845, -147.72],
    ],
    5694710.295,
    9885.259,
  ],
  [
    'a golf course in Augusta',
    [
      [33.5, -82.03],
      [33.5, -82.01],
      [33.515, -82.005],
      [33.52, -82.02],
      [33.51, -82.035],
    ],
    47143258.239,
    26473.918,
  ],
]

describe('square feet', () => {
  it.each(truth)('of %s are the geodesic truth within 0.1 %', (_, ring, squareFeet, around) => {
    expect(Math.abs(squareFeetOf([ring]) / squareFeet - 1)).toBeLessThan(0.001)
    expect(Math.abs(squareFeetOf([[...ring].reverse()]) / squareFeet - 1)).toBeLessThan(0.001)
    expect(Math.abs(feetAround([ring]) / around - 1)).toBeLessThan(0.001)
  })

  it('are less by a hole', () => {
    const [, lot = []] = truth[0] ?? []
    const house: Corner[] = [
      [32.0502, -81.0997],
      [32.0502, -81.0993],
      [32.0504, -81.0993],
      [32.0504, -81.0997],
    ]
    expect(squareFeetOf([lot, house])).toBe(squareFeetOf([lot]) - squareFeetOf([house]))
  })
})

const square: Corner[] = [
  [32, -81],
  [32, -80.999],
  [32.001, -80.999],
  [32.001, -81],
]

describe('an outline', () => {
  it('that crosses itself is refused in words that say where', () => {
    const bow: Corner[] = [
      [32, -81],
      [32.001, -80.999],
      [32, -80.999],
      [32.001, -81],
    ]
    expect(crossingOf(bow)).toEqual({ one: 1, other: 3 })
    expect(shapeProblem('Front lawn', [bow])).toBe(
      'The outline of Front lawn crosses itself: the side from corner 1 and the side from corner 3 meet. Move one of these corners.',
    )
  })

  it('that touches itself or turns straight back crosses, too; a plain one does not', () => {
    expect(
      crossingOf([
        [32, -81],
        [32, -80.999],
        [32.001, -80.999],
        [32, -80.9995],
        [32.001, -81],
      ]),
    ).not.toBeNull()
    expect(
      crossingOf([
        [32, -81],
        [32, -80.998],
        [32, -80.999],
        [32.001, -80.999],
      ]),
    ).not.toBeNull()
    expect(crossingOf(square)).toBeNull()
    expect(shapeProblem('Front lawn', [square])).toBeNull()
  })

  it('needs three corners, and its holes stay inside and apart', () => {
    expect(shapeProblem('Bed 1', [square.slice(0, 2)])).toBe('The outline of Bed 1 needs at least three corners.')
    const hole: Corner[] = [
      [32.0003, -80.9997],
      [32.0003, -80.9994],
      [32.0006, -80.9994],
      [32.0006, -80.9997],
    ]
    expect(shapeProblem('Lawn', [square, hole])).toBeNull()
    expect(shapeProblem('Lawn', [square, hole.map(([lat, lon]): Corner => [lat, lon + 0.0006])])).toContain(
      'reaches over',
    )
    expect(shapeProblem('Lawn', [square, hole, hole])).toContain('overlap')
  })
})

it('counts only turf as the lawn, and nothing where there is none', () => {
  const areas = [
    { kind: 'turf' as const, squareFeet: 4000 },
    { kind: 'bed' as const, squareFeet: 300 },
    { kind: 'turf' as const, squareFeet: 1500 },
  ]
  expect(lawnOf(areas)).toBe(5500)
  expect(lawnOf([{ kind: 'bed', squareFeet: 300 }])).toBeNull()
})

it('measures a hundredth of a minute of latitude in Savannah as 18.5 meters', () => {
  expect(metersBetween([32, -81], [32 + 1 / 6000, -81])).toBeCloseTo(18.48, 1)
})

describe('a typed lawn size that areas would replace', () => {
  const turf = { kind: 'turf' as const }
  const bed = { kind: 'bed' as const }
  it.each([
    ['is asked about when another is measured', 6262, [], 45_576, 6262],
    ['is asked about beside beds too', 6262, [bed], 45_576, 6262],
    ['stays when it measures the same', 6262, [], 6262, null],
    ['stays when no turf is drawn', 6262, [bed], null, null],
    ['was never typed', null, [], 45_576, null],
    ['is no typed one where turf was measured before', 6262, [turf], 45_576, null],
  ])('%s', (_, lawnSquareFeet, items, lawn, is) => expect(replacedLawn({ lawnSquareFeet, items }, lawn)).toBe(is))
})
