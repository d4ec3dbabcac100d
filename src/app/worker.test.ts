import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

/** What the worker does with a push, with a tap on what it showed, and with a page that is opened; the browser around it is played. */

type Handler = (event: unknown) => void
const handlers = new Map<string, Handler>()
const shown: { title: string; options: NotificationOptions }[] = []
const opened: string[] = []
const focused: string[] = []
const told: [url: string, message: unknown][] = []
let tabs: string[] = []
const kept = new Map<string, Response>()
const requests: string[] = []
let waiting: object | null = null
let installing: { state: string; addEventListener: (name: string, heard: () => void) => void } | null = null
let updates = 0
let answer = (): Response => new Response('')

beforeAll(async () => {
  vi.stubGlobal('addEventListener', (name: string, handler: Handler) => handlers.set(name, handler))
  vi.stubGlobal('location', { origin: 'https://app.swath.test' })
  vi.stubGlobal('PRECACHE', [])
  vi.stubGlobal('CREW_PAGES', ['/employee-dashboard'])
  vi.stubGlobal('SHARED_PAGES', ['/quote-builder-pro', '/route-map'])
  vi.stubGlobal('caches', {
    open: async () => ({
      match: async (path: string) => kept.get(path)?.clone(),
      put: async (path: string, response: Response) => void kept.set(path, response),
    }),
  })
  vi.stubGlobal('fetch', async (asked: Request | string) => {
    const path = typeof asked === 'string' ? asked : new URL(asked.url).pathname
    requests.push(path)
    return answer()
  })
  vi.stubGlobal('BUILD_ID', 'test')
  vi.stubGlobal('registration', {
    get waiting() {
      return waiting
    },
    get installing() {
      return installing
    },
    update: async () => {
      updates += 1
    },
    showNotification: async (title: string, options: NotificationOptions) => shown.push({ title, options }),
  })
  vi.stubGlobal('clients', {
    matchAll: async () =>
      tabs.map((url) => ({
        url,
        focus: async () => focused.push(url),
        postMessage: (message: unknown) => told.push([url, message]),
      })),
    openWindow: async (url: string) => opened.push(url),
  })
  await import('../sw.ts')
})

afterAll(() => {
  vi.unstubAllGlobals()
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

it('a push wakes every open tab, so that what waits on the phone is sent', async () => {
  tabs = ['https://app.swath.test/employee-dashboard', 'https://app.swath.test/employee-chat']
  told.length = 0
  await push(JSON.stringify({ title: 'New stop: 7 Bay St' }))
  expect(told).toEqual(tabs.map((url) => [url, { wake: true }]))
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

describe('a page that is opened', () => {
  const page = (words: string, policy = 'self') =>
    new Response(words, { headers: { 'content-security-policy': policy } })
  const open = (path: string) => {
    let given: Promise<Response> | undefined
    void fire('fetch', {
      request: { method: 'GET', mode: 'navigate', url: `https://app.swath.test${path}` },
      respondWith: (response: Promise<Response>) => {
        given = response
      },
    })
    return given?.then((response) => response.text())
  }
  const policyKept = () => kept.get('/crew.html')?.headers.get('content-security-policy')

  beforeEach(() => {
    vi.useFakeTimers()
    kept.clear()
    kept.set('/crew.html', page('kept'))
    requests.length = 0
    waiting = null
    installing = null
    updates = 0
    answer = () => page('of the server')
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('of the crew is the kept one, and nobody is asked before it', async () => {
    expect(await open('/employee-dashboard')).toBe('kept')
    expect(requests).toEqual([])
  })

  it('of the crew comes from the server where a new version waits, or nothing is kept', async () => {
    waiting = {}
    expect(await open('/employee-dashboard')).toBe('of the server')
    waiting = null
    kept.clear()
    expect(await open('/employee-dashboard')).toBe('of the server')
  })

  it('that other builds have, too, comes from the server, and without a signal from the phone of a crew member', async () => {
    expect(await open('/employee-invite/token')).toBe('of the server')
    expect(await open('/route-map')).toBe('of the server')
    kept.set('/__memo/kind', new Response('employee'))
    answer = () => {
      throw new TypeError('offline')
    }
    expect(await open('/route-map')).toBe('kept')
    expect(await open('/quote-builder-pro')).toBe('kept')
    expect(open('/customers')).toBeUndefined()
  })

  it('that the office has, too, is not the crew’s on a phone of the office', async () => {
    kept.set('/__memo/kind', new Response('admin'))
    answer = () => {
      throw new TypeError('offline')
    }
    await expect(open('/quote-builder-pro')).rejects.toThrow('offline')
  })

  it('follows what the server lets it load, and is never one of another version', async () => {
    answer = () => page('kept', 'self maps.test')
    await open('/employee-dashboard')
    await vi.advanceTimersByTimeAsync(5_000)
    expect([requests, policyKept()]).toEqual([['/crew.html'], 'self maps.test'])
    answer = () => page('newer', 'self tiles.test')
    await open('/employee-dashboard')
    await vi.advanceTimersByTimeAsync(5_000)
    expect([await kept.get('/crew.html')?.clone().text(), policyKept()]).toEqual(['kept', 'self maps.test'])
  })

  it('of a version whose successor cannot be kept is asked for again, and shown without a signal all the same', async () => {
    let heard = () => undefined as unknown
    const full = { state: 'installing', addEventListener: (_: string, hears: () => void) => (heard = hears) }
    installing = full
    answer = () => page('newer')
    expect(await open('/employee-dashboard')).toBe('kept')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(updates).toBe(1)
    // it is still on its way: what is kept stays the answer
    expect(await open('/employee-dashboard')).toBe('kept')
    full.state = 'redundant'
    heard()
    await vi.advanceTimersByTimeAsync(1)
    expect(await open('/employee-dashboard')).toBe('newer')
    kept.set('/__memo/kind', new Response('employee'))
    answer = () => {
      throw new TypeError('offline')
    }
    expect(await open('/employee-dashboard')).toBe('kept')
  })

  it('of a version whose successor waits stays the one that is asked for', async () => {
    answer = () => page('newer')
    await open('/employee-dashboard')
    waiting = {}
    await vi.advanceTimersByTimeAsync(5_000)
    waiting = null
    expect(await open('/employee-dashboard')).toBe('kept')
  })
})
