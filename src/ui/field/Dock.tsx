import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { LinkTo } from '../LinkTo.tsx'
import { dropSecondTap } from './secondTap.ts'
import './field.css'

export type DockTab = { value: string; label: string; href: string; icon?: ReactNode; count?: number }
type Props = { tabs: readonly DockTab[]; value: string; label: string; children?: ReactNode }

/** The bottom of every crew screen: the main action over the tabs, under the thumb. It tells the page its height. */
export const Dock = ({ tabs, value, label, children }: Props) => {
  const dock = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = dock.current
    if (!element) return
    const watcher = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--dock-height', `${element.offsetHeight}px`),
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return (
    <footer ref={dock} className="f-dock">
      <div className="f-dock__action" onClickCapture={dropSecondTap}>
        {children}
      </div>
      <nav className="f-tabs" aria-label={label}>
        {tabs.map((tab) => (
          <LinkTo
            key={tab.value}
            href={tab.href}
            className="f-tab"
            aria-current={tab.value === value ? 'page' : undefined}
          >
            {tab.icon}
            {tab.label}
            {tab.count ? <span className="f-tab__count">{tab.count > 9 ? '9+' : tab.count}</span> : null}
          </LinkTo>
        ))}
      </nav>
    </footer>
  )
}
