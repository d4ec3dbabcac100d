import { expect, test } from 'vitest'
import { officeNav } from '../src/app/nav.ts'
import { includesScreen } from '../src/app/roleScreens.ts'
import { quotesApi } from '../src/features/quotes/contract.ts'
import { permissionPresets } from '../src/shared/roles.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, password, step } from './fixtures.ts'

/** Who does not work with money is led nowhere where they may not be; what is begun on a quote outlives a look elsewhere. */

const person = { role: 'Admin', permissions: permissionPresets.dispatcher } as const
const { openPage } = withBrowser({ afresh: 'file' })

const aDispatcher = async () => {
  const made = await aNewBusiness()
  const [tess] = made.people
  await made.business.db((db) =>
    db
      .updateTable('users')
      .set({ role: person.role, permissions: [...person.permissions] })
      .where('id', '=', tess?.userId ?? '')
      .execute(),
  )
  return { ...made, tess: { email: tess?.email ?? '', password } }
}

test('no screen that a dispatcher is led to ends in a refusal', async () => {
  const { tess, timeZone } = await aDispatcher()
  const { page } = await openPage({ as: tess, timezoneId: timeZone, path: '/dashboard' })
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Leads' }).waitFor()
  expect(await nav.getByRole('link', { name: 'Quotes' }).count()).toBe(0)
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${new URL(page.url()).pathname}: ${new URL(response.url()).pathname}`)
  })
  const links = officeNav.flatMap(({ entries }) =>
    entries.flatMap(({ href, items = [] }) => [href, ...items.map((item) => item.href)]),
  )
  for (const link of links.filter((href) => includesScreen(person, href))) {
    await page.goto(link)
    await page.locator('#screen :is(h1, h2):visible').first().waitFor()
    // what is asked for is asked for before the screen says that it waits no longer
    await expect
      .poll(() => page.locator('#screen .ui-skeleton:visible').count(), { message: link, timeout: 20_000 })
      .toBe(0)
    if ((await page.getByText('This is not part of your role').count()) > 0) refused.push(link)
  }
  expect(refused).toEqual([])
})

test.each(widths(1440))('at %i pixels a link to quotes says whom to ask', async (width) => {
  const { tess, timeZone } = await aDispatcher()
  const { page } = await openPage({ as: tess, timezoneId: timeZone, width, path: '/quotes?tab=manage' })
  await page.getByText('This is not part of your role').waitFor()
  await expectAccessible(page)
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

test.each(widths(390))('at %i pixels a quote that is not saved is there again', async (width) => {
  const { business, owner, timeZone } = await aNewBusiness()
  const { propertyId } = await aLawn(business, {})
  const quote = await business.api.ok(quotesApi.create, {
    body: { propertyId, templateId: null, title: 'A green season' } as never,
  })
  const { page } = await openPage({
    as: owner,
    timezoneId: timeZone,
    width,
    path: `/quote-builder-pro?quoteId=${quote.id}`,
  })
  const title = page.getByLabel('Title')
  await step('a look at another screen and the way back lose nothing', async () => {
    await title.fill('Unsaved words')
    await page.getByText('Not saved').waitFor()
    await page.getByRole('link', { name: 'Quotes' }).first().click()
    await page.waitForURL(/\/quotes(\?|$)/)
    await page.getByText('Not saved').waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByText('What you had not saved is here again.').waitFor()
    expect(await title.inputValue()).toBe('Unsaved words')
    await expectAccessible(page)
  })
  await step('a reload asks first', async () => {
    const asked = page.waitForEvent('dialog')
    const gone = page.reload().catch(() => null)
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await gone
    expect(await title.inputValue()).toBe('Unsaved words')
  })
  await step('what is saved is no longer asked about', async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: /Q-/ }).waitFor()
    expect(await title.inputValue()).toBe('Unsaved words')
  })
})
