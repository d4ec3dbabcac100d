import { buildWeb } from '../../scripts/build-web.ts'
import { launchBrowser } from '../../scripts/web/browser.ts'
import { withProduct } from '../../scripts/web/product.ts'
import { demoPassword } from '../../src/demo/business.ts'
import { median } from '../server.ts'

const rounds = 5
const aimMs = 300

type Times = { there: number; drawn: number }

/** Measures inside the page, from the press on the link to the frame after the map stands on it, and to the one after its pins are drawn. */
const timeToMap = `new Promise((resolve) => {
  const began = performance.now()
  let there = 0
  const look = () => requestAnimationFrame(() => {
    const now = performance.now() - began
    if (!there && document.querySelector('.ui-map__canvas canvas')) there = now
    if (document.querySelector('.ui-map__canvas[data-drawn]')) resolve({ there, drawn: now })
    else look()
  })
  document.querySelector('a[href^="/route-map"]').click()
  look()
})`

/**
 * `npm run bench -- map`: how long after the press on its link the route map is on the page, and its pins are drawn: the very first time in a browser (the pointer
 * reaches for the link half a second before), the first time after a reload, and again. The demo's day, no streets.
 */
export const run = async (): Promise<void> => {
  await buildWeb({ ifStale: true })
  const browser = await launchBrowser({ maps: true })
  const environment = () => ({ SWATH_MAP_STYLE: 'none', SWATH_LOG_LEVEL: 'error' })
  await withProduct({ environment }, async (base) => {
    const found: Record<'never opened' | 'opened before, page reloaded' | 'open a moment ago', Times[]> = {
      'never opened': [],
      'opened before, page reloaded': [],
      'open a moment ago': [],
    }
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ baseURL: base, viewport: { width: 1440, height: 1000 } })
      const login = await context.request.post('/api/auth/login', {
        data: { email: 'owner@demo.swath.test', password: demoPassword },
        headers: { origin: base },
      })
      if (!login.ok()) throw new Error(`Signing in answered ${login.status()}.`)
      await context.addCookies([{ name: 'swath_app', value: 'admin', url: base }])
      const page = await context.newPage()
      const measure = async () => {
        const link = page.locator('a[href^="/route-map"]').first()
        await link.waitFor()
        await link.hover()
        await page.waitForTimeout(500)
        return page.evaluate<Times>(timeToMap)
      }
      await page.goto('/dashboard')
      found['never opened'].push(await measure())
      await page.goto('/dashboard')
      found['opened before, page reloaded'].push(await measure())
      await page.locator('a[href^="/dashboard"]').first().click()
      await page.waitForURL('**/dashboard')
      found['open a moment ago'].push(await measure())
      await context.close()
    }
    console.table(
      Object.entries(found).map(([opening, times]) => {
        const [there, drawn] = [times.map((one) => one.there), times.map((one) => one.drawn)]
        return {
          opening,
          'on the page, median ms': Math.round(median(there)),
          'worst ms': Math.round(Math.max(...there)),
          held: median(there) <= aimMs,
          'pins drawn, median ms': Math.round(median(drawn)),
        }
      }),
    )
  }).finally(() => browser.close())
}
