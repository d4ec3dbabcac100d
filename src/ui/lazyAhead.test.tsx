import { act, render, screen, waitFor } from '@testing-library/react'
import { Component, type ReactNode, Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import { lazyAhead, useIsHere } from './lazyAhead.tsx'

const Body = () => <p>The map</p>

class Caught extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    return this.state.failed ? <p>Not loaded</p> : this.props.children
  }
}

const Place = ({ part: Part }: { part: ReturnType<typeof lazyAhead<object>> }) =>
  useIsHere(Part) ? <Part /> : <p>On its way</p>

const Waiting = ({ onWait }: { onWait: () => void }) => {
  onWait()
  return <p>Wait</p>
}

const shown = async (part: ReactNode) => {
  const waited = vi.fn()
  await act(async () => {
    render(<Suspense fallback={<Waiting onWait={waited} />}>{part}</Suspense>)
  })
  return waited
}

it('what was fetched ahead is drawn at once, without a waiting sign and without being fetched again', async () => {
  const load = vi.fn(async () => Body)
  const Part = lazyAhead(load)
  Part.ahead()
  await load.mock.results[0]?.value
  const waited = await shown(<Part />)
  expect(screen.getByText('The map')).toBeTruthy()
  expect(waited).not.toHaveBeenCalled()
  Part.ahead()
  expect(load).toHaveBeenCalledTimes(1)
})

it('what was not is waited for', async () => {
  const Part = lazyAhead(async () => Body)
  const waited = await shown(<Part />)
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
  await shown(<Part />)
  expect(screen.getByText('The map')).toBeTruthy()
  expect(asked).toHaveBeenCalledWith(load)
})

it('who draws the waiting sign themselves never makes React wait, whose sign stands for 300 ms', async () => {
  let comes: (part: typeof Body) => void = () => undefined
  const Part = lazyAhead(() => new Promise<typeof Body>((resolve) => (comes = resolve)))
  const waited = await shown(<Place part={Part} />)
  expect(screen.getByText('On its way')).toBeTruthy()
  await act(async () => comes(Body))
  expect(screen.getByText('The map')).toBeTruthy()
  expect(waited).not.toHaveBeenCalled()
})

it('code that does not come is said by who draws it', async () => {
  const Part = lazyAhead(async (): Promise<typeof Body> => {
    throw new TypeError('gone')
  })
  await shown(
    <Caught>
      <Place part={Part} />
    </Caught>,
  )
  expect(screen.getByText('Not loaded')).toBeTruthy()
})
