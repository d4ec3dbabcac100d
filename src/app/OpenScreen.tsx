import { Suspense } from 'react'
import { screenAt } from '../shared/screens.ts'
import { officeScreens } from './officeScreens.ts'
import { PlannedScreen, ScreenOutlet } from './ScreenOutlet.tsx'
import { screenFileAt } from './screenFiles.ts'
import { useArrival } from './useArrival.ts'
import { usePlace } from './usePlace.ts'

/** Screens that need no sign-in bring their own frame: sign-in, invoices, checkout, simulators. */
export const OpenScreen = () => {
  const { path } = usePlace()
  const screen = screenAt(path)
  const onArrive = useArrival(screen?.title ?? 'Swath')
  const file = screenFileAt(officeScreens, screen?.path ?? path, null)
  if (!file)
    return (
      <Suspense fallback={null}>
        <PlannedScreen bare path={path} />
      </Suspense>
    )
  return <ScreenOutlet path={path} tab={null} file={file} onArrive={onArrive} waiting={null} />
}
