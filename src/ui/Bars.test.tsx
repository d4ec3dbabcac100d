import { expect, it } from 'vitest'
import { formatCents } from '#src/shared/money.ts'
import { Bars } from './Bars.tsx'
import { show } from './testing/show.tsx'

it.each([
  [0, []],
  [1, ['$0.01']],
  [4000, ['$40.00', '$20.00']],
])('a week of %i cents has the numbers %j beside it', (done, numbers) => {
  const { container } = show(
    <Bars
      title="Money"
      series={[{ key: 'done', label: 'Done' }]}
      groups={[{ label: 'Mon', values: { done } }]}
      format={formatCents}
    />,
  )
  expect([...container.querySelectorAll('.ui-bars__line')].map((line) => line.textContent).filter(Boolean)).toEqual(
    numbers,
  )
})

it.each([
  [5, ['5']],
  [6, ['10', '5']],
  [2, ['2', '1']],
])('%i visits have no line at half a visit', (done, numbers) => {
  const { container } = show(
    <Bars title="Visits" series={[{ key: 'done', label: 'Done' }]} groups={[{ label: 'Mon', values: { done } }]} />,
  )
  expect([...container.querySelectorAll('.ui-bars__line')].map((line) => line.textContent).filter(Boolean)).toEqual(
    numbers,
  )
})
