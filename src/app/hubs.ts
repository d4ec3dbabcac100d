import { defaultTabs, type Hub, hubTabs, paths } from '../shared/paths.ts'

/** What the tabs of a hub are called, in the words of the sidebar. */
export const tabLabels: Record<Hub, Record<string, string>> = {
  jobs: { create: 'Create Job', manage: 'Manage Jobs', invoices: 'Invoices', services: 'Services' },
  quotes: { create: 'Create', manage: 'Manage', renewals: 'Renewals', templates: 'Templates', analytics: 'Analytics' },
  leads: { funnel: 'Funnel' },
  customers: {
    create: 'Create',
    manage: 'Manage',
    map: 'Customer Map',
    messages: 'Customer Messages',
    reviews: 'Reviews',
    automations: 'Automations',
  },
  employees: {
    create: 'Create',
    manage: 'Management',
    crews: 'Crews',
    communications: 'Communications',
    timesheets: 'Timesheets',
  },
  'route-map': { route: 'Route Map', saved: 'Saved Routes', season: 'Season Planner', minutes: 'Learned Minutes' },
  analytics: { overview: 'Overview', costing: 'Job Costing', prices: 'Price Letters', cash: 'Cash Flow' },
  tools: {
    calculator: 'Calculator',
    reports: 'Reports',
    notifications: 'Notifications',
    campaigns: 'Campaigns',
    statistics: 'Statistics',
  },
}

/** The same where there is only the width of a thumb. */
const shortLabels: Record<string, string> = {
  'Create Job': 'Create',
  'Manage Jobs': 'Manage',
  Management: 'Manage',
  Communications: 'Chat',
  'Customer Map': 'Map',
  'Customer Messages': 'Messages',
  'Saved Routes': 'Saved',
  'Season Planner': 'Season',
  'Learned Minutes': 'Minutes',
  'Price Letters': 'Prices',
  Notifications: 'Notify',
  Statistics: 'Stats',
  'Job Costing': 'Costing',
}

export const shortLabel = (label: string): string => shortLabels[label] ?? label

export const hubLabels: Record<Hub, string> = {
  jobs: 'Jobs & Invoicing',
  quotes: 'Quotes',
  leads: 'Leads',
  customers: 'Customers',
  employees: 'Employees',
  'route-map': 'Routes',
  analytics: 'Analytics',
  tools: 'Tools',
}

export const isHub = (name: string): name is Hub => Object.hasOwn(hubTabs, name)

/** The hub whose screen stands at a path, or null. */
export const hubAt = (path: string): Hub | null => {
  const name = path.replace(/^\/|\/+$/g, '')
  return isHub(name) ? name : null
}

/** Screens with a path of their own that are a tab of a hub as well: the same tabs stand over both. */
const twins: Readonly<Record<string, { hub: Hub; tab: string }>> = {
  [paths.materialCalculator]: { hub: 'tools', tab: 'calculator' },
  [paths.sendNotifications]: { hub: 'tools', tab: 'notifications' },
}

/** The hub and tab whose tabs stand over a path that is no hub itself, or null. */
export const twinAt = (path: string): { hub: Hub; tab: string } | null => twins[path] ?? null

export type HubTab = { value: string; label: string; href: string; isDefault: boolean }

/** The tabs of a hub with their addresses; other parameters of the query are not carried from one tab to the next. */
export const tabsOf = (hub: Hub): HubTab[] =>
  hubTabs[hub].map((value) => ({
    value,
    label: tabLabels[hub][value] ?? value,
    href: `/${hub}?tab=${value}`,
    isDefault: value === defaultTabs[hub],
  }))
