import { beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { aBusiness } from '../src/test/factories.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
let owner: { email: string; password: string }

beforeAll(async () => {
  const business = await aBusiness()
  const password = 'correct horse 1'
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
  owner = { email: business.owner.email, password }
})

test('settings are found by their words, keep what is typed, and have an address each', async () => {
  const { page, complaints } = await openPage({ as: owner, path: '/profile' })
  const search = page.getByRole('searchbox', { name: 'Search the settings' })
  const index = page.getByRole('navigation', { name: 'Settings' })
  await page.getByRole('heading', { level: 1, name: 'You' }).waitFor()
  await search.fill('time zone')
  await index.getByRole('link', { name: /Business details/ }).click()
  await page.waitForURL('**/profile?section=business#details')
  const city = page.getByLabel('City')
  await city.fill('Tybee Island')
  await search.fill('')
  await index.getByRole('link', { name: /^Money/ }).click()
  await page.getByRole('heading', { name: 'Taxes' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Money')
  await index.getByRole('link', { name: /^Business.*not saved$/ }).click()
  expect(await city.inputValue()).toBe('Tybee Island')
  await page.getByRole('button', { name: 'Save business details' }).click()
  await page.getByText('Details saved').waitFor()
  await expect.poll(() => index.getByText('not saved').count()).toBe(0)
  await page.reload()
  await expect.poll(() => page.getByLabel('City').inputValue()).toBe('Tybee Island')
  // an older link names only the card, and an older address only the screen
  await page.goto('/profile#quiet')
  await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor()
  await page.goto('/integrations')
  await page.waitForURL('**/profile?section=integrations')
  await page.getByRole('heading', { name: 'Card payments' }).waitFor()
  await expectAccessible(page)
  expectQuiet(complaints)
})

test('on a phone the index is a page, and back leads to it', async () => {
  const { page } = await openPage({ as: owner, path: '/profile', width: 390 })
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Team/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
  expect(await page.getByRole('searchbox', { name: 'Search the settings' }).isVisible()).toBe(false)
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('link', { name: /^Plan/ }).waitFor()
})

test('colors follow the system until somebody chooses, in every tab and from the first paint', async () => {
  const { page, context } = await openPage({ as: owner, path: '/profile' })
  const paper = (of = page) => of.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await paper()
  const other = await context.newPage()
  await other.goto('/tools')
  await other.getByRole('heading', { level: 1 }).waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => paper()).not.toBe(light)
  const dark = await paper()
  await page.getByRole('radio', { name: /^Light/ }).check()
  await expect.poll(() => paper()).toBe(light)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('radio', { name: /^Dark/ }).check()
  await expect.poll(async () => [await paper(), await paper(other)]).toEqual([dark, dark])
  // before any script of the app has run
  await context.route('**/assets/**/*.js', (route) => route.abort())
  await other.goto('/signin')
  expect(await other.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
})
