import { expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { clock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { runTasks } from '../src/test/api.ts'
import { aBusiness, type TestBusiness } from '../src/test/factories.ts'
import { subscribe } from '../src/test/plans.ts'
import { expectQuiet, withBrowser } from './browser.ts'
import { expectAccessibleAtBothWidths, password } from './fixtures.ts'

/** Trial, the limit, a larger plan, the end, and what is left then. */

const { openPage } = withBrowser({ afresh: 'file' })

/** A business without a plan, with so many customers, and how its owner signs in. */
const anOwnerWith = async (customers: string[]) => {
  const own = await aBusiness({ name: 'Marsh Side Lawns', tier: null })
  const passwordHash = await hashPassword(password)
  const at = clock.iso()
  await own.db(async (db) => {
    await db.updateTable('users').set({ passwordHash }).where('businessId', '=', own.id).execute()
    if (customers.length > 0)
      await db
        .insertInto('customers')
        .values(customers.map((name) => ({ businessId: own.id, id: newId(), name, createdAt: at, updatedAt: at })))
        .execute()
  })
  return { own, as: { email: own.owner.email, password } }
}
const named = (count: number) => Array.from({ length: count }, (_, i) => `Customer ${i + 1}`)
const customerCount = (own: TestBusiness) =>
  own.db(
    async (db) => (await db.selectFrom('customers').select('id').where('businessId', '=', own.id).execute()).length,
  )

test('without a plan the dashboard leads to the prices and says why; the trial begins at the checkout, which says everything before', async () => {
  const { own, as } = await anOwnerWith([])
  const { page } = await openPage({ as, path: '/dashboard' })
  await page.waitForURL('**/pricing')
  await page.getByText('Active subscription required to access this feature.').waitFor()
  await page.getByText(`Signed in as ${own.owner.email}.`).waitFor()
  await expectAccessibleAtBothWidths(page)
  const basic = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Basic' }) })
  await page.getByLabel('Have a code?').waitFor()
  await basic.getByRole('link', { name: 'Start free trial' }).click()
  await page.waitForURL('**/local/checkout/plan/**')
  await page.getByText('Due today').waitFor()
  await page.getByText('Sales tax').waitFor()
  await page.getByText(/First payment on .*, \$49\.99, then \$49\.99 a month/).waitFor()
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('button', { name: /3155/ }).click()
  await page.getByRole('button', { name: 'Start the free trial' }).click()
  await page.getByRole('button', { name: 'Yes, it is me' }).click()
  await page.getByRole('heading', { name: 'Your trial has begun' }).waitFor()
  await expectAccessibleAtBothWidths(page)
  await runTasks()
  await page.getByRole('link', { name: 'Open the dashboard' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
})

test('the 25th customer goes in, the 26th is refused and names the plan', async () => {
  const { own, as } = await anOwnerWith(named(24))
  await subscribe(own, 'price_basic_month')
  const { page } = await openPage({ as })
  const add = async (name: string) => {
    await page.goto('/customers?tab=create')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await page.getByRole('button', { name: `Add ${name}`, exact: true }).click()
  }
  await add('Rosa Twentyfive')
  await expect.poll(() => customerCount(own)).toBe(25)
  await add('Sam Onemore')
  await page.getByText(/Your Basic plan holds 25 customers and you have 25\. Pro holds 100 customers/).waitFor()
  await page.goto('/profile#plan')
  await page.getByText('25 of 25').waitFor()
  await page.getByText(/The limit is reached/).waitFor()
  await expectAccessibleAtBothWidths(page)
})

test('a larger plan is taken in the profile, with its price said before', async () => {
  const { own, as } = await anOwnerWith(named(25))
  await subscribe(own, 'price_basic_month')
  const { page } = await openPage({ as, path: '/profile#plan' })
  await page.getByRole('button', { name: 'Change plan' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Pro, \$79\.99 a month/).check()
  await dialog.getByText('Your trial ends today').waitFor()
  await dialog.getByText('$79.99 now').waitFor()
  await dialog.getByRole('button', { name: 'Change to Pro' }).click()
  await page.getByText('You are on Pro now').first().waitFor()
  await runTasks()
  await page.getByText('25 of 100').waitFor()
  await page
    .getByRole('cell', { name: /\$79\.99/ })
    .first()
    .waitFor()
})

test('it is canceled, ends with its period, and the office reads only', async () => {
  const { own, as } = await anOwnerWith(['Rosa Twentyfive'])
  await subscribe(own)
  const { page, complaints } = await openPage({ as, path: '/profile#plan' })
  await page.getByRole('button', { name: 'Cancel the plan' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the plan' }).click()
  await page.getByText(/Canceled: everything stays on until/).waitFor()
  await page.getByRole('button', { name: 'Card and billing' }).click()
  await page.waitForURL('**/local/portal/**')
  await page
    .getByText(/^.*Ends on /)
    .first()
    .waitFor()
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('button', { name: 'Go to the next period' }).click()
  await page.getByText('There is no subscription.').waitFor()
  await runTasks()
  await page.getByRole('link', { name: 'Back to Swath' }).click()
  await page.getByText('No active subscription.').waitFor()
  await page.getByText('Your plan ended').waitFor()
  await page.goto('/customers?tab=manage')
  await page.getByText('Rosa Twentyfive').first().waitFor()
  await page.goto('/jobs')
  await page.waitForURL('**/pricing')
  await page.getByText('Active subscription required to access this feature.').waitFor()
  expectQuiet(complaints, /402|Failed to load resource|WebGL/)
})
