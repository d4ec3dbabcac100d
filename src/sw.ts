const worker = globalThis as unknown as ServiceWorkerGlobalScope

/** Written in by the build: the crew app's document and files, its addresses that no other build has, those that the office has too, and a hash of all sources. */
declare const PRECACHE: readonly string[]
declare const CREW_PAGES: readonly string[]
declare const SHARED_PAGES: readonly string[]
declare const BUILD_ID: string

const cacheName = `swath-crew-${BUILD_ID}`
const memoName = 'swath-memo'
const memoUrl = '/__memo/kind'
const shellMark = ' in the shell'
const crewDocument = '/crew.html'
/** Stands beside the files of a version whose successor could not be kept, as on a phone that is full. */
const behindMark = '/__behind'
/** Longer than this on bad reception is no answer: the crew member stands in the rain. */
const patienceMs = 4_000

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(cacheName).then((cache) => cache.addAll(PRECACHE.map((url) => new Request(url, { cache: 'reload' })))),
  )
})

worker.addEventListener('activate', (event) => {
  const clean = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith('swath-crew-') && name !== cacheName)
    await Promise.all(old.map((name) => caches.delete(name)))
  }
  event.waitUntil(clean())
})

/** The crew app says who uses this phone and whether in the native shell, because a worker cannot read cookies everywhere. */
worker.addEventListener('message', (event) => {
  const { kind, shell } = (event.data ?? {}) as { kind?: string; shell?: boolean }
  if (!kind) return
  const memo = new Response(kind + (shell ? shellMark : ''))
  event.waitUntil(caches.open(memoName).then((cache) => cache.put(memoUrl, memo)))
})

const phone = async (): Promise<string> => {
  const memo = await (await caches.open(memoName)).match(memoUrl)
  return (await memo?.text()) ?? ''
}

const belongsToCrew = async (path: string): Promise<boolean> => {
  if (path.startsWith('/employee-')) return true
  const who = await phone()
  // The shell opens at /, from where the crew app leads to its day; in a browser that is the home page.
  return path === '/' ? who === `employee${shellMark}` : who.startsWith('employee')
}

const fromNetwork = (request: Request): Promise<Response> => {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), patienceMs)
  })
  return Promise.race([fetch(request), late]).finally(() => clearTimeout(timer))
}

let opened: Promise<Cache> | null = null

/** A file of this build by its path. Files have their hash in their name: to look past a search would look at every one that is kept, for each. */
const keptFile = async (path: string): Promise<Response | undefined> => {
  opened ??= caches.open(cacheName)
  try {
    return await (await opened).match(path, { ignoreVary: true })
  } catch {
    // the next one tries anew; this one comes by the network
    opened = null
    return undefined
  }
}

/**
 * The crew's own document is on the phone, with all that it names: nothing is asked before it is shown. A new version says that it waits, and is asked
 * for then.
 */
const keptPage = async (path: string): Promise<Response | undefined> => {
  if (!CREW_PAGES.includes(path) || worker.registration.waiting) return undefined
  const [page, isBehind] = await Promise.all([keptFile(crewDocument), keptFile(behindMark)])
  return isBehind ? undefined : page
}

/** The newest document when there is a signal, the kept one when there is not. Pages of the office and the public are never kept. */
const answerNavigation = async (request: Request): Promise<Response> => {
  if (!(await belongsToCrew(new URL(request.url).pathname))) return fetch(request)
  try {
    const fresh = await fromNetwork(request)
    if (fresh.status < 500) return fresh
  } catch {
    // no signal: below
  }
  return (await keptFile(crewDocument)) ?? fetch(request)
}

/** By then the page has what it needs. */
const renewAfterMs = 5_000
const policy = (document: Response): string | null => document.headers.get('content-security-policy')

const installed = (next: ServiceWorker): Promise<void> =>
  new Promise((resolve) => {
    const look = () => next.state !== 'installing' && resolve()
    next.addEventListener('statechange', look)
    look()
  })

/** There is another version: it waits soon, or cannot be kept. Then each opening asks the server first again, or this phone stays behind for ever. */
const awaitNext = async (kept: Cache): Promise<void> => {
  await worker.registration.update().catch(() => undefined)
  const { installing } = worker.registration
  if (installing) await installed(installing)
  if (!worker.registration.waiting) await kept.put(behindMark, new Response(''))
}

/** With its document the server says what a page may load, say whose maps, and that changes without a new version: the kept one follows. */
const renewPage = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, renewAfterMs))
  const fresh = await fetch(crewDocument, { cache: 'no-cache' }).catch(() => undefined)
  const kept = await keptFile(crewDocument)
  if (!fresh?.ok || !kept) return
  const cache = await caches.open(cacheName)
  if ((await fresh.clone().text()) !== (await kept.clone().text())) await awaitNext(cache)
  else if (policy(fresh) !== policy(kept)) await cache.put(crewDocument, fresh)
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== worker.location.origin || url.pathname.startsWith('/api/')) return
  if (request.mode === 'navigate') {
    const { pathname } = url
    if (!pathname.startsWith('/employee-') && !SHARED_PAGES.includes(pathname) && pathname !== '/') return
    event.respondWith(
      keptPage(pathname).then((kept) => {
        if (!kept) return answerNavigation(request)
        event.waitUntil(renewPage())
        return kept
      }),
    )
    return
  }
  if (PRECACHE.includes(url.pathname)) {
    event.respondWith(keptFile(url.pathname).then((kept) => kept ?? fetch(request)))
  }
})

type Note = { title?: string; body?: string; tag?: string; path?: string }

const noteOf = (event: PushEvent): Note => {
  try {
    return (event.data?.json() ?? {}) as Note
  } catch {
    return {}
  }
}

/** Where a push came through, there is a signal: what waits on this phone is sent. */
const wakeTabs = async (): Promise<void> => {
  for (const tab of await worker.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    tab.postMessage({ wake: true })
}

/** Something happened while the app was closed. A browser takes the right away from who shows nothing. */
worker.addEventListener('push', (event) => {
  const { title, body, tag, path } = noteOf(event)
  event.waitUntil(wakeTabs())
  event.waitUntil(
    worker.registration.showNotification(title || 'Swath', {
      body: body ?? '',
      ...(tag ? { tag } : {}),
      icon: '/icon-192.png',
      badge: '/icon-192.png',
      data: { path: path ?? '/' },
    }),
  )
})

/** Only an address of our own, whatever the note says. */
const placeOf = (path: unknown): string => {
  const url = new URL(typeof path === 'string' ? path : '/', worker.location.origin)
  return url.origin === worker.location.origin ? url.href : worker.location.origin
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const open = async () => {
    const place = placeOf((event.notification.data as Note | null)?.path)
    const tabs = await worker.clients.matchAll({ type: 'window' })
    const shown = tabs.find(({ url }) => url === place)
    if (shown) return shown.focus()
    // A tab where somebody may be typing is left as it is.
    return worker.clients.openWindow(place)
  }
  event.waitUntil(open())
})

export {}
