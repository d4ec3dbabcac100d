import { describe, expect, it } from 'vitest'
import { type MaterialKind, purchaseQuestion, shortageOf, visitFor } from './rules.ts'

describe('the visit that takes a material', () => {
  const visit = (id: string, ...services: [name: string, category: 'mow' | 'treat' | 'install' | 'other'][]) => ({
    id,
    services: services.map(([name, category]) => ({ name, category })),
  })
  const visits = [
    visit('mow', ['Mow, edge, trim and blow', 'mow']),
    visit('hedge', ['Hedge and shrub trimming', 'other']),
    visit('aerate', ['Core aeration', 'treat']),
    visit('feed', ['Mow, edge, trim and blow', 'mow'], ['Fertilize and weed control', 'treat']),
    visit('lime', ['Lime application', 'treat']),
    visit('beds', ['Bed weeding', 'other']),
    visit('mulch', ['Mulch installed', 'install']),
  ]
  it.each<[MaterialKind, string]>([
    ['fertilizer', 'feed'],
    ['herbicide', 'feed'],
    ['lime', 'lime'],
    ['seed', 'aerate'],
    ['mulch', 'mulch'],
    ['gravel', 'mulch'],
    ['other', 'mow'],
  ])('%s goes with %s', (kind, id) => {
    expect(visitFor(kind, visits)?.id).toBe(id)
  })
  it('is the first one where none takes it, and none where none is ahead', () => {
    expect(visitFor('fertilizer', visits.slice(0, 2))?.id).toBe('mow')
    expect(visitFor('fertilizer', [])).toBeUndefined()
  })
})

it.each([
  [4, 10, { unit: 'lb', packageSize: 50 }, 0],
  [12, 10, { unit: 'lb', packageSize: 50 }, 2],
  [2, 0.5, { unit: 'lb', packageSize: 50 }, 2],
  [4.5, 3, { unit: 'yd', packageSize: 1 }, 1.5],
] as const)('of %d needed with %d on hand of %o there are %d to buy', (needed, onHand, sold, short) => {
  expect(shortageOf(needed, onHand, sold)).toBe(short)
})

it('a purchase beyond what anybody means is asked about with its money', () => {
  expect(purchaseQuestion(1_000_000, 'bag', 3850)).toBe('1,000,000 bags cost $38,500,000.00. Is that meant?')
  expect(purchaseQuestion(501, 'bag', null)).toBe('501 bags are very many. Is that meant?')
  expect([purchaseQuestion(3, 'pallet', 500_000), purchaseQuestion(500, 'bag', 2000)]).toEqual([
    '3 pallets cost $15,000.00. Is that meant?',
    null,
  ])
})
