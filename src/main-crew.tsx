import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { App } from './app/App.tsx'
import { EmployeeLayout } from './app/EmployeeLayout.tsx'
import { forgetOnLeaving } from './app/forgetOnLeaving.ts'
import { LateToasts } from './app/LateToasts.tsx'
import { loadScreen } from './app/loading.ts'
import { createQueryClient } from './app/queryClient.ts'
import { registerWorker } from './app/registerWorker.ts'
import { routesOf } from './app/routes.tsx'
import { isForSupport, isOnTour, startTab } from './app/startTab.ts'
import { watchErrors } from './app/watchErrors.ts'
import { inShell } from './shared/shell.ts'
import { crewTourBase } from './shared/tour.ts'
import './ui/field/fieldTheme.ts'

const start = async () => {
  if (isOnTour) (await loadScreen(() => import('./features/crewapp/web/played.ts'))).playDay()
  const session = await startTab('crew')
  const router = createBrowserRouter(
    routesOf('crew', { layout: <EmployeeLayout />, open: null }),
    isOnTour ? { basename: crewTourBase } : undefined,
  )

  createRoot(document.getElementById('root') as HTMLElement, watchErrors('crew')).render(
    <StrictMode>
      <App client={createQueryClient()} session={session} router={router}>
        <LateToasts bottom={150} />
      </App>
    </StrictMode>,
  )
  // What this browser keeps is its crew member's, whom the tour never touches.
  if (!isOnTour) {
    registerWorker(session)
    forgetOnLeaving(session)
  }
  if (inShell()) (await import('./app/startShell.ts')).startShell()
}

// The one path that both builds share: support's tab is of the office, whoever is signed in in this browser.
if (isForSupport) window.location.replace('/dashboard')
else void start()
