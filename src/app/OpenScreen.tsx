import { Suspense } from 'react'
import { screenAt } from '../shared/screens.ts'
import { fileAt } from './AdminLayout.tsx'
import { officeFiles } from './officeScreens.ts'
import { PlannedScreen, ScreenOutlet } from './ScreenOutlet.tsx'
import { useArrival } from './useArrival.ts'
import { usePlace } from './usePlace.ts'

/** Screens that need no sign-in bring their own frame: sign-in, invoices, checkout, simulators. */
export const OpenScreen = () => {
  const { path } = usePlace()
  const onArrive = useArrival(screenAt(path)?.title ?? 'Swath')
  const name = fileAt(path, null)
  if (!name || !officeFiles.has(name))
    return (
      <Suspense fallback={null}>
        <PlannedScreen bare path={path} />
      </Suspense>
    )
  return <ScreenOutlet path={path} tab={null} name={name} files={officeFiles} onArrive={onArrive} waiting={null} />
}
