import type { ReactNode } from 'react'
import { Outlet, type RouteObject } from 'react-router'
import { screens } from '../shared/screens.ts'
import { Notice } from './Notice.tsx'
import { ProtectedRoute } from './ProtectedRoute.tsx'
import { RouteError } from './RouteError.tsx'

type Draw = { layout: ReactNode; open: ReactNode /** Over a screen whose session ended. */; again?: ReactNode }

/**
 * One tree for each build: every screen of the table below one gate, and a `*` that the gate answers too. The router only knows
 * paths; who may see them and where else they lead is `resolveEntry`.
 */
export const routesOf = (build: 'admin' | 'crew', { layout, open, again }: Draw): RouteObject[] => [
  {
    element: (
      <ProtectedRoute build={build} again={again}>
        <Outlet />
      </ProtectedRoute>
    ),
    errorElement: <RouteError />,
    hydrateFallbackElement: <Notice busy title="Verifying access..." />,
    children: [
      ...(['open', 'layout'] as const).map((frame) => ({
        element: frame === 'open' ? open : layout,
        errorElement: <RouteError />,
        children: screens
          .filter((screen) => (screen.access === 'open') === (frame === 'open'))
          .map((screen) => ({ path: screen.path, element: null })),
      })),
      { path: '*', element: null },
    ],
  },
]
