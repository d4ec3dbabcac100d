import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { buildWeb } from '../scripts/build-web.ts'
import { launchBrowser } from '../scripts/web/browser.ts'
import { database } from '../src/platform/db/database.ts'
import { testServer } from '../src/test/api.ts'
import { axeFindings } from './axe.ts'

const heights: Record<number, number> = { 1440: 1000, 390: 844 }

export type OpenOptions = {
  /** 1440 is the office's desk, 390 a phone. */
  width?: number
  /** Signs in through the API, as the sign-in screen would. */
  as?: { email: string; password: string }
  path?: string
  timezoneId?: string
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

/** No finding of axe on the page as it stands, and nothing that makes it scroll sideways. */
export const expectAccessible = async (page: Page, options: { exclude?: string[] } = {}): Promise<void> => {
  const where = new URL(page.url()).pathname
  // a list on its way is drawn paler for a moment: a fault is what stays
  await expect.poll(() => axeFindings(page, options), { message: where, timeout: 30_000 }).toEqual([])
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  expect(content, 'scrolls sideways').toBeLessThanOrEqual(width ?? 0)
}

/** A browser for the tests of a file, on the test worker's own server, database and the built web. */
export const withBrowser = () => {
  let browser: Browser
  let base = ''
  beforeAll(async () => {
    await buildWeb({ ifStale: true })
    const app = await testServer()
    // all files come from one address; what one of them used up is not the next one's
    await database().deleteFrom('rateLimits').execute()
    const listening = app.server.address()
    base =
      typeof listening === 'object' && listening !== null
        ? `http://127.0.0.1:${listening.port}`
        : await app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
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

  const openPage = async ({ width = 1440, as, path, timezoneId }: OpenOptions = {}): Promise<Opened> => {
    const context = await browser.newContext({
      viewport: { width, height: heights[width] ?? 900 },
      hasTouch: width < 800,
      reducedMotion: 'reduce',
      baseURL: base,
      ...(timezoneId ? { timezoneId } : {}),
    })
    if (as) await signIn(context, as)
    const page = await context.newPage()
    const complaints = collectComplaints(page)
    if (path) await page.goto(path)
    return { page, context, complaints }
  }
  return { openPage, base: () => base, browser: () => browser }
}
