import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { ToastHost } from '../ToastHost.tsx'
import { ThemeProvider } from '../theme/ThemeProvider.tsx'
import type { Theme } from '../theme/theme.ts'
import { Board } from './Board.tsx'
import { Crew } from './Crew.tsx'
import { FormsPage } from './FormsPage.tsx'
import { RoutePage } from './RoutePage.tsx'
import { StatesPage } from './StatesPage.tsx'
import { TablePage } from './TablePage.tsx'

// A page to look at the kit, never part of the product: ?page=board|forms|states|crew&theme=dark
const query = new URLSearchParams(location.search)
const pages: Record<string, () => React.ReactNode> = {
  board: Board,
  forms: FormsPage,
  states: StatesPage,
  crew: Crew,
  table: TablePage,
  route: RoutePage,
}
const Page = pages[query.get('page') ?? 'board'] ?? Board

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MemoryRouter>
      <ThemeProvider theme={(query.get('theme') as Theme) ?? 'light'}>
        <Page />
        <ToastHost />
      </ThemeProvider>
    </MemoryRouter>
  </StrictMode>,
)
