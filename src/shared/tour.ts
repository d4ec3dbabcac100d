import type { Role } from './roles.ts'
import { supportAreas } from './support.ts'

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

/** What a visitor may look at: a part of what support may, and nothing of this server, its files and its connections. */
const areas = [
  'Dashboard',
  'Customers',
  'Customer map',
  'Maps',
  'Search',
  'Jobs',
  'Saved views',
  'Calendar',
  'Visits',
  'Routes',
  'Services',
  'Invoices',
  'Expenses',
  'QuickBooks',
  'Messages',
  'Team',
  'Timesheets',
] as const

/** GET paths by the seat that a visitor has taken. A path that does not stand here is closed. */
export const tourPaths: Readonly<Record<'office' | 'crew', readonly string[]>> = {
  office: [
    ...areas.flatMap((area) => supportAreas[area] ?? []),
    '/api/business',
    '/api/payments/connect',
    '/api/timesheets',
    '/api/employees/:id/timesheet',
    '/api/employees/:id/wages',
    '/api/payroll',
    '/api/payroll/settings',
    '/api/visits/:visitId/labor',
  ],
  crew: [
    '/api/crew/day',
    '/api/crew/clock',
    '/api/crew/timesheets',
    '/api/employee/profile',
    '/api/crew/receipts',
    '/api/maps',
  ],
}

const opened = { office: new Set(tourPaths.office), crew: new Set(tourPaths.crew) }

/** Whether a contract's GET path is open to a visitor who sits where this role does. */
export const tourOpens = (path: string, role: Role): boolean =>
  opened[role === 'Employee' ? 'crew' : 'office'].has(path)

/** How long a tour goes on without a fresh start, in hours. */
export const tourHours = 4

export const tourMessage = {
  readOnly: 'This is a tour: nothing is saved. Start your own free trial to do this for real.',
  closed: 'This part is not on the tour. Start your own free trial to see it.',
  over: 'Your tour has ended. Nothing was saved; start a fresh one whenever you like.',
  none: 'There is no tour here right now.',
} as const
