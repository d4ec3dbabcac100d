import { expect, test } from 'vitest'
import { demoPassword } from '../src/demo/business.ts'
import { deskApi } from '../src/features/desk/contract.ts'
import { couponsApi } from '../src/features/subscriptions/coupons/contract.ts'
import { withProspects } from '../src/platform/db/prospects.ts'
import { runTasks } from '../src/test/api.ts'
import { anOwner } from '../src/test/prospects.ts'
import { expectQuiet, type Opened, withBrowser } from './browser.ts'
import { step } from './fixtures.ts'

// One lawn company from the advertisement to the paid plan, on its phone and on the product owner's desk. It is one test, because every step needs what the ones before it left behind.

const { openPage } = withBrowser({ afresh: 'file' })
const email = 'marcus@pruittmowing.test'
const signIn = async ({ page }: Opened, button: string) => {
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: button }).click()
}

test('a lawn company comes by an advertisement and becomes a customer', { timeout: 300_000 }, async () => {
  const owner = await anOwner()
  await owner.ok(couponsApi.create, { body: { code: 'FALL15' } as never })
  await withProspects((db) =>
    db.updateTable('settings').set({ postalAddress: '1 Mill Rd, Savannah, GA 31401' }).execute(),
  )
  let phone: Opened
  let desk: Opened
  let link = ''
  const lead = async () => (await owner.ok(deskApi.leads, { query: { search: email } })).leads[0]
  const row = () => desk.page.getByRole('row').filter({ hasText: 'Marcus Pruitt' })

  await step('a lawn company', async () => {
    await step('comes by an advertisement and leaves its name', async () => {
      phone = await openPage({
        width: 390,
        path: '/landing?gclid=abc&utm_campaign=fall',
        timezoneId: 'America/New_York',
      })
      const { page } = phone
      await page.getByLabel('Full name').fill('Marcus Pruitt')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Phone').fill('(912) 555-0133')
      await page.getByRole('button', { name: 'Get my free Setup Sprint' }).click()
      await page.getByRole('link', { name: 'Continue to Full Application' }).click()
      await page.getByText('Question 1 of 6').waitFor()
      expect(await lead()).toMatchObject({ source: 'google_ads', campaign: 'fall', status: 'new' })
    })

    await step('applies, and books a call in its own zone', async () => {
      const { page } = phone
      const next = page.getByRole('button', { name: 'Continue' })
      await page.getByLabel('Business name').fill('Pruitt Mowing')
      await page.getByLabel('Your role').fill('Owner')
      for (const choice of ['51-100', '2-5 employees', 'Paper or a whiteboard', 'Driving between lawns']) {
        await next.click()
        await page.getByText(choice).click()
      }
      await next.click()
      await page.getByText('Within two weeks').click()
      await page.getByText('Yes, I can make both calls').click()
      await page.getByRole('button', { name: 'Send application' }).click()
      await page.getByRole('heading', { name: 'We have your application.' }).waitFor()
      await page.getByRole('link', { name: 'Book a call' }).first().click()
      await page.locator('[data-times] button').first().click()
      await page.getByRole('button', { name: 'Book this call' }).click()
      await page.getByRole('heading', { name: 'Your call is booked.' }).waitFor()
      expectQuiet(phone.complaints)
    })
  })

  await step('the product owner', async () => {
    await step('sees who applied and when the call is, and admits them', async () => {
      desk = await openPage({ path: '/owner/leads' })
      await signIn(desk, 'Access Leads Dashboard')
      const { page } = desk
      await row().getByText('Google Ads').waitFor()
      await row().getByRole('button', { name: 'Details' }).click()
      const details = page.getByRole('dialog', { name: 'Marcus Pruitt' })
      await details.getByText('Pruitt Mowing').first().waitFor()
      await details.getByText('Driving between lawns').waitFor()
      await details.getByRole('heading', { name: 'Calls' }).waitFor()
      await details.getByRole('button', { name: 'Admit' }).click()
      await page.getByText('Admitted to the Setup Sprint').waitFor()
      await details.getByRole('button', { name: 'Close' }).click()
    })

    await step('texts and mails; the lead is contacted', async () => {
      const { page } = desk
      await row().getByRole('button', { name: 'SMS', exact: true }).click()
      const sms = page.getByRole('dialog', { name: 'Send SMS' })
      await sms.getByRole('button', { name: 'Initial contact' }).click()
      await sms.getByRole('button', { name: 'Send SMS' }).click()
      // at night, where the lead is, it waits for the morning
      await page.getByText(/SMS sent successfully!|The SMS waits until/).waitFor()
      await row().getByRole('button', { name: 'Email', exact: true }).click()
      const mail = page.getByRole('dialog', { name: 'Send Email' })
      await mail.getByRole('button', { name: 'Initial contact' }).click()
      await mail.getByLabel('Coupon for [INSERT_COUPON]').selectOption({ label: 'FALL15, 15% off' })
      await mail.getByRole('button', { name: 'Fill in' }).click()
      await mail.getByRole('button', { name: 'Send Email' }).click()
      await page.getByText('Email sent successfully!').waitFor()
      await expect.poll(async () => (await lead())?.status).toBe('contacted')
      await runTasks()
    })

    await step('reads the answer in the conversation and moves the lead on', async () => {
      const played = await openPage({ path: '/local/prospects' })
      const { page } = played
      await page
        .getByRole('button', { name: /Marcus Pruitt/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Sign in to answer as Marcus Pruitt' }).click()
      await signIn(played, 'Open the simulator')
      await page.getByLabel('Reply as Marcus Pruitt').fill('Tuesday at nine works.')
      await page.getByRole('button', { name: 'Reply', exact: true }).click()
      await page.getByText('The answer is on its way into the conversation').waitFor()
      await runTasks()

      await desk.page.getByRole('button', { name: 'Conversations' }).click()
      await desk.page.getByRole('button', { name: /Marcus Pruitt/ }).click()
      await desk.page.getByText('Tuesday at nine works.').waitFor()
      await desk.page.getByRole('button', { name: 'All Leads' }).click()
      await desk.page.getByLabel('Status of Marcus Pruitt').selectOption('qualified')
      await desk.page.getByText('Lead status updated to qualified').waitFor()
      expectQuiet(desk.complaints)
    })

    await step('opens the account and makes the checkout link', async () => {
      const portal = await openPage({ path: '/owner/register' })
      const { page } = portal
      await signIn(portal, 'Access Registration Portal')
      await page.getByLabel('Name', { exact: true }).fill('Marcus Pruitt')
      await page.getByLabel('Email', { exact: true }).fill(email.toUpperCase())
      await page.getByLabel('Password', { exact: true }).fill('mow the lawn 7')
      await page.getByLabel('Confirm password', { exact: true }).fill('mow the lawn 7')
      await page.getByLabel('Number of customers').selectOption('51-100')
      await page.getByLabel('Company size').selectOption('small')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('Account created for Marcus Pruitt').waitFor()
      await page.getByRole('button', { name: 'Generate link for Pro' }).click()
      link = await page.getByLabel('Checkout link for Pro, monthly').inputValue()
      await runTasks()
      expect(await lead()).toMatchObject({ hasAccount: true, isCustomer: false, status: 'qualified' })
    })
  })

  await step('the lawn company', async () => {
    await step('pays from the link, and is converted on the desk', async () => {
      const { page } = phone
      await page.goto(link)
      await page.getByText('Due today').waitFor()
      await page.getByRole('button', { name: /^Pay \$/ }).click()
      await page.waitForURL('**/payment-success**')
      await runTasks()
      expect(await lead()).toMatchObject({ hasAccount: true, isCustomer: true, status: 'converted' })
      await desk.page.reload()
      await expect.poll(() => desk.page.getByLabel('Status of Marcus Pruitt').inputValue()).toBe('converted')
    })

    await step('signs in and begins', async () => {
      const { page } = phone
      await page.goto('/signin')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('mow the lawn 7')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL('**/dashboard')
      await page.getByText('Setup Sprint').first().waitFor()
    })
  })
})
