// Import once in the crew entry: tokens, Atkinson, base, and what makes it readable in the sun.
import '../theme/tokens.css'
import '../theme/fonts-crew.css'
import '../theme/base.css'
import './field.css'

export type FieldTheme = 'sun' | 'night' | 'auto'

/** Sun is the light theme, night the dark one. */
export const setFieldTheme = (theme: FieldTheme): void => {
  document.documentElement.dataset.theme = theme === 'sun' ? 'light' : theme === 'night' ? 'dark' : 'auto'
}
