import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { App } from './app/App.tsx'
import { EmployeeLayout } from './app/EmployeeLayout.tsx'
import { createQueryClient } from './app/queryClient.ts'
import { registerWorker } from './app/registerWorker.ts'
import { routesOf } from './app/routes.tsx'
import { isSupportTab } from './app/session/supportTab.ts'
import { startSession } from './app/startSession.ts'
import { watchErrors } from './app/watchErrors.ts'
import './ui/field/fieldTheme.ts'
import { ToastHost } from './ui/ToastHost.tsx'

const start = () => {
  const session = startSession('crew')
  const router = createBrowserRouter(routesOf('crew', { layout: <EmployeeLayout />, open: null }))

  createRoot(document.getElementById('root') as HTMLElement, watchErrors('crew')).render(
    <StrictMode>
      <App client={createQueryClient()} session={session} router={router}>
        <ToastHost bottom={150} />
      </App>
    </StrictMode>,
  )
  registerWorker(session)
}

// The one path that both builds share: support's tab is of the office, whoever is signed in in this browser.
if (isSupportTab()) window.location.replace('/dashboard')
else start()
