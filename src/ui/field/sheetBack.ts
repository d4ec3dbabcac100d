import { useEffect, useRef } from 'react'

/**
 * Phone Back with a sheet open closes the sheet and stays on the screen. While any sheet is open one entry of the history, at the same address, stands
 * for that; it goes with the last sheet. The router knows nothing of it: to it the entry is the screen that it stands on.
 */

const mark = 'swathSheet'

const open: (() => void)[] = []
/** Our own step back to the screen is on its way. */
let leaving = false
let planned = false

const isMarked = (): boolean =>
  typeof window.history.state === 'object' && window.history.state !== null && mark in window.history.state

/** One sheet that takes another's place in the same moment keeps the entry: so it is looked at once both are done. */
const plan = (): void => {
  if (planned) return
  planned = true
  setTimeout(settle)
}

const settle = (): void => {
  planned = false
  if (leaving) return
  if (open.length > 0 && !isMarked()) window.history.pushState({ ...window.history.state, [mark]: true }, '')
  // Also one without its sheet: who comes back from a screen that was opened in a sheet, goes forward again, or has loaded the page anew.
  if (open.length === 0 && isMarked()) {
    leaving = true
    window.history.back()
  }
}

const moved = (): void => {
  if (leaving) leaving = false
  else if (!isMarked()) open.at(-1)?.()
  plan()
}

let listening = false
const listen = (): void => {
  if (listening) return
  listening = true
  window.addEventListener('popstate', moved)
  plan()
}

/** @param back what Back does while this sheet is the topmost one that is open */
export const useSheetBack = (isOpen: boolean, back: () => void): void => {
  const latest = useRef(back)
  latest.current = back
  useEffect(listen, [])
  useEffect(() => {
    if (!isOpen) return
    const close = () => latest.current()
    open.push(close)
    plan()
    return () => {
      open.splice(open.indexOf(close), 1)
      plan()
    }
  }, [isOpen])
}
