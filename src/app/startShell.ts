import { askShell, hearShell } from '../shared/shell.ts'

/** Esc is what a sheet, a dialog and a menu close by. */
const closeTopmost = (): boolean => {
  const open = [...document.querySelectorAll<HTMLElement>('dialog[open], [role="dialog"]')].at(-1)
  if (!open) return false
  if (open instanceof HTMLDialogElement) open.close()
  else open.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true }))
  return true
}

/** A link of our own server that the phone handed to the shell; anybody else's is left alone. */
const placeOf = (link: string): string | null => {
  if (!URL.canParse(link)) return null
  const { host, pathname, search, hash } = new URL(link)
  return host === window.location.host ? pathname + search + hash : null
}

/**
 * What a phone's shell knows and a page does not: the network as the phone sees it, the way back, the return from the pocket, and links
 * that were opened elsewhere. It tells the page in the page's own words, so that nothing else has to know of the shell.
 */
export const startShell = (go: (place: string) => void = (place) => window.location.assign(place)): void => {
  const tell = (event: 'online' | 'offline') => window.dispatchEvent(new Event(event))
  hearShell('Network', 'networkStatusChange', ({ connected }) => tell(connected ? 'online' : 'offline'))
  // Timers and requests stood still in the pocket: what waits is sent at once.
  hearShell('App', 'resume', () => {
    if (navigator.onLine) tell('online')
  })
  hearShell('App', 'backButton', ({ canGoBack }) => {
    if (closeTopmost()) return
    if (canGoBack) window.history.back()
    else void askShell('App', 'minimizeApp')
  })
  hearShell('App', 'appUrlOpen', ({ url }) => {
    const place = placeOf(url)
    if (place) go(place)
  })
  hearShell('PushNotifications', 'pushNotificationActionPerformed', ({ notification }) => {
    const { path } = (notification.data ?? {}) as { path?: unknown }
    if (typeof path !== 'string' || !URL.canParse(path, window.location.origin)) return
    const place = placeOf(new URL(path, window.location.origin).href)
    if (place) go(place)
  })
}
