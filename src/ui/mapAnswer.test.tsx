import { afterEach, expect, it, vi } from 'vitest'
import { archiveOf, town } from '../test/map-town.ts'
import { readyStreets } from './mapAnswer.ts'

afterEach(() => vi.unstubAllGlobals())

const archive = archiveOf('protomaps')
const answerInRanges = () =>
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Headers }) => {
    const [from = 0, to = 0] = (headers.get('range')?.slice('bytes='.length) ?? '').split('-').map(Number)
    return new Response(new Uint8Array(archive.subarray(from, to + 1)), { status: 206 })
  })

it.each([
  ['where it has squares', town],
  ['where it has none, as a cut of one state for a business without pins', { lat: 39, lon: -96 }],
])('an own archive is a map %s', async (where, place) => {
  answerInRanges()
  const streets = { kind: 'pmtiles' as const, url: `https://maps.test/${where.length}.pmtiles` }
  const base = await readyStreets(streets, { ...place, zoom: 13 }, AbortSignal.timeout(5_000))
  expect(base.watched).toEqual(['streets'])
})
