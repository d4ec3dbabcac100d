import type { Permission } from './roles.ts'

/**
 * What support may look at in a business that let it in, by the words its owner reads in the log. Only GET: nothing of a business
 * can be changed. A path that does not stand here is closed, so a new endpoint is closed until somebody decides otherwise.
 */
export const supportAreas: Readonly<Record<string, readonly string[]>> = {
  Dashboard: ['/api/dashboard'],
  Customers: [
    '/api/customers',
    '/api/customers/counts',
    '/api/customers/facets',
    '/api/customers/:id',
    '/api/customers/:id/contact',
  ],
  Reviews: ['/api/reviews', '/api/reviews/summary', '/api/reviews/:id', '/api/review-settings'],
  Automations: [
    '/api/automations',
    '/api/automations/:id',
    '/api/automations/:id/dry-run',
    '/api/automation-runs',
    '/api/automation-choices',
    '/api/automation-others',
    '/api/customers/:id/automations',
  ],
  'Customer map': ['/api/customers/map'],
  Maps: ['/api/maps'],
  Search: ['/api/search'],
  Imports: ['/api/imports', '/api/imports/:id', '/api/imports/:id/rows'],
  Jobs: [
    '/api/job-edits',
    '/api/jobs',
    '/api/jobs/counts',
    '/api/jobs/places',
    '/api/jobs/:id',
    '/api/jobs/:id/renewal',
    '/api/jobs/batches/:id',
  ],
  'Saved views': ['/api/views'],
  Calendar: ['/api/calendar', '/api/calendar/month', '/api/calendar/due', '/api/jobs/calendar', '/api/visits/calendar'],
  Visits: ['/api/visits', '/api/visits/day-board', '/api/visits/days-off', '/api/visits/:visitId'],
  Routes: [
    '/api/routes',
    '/api/routes/week',
    '/api/routes/saved',
    '/api/routes/fill',
    '/api/routes/templates',
    '/api/routes/templates/:id/candidates',
    '/api/routes/templates/:id/differences',
    '/api/routes/runs',
    '/api/routes/runs/:id',
    '/api/routes/compare',
    '/api/travel/fit',
    '/api/season',
    '/api/season/runs/:id',
    '/api/season/acceptances/:id/letters',
    '/api/learned-minutes',
  ],
  Weather: ['/api/weather'],
  Services: ['/api/services', '/api/services/catalog', '/api/services/:id/prices', '/api/price-changes'],
  Invoices: [
    '/api/invoices',
    '/api/invoices/:id',
    '/api/invoices/batch/preview',
    '/api/invoices/batch/count',
    '/api/customers/:id/credits',
    '/api/customers/:id/card',
    '/api/disputes',
    '/api/disputes/:id',
    '/api/payouts',
    '/api/payouts/:id',
    '/api/payouts/:id/lines',
    '/api/customers/:id/statement',
    '/api/customers/:id/tax-exemptions',
    '/api/field-cash',
    '/api/billing-plans',
    '/api/billing-plans/:id',
    '/api/billing-plans/:id/settlement',
    '/api/books/months',
    '/api/books/months/check',
  ],
  Expenses: [
    '/api/expenses',
    '/api/expenses/choices',
    '/api/expenses/totals',
    '/api/expenses/vendors',
    '/api/expenses/:id',
    '/api/expense-categories',
    '/api/recurring-expenses',
    '/api/mileage',
  ],
  QuickBooks: ['/api/quickbooks', '/api/quickbooks/queue', '/api/quickbooks/months'],
  Messages: [
    '/api/messages',
    '/api/messages/conversations',
    '/api/messages/people',
    '/api/messages/:id',
    '/api/messages/usage',
    '/api/message-templates',
    '/api/conversations/people',
    '/api/customers/:id/conversation',
    '/api/customers/:id/thread',
    '/api/customers/:id/answers',
    '/api/customers/:id/photos',
    '/api/mailings',
    '/api/mailings/:id',
    '/api/mailings/:id/people',
    '/api/campaigns',
    '/api/campaigns/:id',
    '/api/campaigns/:id/results',
    '/api/campaigns/:id/people',
    '/api/segments',
  ],
  Team: [
    '/api/employees',
    '/api/crews',
    '/api/employees/:id/crew-days',
    '/api/employees/:id/crew-days/preview',
    '/api/crews/:id/stand-ins',
    '/api/licenses',
    '/api/licenses/:id',
  ],
  Timesheets: ['/api/time-entries'],
  Settings: ['/api/business', '/api/integrations', '/api/payments/connect', '/api/sender', '/api/sender/texts'],
}

const areas = new Map(Object.entries(supportAreas).flatMap(([area, paths]) => paths.map((path) => [path, area])))

/** The area of a contract's GET path, or null when it is closed to support. */
export const supportAreaOf = (path: string): string | null => areas.get(path) ?? null

/** Support reads as an Admin who does not see wages and costs. */
export const supportPermissions: readonly Permission[] = ['customers', 'schedule', 'money', 'settings', 'team']

/** The longest that one support visit lasts, in hours; its grant may end it sooner. */
export const supportVisitHours = 8

export const supportMessage = {
  readOnly: 'You are looking as support: nothing was changed.',
  closed: 'This part is not open to support. Nothing was changed.',
  ended: 'The owner ended support access. Nothing was changed.',
  over: 'The time for which support was let in is over. Nothing was changed.',
  left: 'This support visit has ended. Nothing was changed.',
  businessClosed: 'This business was closed. Nothing was changed.',
} as const
