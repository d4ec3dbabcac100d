import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { App } from './app/App.tsx'
import { EmployeeLayout } from './app/EmployeeLayout.tsx'
import { createQueryClient } from './app/queryClient.ts'
import { registerWorker } from './app/registerWorker.ts'
import { routesOf } from './app/routes.tsx'
import { startSession } from './app/startSession.ts'
import './ui/field/fieldTheme.ts'
import { ToastHost } from './ui/ToastHost.tsx'

const session = startSession('crew')
const router = createBrowserRouter(routesOf('crew', { layout: <EmployeeLayout />, open: null }))

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App client={createQueryClient()} session={session} router={router}>
      <ToastHost bottom={150} />
    </App>
  </StrictMode>,
)
registerWorker(session)
