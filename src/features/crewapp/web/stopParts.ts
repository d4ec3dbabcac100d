import { lazyPart } from '../../../ui/lazyAhead.tsx'

/** What a stop shows and takes beyond the day itself: each comes after what the day shows first. */
export const LastTime = lazyPart(() => import('./words/LastTime.tsx').then((m) => m.LastTime))
export const NotesSheet = lazyPart(() => import('./words/NotesSheet.tsx').then((m) => m.NotesSheet))
