import type { Session } from '../features/accounts/web/session.ts'
import { inShell } from '../shared/shell.ts'

/** The service worker of the site root, after the page has loaded: it says in the console when there is a new version and forces nothing. */
export const registerWorker = (session: Session): void => {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const tellKind = () => {
    if (session.get().phase !== 'signedIn') return
    void navigator.serviceWorker.ready.then(({ active }) =>
      active?.postMessage({ kind: session.kind(), shell: inShell() }),
    )
  }
  session.subscribe(tellKind)
  tellKind()
  const register = () => {
    navigator.serviceWorker.register('/sw.js', { scope: '/' }).then(
      (registration) => {
        registration.addEventListener('updatefound', () => {
          const next = registration.installing
          next?.addEventListener('statechange', () => {
            if (next.state === 'installed' && navigator.serviceWorker.controller)
              console.info('Swath: a new version is ready and starts when every tab of it is closed.')
          })
        })
      },
      (error: unknown) => console.warn('Swath: the service worker did not register.', error),
    )
  }
  // The app may begin when the page has long been there.
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register)
}
