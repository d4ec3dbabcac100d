import { expect, test } from 'vitest'
import { dayOf } from '../src/shared/dates.ts'
import { aCrew, aVisit, everyDay, publishDay } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness, password } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

test('a phone that shares its position asks to start where it stands, and a person takes it', async () => {
  const { business, people, timeZone } = await aNewBusiness()
  const [luis] = people
  if (!luis) throw new Error('nobody works here')
  const day = dayOf(Date.now(), timeZone)
  const crewId = await aCrew(business, { name: 'North', members: [luis], workDays: everyDay })
  const place = { latitude: 32.06, longitude: -81.11 }
  const { visitId } = await aVisit(business, {
    crewId,
    day,
    street: '7 Bay St',
    position: 1,
    startMinute: 430,
    ...place,
  })
  await publishDay(business, crewId, day)
  const { page, context } = await openPage({ width: 390, as: { email: luis.email, password } })
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ ...place, accuracy: 9 })
  await page.goto('/employee-profile')
  await page.getByRole('button', { name: 'Share while I am on the clock' }).click()
  await page.getByText(/It begins when you clock in/).waitFor()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: 'Clock in' }).click()
  await page.waitForFunction((id) => Object.values(localStorage).some((kept) => kept.includes(`"${id}":"`)), visitId)
  expect(await page.getByText(/You seem to be at/).count()).toBe(0)
  // it has stood there for five minutes
  await page.evaluate((id) => {
    const key = Object.keys(localStorage).find((one) => one.startsWith('swath.whereabouts:')) ?? ''
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}')
    kept.where.inside[id] = new Date(Date.now() - 300_000).toISOString()
    localStorage.setItem(key, JSON.stringify(kept))
  }, visitId)
  await page.reload()
  await page.getByText(/You seem to be at 7 Bay St since/).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Start with/ }).click()
  await page.getByText(/^On site \d+ of \d+ min$/).waitFor()
})
