import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { MapLine } from '../../../ui/mapPins.ts'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { useRoads } from './ways.ts'

afterEach(cleanup)

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
  const asked = answerWith(() => ({ body: { ways: [road] } }))
  show(<Lines />)
  screen.getByText('north: 2 points')
  await screen.findByText('north: 3 points', undefined, { timeout: 5_000 })
  screen.getByText('unordered: 2 points')
  expect(asked).toEqual(['POST /api/travel/ways'])
})

it.each([
  ['fails', { status: 500, body: {} }],
  ['has no engine', { body: { ways: [null] } }],
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
