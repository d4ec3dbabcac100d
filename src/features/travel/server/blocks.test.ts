import { describe, expect, it } from 'vitest'
import { crowMeters, estimateDrive, type Point } from '../../../solver/matrix.ts'
import { planCalls, wantedTravelTimes } from './blocks.ts'
import { fillShared, fillTravelTimes, fromEngine, placeKey, unpackDrives } from './fill.ts'

const town = (count: number): Point[] =>
  Array.from({ length: count }, (_, i) => ({
    lat: 32 + Math.sin((i + 1) * 12.9898) * 0.15,
    lng: -81 + Math.sin((i + 1) * 78.233) * 0.18,
  }))

const engines = [
  { sources: 100, targets: 100, pairs: 10_000, places: 100 },
  { sources: 50, targets: 50, pairs: 2_500, places: 100 },
  { sources: 25, targets: 25, pairs: 625, places: 50 },
  { sources: 1, targets: 1, pairs: 1, places: 2 },
]

describe('calls to an engine', () => {
  it.each([2, 7, 60, 121, 300])('cover every wanted drive of %i places, each within the limits', (count) => {
    const points = town(count)
    const wanted = wantedTravelTimes(points, 2)
    for (const limits of engines.slice(0, count > 60 ? 3 : 4)) {
      const left = Uint8Array.from(wanted)
      let pairs = 0
      for (const { sources, targets } of planCalls(points, wanted, limits)) {
        expect(sources.length).toBeLessThanOrEqual(limits.sources)
        expect(targets.length).toBeLessThanOrEqual(limits.targets)
        expect(sources.length * targets.length).toBeLessThanOrEqual(limits.pairs)
        expect(sources.length + targets.length).toBeLessThanOrEqual(limits.places)
        pairs += sources.length * targets.length
        for (const from of sources) for (const to of targets) left[from * count + to] = 0
      }
      expect(left.includes(1)).toBe(false)
      expect(pairs).toBeLessThanOrEqual(wanted.reduce((sum, w) => sum + w, 0) * 1.7 + count)
    }
  })

  it('ask for near neighbors and the depots only on a big day', () => {
    const points = town(1000)
    const wanted = wantedTravelTimes(points, 3)
    const asked = wanted.reduce((sum, w) => sum + w, 0)
    expect(asked).toBeLessThan(1000 * 110)
    for (let i = 3; i < 1000; i++) expect([wanted[i], wanted[i * 1000]]).toEqual([1, 1])
  })
})

describe('holes', () => {
  it('are estimated on the scale of what the engine answered, and each way keeps its own answer', () => {
    const points = town(40)
    const [cells, seconds, meters]: number[][] = [[], [], []]
    const travelModel = (from: number, to: number) => {
      const crow = crowMeters(points[from]!, points[to]!)
      return Math.round(estimateDrive(crow).seconds * (from < to ? 1.5 : 1.7))
    }
    for (let from = 0; from < 40; from++)
      for (let to = 0; to < 20; to++)
        if (from !== to) {
          cells!.push(from * 40 + to)
          seconds!.push(travelModel(from, to))
          meters!.push(Math.round(crowMeters(points[from]!, points[to]!) * 1.6))
        }
    const travelTimes = fillTravelTimes(
      points,
      {},
      {
        cell: Int32Array.from(cells!),
        seconds: Int32Array.from(seconds!),
        meters: Int32Array.from(meters!),
      },
    )
    expect(travelTimes.seconds[5 * 40 + 9]).toBe(travelModel(5, 9))
    expect(travelTimes.seconds[9 * 40 + 5]).toBe(travelModel(9, 5))
    expect(travelTimes.source[9 * 40 + 5]).toBe(fromEngine)
    const hole = 3 * 40 + 33
    expect(travelTimes.source[hole]).not.toBe(fromEngine)
    const ratio = travelTimes.seconds[hole]! / estimateDrive(crowMeters(points[3]!, points[33]!)).seconds
    expect(ratio).toBeGreaterThan(1.45)
    expect(ratio).toBeLessThan(1.75)
  })

  it('are the same where a thread counts them, in memory that threads share', async () => {
    const points = [...town(12), town(1)[0] as Point]
    const pair = Buffer.alloc(16)
    pair.writeBigInt64BE(BigInt(placeKey(points[4] as Point) ?? 0))
    pair.writeInt32BE(777, 8)
    pair.writeInt32BE(8_888, 12)
    // as the driver hands it out: a piece of something larger
    const within = Buffer.concat([Buffer.alloc(5), pair]).subarray(5)
    const rows = [{ from: String(placeKey(points[0] as Point)), pairs: within }]
    const { seconds, meters } = await fillShared({ points, estimate: {}, rows })
    expect([seconds[4], seconds[12 * 13 + 4], seconds[12], meters[4]]).toEqual([777, 777, 0, 8_888])
    expect(seconds.buffer).toBeInstanceOf(SharedArrayBuffer)
    const here = fillTravelTimes(points, {}, unpackDrives(points, rows))
    expect([[...seconds], [...meters]]).toEqual([[...here.seconds], [...here.meters]])
    const estimated = await fillShared({ points, estimate: {}, rows: null })
    expect([...estimated.seconds]).toEqual([...fillTravelTimes(points, {}, unpackDrives(points, null)).seconds])
  })

  it('keep a place and its neighbor of a meter apart from others', () => {
    const keys = [
      [32.123454, -81.1],
      [32.123451, -81.1],
      [32.12347, -81.1],
      [-32.123454, -81.1],
      [32.123454, 81.1],
    ].map(([lat, lng]) => placeKey({ lat: lat!, lng: lng! }))
    expect(keys[0]).toBe(keys[1])
    expect(new Set(keys).size).toBe(4)
    expect(keys.every((key) => Number.isSafeInteger(key))).toBe(true)
    expect(placeKey({ lat: 91, lng: 0 })).toBeNull()
  })
})
