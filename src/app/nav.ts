import type { ComponentType } from 'react'
import {
  IconCalendar,
  IconChartBar,
  IconClipboardList,
  IconFileText,
  IconFlag,
  IconLayoutDashboard,
  IconMessage,
  IconRoute,
  IconTool,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from '../ui/icons.ts'

export type NavCountName = 'invoices' | 'leads' | 'customerMessages' | 'communications' | 'timesheets'
type Icon = ComponentType<{ size?: number; stroke?: number }>
export type NavItem = { label: string; href: string; count?: NavCountName }
export type NavEntry = NavItem & { icon: Icon; items?: readonly NavItem[] }
export type NavGroup = { label: string; entries: readonly NavEntry[] }

/** The office's sidebar, item by item as the specification lists it. */
export const officeNav: readonly NavGroup[] = [
  { label: 'Main', entries: [{ label: 'Dashboard', href: '/dashboard', icon: IconLayoutDashboard }] },
  {
    label: 'Business',
    entries: [
      {
        label: 'Jobs & Invoicing',
        href: '/jobs',
        icon: IconClipboardList,
        items: [
          { label: 'Create Job', href: '/jobs?tab=create' },
          { label: 'Manage Jobs', href: '/jobs?tab=manage' },
          { label: 'Invoices', href: '/jobs?tab=invoices', count: 'invoices' },
          { label: 'Services', href: '/jobs?tab=services' },
        ],
      },
      {
        label: 'Quotes',
        href: '/quotes',
        icon: IconFileText,
        items: [
          { label: 'Create', href: '/quotes?tab=create' },
          { label: 'Manage', href: '/quotes?tab=manage' },
          { label: 'Templates', href: '/quotes?tab=templates' },
        ],
      },
      { label: 'Leads', href: '/leads', icon: IconFlag, count: 'leads' },
      {
        label: 'Customers',
        href: '/customers',
        icon: IconUsers,
        items: [
          { label: 'Create', href: '/customers?tab=create' },
          { label: 'Manage', href: '/customers?tab=manage' },
          { label: 'Customer Messages', href: '/customers?tab=messages', count: 'customerMessages' },
          { label: 'Customer Map', href: '/customers?tab=map' },
        ],
      },
    ],
  },
  {
    label: 'Operations',
    entries: [
      {
        label: 'Routes',
        href: '/route-map',
        icon: IconRoute,
        items: [
          { label: 'Route Map', href: '/route-map' },
          { label: 'Calendar View', href: '/calendar' },
        ],
      },
      {
        label: 'Employees',
        href: '/employees',
        icon: IconUsersGroup,
        items: [
          { label: 'Create', href: '/employees?tab=create' },
          { label: 'Management', href: '/employees?tab=manage' },
          { label: 'Crews', href: '/employees?tab=crews' },
          { label: 'Communications', href: '/employees?tab=communications', count: 'communications' },
          { label: 'Timesheets', href: '/employees?tab=timesheets', count: 'timesheets' },
        ],
      },
    ],
  },
  {
    label: 'Analytics & Tools',
    entries: [
      { label: 'Analytics', href: '/analytics', icon: IconChartBar },
      { label: 'Tools', href: '/tools', icon: IconTool },
    ],
  },
  { label: 'Account', entries: [{ label: 'Profile', href: '/profile', icon: IconUser }] },
]

/** The center of the bottom bar on a phone. */
export const hubSelector: readonly (NavItem & { icon: Icon })[] = [
  { label: 'Dashboard', href: '/dashboard', icon: IconLayoutDashboard },
  { label: 'Customers', href: '/customers', icon: IconUsers },
  { label: 'Jobs', href: '/jobs', icon: IconClipboardList },
  { label: 'Quotes', href: '/quotes', icon: IconFileText },
  { label: 'Calendar', href: '/mobile-calendar', icon: IconCalendar },
  { label: 'Admin Chat', href: '/employees?tab=communications', icon: IconMessage },
]

/** What the "+ New" menu makes. */
export const newItems = [
  { label: 'Customer', href: '/customers?tab=create', keys: 'new customer add client' },
  { label: 'Job', href: '/jobs?tab=create', keys: 'new job book mowing' },
  { label: 'Quote', href: '/quotes?tab=create', keys: 'new quote estimate' },
  { label: 'Invoice', href: '/jobs?tab=invoices&new=1', keys: 'new invoice bill by hand' },
  {
    label: 'Message to several',
    href: '/send-notifications',
    keys: 'new message text several customers notify campaign',
  },
  { label: 'Campaign', href: '/tools?tab=campaigns&new=1', keys: 'new campaign offer newsletter marketing blast' },
  { label: 'Expense', href: '/expenses?new=1', keys: 'new expense receipt fuel cost' },
  { label: 'Employee', href: '/employees?tab=create', keys: 'new employee invite crew member' },
] as const

const parse = (href: string): { path: string; tab: string | null } => {
  const [path = '/', query = ''] = href.split('?')
  return { path, tab: new URLSearchParams(query).get('tab') }
}

/** Whether an item is the screen that is shown; `tab` is the hub's tab after its default is filled in. */
export const isCurrent = (href: string, path: string, tab: string | null): boolean => {
  const item = parse(href)
  return item.path === path && (item.tab === null || item.tab === tab)
}

/** Whether an entry or one of its items is shown. */
export const holdsCurrent = (entry: NavEntry, path: string, tab: string | null): boolean =>
  parse(entry.href).path === path || (entry.items?.some((item) => isCurrent(item.href, path, tab)) ?? false)

/** Bell and sidebar count alike: nothing at 0, '9+' above 9 where there is no room. */
export const badgeText = (count: number): string => (count > 9 ? '9+' : String(count))
