import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { launchBrowser } from '../scripts/web/browser.ts'
import { renewTestServer } from '../src/test/api.ts'
import { axeFindings } from './axe.ts'
import { servers, startFleet, stopFleet } from './fleet.ts'

const heights: Record<number, number> = { 1440: 1000, 390: 844 }

const atBoth = [
  process.env.SWATH_TEST_LONG === '1',
  process.env.SWATH_TEST_WIDTHS === 'both',
  process.env.SWATH_PICTURES,
]

/**
 * The widths a journey is walked at: by `npm test` the one that is named, with `SWATH_TEST_WIDTHS=both`, in the long run and where
 * pictures are taken both. Each names where its screen has most to lose, so that every run sees the office on a desk and in a hand.
 */
export const widths = (first: 1440 | 390): readonly number[] => (atBoth.some(Boolean) ? [1440, 390] : [first])

export type OpenOptions = {
  /** 1440 is the office's desk, 390 a phone. */
  width?: number
  /** Signs in through the API, as the sign-in screen would. */
  as?: { email: string; password: string }
  path?: string
  timezoneId?: string
  javaScriptEnabled?: boolean
}

export type Opened = {
  page: Page
  context: BrowserContext
  /** What the page complained about in its console; `expectQuiet` looks at it. */
  complaints: string[]
}

/** Collects errors of the page. A refused request that a test provokes on purpose can be left out by a pattern. */
export const collectComplaints = (page: Page): string[] => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

export const expectQuiet = (complaints: readonly string[], except?: RegExp): void => {
  expect(complaints.filter((text) => !except?.test(text))).toEqual([])
}

const seenInTheDark = new Set<string>()

/** Whether these kinds of parts have not been looked at together in the dark: the same parts with other words are as legible there. */
const isNewInTheDark = async (page: Page): Promise<boolean> => {
  const state = await page.evaluate(() => {
    if (document.documentElement.dataset.theme !== 'auto') return null
    const parts = new Set<string>()
    for (const element of document.querySelectorAll('body, body *'))
      if (element.checkVisibility()) parts.add(`${element.tagName}.${element.getAttribute('class') ?? ''}`)
    return [...parts].sort().join(' ')
  })
  if (state === null || seenInTheDark.has(state)) return false
  seenInTheDark.add(state)
  return true
}

/** No finding of axe on the page as it stands, and nothing that makes it scroll sideways. */
export const expectAccessible = async (
  page: Page,
  { dark = true, ...options }: { exclude?: string[]; dark?: boolean } = {},
): Promise<void> => {
  const where = new URL(page.url()).pathname
  // a list on its way is drawn paler for a moment: a fault is what stays
  await expect.poll(() => axeFindings(page, options), { message: where, timeout: 30_000 }).toEqual([])
  // the office follows the system's colors: its words are to be read in the dark too, each state of a screen once
  if (dark && (await isNewInTheDark(page))) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect
      .poll(() => axeFindings(page, { ...options, only: ['color-contrast'] }), {
        message: `${where}, dark`,
        timeout: 30_000,
      })
      .toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  // a phone makes its window as wide as what stands in it: what is asked is how wide the screen is. A desk that becomes a phone stands as a
  // desk for a moment
  await expect
    .poll(() => page.evaluate(() => Math.max(document.documentElement.scrollWidth, window.innerWidth)), {
      message: `${where} scrolls sideways`,
      timeout: 10_000,
    })
    .toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
}

const world = globalThis as { swathTestBrowsers?: Map<boolean, Promise<Browser>> }

/** The one browser of this worker, and another one when a test wants maps drawn; they end with the worker. */
export const theBrowser = (maps = false): Promise<Browser> => {
  world.swathTestBrowsers ??= new Map()
  const started = world.swathTestBrowsers.get(maps) ?? launchBrowser({ maps })
  world.swathTestBrowsers.set(maps, started)
  return started
}

const listenAt = async (app: Awaited<ReturnType<typeof renewTestServer>>): Promise<string> =>
  app.listen({ port: 0, host: '127.0.0.1' })

/**
 * A server and a database of their own for this file, or for each of its tests where they meet in what belongs to no business (the
 * product owner's desk). Every test opens its own windows; they are closed behind it.
 */
export const withBrowser = ({
  afresh,
  maps = 'none',
}: {
  afresh: 'file' | 'test'
  /** Half: drawn with half the points each way, which is enough where none are counted and much less work. */
  maps?: 'none' | 'half' | 'whole'
}) => {
  let base = ''
  const contexts = new Set<BrowserContext>()
  const before = afresh === 'file' ? beforeAll : beforeEach
  before(async () => {
    await stopFleet()
    const own = await listenAt(await renewTestServer())
    base = servers > 1 ? await startFleet(own) : own
  })
  afterAll(stopFleet)
  afterEach(async () => {
    await Promise.all([...contexts].map((context) => context.close()))
    contexts.clear()
  })

  const signIn = async (
    context: BrowserContext,
    { email, password }: { email: string; password: string },
  ): Promise<void> => {
    const response = await context.request.post(`${base}/api/auth/login`, {
      data: { email, password },
      headers: { origin: base },
    })
    if (!response.ok()) throw new Error(`Signing in answered ${response.status()}: ${await response.text()}`)
    const { user } = (await response.json()) as { user: { role: string } }
    await context.addCookies([{ name: 'swath_app', value: user.role === 'Employee' ? 'employee' : 'admin', url: base }])
  }

  /** A window of its own, with cookies and storage of its own. */
  const openPage = async ({
    width = 1440,
    as,
    path,
    timezoneId,
    javaScriptEnabled = true,
  }: OpenOptions = {}): Promise<Opened> => {
    const browser = await theBrowser(maps !== 'none')
    const context = await browser.newContext({
      viewport: { width, height: heights[width] ?? 900 },
      // as phones do: the page's own viewport, which what is too wide stretches, and fingers
      hasTouch: width < 800,
      isMobile: width < 800,
      // drawing a map without a graphics card costs by its points; a picture to look at has all of them
      deviceScaleFactor: maps === 'half' && !process.env.SWATH_PICTURES ? 0.5 : 1,
      reducedMotion: 'reduce',
      baseURL: base,
      javaScriptEnabled,
      ...(timezoneId ? { timezoneId } : {}),
    })
    contexts.add(context)
    if (as) await signIn(context, as)
    const page = await context.newPage()
    const complaints = collectComplaints(page)
    if (path) await page.goto(path)
    return { page, context, complaints }
  }
  return { openPage }
}
