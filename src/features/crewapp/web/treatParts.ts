import { lazyPart } from '../../../ui/lazyAhead.tsx'

/** Treatments are few stops' matter: their parts come after what the day shows first. */
export const TreatPart = lazyPart(() => import('./treat/TreatPart.tsx').then((m) => m.TreatPart))
export const TreatSheet = lazyPart(() => import('./treat/TreatSheet.tsx').then((m) => m.TreatSheet))
export const NoRecordPart = lazyPart(() => import('./treat/NoRecordPart.tsx').then((m) => m.NoRecordPart))
