import type { RootOptions } from 'react-dom/client'
import { systemApi } from '../features/system/contract.ts'
import { type BrowserError, createReporter } from '../shared/browserErrors.ts'
import { urlOf } from '../shared/client.ts'

const send = (error: BrowserError): void => {
  // not through the client: a report that fails must not make another
  void fetch(urlOf(systemApi.browserError), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(error),
    keepalive: true,
  }).catch(() => undefined)
}

/** Tells the server of errors in this tab: what nobody caught, and what a boundary of React caught. */
export const watchErrors = (app: BrowserError['app']): RootOptions => {
  const report = createReporter(send, app, () => window.location.pathname)
  window.addEventListener('error', ({ error, message }) => report(error ?? message))
  window.addEventListener('unhandledrejection', ({ reason }) => report(reason))
  return {
    onCaughtError: (error) => {
      console.error(error)
      report(error)
    },
    onUncaughtError: (error) => {
      console.error(error)
      report(error)
    },
  }
}
