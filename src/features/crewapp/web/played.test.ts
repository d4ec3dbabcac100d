import { expect, test } from 'vitest'
import type { CrewBundle, CrewStop } from '../contract.ts'
import { mergeBundle, replaceStop } from '../projection/rules.ts'
import { memoryStore, playDay, playedReplies } from './played.ts'
import { playOfTour } from './playing.ts'

const stop = {
  id: 'v1',
  version: 3,
  order: 1,
  status: 'scheduled',
  photos: { before: 0, after: 0, other: 0 },
  checked: [],
}
const bundle = {
  today: '2026-06-12',
  timeZone: 'America/New_York',
  serverTime: '2026-06-12T14:00:00.000Z',
  days: [{ day: '2026-06-12', stops: [stop as unknown as CrewStop] }],
} as unknown as CrewBundle
const start = { id: 'c1', type: 'start', visitId: 'v1', payload: {}, at: '2026-06-12T14:00:00.000Z' } as const
const statusOf = (of: CrewBundle) => of.days[0]?.stops[0]?.status

test('what is played is taken, shows in the day, and stays when the day is asked for again', () => {
  const [reply] = playedReplies(bundle, [start])
  expect(reply).toMatchObject({ id: 'c1', result: 'applied' })
  const after = reply?.visit ? replaceStop(bundle, reply.visit) : bundle
  expect(statusOf(after)).toBe('in_progress')
  expect(statusOf(mergeBundle(after, bundle))).toBe('in_progress')
})

test('a command without a stop, or before the day came, is taken too', () => {
  expect(playedReplies(null, [start])).toEqual([{ id: 'c1', result: 'applied', reason: null, visit: null }])
})

test('the memory of a tab keeps each person apart and forgets what is removed', async () => {
  const store = memoryStore()
  const queued = { label: '', queuedAt: 0, notBefore: 0, state: 'waiting' as const, reason: null }
  const { seq } = await store.addCommand({ ...queued, userId: 'a', command: start })
  await store.keep('a', { bundle })
  expect((await store.load('a')).commands).toHaveLength(1)
  expect(await store.load('b')).toEqual({ commands: [], photos: [], bundle: null, clock: null })
  await store.removeCommand(seq)
  expect(await store.load('a')).toMatchObject({ commands: [], bundle })
})

test('a tour has its play before the first screen, a gate code of its own with it; without one nothing is kept or sent', () => {
  expect(playOfTour).toThrow('needs its play')
  playDay()
  expect(playOfTour()).toMatchObject({ gateCode: '2580', replies: playedReplies })
})
