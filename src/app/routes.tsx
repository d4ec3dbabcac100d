import type { ReactNode } from 'react'
import { Outlet, type RouteObject } from 'react-router'
import { type ScreenEntry, screens } from '../shared/screens.ts'
import { Notice } from './Notice.tsx'
import { noticeTexts } from './noticeTexts.ts'
import { ProtectedRoute } from './ProtectedRoute.tsx'
import { RouteError } from './RouteError.tsx'

type Build = 'admin' | 'crew'
type Draw = { layout: ReactNode; open: ReactNode /** Over a screen whose session ended. */; again?: ReactNode }

/** What the crew's build never draws is the `*` there: a hundred paths to sort cost a phone 10 ms each time the app opens. */
const isDrawnBy = (build: Build, { surface }: ScreenEntry): boolean =>
  build === 'admin' || surface === 'crew' || surface === 'byRole'

/**
 * One tree for each build: every screen of the table that it draws below one gate, and a `*` that the gate answers too. The router only knows
 * paths; who may see them and where else they lead is `resolveEntry`.
 */
export const routesOf = (build: Build, { layout, open, again }: Draw): RouteObject[] => [
  {
    element: (
      <ProtectedRoute build={build} again={again}>
        <Outlet />
      </ProtectedRoute>
    ),
    errorElement: <RouteError build={build} />,
    hydrateFallbackElement: <Notice busy title={noticeTexts(build).verifying} />,
    children: [
      ...(['open', 'layout'] as const).map((frame) => ({
        element: frame === 'open' ? open : layout,
        errorElement: <RouteError build={build} />,
        children: screens
          .filter((screen) => (screen.access === 'open') === (frame === 'open') && isDrawnBy(build, screen))
          .map((screen) => ({ path: screen.path, element: null })),
      })),
      { path: '*', element: null },
    ],
  },
]
