import { screenAt } from './screens.ts'

/** What a browser tells of an error: enough to find the fault, nothing of the person or of what stood on the screen. */
export type BrowserError = { message: string; stack: string; screen: string; app: 'admin' | 'crew' }

const longestMessage = 300
const longestStack = 4_000

/** A text without what may be somebody's: addresses, ids, numbers, queries of addresses. */
export const withoutData = (text: string): string =>
  text
    .replace(/[^\s@<>"'()]+@[^\s@<>"'()]+\.[a-z]{2,}/gi, '<e-mail>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<id>')
    .replace(/(https?:\/\/[^\s?#):]+(?::\d+)?[^\s?#):]*)[?#][^\s):]*/g, '$1')
    .replace(/(?<![:\w])\+?\(?\d[\d ()-]{5,}\d\b/g, '<number>')

/** An error as it is told, or null for what is no fault of ours: a lost connection, a request that was given up, a browser's own noise. */
export const toldOf = (error: unknown, app: BrowserError['app'], path: string): BrowserError | null => {
  const { name, message, stack } = error instanceof Error ? error : { name: 'Error', message: String(error), stack: '' }
  if (/^(ApiError|AbortError|TimeoutError|ScreenLoadError)$/.test(name)) return null
  if (/^(ResizeObserver loop|Script error\.?$)/.test(message)) return null
  return {
    message: withoutData(`${name}: ${message}`).slice(0, longestMessage),
    stack: withoutData(stack ?? '').slice(0, longestStack),
    // the pattern, never the path: a public link holds a secret
    screen: screenAt(path)?.path ?? 'unknown',
    app,
  }
}

/** Each fault once a tab, and at most ten of them: a loop of errors is one report. */
export const createReporter = (
  send: (error: BrowserError) => void,
  app: BrowserError['app'],
  pathNow: () => string,
) => {
  const told = new Set<string>()
  return (error: unknown): void => {
    const report = toldOf(error, app, pathNow())
    if (!report) return
    const name = `${report.message}\n${report.stack.split('\n').slice(0, 3).join('\n')}`
    if (told.has(name) || told.size >= 10) return
    told.add(name)
    send(report)
  }
}
