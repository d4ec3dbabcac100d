import type { NavigateFunction } from 'react-router'
import { searchApi } from '../features/search/contract.ts'
import { call } from '../shared/client.ts'
import {
  IconFileInvoice,
  IconKey,
  IconLogout,
  IconPlus,
  IconRoute,
  IconSearch,
  IconUser,
  IconUsers,
} from '../ui/icons.ts'
import type { PaletteGroup } from '../ui/paletteItems.ts'
import { newItems, officeNav } from './nav.ts'

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

/** Every screen of the sidebar, by its own words and those of its group. */
const screenGroup = (go: Go): PaletteGroup => ({
  id: 'screens',
  heading: 'Go to',
  items: officeNav.flatMap(({ entries }) =>
    entries.flatMap(({ label, href, icon: Icon, items = [] }) => [
      { id: href, label, icon: <Icon size={18} />, onSelect: () => void go(href) },
      ...items
        .filter((item) => item.href !== href)
        .map((item) => ({
          id: item.href,
          label: `${label}: ${item.label}`,
          icon: <Icon size={18} />,
          onSelect: () => void go(item.href),
        })),
    ]),
  ),
})

export const paletteGroups = (
  go: Go,
  { showKeys, signOut }: { showKeys: () => void; signOut: () => void },
): PaletteGroup[] => [
  {
    id: 'actions',
    heading: 'Do',
    items: [
      ...newItems.map(({ label, href, keys }) => ({
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
      {
        id: 'logout',
        label: 'Logout',
        keywords: ['sign out leave'],
        icon: <IconLogout size={18} />,
        onSelect: signOut,
      },
    ],
  },
  screenGroup(go),
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
