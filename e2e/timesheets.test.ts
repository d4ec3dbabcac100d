import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sheetsApi } from '../src/features/timeclock/sheets/contract.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { aNewBusiness, password, step, threeCrews } from './fixtures.ts'

/** A day from the clock on the phone to the week that the office approves; the phone has no signal when it is handed in. */

const { openPage } = withBrowser({ afresh: 'file' })
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

test('a day is worked, handed in without a signal, corrected and approved', async () => {
  const made = await aNewBusiness()
  const { business, owner, people, timeZone } = made
  await threeCrews(made)
  const [luis] = people
  if (!luis) throw new Error('nobody works here')
  const phone = await openPage({
    width: 390,
    as: { email: luis.email, password },
    timezoneId: timeZone,
    path: '/employee-timeclock',
  })
  const { page, context } = phone
  await step('the clock goes on, in the shop and at the stops', async () => {
    await page.getByRole('button', { name: 'Clock in', exact: true }).click()
    await page.getByText('Shop', { exact: true }).first().click()
    await page.getByText('Work', { exact: true }).first().click()
    await page.getByText('All sent').waitFor()
    await expect
      .poll(() => business.db((db) => db.selectFrom('timeEntries').select('kind').orderBy('startedAt').execute()))
      .toEqual([{ kind: 'work' }, { kind: 'shop' }, { kind: 'work' }])
    await expectAccessible(page)
  })
  await business.db((db) =>
    sql`update time_entries set started_at = started_at - interval '4 hours', ended_at = ended_at - interval '4 hours'`.execute(
      db,
    ),
  )
  await step('the week is on the phone', async () => {
    await page.getByRole('link', { name: 'My weeks' }).click()
    await page.getByText(/^4 h/).first().waitFor()
    await page.getByText('Clock out before you hand it in.').waitFor()
    await expectAccessible(page)
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
  })
  await step('without a signal it is handed in, with a word to the office', async () => {
    await context.setOffline(true)
    await page.goto('/employee-timeclock')
    await page.getByRole('button', { name: 'Clock out', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clock out', exact: true }).click()
    await page.getByRole('link', { name: 'My weeks' }).click()
    await page.getByText('As last loaded on this phone.').waitFor()
    await page.getByRole('button', { name: 'Something is wrong' }).first().click()
    await page.getByRole('button', { name: 'Ask the office' }).click()
    await page.getByText('Write what is wrong.').waitFor()
    await page.getByLabel('What is wrong?').fill('I began half an hour earlier.')
    await page.getByRole('button', { name: 'Ask the office' }).click()
    await page.getByText('You asked: I began half an hour earlier.').waitFor()
    await page.getByRole('button', { name: 'Hand in this week' }).click()
    await page.getByText('Handed in, still on this phone').waitFor()
    await expectAccessible(page)
    await context.setOffline(false)
    await page.getByText('With the office').waitFor({ timeout: 60_000 })
  })
  const office = await openPage({ as: owner, timezoneId: timeZone, path: '/employees?tab=timesheets' })
  const desk = office.page
  const panel = desk
    .getByRole('dialog', { name: 'Luis Ortega' })
    .or(desk.getByRole('complementary', { name: 'Luis Ortega' }))
  await step('the office sees who asks first, and corrects it with a reason', async () => {
    const first = desk.getByRole('row').nth(1)
    await first.getByText('Luis Ortega').waitFor()
    await first.getByText('Asks').waitFor()
    await expectAccessible(desk)
    await first.getByText('Luis Ortega').click()
    await panel.getByText('I began half an hour earlier.').first().waitFor()
    await expectAccessible(desk)
    await panel
      .getByRole('button', { name: /^Correct / })
      .first()
      .click()
    const dialog = desk.getByRole('dialog', { name: 'Correct Luis Ortega’s time' })
    const from = dialog.getByLabel('From')
    const [hour = '5', rest = ':00 AM'] = (await from.inputValue()).split(/(?=:)/)
    await from.fill(`${Number(hour) - 1}${rest}`)
    await dialog.getByRole('button', { name: 'Save the correction' }).click()
    await dialog.getByText('Say why, for the record.').waitFor()
    await dialog.getByLabel('Why').fill('As Luis says.')
    await dialog.getByRole('button', { name: 'Save the correction' }).click()
    await dialog.waitFor({ state: 'detached' })
    await panel.getByText(/Work .* → Work/).waitFor()
  })
  await step('and approves it', async () => {
    // with the weeks open the phone would show it at once, and have nothing new to say
    await page.goto('/employee-dashboard')
    await panel.getByRole('button', { name: 'Approve' }).click()
    await panel.getByText('Approved').first().waitFor()
    await expectAccessible(desk)
    const { items } = await business.api.ok(sheetsApi.list, { query: {} })
    const sheet = items.find((one) => one.userId === luis.userId)
    expect([sheet?.status, sheet?.request]).toEqual(['approved', ''])
    expect(sheet?.paidSeconds).toBeGreaterThanOrEqual(5 * 3600)
  })
  await step('which the phone says, with what was changed and why', async () => {
    await page.goto('/employee-dashboard')
    await page.getByText(/The office approved your week/).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Look at my weeks' }).click()
    await page.getByText(/^New: The office approved/).waitFor()
    await page.getByText('Approved', { exact: true }).first().waitFor()
    await page.getByText('What was changed').click()
    await page.getByText('“As Luis says.”').waitFor()
    await expectAccessible(page)
  })
  await step('the list is a list on a phone of the office too', async () => {
    await desk.setViewportSize({ width: 390, height: 844 })
    await desk.goto('/employees?tab=timesheets&show=approved')
    await desk.getByText('Luis Ortega').first().waitFor()
    await expectAccessible(desk)
  })
  expectQuiet(phone.complaints, away)
  expectQuiet(office.complaints)
})
