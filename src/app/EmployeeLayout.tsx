import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { useOnlyLooks, useSession, useUser } from '../features/accounts/web/session.ts'
import { unread } from '../features/crewapp/web/chat/unread.ts'
import { useSettings } from '../features/crewapp/web/settings.ts'
import { screenAt } from '../shared/screens.ts'
import { Dock } from '../ui/field/Dock.tsx'
import { FieldScreen } from '../ui/field/FieldScreen.tsx'
import { FieldSkeleton } from '../ui/field/FieldSkeleton.tsx'
import { LinkTo } from '../ui/LinkTo.tsx'
import { afterFirstPicture } from './afterFirstPicture.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { chat, crewNav } from './crewNav.ts'
import { crewScreens } from './crewScreens.ts'
import { followLater } from './followLater.ts'
import { Logo } from './Logo.tsx'
import { OnTour } from './OnTour.tsx'
import { PlannedScreen, ScreenOutlet } from './ScreenOutlet.tsx'
import { SkipLink } from './SkipLink.tsx'
import { screenFileAt } from './screenFiles.ts'
import { useArrival } from './useArrival.ts'
import { usePlace } from './usePlace.ts'
import './crew.css'

const texts = {
  en: {
    kept: 'No signal. What you do is kept on this phone and sent later.',
    tryNow: 'Try now',
    trying: 'Trying…',
    skip: 'Skip to the screen',
    home: 'Swath, to today',
    main: 'Main',
    office: 'To the office',
  },
  es: {
    kept: 'Sin señal. Lo que hagas queda en este teléfono y se envía después.',
    tryNow: 'Probar ahora',
    trying: 'Probando…',
    skip: 'Ir a la pantalla',
    home: 'Swath, ir a hoy',
    main: 'Principal',
    office: 'Ir a la oficina',
  },
}

/** The crew app: no top bar. A sidebar on wide screens, a dock under the thumb on phones. */
export const EmployeeLayout = () => {
  const { path } = usePlace()
  const user = useUser()
  const client = useQueryClient()
  const session = useSession()
  const onlyLooks = useOnlyLooks()
  const { language: chosen } = useSettings()
  const language = chosen ?? user.language
  const news = useSyncExternalStore(unread.subscribe, unread.get)
  useEffect(() => (onlyLooks ? undefined : followLater(client, session)), [client, session, onlyLooks])
  useEffect(() => {
    if (onlyLooks) return
    let end: (() => void) | null = null
    let gone = false
    const callOff = afterFirstPicture(
      () =>
        void import('../features/crewapp/web/positions/keepPositions.ts').then(
          (m) => {
            if (!gone) end = m.keepPositions(user._id, language)
          },
          // a phone that lacks this file has a newer version waiting
          () => undefined,
        ),
    )
    return () => {
      gone = true
      callOff()
      end?.()
    }
  }, [user._id, language, onlyLooks])
  const words = texts[language]
  const spanish = language === 'es' ? (crewNav.find(({ href }) => href === path)?.es ?? 'Horas') : null
  const onArrive = useArrival(spanish ?? screenAt(path)?.title ?? 'Crew')
  const dock = (action: ReactNode) => (
    <Dock
      tabs={crewNav.map(({ dock: short, es, href, icon: Icon }) => ({
        value: href,
        label: language === 'es' ? es : short,
        href,
        icon: <Icon aria-hidden="true" />,
        ...(href === chat ? { count: news } : {}),
      }))}
      value={path}
      label={words.main}
    >
      {action}
    </Dock>
  )
  return (
    <div className="crew">
      <SkipLink label={words.skip} />
      <aside className="crew__side">
        <LinkTo href="/employee-dashboard" className="crew__logo" aria-label={words.home}>
          <Logo onDark />
        </LinkTo>
        <nav aria-label={words.main}>
          <ul>
            {crewNav.map(({ label, es, href, icon: Icon }) => (
              <li key={href}>
                <LinkTo
                  href={href}
                  className={path === href ? 'is-on' : undefined}
                  aria-current={path === href ? 'page' : undefined}
                >
                  <Icon size={22} stroke={1.8} aria-hidden="true" />
                  {language === 'es' ? es : label}
                  {href === chat && news > 0 ? <b className="crew__count">{news}</b> : null}
                </LinkTo>
              </li>
            ))}
          </ul>
        </nav>
        <p className="crew__person">
          <b>{user.name}</b>
          <span>{user.business.name}</span>
          {user.role === 'Employee' ? null : <LinkTo href="/dashboard">{words.office}</LinkTo>}
        </p>
      </aside>
      <div className="crew__main" id="screen" tabIndex={-1}>
        <OnTour crew />
        <ConnectionBanner words={words} />
        <ScreenOutlet
          path={path}
          tab={null}
          file={screenFileAt(crewScreens, path, null)}
          onArrive={onArrive}
          dock={dock}
          waiting={
            <FieldScreen header={<div className="crew__wait" />} dock={dock(null)}>
              <FieldSkeleton />
            </FieldScreen>
          }
          planned={
            <FieldScreen dock={dock(null)}>
              <PlannedScreen path={path} />
            </FieldScreen>
          }
        />
      </div>
    </div>
  )
}
