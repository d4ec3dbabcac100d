import { expect, test } from 'vitest'
import { visitsApi } from '../src/features/visits/contract.ts'
import { addDays } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { aBusiness } from '../src/test/factories.ts'
import { aCrew, aVisit, today } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

/** Two crews with finished work, and stops that were skipped. */
const aWeek = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const [north, south] = [await aCrew(business, { name: 'North' }), await aCrew(business, { name: 'South' })]
  const day = addDays(today(), -2)
  for (const [crewId, priceCents, customer] of [
    [north, 12_050, 'Ann Early'],
    [north, 4000, 'Bob Low'],
    [south, 5001, 'Cem Ok'],
  ] as const) {
    const { visitId } = await aVisit(business, { day, crewId, priceCents, customer })
    await business.api.ok(visitsApi.finish, { params: { visitId }, body: {} })
  }
  for (const [crewId, reason, customer] of [
    [north, 'locked_gate', 'Dee Gate'],
    [south, 'too_wet', 'Eve Wet'],
    [south, 'locked_gate', 'Fay Gate'],
  ] as const) {
    const { visitId } = await aVisit(business, { day, crewId, customer })
    await business.api.ok(visitsApi.skip, { params: { visitId }, body: { reason } })
  }
  return business
}

test.each(widths(1440))(
  'a report is narrowed, saved, mailed and downloaded, and each row opens what it is made of, at %i px',
  async (width) => {
    const business = await aWeek()
    await letIn(business)
    const as = { email: business.owner.email, password }
    const { page, complaints } = await openPage({ width, as, path: linkTo.reports() })
    const folder = process.env.SWATH_PICTURES
    const picture = async (name: string) => {
      if (folder) await page.screenshot({ path: `${folder}/reports-${name}-${width}.png`, fullPage: true })
    }
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await step('sales stand there with their sum, and a row opens its visits', async () => {
      await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
      await row('Together').getByText('$210.51').first().waitFor()
      await page.getByLabel('Rows').selectOption({ label: 'Crew' })
      await row('North').getByText('$160.50').first().waitFor()
      await expectAccessible(page)
      await picture('sales')
      await page.getByRole('button', { name: 'North', exact: true }).click()
      await page.getByRole('heading', { name: 'Completed visits' }).waitFor()
      await page.getByRole('link', { name: 'Ann Early' }).waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.url()).not.toContain('of=')
    })
    await step('skips by reason lead to each of them', async () => {
      await page.getByLabel('Report', { exact: true }).selectOption({ label: 'Skips' })
      await row('Locked gate').getByText('66.7%').waitFor()
      await page.getByRole('button', { name: 'Locked gate', exact: true }).click()
      await row('Dee Gate').waitFor()
      expect(await row('Eve Wet').count()).toBe(0)
      await page.goto(linkTo.reports({ report: 'skips' }))
      await row('Too wet').waitFor()
    })
    await step('columns are left out and put into another order', async () => {
      await page.getByRole('button', { name: 'Columns' }).click()
      const dialog = page.getByRole('dialog', { name: 'Columns' })
      await dialog.getByRole('checkbox', { name: 'Share of skips' }).click()
      await dialog.getByRole('button', { name: 'Move Charged up' }).click()
      await expectAccessible(page)
      await picture('columns')
      await dialog.getByRole('button', { name: 'Show these' }).click()
      await expect
        .poll(() => page.getByRole('columnheader').allTextContents())
        .toEqual(['Reason', 'Skipped', 'Charged', 'With a charge'])
    })
    await step('it is saved for the office', async () => {
      await page.getByRole('button', { name: 'Save report' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Name the report.').waitFor()
      await page.getByRole('dialog').getByLabel('Name').fill('Skips, my way')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('link', { name: 'Skips, my way' }).waitFor()
      expect(await page.getByRole('columnheader').allTextContents()).toEqual([
        'Reason',
        'Skipped',
        'Charged',
        'With a charge',
      ])
    })
    await step('it goes out by mail to the owner and the accountant', async () => {
      await page.getByRole('button', { name: 'Change this view' }).click()
      await page.getByRole('menuitem', { name: 'Send by mail' }).click()
      const dialog = page.getByRole('dialog', { name: 'Send “Skips, my way” by mail' })
      await dialog.getByRole('button', { name: 'Send it from now on' }).click()
      await dialog.getByText('Choose who gets it.').waitFor()
      await dialog.getByLabel('How often').selectOption({ label: 'Every week' })
      await dialog.getByLabel(business.owner.name).click()
      await dialog.getByLabel('And to other addresses').fill('books@accountant.test')
      await expectAccessible(page)
      await picture('mail')
      await dialog.getByRole('button', { name: 'Send it from now on' }).click()
      await page.getByText('Every Monday at 7:00 AM, as PDF and Excel, by mail to 2 addresses.').waitFor()
    })
    await step('what is changed from it is said, and undone', async () => {
      await page.getByLabel('Period').selectOption({ label: 'Last 7 days' })
      await page.getByText('Changed from “Skips, my way”.').waitFor()
      await page.getByRole('link', { name: 'Undo the changes' }).click()
      await expect.poll(() => page.getByText('Changed from').count()).toBe(0)
      await picture('saved')
    })
    await step('it is downloaded as each kind of file under its name', async () => {
      for (const [format, ending] of [
        ['CSV', 'csv'],
        ['Excel', 'xlsx'],
        ['PDF', 'pdf'],
      ] as const) {
        const waiting = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Download' }).click()
        await page.getByRole('menuitem', { name: format }).click()
        const file = await waiting
        expect(file.suggestedFilename()).toMatch(new RegExp(`^skips-my-way-.*\\.${ending}$`))
        if (folder) await file.saveAs(`${folder}/report-${width}.${ending}`)
      }
    })
    await step('the other reports say what is in them, or that nothing is', async () => {
      for (const [report, words] of [
        ['routes', 'Driven minutes are known where a crew tapped'],
        ['chemicals', 'Nothing in these days'],
        ['aging', 'Nothing in these days'],
        ['payroll', 'Nothing in these days'],
        ['tax', 'Nothing in these days'],
        ['renewals', 'Nothing in these days'],
      ] as const) {
        await page.goto(linkTo.reports({ report }))
        await page.getByText(words).first().waitFor()
        if (report === 'routes' || report === 'renewals') {
          await expectAccessible(page)
          await picture(report)
        }
      }
    })
    await step('days that cannot be are said beside the report, which stays', async () => {
      await page.goto(linkTo.reports({ report: 'sales', period: 'custom', from: '2020-01-01', to: '2026-01-01' }))
      await page.getByText('A report holds 13 months at most. Choose a shorter period.').first().waitFor()
    })
    // nobody was chosen at first, which the server refuses
    expectQuiet(complaints, /status of 422/)
  },
)
