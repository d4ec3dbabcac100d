import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'

const PaletteBody = lazy(() => import('./PaletteBody.tsx').then((module) => ({ default: module.PaletteBody })))

export type PaletteItem = {
  id: string
  label: string
  hint?: ReactNode
  icon?: ReactNode
  keywords?: string[]
  onSelect: () => void
}
export type PaletteGroup = { id: string; heading: string; items: readonly PaletteItem[] }
export type PaletteProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Screens and actions: found by their words, at once. */
  groups: readonly PaletteGroup[]
  /** Customers, jobs, invoices: asked of the server 150 ms after the last key. */
  search?: (text: string, signal: AbortSignal) => Promise<readonly PaletteGroup[]>
  placeholder?: string
}

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
