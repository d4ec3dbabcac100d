import { type ReactNode, useEffect, useRef } from 'react'
import { LinkTo } from './LinkTo.tsx'
import './Tabs.css'

export type Tab<T extends string = string> = {
  value: T
  label: ReactNode
  count?: number /** What is counted, where it is not what the tab lists: "unread". */
  counts?: string
  href?: string
}
type Props<T extends string> = { tabs: readonly Tab<T>[]; value: T; onChange?: (value: T) => void; label: string }

/** Views of one hub. Give each tab an `href` and the URL decides; the caller passes in which is current. */
export const Tabs = <T extends string>({ tabs, value, onChange, label }: Props<T>) => {
  const bar = useRef<HTMLElement>(null)
  // On a phone the tabs scroll: the current one is never beside the screen. The page itself does not move.
  const counts = tabs.map(({ count }) => count ?? '').join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is current, or a count that came later moved it
  useEffect(() => {
    const on = bar.current?.querySelector<HTMLElement>('.is-on')
    if (bar.current && on)
      bar.current.scrollLeft = on.offsetLeft - bar.current.offsetLeft - (bar.current.clientWidth - on.offsetWidth) / 2
  }, [value, counts])
  return (
    <nav className="ui-tabs" aria-label={label} ref={bar}>
      {tabs.map((tab) => {
        const on = tab.value === value
        const inside = (
          <>
            {tab.label}
            {tab.count === undefined ? null : (
              <span className="ui-tabs__count num">
                {tab.count}
                {tab.counts ? ` ${tab.counts}` : ''}
              </span>
            )}
          </>
        )
        return tab.href ? (
          <LinkTo
            key={tab.value}
            href={tab.href}
            className={`ui-tabs__tab${on ? ' is-on' : ''}`}
            aria-current={on ? 'page' : undefined}
          >
            {inside}
          </LinkTo>
        ) : (
          <button
            key={tab.value}
            type="button"
            className={`ui-tabs__tab${on ? ' is-on' : ''}`}
            aria-current={on ? 'true' : undefined}
            onClick={() => onChange?.(tab.value)}
          >
            {inside}
          </button>
        )
      })}
    </nav>
  )
}
