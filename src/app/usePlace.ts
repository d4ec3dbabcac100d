import { useLocation, useSearchParams } from 'react-router'
import { type Hub, tabOf } from '../shared/paths.ts'
import { tidyPath } from '../shared/screens.ts'
import { hubAt } from './hubs.ts'

/** Where the person is: the path, and in a hub the tab that is shown (an unknown or missing one is the hub's default). */
export const usePlace = (): { path: string; hub: Hub | null; tab: string | null } => {
  const path = tidyPath(useLocation().pathname)
  const [query] = useSearchParams()
  const hub = hubAt(path)
  return { path, hub, tab: hub ? tabOf(hub, query.get('tab')) : null }
}
