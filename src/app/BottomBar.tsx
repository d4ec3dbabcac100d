import type { ComponentType } from 'react'
import { lazy, Suspense, useState } from 'react'
import { useMaybeUser } from '../features/accounts/web/session.ts'
import {
  IconCalculator,
  IconCash,
  IconChartBar,
  IconClipboardList,
  IconClock,
  IconCoins,
  IconFileInvoice,
  IconFileText,
  IconFlag,
  IconMail,
  IconMap2,
  IconMenu2,
  IconMessage,
  IconPin,
  IconPlus,
  IconRepeat,
  IconReport,
  IconRoute,
  IconSend,
  IconStar,
  IconTool,
  IconUsers,
  IconUsersGroup,
} from '../ui/icons.ts'
import { LinkTo } from '../ui/LinkTo.tsx'
import { type HubTab, hubLabels, shortLabel, tabsOf, twinAt } from './hubs.ts'
import { loadScreen } from './loading.ts'
import { isCurrent } from './nav.ts'
import { includesScreen } from './roleScreens.ts'
import { usePlace } from './usePlace.ts'
import './bottombar.css'

const HubSheet = lazy(() => loadScreen(() => import('./HubSheet.tsx')).then((m) => ({ default: m.HubSheet })))

const shown = 4

const icons: Record<string, ComponentType<{ size?: number; stroke?: number }>> = {
  create: IconPlus,
  invoices: IconFileInvoice,
  services: IconTool,
  templates: IconFileText,
  funnel: IconFlag,
  customers: IconUsers,
  map: IconMap2,
  messages: IconMessage,
  reviews: IconStar,
  automations: IconRepeat,
  renewals: IconRepeat,
  crews: IconUsersGroup,
  communications: IconMessage,
  timesheets: IconClock,
  route: IconRoute,
  saved: IconPin,
  analytics: IconChartBar,
  overview: IconChartBar,
  costing: IconCoins,
  prices: IconMail,
  cash: IconCash,
  minutes: IconClock,
  statistics: IconChartBar,
  calculator: IconCalculator,
  reports: IconReport,
  notifications: IconSend,
}
const Icon = ({ tab }: { tab: HubTab }) => {
  const Picture = icons[tab.value] ?? IconClipboardList
  return (
    <span aria-hidden="true">
      <Picture size={20} stroke={1.8} />
    </span>
  )
}

/** Where a screen without tabs leads on. */
const usual: readonly HubTab[] = [
  { value: 'route', label: 'Route Map', href: '/route-map', isDefault: false },
  { value: 'jobs', label: 'Jobs', href: '/jobs?tab=manage', isDefault: false },
  { value: 'invoices', label: 'Invoices', href: '/jobs?tab=invoices', isDefault: false },
  { value: 'customers', label: 'Customers', href: '/customers?tab=manage', isDefault: false },
]

const Item = ({ tab, current }: { tab: HubTab; current: boolean }) => (
  <LinkTo
    href={tab.href}
    className={`bottom__tab${current ? ' is-on' : ''}`}
    aria-current={current ? 'page' : undefined}
    replace={false}
  >
    <Icon tab={tab} />
    {shortLabel(tab.label)}
  </LinkTo>
)

/** On phones: up to four tabs of the hub, and the selector of hubs between them. */
export const BottomBar = () => {
  const { path, hub: own, tab: ownTab } = usePlace()
  const { hub, tab } = twinAt(path) ?? { hub: own, tab: ownTab }
  const [open, setOpen] = useState(false)
  const [opened, setOpened] = useState(false)
  const user = useMaybeUser()
  const tabs = (hub ? tabsOf(hub) : usual).filter(({ href }) => includesScreen(user, href))
  const [bar, rest] = [tabs.slice(0, shown), tabs.slice(shown)]
  const half = Math.ceil(bar.length / 2)
  const isOn = (item: HubTab) => (hub ? item.value === tab : isCurrent(item.href, path, tab))
  return (
    <>
      <nav className="bottom" aria-label={hub ? `Parts of ${hubLabels[hub]}` : 'Most used'}>
        <div className="bottom__side">
          {bar.slice(0, half).map((item) => (
            <Item key={item.value} tab={item} current={isOn(item)} />
          ))}
        </div>
        <button
          type="button"
          className="bottom__hub"
          aria-label="Menu, go to another part"
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => {
            setOpened(true)
            setOpen(true)
          }}
        >
          <IconMenu2 size={20} aria-hidden="true" />
          <span>Menu</span>
        </button>
        <div className="bottom__side">
          {bar.slice(half).map((item) => (
            <Item key={item.value} tab={item} current={isOn(item)} />
          ))}
        </div>
      </nav>
      {opened ? (
        <Suspense fallback={null}>
          <HubSheet
            open={open}
            rest={rest.map((item) => ({ ...item, isOn: isOn(item) }))}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}
