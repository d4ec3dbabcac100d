import { type ComponentType, lazy, Suspense } from 'react'
import { loadScreen } from './loading.ts'

/**
 * What is seldom shown and must not make every first visit heavier: its file comes when the browser has nothing to do, so that it is
 * there at once when it is needed, also after a new version has taken the place of this one.
 */
const whenNeeded = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType => {
  let loading: Promise<Record<Name, ComponentType>> | undefined
  const once = () => {
    loading ??= load()
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }
  const Body = lazy(() => loadScreen(once).then((module) => ({ default: module[name] as ComponentType })))
  const idle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 3_000))
  idle(() => void once().catch(() => undefined))
  return () => (
    <Suspense fallback={null}>
      <Body />
    </Suspense>
  )
}

/** The sign-in over a screen with something typed on it. */
export const SignInAgain = whenNeeded(() => import('../features/accounts/web/SignInAgain.tsx'), 'SignInAgain')

/** Stands where the office would be until the second step is set up. */
export const TwoFactorGate = whenNeeded(
  () => import('../features/accounts/twofactor/web/TwoFactorGate.tsx'),
  'TwoFactorGate',
)
