import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMaybeUser, useOnlyLooks } from '../features/accounts/web/session.ts'
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '../ui/icons.ts'
import { LinkTo } from '../ui/LinkTo.tsx'
import { twinAt } from './hubs.ts'
import { Logo } from './Logo.tsx'
import { holdsCurrent, isCurrent, type NavCountName, type NavEntry, type NavItem, officeNav } from './nav.ts'
import { navCountsQuery } from './navCounts.ts'
import { includesScreen } from './roleScreens.ts'
import { usePlace } from './usePlace.ts'
import './sidebar.css'

type Counts = Partial<Record<NavCountName, number>>

/** What waits behind the items; a server that cannot say so leaves the sidebar as it is. */
export const useNavCounts = (): Counts => {
  const onlyLooks = useOnlyLooks()
  const { data } = useQuery({ ...navCountsQuery, enabled: !onlyLooks })
  return data ?? {}
}

const Count = ({ value }: { value: number | undefined }) =>
  value ? (
    <span className="side__count num">
      <span className="ui-hidden">, </span>
      {value > 999 ? '999+' : value}
      <span className="ui-hidden"> waiting</span>
    </span>
  ) : null

const openKey = 'swath.sidebar'
const readOpen = (): Record<string, boolean> => {
  try {
    return JSON.parse(localStorage.getItem(openKey) ?? '{}') as Record<string, boolean>
  } catch {
    return {}
  }
}

/** Groups that stand open until somebody closes them, as far as the height of a usual screen goes. */
const openAtFirst = new Set(['/jobs', '/route-map'])

type PlaceProps = { path: string; tab: string | null; counts: Counts; onGo?: (() => void) | undefined }

const SubItem = ({ item, path, tab, counts, onGo }: PlaceProps & { item: NavItem }) => {
  const on = isCurrent(item.href, path, tab)
  return (
    <li>
      <LinkTo
        href={item.href}
        className={`side__link side__link--sub${on ? ' is-on' : ''}`}
        aria-current={on ? 'page' : undefined}
        onClick={onGo}
      >
        {item.label}
        {item.count ? <Count value={counts[item.count]} /> : null}
      </LinkTo>
    </li>
  )
}

const Entry = ({
  entry,
  open,
  onToggle,
  ...place
}: PlaceProps & { entry: NavEntry; open: boolean; onToggle: () => void }) => {
  const { path, tab, counts, onGo } = place
  const user = useMaybeUser()
  const here = holdsCurrent(entry, path, tab)
  const on = !entry.items && here
  const Icon = entry.icon
  const waiting = entry.count
    ? counts[entry.count]
    : entry.items?.reduce((sum, item) => sum + (item.count ? (counts[item.count] ?? 0) : 0), 0)
  return (
    <li className={here ? 'is-here' : undefined}>
      <div className="side__row">
        <LinkTo
          href={entry.href}
          className={`side__link${on ? ' is-on' : ''}${here ? ' is-here' : ''}`}
          aria-current={on ? 'page' : undefined}
          title={entry.label}
          onClick={onGo}
        >
          <span className="side__icon" aria-hidden="true">
            <Icon size={19} stroke={1.8} />
          </span>
          <span className="side__label">{entry.label}</span>
          {open && entry.items ? null : <Count value={waiting} />}
        </LinkTo>
        {entry.items ? (
          <button
            type="button"
            className="side__toggle"
            aria-expanded={open}
            aria-label={`${open ? 'Hide' : 'Show'} the parts of ${entry.label}`}
            onClick={onToggle}
          >
            <IconChevronDown size={16} aria-hidden="true" />
          </button>
        ) : null}
      </div>
      {entry.items && open ? (
        <ul className="side__subs">
          {entry.items
            .filter(({ href }) => includesScreen(user, href))
            .map((item) => (
              <SubItem key={item.label} item={item} {...place} />
            ))}
        </ul>
      ) : null}
    </li>
  )
}

type Props = { collapsed?: boolean; onCollapse?: () => void; onGo?: () => void }

/** The office's way around: groups and items of the specification, with what waits behind them. */
export const Sidebar = ({ collapsed = false, onCollapse, onGo }: Props) => {
  const place = usePlace()
  const twin = twinAt(place.path)
  const [path, tab] = twin ? [`/${twin.hub}`, twin.tab] : [place.path, place.tab]
  const counts = useNavCounts()
  const user = useMaybeUser()
  const [choices, setChoices] = useState(readOpen)
  const isOpen = (entry: NavEntry): boolean =>
    choices[entry.href] ?? (openAtFirst.has(entry.href) || holdsCurrent(entry, path, tab))
  const toggle = (entry: NavEntry) => {
    const next = { ...choices, [entry.href]: !isOpen(entry) }
    setChoices(next)
    try {
      localStorage.setItem(openKey, JSON.stringify(next))
    } catch {
      // a private window: open again next time
    }
  }
  return (
    <aside className={`side${collapsed ? ' is-collapsed' : ''}`}>
      <LinkTo href="/dashboard" className="side__logo" aria-label="Swath, to the dashboard" onClick={onGo}>
        <Logo onDark markOnly={collapsed} />
      </LinkTo>
      <nav aria-label="Main" className="side__nav">
        {officeNav.map((group) => (
          <section key={group.label} aria-label={group.label}>
            <p className="side__group" aria-hidden="true">
              {group.label}
            </p>
            <ul>
              {group.entries
                .filter(({ href }) => includesScreen(user, href))
                .map((entry) => (
                  <Entry
                    key={entry.href}
                    entry={entry}
                    open={!collapsed && isOpen(entry)}
                    onToggle={() => toggle(entry)}
                    {...{ path, tab, counts, onGo }}
                  />
                ))}
            </ul>
          </section>
        ))}
      </nav>
      {onCollapse ? (
        <button
          type="button"
          className="side__collapse"
          onClick={onCollapse}
          aria-label={collapsed ? 'Widen the sidebar' : 'Narrow the sidebar'}
        >
          {collapsed ? (
            <IconChevronRight size={18} aria-hidden="true" />
          ) : (
            <IconChevronLeft size={18} aria-hidden="true" />
          )}
          {collapsed ? null : <span>Narrow</span>}
        </button>
      ) : null}
    </aside>
  )
}
