import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { VerifyEmailBanner } from '../features/accounts/me/web/VerifyEmailBanner.tsx'
import { useMaybeUser, useOnlyLooks, useSession } from '../features/accounts/web/session.ts'
import { recordParam } from '../shared/links.ts'
import { screenAt } from '../shared/screens.ts'
import { PlanGate } from '../ui/planGate.ts'
import { Tabs } from '../ui/Tabs.tsx'
import { toast } from '../ui/toast.tsx'
import { aheadOfLinks } from './ahead.ts'
import { BottomBar } from './BottomBar.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { FindAnything } from './FindAnything.tsx'
import { hubLabels, tabLabels, tabsOf, twinAt } from './hubs.ts'
import { followChanges } from './live.ts'
import { loadScreen } from './loading.ts'
import { OfficeDrawer } from './OfficeDrawer.tsx'
import { OnTour } from './OnTour.tsx'
import { officeScreens } from './officeScreens.ts'
import { includesScreen } from './roleScreens.ts'
import { ScreenOutlet } from './ScreenOutlet.tsx'
import { Sidebar } from './Sidebar.tsx'
import { SkipLink } from './SkipLink.tsx'
import { SubscriptionBanner } from './SubscriptionBanner.tsx'
import { SupportBanner } from './SupportBanner.tsx'
import { screenFileAt } from './screenFiles.ts'
import { TopBar } from './TopBar.tsx'
import { useArrival } from './useArrival.ts'
import { usePlace } from './usePlace.ts'
import { TwoFactorGate } from './whenNeeded.tsx'
import './layout.css'

const NotInRole = lazy(() => loadScreen(() => import('./NotInRole.tsx')).then((m) => ({ default: m.NotInRole })))
const VisitOver = lazy(() => loadScreen(() => import('./VisitOver.tsx')).then((m) => ({ default: m.VisitOver })))

const narrowKey = 'swath.sidebar-narrow'
const readNarrow = (): boolean => {
  try {
    return localStorage.getItem(narrowKey) === '1'
  } catch {
    return false
  }
}

const withoutPlan = {
  words: 'This waits for a plan. What you have is safe: you can read and export everything.',
  tell: (words: string) => toast.message(words),
}

/** The office: sidebar, top bar, the tabs of the hub and the screen. */
export const AdminLayout = () => {
  const { path, hub, tab } = usePlace()
  const over = hub && tab ? { hub, tab } : twinAt(path)
  const showsVisit = useSearchParams()[0].has(recordParam.visit)
  const [narrow, setNarrow] = useState(readNarrow)
  const [menuOpen, setMenuOpen] = useState(false)
  const [finding, setFinding] = useState(false)
  const client = useQueryClient()
  const session = useSession()
  const user = useMaybeUser()
  const mustSetUp = user?.mustSetUpTwoFactor ?? false
  const gate = user && !user.subscriptionActive ? withoutPlan : null
  const onlyLooks = useOnlyLooks()
  // The stream of changes is the business's own; the screens of support and of the tour ask again when they are looked at.
  useEffect(() => (onlyLooks ? undefined : followChanges(client, session)), [client, session, onlyLooks])
  useEffect(() => {
    const left = new AbortController()
    aheadOfLinks(client, left.signal)
    return () => left.abort()
  }, [client])

  const screen = screenAt(path)
  const title = hub && tab ? `${tabLabels[hub][tab]} · ${hubLabels[hub]}` : (screen?.title ?? 'Swath')
  const onArrive = useArrival(title)
  const collapse = () => {
    setNarrow(!narrow)
    try {
      localStorage.setItem(narrowKey, narrow ? '0' : '1')
    } catch {
      // a private window forgets it
    }
  }
  const tabs = over ? tabsOf(over.hub).filter(({ href }) => includesScreen(user, href)) : []

  return (
    <div className={`office${narrow ? ' is-narrow' : ''}`}>
      <SkipLink />
      <div className="office__side">
        <Sidebar collapsed={narrow} onCollapse={collapse} />
      </div>
      <div className="office__main">
        <TopBar onSearch={() => setFinding(true)} onMenu={() => setMenuOpen(true)} />
        <SupportBanner />
        <OnTour />
        <ConnectionBanner />
        <SubscriptionBanner />
        <VerifyEmailBanner />
        <main
          id="screen"
          className={`screen${path === '/route-map' || path === '/calendar' ? ' screen--wide' : ''}`}
          tabIndex={-1}
        >
          {over && tabs.length > 1 ? (
            <div className="screen__tabs">
              <Tabs
                label={`Parts of ${hubLabels[over.hub]}`}
                tabs={tabs.map(({ value, label, href }) => ({ value, label, href }))}
                value={over.tab}
              />
            </div>
          ) : null}
          {mustSetUp ? (
            <TwoFactorGate />
          ) : (
            <PlanGate value={gate}>
              {includesScreen(user, tab ? `${path}?tab=${tab}` : path) ? (
                <ScreenOutlet
                  path={path}
                  tab={tab}
                  file={screenFileAt(officeScreens, screen?.path ?? path, tab)}
                  onArrive={onArrive}
                />
              ) : (
                <Suspense fallback={null}>
                  <NotInRole
                    title={hub && tab ? (tabLabels[hub][tab] ?? hubLabels[hub]) : (screen?.title ?? 'This screen')}
                  />
                </Suspense>
              )}
            </PlanGate>
          )}
        </main>
      </div>
      {showsVisit && !mustSetUp ? (
        <Suspense fallback={null}>
          <VisitOver />
        </Suspense>
      ) : null}
      <BottomBar />
      <OfficeDrawer open={menuOpen} onClose={() => setMenuOpen(false)} />
      <FindAnything open={finding} onOpen={setFinding} />
    </div>
  )
}
