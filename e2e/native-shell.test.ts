import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { password } from './fixtures.ts'
import { aCrewDay } from './fixtures-day.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

/** What the Android shell puts on the window before the page's own code; `__shell` tells and remembers. */
const playShell = (context: BrowserContext) =>
  context.addInitScript(() => {
    const listeners: Record<string, ((told: unknown) => void)[]> = {}
    const asked: string[] = []
    const photo = { webPath: `${window.location.origin}/_capacitor_file_/cache/photo.jpg` }
    Object.assign(window, {
      __shell: {
        asked,
        tell: (name: string, told: unknown) => {
          for (const listener of listeners[name] ?? []) listener(told)
        },
      },
      Capacitor: {
        isNativePlatform: () => true,
        getPlatform: () => 'android',
        PluginHeaders: [{ name: 'App' }, { name: 'Camera' }, { name: 'Network' }],
        nativePromise: async (part: string, method: string) => {
          asked.push(`${part}.${method}`)
          return method === 'takePhoto' ? photo : undefined
        },
        addListener: (part: string, event: string, listener: (told: unknown) => void) => {
          const name = `${part}.${event}`
          listeners[name] = [...(listeners[name] ?? []), listener]
          return { remove: () => undefined }
        },
      },
    })
  })

type Played = { __shell: { asked: string[]; tell: (name: string, told: unknown) => void } }
const tell = (page: Page, name: string, told: unknown) =>
  page.evaluate(([of, news]) => (window as unknown as Played).__shell.tell(of as string, news), [name, told] as const)
/** What the shell was asked to do; which network it is on is asked at the start of every page. */
const asked = async (page: Page) =>
  (await page.evaluate(() => (window as unknown as Played).__shell.asked)).filter((one) => one !== 'Network.getStatus')

/** Whether the service worker has been told who uses this phone. */
const remembered = (page: Page) =>
  page.evaluate(async () => (await (await caches.open('swath-memo')).match('/__memo/kind'))?.text())

test('the shell opens at the day of its person, takes photos with the phone, and starts without a signal', async () => {
  const { business, luis } = await aCrewDay({ streets: ['132 Laurel Green Ct', '1513 Cathy St'] })
  const { page, context, complaints } = await openPage({ width: 390 })
  await playShell(context)
  const picture = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#3c8f4f' } })
    .jpeg()
    .toBuffer()
  await context.route('**/_capacitor_file_/**', (route) => route.fulfill({ contentType: 'image/jpeg', body: picture }))

  // Nobody is signed in: the public site is the web's.
  for (const path of ['/', '/features', '/terms']) {
    await page.goto(path)
    await page.waitForURL('**/signin')
  }
  await page.getByRole('button', { name: 'Sign in with phone and PIN' }).waitFor()
  expect(await page.getByRole('button', { name: /Google/ }).count()).toBe(0)
  await expectAccessible(page)
  await page.getByLabel('Email').fill(luis.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/employee-dashboard')
  await page.getByRole('heading', { name: '132 Laurel Green Ct' }).waitFor()
  await page.goto('/faq')
  await page.waitForURL('**/employee-dashboard')

  await page.getByRole('button', { name: 'Clock in' }).click()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('button', { name: 'Photo before' }).click()
  await page.getByText('1 before, 0 after').waitFor()
  await page.getByText('All sent').waitFor()
  const photos = await business.db((db) =>
    db.selectFrom('visitPhotos').select('kind').where('businessId', '=', business.id).execute(),
  )
  expect(photos).toEqual([{ kind: 'before' }])
  expect(await asked(page)).toEqual(['Camera.takePhoto'])

  await page.getByRole('button', { name: 'Skip…' }).click()
  await page.getByRole('dialog').waitFor()
  await tell(page, 'App.backButton', { canGoBack: true })
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await tell(page, 'App.backButton', { canGoBack: false })
  await expect.poll(() => asked(page)).toEqual(['Camera.takePhoto', 'App.minimizeApp'])

  // Put away, killed, and opened again where there is no signal: the shell opens at / whatever it showed last.
  await expect.poll(() => remembered(page)).toBe('employee in the shell')
  await context.setOffline(true)
  await page.close()
  const again = await context.newPage()
  await again.goto('/')
  await again.waitForURL('**/employee-dashboard')
  await again.getByRole('heading', { name: '132 Laurel Green Ct' }).waitFor()
  await again.getByRole('button', { name: 'Finish', exact: true }).click()
  await again.getByRole('heading', { name: '1513 Cathy St' }).waitFor()
  await again.getByText(/on phone, no signal/).waitFor()

  await context.setOffline(false)
  await tell(again, 'Network.networkStatusChange', { connected: true })
  await again.getByText('All sent').waitFor({ timeout: 60_000 })
  await again.goto('/')
  await again.waitForURL('**/employee-dashboard')
  expectQuiet(complaints, away)
})

test('a link of this server that the phone hands to the shell opens in it', async () => {
  const { luis } = await aCrewDay({ streets: ['132 Laurel Green Ct', '1513 Cathy St'] })
  const { page, context } = await openPage({ width: 390, as: { email: luis.email, password } })
  await playShell(context)
  await page.goto('/employee-dashboard')
  await page.getByRole('heading', { name: '132 Laurel Green Ct' }).waitFor()
  const link = `${new URL(page.url()).origin}/employee-invite/no-such-invitation`
  // It is heard as soon as the shell's part of the page has come.
  await expect
    .poll(async () => {
      if (!page.url().includes('/employee-invite/')) await tell(page, 'App.appUrlOpen', { url: link })
      return new URL(page.url()).pathname
    })
    .toBe('/employee-invite/no-such-invitation')
  await page.getByText(/do not know this link/).waitFor()
})

test('in a browser / stays the home page, for a crew member without a signal too', async () => {
  const { luis } = await aCrewDay({ streets: ['132 Laurel Green Ct', '1513 Cathy St'] })
  const as = { email: luis.email, password }
  const { page, context } = await openPage({ width: 390, as, path: '/employee-dashboard' })
  await page.getByRole('heading', { name: '132 Laurel Green Ct' }).waitFor()
  await expect.poll(() => remembered(page)).toBe('employee')
  await page.reload()
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  await context.setOffline(true)
  const failed = await page.goto('/').then(
    () => null,
    (error: Error) => error.message,
  )
  expect(failed).toMatch(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
})
