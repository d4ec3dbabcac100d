import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ApiError } from '#src/shared/client.ts'
import { EmptyState } from './EmptyState.tsx'
import { LoadMore } from './LoadMore.tsx'
import { Table } from './Table.tsx'
import type { TableProps } from './tableProps.ts'
import { show } from './testing/show.tsx'

type Row = { id: string; name: string }

const table = (changes: Partial<TableProps<Row>>) => (
  <Table<Row>
    label="Customers"
    columns={[{ id: 'name', header: 'Name', cell: (row) => row.name }]}
    rows={undefined}
    rowId={(row) => row.id}
    mobile={(row) => row.name}
    {...changes}
  />
)

it('a list on its way says that it loads', () => {
  show(table({ loading: true }))
  expect(screen.getByRole('status').textContent).toContain('Loading')
  expect(screen.queryByRole('table')).toBeNull()
})

it('a list without rows says what is missing, in its own words or in ours', () => {
  const { rerender } = show(table({ rows: [] }))
  expect(screen.getByRole('heading').textContent).toBe('Nothing here')
  rerender(table({ rows: [], empty: <EmptyState title="No customers yet">Add the first one.</EmptyState> }))
  expect(screen.getByRole('heading').textContent).toBe('No customers yet')
  expect(screen.queryByRole('status')).toBeNull()
})

it('a list that failed says so in the words of the server, with a number for support, and can be asked for again', async () => {
  let tries = 0
  const error = new ApiError('internal', 'The list is being put in order. Nothing was lost.', 500, {
    requestId: 'r-42',
  })
  const { user } = show(table({ error, onRetry: () => (tries += 1) }))
  const alert = screen.getByRole('alert').textContent
  expect(alert).toContain('This did not load')
  expect(alert).toContain('The list is being put in order. Nothing was lost.')
  expect(alert).toContain('For support: r-42')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(tries).toBe(1)
})

it('an error of ours shows none of its insides', () => {
  show(table({ error: new TypeError("Cannot read properties of undefined (reading 'map')") }))
  const alert = screen.getByRole('alert').textContent
  expect(alert).toContain('Something went wrong on our side. Nothing was lost.')
  expect(alert).not.toContain('undefined')
  expect(screen.queryByRole('button')).toBeNull()
})

it('rows that are there stay while they are asked for again, even when that fails', () => {
  const rows = [{ id: 'a', name: 'Ada Brooks' }]
  const { container, rerender } = show(table({ rows, refreshing: true }))
  const grid = screen.getByRole('table', { name: 'Customers' })
  expect(container.querySelector('[aria-busy="true"]')?.contains(grid)).toBe(true)
  rerender(table({ rows, error: new ApiError('network', 'We could not reach Swath.', 0) }))
  expect(screen.getByRole('table', { name: 'Customers' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('the end of a list counts what is shown; more that did not load is asked for by hand', async () => {
  let asked = 0
  const end = (failed: boolean) => (
    <LoadMore hasMore loading={false} failed={failed} onMore={() => (asked += 1)} shown={1200} total={3400} />
  )
  const { user, rerender } = show(end(true))
  expect(screen.getByRole('status').textContent).toBe('1,200 of 3,400')
  await user.click(screen.getByRole('button', { name: 'This did not load. Try again' }))
  expect(asked).toBe(1)
  rerender(<LoadMore hasMore={false} loading={false} onMore={() => undefined} shown={3400} total={3400} />)
  expect(screen.getByRole('status').textContent).toBe('3,400 shown')
  expect(screen.queryByRole('button')).toBeNull()
})

it('a search that looked back a while says how far, and looks further only when asked', async () => {
  let asked = 0
  const { user } = show(
    <LoadMore hasMore loading={false} onMore={() => (asked += 1)} shown={0} lookedBackTo="Mar 3, 2026" />,
  )
  expect(screen.getByRole('status').textContent).toBe('0 found back to Mar 3, 2026')
  expect(asked).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Look further back' }))
  expect(asked).toBe(1)
})
