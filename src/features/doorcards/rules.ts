import type { Refusal } from '../../shared/can.ts'

/** The same door is not asked again for so many days. */
export const restDays = 60
/** Doors of one run: ten pages of four. */
export const mostDoors = 40
export const nearMeters = 600
/** People near the stops of one crew's day that are shown at once. */
export const mostNear = 150

/** What a crew's day has left, by the clock: labor minutes are shared by who is there. */
export const freeMinutesOf = (load: {
  capacityMinutes: number
  workMinutes: number
  driveMinutes: number
  people: number
}): number =>
  Math.max(0, Math.floor((load.capacityMinutes - load.workMinutes - load.driveMinutes) / Math.max(1, load.people)))

export const doorKinds = ['past', 'lead', 'beside'] as const
export type DoorKind = (typeof doorKinds)[number]

/**
 * House numbers next to one, on both sides of the street: Swath holds no list of all addresses, so they are counted from the number that it knows.
 * @returns street lines, nearest first; none where the street begins with no number
 */
export const doorsBeside = (street: string, reach = 4): string[] => {
  const [, digits, rest] = /^\s*(\d{1,6})\s+(\S.*)$/.exec(street) ?? []
  if (!digits || !rest) return []
  const number = Number(digits)
  return Array.from({ length: reach * 2 }, (_, at) => at + 1)
    .flatMap((step) => [number - step, number + step])
    .filter((one) => one > 0)
    .map((one) => `${one} ${rest.trim()}`)
}

/** A street line without its house number: what a card may say of a neighbor. */
export const streetOnly = (street: string): string => street.replace(/^\s*\d+\S*\s+/, '').trim()

export const usualOffer = {
  en: 'Your neighbors trust us with their lawn.',
  es: 'Sus vecinos nos confían su césped.',
} as const

type BatchFacts = { undoneAt: string | null }

export const takenBack = 'These cards were taken back already.'

/** What cannot be done with cards that were taken back: their doors may have others by now. */
export const batchRefusals: Record<'undo' | 'print', Refusal<BatchFacts>> = {
  undo: ({ undoneAt }) => (undoneAt ? takenBack : null),
  print: ({ undoneAt }) => (undoneAt ? 'These cards were taken back. Make new ones for their doors.' : null),
}

/** The first part of an address in one form, and its ZIP code or city: units of a building begin with the same. */
export const buildingOf = (key: string): { street: string; area: string } => {
  const [street = '', area = ''] = key.split('|')
  return { street, area }
}
