import { beforeEach, describe, expect, test } from 'vitest'
import { accountsApi, type SessionUser } from '../../features/accounts/contract.ts'
import { crewappApi } from '../../features/crewapp/contract.ts'
import { call, configureClient } from '../../shared/client.ts'
import type { SessionKind } from '../../shared/roles.ts'
import type { SessionChannel, SessionMessage } from './channel.ts'
import { createMemory, type Store } from './memory.ts'
import { createSession, notices } from './session.ts'

const person = (id: string, role: SessionUser['role'] = 'Owner'): SessionUser => ({
  _id: id,
  name: 'Dana Whitfield',
  email: 'dana@example.test',
  emailVerified: true,
  role,
  permissions: [],
  subscriptionActive: true,
  subscriptionTier: 'pro',
  billing: null,
  customerCount: 0,
  companySize: null,
  language: 'en',
  crewIds: [],
  business: { _id: 'b1', name: 'Whitfield Lawn', slug: 'whitfield', timeZone: 'America/New_York' },
})

type Reply = { status: number; body?: unknown; page?: string } | 'no signal'
const reply = (body: unknown, status = 200): Reply => ({ status, body })
const session = (id: string, token = `token-${id}`, role: SessionUser['role'] = 'Owner'): Reply =>
  reply({ token, user: person(id, role) })
const refused = reply({ code: 'session_ended', message: 'Ended' }, 401)

const store = (): Store & { map: Map<string, string> } => {
  const map = new Map<string, string>()
  return {
    map,
    getItem: (k) => map.get(k) ?? null,
    setItem: (k, v) => void map.set(k, v),
    removeItem: (k) => void map.delete(k),
  }
}

/** One browser: device storage, cookies and a channel that its tabs share; a server that answers what the test says. */
const aBrowser = () => {
  const device = store()
  let cookies: Record<string, string> = {}
  const listeners: { tab: number; listener: (m: SessionMessage) => void }[] = []
  const queue = new Map<string, Promise<unknown>>()
  const calls: { path: string; app: string; auth: string | null }[] = []
  const browser = {
    at: 1_000_000,
    /** Something typed stands on the screen. */
    unsaved: false,
    /** How long nothing but waiting goes on. */
    pause: (_ms: number): Promise<void> => new Promise(() => undefined),
    calls,
    device,
    cookies: () => cookies,
    answer: (_path: string): Reply | Promise<Reply> => refused,
  }
  let tabs = 0
  const openTab = (options: { kind?: SessionKind; remembersProfile?: boolean } = {}) => {
    const tab = tabs++
    const channel: SessionChannel = {
      post: (message) => {
        for (const l of listeners) if (l.tab !== tab) l.listener(message)
      },
      listen: (listener) => void listeners.push({ tab, listener }),
    }
    const fetchHere = (async (input: string, init: RequestInit) => {
      const headers = new Headers(init.headers)
      calls.push({ path: input, app: headers.get('x-client-app') ?? '', auth: headers.get('authorization') })
      const answer = await browser.answer(input)
      if (answer === 'no signal') throw new TypeError('Failed to fetch')
      return new Response(answer.page ?? JSON.stringify(answer.body ?? {}), {
        status: answer.status,
        headers: { 'content-type': answer.page ? 'text/html' : 'application/json' },
      })
    }) as unknown as typeof fetch
    const made = createSession({
      fetch: fetchHere,
      memory: createMemory({
        tab: (() => {
          const own = store()
          return () => own
        })(),
        device: () => device,
        cookies: {
          read: () =>
            Object.entries(cookies)
              .map(([k, v]) => `${k}=${v}`)
              .join('; '),
          write: (text) => {
            const [pair = '', ...attributes] = text.split('; ')
            const [name = '', value = ''] = pair.split('=')
            if (attributes.includes('Max-Age=0')) delete cookies[name]
            else cookies = { ...cookies, [name]: value }
          },
        },
      }),
      channel,
      exclusive: <T>(name: string, work: () => Promise<T>): Promise<T> => {
        const turn = (queue.get(name) ?? Promise.resolve()).then(work, work)
        queue.set(
          name,
          turn.catch(() => undefined),
        )
        return turn
      },
      now: () => browser.at++,
      fallbackKind: options.kind ?? 'admin',
      remembersProfile: options.remembersProfile ?? false,
      pause: (ms) => browser.pause(ms),
      hasUnsavedInput: () => browser.unsaved,
    })
    configureClient({
      fetch: fetchHere,
      token: made.token,
      clientApp: made.kind,
      refresh: made.refresh,
      outage: made.outage,
      sleep: async () => undefined,
      newKey: () => 'key',
    })
    return made
  }
  return Object.assign(browser, { openTab })
}

let browser: ReturnType<typeof aBrowser>
beforeEach(() => {
  browser = aBrowser()
})

describe('start', () => {
  test('a live refresh cookie signs in and leaves a hint for the next page', async () => {
    browser.answer = () => session('u1')
    const tab = browser.openTab()
    await tab.start()
    expect(tab.get()).toMatchObject({ phase: 'signedIn', verified: true, user: { _id: 'u1' } })
    expect(tab.token()).toBe('token-u1')
    expect(browser.cookies()).toEqual({ swath_app: 'admin', swath_nav: 'tier' })
    expect(JSON.stringify([...browser.device.map])).not.toContain('token-u1')
  })

  test('a 401 is a failed verification: signed out without a reproach', async () => {
    const tab = browser.openTab()
    await tab.start()
    expect(tab.get()).toEqual({ phase: 'signedOut' })
  })

  test('no signal and a broken server are not: the office is told, nobody is signed out', async () => {
    for (const answer of ['no signal', reply({}, 503)] as Reply[]) {
      browser.answer = () => answer
      const tab = browser.openTab()
      await tab.start()
      expect(tab.get()).toEqual({ phase: 'unreachable' })
    }
  })

  test('the crew app opens on the remembered profile without a signal, and verifies when it can', async () => {
    browser.answer = () => session('u2', 't', 'Employee')
    await browser.openTab({ kind: 'employee', remembersProfile: true }).start()
    browser.answer = () => 'no signal'
    const tab = browser.openTab({ kind: 'employee', remembersProfile: true })
    await tab.start()
    expect(tab.get()).toMatchObject({ phase: 'signedIn', verified: false, user: { _id: 'u2' } })
    for (let i = 0; i < 5; i++) expect(await tab.refresh()).toBe(false)
    expect(tab.get()).toMatchObject({ phase: 'signedIn' })
    browser.answer = () => session('u2', 't2', 'Employee')
    expect(await tab.refresh()).toBe(true)
    expect(tab.get()).toMatchObject({ phase: 'signedIn', verified: true })
  })

  describe('on bad reception', () => {
    /** A crew member's phone, opened where the answer takes its time. */
    const slowly = async (remembersProfile = true) => {
      browser.answer = () => session('u2', 't', 'Employee')
      await browser.openTab({ kind: 'employee', remembersProfile: true }).start()
      let comes: (answer: Reply) => void = () => undefined
      browser.answer = () => new Promise((resolve) => (comes = resolve))
      const waited: number[] = []
      let passes: () => void = () => undefined
      browser.pause = (ms) => {
        waited.push(ms)
        return new Promise((resolve) => (passes = resolve))
      }
      const tab = browser.openTab({ kind: 'employee', remembersProfile })
      const started = tab.start()
      const late = async () => {
        passes()
        await started
      }
      return { tab, started, waited, late, answer: (answer: Reply) => comes(answer) }
    }

    test('the crew app opens on the remembered profile a second later, and on an answer that comes after that it is verified', async () => {
      const { tab, waited, late, answer } = await slowly()
      expect(tab.get()).toEqual({ phase: 'starting' })
      await late()
      expect(waited).toEqual([1_000])
      expect(tab.get()).toMatchObject({ phase: 'signedIn', verified: false, user: { _id: 'u2' } })
      const again = tab.refresh()
      answer(session('u2', 'late', 'Employee'))
      expect(await again).toBe(true)
      expect(tab.get()).toMatchObject({ phase: 'signedIn', verified: true })
      expect(tab.token()).toBe('late')
    })

    test('a refusal that comes late ends it all the same, and the phone forgets the person', async () => {
      const { tab, late, answer } = await slowly()
      await late()
      const again = tab.refresh()
      answer(refused)
      expect(await again).toBe(false)
      expect(tab.get()).toEqual({ phase: 'signedOut', notice: notices.failed })
      expect([...browser.device.map.keys()]).not.toContain('swath.profile.employee')
    })

    test('the office waits for its answer', async () => {
      const { tab, started, waited, answer } = await slowly(false)
      expect(tab.get()).toEqual({ phase: 'starting' })
      answer(session('u2', 'late', 'Employee'))
      await started
      expect(waited).toEqual([])
      expect(tab.get()).toMatchObject({ phase: 'signedIn', verified: true })
    })

    test('an answer that comes after somebody left lets nobody in, here or in another tab', async () => {
      const { tab, late, answer } = await slowly()
      await late()
      const again = tab.refresh()
      browser.answer = () => 'no signal'
      await tab.signOut()
      answer(session('u2', 'late', 'Employee'))
      expect(await again).toBe(false)
      expect([tab.get().phase, tab.token()]).toEqual(['signedOut', null])
      expect([...browser.device.map.keys()]).not.toContain('swath.profile.employee')
    })

    test('whoever has left is not shown, however long the answer takes', async () => {
      const { tab, late } = await slowly()
      await late()
      browser.answer = () => 'no signal'
      await tab.signOut()
      browser.answer = () => new Promise(() => undefined)
      const next = browser.openTab({ kind: 'employee', remembersProfile: true })
      void next.start()
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      expect(next.get()).toEqual({ phase: 'starting' })
    })
  })

  test('where the office lets somebody else in, the crew app does not open on the one before', async () => {
    browser.answer = () => session('u2', 't', 'Employee')
    await browser.openTab({ kind: 'employee', remembersProfile: true }).start()
    browser.answer = () => session('u7', 't', 'Employee')
    await browser.openTab().signIn('other@demo.swath.test', 'x')
    browser.answer = () => 'no signal'
    const tab = browser.openTab({ kind: 'employee', remembersProfile: true })
    await tab.start()
    expect(tab.get()).toMatchObject({ phase: 'signedIn', verified: false, user: { _id: 'u7' } })
  })

  test('asks nobody on an open screen when the browser has no trace of a session', async () => {
    const tab = browser.openTab()
    await tab.start({ needsUser: false })
    expect(tab.get()).toEqual({ phase: 'signedOut' })
    expect(browser.calls).toEqual([])
  })

  test('tries the kind of this entry when the remembered kind is over', async () => {
    browser.answer = () => session('u1')
    await browser.openTab().start()
    const answers = [refused, session('u3', 't3', 'Employee')]
    browser.answer = () => answers.shift() ?? refused
    const tab = browser.openTab({ kind: 'employee' })
    await tab.start()
    expect(browser.calls.slice(1).map((c) => c.app)).toEqual(['admin', 'employee'])
    expect(tab.get()).toMatchObject({ phase: 'signedIn', user: { _id: 'u3' } })
    expect(tab.kind()).toBe('employee')
  })
})

describe('refresh', () => {
  test('is one request however many ask', async () => {
    browser.answer = () => session('u1')
    const tab = browser.openTab()
    await tab.start()
    const before = browser.calls.length
    expect(await Promise.all([tab.refresh(), tab.refresh(), tab.refresh()])).toEqual([true, true, true])
    expect(browser.calls.length - before).toBe(1)
  })

  test('two tabs take turns and the second uses what the first got', async () => {
    browser.answer = () => session('u1')
    const [one, two] = [browser.openTab(), browser.openTab()]
    await one.start()
    await two.start()
    const before = browser.calls.length
    browser.answer = () => session('u1', 'fresh')
    expect(await Promise.all([one.refresh(), two.refresh()])).toEqual([true, true])
    expect(browser.calls.length - before).toBe(1)
    expect([one.token(), two.token()]).toEqual(['fresh', 'fresh'])
  })

  test('an ended session is cleared with its sentence', async () => {
    browser.answer = () => session('u1')
    const tab = browser.openTab()
    await tab.start()
    browser.answer = () => refused
    expect(await tab.refresh()).toBe(false)
    expect(tab.get()).toEqual({ phase: 'signedOut', notice: notices.failed })
    expect(tab.token()).toBeNull()
    expect(browser.cookies()).toEqual({})
  })

  test('an answer without a token is refused', async () => {
    browser.answer = () => session('u1')
    const tab = browser.openTab()
    await tab.start()
    browser.answer = () => reply({ token: '' })
    await tab.refresh()
    expect(tab.get()).toEqual({ phase: 'signedOut', notice: 'Invalid token response' })
  })

  test('a token of somebody else ends this tab and leaves what the other one keeps', async () => {
    browser.answer = () => session('u1')
    const tab = browser.openTab()
    await tab.start()
    browser.answer = () => session('u9')
    await tab.refresh()
    expect(tab.get()).toEqual({ phase: 'signedOut', notice: 'Session conflict detected - please log in again' })
    expect(browser.cookies()).toEqual({ swath_app: 'admin', swath_nav: 'tier' })
  })

  test('three refused ones within a minute open the breaker, and it closes again', async () => {
    browser.answer = () => session('u1')
    const tab = browser.openTab()
    await tab.start()
    browser.answer = () => reply({}, 403)
    await tab.refresh()
    await tab.refresh()
    expect(tab.get()).toMatchObject({ phase: 'signedIn' })
    await tab.refresh()
    expect(tab.get()).toEqual({ phase: 'signedOut', notice: 'Too many authentication failures. Please log in again.' })

    const other = browser.openTab()
    browser.answer = () => session('u1')
    await other.start()
    browser.answer = () => reply({}, 403)
    await other.refresh()
    browser.at += 61_000
    await other.refresh()
    await other.refresh()
    expect(other.get()).toMatchObject({ phase: 'signedIn' })
  })

  const awayAnswers: [string, Reply][] = [
    ['a broken server', reply({}, 500)],
    ['a server that is away', reply({ code: 'unavailable', message: 'Away' }, 503)],
    ['a proxy without a server', { status: 502, page: '<h1>Bad gateway</h1>' }],
    ['a server that is asked too much', reply({ code: 'too_many_requests', message: 'Slower' }, 429)],
    ['no signal', 'no signal'],
    ['the page of a network that wants a sign-in of its own', { status: 200, page: '<h1>Welcome to the hotel</h1>' }],
  ]
  test.each(awayAnswers)('%s ends no session and forgets nothing, however often', async (_, away) => {
    browser.answer = () => session('u2', 't', 'Employee')
    const tab = browser.openTab({ kind: 'employee', remembersProfile: true })
    await tab.start()
    const kept = JSON.stringify([...browser.device.map])
    browser.answer = () => away
    for (let i = 0; i < 6; i++) expect(await tab.refresh()).toBe(false)
    expect(tab.get()).toMatchObject({ phase: 'signedIn', user: { _id: 'u2' } })
    expect(JSON.stringify([...browser.device.map])).toBe(kept)
    const opened = browser.openTab({ kind: 'employee', remembersProfile: true })
    await opened.start()
    for (let i = 0; i < 6; i++) await opened.refresh()
    expect(opened.get()).toMatchObject({ phase: 'signedIn', verified: false, user: { _id: 'u2' } })
    browser.answer = () => session('u2', 't3', 'Employee')
    expect(await tab.refresh()).toBe(true)
    // what was away counts as nothing afterwards either
    browser.answer = () => reply({}, 403)
    await opened.refresh()
    await opened.refresh()
    expect(opened.get()).toMatchObject({ phase: 'signedIn' })
  })

  test('a call whose token is over while the refresh is away fails as that, and asking who this is ends nothing', async () => {
    browser.answer = () => session('u1')
    const tab = browser.openTab()
    await tab.start()
    browser.answer = (path) => (path === accountsApi.refresh.path ? reply({}, 503) : refused)
    await expect(call(crewappApi.profile, {}, { retries: 0 })).rejects.toMatchObject({ status: 503 })
    expect(await tab.refreshUser()).toMatchObject({ _id: 'u1' })
    expect(tab.get()).toMatchObject({ phase: 'signedIn' })
    const answers = [reply({}, 503), session('u1', 'fresh')]
    browser.answer = (path) =>
      path === accountsApi.refresh.path
        ? (answers.shift() ?? refused)
        : tab.token() === 'fresh'
          ? reply({ employee: {} })
          : refused
    expect(await call(crewappApi.profile, {}, { retries: 1 })).toEqual({ employee: {} })
  })
})

describe('sign in and out', () => {
  test('the kind follows the role of the answer', async () => {
    browser.answer = () => session('u2', 't', 'Employee')
    const tab = browser.openTab()
    await tab.signIn('crew@demo.swath.test', 'demo-swath-2026')
    expect(tab.kind()).toBe('employee')
    expect(browser.cookies()).toEqual({ swath_app: 'employee', swath_nav: 'tier' })
  })

  test('refused credentials change nothing and try no refresh', async () => {
    const tab = browser.openTab()
    await tab.start({ needsUser: false })
    browser.answer = () =>
      reply({ code: 'invalid_credentials', message: 'Invalid credentials. Please try again.' }, 401)
    await expect(tab.signIn('a@b.test', 'x')).rejects.toThrow('Invalid credentials. Please try again.')
    expect(browser.calls.map((c) => c.path)).toEqual(['/api/auth/login'])
    expect(tab.get()).toEqual({ phase: 'signedOut' })
  })

  test('an answer without a token is refused', async () => {
    browser.answer = () => reply({ user: person('u1') })
    const tab = browser.openTab()
    await expect(tab.signIn('a@b.test', 'x')).rejects.toThrow('Invalid token response')
  })

  test('signing in as another person ends the other tabs of that kind only', async () => {
    browser.answer = () => session('u1')
    const office = browser.openTab()
    await office.start()
    browser.answer = () => session('u2', 't2', 'Employee')
    const crew = browser.openTab({ kind: 'employee' })
    await crew.signIn('crew@demo.swath.test', 'x')
    browser.answer = () => session('u9')
    await browser.openTab().signIn('other@demo.swath.test', 'x')
    expect(office.get()).toEqual({ phase: 'signedOut', notice: notices.conflict })
    expect(crew.get()).toMatchObject({ phase: 'signedIn', user: { _id: 'u2' } })
  })

  test('signing out reaches the other tabs', async () => {
    browser.answer = () => session('u1')
    const [one, two] = [browser.openTab(), browser.openTab()]
    await one.start()
    await two.start()
    browser.answer = () => reply({ signedOut: true })
    await one.signOut()
    expect([one.get(), two.get()]).toEqual([
      { phase: 'signedOut', left: true },
      { phase: 'signedOut', left: true },
    ])
    expect(browser.cookies()).toEqual({})
  })

  test('a sign-out without a signal is finished at the next start, before anything else', async () => {
    browser.answer = () => session('u2', 't', 'Employee')
    const tab = browser.openTab({ kind: 'employee', remembersProfile: true })
    await tab.start()
    browser.answer = () => 'no signal'
    await tab.signOut()
    const next = browser.openTab({ kind: 'employee', remembersProfile: true })
    await next.start()
    expect(next.get()).toEqual({ phase: 'signedOut' })
    browser.answer = () => session('u2', 't', 'Employee')
    browser.calls.length = 0
    const later = browser.openTab({ kind: 'employee' })
    await later.start()
    expect(browser.calls.map((c) => c.path)).toEqual(['/api/auth/logout'])
    expect(later.get()).toEqual({ phase: 'signedOut' })
  })
})

test('the user is asked for again once and follows the answer', async () => {
  browser.answer = () => session('u1')
  const tab = browser.openTab()
  await tab.start()
  browser.answer = () => reply({ user: { ...person('u1'), subscriptionActive: false } })
  expect(await tab.refreshUser()).toMatchObject({ subscriptionActive: false })
  browser.answer = () => 'no signal'
  expect(await tab.refreshUser()).toMatchObject({ _id: 'u1' })
  browser.answer = () => refused
  expect(await tab.refreshUser()).toBeNull()
  expect(tab.get()).toEqual({ phase: 'signedOut', notice: notices.failed })
})

describe('a session that ends over something typed', () => {
  const expired = async () => {
    browser.answer = () => session('u1')
    const tab = browser.openTab()
    await tab.start()
    browser.unsaved = true
    browser.answer = () => refused
    await tab.refresh()
    return tab
  }

  test('keeps the person on the screen, asks nobody, and goes on when they sign in', async () => {
    const tab = await expired()
    expect(tab.get()).toMatchObject({ phase: 'expired', notice: notices.failed, user: { _id: 'u1' } })
    expect(tab.token()).toBeNull()
    const before = browser.calls.length
    expect(await tab.refresh()).toBe(false)
    expect(browser.calls.length).toBe(before)
    browser.answer = () => session('u1', 'fresh')
    await tab.signIn('dana@example.test', 'x')
    expect(tab.get()).toMatchObject({ phase: 'signedIn', user: { _id: 'u1' } })
    expect(tab.token()).toBe('fresh')
  })

  test('goes on by itself when the person signs in in another tab', async () => {
    const tab = await expired()
    browser.answer = () => session('u1', 'fresh')
    await browser.openTab().signIn('dana@example.test', 'x')
    expect(tab.get()).toMatchObject({ phase: 'signedIn' })
  })

  test('somebody else in another tab ends it, and so does leaving', async () => {
    const tab = await expired()
    browser.answer = () => session('u9')
    await browser.openTab().signIn('other@example.test', 'x')
    expect(tab.get()).toEqual({ phase: 'signedOut', notice: notices.conflict })
    const other = await expired()
    browser.answer = () => reply({ signedOut: true })
    await other.signOut()
    expect(other.get()).toEqual({ phase: 'signedOut', left: true })
  })

  test('a token of somebody else never waits', async () => {
    browser.answer = () => session('u1')
    const tab = browser.openTab()
    await tab.start()
    browser.unsaved = true
    browser.answer = () => session('u9')
    await tab.refresh()
    expect(tab.get()).toEqual({ phase: 'signedOut', notice: notices.conflict })
  })
})
