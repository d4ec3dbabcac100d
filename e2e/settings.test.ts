import type { Page } from 'playwright-core'
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

const savePicture = async (page: Page, name: string) => {
  if (process.env.SWATH_PICTURES)
    await page.screenshot({ path: `${process.env.SWATH_PICTURES}/${name}.png`, fullPage: true })
}

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

test('an address of one’s own leads from its records to mail that leaves from it, and texts to their registration', async () => {
  const { page, context, complaints } = await openPage({ as: owner, path: '/profile?section=messages#sender' })
  const card = page.locator('#sender')
  const field = card.getByLabel('Address that customers see')
  await field.fill('office@gmail.com')
  await card.getByRole('button', { name: 'Show me the records to set' }).click()
  await card.getByText('Anybody can have a mailbox at gmail.com').waitFor()
  await field.fill('office@evergreen-lawns.example')
  await card.getByRole('button', { name: 'Show me the records to set' }).click()
  const records = card.getByRole('list', { name: 'Records to set' })
  await records.getByRole('heading', { name: 'The domain is yours' }).waitFor()
  await card.getByRole('button', { name: 'Check now' }).click()
  await expect.poll(() => records.getByText('Not yet', { exact: true }).count()).toBeGreaterThan(1)
  await expectAccessible(page)
  await savePicture(page, 'sender-waiting-1440')
  // the records are set where the domain was bought: here on the name server of this computer
  for (const title of ['The domain is yours', 'The key that signs (DKIM)']) {
    const opened = context.waitForEvent('page')
    await records
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: title }) })
      .getByRole('link', { name: 'Set it on this computer’s name server' })
      .click()
    const dns = await opened
    await dns.getByRole('button', { name: 'Add the record' }).click()
    await dns.getByRole('heading', { name: /^Records \([1-9]/ }).waitFor()
    await expectAccessible(dns, { dark: false })
    await dns.close()
  }
  await card.getByRole('button', { name: 'Check now' }).click()
  await card.getByText('Mail leaves from it').waitFor()
  await card.getByText('Mail to customers leaves from office@evergreen-lawns.example').waitFor()
  // a new key waits beside the old one
  await card.getByRole('button', { name: 'Make a new key' }).click()
  await records.getByRole('heading', { name: 'The new key (DKIM)' }).waitFor()
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Keep the old key' }).click()
  await records.getByRole('heading', { name: 'The new key (DKIM)' }).waitFor({ state: 'detached' })

  const steps = page.locator('#texts')
  await steps.getByRole('button', { name: 'Begin the registration' }).click()
  const dialog = page.getByRole('dialog', { name: 'Registering your texts' })
  await dialog.getByRole('radio', { name: /toll-free/ }).check()
  await dialog.getByLabel('Kind of business').selectOption({ label: 'Sole proprietor' })
  for (const [label, text] of [
    ['Street', '1 Oak St'],
    ['City', 'Savannah'],
    ['ZIP code', '31401'],
    ['Website', 'https://evergreen-lawns.example'],
    ['E-mail', 'office@evergreen-lawns.example'],
    ['Phone', '(912) 555-0143'],
  ] as const)
    await dialog.getByLabel(label, { exact: true }).fill(text)
  await dialog.getByLabel('State').selectOption({ label: 'Georgia' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await steps.getByRole('button', { name: 'I sent it in' }).click()
  await page.getByRole('dialog', { name: 'I sent it in' }).getByRole('button', { name: 'Save' }).click()
  await steps.getByText(/^Sent in on/).waitFor()
  await expectAccessible(page)
  await savePicture(page, 'sender-live-1440')
  expectQuiet(complaints, /status of 422/)

  const phone = await openPage({ as: owner, path: '/profile?section=messages#sender', width: 390 })
  const small = phone.page.locator('#sender')
  await small.getByText('Mail leaves from it').waitFor()
  await phone.page
    .locator('#texts')
    .getByText(/^Sent in on/)
    .waitFor()
  await phone.page.getByText('Words to copy into the registration').click()
  await expectAccessible(phone.page)
  await savePicture(phone.page, 'sender-390')
  await small.getByRole('button', { name: 'Remove' }).click()
  await phone.page.getByRole('button', { name: 'Remove the address' }).click()
  await small.getByLabel('Address that customers see').waitFor()
  expectQuiet(phone.complaints)
})

test.each([1440, 390])(
  'what one hears of is chosen by kind and way, and the mail has its hour, at %i px',
  async (width) => {
    const { page, complaints } = await openPage({ as: owner, path: '/profile?section=you#news', width })
    const hour = page.getByLabel('Mail with what you have not read')
    const chat = page.getByRole('group', { name: 'Crew chat' })
    const choose = async (on: boolean) => {
      const kept = page.waitForResponse('**/api/notification-choices/topics')
      await chat.getByText('On the bell').click()
      expect((await kept).status()).toBe(200)
      expect(await chat.getByLabel('On the bell').isChecked()).toBe(on)
    }
    await hour.selectOption('17')
    await expect.poll(() => chat.getByLabel('In the mail').isEnabled()).toBe(true)
    if (!(await chat.getByLabel('On the bell').isChecked())) await choose(true)
    await choose(false)
    await expectAccessible(page)
    await savePicture(page, `news-${width}`)
    await page.reload()
    await expect.poll(() => hour.inputValue()).toBe('17')
    expect(await chat.getByLabel('On the bell').isChecked()).toBe(false)
    await choose(true)
    await hour.selectOption('none')
    await expect.poll(() => chat.getByLabel('In the mail').isDisabled()).toBe(true)
    expectQuiet(complaints)
  },
)
