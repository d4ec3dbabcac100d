import { AsyncLocalStorage } from 'node:async_hooks'

const tabs = new AsyncLocalStorage<string>()
const tabShape = /^[\w-]{8,64}$/

/** Runs the rest of a request as asked by a browser tab, named by its `x-tab` header; anything else is nobody. */
export const runAsTab = (header: unknown, run: () => void): void => {
  if (typeof header === 'string' && tabShape.test(header)) tabs.run(header, run)
  else run()
}

/** The browser tab whose request this is; null for tasks, webhooks and other callers. */
export const tabOfRequest = (): string | null => tabs.getStore() ?? null
