import { expect, it } from 'vitest'
import { columnsThatFit } from './tableProps.ts'

const columns = [
  { id: 'name', minWidth: 190 },
  { id: 'city', leaves: 2 },
  { id: 'tags', width: 120, leaves: 1 },
  { id: 'owes', width: 100 },
]

it.each([
  [564, 'name city tags owes'],
  [563, 'name city owes'],
  [444, 'name city owes'],
  [443, 'name owes'],
  [100, 'name owes'],
])('in %i px stand %s', (widthPx, shown) => {
  const ids = columnsThatFit(columns, widthPx, 44).map((column) => column.id)
  expect(ids.join(' ')).toBe(shown)
})
