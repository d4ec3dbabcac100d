import { expect, it } from 'vitest'
import type { CrewDayPlan, CrewStop } from '../contract.ts'
import { inBigger, loadOf, nextWorkDay, packagesOf, poundsOf } from './rules.ts'

const aStop = (street: string, more: Partial<CrewStop> = {}): CrewStop =>
  ({ street, status: 'scheduled', services: ['Weed control'], ...more }) as CrewStop
const spray = (amount: number | null, water: number | null): CrewStop['load'] => [
  { kind: 'product', name: 'Trimec Classic', unit: 'fl oz', amount },
  { kind: 'water', name: '', unit: 'gal', amount: water },
]
const listOf = (...stops: CrewStop[]) => loadOf({ stops })

it('adds what the stops of a day take, to the hundredth', () => {
  const load = listOf(
    aStop('1 Bay St', { load: spray(9.61, 12) }),
    aStop('2 Bay St', { load: spray(0.1, 0.2), services: ['Weed control', 'Mow'] }),
    aStop('3 Bay St', {
      load: [
        { kind: 'product', name: 'Barricade 4FL', unit: 'fl oz', amount: 4 },
        { kind: 'material', name: 'Mulch', unit: 'yard', amount: 2.5 },
      ],
      services: ['Mulch'],
    }),
  )
  expect(load.products).toEqual([
    { name: 'Barricade 4FL', unit: 'fl oz', amount: 4, stops: 1 },
    { name: 'Trimec Classic', unit: 'fl oz', amount: 9.71, stops: 2 },
  ])
  expect([load.waterGallons, load.materials]).toEqual([12.2, [{ name: 'Mulch', unit: 'yard', amount: 2.5, stops: 1 }]])
  expect(load.work).toEqual([
    { name: 'Weed control', stops: 2, withoutMix: false },
    { name: 'Mow', stops: 1, withoutMix: false },
    { name: 'Mulch', stops: 1, withoutMix: false },
  ])
})

it.each([
  ['is done', { status: 'completed' }],
  ['is skipped', { status: 'skipped' }],
  ['is canceled', { status: 'canceled' }],
  ['has another day', { movedTo: '2026-06-13' }],
  ['is with another crew', { withOther: true }],
] as const)('loads nothing for a stop that %s', (_, more) => {
  const load = listOf(aStop('1 Bay St', { load: spray(9, 12), ...more }))
  expect([load.products, load.waterGallons, load.work]).toEqual([[], 0, []])
})

it('loads no product for a lawn whose treatment is written down, and still its mulch', () => {
  const load = listOf(
    aStop('1 Bay St', {
      status: 'in_progress',
      treatment: { treats: true, squareFeet: 8000, records: 1, needed: false, keepOffUntil: null },
      load: [...(spray(9, 12) ?? []), { kind: 'material', name: 'Mulch', unit: 'yard', amount: 2 }],
    }),
  )
  expect([load.products, load.waterGallons, load.materials.length]).toEqual([[], 0, 1])
})

it('names what nobody knows instead of leaving it out', () => {
  const load = listOf(
    aStop('1 Bay St', { load: spray(null, null) }),
    aStop('2 Bay St', {
      services: ['Fertilizer'],
      load: [{ kind: 'unset', name: 'Fertilizer', unit: '', amount: null }],
    }),
  )
  expect(load.products).toEqual([])
  expect(load.unmeasured).toEqual([{ street: '1 Bay St', names: ['Trimec Classic'] }])
  expect(load.work.filter((one) => one.withoutMix).map(({ name }) => name)).toEqual(['Fertilizer'])
})

it('a day that is stored without loads has its work and its trucks', () => {
  const check = { equipment: [{ name: 'Isuzu NPR', out: null }] } as CrewDayPlan['check']
  const load = loadOf({ stops: [aStop('1 Bay St')], check })
  expect([load.work, load.equipment]).toEqual([
    [{ name: 'Weed control', stops: 1, withoutMix: false }],
    [{ name: 'Isuzu NPR', out: null }],
  ])
})

it.each([
  ['fl oz', 256, { unit: 'gal', amount: 2 }],
  ['fl oz', 64, { unit: 'gal', amount: 0.5 }],
  ['fl oz', 63.9, null],
  ['oz', 40, { unit: 'lb', amount: 2.5 }],
  ['lb', 400, null],
] as const)('%s %d as it is bought', (unit, amount, bought) => expect(inBigger({ unit, amount })).toEqual(bought))

it('tomorrow is the next day with work, over a weekend too', () => {
  const day = (on: string, ...stops: CrewStop[]) => ({ day: on, stops }) as CrewDayPlan
  const days = [
    day('2026-06-12', aStop('1')),
    day('2026-06-13'),
    day('2026-06-14', aStop('2', { status: 'canceled' })),
    day('2026-06-15', aStop('3')),
  ]
  expect(nextWorkDay(days, '2026-06-12')?.day).toBe('2026-06-15')
  expect(nextWorkDay(days, '2026-06-15')).toBeNull()
})

it('counts the packages of a planned material once over its stops, and says what the load weighs', () => {
  const bag = { of: 'bag', size: 50, pounds: 50 } as const
  const planned = (amount: number) => ({ kind: 'material', name: 'Fertilizer 24-0-11', unit: 'lb', amount, pack: bag })
  const load = listOf(
    aStop('1 Bay St', { load: [planned(44.06)] as CrewStop['load'] }),
    aStop('2 Bay St', { load: [planned(44.06)] as CrewStop['load'] }),
  )
  expect(load.materials.map((line) => [line.amount, packagesOf(line), poundsOf(line), line.stops])).toEqual([
    [88.12, 2, 100, 2],
  ])
  expect(load.weight).toEqual({ pounds: 100, isLeast: false })
  // 10 gal of water, and a product that nobody weighed
  expect(listOf(aStop('1 Bay St', { load: spray(9, 10) })).weight).toEqual({ pounds: 83, isLeast: true })
  expect(listOf(aStop('1 Bay St')).weight).toBeNull()
})
