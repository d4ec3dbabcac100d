import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { SortableLists } from './SortableLists.tsx'
import { show } from './testing/show.tsx'

const stops = ['7 Bay St', '45 Wassaw Rd']
const lists = (locked = false) => (
  <SortableLists<string>
    lists={[{ id: 'north', label: 'North', items: stops }]}
    itemId={(stop) => stop}
    itemLabel={(stop) => stop}
    isLocked={() => locked}
    onMove={() => undefined}
    render={(stop) => (
      <>
        <b>Row of {stop}</b>
        <input aria-label={`Minutes of ${stop}`} />
      </>
    )}
  />
)
const lifted = () => document.querySelectorAll('.ui-sort__item.is-lifted').length
const finger = (clientX: number, clientY: number) => ({ touches: [{ identifier: 0, clientX, clientY }] })

afterEach(() => void vi.useRealTimers())

const drag = (from: Element) => {
  fireEvent.mouseDown(from, { button: 0, clientX: 100, clientY: 100 })
  fireEvent.mouseMove(document, { clientX: 100, clientY: 120 })
}

it.each([
  ['the mouse lifts a row wherever it takes hold of it', false, () => screen.getByText('Row of 7 Bay St'), 1],
  ['its grip', false, () => screen.getByRole('button', { name: 'Drag 7 Bay St' }), 1],
  ['what is typed there is marked, not lifted', false, () => screen.getByLabelText('Minutes of 7 Bay St'), 0],
  ['a row that stays stays', true, () => screen.getByText('Row of 7 Bay St'), 0],
])('%s', (_, locked, from, count) => {
  show(lists(locked))
  drag(from())
  expect(lifted()).toBe(count)
  fireEvent.mouseUp(document)
})

it('a finger that rests on a row for a quarter of a second lifts it, one that moves before scrolls', () => {
  vi.useFakeTimers()
  show(lists())
  const row = screen.getByText('Row of 7 Bay St')
  fireEvent.touchStart(row, finger(100, 100))
  act(() => void vi.advanceTimersByTime(249))
  expect(lifted()).toBe(0)
  fireEvent.touchMove(document, finger(100, 140))
  act(() => void vi.advanceTimersByTime(400))
  expect(lifted()).toBe(0)
  fireEvent.touchEnd(document)
  fireEvent.touchStart(row, finger(100, 100))
  act(() => void vi.advanceTimersByTime(250))
  expect(lifted()).toBe(1)
  fireEvent.touchEnd(document)
})

it('the keyboard lifts it by its grip', async () => {
  const { user } = show(lists())
  screen.getByRole('button', { name: 'Drag 45 Wassaw Rd' }).focus()
  await user.keyboard(' ')
  expect(lifted()).toBe(1)
  await user.keyboard('{Escape}')
})
