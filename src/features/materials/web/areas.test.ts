import { expect, test } from 'vitest'
import { areasOf, usualAreas } from './areas.ts'

const part = (id: string, kind: 'turf' | 'bed' | 'edge' | 'other') => ({ id, kind, name: '', squareFeet: 400 })

test('only drawn turf stands for the whole lawn; what is neither turf nor bed is not ticked by itself', () => {
  const areas = areasOf(6000, [part('patio', 'other'), part('roses', 'bed'), part('walk', 'edge')])
  expect(areas.map(({ id, label }) => [id, label])).toEqual([
    ['lawn', 'Lawn'],
    ['patio', 'Other'],
    ['roses', 'Bed'],
  ])
  expect([usualAreas(areas, false), usualAreas(areas, true)]).toEqual([['lawn'], ['roses']])
  const drawn = areasOf(6000, [part('front', 'turf'), part('patio', 'other')])
  expect([drawn.map(({ id }) => id), usualAreas(drawn, false)]).toEqual([['front', 'patio'], ['front']])
})
