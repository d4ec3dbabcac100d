import { beforeAll, expect, it, vi } from 'vitest'

/** What the worker does with a push and with a tap on what it showed; the browser around it is played. */

type Handler = (event: unknown) => void
const handlers = new Map<string, Handler>()
const shown: { title: string; options: NotificationOptions }[] = []
const opened: string[] = []
const focused: string[] = []
let tabs: string[] = []

beforeAll(async () => {
  vi.stubGlobal('addEventListener', (name: string, handler: Handler) => handlers.set(name, handler))
  vi.stubGlobal('location', { origin: 'https://app.swath.test' })
  vi.stubGlobal('PRECACHE', [])
  vi.stubGlobal('BUILD_ID', 'test')
  vi.stubGlobal('registration', {
    showNotification: async (title: string, options: NotificationOptions) => shown.push({ title, options }),
  })
  vi.stubGlobal('clients', {
    matchAll: async () => tabs.map((url) => ({ url, focus: async () => focused.push(url) })),
    openWindow: async (url: string) => opened.push(url),
  })
  await import('../sw.ts')
})

const fire = async (name: string, event: object): Promise<void> => {
  const waits: Promise<unknown>[] = []
  handlers.get(name)?.({ ...event, waitUntil: (wait: Promise<unknown>) => waits.push(wait) })
  await Promise.all(waits)
}
const push = (text: string) => fire('push', { data: { json: () => JSON.parse(text) } })
const tap = (path: unknown) => fire('notificationclick', { notification: { close: () => undefined, data: { path } } })

it('shows what came, and something even where it cannot be read', async () => {
  await push(
    JSON.stringify({ title: 'New stop: 7 Bay St', body: 'Fri, Jun 12', tag: 'added:1', path: '/employee-chat' }),
  )
  await push('no json')
  expect(shown).toMatchObject([
    { title: 'New stop: 7 Bay St', options: { body: 'Fri, Jun 12', tag: 'added:1', data: { path: '/employee-chat' } } },
    { title: 'Swath', options: { body: '', data: { path: '/' } } },
  ])
})

it('a tap opens its screen, or the tab that shows it, and never another site', async () => {
  tabs = ['https://app.swath.test/jobs']
  await tap('/jobs')
  await tap('/employee-dashboard')
  await tap('https://evil.test/x')
  await tap('//evil.test/x')
  await tap(undefined)
  expect(focused).toEqual(['https://app.swath.test/jobs'])
  expect(opened).toEqual([
    'https://app.swath.test/employee-dashboard',
    'https://app.swath.test',
    'https://app.swath.test',
    'https://app.swath.test/',
  ])
})
