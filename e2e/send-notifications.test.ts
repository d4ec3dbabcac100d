import { expect, test } from 'vitest'
import { mailingsApi } from '../src/features/mailings/contract.ts'
import { runTasks } from '../src/test/api.ts'
import { aVisit, today } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** One message to all who have a visit on a day: counted before it leaves, seen after it was sent, and stopped while it waits. */

const { openPage } = withBrowser({ afresh: 'file' })

test.each(widths(390))('at %i pixels a message to a day is counted, sent, seen and stopped', async (width) => {
  const { business, owner, timeZone } = await aNewBusiness()
  const ids: string[] = []
  for (const n of [1, 2, 3]) ids.push((await aVisit(business, { street: `${n} Oak St` })).customerId)
  await business.db(async (db) => {
    for (const [at, id] of ids.entries())
      await db
        .updateTable('customers')
        .set({ name: ['Pat Moss', 'Rosa Diaz', 'Nora Nowhere'][at] ?? '', phone: at < 2 ? `+1912555010${at}` : null })
        .where('id', '=', id)
        .execute()
  })
  const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: '/tools?tab=notifications' })
  await page.getByRole('heading', { name: 'Send notifications', level: 1 }).waitFor()
  await page.getByText('Nothing was sent to several yet').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Day', { exact: true }).fill(today())
  await page.getByLabel('Day', { exact: true }).press('Tab')
  await page.getByText('2 texts', { exact: true }).waitFor()
  await page.getByText('1 customer gets nothing').click()
  await page.getByText('No mobile number or e-mail on file').waitFor()
  await page.getByLabel('Message', { exact: true }).fill(`Hi {name}, ${'we come an hour later today. '.repeat(5)}`)
  await page.getByText(/The longest text counts as 2: 4 text segments together/).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send to 2 customers' }).dblclick()
  await page.getByText('2 texts on the way').waitFor()
  const row = page.getByRole('listitem', { name: /^Message of / })
  await row.waitFor()
  expect(await row.count()).toBe(1)
  expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('')
  await runTasks()
  await row.getByRole('button', { name: 'Who got it' }).click()
  await row.getByText('Nora Nowhere').waitFor()
  await row.getByText('On its way (text)').first().waitFor()
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Stop what waits' }).click()
  await page.getByRole('button', { name: 'Stop it' }).click()
  await page.getByText('Stopped. Nothing had left.').waitFor()
  await row.getByText('Stopped', { exact: true }).waitFor()
  expect(await row.getByRole('button', { name: 'Stop what waits' }).count()).toBe(0)
  const { items } = await business.api.ok(mailingsApi.list, { query: {} })
  expect(items).toMatchObject([{ sent: 0, failed: 2, onTheWay: 0 }])
})

test('a list that does not come says so, and what was typed stays', async () => {
  const { owner, timeZone } = await aNewBusiness()
  const { page } = await openPage({ as: owner, timezoneId: timeZone, path: '/' })
  await page.route('**/api/mailings?*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.route('**/api/mailings', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(new URL('/send-notifications', page.url()).href)
  await page.getByLabel('Message', { exact: true }).fill('We come on Friday.')
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor({ timeout: 30_000 })
  await expectAccessible(page)
  await page.unroute('**/api/mailings?*')
  await page.unroute('**/api/mailings')
  await again.click()
  await page.getByText('Nothing was sent to several yet').waitFor()
  expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('We come on Friday.')
})
