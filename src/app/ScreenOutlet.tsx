import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { CardSkeleton, Skeleton, TableSkeleton } from '../ui/Skeleton.tsx'
import { loadScreen } from './loading.ts'
import type { ScreenFile, ScreenProps } from './screenFiles.ts'

/** Its words are many and come only where a screen is missing. */
export const PlannedScreen = lazy(() =>
  loadScreen(() => import('./PlannedScreen.tsx')).then((m) => ({ default: m.PlannedScreen })),
)

type Screen = ComponentType<ScreenProps>
const made = new Map<string, Screen>()

const lazyScreen = (name: string, file: ScreenFile): Screen => {
  const known = made.get(name)
  if (known) return known
  const exportName = name.split('/').at(-1) ?? name
  const screen = lazy(async () => {
    const module = await loadScreen(file)
    const component = module[exportName]
    if (!component) throw new Error(`${name}.tsx has no export ${exportName}`)
    return { default: component }
  })
  made.set(name, screen)
  return screen
}

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
  name: string | undefined
  files: ReadonlyMap<string, ScreenFile>
  onArrive: () => void
  waiting?: ReactNode
  /** What stands for a screen that has no file yet. */
  planned?: ReactNode
  dock?: ScreenProps['dock']
}

/** Draws the screen of a path: its file when there is one, else the page that says what will be here. */
export const ScreenOutlet = ({
  path,
  tab,
  name,
  files,
  onArrive,
  waiting = <Waiting />,
  planned,
  dock = noDock,
}: Props) => {
  const file = name ? files.get(name) : undefined
  const Found = name && file ? lazyScreen(name, file) : null
  return (
    <Suspense key={`${path} ${name}`} fallback={waiting}>
      {Found ? <Found tab={tab ?? ''} dock={dock} /> : (planned ?? <PlannedScreen path={path} tab={tab} />)}
      <Arrived key={`${path} ${tab}`} onArrive={onArrive} />
    </Suspense>
  )
}
