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
  ['/route-map', '132 Laurel Green Ct'],
] as const

test.each(['sun', 'night'] as const)('every screen of the crew app can be hit and read, by %s', async (theme) => {
  const { luis } = await aCrewDay({
    streets: ['132 Laurel Green Ct', '1513 Cathy St', '45 Wassaw Rd'],
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
    expect(await legibleFindings(page), where).toEqual([])
  }
  await page.reload()
  await page.getByRole('button', { name: 'Gate code: tap to show' }).waitFor()
  await look('today')
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
  }
})
