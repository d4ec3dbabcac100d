import { expect, test } from 'vitest'
import { withBrowser } from './browser.ts'
import { password } from './fixtures.ts'
import { aCrewDay, crewHands } from './fixtures-day.ts'

const { openPage } = withBrowser({ afresh: 'file' })

/** Minutes of the day of "Clocked in 5:14 AM · 0 min", as a crew reads them. */
const minuteOf = (words: string): number => {
  const [, hour = 0, minute = 0, half] = words.match(/(\d+):(\d+) ([AP])M/) ?? []
  return (Number(hour) % 12) * 60 + Number(minute) + (half === 'P' ? 720 : 0)
}

test.each([
  ['fast', 1],
  ['slow', -1],
])('a phone that is an hour %s shows when it was, and how long that is, without a signal too', async (_, hours) => {
  const { luis } = await aCrewDay({ streets: ['7 Bay St', '45 Wassaw Rd'] })
  const as = { email: luis.email, password }
  const { page, context } = await openPage({ width: 390, as, path: '/employee-dashboard' })
  const hands = crewHands(page)
  await page.addInitScript((aheadMs) => {
    const own = Date.now.bind(Date)
    Date.now = () => own() + aheadMs
    const Real = Date
    globalThis.Date = new Proxy(Real, {
      construct: (target, args: []) => (args.length > 0 ? new target(...args) : new target(target.now())),
    })
  }, hours * 3_600_000)
  await page.reload()
  await page.getByRole('button', { name: 'Clock in' }).waitFor()
  await hands.allSent()
  await hands.isKept()
  const header = page.locator('.f-head')
  const isNow = async () => {
    await header.getByText(/^Clocked in .* · 0 min$/).waitFor()
    const own = await page.evaluate(
      (aheadMs) =>
        new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric', minute: 'numeric' }).format(
          Date.now() - aheadMs,
        ),
      hours * 3_600_000,
    )
    const offMinutes = Math.abs(minuteOf((await header.textContent()) ?? '') - minuteOf(own))
    expect(Math.min(offMinutes, 1440 - offMinutes)).toBeLessThanOrEqual(2)
  }
  await context.setOffline(true)
  // opened cold: nothing but what the phone keeps says what time it is
  await page.reload()
  await page.getByRole('button', { name: 'Clock in' }).click()
  await isNow()
  await hands.start()
  await page.reload()
  await isNow()
  await page.getByText(/^On site 0 of \d+ min$/).waitFor()
  await context.setOffline(false)
  await hands.allSent()
  await isNow()
  await page.getByText(/^On site 0 of \d+ min$/).waitFor()
})
