import { expect, test } from 'vitest'
import { quotesApi } from '../src/features/quotes/contract.ts'
import { crewQuotesApi } from '../src/features/quotes/crew/contract.ts'
import { defaultServices } from '../src/features/services/defaults/rules.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay, aPhoto } from './fixtures-day.ts'
import { legibleFindings } from './legible.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

test('a quote is noted without a signal, with its photo, over a kill of the screen: the office has both with the next signal', async () => {
  const { business, luis } = await aCrewDay({ streets: ['7 Bay St', '45 Wassaw Rd'] })
  const rules = {
    priceRule: JSON.stringify(defaultServices[0]?.priceRule),
    timeRule: JSON.stringify(defaultServices[0]?.timeRule),
  }
  await business.db((db) => db.updateTable('services').set(rules).where('businessId', '=', business.id).execute())
  const as = { email: luis.email, password }
  const { page, context, complaints } = await openPage({ width: 390, as, path: '/employee-dashboard' })
  await page.getByRole('heading', { name: '7 Bay St' }).waitFor()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.goto('/employee-quotes')
  await page.getByText('45 Wassaw Rd').first().waitFor()
  await expectAccessible(page)
  expect(await legibleFindings(page)).toEqual([])

  await context.setOffline(true)
  await step('the address that the office has, too, opens the crew app', async () => {
    await page.goto('/quote-builder-pro')
    await page.getByText('45 Wassaw Rd').first().waitFor()
  })
  await page.goto('/employee-quotes')
  await step('the list is there as it was last', async () => {
    await page.getByText(/^No signal: this is the list/).waitFor()
    await page.getByText('45 Wassaw Rd').first().click()
    await page.getByRole('checkbox').first().check({ force: true })
    await page.getByRole('textbox', { name: 'What else should the office know?' }).fill('Two beds by the drive')
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(await aPhoto())
    await page.getByText('1 photo', { exact: true }).waitFor()
    await expectAccessible(page)
  })
  await step('what was noted is there after a kill', async () => {
    await page.goto('/employee-quotes')
    await page.getByText('1 photo', { exact: true }).waitFor()
    expect(await page.getByRole('textbox', { name: 'What else should the office know?' }).inputValue()).toBe(
      'Two beds by the drive',
    )
    await page.getByRole('button', { name: 'Send it to the office' }).click()
    await page.getByText('On this phone').first().waitFor()
    expect((await business.api.ok(quotesApi.list, { query: { view: 'noted' } })).items).toEqual([])
  })
  await step('and leaves by itself', async () => {
    await context.setOffline(false)
    await page.getByText('All sent').waitFor()
    await page.getByText('With the office').waitFor()
    const [quote] = (await business.api.ok(quotesApi.list, { query: { view: 'noted' } })).items
    const whole = () => business.api.ok(quotesApi.get, { params: { id: quote?.id ?? '' } })
    await expect.poll(async () => (await whole()).photos.length).toBe(1)
    expect((await whole()).note).toBe('Two beds by the drive')
    expect((await luis.api.ok(crewQuotesApi.list, {})).items).toHaveLength(1)
  })
  expectQuiet(complaints, away)
})
