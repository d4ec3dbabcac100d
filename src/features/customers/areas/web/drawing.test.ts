import { expect, it } from 'vitest'
import { squareFeetOf } from '../rules.ts'
import {
  addCorner,
  canClose,
  close,
  drawingOf,
  moveCorner,
  removeCorner,
  startArea,
  startHole,
  undo,
} from './drawing.ts'

const square = [
  [32, -81],
  [32, -80.9997],
  [32.0003, -80.9997],
  [32.0003, -81],
] as const
const drawn = () => square.reduce((drawing, corner) => addCorner(drawing, corner), startArea(drawingOf([]), 'a'))

it('closes on its first corner, near enough by a finger, and only with three corners', () => {
  const two = addCorner(addCorner(startArea(drawingOf([]), 'a'), square[0]), square[1])
  expect([canClose(two), close(two).line]).toEqual([false, { key: 'a', ring: 0 }])
  const done = addCorner(drawn(), [32.000004, -81.000004])
  expect(done.line).toBeNull()
  expect(done.areas[0]?.rings?.[0]).toHaveLength(4)
})

it('goes back corner by corner, and to nothing', () => {
  let drawing = close(drawn())
  const sizes = []
  while (drawing.past.length > 0) {
    drawing = undo(drawing)
    sizes.push(drawing.areas[0]?.rings?.[0]?.length ?? null)
  }
  expect(sizes).toEqual([4, 3, 2, 1, 0, null])
})

it('takes the corner of a neighbor, so that two areas share an edge', () => {
  const next = addCorner(startArea(close(drawn()), 'b'), [32.000003, -80.999703])
  expect(next.areas[1]?.rings?.[0]?.[0]).toEqual(square[1])
  const moved = moveCorner(next, { key: 'b', ring: 0 }, 0, [32.0003, -80.99969])
  expect(moved.areas[1]?.rings?.[0]?.[0]).toEqual(square[2])
})

it('cuts a hole, and takes it out with its third corner', () => {
  const hole = [
    [32.0001, -80.9999],
    [32.0001, -80.9998],
    [32.0002, -80.9998],
  ] as const
  const cut = close(hole.reduce((drawing, corner) => addCorner(drawing, corner), startHole(close(drawn()), 'a')))
  const [whole = 0, less = 0] = [[square], cut.areas[0]?.rings ?? []].map((rings) => squareFeetOf(rings))
  expect(less).toBeLessThan(whole)
  expect(removeCorner(cut, { key: 'a', ring: 1 }, 0).areas[0]?.rings).toHaveLength(1)
})
