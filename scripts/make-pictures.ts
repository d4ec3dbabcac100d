import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { demoPassword } from '../src/demo/business.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { type PictureName, pictures } from '../src/features/marketing/web/pictures.ts'
import { paymentsApi } from '../src/features/payments/contract.ts'
import { call, configureClient } from '../src/shared/client.ts'
import { addDays, dayOf } from '../src/shared/dates.ts'
import { buildWeb } from './build-web.ts'
import { launchBrowser } from './web/browser.ts'
import { pictureTime } from './web/picture-time.ts'
import { withProduct } from './web/product.ts'

// Takes the pictures of the public site, and the one that other sites show with a link to ours (card.jpg), from the real screens of the demo business:
//   node scripts/make-pictures.ts [name ...]
// Run it again when those screens have changed. `crew-screens` takes the crew's screens in both languages, to be looked at and not kept:
//   node scripts/make-pictures.ts crew-screens

const root = join(import.meta.dirname, '..')
const target = (file: string): string => join(root, 'src/features/marketing/web', file)
const wanted = process.argv.slice(2)
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)

/** A list as owners have it: other names for the columns, a missing name, a missing street, an address that is none, one customer twice. */
const list = ((): string => {
  const [first, last] = ['Alma Ben Cora Dev Ellis Fay Gil', 'Reyes Ostrander Patel Moreau Lindqvist Okafor'].map(
    (names) => names.split(' '),
  )
  const rows = (first ?? []).flatMap((one, i) =>
    (last ?? []).map((other, j) => {
      const number = 10 * i + j
      return `${one} ${other},${101 + 7 * number} Juniper Way,Savannah,GA,31406,(478) 555-${7000 + number},${one}.${other}@example.com,${4000 + 90 * number}`
    }),
  )
  const wrong = [
    ',9 Dockside Walk,Savannah,GA,31410,(478) 555-7301,,4100',
    'Cora Whitcomb,,Savannah,GA,31410,(478) 555-7302,cora.whitcomb@example.com,6000',
    'Dev Hollis,301 Saltgrass Way,Pooler,GA,31322,555-01,dev@example,8800',
  ]
  const columns = 'Client,Street address,Town,ST,Postal,Mobile,E-mail,Lawn sq ft'
  return [columns, ...rows.slice(0, 12), ...wrong, ...rows.slice(12), rows[0]].join('\n')
})()

/** Who looks: the office at its desk, the office on a phone, a crew member. */
type View = 'desk' | 'phone' | 'crew'
const views = {
  desk: { width: 1440, height: 900, kind: 'admin' },
  phone: { width: 390, height: 780, kind: 'admin' },
  crew: { width: 390, height: 780, kind: 'employee' },
} as const
const scale = 2

const open = async (browser: Browser, base: string, view: View): Promise<Page> => {
  const { width, height, kind } = views[view]
  const isCrew = kind === 'employee'
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width, height },
    deviceScaleFactor: scale,
    hasTouch: view !== 'desk',
    reducedMotion: 'reduce',
    timezoneId: 'America/New_York',
  })
  const answer = await context.request.post('/api/auth/login', {
    data: { email: isCrew ? 'crew@demo.swath.test' : 'owner@demo.swath.test', password: demoPassword },
    headers: { origin: base },
  })
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}.`)
  await context.addCookies([{ name: 'swath_app', value: kind, url: base }])
  const page = await context.newPage()
  await page.clock.setFixedTime(pictureTime)
  return page
}

/** A good month in the office: all but a few of the invoices that are overdue were paid by check this morning. */
const stage = async (page: Page, base: string): Promise<void> => {
  const answer = await page.request.post('/api/auth/login', {
    data: { email: 'owner@demo.swath.test', password: demoPassword },
    headers: { origin: base },
  })
  const { token } = (await answer.json()) as { token: string }
  configureClient({ baseUrl: base, token: () => token })
  const { items } = await call(invoicesApi.list, { query: { view: 'overdue', limit: 100 } })
  for (const { id, balanceCents } of items.slice(3))
    await call(
      paymentsApi.recordPayment,
      {
        params: { id },
        body: { method: 'check', amountCents: balanceCents, receivedOn: dayOf(pictureTime, 'America/New_York') },
      },
      { idempotencyKey: id },
    )
}

/** Goes on when nothing moves any more: two pictures a second apart are the same. */
const settle = async (page: Page): Promise<Buffer> => {
  for (let before = await page.screenshot(), tries = 0; tries < 30; tries++) {
    await sleep(1000)
    const now = await page.screenshot()
    if (now.equals(before)) return now
    before = now
  }
  return page.screenshot()
}

type Scene = (page: Page, view: View) => Promise<void>
const goTo = async (page: Page, path: string): Promise<void> => {
  await page.goto(path)
  await page.locator('main h1').first().waitFor()
}

const scenes: Record<Exclude<PictureName, 'crew'>, Scene> = {
  dashboard: (page) => goTo(page, '/dashboard'),
  route: async (page, view) => {
    // a Tuesday: the day after the picture may be Thanksgiving
    await goTo(page, `/route-map?day=${addDays(dayOf(pictureTime, 'America/New_York'), 6)}`)
    if (view === 'phone') {
      // planned at the desk already
      await page.getByRole('button', { name: 'Map', exact: true }).click()
      await page.evaluate(`{
        const views = document.querySelector('.route__views')
        views.style.scrollMarginTop = '64px'
        views.scrollIntoView({ block: 'start' })
      }`)
      return
    }
    await page.getByRole('button', { name: /^Optimize \d+/ }).click()
    // the cheapest plan leaves a crew at home; a day that is shared shows more
    await page.getByRole('button', { name: /^Crews end within an hour/ }).click({ timeout: 120_000 })
    await page.getByText('· crews end within an hour').waitFor({ timeout: 120_000 })
    await page.getByRole('region', { name: 'What the search brought' }).getByRole('button', { name: 'Close' }).click()
    await page
      .getByText(/stops planned:/)
      .last()
      .waitFor({ state: 'hidden' })
  },
  season: async (page) => {
    await goTo(page, '/jobs?tab=create&for=many')
    for (const chip of [/^weekly/, /^Fertilize/, /^Mow, edge/]) await page.getByRole('button', { name: chip }).click()
    await page.getByText('Every month').click()
    await page.getByRole('button', { name: /^Create \d+ monthly/ }).waitFor()
    await page.mouse.wheel(0, -2000)
  },
  invoices: async (page) => {
    await goTo(page, '/jobs?tab=invoices')
    await page
      .getByRole('button', { name: /^Invoice \d+ finished/ })
      .first()
      .click()
  },
  list: async (page) => {
    await goTo(page, '/customers?tab=manage&import=new')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'spring-list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
    await page.getByRole('button', { name: /^Check \d+/ }).click()
    await page.getByRole('button', { name: /^Import \d+/ }).waitFor()
  },
}

/** Where a picture begins: the office is shown without the menu at its side and the bar on top, a dialog over all of it and the crew's phone as they are. */
const cornerOf = (name: PictureName, view: View): { left: number; top: number } =>
  view === 'crew' || name === 'invoices'
    ? { left: 0, top: 0 }
    : view === 'phone'
      ? { left: 0, top: 57 }
      : { left: 232, top: 63 }

const keep = async (name: PictureName, view: View, shot: Buffer): Promise<void> => {
  const whole = pictures[name]
  const { file, width, height } = view === 'phone' && 'phone' in whole ? whole.phone : whole
  const corner = cornerOf(name, view)
  const picture = await sharp(shot)
    .extract({
      left: Math.round(corner.left * scale),
      top: Math.round(corner.top * scale),
      width: Math.round(width * scale),
      height: Math.round(height * scale),
    })
    .webp({ quality: 58, effort: 6 })
    .toBuffer()
  writeFileSync(target(file), picture)
  console.log(`${file}: ${Math.round(picture.length / 1024)} KB`)
}

const asData = (bytes: Buffer, type: string): string => `data:${type};base64,${bytes.toString('base64')}`

const compose = async (browser: Browser, [dashboard, map]: [Buffer, Buffer]): Promise<Buffer> => {
  const font = join(
    root,
    'node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
  )
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, deviceScaleFactor: 1 })
  await page.setContent(`<style>
    @font-face { font-family: display; font-weight: 200 800; src: url(${asData(readFileSync(font), 'font/woff2')}); }
    body { margin: 0; width: 1200px; height: 630px; overflow: hidden; position: relative; font-family: display; color: #17231b;
      background: linear-gradient(#faf8f3 0 470px, #15432f 470px); }
    b { position: absolute; left: 64px; top: 44px; font-size: 34px; color: #15432f; letter-spacing: -.01em; }
    h1 { position: absolute; left: 62px; top: 92px; margin: 0; font-size: 62px; line-height: 1.06; letter-spacing: -.03em; font-weight: 750; }
    img { position: absolute; border-radius: 12px; border: 1px solid #e0dccf; box-shadow: 0 18px 50px rgb(18 42 30 / .28); object-fit: cover; object-position: left top; }
    .dash { left: 64px; top: 266px; width: 690px; }
    .map { left: 640px; top: 216px; width: 640px; }
  </style><b>Swath</b><h1>Route, schedule, and<br>invoice in minutes.</h1>
  <img class="dash" src="${asData(dashboard, 'image/png')}"><img class="map" src="${asData(map, 'image/png')}">`)
  await page.evaluate('document.fonts.ready.then(() => true)')
  const picture = await page.screenshot()
  await page.close()
  return sharp(picture).jpeg({ quality: 82, mozjpeg: true }).toBuffer()
}

/** The crew's screens as a phone shows them, each by the path that leads there, and what is opened there. */
const crewPictures: readonly { name: string; path: string; open?: { en: RegExp; es: RegExp } }[] = [
  { name: 'today', path: '/employee-dashboard' },
  { name: 'notes', path: '/employee-dashboard', open: { en: /^Note…$/, es: /^Nota…$/ } },
  { name: 'skip', path: '/employee-dashboard', open: { en: /^Skip…$/, es: /^Saltar…$/ } },
  { name: 'overgrown', path: '/employee-dashboard', open: { en: /^Overgrown lawn…$/, es: /^Césped crecido…$/ } },
  { name: 'sell', path: '/employee-dashboard', open: { en: /^Sell extra work…$/, es: /^Vender trabajo extra…$/ } },
  { name: 'clock', path: '/employee-timeclock' },
  { name: 'weeks', path: '/employee-timesheets' },
  { name: 'days', path: '/employee-week-view' },
  { name: 'route', path: '/route-map' },
  { name: 'chat', path: '/employee-chat' },
  { name: 'quotes', path: '/employee-quotes' },
  { name: 'profile', path: '/employee-profile' },
  { name: 'signin', path: '/signin' },
]
const crewFolder = join(root, 'node_modules/.cache/pictures/crew')

/** Pictures of the crew's screens in both languages, the whole of each, for whoever looks at them before a release. */
const takeCrew = async (browser: Browser, base: string): Promise<void> => {
  mkdirSync(crewFolder, { recursive: true })
  for (const language of ['en', 'es'] as const) {
    const known = await open(browser, base, 'crew')
    const stranger = await browser.newPage({
      baseURL: base,
      viewport: { width: 390, height: 780 },
      deviceScaleFactor: scale,
    })
    for (const page of [known, stranger])
      await page.addInitScript(
        `localStorage.setItem('swath.crew.settings', '{"language":"${language}"}'); localStorage.setItem('swath.signs-in-by-pin', '1')`,
      )
    for (const { name, path, open: opens } of crewPictures) {
      const page = path === '/signin' ? stranger : known
      await page.goto(path)
      await page.locator('h1, h2').locator('visible=true').first().waitFor()
      const button = opens ? page.getByRole('button', { name: opens[language] }).first() : null
      // what the demo's next stop does not have is left out
      if (button && !(await button.isVisible({ timeout: 5000 }).catch(() => false))) continue
      await button?.click()
      await settle(page)
      const file = join(crewFolder, `${name}-${language}.png`)
      await page.screenshot({ path: file, fullPage: !opens })
      console.log(file)
    }
  }
}

const takeAll = async (browser: Browser, base: string): Promise<void> => {
  const shots = new Map<string, Buffer>()
  const desk = await open(browser, base, 'desk')
  await stage(desk, base)
  for (const view of ['desk', 'phone'] as const) {
    const page = view === 'desk' ? desk : await open(browser, base, view)
    for (const [name, scene] of Object.entries(scenes) as [keyof typeof scenes, Scene][]) {
      const isOnCard = view === 'desk' && isWanted('card') && (name === 'dashboard' || name === 'route')
      if (!isWanted(name) && !isOnCard) continue
      if (view === 'phone' && !('phone' in pictures[name])) continue
      await scene(page, view)
      const shot = await settle(page)
      shots.set(`${name} ${view}`, shot)
      if (isWanted(name)) await keep(name, view, shot)
    }
  }
  const [dashboard, map] = [shots.get('dashboard desk'), shots.get('route desk')]
  if (isWanted('card') && dashboard && map) {
    const card = await compose(browser, [dashboard, map])
    writeFileSync(target('card.jpg'), card)
    console.log(`card.jpg: ${Math.round(card.length / 1024)} KB`)
  }
  if (!isWanted('crew')) return
  const phone = await open(browser, base, 'crew')
  await phone.goto('/employee-dashboard')
  const next = phone.getByRole('button', { name: /^(Start|Finish)/ })
  await next.waitFor()
  // between two stops, the next one is begun
  if ((await next.textContent())?.startsWith('Start')) await next.click()
  await phone.getByRole('button', { name: /^Finish/ }).waitFor()
  await keep('crew', 'crew', await settle(phone))
}

await buildWeb({ ifStale: true })
const browser = await launchBrowser({ maps: true })
try {
  const before = [join(import.meta.dirname, 'web/picture-clock.ts')]
  await withProduct({ before, environment: () => ({ SWATH_DEMO: '1', SWATH_MAP_STYLE: 'none' }) }, (base) =>
    wanted.includes('crew-screens') ? takeCrew(browser, base) : takeAll(browser, base),
  )
} finally {
  await browser.close()
}
