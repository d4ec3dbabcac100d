import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { MapLine } from '../../../ui/mapPins.ts'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { useRoads } from './ways.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const straight = [
  { lat: 32, lon: -81 },
  { lat: 32.1, lon: -81.1 },
]
const road = [straight[0], { lat: 32, lon: -81.1 }, straight[1]]
const lines: MapLine[] = [
  { id: 'north', color: 'black', points: straight },
  { id: 'unordered', color: 'black', points: straight.toReversed(), dashed: true },
]
const Lines = () => (
  <ul>
    {useRoads(lines).map(({ id, points }) => (
      <li key={id}>{`${id}: ${points.length} points`}</li>
    ))}
  </ul>
)

it('a line runs on roads once the engine has answered; one without an order stays as it is', async () => {
  const asked = answerWith(() => ({ body: { ways: [road], again: false } }))
  show(<Lines />)
  screen.getByText('north: 2 points')
  await screen.findByText('north: 3 points', undefined, { timeout: 5_000 })
  screen.getByText('unordered: 2 points')
  expect(asked).toEqual(['POST /api/travel/ways'])
})

it.each([
  ['fails', { status: 500, body: {} }],
  ['has no engine', { body: { ways: [null], again: false } }],
])('a server that %s leaves lines straight', async (_, answer) => {
  let isAnswered = false
  answerWith(() => {
    isAnswered = true
    return answer
  })
  show(<Lines />)
  await expect.poll(() => isAnswered, { timeout: 5_000 }).toBe(true)
  screen.getByText('north: 2 points')
})

it.each([
  ['answers only some', { body: { ways: [null], again: true } }],
  ['fails', { status: 500, body: {} }],
])('a server that %s is asked again in a minute, and not any more once all are there', async (_, first) => {
  vi.useFakeTimers()
  const answers = [first]
  const asked = answerWith(() => answers.shift() ?? { body: { ways: [road], again: false } })
  const { client } = show(<Lines />)
  const pass = async (ms: number) => {
    await act(() => vi.advanceTimersByTimeAsync(ms))
    await act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0)))
  }
  await pass(1_000)
  screen.getByText('north: 2 points')
  await pass(61_000)
  screen.getByText('north: 3 points')
  await pass(600_000)
  expect(asked.length).toBe(2)
})
