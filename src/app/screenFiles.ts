import type { ComponentType, ReactNode } from 'react'
import { type LazyAhead, lazyAhead } from '../ui/lazyAhead.tsx'
import { loadScreen } from './loading.ts'

/** What a screen is told. The office's get the tab of their hub; the crew's put their main action into the dock. */
export type ScreenProps = { tab: string; dock: (action: ReactNode) => ReactNode }

export type ScreenFile = { name: string; Screen: LazyAhead<ScreenProps> }

/** A path's screen, or a hub's screens by tab. */
export type ScreenTable = Readonly<Record<string, ScreenFile | Readonly<Record<string, ScreenFile>>>>

/** A screen whose code comes when it is first opened. The import is written out, so that a file that is gone does not compile. */
export const screenFile = (name: string, load: () => Promise<ComponentType<ScreenProps>>): ScreenFile => ({
  name,
  Screen: lazyAhead(load, loadScreen),
})

/** The file that draws a path and, in a hub, a tab; null for a planned page. */
export const screenFileAt = (table: ScreenTable, path: string, tab: string | null): ScreenFile | null => {
  const drawn = table[path]
  if (!drawn) return null
  if (isFile(drawn)) return drawn
  return drawn[tab ?? ''] ?? null
}

const isFile = (drawn: ScreenFile | Readonly<Record<string, ScreenFile>>): drawn is ScreenFile => 'Screen' in drawn
