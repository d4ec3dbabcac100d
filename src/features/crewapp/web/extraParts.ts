import { lazyPart } from '../../../ui/lazyAhead.tsx'

/** The photos of a stop, with a pen; it comes after what the day shows first. */
export const PhotoPart = lazyPart(() => import('./marks/PhotoPart.tsx').then((m) => m.PhotoPart))
/** What a stop costs more: it comes after what the day shows first. */
export const ExtraPart = lazyPart(() => import('./extras/ExtraPart.tsx').then((m) => m.ExtraPart))
