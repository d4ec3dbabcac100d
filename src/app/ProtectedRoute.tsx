import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession, useSessionState } from '../features/accounts/web/session.ts'
import { Button } from '../ui/Button.tsx'
import { lazyPart } from '../ui/lazyAhead.tsx'
import { isServerThere } from './connectivity.ts'
import { dependsOnUser, type Entry, resolveEntry } from './entry.ts'
import { loadScreen } from './loading.ts'
import { Notice } from './Notice.tsx'
import { noticeTexts } from './noticeTexts.ts'
import { platform } from './platform.ts'
import { PlannedScreen } from './ScreenOutlet.tsx'
import { isForSupport, isOnTour } from './startTab.ts'
import { switchApp } from './switchApp.ts'

type Build = 'admin' | 'crew'

const TourEnded = lazyPart(() => loadScreen(() => import('./TourEnded.tsx')).then((m) => m.TourEnded))
const SupportEnded = lazyPart(() => loadScreen(() => import('./SupportEnded.tsx')).then((m) => m.SupportEnded))

/** Only these tabs end: what they show then is fetched while there is time, also for when a new version has taken this one's place. */
const useEndAhead = (): void =>
  useEffect(() => {
    if (isOnTour) TourEnded.ahead()
    if (isForSupport) SupportEnded.ahead()
  }, [])

const Verifying = ({ build }: { build: Build }) => <Notice busy title={noticeTexts(build).verifying} />

const Unreachable = ({ build }: { build: Build }) => {
  const session = useSession()
  const t = noticeTexts(build)
  return (
    <Notice
      title={t.unreachable}
      action={
        <Button kind="primary" onClick={() => void session.start()}>
          {t.again}
        </Button>
      }
    >
      {t.unreachableMore}
    </Notice>
  )
}

/**
 * The document of another build. Seen only for the moment that it takes to come, or when the server has none. A phone without a signal cannot get it:
 * the browser's own error would stand there, so it is asked for when the server answers.
 */
const OtherBuild = ({ build }: { build: Build }) => {
  const { pathname } = useLocation()
  const [stuck, setStuck] = useState(false)
  const [away, setAway] = useState(false)
  const go = useCallback(async () => {
    if (build === 'crew' && !(await isServerThere())) setAway(true)
    else setStuck(!switchApp())
  }, [build])
  useEffect(() => {
    void go()
    const again = () => void go()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [go])
  const t = noticeTexts(build)
  if (away && !stuck)
    return (
      <Notice
        title={pathname === '/signin' ? t.signedOut : t.unreachable}
        action={
          <Button kind="primary" onClick={() => void go()}>
            {t.again}
          </Button>
        }
      >
        {pathname === '/signin' ? t.signedOutMore : t.unreachableMore}
      </Notice>
    )
  return stuck ? (
    <Suspense fallback={null}>
      <PlannedScreen bare path={pathname} />
    </Suspense>
  ) : null
}

/** Lets the person in, asks once more about a missing subscription, or leads to where they belong. */
export const ProtectedRoute = ({
  build,
  again,
  children,
}: {
  build: Build
  /** Signs the person in again over the screen, when leaving it would lose what they typed. */
  again?: ReactNode
  children: ReactNode
}) => {
  useEndAhead()
  const session = useSession()
  const state = useSessionState()
  const { pathname, search } = useLocation()
  const asked = useRef<string | null>(null)
  const [asking, setAsking] = useState(false)

  const user = state.phase === 'signedIn' || state.phase === 'expired' ? state.user : null
  const asks = { platform: platform(), path: pathname }
  const waits = dependsOnUser(asks) && (state.phase === 'starting' || state.phase === 'unreachable')
  const entry: Entry | null = waits ? null : resolveEntry({ ...asks, user, search })
  const refused = entry?.redirect === '/pricing' && user ? user._id : null
  const mustAsk = refused !== null && asked.current !== refused

  useEffect(() => {
    if (!mustAsk) return
    asked.current = refused
    setAsking(true)
    void session.refreshUser().finally(() => setAsking(false))
  }, [mustAsk, refused, session])
  useEffect(() => {
    if (refused === null) asked.current = null
  }, [refused])

  if (state.phase === 'ended') return state.tour ? <TourEnded {...state} /> : <SupportEnded notice={state.notice} />
  if (entry === null) return state.phase === 'unreachable' ? <Unreachable build={build} /> : <Verifying build={build} />
  if (mustAsk || asking) return <Verifying build={build} />
  if (entry.redirect !== undefined) {
    const to = entry.redirect
    if (to !== '/signin' || state.phase !== 'signedOut') return <Navigate replace to={to} state={entry.state ?? null} />
    // Who chose to leave is not told to sign in, and the next person does not land on their page.
    if (state.left) return <Navigate replace to={to} state={null} />
    const from = pathname + search
    return (
      <Navigate
        replace
        to={to}
        state={{ ...entry.state, ...(state.notice ? { message: state.notice, again: true } : {}), from }}
      />
    )
  }
  if (entry.as !== build) return <OtherBuild key={pathname} build={build} />
  return (
    <>
      {children}
      {state.phase === 'expired' ? again : null}
    </>
  )
}
