/** Every screen the product has, once: which build serves it and who may see it. The server, the router and the redirects read this table. */

/** `byRole` is the one path that two builds share: crew members get the crew app, the office gets the office app. */
export type Surface = 'public' | 'admin' | 'crew' | 'byRole'

/**
 * - `open`: anybody
 * - `member`: signed in
 * - `office`: signed in as Owner or Admin
 * - `subscribed`: as office, with an active subscription and a tier
 */
export type ScreenAccess = 'open' | 'member' | 'office' | 'subscribed'

export type ScreenEntry = {
  path: string
  surface: Surface
  access: ScreenAccess
  title: string
  /** Inside the native app these leave to the person's own start. */
  webOnly?: boolean
}

const open = (path: string, title: string): ScreenEntry => ({ path, surface: 'admin', access: 'open', title })
const page = (path: string, title: string, webOnly = false): ScreenEntry => ({
  path,
  surface: 'public',
  access: 'open',
  title,
  webOnly,
})
const office = (path: string, title: string): ScreenEntry => ({ path, surface: 'admin', access: 'office', title })
const gated = (path: string, title: string): ScreenEntry => ({ path, surface: 'admin', access: 'subscribed', title })
const crew = (path: string, title: string): ScreenEntry => ({ path, surface: 'crew', access: 'member', title })

export const screens: readonly ScreenEntry[] = [
  page('/', 'Lawn-care routing, scheduling and invoicing'),
  page('/landing', 'Get started', true),
  page('/features', 'Features', true),
  page('/pricing', 'Pricing'),
  page('/application', 'Application'),
  page('/book-call', 'Book a call'),
  page('/training', 'Training', true),
  page('/faq', 'FAQ', true),
  page('/contact', 'Contact', true),
  page('/about', 'About', true),
  page('/terms', 'Terms', true),
  page('/privacy', 'Privacy'),
  page('/sms-terms', 'SMS terms'),
  open('/signin', 'Sign in'),
  open('/register', 'Create your account'),
  open('/forgot-password', 'Forgot password'),
  open('/reset-password', 'Reset password'),
  open('/oauth-success', 'Signing you in'),
  open('/login-success', 'Signing you in'),
  open('/payment-success', 'Payment received'),
  open('/employee-invite/:token', 'Join your crew'),
  open('/profile/:username', 'Business'),
  open('/i/:token', 'Invoice'),
  open('/u/:token', 'Message settings'),
  { ...open('/owner/leads', 'Leads'), webOnly: true },
  open('/owner/register', 'Owner registration portal'),
  { ...open('/support-access', 'Support access'), webOnly: true },
  open('/tour', 'Tour'),
  open('/customer-page', 'What your customer sees'),
  open('/local/outbox', 'Local outbox'),
  open('/local/phone', 'Local phone'),
  open('/local/prospects', 'Local prospects'),
  open('/local/checkout/:sessionId', 'Test checkout'),
  open('/local/checkout/plan/:sessionId', 'Test checkout'),
  open('/local/portal/:sessionId', 'Test portal'),
  open('/local/connect/:linkId', 'Test account'),
  open('/local/bank/:accountId', 'Test bank'),
  gated('/dashboard', 'Dashboard'),
  gated('/jobs', 'Jobs & Invoicing'),
  gated('/quotes', 'Quotes'),
  gated('/leads', 'Leads'),
  gated('/analytics', 'Analytics'),
  office('/profile', 'Profile'),
  office('/calendar', 'Calendar'),
  office('/mobile-calendar', 'Calendar'),
  office('/customers', 'Customers'),
  office('/employees', 'Employees'),
  office('/send-notifications', 'Send notifications'),
  office('/material-calculator', 'Material calculator'),
  office('/tools', 'Tools'),
  office('/quickbooks', 'QuickBooks'),
  office('/expenses', 'Expenses'),
  office('/payments/connect/refresh', 'Payments set-up'),
  office('/payments/connect/return', 'Payments set-up'),
  { path: '/quote-builder-pro', surface: 'byRole', access: 'member', title: 'Quote builder' },
  { path: '/route-map', surface: 'byRole', access: 'member', title: 'Routes' },
  crew('/employee-dashboard', 'Today'),
  crew('/employee-week-view', 'Schedule'),
  crew('/employee-chat', 'Chat with Admin'),
  crew('/employee-profile', 'Profile'),
  crew('/employee-quotes', 'Quotes'),
  crew('/employee-timeclock', 'Time Clock'),
  crew('/employee-timesheets', 'Timesheets'),
]

/** Older and shorter addresses and where they lead; the query they come with is kept. */
const movedPaths: Readonly<Record<string, string>> = {
  '/quote-builder': '/application',
  '/admin-chat': '/employees?tab=communications',
  '/integrations': '/profile?section=integrations',
  '/manage-jobs': '/jobs?tab=manage',
  '/invoices': '/jobs?tab=invoices',
  '/manage-customers': '/customers?tab=manage',
  '/add-customer': '/customers?tab=create',
  '/customer-map': '/customers?tab=map',
  '/manage-employees': '/employees?tab=crews',
  '/add-employee': '/employees?tab=create',
  '/employee-management': '/employees?tab=manage',
  '/timesheets': '/employees?tab=timesheets',
}

/** Where a moved address leads, with the query it came with, or null. */
export const movedTo = (path: string, search = ''): string | null => {
  const target = movedPaths[tidyPath(path)]
  if (!target) return null
  const [to = '/', own = ''] = target.split('?')
  const query = new URLSearchParams(search)
  for (const [key, value] of new URLSearchParams(own)) query.set(key, value)
  const text = query.toString()
  return text === '' ? to : `${to}?${text}`
}

const matchers = screens.map((entry) => ({
  entry,
  pattern: new RegExp(`^${entry.path.replace(/:[A-Za-z]+/g, '[^/]+')}$`),
}))

/** The path without a trailing slash; `/` stays. */
export const tidyPath = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') || '/' : '/')

/** The screen at a path, or null when the product has none there. */
export const screenAt = (path: string): ScreenEntry | null => {
  const tidy = tidyPath(path)
  return matchers.find((m) => m.pattern.test(tidy))?.entry ?? null
}
