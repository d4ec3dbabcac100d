/** Colors for crews that keep white text readable (6:1 or better), in the order in which crews are made. */
export const crewColors = [
  '#14432f',
  '#9a3412',
  '#2455b8',
  '#7a3e9d',
  '#9b2c4e',
  '#0f6a78',
  '#5c5300',
  '#4b4b4b',
] as const

export type CrewMember = { wageCentsPerHour: number | null }

/**
 * What a crew costs per hour on the clock: each member's wage (the business's usual one when unknown) with the burden on top.
 * @param members people on the crew that day; an empty crew counts as one person, so that a plan is never free
 * @returns cents per hour of the whole crew
 */
export const crewCostCents = (
  members: readonly CrewMember[],
  business: { defaultWageCents: number; burdenPercent: number },
): number => {
  const people = members.length ? members : [{ wageCentsPerHour: null }]
  const wages = people.reduce((sum, person) => sum + (person.wageCentsPerHour ?? business.defaultWageCents), 0)
  return Math.round((wages * (100 + business.burdenPercent)) / 100)
}

/** People on the clock: an empty crew is planned as one. */
export const crewSize = (members: readonly unknown[]): number => Math.max(1, members.length)
