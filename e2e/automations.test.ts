import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { runAutomations } from '../src/features/automations/server/runs.ts'
import { systemActor } from '../src/platform/actor.ts'
import { runTasks } from '../src/test/api.ts'
import type { TestBusiness } from '../src/test/factories.ts'
import { aVisit, today } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** An automation is set up, looked at over the past month, tested, approved by hand, and then left to itself. */

const { openPage } = withBrowser({ afresh: 'file' })

const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SWATH_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

const aDoneVisit = async (business: TestBusiness, customer: string, hoursAgo: number, email: boolean) => {
  const { customerId, visitId } = await aVisit(business, { customer, day: today(), status: 'completed' })
  await business.db(async (db) => {
    await db
      .updateTable('customers')
      .set({ email: email ? `c${customerId.slice(-8)}@test.swath.test` : null })
      .where('businessId', '=', business.id)
      .where('id', '=', customerId)
      .execute()
    await db
      .updateTable('visits')
      .set({ finishedAt: new Date(Date.now() - hoursAgo * 3_600_000).toISOString() })
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute()
  })
  return customerId
}

test.each(widths(1440))('at %i pixels one is dry-run, approved and then live', async (width) => {
  const { business, owner, timeZone } = await aNewBusiness()
  await aDoneVisit(business, 'Rosa Marsh', 5, true)
  await aDoneVisit(business, 'Jim Oak', 4, true)
  await aDoneVisit(business, 'Nora Nowhere', 3, false)
  const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: '/customers?tab=automations' })
  const live = () => runAutomations(systemActor(business.id))

  await step('one list of everything that leaves by itself', async () => {
    await page.getByRole('heading', { name: 'Automations', level: 1 }).waitFor()
    const visits = page.getByRole('region', { name: 'Visits' })
    await visits.getByRole('link', { name: 'On the way' }).waitFor()
    expect(await page.getByText('Not set up').count()).toBe(9)
    await expectAccessible(page)
    await picture(page, `automations-empty-${width}`)
  })

  await step('it is set up, off, and waits for a yes', async () => {
    await page.getByRole('button', { name: 'Set up A visit is done' }).click()
    await page.getByRole('heading', { name: 'Set up: A visit is done', level: 1 }).waitFor()
    const form = page.getByRole('form', { name: 'A visit is done' })
    await form.getByLabel('Name').fill('After a visit')
    await form.getByLabel('E-mail, else text').check()
    await form.getByLabel('Wait for my yes').check()
    await form.getByLabel('English', { exact: true }).fill('Hi {nombre}')
    await form.getByText('There is no {nombre}.').waitFor()
    await form.getByLabel('English', { exact: true }).fill('Hi {customer first name}, the gate is shut again.')
    await form.getByText('Hi Rebecca, the gate is shut again.').waitFor()
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Save automation' }).click()
    await page.getByRole('heading', { name: 'After a visit', level: 1 }).waitFor()
    await page.getByText('Off. Once it is on, nothing leaves').waitFor()
    await picture(page, `automations-form-${width}`)
  })

  await step('a dry run says who would have got it and who would not, and a test comes to me', async () => {
    await page.getByRole('button', { name: 'Look at the last month' }).click()
    await page.getByText('This would have sent 2 messages: 2 e-mails, in the last 30 days.').waitFor()
    const would = page.getByRole('list', { name: 'Would have got it', exact: true })
    await would.getByText('Hi Rosa, the gate is shut again.').waitFor()
    await page.getByText('No mobile number or e-mail on file: 1').waitFor()
    await expectAccessible(page)
    await picture(page, `automations-dry-run-${width}`)
    await page.getByRole('button', { name: 'Send me a test' }).click()
    await page.getByRole('menuitem', { name: 'As an e-mail, English' }).click()
    await page.getByText('A test is on its way to').waitFor()
  })

  await step('once on, what happens from then on waits for a yes', async () => {
    await page.getByRole('switch', { name: 'Off', exact: true }).click()
    await page.getByText('After a visit is on from now on').waitFor()
    await live()
    await business.db((db) =>
      db
        .updateTable('automations')
        .set({ enabledAt: new Date(Date.now() - 20 * 3_600_000).toISOString() })
        .where('businessId', '=', business.id)
        .execute(),
    )
    await live()
    await page.reload()
    const waiting = page.getByRole('list', { name: 'Waiting for your yes' })
    const rosa = waiting.getByRole('listitem', { name: 'To Rosa Marsh' })
    await rosa.getByText('Hi Rosa, the gate is shut again.').waitFor()
    await expectAccessible(page)
    await picture(page, `automations-waiting-${width}`)
    await rosa.getByRole('button', { name: 'Edit words to Rosa Marsh' }).click()
    const dialog = page.getByRole('dialog')
    // written over with its variables, so that nothing of today stands still in it
    expect(await dialog.getByLabel('Message').inputValue()).toBe('Hi {customer first name}, the gate is shut again.')
    await dialog.getByLabel('Message').fill('{nombre}, we fed the cat.')
    await dialog.getByText('There is no {nombre}.').waitFor()
    await dialog.getByLabel('Message').fill('{customer first name}, we shut the gate and fed the cat.')
    await expectAccessible(page)
    await picture(page, `automations-edit-${width}`)
    await dialog.getByRole('button', { name: 'Save words' }).click()
    await rosa.getByText('Rosa, we shut the gate and fed the cat.').waitFor()
    await page.getByRole('button', { name: 'Send all 2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send all' }).click()
    await page.getByText('2 on their way').waitFor()
    await waiting.waitFor({ state: 'detached' })
  })

  await step('then it is left to itself, and its history says what became of each', async () => {
    const form = page.getByRole('form', { name: 'After a visit' })
    await form.getByLabel('By itself').check()
    await form.getByRole('button', { name: 'Save automation' }).click()
    await page.getByText('After a visit is saved').waitFor()
    await aDoneVisit(business, 'Pat Moss', 3, true)
    await live()
    await runTasks()
    await page.reload()
    const history = page.getByRole('list', { name: 'History' })
    const pat = history.getByRole('listitem').filter({ hasText: 'Pat Moss' })
    await pat.getByText(/^(Sent|Delivered)$/).waitFor()
    const nora = history.getByRole('listitem').filter({ hasText: 'Nora Nowhere' })
    await nora.getByText('No mobile number or e-mail on file').waitFor()
    await expectAccessible(page)
    await picture(page, `automations-history-${width}`)
    await pat.getByRole('link', { name: 'Messages with Pat Moss' }).click()
    await page.getByText('Hi Pat, the gate is shut again.').first().waitFor()
  })

  await step('one customer does not want it', async () => {
    const origin = new URL(page.url()).origin
    await page.goto(`${origin}/customers?tab=manage`)
    await page.getByText('Jim Oak').first().click()
    const own = page.getByRole('region', { name: 'Automations of Jim Oak' })
    await own.getByRole('switch', { name: /After a visit/ }).click()
    await expect.poll(() => own.getByRole('switch', { name: /After a visit/ }).isChecked()).toBe(false)
    await expectAccessible(page)
    await picture(page, `automations-customer-${width}`)
  })

  await step('the list counts what left, and says how often one customer is written to', async () => {
    const origin = new URL(page.url()).origin
    await page.goto(`${origin}/customers?tab=automations`)
    const row = page
      .getByRole('list', { name: 'Automations' })
      .getByRole('listitem')
      .filter({ hasText: 'After a visit' })
    await row.getByText('3 in 30 days').waitFor()
    await page.getByLabel('Each customer at most').fill('2')
    await page.getByRole('form', { name: 'How often' }).getByRole('button', { name: 'Save' }).click()
    await page.getByText('At most 2 of these a week').waitFor()
    await expectAccessible(page)
    await picture(page, `automations-list-${width}`)
  })

  await step('one that counts days says from when on it can send, and what is one of many can be chosen', async () => {
    await page.getByRole('button', { name: 'Dry run of Reminder the day before' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^This would have sent/)
      .waitFor()
    await expectAccessible(page)
    await picture(page, `automations-others-dry-run-${width}`)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Set up Win back who canceled' }).click()
    await page.getByRole('button', { name: 'Save automation' }).click()
    await page.getByText('Live it counts from the day you switch it on').waitFor()
    await expectAccessible(page)
    await picture(page, `automations-win-back-${width}`)
  })
})
