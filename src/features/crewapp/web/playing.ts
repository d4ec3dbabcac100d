import type { CommandReply, CrewBundle } from '../contract.ts'
import type { CrewCommand } from '../rules.ts'
import type { Store } from './store.ts'

/** A day that is played on the tour: what the phone keeps, and the answers that a server would give. */
export type Play = {
  store: Store
  gateCode: string
  replies: (bundle: CrewBundle | null, commands: readonly CrewCommand[]) => CommandReply[]
}

let play: Play | null = null

/** Plays the day in this tab from here on. Handed in by the start of a tour, so that no real phone loads it. */
export const playHere = (given: Play): void => {
  play = given
}

/** @throws Error when a tour was begun without its play: a visitor's taps must never reach what a real crew keeps */
export const playOfTour = (): Play => {
  if (!play) throw new Error('A tour needs its play before the first screen.')
  return play
}
