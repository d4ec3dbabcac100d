import { expect, it } from 'vitest'
import { stacked } from './stackPins.ts'

const at = (id: string, lat: number, more = {}) => ({ id, lat, lon: -81, name: id, color: 'var(--crew-1)', ...more })

it('makes one pin with a number of places at one spot, and leaves others alone', () => {
  const pins = [at('a', 32), at('b', 32.000_001), at('c', 32, { rough: true }), at('d', 32.1)]
  const [stack, alone] = stacked(pins)
  expect(stack?.pin).toMatchObject({ id: 'stack:a', label: 3, rough: false, selected: false, color: 'var(--crew-1)' })
  expect(stack?.pin.name).toBe('3 customers here: a; b; c')
  expect(stack?.of.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(alone?.pin).toBe(pins[3])
})

it('is marked when one of them is, and has no color of a day when they have several', () => {
  const [stack] = stacked([at('a', 32, { color: 'var(--crew-2)' }), at('b', 32, { selected: true })])
  expect(stack?.pin).toMatchObject({ selected: true, color: 'var(--side)' })
})

it('names no more than three', () => {
  const [stack] = stacked(Array.from({ length: 120 }, (_, at_) => at(String(at_), 32)))
  expect([stack?.pin.label, stack?.pin.name]).toEqual(['99+', '120 customers here: 0; 1; 2; and 117 more'])
})
