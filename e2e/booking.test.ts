import { describe, expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { businessLeadsApi as leadsApi } from '../src/features/leads/contract.ts'
import { defaultServices } from '../src/features/services/defaults/rules.ts'
import { addDays, formatDay } from '../src/shared/dates.ts'
import type { TestBusiness } from '../src/test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** A stranger picks the day that suits the routes, and is booked; a customer's code brings a neighbor. */

const { openPage } = withBrowser({ afresh: 'file' })

const withRoutes = async (business: TestBusiness): Promise<string> => {
  const crewId = await aCrew(business, { name: 'Truck 1', workDays: everyDay })
  await aVisit(business, { crewId, day: addDays(today(), 5), latitude: 32.0785, longitude: -81.0888 })
  await aVisit(business, { crewId, day: addDays(today(), 2), latitude: 31.95, longitude: -81.3 })
  const [service] = defaultServices
  return business.db(async (db) => {
    await db
      .updateTable('services')
      .set({ priceRule: JSON.stringify(service?.priceRule), timeRule: JSON.stringify(service?.timeRule) })
      .where('businessId', '=', business.id)
      .execute()
    const { slug } = await db
      .updateTable('businesses')
      .set({ publicPage: true, publicAbout: 'Family-run lawn care on the marsh side.', workDays: everyDay })
      .where('businessId', '=', business.id)
      .returning('slug')
      .executeTakeFirstOrThrow()
    return slug
  })
}

describe.each(widths(390))('at %i pixels', (width) => {
  test('a day is set up, picked, held and booked, and the code of a customer stands in the record', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const slug = await withRoutes(business)
    const office = await openPage({ as: owner, timezoneId: timeZone, width, path: '/leads?tab=funnel' })
    await office.page.getByRole('button', { name: 'Form and page' }).click()
    const setup = office.page.getByRole('form', { name: 'Form and page' })
    await setup.getByLabel('Visitors pick a day').check()
    await setup.getByLabel('Mow, edge, blow').last().waitFor()
    await setup.getByLabel('Reward referrals').check()
    await setup.getByRole('textbox', { name: 'For who sends' }).fill('25')
    await expectAccessible(office.page)
    await setup.getByRole('button', { name: 'Save form and page' }).click()
    await setup.waitFor({ state: 'detached' })
    const { id: rosaId } = await business.api.ok(customersApi.create, { body: { name: 'Rosa Lane' } })
    await office.page.goto(`${new URL(office.page.url()).origin}/customers?customerId=${rosaId}`)
    const referrals = office.page.getByRole('region', { name: 'Referrals' })
    await referrals.getByRole('button', { name: 'Make a code' }).click()
    const code = (await referrals.locator('code').textContent()) ?? ''
    expect(code).toMatch(/^[A-Z0-9]{6}$/)

    const { page } = await openPage({ width, path: `/profile/${slug}?ref=${code}` })
    const ask = page.getByRole('region', { name: 'What would my lawn cost?' })
    await ask.getByLabel('Street').fill('7 Bay St')
    await ask.getByLabel('ZIP code').fill('31401')
    await ask.getByRole('button', { name: 'Check my address' }).click()
    await ask.getByLabel('I know my lawn in square feet').check()
    await ask.getByRole('textbox', { name: 'Lawn' }).fill('8000')
    await ask.getByRole('button', { name: 'Show my price' }).click()
    await ask.getByRole('button', { name: 'Request a visit' }).waitFor()
    await ask.getByRole('button', { name: 'Pick a day' }).click()
    const day = addDays(today(), 5)
    const first = ask.getByRole('list').getByRole('button').first()
    await first.waitFor()
    expect(await first.textContent()).toContain(formatDay(day))
    await expectAccessible(page)
    await first.click()
    await ask.getByText('Yours until').waitFor()
    await expectAccessible(page)
    await ask.getByLabel('Your name').fill('Maya Brooks')
    await ask.getByRole('textbox', { name: 'Phone' }).fill('912-555-0147')
    await ask.getByRole('textbox', { name: 'E-mail' }).fill('maya@example.com')
    await page.waitForFunction(() => performance.now() > 3_000)
    await ask.getByRole('button', { name: 'Book this day' }).click()
    await page.getByText(`You are booked for ${formatDay(day)}.`).waitFor()
    await expectAccessible(page)

    const { items } = await business.api.ok(leadsApi.list, { query: {} })
    expect(items[0]).toMatchObject({ stage: 'won', source: 'referral', customer: { name: 'Maya Brooks' } })
    await office.page.reload()
    await referrals.getByText('Maya Brooks').waitFor()
    await expectAccessible(office.page)
    await office.page.goto(`${new URL(office.page.url()).origin}/leads?tab=funnel&leadId=${items[0]?.id}`)
    await office.page.getByText(`Booked for ${formatDay(day)} with Truck 1`).waitFor()
    await expectAccessible(office.page)
  })
})
