import { MantineProvider } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useSyncExternalStore } from 'react'
import './mantine-base.ts'
import './tokens.css'
import './fonts-admin.css'
import './base.css'
import { mantineTheme, resolveVariables } from './mantineTheme.ts'
import { type Theme, useTheme } from './theme.ts'

const query = '(prefers-color-scheme: dark)'
const watch = (notify: () => void) => {
  const media = window.matchMedia(query)
  media.addEventListener('change', notify)
  return () => media.removeEventListener('change', notify)
}

type Props = {
  theme?: Theme
  /** Menus and dialogs are there at once: nothing fades in. */
  atOnce?: boolean
  children: ReactNode
}

/** Our tokens and Mantine's, in one theme: what the person chose for this browser, or `theme`. */
export const ThemeProvider = ({ theme: fixed, atOnce = false, children }: Props) => {
  const chosen = useTheme()
  const theme = fixed ?? chosen
  const systemIsDark = useSyncExternalStore(watch, () => window.matchMedia(query).matches)
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  const dark = theme === 'dark' || (theme === 'auto' && systemIsDark)
  return (
    <MantineProvider
      theme={mantineTheme}
      env={atOnce ? 'test' : 'default'}
      cssVariablesResolver={resolveVariables}
      forceColorScheme={dark ? 'dark' : 'light'}
    >
      {children}
    </MantineProvider>
  )
}
