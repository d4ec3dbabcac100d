import { lazyPart } from '../../../ui/lazyAhead.tsx'

/** The load list is looked at twice a day: it comes after what the day shows first. */
export const LoadButton = lazyPart(() => import('./load/LoadButton.tsx').then((m) => m.LoadButton))
