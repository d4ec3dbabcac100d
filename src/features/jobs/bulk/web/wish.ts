import { type Day, formatDay, weekdayNames } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'

import type { BulkChange, KeptChange } from '../rules.ts'

export type BulkKind = BulkChange['kind']

/** What is being filled in, before it is a change. */
export type Wish = {
  weekday: string
  crewId: string
  mode: 'percent' | 'amount' | 'set'
  direction: 'up' | 'down'
  percent: number | null
  cents: number | null
  serviceId: string
  round: 'cent' | 'dollar' | 'five'
  day: Day | null
  end: 'now' | 'after'
}

export const noCrew = 'none'

export const firstWish: Wish = {
  ...{ weekday: '', crewId: '', mode: 'percent', direction: 'up', percent: null, cents: null },
  ...{ serviceId: '', round: 'cent', day: null, end: 'now' },
}

const priceOf = (wish: Wish): BulkChange | null => {
  const sign = wish.direction === 'down' ? -1 : 1
  const given = wish.mode === 'percent' ? wish.percent : wish.cents
  if (given === null || (wish.mode !== 'set' && given === 0)) return null
  return {
    kind: 'price',
    mode: wish.mode,
    percent: wish.mode === 'percent' ? sign * given : 0,
    cents: wish.mode === 'percent' ? 0 : wish.mode === 'amount' ? sign * given : given,
    serviceId: wish.serviceId || null,
    roundTo: wish.mode === 'set' ? 'cent' : wish.round,
    fromOn: wish.day,
  }
}

/** The change that a wish asks for, or null while something is missing. */
export const changeOf = (kind: BulkKind, wish: Wish): BulkChange | null => {
  switch (kind) {
    case 'day':
      return wish.weekday === '' ? null : { kind, weekday: Number(wish.weekday), fromOn: wish.day }
    case 'crew':
      return wish.crewId === '' ? null : { kind, crewId: wish.crewId === noCrew ? null : wish.crewId, fromOn: wish.day }
    case 'assign':
      return wish.weekday === '' && wish.crewId === ''
        ? null
        : {
            kind,
            weekday: wish.weekday === '' ? null : Number(wish.weekday),
            crew: wish.crewId === '' ? null : { id: wish.crewId === noCrew ? null : wish.crewId },
            fromOn: wish.day,
          }
    case 'price':
      return priceOf(wish)
    case 'pause':
      return { kind, until: wish.day }
    case 'resume':
      return { kind }
    case 'end':
      return wish.end === 'now' ? { kind, lastOn: null } : wish.day === null ? null : { kind, lastOn: wish.day }
  }
}

export const jobsText = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'job' : 'jobs'}`
export const visitsText = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'visit' : 'visits'}`

export const titles: Record<BulkKind, (jobs: string) => string> = {
  day: (jobs) => `Another weekday for ${jobs}`,
  crew: (jobs) => `Another crew for ${jobs}`,
  assign: (jobs) => `Service day and crew of ${jobs}`,
  price: (jobs) => `New prices for ${jobs}`,
  pause: (jobs) => `Pause ${jobs}`,
  resume: (jobs) => `Resume ${jobs}`,
  end: (jobs) => `End ${jobs}`,
}

export const doneText: Record<BulkKind, (jobs: string) => string> = {
  day: (jobs) => `${jobs} on another weekday`,
  crew: (jobs) => `${jobs} with another crew`,
  assign: (jobs) => `${jobs} assigned`,
  price: (jobs) => `New price on ${jobs}`,
  pause: (jobs) => `${jobs} paused`,
  resume: (jobs) => `${jobs} resumed`,
  end: (jobs) => `${jobs} ended`,
}

const from = (day: Day | null): string => (day ? ` from ${formatDay(day)}` : '')

const crewText = (id: string | null, crews: readonly { id: string; name: string }[]): string =>
  id === null ? 'no crew' : (crews.find((crew) => crew.id === id)?.name ?? 'another crew')

/** A change as a line of the list of changes. */
export const changeText = (change: KeptChange, crews: readonly { id: string; name: string }[]): string => {
  switch (change.kind) {
    case 'day':
      return `To ${weekdayNames[change.weekday]}${from(change.fromOn)}`
    case 'crew':
      return `${change.crewId === null ? 'No crew' : `To ${crewText(change.crewId, crews)}`}${from(change.fromOn)}`
    case 'assign': {
      const parts = [
        change.weekday === null ? null : weekdayNames[change.weekday],
        change.crew && crewText(change.crew.id, crews),
      ].filter(Boolean)
      return `To ${parts.join(' with ')}${from(change.fromOn)}`
    }
    case 'price': {
      if (change.mode === 'set') return `Price ${formatCents(change.cents)}${from(change.fromOn)}`
      const by = change.mode === 'percent' ? `${Math.abs(change.percent)}%` : formatCents(Math.abs(change.cents))
      const less = change.percent < 0 || change.cents < 0
      return `Price ${less ? 'down' : 'up'} ${by}${from(change.fromOn)}`
    }
    case 'places':
      return `Season plan: days, weeks and crews${from(change.fromOn)}`
    case 'minutes':
      return 'Learned minutes'
    case 'pause':
      return change.until ? `Paused to ${formatDay(change.until)}` : 'Paused'
    case 'resume':
      return 'Resumed'
    case 'end':
      return change.lastOn ? `Last day ${formatDay(change.lastOn)}` : 'Ended'
  }
}
