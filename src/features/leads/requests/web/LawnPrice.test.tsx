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

it('a sum says what it is of and what is not in it; one price alone needs none', async () => {
  const of = (id: string, name: string, afterLook = false) => ({
    ...{ id, name, afterLook, frequencies: ['once' as const], needsSize: true, bookable: false },
  })
  const prices: Record<string, number | null> = { mow: 4000, edge: 2500, mulch: null }
  answerWith(async (request) => ({
    body: {
      items: ((await request.json()) as { services: { id: string }[] }).services.map(({ id }) => ({
        ...{ id, name: id === 'mow' ? 'Mow' : id === 'edge' ? 'Edge' : 'Mulch' },
        ...{ lowCents: prices[id], highCents: prices[id] === null ? null : (prices[id] ?? 0) + 500 },
      })),
    },
  }))
  const { user } = show(
    <LawnPrice
      slug="marsh"
      services={[of('mow', 'Mow'), of('edge', 'Edge'), of('mulch', 'Mulch', true)]}
      place={{ served: true, exact: true, latitude: 32, longitude: -81 }}
      onLawn={() => undefined}
    />,
  )
  await user.click(screen.getByText('simple'))
  await user.click(screen.getByRole('button', { name: 'Show my price' }))
  await screen.findByText('Mow', { selector: '.ask-price__prices span' })
  expect(screen.queryByText(/Together/)).toBeNull()
  await user.click(screen.getByRole('checkbox', { name: /Edge/ }))
  await user.click(screen.getByRole('checkbox', { name: /Mulch/ }))
  await user.click(screen.getByRole('button', { name: 'Show my price' }))
  const sum = (await screen.findByText('Together for Mow and Edge')).parentElement
  expect(sum?.textContent).toContain('$65.00 to $75.00 a visit')
  screen.getByText('Mulch is not in it: priced after a look.')
})
