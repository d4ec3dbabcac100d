import { useLayoutEffect } from 'react'

/** The button whose press is being answered right now. */
let pressed: Element | null = null

if (typeof document !== 'undefined')
  document.addEventListener(
    'click',
    ({ target }) => {
      pressed = target instanceof Element ? target.closest('button') : null
      setTimeout(() => {
        pressed = null
      })
    },
    true,
  )

/**
 * A field that takes the place of the button that opened it is where the next words go. Without this the focus falls to the page when the button goes,
 * and what is typed at once is taken for shortcuts.
 */
export const useFocusWhenOpened = (controlId: string): void => {
  useLayoutEffect(() => {
    if (!pressed || pressed.isConnected || (document.activeElement ?? document.body) !== document.body) return
    document.getElementById(controlId)?.focus()
  }, [controlId])
}
