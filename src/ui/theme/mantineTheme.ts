import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const pine: MantineColorsTuple = [
  '#eef5f0',
  '#dcebe1',
  '#b9d6c4',
  '#93bfa4',
  '#6aa484',
  '#428766',
  '#2a6f4f',
  '#1d5a40',
  '#14432f',
  '#0d3020',
]

export const mantineTheme = createTheme({
  primaryColor: 'pine',
  primaryShade: 8,
  colors: { pine },
  fontFamily: 'var(--text)',
  headings: { fontFamily: 'var(--display)', fontWeight: '650' },
  defaultRadius: 8,
  cursorType: 'pointer',
  respectReducedMotion: true,
})

const own = {
  '--mantine-color-body': 'var(--card)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-2)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-error': 'var(--rust)',
  '--mantine-color-anchor': 'var(--sky)',
  '--mantine-color-default': 'var(--card)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-primary-color-filled': 'var(--pine)',
  '--mantine-primary-color-filled-hover': 'var(--pine-2)',
  '--mantine-primary-color-contrast': 'var(--on-pine)',
  '--mantine-primary-color-light': 'var(--blade-3)',
  '--mantine-primary-color-light-hover': 'var(--blade-2)',
  '--mantine-shadow-md': 'var(--shadow-float)',
}

/** Mantine's variables point at our tokens, so its parts follow our theme in both modes. */
export const resolveVariables: CSSVariablesResolver = () => ({ variables: own, light: own, dark: own })
