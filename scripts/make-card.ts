import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { demoPassword } from '../src/demo/demo.ts'
import { buildWeb } from './build-web.ts'
import { launchBrowser } from './web/browser.ts'

// Makes the picture that other sites show with a link to ours (src/features/marketing/web/card.jpg) from the real screens of the demo business:
//   node scripts/make-card.ts
// Run it again when those screens have changed.

const root = join(import.meta.dirname, '..')
const target = join(root, 'src/features/marketing/web/card.jpg')
const port = 4800 + (process.pid % 100)
const base = `http://localhost:${port}`

const withDemo = async (work: () => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-card-'))
  const child = spawn(process.execPath, [join(root, 'src/main-api.ts')], {
    env: { ...process.env, SWATH_DATA_DIR: join(folder, 'var'), SWATH_DEMO: '1', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    const isUp = () =>
      fetch(`${base}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isUp())) {
      if (child.exitCode !== null) throw new Error('The server ended before it answered.')
      await sleep(200)
    }
    await work()
  } finally {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

const takeScreens = async (browser: Browser): Promise<[dashboard: Buffer, map: Buffer]> => {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  })
  const answer = await context.request.post('/api/auth/login', {
    data: { email: 'owner@demo.swath.test', password: demoPassword },
    headers: { origin: base },
  })
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}.`)
  await context.addCookies([{ name: 'swath_app', value: 'admin', url: base }])
  const page = await context.newPage()
  const shot = async (path: string): Promise<Buffer> => {
    await page.goto(path)
    await page.locator('main h1').first().waitFor()
    // Done when nothing moves any more: two pictures a second apart are the same.
    for (let before = await page.screenshot(), tries = 0; tries < 30; tries++) {
      await sleep(1000)
      const now = await page.screenshot()
      if (now.equals(before)) break
      before = now
    }
    return page.screenshot()
  }
  const screens: [Buffer, Buffer] = [await shot('/dashboard'), await shot('/route-map')]
  await context.close()
  return screens
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

await buildWeb({ ifStale: true })
const browser = await launchBrowser()
try {
  await withDemo(async () => {
    const card = await compose(browser, await takeScreens(browser))
    writeFileSync(target, card)
    console.log(`${target}: ${Math.round(card.length / 1024)} KB`)
  })
} finally {
  await browser.close()
}
