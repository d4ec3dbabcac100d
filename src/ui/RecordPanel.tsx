import { FocusTrap } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { dialogClosedJustNow } from './floating.ts'
import { IconButton } from './IconButton.tsx'
import { IconArrowLeft, IconChevronDown, IconChevronUp, IconX } from './icons.ts'
import './RecordPanel.css'
import { useRoom, useTopPanel } from './panelStack.ts'
import { useNarrow } from './useNarrow.ts'

const floating = '.ui-dialog, .ui-menu, .ui-palette, [data-panel-esc="own"]'
// A closed list stays in the page without a box.
const nothingAbove = () =>
  ![...document.querySelectorAll(floating)].some((element) => element.getClientRects().length > 0)

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  sub?: ReactNode
  badge?: ReactNode
  actions?: ReactNode
  /** K and the arrow up: the record before in the list behind. */
  onPrevious?: (() => void) | undefined
  /** J and the arrow down. */
  onNext?: (() => void) | undefined
  /** What single keys do while the panel is on top and nobody types. */
  keys?: Readonly<Record<string, (() => void) | undefined>>
  footer?: ReactNode
  width?: number
  /** Stands over another panel, which waits below it. */
  over?: boolean
  /** The page behind keeps its full width: a map or a plan that would be laid out anew. */
  covers?: boolean
  children: ReactNode
}

/** A record beside its list: the list makes room where there is enough and stays usable, J and K walk it, Esc closes. From 768 px down it is a sheet over everything. */
export const RecordPanel = ({
  open,
  onClose,
  title,
  sub,
  badge,
  actions,
  onPrevious,
  onNext,
  keys = {},
  footer,
  width = 480,
  over = false,
  covers = over,
  children,
}: Props) => {
  const sheet = useNarrow()
  const onTop = useTopPanel(open, over)
  useRoom(open && !covers ? width : null)
  const titleId = useId()
  const panel = useRef<HTMLElement>(null)
  const cameFrom = useRef<HTMLElement | null>(null)
  useHotkeys(
    open && onTop
      ? [
          ['J', () => nothingAbove() && onNext?.()],
          ['K', () => nothingAbove() && onPrevious?.()],
          ...Object.entries(keys).map(([key, act]): [string, () => void] => [key, () => nothingAbove() && act?.()]),
        ]
      : [],
  )
  useEffect(() => {
    if (!open) return
    cameFrom.current = document.activeElement as HTMLElement | null
    panel.current?.focus({ preventScroll: true })
    return () => {
      const back = cameFrom.current
      // In a panel that waited below, the focus is taken only once it waits no more.
      if (back?.closest('[inert]')) setTimeout(() => back.focus({ preventScroll: true }))
      else back?.focus({ preventScroll: true })
    }
  }, [open])
  useEffect(() => {
    if (!open || !onTop) return
    // What lies above (a dialog, a menu, an open list) takes its own Esc; by the time the event is here it is already gone.
    let above = false
    const look = (event: KeyboardEvent) => {
      if (event.key === 'Escape') above = !nothingAbove() || dialogClosedJustNow()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !above && !event.defaultPrevented) onClose()
    }
    document.addEventListener('keydown', look, true)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', look, true)
      document.removeEventListener('keydown', onKey)
    }
  }, [open, onTop, onClose])
  useEffect(() => {
    if (!open || !sheet) return
    document.documentElement.style.overflow = 'hidden'
    return () => {
      document.documentElement.style.overflow = ''
    }
  }, [open, sheet])
  if (!open) return null
  return createPortal(
    <FocusTrap active={sheet && onTop}>
      <section
        ref={panel}
        className={`ui-panel${over ? ' ui-panel--over' : ''}`}
        inert={!onTop}
        role="dialog"
        aria-modal={sheet || undefined}
        aria-labelledby={titleId}
        tabIndex={-1}
        style={{ '--panel-width': `${width}px` } as never}
      >
        <div className="ui-panel__head">
          <IconButton
            className="ui-panel__back"
            label="Back"
            icon={<IconArrowLeft />}
            onClick={onClose}
            tooltip={false}
          />
          <div className="ui-panel__words">
            <div className="ui-panel__title">
              <h2 id={titleId}>{title}</h2>
              {badge}
            </div>
            {sub ? <div className="muted">{sub}</div> : null}
          </div>
          <div className="ui-panel__tools">
            {onPrevious || onNext ? (
              <>
                <IconButton
                  size="s"
                  label="Previous (K)"
                  icon={<IconChevronUp />}
                  onClick={onPrevious}
                  disabled={!onPrevious}
                />
                <IconButton size="s" label="Next (J)" icon={<IconChevronDown />} onClick={onNext} disabled={!onNext} />
              </>
            ) : null}
            <IconButton className="ui-panel__close" size="s" label="Close (Esc)" icon={<IconX />} onClick={onClose} />
          </div>
        </div>
        {actions ? <div className="ui-panel__actions">{actions}</div> : null}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a body that scrolls must be reachable by keyboard also when nothing in it takes the focus */}
        <div className="ui-panel__body" tabIndex={0}>
          {children}
        </div>
        {footer ? <div className="ui-panel__foot">{footer}</div> : null}
      </section>
    </FocusTrap>,
    document.body,
  )
}
