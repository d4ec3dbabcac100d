import { type PhoneClock, shownNow } from '../rules.ts'

/** Longer than this on the way, an answer says too little about the time. */
const mostWayMs = 20_000
/** The clock on the wall and the one that only counts may drift apart by this without anybody having set the first. */
const driftMs = 5_000

/**
 * How far this phone's clock is from ours, learned from what the server answers. A thumb that comes down without a signal says what was known then: a
 * phone that puts its clock right once it has a signal again would otherwise send true instants and wrong taps together.
 * @param wall the clock that a person can set
 * @param counting one that nobody sets; it may stand still while the phone sleeps
 */
export const createDeviceClock = ({ wall, counting }: { wall: () => number; counting: () => number }) => {
  let learned: { behindMs: number; wall: number; counting: number } | null = null
  const listeners = new Set<() => void>()
  const known = (): PhoneClock | undefined => {
    if (!learned) return undefined
    const drift = wall() - learned.wall - (counting() - learned.counting)
    return { behind: Math.round(learned.behindMs / 1000), sure: Math.abs(drift) <= driftMs }
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
        learned = { behindMs: Date.parse(serverTime) - (asked.wall + now.wall) / 2, ...now }
        for (const listener of listeners) listener()
      }
    },
    /** What is known of the clock now; nothing before the first answer. Not sure where it may have been set since. */
    known,
    /** What the screens show as now. */
    shown: (): number => shownNow(wall(), known()),
    onLearned: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const deviceClock = createDeviceClock({ wall: () => Date.now(), counting: () => performance.now() })
