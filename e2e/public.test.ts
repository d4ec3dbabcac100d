import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPublic } from '../scripts/build-public.ts'
import { withSite } from '../src/features/marketing/rules.ts'
import { webPlugin } from '../src/platform/http/web.ts'
import { axeFindings } from './axe.ts'
import { theBrowser } from './browser.ts'

// These pages need neither account nor database: they are built into a folder of the test's own and served by the product's web plugin.
const folder = mkdtempSync(join(tmpdir(), 'swath-public-'))
const contact = {
  supportEmail: 'crew@lawn.example',
  supportPhone: '(912) 555-0100',
  company: 'Oak LLC',
  maps: [],
  tour: false,
}
/** What the bar says to everybody, before the account's own links. */
const siteLinks = ['Swath', 'Home', 'Features', 'Pricing', 'Training', 'FAQ', 'Contact', 'About', 'Terms']
const signOuts: unknown[] = []
let server: FastifyInstance
let browser: Browser
let base = ''
let names: readonly string[] = []

beforeAll(async () => {
  names = await buildPublic(folder)
  server = Fastify()
  server.post('/api/auth/logout', (request) => {
    signOuts.push(request.headers['x-client-app'])
    return { signedOut: true }
  })
  await server.register(webPlugin, {
    folder,
    fillPage: (text) => withSite(text, { publicUrl: base, ...contact }),
  })
  base = await server.listen({ port: 0, host: '127.0.0.1' })
  browser = await theBrowser()
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

const wide = { width: 1440, height: 1000 }
const narrow = { width: 390, height: 844 }

const visit = async (path: string, options: BrowserContextOptions & { cookie?: string } = {}): Promise<Page> => {
  const { cookie, ...rest } = options
  const context = await browser.newContext({ viewport: wide, reducedMotion: 'reduce', baseURL: base, ...rest })
  if (cookie) await context.addCookies([{ name: 'swath_nav', value: cookie, url: base }])
  const page = await context.newPage()
  await page.goto(path)
  return page
}
const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })

describe('every public page', () => {
  test.each([
    ['1440 px', wide],
    ['390 px', narrow],
  ])('is clean for axe, fits and asks nobody else at %s', async (_, viewport) => {
    const page = await visit('/robots.txt', { viewport })
    const strangers: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(base)) strangers.push(request.url())
    })
    for (const name of names) {
      await page.goto(name === 'home' ? '/' : `/${name}`)
      expect(await axeFindings(page), name).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(viewport.width)
      const mail = page.getByRole('contentinfo').getByRole('link', { name: contact.supportEmail })
      expect(await mail.count(), name).toBe(1)
    }
    expect(strangers).toEqual([])
    await page.context().close()
  })
})

test.each([
  ['320 px', { width: 320, height: 640 }],
  ['1440 px at 200%', { width: 720, height: 500 }],
])('nothing of a page is cut off at %s', async (_, viewport) => {
  const page = await visit('/', { viewport })
  for (const name of names) {
    await page.goto(name === 'home' ? '/' : `/${name}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(viewport.width)
    const outside = await page.locator('main :is(h1, h2, h3, p, li, dt, dd, label, input, .btn), footer a').evaluateAll(
      (all, width) =>
        all
          .filter((one) => one.checkVisibility() && !one.closest('.fx-trap, .ui-hidden, .ui-strip'))
          .filter((one) => one.getBoundingClientRect().right > width + 1)
          .map((one) => one.outerHTML.slice(0, 120)),
      viewport.width,
    )
    expect(outside, name).toEqual([])
  }
  await page.context().close()
})

test('with a dark system the pages stay as they are, and with a motionless one nothing moves', async () => {
  const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await visit('/')
  const dark = await visit('/', { colorScheme: 'dark' })
  expect(await ground(dark)).toBe(await ground(light))
  expect(await light.evaluate(() => document.getAnimations().filter((one) => one.playState === 'running').length)).toBe(
    0,
  )
  await light.context().close()
  await dark.context().close()
})

test('the pictures of the product come when they are scrolled to, and nothing moves for them', async () => {
  const page = await visit('/features')
  const pictures = page.getByRole('main').locator('img')
  expect(await pictures.count()).toBeGreaterThanOrEqual(6)
  const before = await page.evaluate(() => document.documentElement.scrollHeight)
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth)).toBeTruthy()
  }
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(before)
  await page.context().close()
})

test('the keyboard reaches the text, the links and the choice of a period', async () => {
  const page = await visit('/pricing')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('period-month')
  await page.keyboard.press('ArrowRight')
  await page.getByText('$799.99').waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Start free trial')
  await page.context().close()
})

describe('without JavaScript', () => {
  test('every page has its heading, its text, its links and its way in', async () => {
    const page = await visit('/', { javaScriptEnabled: false })
    for (const name of names) {
      await page.goto(name === 'home' ? '/' : `/${name}`)
      expect(await page.getByRole('heading', { level: 1 }).isVisible(), name).toBe(true)
      const text = (await page.getByRole('main').textContent()) ?? ''
      expect(text.length, name).toBeGreaterThan(700)
      expect(await page.locator('main :is(p, li, dt, dd, label, summary):visible').count(), name).toBeGreaterThan(6)
      const links = await bar(page).locator('a:visible').allTextContents()
      expect(links, name).toEqual([...siteLinks, 'Sign In', 'Apply free'])
      const foot = await page.getByRole('contentinfo').getByRole('link').allTextContents()
      for (const label of ['Features', 'Apply', 'Book a call', 'Contact', 'Privacy', 'SMS terms', contact.supportPhone])
        expect(foot, name).toContain(label)
      expect(await page.getByRole('status').filter({ visible: true }).count(), `${name} waits for nothing`).toBe(0)
    }
    await page.context().close()
  })

  test('a visitor reads the home page and follows its button', async () => {
    const page = await visit('/', { javaScriptEnabled: false })
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Route, schedule, and invoice in minutes.')
    expect(await page.getByRole('img', { name: /^North crew, 13 stops: 9 done/ }).count()).toBe(1)
    for (const step of ['Apply', 'Setup Sprint', 'Go Live'])
      expect(await page.getByRole('heading', { level: 3, name: step, exact: true }).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Apply for Free Setup Sprint' }).first().click()
    expect(new URL(page.url()).pathname).toBe('/application')
    await page.context().close()
  })

  test('the prices change to the year, and each button carries plan and period', async () => {
    const page = await visit('/pricing', { javaScriptEnabled: false })
    const monthly = page.getByRole('link', { name: 'Choose Pro' })
    expect(await monthly.getAttribute('href')).toBe('/register?plan=pro&period=month')
    await page.getByText('Annual (Save 17%)').click()
    expect(await page.getByText('$799.99').isVisible()).toBe(true)
    expect(await page.getByText('$79.99').isVisible()).toBe(false)
    expect(await page.getByRole('link', { name: 'Choose Pro' }).getAttribute('href')).toBe(
      '/register?plan=pro&period=year',
    )
    await page.context().close()
  })

  test('the menu opens on a phone', async () => {
    const page = await visit('/', { javaScriptEnabled: false, viewport: narrow })
    await page.getByText('Menu', { exact: true }).click()
    await bar(page).getByRole('link', { name: 'Training' }).click()
    expect(new URL(page.url()).pathname).toBe('/training')
    await page.context().close()
  })
})

describe('the nav', () => {
  test.each([
    [undefined, ['Sign In', 'Apply free']],
    ['tier', ['Dashboard', 'Profile']],
    ['notier', ['Profile', 'Subscribe']],
  ])('with the hint %s', async (cookie, account) => {
    const page = await visit('/', cookie ? { cookie } : {})
    await expect.poll(() => bar(page).getByRole('link').allInnerTexts()).toEqual([...siteLinks, ...account])
    expect(await bar(page).getByRole('button', { name: 'Logout' }).count()).toBe(cookie ? 1 : 0)
    await page.context().close()
  })

  test('logs out', async () => {
    const page = await visit('/faq', { cookie: 'tier' })
    await bar(page).getByRole('button', { name: 'Logout' }).click()
    await bar(page).getByRole('link', { name: 'Sign In' }).waitFor()
    expect(signOuts).toEqual(['admin'])
    expect(await page.context().cookies()).toEqual([])
    await page.context().close()
  })

  test('closes its menu with Escape and gives the focus back', async () => {
    const page = await visit('/', { viewport: narrow })
    await page.getByText('Menu', { exact: true }).click()
    await page.keyboard.press('Escape')
    expect(await bar(page).getByRole('link', { name: 'Training' }).isVisible()).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Menu')
    await page.context().close()
  })
})

test.each(['/', '/landing', '/features', '/contact', '/about', '/terms', '/faq', '/training'])(
  'inside the native app %s leaves to the own start',
  async (path) => {
    const context = await browser.newContext({ baseURL: base })
    await context.addInitScript(() => Object.assign(window, { Capacitor: { isNativePlatform: () => true } }))
    await context.route(/signin|dashboard/, (route) => route.fulfill({ body: 'the app' }))
    const page = await context.newPage()
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForURL('**/signin')
    await context.addCookies([
      { name: 'swath_nav', value: 'tier', url: base },
      { name: 'swath_app', value: 'admin', url: base },
    ])
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForURL('**/dashboard')
    await context.addCookies([{ name: 'swath_app', value: 'employee', url: base }])
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForURL('**/employee-dashboard')
    await context.close()
  },
)

test('the prices say why someone without a subscription was sent there', async () => {
  const page = await visit('/pricing')
  await page.evaluate(() => {
    history.replaceState(
      { usr: { message: 'Active subscription required to access this feature.', email: 'dana@example.com' } },
      '',
    )
    location.reload()
  })
  await page
    .getByRole('status')
    .filter({ hasText: 'Active subscription required to access this feature. Signed in as dana@example.com.' })
    .waitFor()
  await page.context().close()
})
