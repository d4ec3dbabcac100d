import type { NavigateFunction } from 'react-router'
import { searchApi } from '../features/search/contract.ts'
import { type SettingsViewer, settingsFor, settingsHref } from '../features/settings/web/settingsIndex.ts'
import { call } from '../shared/client.ts'
import { type Hub, hubTabs, paths } from '../shared/paths.ts'
import type { Rights } from '../shared/roles.ts'
import {
  IconFileInvoice,
  IconKey,
  IconLogout,
  IconPalette,
  IconPlus,
  IconRoute,
  IconSearch,
  IconSettings,
  IconUser,
  IconUsers,
} from '../ui/icons.ts'
import type { PaletteGroup } from '../ui/paletteItems.ts'
import { setTheme, type Theme } from '../ui/theme/theme.ts'
import { hubLabels, tabsOf } from './hubs.ts'
import { newItems, officeNav } from './nav.ts'
import { includesScreen } from './roleScreens.ts'

const kinds = {
  customer: 'Customers',
  property: 'Properties',
  job: 'Jobs',
  visit: 'Visits',
  invoice: 'Invoices',
  quote: 'Quotes',
  lead: 'Leads',
  employee: 'Employees',
  route: 'Routes',
} as const

const kindIcons: Partial<Record<keyof typeof kinds, typeof IconUser>> = {
  customer: IconUser,
  invoice: IconFileInvoice,
  employee: IconUsers,
  route: IconRoute,
}

type Go = NavigateFunction

const inSidebar = new Set(
  officeNav.flatMap(({ entries }) =>
    entries.flatMap(({ href, items = [] }) => [href, ...items.map((item) => item.href)]),
  ),
)

/** What people call a tab besides its name. */
const otherWords: Readonly<Record<string, string>> = {
  campaigns: 'marketing newsletter offer blast mass email text audience segment',
  automations: 'automatic messages workflow drip sequence trigger review request reminder dry run last month',
  notifications: 'message several customers mass text',
}

/** Screens that stand in no sidebar, whose items the specification lists: those of their own, and tabs that only stand over their screens. */
const besides: readonly { label: string; href: string; keywords: string }[] = [
  { label: 'QuickBooks', href: paths.quickbooks, keywords: 'books bookkeeping accountant sync quick books qbo' },
  { label: 'Expenses', href: paths.expenses, keywords: 'receipts costs fuel mileage' },
  ...(Object.keys(hubTabs) as Hub[]).flatMap((hub) =>
    tabsOf(hub)
      .filter(({ href, isDefault }) => !isDefault && !inSidebar.has(href))
      .map(({ value, label, href }) => ({
        label: `${hubLabels[hub]}: ${label}`,
        href,
        keywords: otherWords[value] ?? '',
      })),
  ),
]

/** Every screen of the sidebar, by its own words and those of its group, and those beside it. */
const screenGroup = (go: Go, who: Rights | null): PaletteGroup => ({
  id: 'screens',
  heading: 'Go to',
  items: [
    ...officeNav.flatMap(({ entries }) =>
      entries
        .filter(({ href }) => includesScreen(who, href))
        .flatMap(({ label, href, icon: Icon, items = [] }) => [
          { id: href, label, icon: <Icon size={18} />, onSelect: () => void go(href) },
          ...items
            .filter((item) => item.href !== href && includesScreen(who, item.href))
            .map((item) => ({
              id: item.href,
              label: `${label}: ${item.label}`,
              icon: <Icon size={18} />,
              onSelect: () => void go(item.href),
            })),
        ]),
    ),
    ...besides
      .filter(({ href }) => includesScreen(who, href))
      .map(({ label, href, keywords }) => ({
        id: href,
        label,
        keywords: [keywords],
        icon: <IconFileInvoice size={18} />,
        onSelect: () => void go(href),
      })),
  ],
})

const settingsGroup = (go: Go, viewer: SettingsViewer): PaletteGroup => ({
  id: 'settings',
  heading: 'Settings',
  items: settingsFor(viewer).flatMap((section) =>
    section.cards.map(({ id, label, words }) => ({
      id: `setting-${id}`,
      label: `Settings: ${label}`,
      keywords: [words, section.label],
      icon: <IconSettings size={18} />,
      onSelect: () => void go(settingsHref(section.id, id)),
    })),
  ),
})

const colors: readonly { theme: Theme; label: string; keywords: string }[] = [
  { theme: 'dark', label: 'Dark colors', keywords: 'theme night mode' },
  { theme: 'light', label: 'Light colors', keywords: 'theme day mode' },
  { theme: 'auto', label: 'Colors as the system', keywords: 'theme auto mode' },
]

export const paletteGroups = (
  go: Go,
  {
    viewer,
    who,
    showKeys,
    signOut,
  }: { viewer: SettingsViewer; who: Rights | null; showKeys: () => void; signOut: () => void },
): PaletteGroup[] => [
  {
    id: 'actions',
    heading: 'Do',
    items: [
      ...newItems
        .filter(({ href }) => includesScreen(who, href))
        .map(({ label, href, keys }) => ({
          id: href,
          label: `New ${label.toLowerCase()}`,
          keywords: [keys],
          icon: <IconPlus size={18} />,
          onSelect: () => void go(href),
        })),
      {
        id: 'plan',
        label: 'Plan the routes of a day',
        keywords: ['optimize optimize route crews drive'],
        icon: <IconRoute size={18} />,
        onSelect: () => void go('/route-map'),
      },
      {
        id: 'keys',
        label: 'Keyboard map',
        keywords: ['shortcuts help'],
        hint: '?',
        icon: <IconKey size={18} />,
        onSelect: showKeys,
      },
      ...colors.map(({ theme, label, keywords }) => ({
        id: `theme-${theme}`,
        label,
        keywords: [keywords],
        icon: <IconPalette size={18} />,
        onSelect: () => setTheme(theme),
      })),
      {
        id: 'logout',
        label: 'Logout',
        keywords: ['sign out leave'],
        icon: <IconLogout size={18} />,
        onSelect: signOut,
      },
    ],
  },
  screenGroup(go, who),
  settingsGroup(go, viewer),
]

/** Asks the server for records and puts them in groups of their kind, best kind first. */
export const findRecords = async (go: Go, text: string, signal: AbortSignal): Promise<PaletteGroup[]> => {
  const { results } = await call(searchApi.find, { query: { q: text } }, { signal, retries: 0 })
  const groups = new Map<string, PaletteGroup & { items: PaletteGroup['items'][number][] }>()
  for (const { kind, id, title, subtitle, path } of results) {
    const group = groups.get(kind) ?? { id: kind, heading: kinds[kind], items: [] }
    groups.set(kind, group)
    const Icon = kindIcons[kind] ?? IconSearch
    group.items.push({ id, label: title, hint: subtitle, icon: <Icon size={18} />, onSelect: () => void go(path) })
  }
  return [...groups.values()]
}
