/** Below these addresses the office and the crew app show the demo business to whoever comes by; a session of one's own is never met there. */
export const tourBase = '/tour'
export const crewTourBase = '/tour/crew'

const isBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`)

/** Whether an address belongs to the tour. */
export const isTourPath = (path: string): boolean => isBelow(path, tourBase)

/** Whether an address belongs to the crew app of the tour. */
export const isCrewTourPath = (path: string): boolean => isBelow(path, crewTourBase)

/** The screen behind an address of the tour, as the product calls it: `/tour/crew/route-map` is `/route-map`. */
export const insideTour = (path: string): string =>
  path.slice((isCrewTourPath(path) ? crewTourBase : tourBase).length) || '/'

/** How long a tour goes on without a fresh start, in hours. */
export const tourHours = 4

export const tourMessage = {
  readOnly: 'This is a tour: nothing is saved. Start your own free trial to do this for real.',
  closed: 'This part is not on the tour. Start your own free trial to see it.',
  over: 'Your tour has ended. Nothing was saved; start a fresh one whenever you like.',
  none: 'There is no tour here right now.',
} as const
