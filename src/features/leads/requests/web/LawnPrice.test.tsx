import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { LawnPrice } from './LawnPrice.tsx'

const square: [number, number][] = [
  [32, -81],
  [32.0003, -81],
  [32.0003, -80.9997],
  [32, -80.9997],
]
const bow = [square[0], square[2], square[1], square[3]]

// the map needs a canvas; what counts here is what is made of the line
vi.mock('./DrawRing.tsx', () => ({
  DrawRing: ({ onRing }: { onRing: (ring: unknown) => void }) => (
    <>
      <button type="button" onClick={() => onRing(bow)}>
        crossing
      </button>
      <button type="button" onClick={() => onRing(square)}>
        simple
      </button>
    </>
  ),
}))

it('a line that crosses itself gets no price and says what to do; put right it does, with its line', async () => {
  const asked = answerWith(() => ({ body: { items: [{ id: 'mow', name: 'Mow', lowCents: 4000, highCents: 5000 }] } }))
  const told = vi.fn()
  const { user } = show(
    <LawnPrice
      slug="marsh"
      services={[
        { id: 'mow', name: 'Mow', frequencies: ['weekly'], needsSize: true, afterLook: false, bookable: false },
      ]}
      place={{ served: true, exact: true, latitude: 32, longitude: -81 }}
      onLawn={told}
    />,
  )
  await user.click(screen.getByText('crossing'))
  await user.click(screen.getByRole('button', { name: 'Show my price' }))
  expect(screen.getByText(/crosses itself, so it has no size. Move a corner, or undo/)).toBeTruthy()
  expect(asked).toEqual([])
  expect(screen.queryByText(/sq ft$/)).toBeNull()
  await user.click(screen.getByText('simple'))
  await user.click(screen.getByRole('button', { name: 'Show my price' }))
  await screen.findByText('Mow', { selector: '.ask-price__prices span' })
  expect(asked).toHaveLength(1)
  expect(told).toHaveBeenLastCalledWith(expect.objectContaining({ way: 'drawn', ring: square }))
})
