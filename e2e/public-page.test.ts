import { describe, expect, test } from 'vitest'
import { businessLeadsApi as leadsApi } from '../src/features/leads/contract.ts'
import { leadSettingsApi } from '../src/features/leads/requests/contract.ts'
import { defaultServices } from '../src/features/services/defaults/rules.ts'
import type { TestBusiness } from '../src/test/factories.ts'
import { aVisit } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** A stranger asks on the business's page: from the address to a price range, a lead in the funnel, and a customer. */

const { openPage } = withBrowser({ afresh: 'file' })

const withPrices = async (business: TestBusiness): Promise<string> => {
  await aVisit(business)
  const [service] = defaultServices
  return business.db(async (db) => {
    await db
      .updateTable('services')
      .set({ priceRule: JSON.stringify(service?.priceRule), timeRule: JSON.stringify(service?.timeRule) })
      .where('businessId', '=', business.id)
      .execute()
    const { slug } = await db
      .updateTable('businesses')
      .set({ publicPage: true, publicAbout: 'Family-run lawn care on the marsh side since 2009.' })
      .where('businessId', '=', business.id)
      .returning('slug')
      .executeTakeFirstOrThrow()
    return slug
  })
}

describe.each(widths(390))('at %i pixels', (width) => {
  test('an address becomes a price range, a request, a lead, and a customer', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const slug = await withPrices(business)
    const office = await openPage({ as: owner, timezoneId: timeZone, width, path: '/leads?tab=funnel' })
    await office.page.getByRole('button', { name: 'Form and page' }).click()
    const setup = office.page.getByRole('form', { name: 'Form and page' })
    await setup.getByText(`/lead-form/${slug}/form.js`).first().waitFor()
    await setup.getByRole('heading', { name: 'Ask for a price' }).waitFor()
    await setup.getByLabel('In these ZIP codes').check()
    await setup.getByLabel('ZIP codes', { exact: true }).fill('31401, 31419')
    await expectAccessible(office.page)
    await setup.getByRole('button', { name: 'Save form and page' }).click()
    await setup.waitFor({ state: 'detached' })
    expect((await business.api.ok(leadSettingsApi.get, {})).areaZips).toEqual(['31401', '31419'])

    const { page } = await openPage({ width, path: `/profile/${slug}` })
    const ask = page.getByRole('region', { name: 'What would my lawn cost?' })
    await ask.getByLabel('Street').fill('1 Elsewhere Rd')
    await ask.getByLabel('ZIP code').fill('99501')
    await ask.getByRole('button', { name: 'Check my address' }).click()
    await ask.getByText('does not work there yet.').waitFor()
    await expectAccessible(page)
    await ask.getByRole('button', { name: 'Another address' }).click()
    await ask.getByLabel('Street').fill('7 Bay St')
    await ask.getByLabel('ZIP code').fill('31401')
    await ask.getByRole('button', { name: 'Check my address' }).click()
    await ask.getByLabel('I know my lawn in square feet').check()
    await ask.getByRole('button', { name: 'Show my price' }).click()
    await ask.getByText('Say how large it is first.').waitFor()
    await ask.getByRole('textbox', { name: 'Lawn' }).fill('8000')
    await ask.getByRole('button', { name: 'Show my price' }).click()
    await ask.getByText('a visit').waitFor()
    await ask.getByRole('button', { name: 'Send my request' }).click()
    await ask.getByText('Please tell us your name.').waitFor()
    await ask.getByLabel('Your name').fill('Maya Brooks')
    await ask.getByRole('textbox', { name: 'Phone' }).fill('912-555-0147')
    await expectAccessible(page)
    await page.waitForFunction(() => performance.now() > 3_000)
    await ask.getByRole('button', { name: 'Send my request' }).click()
    await page.getByText('Thank you. We have your request.').waitFor()
    await expectAccessible(page)

    await expect.poll(async () => (await business.api.ok(leadsApi.list, { query: {} })).total).toBe(1)
    await office.page.getByRole('region', { name: 'New' }).getByText('Maya Brooks').waitFor()
    await office.page.getByRole('button', { name: 'Maya Brooks', exact: true }).click()
    await office.page.getByText('Price told').waitFor()
    await office.page.getByRole('button', { name: 'We talked' }).click()
    await office.page.getByText('To Contacted: First answer sent').waitFor()
    await office.page.getByRole('button', { name: 'Make a customer' }).click()
    await office.page
      .getByRole('form', { name: 'Make a customer' })
      .getByRole('button', { name: 'Make a customer' })
      .click()
    await office.page.waitForURL(/customers/)
    const { items } = await business.api.ok(leadsApi.list, { query: { search: 'Maya' } })
    expect(items[0]).toMatchObject({ stage: 'contacted', source: 'profile', customer: { name: 'Maya Brooks' } })
  })
})
