import { type ReactNode, Suspense, useEffect } from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** A `PaletteBody`, whose code comes when it is first opened. */
  children: ReactNode
}

/** Ctrl or Cmd and K: find anything, do anything. */
export const CommandPalette = ({ open, onOpenChange, children }: Props) => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      onOpenChange(!open)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open, onOpenChange])
  return open ? (
    <ErrorBoundary fallback={null} onError={() => onOpenChange(false)}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  ) : null
}
