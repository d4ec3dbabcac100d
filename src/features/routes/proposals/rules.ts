import { counted } from '../../../shared/counted.ts'
import { linkTo } from '../../../shared/links.ts'
import { paths } from '../../../shared/paths.ts'

/** Proposals for days: what they change, who has to be told, why a visit has no place, and how a search tells its plan as it goes. */

export type PlanPlace = { day: string; crewId: string | null; startMinute: number | null }
export type ChangeKind = 'placed' | 'dropped' | 'other-day' | 'other-crew' | 'time' | 'skipped'

/** A start on the same day that moves by less is not worth a word. */
const tellingMinutes = 30

/** What became of one visit between two plans; null when nothing that matters to anybody. */
export const changeKind = (from: PlanPlace, to: PlanPlace): ChangeKind | null => {
  if (from.day !== to.day && to.crewId !== null) return 'other-day'
  if (from.crewId !== to.crewId) return to.crewId === null ? 'dropped' : from.crewId === null ? 'placed' : 'other-crew'
  if (from.startMinute === null || to.startMinute === null) return null
  return Math.abs(to.startMinute - from.startMinute) >= tellingMinutes ? 'time' : null
}

/** Whether the customer should hear of it: another day or none always, another time once the crew was sent. */
export const mustNotify = (change: { kind: ChangeKind; sent: boolean }): boolean =>
  ['other-day', 'skipped', 'dropped'].includes(change.kind) || (change.kind === 'time' && change.sent)

const kindLabel: Record<ChangeKind, (n: number) => string> = {
  placed: (n) => `${counted(n, 'stop')} placed`,
  'other-day': (n) => `${counted(n, 'stop')} to another day`,
  'other-crew': (n) => `${n} to another crew`,
  time: (n) => `${n} at another time`,
  skipped: (n) => `${n} skipped`,
  dropped: (n) => `${n} without a crew`,
}
const kindOrder: readonly ChangeKind[] = ['other-day', 'placed', 'other-crew', 'time', 'skipped', 'dropped']

/** "4 stops to another day, 2 to another crew", or null when nothing changes. */
export const changesLabel = (changes: readonly { kind: ChangeKind }[]): string | null => {
  const parts = kindOrder.flatMap((kind) => {
    const n = changes.filter((change) => change.kind === kind).length
    return n ? [kindLabel[kind](n)] : []
  })
  return parts.length ? parts.join(', ') : null
}

/** A weekly lawn is not cut again sooner than this. */
const usualGapDays = 4

/** What is wrong with the days between a visit on its new day and the next or last visit of the same job, or null. */
export const gapWarning = (
  visit: {
    daysSinceLast: number | null
    daysToNext: number | null
    minGapDays: number
    /** Null where nobody said how long is too long. */
    maxGapDays?: number | null
    recurring: boolean
  },
  movedDays: number,
): string | null => {
  if (!visit.recurring || movedDays === 0) return null
  const next = visit.daysToNext === null ? null : visit.daysToNext - movedDays
  const last = visit.daysSinceLast === null ? null : visit.daysSinceLast + movedDays
  const least = Math.max(
    visit.minGapDays,
    Math.min(usualGapDays, visit.daysToNext ?? usualGapDays, visit.daysSinceLast ?? usualGapDays),
  )
  if (next !== null && next <= 0) return 'Falls on or after its next visit.'
  if (next !== null && next < least) return `Only ${counted(next, 'day')} before its next visit.`
  if (last !== null && last < least) return `Only ${counted(last, 'day')} after its last visit.`
  const { maxGapDays: most = null } = visit
  if (most !== null && movedDays > 0 && last !== null && last > most)
    return `${counted(last, 'day')} after its last visit, at most ${most} are meant.`
  return null
}

export type Advice = { advice: string; href: string | null }

/** What one can do about a visit that has no place, by the engine's reason, and the screen to do it on. */
export const adviceFor = (code: string, visit: { customerId: string; jobId: string }): Advice | null => {
  const crews = `${paths.employees}?tab=crews`
  const customer = linkTo.customer(visit.customerId)
  const job = linkTo.job(visit.jobId)
  const known: Record<string, Advice> = {
    'off-map': { advice: 'Open the customer and drag the pin to the house.', href: customer },
    'too-many': { advice: 'Give some of its stops another day.', href: null },
    'no-crew-day': { advice: 'Give it another day, or change the days a crew works.', href: crews },
    skill: { advice: 'Add it to the skills of a crew that can do it.', href: crews },
    window: { advice: 'Widen its time window, or give it another day.', href: job },
    shift: { advice: 'Make a crew’s shift longer, or split the work.', href: crews },
    'too-long': { advice: 'Split the work into more visits, or put more people on a crew.', href: job },
    'pinned-gaps': { advice: 'Unpin a stop to make room.', href: null },
    full: { advice: 'Give it another day, or optimize several days at once.', href: null },
    unreachable: { advice: 'Look at its pin on the map: no road leads there.', href: customer },
    break: { advice: 'Shorten the crew’s break.', href: crews },
  }
  return known[code] ?? null
}

/** Stops of crew-days as short text: by crew-day `visit:minute` in base 36, commas between, a bar after each crew-day. */
export const writeStops = (routes: readonly (readonly { visit: number; startMinute: number }[])[]): string =>
  routes
    .map((stops) =>
      stops.map(({ visit, startMinute }) => `${visit.toString(36)}:${startMinute.toString(36)}`).join(','),
    )
    .join('|')

/** The other way round; what cannot be read is no stop. */
export const readStops = (text: string): { visit: number; startMinute: number }[][] =>
  text.split('|').map((route) =>
    route
      .split(',')
      .filter(Boolean)
      .map((stop) => {
        const [visit = '', minute = ''] = stop.split(':')
        return { visit: Number.parseInt(visit, 36), startMinute: Number.parseInt(minute, 36) }
      })
      .filter(({ visit, startMinute }) => Number.isInteger(visit) && Number.isInteger(startMinute)),
  )
