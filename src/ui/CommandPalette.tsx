import { lazy, Suspense, useEffect } from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import type { PaletteProps } from './paletteItems.ts'

const PaletteBody = lazy(() => import('./PaletteBody.tsx').then((module) => ({ default: module.PaletteBody })))

/** Ctrl or Cmd and K: find anything, do anything. Its code comes when it is first opened. */
export const CommandPalette = (props: PaletteProps) => {
  const { open, onOpenChange } = props
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
      <Suspense fallback={null}>
        <PaletteBody {...props} />
      </Suspense>
    </ErrorBoundary>
  ) : null
}
