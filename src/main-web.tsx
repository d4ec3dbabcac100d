import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { AdminLayout } from './app/AdminLayout.tsx'
import { App } from './app/App.tsx'
import { screenAhead } from './app/ahead.ts'
import { OpenScreen } from './app/OpenScreen.tsx'
import { createQueryClient } from './app/queryClient.ts'
import { registerWorker } from './app/registerWorker.ts'
import { routesOf } from './app/routes.tsx'
import { isForSupport, isOnTour, startTab } from './app/startTab.ts'
import { watchErrors } from './app/watchErrors.ts'
import { SignInAgain } from './app/whenNeeded.tsx'
import { inShell } from './shared/shell.ts'
import { tourBase } from './shared/tour.ts'
import { ToastHost } from './ui/ToastHost.tsx'
import { ThemeProvider } from './ui/theme/ThemeProvider.tsx'

const start = async () => {
  // Its code is read while the answer is under way, not before the question is.
  const session = await startTab('admin', () => screenAhead(new URL(window.location.href)))
  const router = createBrowserRouter(
    routesOf('admin', { layout: <AdminLayout />, open: <OpenScreen />, again: <SignInAgain /> }),
    isOnTour ? { basename: tourBase } : undefined,
  )

  createRoot(document.getElementById('root') as HTMLElement, watchErrors('admin')).render(
    <StrictMode>
      <ThemeProvider>
        <App client={createQueryClient()} session={session} router={router}>
          <ToastHost />
        </App>
      </ThemeProvider>
    </StrictMode>,
  )
  // What the worker keeps is the person's of this browser, whom support and the tour never touch.
  if (!isForSupport && !isOnTour) registerWorker(session)
  if (inShell()) (await import('./app/startShell.ts')).startShell()
}

void start()
