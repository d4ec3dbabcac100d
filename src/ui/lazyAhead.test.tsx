import { act, render, screen, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import { lazyAhead } from './lazyAhead.tsx'

const Body = () => <p>The map</p>

const shown = async (Part: React.ComponentType) => {
  const waited = vi.fn()
  const Waiting = () => {
    waited()
    return <p>Wait</p>
  }
  await act(async () => {
    render(
      <Suspense fallback={<Waiting />}>
        <Part />
      </Suspense>,
    )
  })
  return waited
}

it('what was fetched ahead is drawn at once, without a waiting sign and without being fetched again', async () => {
  const load = vi.fn(async () => Body)
  const Part = lazyAhead(load)
  Part.ahead()
  await load.mock.results[0]?.value
  const waited = await shown(Part)
  expect(screen.getByText('The map')).toBeTruthy()
  expect(waited).not.toHaveBeenCalled()
  Part.ahead()
  expect(load).toHaveBeenCalledTimes(1)
})

it('what was not is waited for', async () => {
  const waited = await shown(lazyAhead(async () => Body))
  expect(screen.getByText('The map')).toBeTruthy()
  expect(waited).toHaveBeenCalled()
})

it('what did not come ahead is asked for again when it is drawn, in the patient way', async () => {
  const load = vi.fn(async (): Promise<typeof Body> => {
    throw new TypeError('offline')
  })
  const asked = vi.fn(async () => Body)
  const Part = lazyAhead(load, asked)
  Part.ahead()
  await waitFor(() => expect(load.mock.settledResults[0]?.type).toBe('rejected'))
  await shown(Part)
  expect(screen.getByText('The map')).toBeTruthy()
  expect(asked).toHaveBeenCalledWith(load)
})
