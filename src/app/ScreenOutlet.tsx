import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useIsHere } from '../ui/lazyAhead.tsx'
import { CardSkeleton, Skeleton, TableSkeleton } from '../ui/Skeleton.tsx'
import { loadScreen } from './loading.ts'
import type { ScreenFile, ScreenProps } from './screenFiles.ts'

/** Its words are many and come only where a screen is missing. */
export const PlannedScreen = lazy(() =>
  loadScreen(() => import('./PlannedScreen.tsx')).then((m) => ({ default: m.PlannedScreen })),
)

const Waiting = () => (
  <div className="screen-wait">
    <Skeleton width={260} height={32} />
    <CardSkeleton count={3} />
    <TableSkeleton rows={6} columns={5} />
  </div>
)

/** Puts the focus on the screen's heading after a navigation, so that a screen reader says where it is. */
const Arrived = ({ onArrive }: { onArrive: () => void }) => {
  useEffect(onArrive, [onArrive])
  return null
}

const noDock = () => null

type Props = {
  path: string
  tab: string | null
  /** Null for a planned page. */
  file: ScreenFile | null
  onArrive: () => void
  waiting?: ReactNode
  /** What stands for a screen that has no file yet. */
  planned?: ReactNode
  dock?: ScreenProps['dock']
}

/** Draws the screen of a path: its file when there is one, else the page that says what will be here. */
export const ScreenOutlet = ({ path, tab, file, onArrive, waiting = <Waiting />, planned, dock = noDock }: Props) => {
  const Found = file?.Screen
  const isHere = useIsHere(Found)
  if (!isHere) return waiting
  return (
    <Suspense key={`${path} ${file?.name}`} fallback={waiting}>
      {Found ? <Found tab={tab ?? ''} dock={dock} /> : (planned ?? <PlannedScreen path={path} tab={tab} />)}
      <Arrived key={`${path} ${tab}`} onArrive={onArrive} />
    </Suspense>
  )
}
