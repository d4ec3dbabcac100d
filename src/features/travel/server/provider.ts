import { patiently } from '../../../platform/geo/ask-service.ts'
import {
  type Block,
  type Departure,
  notAnswered,
  noWay,
  PlacesRefused,
  type TravelEngine,
} from '../../../platform/geo/travel-engine.ts'
import { log } from '../../../platform/log.ts'
import type { Point } from '../../../solver/matrix.ts'
import type { Matrix } from '../../../solver/problem.ts'
import { type Call, planCalls } from './blocks.ts'
import { fromEngine, type TravelTimes } from './fill.ts'

/** Who answers how long drives take. `source` says which drives were answered; the others are 0 and mean nothing. */
export type TravelMatrixProvider = {
  id: string
  matrix: (
    points: readonly Point[],
    options: {
      /** 1 where the drive is worth asking for. */
      wanted: Uint8Array
      departure: Departure
      signal: AbortSignal
      /** Called with each part as it comes, so that what has come is kept when the rest does not. */
      onAnswer?: (call: Call, block: Block) => Promise<void>
    },
  ) => Promise<TravelTimes>
}

const atOnce = 3
const tries = 3
/** When so many calls came to nothing the engine is away, and the rest is not asked. */
const enoughFailures = 2

/** What no road needs a day for is a mistake of the engine. */
const longestSeconds = 24 * 3600
const longestMeters = 5_000_000

/** A block that can be no answer to what was asked is none at all. */
const assertBlock = (block: Block, pairs: number): void => {
  if (block.seconds.length !== pairs || block.meters.length !== pairs)
    throw new Error('The engine left out some pairs.')
  for (let i = 0; i < pairs; i++) {
    const [s, m] = [block.seconds[i]!, block.meters[i]!]
    if (s === noWay || s === notAnswered) continue
    if (s < 0 || s > longestSeconds || m < 0 || m > longestMeters) throw new Error('The engine answered nonsense.')
  }
}

/** One place that an engine cannot reach would cost the whole call, so it is looked for by halves. A pair alone has none: it stays an estimate. */
const halves = ({ sources, targets }: Call): Call[] => {
  const split = (list: number[]) => [list.slice(0, list.length >> 1), list.slice(list.length >> 1)]
  if (targets.length > 1) return split(targets).map((some) => ({ sources, targets: some }))
  return sources.length > 1 ? split(sources).map((some) => ({ sources: some, targets })) : []
}

/** An engine as a provider: its limits kept, several calls at once, patience with what passes, and an end when the signal says so. Never throws for the engine's sake. */
export const engineProvider = (engine: TravelEngine): TravelMatrixProvider => ({
  id: engine.id,
  matrix: async (points, { wanted, departure, signal, onAnswer }) => {
    const size = points.length
    const travelTimes: Matrix & TravelTimes = {
      size,
      seconds: new Int32Array(size * size),
      meters: new Int32Array(size * size),
      source: new Uint8Array(size * size),
    }
    const waiting = planCalls(points, wanted, engine.limits)
    let failures = 0
    const keep = (call: Call, block: Block): void => {
      for (const [i, from] of call.sources.entries())
        for (const [j, to] of call.targets.entries()) {
          const at = i * call.targets.length + j
          if (block.seconds[at] === notAnswered) continue
          travelTimes.seconds[from * size + to] = block.seconds[at]!
          travelTimes.meters[from * size + to] = block.meters[at]!
          travelTimes.source[from * size + to] = fromEngine
        }
    }
    const one = async (call: Call): Promise<void> => {
      const pick = (list: number[]) => list.map((i) => points[i]!)
      try {
        const block = await patiently(tries, signal, async () => {
          const answer = await engine.ask(pick(call.sources), pick(call.targets), { departure, signal })
          assertBlock(answer, call.sources.length * call.targets.length)
          return answer
        })
        await onAnswer?.(call, block)
        keep(call, block)
      } catch (error) {
        if (error instanceof PlacesRefused) waiting.push(...halves(call))
        else {
          failures++
          log.warn({ err: error, engine: engine.id }, 'the road engine did not answer; these drives are estimated')
        }
      }
    }
    const line = async (): Promise<void> => {
      for (let call = waiting.shift(); call && !signal.aborted && failures < enoughFailures; call = waiting.shift())
        await one(call)
    }
    await Promise.all(Array.from({ length: atOnce }, line))
    return travelTimes
  },
})
