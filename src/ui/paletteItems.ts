import type { ReactNode } from 'react'

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
