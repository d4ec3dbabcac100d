/** A plan and its cents, as searches tell each other. Orders of visits by route. */
export type Told = { cost: number; orders: number[][] }

/** Tells the others of a plan and waits for theirs; those that are over or gone are missing. */
export type Exchange = (own: Told) => Told[]

const POSTED = 0
const LEFT = 1
/** It is over: what it posted last may still be read. */
const OVER = 1
/** It was waited for in vain. */
const LOST = 2
const PER_ISLAND = 2
/** How long is slept between two looks whether somebody asked to stop. */
const LOOK_MS = 50

/** Numbers of one plan in shared memory: its cents, then each route's length and visits. */
const sizeOf = (visits: number, routes: number): number => 1 + routes + visits

/** Memory in which so many searches of the same problem meet: at every meeting each posts a plan and reads the others'. */
export function islandMemory(islands: number, visits: number, routes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(
    4 * PER_ISLAND * islands + (islands % 2) * 4 * PER_ISLAND + 16 * islands * sizeOf(visits, routes),
  )
}

/**
 * The place of island `own` in the memory. Meetings are counted by each search for itself, so that everybody reads the
 * plans of the same meeting, however fast it is: the result depends on the seeds alone. Whoever has not come after
 * `patienceMs` (since the own arrival) or is gone is not waited for again.
 */
export function joinIslands(
  memory: SharedArrayBuffer,
  own: number,
  islands: number,
  size: { visits: number; routes: number },
  options: { patienceMs: number; shouldStop?: () => boolean },
): { exchange: Exchange; leave: () => void } {
  const head = new Int32Array(memory, 0, PER_ISLAND * islands)
  const length = sizeOf(size.visits, size.routes)
  const numbers = new Float64Array(memory, 4 * PER_ISLAND * (islands + (islands % 2)))
  let meeting = 0
  // Two slots each by turns: nobody is two meetings ahead of anybody, so what is read is never being written.
  const slot = (island: number, turn: number): Float64Array =>
    numbers.subarray((2 * island + (turn % 2)) * length, (2 * island + (turn % 2) + 1) * length)
  const post = (told: Told): void => {
    const to = slot(own, meeting)
    to[0] = told.cost
    let at = 1
    for (const order of told.orders) {
      to[at++] = order.length
      for (const u of order) to[at++] = u
    }
    Atomics.store(head, PER_ISLAND * own + POSTED, meeting)
    Atomics.notify(head, PER_ISLAND * own + POSTED)
  }
  const comes = (island: number): boolean => {
    const at = PER_ISLAND * island
    for (let waited = 0; ; waited += LOOK_MS) {
      const left = Atomics.load(head, at + LEFT)
      if (left === LOST) return false
      const posted = Atomics.load(head, at + POSTED)
      if (posted >= meeting) return true
      if (left === OVER) return false
      if (waited >= options.patienceMs || options.shouldStop?.()) {
        Atomics.store(head, at + LEFT, LOST)
        return false
      }
      Atomics.wait(head, at + POSTED, posted, LOOK_MS)
    }
  }
  const read = (island: number): Told => {
    const from = slot(island, meeting)
    let at = 1
    const orders = Array.from({ length: size.routes }, () => {
      const count = from[at++]!
      const order = Array.from(from.subarray(at, at + count))
      at += count
      return order
    })
    return { cost: from[0]!, orders }
  }
  return {
    exchange: (told) => {
      meeting++
      post(told)
      const others: Told[] = []
      for (let island = 0; island < islands; island++)
        if (island !== own && Atomics.load(head, PER_ISLAND * own + LEFT) === 0 && comes(island))
          others.push(read(island))
      return others
    },
    leave: () => {
      Atomics.compareExchange(head, PER_ISLAND * own + LEFT, 0, OVER)
      Atomics.notify(head, PER_ISLAND * own + POSTED)
    },
  }
}
