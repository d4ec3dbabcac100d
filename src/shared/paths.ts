/** Every screen's path and its tabs, once. Mails, redirects and links use these. */

export const paths = {
  home: '/',
  signin: '/signin',
  register: '/register',
  pricing: '/pricing',
  application: '/application',
  bookCall: '/book-call',
  landing: '/landing',
  features: '/features',
  contact: '/contact',
  about: '/about',
  terms: '/terms',
  faq: '/faq',
  training: '/training',
  privacy: '/privacy',
  smsTerms: '/sms-terms',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  oauthSuccess: '/oauth-success',
  loginSuccess: '/login-success',
  paymentSuccess: '/payment-success',
  ownerLeads: '/owner/leads',
  ownerRegister: '/owner/register',
  supportAccess: '/support-access',
  tour: '/tour',
  /** Only inside the tour. */
  customerPage: '/customer-page',
  dashboard: '/dashboard',
  jobs: '/jobs',
  quotes: '/quotes',
  leads: '/leads',
  analytics: '/analytics',
  profile: '/profile',
  calendar: '/calendar',
  mobileCalendar: '/mobile-calendar',
  routeMap: '/route-map',
  customers: '/customers',
  employees: '/employees',
  sendNotifications: '/send-notifications',
  materialCalculator: '/material-calculator',
  tools: '/tools',
  quickbooks: '/quickbooks',
  expenses: '/expenses',
  connectRefresh: '/payments/connect/refresh',
  connectReturn: '/payments/connect/return',
  quoteBuilderPro: '/quote-builder-pro',
  employeeDashboard: '/employee-dashboard',
  employeeWeekView: '/employee-week-view',
  employeeChat: '/employee-chat',
  employeeProfile: '/employee-profile',
  employeeQuotes: '/employee-quotes',
  employeeTimeclock: '/employee-timeclock',
  employeeTimesheets: '/employee-timesheets',
  localOutbox: '/local/outbox',
  localPhone: '/local/phone',
  localDns: '/local/dns',
  localProspects: '/local/prospects',
  localAccounts: '/local/accounts',
  employeeInvite: (token: string) => `/employee-invite/${token}`,
  publicProfile: (username: string) => `/profile/${username}`,
  quote: (token: string) => `/quote/${token}`,
  review: (token: string) => `/review/${token}`,
  invoice: (token: string) => `/i/${token}`,
  statement: (token: string) => `/s/${token}`,
  /** Of a business by its address, or of a link that signs in. */
  portal: (name: string) => `/portal/${name}`,
  visit: (token: string) => `/visit/${token}`,
  extra: (token: string) => `/extra/${token}`,
  unsubscribe: (token: string) => `/u/${token}`,
  localCheckout: (sessionId: string) => `/local/checkout/${sessionId}`,
  localBank: (accountId: string) => `/local/bank/${accountId}`,
} as const

/** Tabs of each hub; the first of `defaults` is what an unknown or missing tab shows. */
export const hubTabs = {
  jobs: ['create', 'manage', 'invoices', 'services'],
  quotes: ['create', 'manage', 'templates', 'analytics', 'renewals'],
  leads: ['funnel'],
  customers: ['create', 'manage', 'map', 'messages', 'reviews', 'automations'],
  employees: ['create', 'manage', 'crews', 'communications', 'timesheets'],
  'route-map': ['route', 'saved', 'season', 'minutes'],
  analytics: ['overview', 'costing', 'prices', 'cash'],
  tools: ['calculator', 'reports', 'notifications', 'campaigns', 'statistics'],
} as const

export type Hub = keyof typeof hubTabs
export type TabOf<H extends Hub> = (typeof hubTabs)[H][number]

export const defaultTabs: { [H in Hub]: TabOf<H> } = {
  jobs: 'manage',
  quotes: 'manage',
  leads: 'funnel',
  customers: 'manage',
  employees: 'manage',
  'route-map': 'route',
  analytics: 'overview',
  tools: 'calculator',
}

/** The tab that a `?tab=` value means in a hub. */
export const tabOf = <H extends Hub>(hub: H, value: string | null | undefined): TabOf<H> =>
  (hubTabs[hub] as readonly string[]).includes(value ?? '') ? (value as TabOf<H>) : defaultTabs[hub]

export const hubPath = <H extends Hub>(hub: H, tab?: TabOf<H>): string => (tab ? `/${hub}?tab=${tab}` : `/${hub}`)

/** What the page of this computer's own mail says of itself; no other answer at its address has it. */
export const localMailHeader = 'x-swath-local-mail'
