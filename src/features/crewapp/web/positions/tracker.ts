import { kmBetween } from '../../../geocoding/rules.ts'
import { mostAtOnce } from '../../../positions/rules.ts'

/** A place as the phone says it. */
export type Seen = { at: string; latitude: number; longitude: number; accuracyMeters: number }
export type Waiting = Seen & { id: string }

/** `denied`: the phone does not let us know; `silent`: it knows of no place right now. */
export type Tracking = 'off' | 'watching' | 'denied' | 'silent'

export type TrackerDeps = {
  /** Begins to watch; returns what ends it. */
  watch: (onPlace: (seen: Seen) => void, onTrouble: (why: 'denied' | 'silent') => void) => () => void
  /** @throws when it may work later; @returns whether this person still shares */
  send: (positions: Waiting[]) => Promise<boolean>
  /** Whether the clock's own commands have arrived: before them a place is off the clock to the server. */
  maySend: () => boolean
  load: () => Waiting[]
  keep: (waiting: readonly Waiting[]) => void
  now: () => number
  newId: () => string
  onEnd: () => void
  onState: (state: Tracking) => void
  /** Told of every place, news or not. */
  onSeen?: (seen: Seen) => void
}

const leastMeters = 60
const longestSilenceMs = 5 * 60_000
const betweenSendsMs = 60_000
/** A morning without a signal; what is older goes first. */
const mostWaiting = 500

const pointOf = ({ latitude, longitude }: Seen) => ({ lat: latitude, lng: longitude })

/** Whether a place says something new: the truck has moved, or it has been quiet for long. A vague one says nothing. */
export const isNews = (seen: Seen, last: Seen | null): boolean => {
  if (seen.accuracyMeters > 200) return false
  if (!last) return true
  const quietMs = Date.parse(seen.at) - Date.parse(last.at)
  return (
    quietMs >= longestSilenceMs ||
    kmBetween(pointOf(seen), pointOf(last)) * 1000 >= Math.max(leastMeters, seen.accuracyMeters)
  )
}

/** Takes places while it runs, writes them down, and sends them a batch at a time. */
export const createTracker = (deps: TrackerDeps) => {
  let end: (() => void) | null = null
  let last: Seen | null = null
  let waiting = deps.load()
  let sentAt = Number.NEGATIVE_INFINITY
  let sending = false

  const put = (next: Waiting[]): void => {
    waiting = next.slice(-mostWaiting)
    deps.keep(waiting)
  }

  const stop = (): void => {
    end?.()
    end = null
    last = null
    deps.onState('off')
  }

  /** Sends what waits, unless it was sent just now. */
  const flush = async ({ atOnce = false } = {}): Promise<void> => {
    if (sending || waiting.length === 0 || !deps.maySend()) return
    if (!atOnce && deps.now() - sentAt < betweenSendsMs) return
    sending = true
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, mostAtOnce)
        sentAt = deps.now()
        const shares = await deps.send(batch)
        const sent = new Set(batch.map(({ id }) => id))
        put(shares ? waiting.filter(({ id }) => !sent.has(id)) : [])
        if (!shares) {
          stop()
          deps.onEnd()
        }
      }
    } catch {
      // no signal: it goes with the next place
    } finally {
      sending = false
    }
  }

  return {
    start: (): void => {
      if (end) return
      deps.onState('watching')
      const from = deps.now()
      end = deps.watch(
        (place) => {
          deps.onState('watching')
          // What the phone knew a moment before is where it is now.
          const seen = Date.parse(place.at) < from ? { ...place, at: new Date(deps.now()).toISOString() } : place
          deps.onSeen?.(seen)
          if (!isNews(seen, last)) return
          last = seen
          put([...waiting, { id: deps.newId(), ...seen }])
          void flush()
        },
        (why) => deps.onState(why),
      )
    },
    stop,
    flush,
    /** Nothing of what was not sent yet is kept. */
    forget: (): void => put([]),
  }
}
