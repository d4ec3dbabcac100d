import { type PhoneClock, shownNow } from '../rules.ts'

/** Longer than this on the way, an answer says too little about the time. */
const mostWayMs = 20_000
/** The clock on the wall and the one that only counts may drift apart by this without anybody having set the first. */
const driftMs = 5_000

/** What is written down again at most this often, so that a clock that was set back while the app was closed is noticed. */
const touchMs = 60_000

/** The phone's own time at which something was last known of it, and our time then. */
export type ClockPair = { deviceMs: number; ourMs: number }

/** Where the phone keeps the pair over a closed app. */
export type ClockShelf = { read: () => ClockPair | null; write: (pair: ClockPair | null) => void }

const noShelf: ClockShelf = { read: () => null, write: () => undefined }

/**
 * How far this phone's clock is from ours, learned from what the server answers. A thumb that comes down without a signal says what was known then: a
 * phone that puts its clock right once it has a signal again would otherwise send true instants and wrong taps together. An app that is opened without a
 * signal goes on with what was kept, which decides what is shown and nothing that is booked: nobody knows what was done to the clock meanwhile.
 * @param wall the clock that a person can set
 * @param counting one that nobody sets; it may stand still while the phone sleeps
 */
export const createDeviceClock = ({
  wall,
  counting,
  shelf = noShelf,
}: {
  wall: () => number
  counting: () => number
  shelf?: ClockShelf
}) => {
  type Learned = { behindMs: number; wall: number; counting: number; fromBefore: boolean }
  const fromShelf = (): Learned | null => {
    const kept = shelf.read()
    if (!kept) return null
    // time goes on while the app is closed: a clock that shows less was set
    if (wall() >= kept.deviceMs - driftMs)
      return { behindMs: kept.ourMs - kept.deviceMs, wall: wall(), counting: counting(), fromBefore: true }
    shelf.write(null)
    return null
  }
  let learned = fromShelf()
  let writtenAt = wall()
  const listeners = new Set<() => void>()
  const write = (behindMs: number): void => {
    writtenAt = wall()
    shelf.write({ deviceMs: writtenAt, ourMs: writtenAt + behindMs })
  }
  const drift = (from: Learned): number => wall() - from.wall - (counting() - from.counting)
  /** A clock that runs ahead of the counting one was set, or the phone slept: whoever is ahead of us already did not set it further. */
  const wasSet = (from: Learned): boolean => {
    const jumpMs = drift(from)
    return jumpMs < -driftMs || (jumpMs > driftMs && from.behindMs > 0)
  }
  const known = (): PhoneClock | undefined => {
    if (!learned) return undefined
    const behind = Math.round(learned.behindMs / 1000)
    if (wasSet(learned)) {
      shelf.write(null)
      if (learned.fromBefore) learned = null
      return learned ? { behind, sure: false } : undefined
    }
    const sure = !learned.fromBefore && Math.abs(drift(learned)) <= driftMs
    if (wall() - writtenAt > touchMs) write(learned.behindMs)
    return { behind, sure, ...(sure ? {} : { likely: true }) }
  }
  return {
    /** Before a question: what makes of its answer what is known. */
    asking: () => {
      const asked = { wall: wall(), counting: counting() }
      return (serverTime: string | undefined): void => {
        const now = { wall: wall(), counting: counting() }
        const wayMs = now.counting - asked.counting
        const setMs = now.wall - asked.wall - wayMs
        if (serverTime === undefined || wayMs > mostWayMs || Math.abs(setMs) > driftMs) return
        learned = { behindMs: Date.parse(serverTime) - (asked.wall + now.wall) / 2, ...now, fromBefore: false }
        write(learned.behindMs)
        for (const listener of listeners) listener()
      }
    },
    /** What is known of the clock now; nothing before the first answer of all. Not sure where it may have been set since. */
    known,
    /** What the screens show as now. */
    shown: (): number => shownNow(wall(), known()),
    onLearned: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const key = 'swath.clock'

/** Beside the phone's other settings: the clock is the phone's, whoever holds it, and the first picture needs it at once. */
const phoneShelf: ClockShelf = {
  read: () => {
    try {
      const { deviceMs, ourMs } = (JSON.parse(localStorage.getItem(key) ?? '{}') ?? {}) as Partial<ClockPair>
      return Number.isFinite(deviceMs) && Number.isFinite(ourMs) ? ({ deviceMs, ourMs } as ClockPair) : null
    } catch {
      return null
    }
  },
  write: (pair) => {
    try {
      if (pair) localStorage.setItem(key, JSON.stringify(pair))
      else localStorage.removeItem(key)
    } catch {
      // a full phone, or one that keeps nothing, learns it again with the next signal
    }
  },
}

export const deviceClock = createDeviceClock({
  wall: () => Date.now(),
  counting: () => performance.now(),
  shelf: phoneShelf,
})
