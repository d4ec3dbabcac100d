import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from './browser.ts'
import { password } from './fixtures.ts'
import { aCrewDay } from './fixtures-day.ts'
import { legibleFindings } from './legible.ts'

const { openPage } = withBrowser({ afresh: 'file' })

/** Every screen of the crew app, with words that stand there once it is loaded. */
const screens = [
  ['/employee-week-view', 'Next days'],
  ['/employee-timeclock', 'This week'],
  ['/employee-timesheets', 'My weeks'],
  ['/employee-chat', 'Chat'],
  ['/employee-profile', 'Your receipts'],
  ['/employee-quotes', 'Quotes'],
  ['/route-map', '132 Laurel Green Ct'],
] as const

/** How much the ground of the chosen conversation differs from that of the others and from what all of them stand on. */
const chosenAgainst = (page: Page): Promise<number> =>
  page.locator('.c-threads').evaluate((nav) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const head = nav.closest('.f-head')
    const lightOf = (layers: (Element | null)[]): number => {
      if (!canvas) return 0
      for (const layer of layers) {
        canvas.fillStyle = layer ? getComputedStyle(layer).backgroundColor : '#000'
        canvas.fillRect(0, 0, 1, 1)
      }
      const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
        const share = value / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const chosen = lightOf([head, nav.querySelector('[aria-current]')])
    const others = [lightOf([head]), lightOf([head, nav.querySelector('a:not([aria-current])')])]
    return Math.min(...others.map((other) => (Math.max(chosen, other) + 0.05) / (Math.min(chosen, other) + 0.05)))
  })

/** A row of narrow lawns beside each other: of a day with this many a stripe of the strip is a few pixels wide. */
const doors = Array.from({ length: 15 }, (_, n) => `${100 + n} Mary St`)

test.each(['sun', 'night'] as const)('every screen of the crew app can be hit and read, by %s', async (theme) => {
  const { luis } = await aCrewDay({
    streets: ['132 Laurel Green Ct', '1513 Cathy St', '45 Wassaw Rd', ...doors],
    stopOf: (index) => ({
      latitude: 32.05 + index / 100,
      longitude: -81.1 + index / 100,
      ...(index === 0 ? { dog: 'Dog in back yard.', gateCode: '4711#', parking: 'On the street' } : {}),
    }),
  })
  const { page } = await openPage({ width: 390, as: { email: luis.email, password }, path: '/employee-dashboard' })
  await page.evaluate(
    (theme) => localStorage.setItem('swath.crew.settings', JSON.stringify({ language: 'en', theme, photosOn: 'any' })),
    theme,
  )
  const look = async (where: string) => {
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
    const folder = process.env.SWATH_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/${theme}-${where.replace(/\W+/g, '-')}.png` })
    expect(await legibleFindings(page), where).toEqual([])
  }
  await page.reload()
  await page.getByRole('button', { name: 'Gate code: tap to show' }).waitFor()
  await look('today')
  await page.getByRole('button', { name: 'All stops of the day' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /114 Mary St/ })
    .waitFor()
  // the list is as long as it is, and what it stands in scrolls
  expect.soft(await page.locator('dialog[open] .f-card').evaluate((c) => c.scrollHeight - c.clientHeight)).toBe(0)
  await look('all stops')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Skip…' }).click()
  await page.getByText('Locked gate').click()
  await look('why skip')
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /45 Wassaw Rd/ })
    .last()
    .click()
  await page.getByRole('button', { name: 'Do this one next' }).waitFor()
  await look('a later stop')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clock in' }).click()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('button', { name: 'Photo after' }).waitFor()
  await look('a stop under way')
  for (const [path, words] of screens) {
    await page.goto(path)
    await page.locator(`text=${words} >> visible=true`).first().waitFor()
    await look(path)
    if (path === '/employee-chat')
      expect.soft(await chosenAgainst(page), 'the chosen conversation').toBeGreaterThanOrEqual(4.5)
  }
})
