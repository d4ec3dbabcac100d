/** A number from 0 to below `below`, of a deed's own: the same whatever other deeds stand around it. */
export type Dice = (below: number) => number

/** The same dice for the same number. */
export const diceOf = (seed: number): Dice => {
  let n = 0
  return (below) => (Math.abs(Math.imul(seed ^ ++n, 2_654_435_761) >>> 8) % below) + 0
}

export const pick = <T>(dice: Dice, of: readonly T[]): T | undefined =>
  of.length > 0 ? of[dice(of.length)] : undefined

/** Mostly one of the last few, so that several things happen to one. */
export const pickRecent = <T>(dice: Dice, of: readonly T[]): T | undefined =>
  pick(dice, dice(4) > 0 ? of.slice(-3) : of)
