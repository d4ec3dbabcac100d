import type { Role } from './roles.ts'
import { supportAreas } from './support.ts'

/** What a visitor may look at: a part of what support may, and nothing of this server, its files and its connections. */
const areas = [
  'Dashboard',
  'Customers',
  'Reviews',
  'Automations',
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

/** Closed to support; on the tour it is what invented people write. */
const chat = ['/api/chat/threads', '/api/chat/threads/:threadId/messages'] as const

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
    ...chat,
  ],
  crew: [
    '/api/crew/day',
    '/api/crew/clock',
    '/api/crew/timesheets',
    '/api/employee/profile',
    '/api/crew/receipts',
    '/api/maps',
    ...chat,
  ],
}

const opened = { office: new Set(tourPaths.office), crew: new Set(tourPaths.crew) }

/** Whether a contract's GET path is open to a visitor who sits where this role does. */
export const tourOpens = (path: string, role: Role): boolean =>
  opened[role === 'Employee' ? 'crew' : 'office'].has(path)
