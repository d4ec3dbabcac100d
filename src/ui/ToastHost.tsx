import { useEffect, useRef } from 'react'
import { Toaster, useToasterStore } from 'react-hot-toast'
import { showToastsIn } from './toast.tsx'
import { toastBox } from './toastBox.tsx'
import './toast.css'
import { useNarrow } from './useNarrow.ts'

const places = {
  top: { top: 'max(8px, env(safe-area-inset-top))', left: 60, right: 12 },
  corner: { left: 12, bottom: 12, right: 'auto', width: 'var(--toast-width, 400px)' },
} as const

const gapPx = 8

// What was said while this file was on its way is shown now, and not a moment shorter.
showToastsIn(toastBox)

/** How high the news stands, for what must not lie below it: the side bar gives it a place of its own at its foot. */
const useToldHeight = () => {
  const { toasts } = useToasterStore()
  const heightPx = toasts.reduce((sum, toast) => sum + (toast.visible ? (toast.height ?? 0) + gapPx : 0), 0)
  useEffect(() => {
    document.documentElement.style.setProperty('--toast-room', `${heightPx}px`)
  }, [heightPx])
}

/**
 * On a phone what one answers stands in a dialog, which the browser draws above everything, with its dim: news goes above it again each time there is
 * some, so that it is read where the person looks.
 */
const useAboveDialogs = (lifted: boolean) => {
  const layer = useRef<HTMLDivElement>(null)
  const { toasts } = useToasterStore()
  const shown = toasts.filter(({ visible }) => visible).map(({ id }) => id)
  const said = shown.join()
  useEffect(() => {
    const element = layer.current
    if (!lifted || typeof element?.showPopover !== 'function') return
    if (said !== '' && element.matches(':popover-open')) element.hidePopover()
    if (!element.matches(':popover-open')) element.showPopover()
  }, [lifted, said])
  return layer
}

/**
 * Once per app, at its root. 4 s, success 2 s, at most 20. News never lies over what one works on: at a desk the side bar makes room
 * for it at its foot, on a phone it stands in the bar at the top, beside the button that leads back. `bottom` lifts it over what an app keeps at its foot instead.
 */
export const ToastHost = ({ bottom }: { bottom?: string }) => {
  const place = useNarrow() ? 'top' : 'corner'
  const lifted = bottom !== undefined
  useToldHeight()
  const layer = useAboveDialogs(lifted)
  const toaster = (
    <Toaster
      position={lifted ? 'bottom-center' : place === 'top' ? 'top-center' : 'bottom-left'}
      gutter={gapPx}
      containerStyle={{ zIndex: 400, ...(lifted ? { bottom } : places[place]) }}
      toastOptions={{
        className: 'ui-toast',
        duration: 4_000,
        success: { duration: 2_000, iconTheme: { primary: 'var(--blade)', secondary: 'var(--card)' } },
        error: { duration: 4_000, iconTheme: { primary: 'var(--rust)', secondary: 'var(--card)' } },
      }}
    />
  )
  return lifted ? (
    <div ref={layer} popover="manual" className="ui-toast-layer">
      {toaster}
    </div>
  ) : (
    toaster
  )
}
