import type { Day } from '../../../../shared/dates.ts'

export type ShownCode = { code: string; seenAt?: string }

/** Gate codes that are on the screen: for the day on which they were looked up, and as long as who looked is here. */
const codes = new Map<string, ShownCode & { day: Day }>()
let leaves = 0

/** Whoever leaves this phone takes the codes along that they looked up, also one whose answer is still on its way. */
export const forgetGateCodes = (): void => {
  codes.clear()
  leaves += 1
}

/** @returns whether who is here now is here still, whenever it is asked later */
export const whileHere = (): (() => boolean) => {
  const then = leaves
  return () => then === leaves
}

export const showGateCode = (userId: string, visitId: string, day: Day, shown: ShownCode): void => {
  codes.set(`${userId} ${visitId}`, { ...shown, day })
}

/** The code that is on the screen already; a phone that lies open over midnight shows none of yesterday. */
export const knownGateCode = (userId: string, visitId: string, today: Day): ShownCode | null => {
  const known = codes.get(`${userId} ${visitId}`)
  if (known && known.day !== today) codes.delete(`${userId} ${visitId}`)
  return known?.day === today ? known : null
}
