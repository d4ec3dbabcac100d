import { expect, it } from 'vitest'
import { placeOnSketch } from './sketch.ts'

const at = (id: string, latitude: number | null, longitude: number | null = -81) => ({ id, latitude, longitude })

it('puts north up and keeps everything inside the margin', () => {
  const placed = placeOnSketch([at('south', 32), at('north', 32.1), at('east', 32.05, -80.9)], 300, 200, 20)
  const [south, north, east] = placed
  expect(north?.y).toBe(20)
  expect(south?.y).toBe(180)
  expect(east?.x ?? 0).toBeGreaterThan(south?.x ?? 0)
  for (const p of placed) expect(p.x >= 20 && p.x <= 280).toBe(true)
})

it('leaves out what has no place, and puts a single point in the middle', () => {
  expect(placeOnSketch([at('none', null), at('one', 32)], 300, 200, 20)).toEqual([{ id: 'one', x: 150, y: 100 }])
  expect(placeOnSketch([], 300, 200, 20)).toEqual([])
})
