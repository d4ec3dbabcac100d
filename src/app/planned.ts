import { screenAt } from '../shared/screens.ts'

export type PlannedPage = {
  title: string
  /** One sentence: what a person will do here. */
  what: string
  points: readonly string[]
  /** What does the nearest thing today. */
  today: readonly { label: string; href: string }[]
}

const link = (label: string, href: string) => ({ label, href })
const signIn = link('Sign in', '/signin')
const home = link('Home', '/')
const dashboard = link('Dashboard', '/dashboard')
const customers = link('Customers', '/customers')
const routeMap = link('Route Map', '/route-map')
const employees = link('Employees', '/employees')
const crewDay = link('Today', '/employee-dashboard')
const crewClock = link('Time Clock', '/employee-timeclock')

const pages: Record<string, PlannedPage> = {
  '/oauth-success': {
    title: 'Signing you in',
    what: 'Sign-in with Google ends here. It is not set up on this server yet.',
    points: [],
    today: [signIn],
  },
  '/payment-success': {
    title: 'Payment received',
    what: 'After a checkout you will see here which plan is active and what comes next.',
    points: ['The plan, its price and the next payment day', 'A link straight to your first route'],
    today: [dashboard, link('Pricing', '/pricing')],
  },
  '/employee-invite/:token': {
    title: 'Join your crew',
    what: 'An invitation from your boss will open here and set up your phone in a minute.',
    points: ['Your name, language and a PIN', 'Works with e-mail or just your phone number'],
    today: [signIn],
  },
  '/profile/:username': {
    title: 'This business has no public page yet',
    what: 'A lawn-care business will show its services, area and hours here, with a form to ask for a quote.',
    points: [],
    today: [home],
  },
  '/owner/leads': {
    title: 'Owner Access Only',
    what: 'The people who run Swath will work their leads here. It has its own sign-in and shows no business’s data.',
    points: [
      'Leads with source, campaign and status',
      'E-mail and SMS conversations',
      'Setup Sprints and booked demos',
    ],
    today: [home],
  },
  '/owner/register': {
    title: 'Owner registration portal',
    what: 'The people who run Swath will open accounts and make checkout links here, behind their own sign-in.',
    points: [],
    today: [home],
  },
  '/customers?tab=messages': {
    title: 'Customer Messages',
    what: 'Texts and mails with each customer in one thread, answered from here by whoever is in the office.',
    points: [
      'Two-way SMS with consent kept per customer',
      '“On my way” and rain notices from the route',
      'STOP and quiet hours respected by themselves',
    ],
    today: [customers, link('Local outbox', '/local/outbox')],
  },
  '/employees?tab=timesheets': {
    title: 'Timesheets',
    what: 'Clocked hours per person and week, corrected and approved here, exported to payroll.',
    points: ['Overtime by your state’s rule', 'Every correction says who, when and why', 'CSV for payroll'],
    today: [link('Management', '/employees?tab=manage'), dashboard],
  },
  '/employee-week-view': {
    title: 'Schedule',
    what: 'Your week: which days, which crew, when the day starts and how many stops it has.',
    points: ['Published days only, no guesses', 'Ask for a day off'],
    today: [crewDay, crewClock],
  },
}

/** What a screen without a file of its own says. */
export const plannedPage = (path: string, tab: string | null = null): PlannedPage => {
  const screen = screenAt(path)
  const key = screen?.path ?? path
  return (
    (tab ? pages[`${key}?tab=${tab}`] : undefined) ??
    pages[key] ?? {
      title: screen?.title ?? 'Not here yet',
      what: 'This screen is being built.',
      points: [],
      today:
        screen?.surface === 'crew'
          ? [crewDay]
          : screen?.access === 'open'
            ? [home, signIn]
            : [dashboard, employees, routeMap].filter((l) => l.href !== key),
    }
  )
}

export { pages as plannedPages }
