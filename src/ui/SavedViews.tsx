import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './Button.tsx'
import './FilterChips.css'
import { IconDots, IconPlus, IconUsers } from './icons.ts'
import { LinkTo } from './LinkTo.tsx'
import { Menu, type MenuItem } from './Menu.tsx'
import './SavedViews.css'

export type SavedView = { id: string; name: ReactNode; count?: number; href?: string; shared?: boolean }
type Props = {
  views: readonly SavedView[]
  /** Null when the filters on the screen are no saved view. */
  currentId: string | null
  onSelect?: (id: string) => void
  /** Offered when the filters differ from the current view. */
  onSave?: (() => void) | undefined
  menu?: (view: SavedView) => readonly MenuItem[]
  label?: string
}

/** Kept filters with their counts: "Overdue 12". */
export const SavedViews = ({ views, currentId, onSelect, onSave, menu, label = 'Saved views' }: Props) => {
  const line = useRef<HTMLElement>(null)
  const counted = views.filter((view) => view.count !== undefined).length
  const length = `${views.length} ${counted}`
  // On a phone the views are one line: the one that is looked at is in it, also once the others have their counts.
  // biome-ignore lint/correctness/useExhaustiveDependencies(length): what makes the line longer
  useEffect(() => {
    const on = currentId === null ? null : line.current?.querySelector<HTMLElement>('[aria-current]')
    if (on && line.current) line.current.scrollLeft = on.offsetLeft - line.current.clientWidth / 2 + on.offsetWidth / 2
  }, [currentId, length])
  return (
    <div className="ui-views">
      <nav ref={line} className="ui-views__line" aria-label={label}>
        {views.map((view) => {
          const on = view.id === currentId
          const inside = (
            <>
              {view.shared ? <IconUsers size={15} aria-hidden="true" /> : null}
              <span className="ui-views__name" title={typeof view.name === 'string' ? view.name : undefined}>
                {view.name}
              </span>
              {view.count === undefined ? null : (
                <span className="num ui-chip__count">{view.count.toLocaleString('en-US')}</span>
              )}
            </>
          )
          return (
            <span key={view.id} className="ui-views__one">
              {view.href ? (
                <LinkTo href={view.href} className="ui-chip" aria-current={on ? 'true' : undefined}>
                  {inside}
                </LinkTo>
              ) : (
                <button
                  type="button"
                  className="ui-chip"
                  aria-current={on ? 'true' : undefined}
                  onClick={() => onSelect?.(view.id)}
                >
                  {inside}
                </button>
              )}
              {on && menu && menu(view).length > 0 ? (
                <Menu items={menu(view)} align="start">
                  <button type="button" className="ui-views__menu" aria-label="Change this view">
                    <IconDots size={16} />
                  </button>
                </Menu>
              ) : null}
            </span>
          )
        })}
      </nav>
      {onSave ? (
        <Button kind="quiet" size="s" icon={<IconPlus />} onClick={onSave}>
          Save view
        </Button>
      ) : null}
    </div>
  )
}
