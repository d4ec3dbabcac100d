import { median, withBenchServer } from '../server.ts'

type Figure = { what: string; milliseconds: number; note: string }

/** Places of a town and its suburbs, half of them in neighborhoods; the same each time. */
const town = (count: number): { lat: number; lng: number }[] =>
  Array.from({ length: count }, (_, i) => {
    const [a, b] = [Math.sin((i + 1) * 12.9898), Math.sin((i + 1) * 78.233)]
    const [c, d] = [Math.sin(Math.floor(i / 12) * 3.7 + 1), Math.sin(Math.floor(i / 12) * 5.3 + 2)]
    return i % 2
      ? { lat: 32.05 + a * 0.15, lng: -81.1 + b * 0.18 }
      : { lat: 32.05 + c * 0.12 + a * 0.01, lng: -81.1 + d * 0.15 + b * 0.01 }
  })

/** Times what stands between a day's places and its drives: the estimate, the cache, and what an engine is asked. */
export const run = async (args: string[]): Promise<void> => {
  const figures: Figure[] = []
  const { estimateMatrix } = await import('../../src/solver/matrix.ts')
  const timed = async <T>(what: string, times: number, work: () => Promise<T> | T, note: (result: T) => string) => {
    const spans: number[] = []
    let result: T | undefined
    for (let i = 0; i < times; i++) {
      const start = performance.now()
      result = await work()
      spans.push(performance.now() - start)
    }
    figures.push({ what, milliseconds: Math.round(median(spans) * 10) / 10, note: note(result as T) })
  }
  await timed(
    'estimate for 1,000 places',
    5,
    () => estimateMatrix(town(1000)),
    ({ size }) => `${(size * size).toLocaleString('en-US')} drives`,
  )
  await withBenchServer(async () => {
    const { configureTravelEngine } = await import('../../src/platform/geo/engines.ts')
    const { fetchTravelTimes } = await import('../../src/features/travel/server/commands.ts')
    const { readTravelTimes } = await import('../../src/features/travel/server/queries.ts')
    const { makeDemo } = await import('../../src/demo/demo.ts')
    const { listBusinessIds } = await import('../../src/features/businesses/server/queries.ts')
    const { withTenant } = await import('../../src/platform/db/tenant.ts')
    const departure = { day: '2026-06-12', minute: 600, timeZone: 'America/New_York' }
    let [calls, pairs] = [0, 0]
    configureTravelEngine({
      id: 'bench',
      limits: { sources: 50, targets: 50, pairs: 2500, places: 100 },
      keepDays: 30,
      bucketOf: () => 0,
      ask: async (sources, targets) => {
        calls++
        pairs += sources.length * targets.length
        const length = sources.length * targets.length
        return { seconds: new Int32Array(length).fill(300), meters: new Int32Array(length).fill(4000) }
      },
    })
    await makeDemo()
    const scope = { businessId: (await listBusinessIds())[0]! }
    for (const count of [300, 1000]) {
      const points = town(count)
      ;[calls, pairs] = [0, 0]
      await timed(
        `ask an engine for ${count} places, keep its answers`,
        1,
        () => fetchTravelTimes(scope, points, { departure, hubs: 4, deadlineMs: 120_000 }),
        () => `${pairs.toLocaleString('en-US')} drives in ${calls} calls`,
      )
      await timed(
        `drives of a ${count}-stop day from the cache`,
        7,
        () =>
          withTenant(scope, (db) =>
            readTravelTimes(db, points, { estimate: { factorSeconds: 180, exponent: 0.66 }, departure }),
          ),
        ({ source }) =>
          `${Math.round((source.reduce((sum, s) => sum + s, 0) / source.length) * 100)} % from roads, the rest estimated`,
      )
    }
  })
  if (args.includes('--json')) console.log(JSON.stringify(figures, null, 2))
  else console.table(figures)
}
