import { useCallback, useEffect, useRef } from 'react'
import { brand } from '../shared/brand.ts'

/** The document's title, and after each navigation the focus on the screen's heading (not on the first page: that one starts at its top). */
export const useArrival = (title: string): (() => void) => {
  const first = useRef(true)
  useEffect(() => {
    document.title = `${title} · ${brand.name}`
  }, [title])
  return useCallback(() => {
    if (first.current) {
      first.current = false
      return
    }
    const screen = document.getElementById('screen')
    // Whoever is typing in a field that opened with the screen stays there.
    if (screen?.contains(document.activeElement) && document.activeElement?.matches('input, textarea, select')) return
    window.scrollTo(0, 0)
    const heading = screen?.querySelector<HTMLElement>('h1')
    if (heading) {
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    } else screen?.focus({ preventScroll: true })
  }, [])
}
