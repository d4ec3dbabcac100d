import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sheetsApi } from '../src/features/timeclock/sheets/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { addDays, dayOf, formatDay, instantAt, startOfWeek } from '../src/shared/dates.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** From approved weeks to the file that the payroll reads: who is missing stands first, wages hold from a day on. */

const { openPage } = withBrowser({ afresh: 'file' })

test('last week is paid: a wage, what is not approved, a number, the file', async () => {
  const { business, owner, people, timeZone } = await aNewBusiness()
  const [luis, ana] = people
  if (!luis || !ana) throw new Error('nobody works here')
  const week = addDays(startOfWeek(dayOf(Date.now(), timeZone)), -7)
  for (const { userId } of [luis, ana])
    await business.db((db) =>
      db
        .insertInto('timeEntries')
        .values({
          businessId: business.id,
          id: newId(),
          userId,
          kind: 'work',
          startedAt: instantAt(week, 420, timeZone),
          endedAt: instantAt(week, 780, timeZone),
        })
        .execute(),
    )
  await business.api.ok(sheetsApi.approve, { body: { week, items: [{ userId: luis.userId, version: 0 }] } })
  const { page, complaints } = await openPage({ as: owner, timezoneId: timeZone, path: '/employees?tab=manage' })
  await step('a raise holds from its day on, with a bonus a lawn', async () => {
    await page.getByText('Luis Ortega').first().click()
    const panel = page.getByRole('dialog', { name: 'Luis Ortega' })
    await panel.getByText('$19.00 / hour').waitFor()
    await panel.getByRole('button', { name: 'New wage' }).click()
    await panel.getByRole('textbox', { name: 'Wage' }).fill('21')
    await panel.getByRole('textbox', { name: /^Bonus/ }).fill('1.50')
    await panel.getByRole('button', { name: 'Save the wage' }).click()
    await panel.getByText('$21.00 / hour, $1.50 bonus a lawn').waitFor()
    await expectAccessible(page)
  })
  await step('the payroll names first what is not approved', async () => {
    await page.goto('/employees?tab=timesheets')
    await page.getByRole('link', { name: 'Payroll' }).click()
    await page.getByText('Not approved, so not in the file').waitFor()
    await page.getByRole('link', { name: `Ana Reyes, week of ${formatDay(week)}` }).waitFor()
    // six hours at the wage of that week, not at the new one
    await page.getByText('$114.00').first().waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByText('6.00 regular').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 1440, height: 1000 })
  })
  await step('ADP wants a number and a code, and says so', async () => {
    await page.getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Payroll settings' })
    await settings.getByText('29 U.S.C. 207').waitFor()
    await expectAccessible(page)
    await settings.getByRole('combobox', { name: 'Payroll' }).selectOption({ label: 'ADP Workforce Now' })
    await settings.getByRole('textbox', { name: 'Company code' }).fill('X7K')
    await settings.getByRole('button', { name: 'Save settings' }).click()
    await settings.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'ADP Workforce Now' }).click()
    await page.getByText(/Give one to Luis Ortega first/).waitFor()
  })
  await step('then the file is there, with approved time only', async () => {
    await page.getByRole('row').filter({ hasText: 'Luis Ortega' }).getByText('Luis Ortega').click()
    const person = page.getByRole('dialog', { name: 'Luis Ortega' })
    await expectAccessible(page)
    await person.getByRole('textbox', { name: 'Number at the payroll' }).fill('00417')
    await person.getByRole('button', { name: 'Save the number' }).click()
    await person.waitFor({ state: 'detached' })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'ADP Workforce Now' }).click(),
    ])
    const text = await readFile(await file.path(), 'utf8')
    expect(text.trim().split('\r\n')).toHaveLength(2)
    expect(text).toMatch(/X7K,\d{6},00417,19\.00,6\.00,/)
  })
  await step('it is remembered: nobody is in a second one, and it is the same again', async () => {
    await page.getByRole('row').filter({ hasText: 'Luis Ortega' }).getByText('In a file').waitFor()
    expect(await page.getByRole('button', { name: 'Make ADP Workforce Now file' }).isDisabled()).toBe(true)
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download payroll-adp/ }).click(),
    ])
    expect(await readFile(await again.path(), 'utf8')).toContain('00417,19.00,6.00')
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByText('Each person’s week is in one file').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 1440, height: 1000 })
    await page.getByRole('button', { name: /^Take back/ }).click()
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByText('Taken back').waitFor()
  })
  expectQuiet(complaints, /409/)
})
