import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../faults/session.ts'
import { dayOf } from '../src/shared/dates.ts'

/** How often somebody else looks at a screen meanwhile. */
const everyMs = 100

export const round = (value: number, places = 1): number => Math.round(value * 10 ** places) / 10 ** places
export const share = (values: readonly number[], part: number): number =>
  round(values.toSorted((a, b) => a - b)[Math.ceil((values.length - 1) * part)] ?? 0)

const screensOf = (day: string) => [
  ['board', `/api/routes?day=${day}`] as const,
  ['customers', '/api/customers'] as const,
  ['dashboard', '/api/dashboard'] as const,
]
type Screen = ReturnType<typeof screensOf>[number][0]

export type Looked = { waits: number[]; byScreen: Record<Screen, number[]>; failed: string[] }

/** Somebody of the office goes on with the day: the board of the day, the customers and the dashboard, in turn. */
export const lookOn = (session: Session): (() => Promise<Looked>) => {
  const screens = screensOf(dayOf(new Date(), 'America/New_York'))
  const waits: number[] = []
  const byScreen: Record<Screen, number[]> = { board: [], customers: [], dashboard: [] }
  const failed: string[] = []
  let stopped = false
  const looking = (async () => {
    for (let n = 0; !stopped; n++) {
      const [screen, path] = screens[n % screens.length]!
      const answer = await session.send('GET', path)
      if (answer?.status === 200) {
        waits.push(answer.ms)
        byScreen[screen].push(answer.ms)
      } else failed.push(`${path}: ${answer?.status ?? 'no answer'}`)
      await sleep(everyMs)
    }
  })()
  return async () => {
    stopped = true
    await looking
    return { waits, byScreen, failed }
  }
}

/** Where the kernel tells of a process; elsewhere there is no peak to read. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')
export const peakMb = (pid: number): number =>
  round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024, 0)
