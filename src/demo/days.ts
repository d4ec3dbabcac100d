import { planSeason } from '../features/season/server/commands.ts'
import type { Actor } from '../platform/actor.ts'

/** Somebody waits for the demo: a plan that is good, not the best one; the same on a quick machine and on a slow one. */
const effort = 1

/** A plan of the season that is ready to be looked at and taken over; it is for the work as it stands, so it comes after all that changes it. */
export const planDays = async (owner: Actor): Promise<void> => {
  const { status, error } = await planSeason(owner, effort)
  if (status !== 'ready') throw new Error(`The demo has no plan of its season: ${error}`)
}
