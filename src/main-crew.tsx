import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { App } from './app/App.tsx'
import { crewScreens } from './app/crewScreens.ts'
import { EmployeeLayout } from './app/EmployeeLayout.tsx'
import { untilPicture } from './app/firstPicture.ts'
import { forgetOnLeaving } from './app/forgetOnLeaving.ts'
import { LateToasts } from './app/LateToasts.tsx'
import { loadScreen } from './app/loading.ts'
import { createQueryClient } from './app/queryClient.ts'
import { registerWorker } from './app/registerWorker.ts'
import { routesOf } from './app/routes.tsx'
import { screenFileAt } from './app/screenFiles.ts'
import { browserMemory } from './app/session/memory.ts'
import { isForSupport, isOnTour, startTab } from './app/startTab.ts'
import { watchErrors } from './app/watchErrors.ts'
import { readAhead } from './features/crewapp/web/store.ts'
import { inShell } from './shared/shell.ts'
import { crewTourBase } from './shared/tour.ts'
import './ui/field/fieldTheme.ts'

/** What the first picture needs is fetched and read while the server is asked who this is, not after: without a signal nothing else takes long. */
const beginAhead = (person: string | null): readonly Promise<unknown>[] => {
  const screen = screenFileAt(crewScreens, window.location.pathname, null)?.Screen
  screen?.ahead()
  return person && screen ? [readAhead(person), screen.coming() ?? Promise.resolve()] : []
}

/** Whom this phone remembers. */
const rememberedPerson = (): string | null => {
  const memory = browserMemory()
  return (isOnTour ? null : memory.profile(memory.kind() ?? 'employee')?._id) ?? null
}

const start = async () => {
  const remembered = rememberedPerson()
  const needs = beginAhead(remembered)
  if (isOnTour) (await loadScreen(() => import('./features/crewapp/web/played.ts'))).playDay()
  const session = await startTab('crew')
  const router = createBrowserRouter(
    routesOf('crew', { layout: <EmployeeLayout />, open: null }),
    isOnTour ? { basename: crewTourBase } : undefined,
  )

  // A phone that knows nobody has nothing to show at once.
  if (needs.length > 0) await untilPicture(session, ...needs)
  createRoot(document.getElementById('root') as HTMLElement, watchErrors('crew')).render(
    <StrictMode>
      <App client={createQueryClient()} session={session} router={router}>
        <LateToasts bottom="calc(var(--dock-height, 150px) + var(--undo-room, 0px) + 10px)" />
      </App>
    </StrictMode>,
  )
  // What this browser keeps is its crew member's, whom the tour never touches.
  if (!isOnTour) {
    registerWorker(session)
    forgetOnLeaving(session, remembered)
  }
  if (inShell()) (await import('./app/startShell.ts')).startShell()
}

// The one path that both builds share: support's tab is of the office, whoever is signed in in this browser.
if (isForSupport) window.location.replace('/dashboard')
else void start()
