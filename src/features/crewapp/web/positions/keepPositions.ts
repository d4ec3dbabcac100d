import { ApiError, call } from '../../../../shared/client.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { positionsApi } from '../../../positions/contract.ts'
import { projectClock } from '../../projection/rules.ts'
import { isClockCommand } from '../../rules.ts'
import { spotsOf } from '../../suggest/rules.ts'
import { outboxOf } from '../data.ts'
import { forgetWhereabouts, noteFix } from '../suggest/whereabouts.ts'
import type { Language } from '../texts.ts'
import { positionTexts } from './positionTexts.ts'
import { isSharing, noteSharing, noteTracking, onSharing } from './sharing.ts'
import { createTracker, type Waiting } from './tracker.ts'
import { watchBy } from './watching.ts'

const patienceMs = 15_000
const sweepMs = 60_000
const keyOf = (userId: string): string => `swath.positions.waiting:${userId}`

const load = (userId: string): Waiting[] => {
  try {
    return JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]') as Waiting[]
  } catch {
    return []
  }
}

const keep = (userId: string, waiting: readonly Waiting[]): void => {
  try {
    if (waiting.length > 0) localStorage.setItem(keyOf(userId), JSON.stringify(waiting))
    else localStorage.removeItem(keyOf(userId))
  } catch {
    // A full phone forgets where it was; its work comes first.
  }
}

/** What the server will never take is not sent again. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429

/** Takes this person's positions while they share them and are on the clock, for as long as the crew app is open. Returns what ends it. */
export const keepPositions = (userId: string, language: Language): (() => void) => {
  const outbox = outboxOf(userId)
  const waitingClock = () =>
    outbox.get().commands.filter(({ command, state }) => state === 'waiting' && isClockCommand(command.type))
  const tracker = createTracker({
    watch: watchBy(positionTexts[language].notification),
    send: async (positions) => {
      try {
        const signal = AbortSignal.timeout(patienceMs)
        return (
          (
            await call(
              positionsApi.add,
              { body: { positions, sentAt: new Date().toISOString() } },
              { signal, retries: 0 },
            )
          ).since !== null
        )
      } catch (error) {
        if (isFinal(error)) return true
        throw error
      }
    },
    maySend: () => waitingClock().length === 0,
    load: () => load(userId),
    keep: (waiting) => keep(userId, waiting),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    onEnd: () => noteSharing(userId, false),
    onState: noteTracking,
    onSeen: (seen) => {
      const { bundle } = outbox.get()
      if (!bundle) return
      const today = dayOf(Date.now(), bundle.timeZone)
      noteFix(userId, today, seen, spotsOf(bundle.days.find(({ day }) => day === today) ?? null))
    },
  })
  const look = (): void => {
    const { clock } = outbox.get()
    const waiting = waitingClock().map(({ command }) => command)
    const works = clock !== null && projectClock(clock, waiting, Date.now()).state === 'working'
    const shares = isSharing(userId)
    if (works && shares) tracker.start()
    else tracker.stop()
    if (!shares) {
      tracker.forget()
      forgetWhereabouts(userId)
    }
    void tracker.flush({ atOnce: !works })
  }
  // The server knows better, where it can be asked: another phone may have said yes or no.
  void call(positionsApi.own, {}, { signal: AbortSignal.timeout(patienceMs), retries: 0 }).then(
    ({ since }) => noteSharing(userId, since !== null),
    () => undefined,
  )
  const ends = [outbox.subscribe(look), onSharing(look)]
  const timer = setInterval(look, sweepMs)
  look()
  return () => {
    clearInterval(timer)
    for (const end of ends) end()
    tracker.stop()
  }
}
