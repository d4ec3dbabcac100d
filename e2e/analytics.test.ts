import { expect, test } from 'vitest'
import { cashFlowApi } from '../src/features/analytics/cashflow/contract.ts'
import { balances, outlookOf } from '../src/features/analytics/cashflow/rules.ts'
import { analyticsApi } from '../src/features/analytics/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { paymentsApi } from '../src/features/payments/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { addDays } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { formatCents } from '../src/shared/money.ts'
import { runTasks } from '../src/test/api.ts'
import { aBusiness, type TestBusiness } from '../src/test/factories.ts'
import { aCrew, aVisit, today } from '../src/test/field.ts'
import { readPdf } from '../src/test/papers.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

/** Two crews with work in this month and the one before; what was done first is billed, and half of that is paid. */
const aSeason = async (): Promise<TestBusiness> => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const [north, south] = [await aCrew(business, { name: 'North' }), await aCrew(business, { name: 'South' })]
  const finished = async (ago: number, crewId: string, priceCents: number, customer: string) => {
    const { visitId } = await aVisit(business, { day: addDays(today(), -ago), crewId, priceCents, customer })
    await business.api.ok(visitsApi.finish, { params: { visitId }, body: {} })
  }
  await finished(40, north, 10_000, 'Ann Early')
  await finished(20, north, 12_000, 'Bob Paid')
  await finished(12, south, 30_000, 'Cem Open')
  await business.api.ok(invoicesApi.createBatch, { body: { send: true } })
  await runTasks()
  const { items } = await business.api.ok(invoicesApi.list, { query: {} })
  const paid = items.find(({ customer }) => customer.name === 'Bob Paid')
  await business.api.ok(paymentsApi.recordPayment, {
    params: { id: paid?.id ?? '' },
    body: { method: 'check', amountCents: 12_000, receivedOn: today() },
  })
  await finished(3, south, 8000, 'Dee Late')
  return business
}

test.each(widths(1440))(
  'what the season earns is read, told apart and opened down to its visits at %i px',
  async (width) => {
    const business = await aSeason()
    await letIn(business)
    const as = { email: business.owner.email, password }
    const { page, complaints } = await openPage({ width, as, path: linkTo.analytics() })
    const tile = (label: string) => page.getByRole('link', { name: new RegExp(`^${label}`) })

    await step('the month is there, with what changed and why', async () => {
      await tile('Completed work').waitFor()
      expect(await tile('Completed work').textContent()).toContain('$500.00')
      expect(await tile('Completed work').textContent()).toContain('+400.0% on the 30 days before')
      expect(await tile('Paid of it').textContent()).toContain('24.0%')
      expect(await tile('Paid of it').textContent()).toContain('$120.00 paid · $380.00 not yet')
      await page
        .getByText(
          'Completed work comes to $400.00 more than in the 30 days before (+400.0%); the crew South did most of it',
        )
        .waitFor()
      await expectAccessible(page)
    })

    await step('a chart is read as a table', async () => {
      await page.getByRole('button', { name: 'As a table' }).first().click()
      await page.getByRole('cell', { name: '$300.00' }).first().waitFor()
      await page.getByRole('button', { name: 'As bars' }).click()
    })

    await step('a number opens the visits that it is made of, and each of them opens', async () => {
      await tile('Paid of it').click()
      const panel = page.getByRole('dialog').or(page.getByRole('complementary')).filter({ hasText: 'not paid in full' })
      await panel.getByText('Cem Open').waitFor()
      expect(await panel.getByRole('listitem').count()).toBe(2)
      expect(page.url()).toContain('show=unpaid')
      await expectAccessible(page)
      await panel.getByRole('link', { name: 'Cem Open' }).click()
      await page.waitForURL(/visitId=/)
      await page.goBack()
      await page.goBack()
      await panel.waitFor({ state: 'hidden' })
    })

    await step('a crew opens its own', async () => {
      await page.getByRole('link', { name: 'North', exact: true }).click()
      await page.getByText('Bob Paid').last().waitFor()
      expect(page.url()).toContain('by=crew')
      await page.keyboard.press('Escape')
      await expect.poll(() => page.url()).not.toContain('by=crew')
    })

    await step('a week and a year are one press away and stand in the address', async () => {
      await page.getByRole('button', { name: 'Week' }).click()
      await expect.poll(() => tile('Completed work').textContent()).toContain('$80.00')
      await page.getByRole('button', { name: 'Year' }).click()
      await expect.poll(() => tile('Completed work').textContent()).toContain('$600.00')
      await page.reload()
      await expect.poll(() => tile('Completed work').textContent()).toContain('$600.00')
    })

    await step(
      'the report is saved under its name; one that cannot be made says so, and the next try makes it',
      async () => {
        await page.route(`**${analyticsApi.pdf.path}*`, (route) => route.fulfill({ status: 500, body: 'no' }))
        await page.getByRole('button', { name: 'Generate report' }).click()
        const alert = page.getByRole('alert').filter({ hasText: 'Failed to generate report. Please try again.' })
        await alert.waitFor()
        await page.unroute(`**${analyticsApi.pdf.path}*`)
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Generate report' }).click(),
        ])
        expect(file.suggestedFilename()).toBe(`swath-analytics-${today()}.pdf`)
        const chunks: Buffer[] = []
        for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
        const text = (await readPdf(Buffer.concat(chunks))).flat().join('\n')
        expect(text).toContain('Last 365 Days')
        expect(text).toContain('$600.00')
        await alert.waitFor({ state: 'hidden' })
      },
    )

    await step('Tools hold the last 30 days against the 30 before', async () => {
      await page.goto(linkTo.statistics())
      await page.getByRole('heading', { name: 'Statistics' }).waitFor()
      await tile('Completed work').waitFor()
      expect(await tile('Completed work').textContent()).toContain('$500.00')
      await tile('Completed visits').click()
      await page.getByText('Dee Late').last().waitFor()
      await expectAccessible(page)
    })

    await step('the weeks to come say what is there at the end of each, and what that is made of', async () => {
      await page.goto(linkTo.cashFlow())
      const { weeks } = await business.api.ok(cashFlowApi.get, {})
      await page.getByText(outlookOf(null, weeks)).waitFor()
      await page.getByLabel('In the bank today').fill('1000')
      await page.getByText(outlookOf(100_000, weeks)).waitFor()
      await page
        .getByRole('cell', { name: formatCents(balances(100_000, weeks)[11] ?? 0) })
        .first()
        .waitFor()
      await expectAccessible(page)
      const folder = process.env.SWATH_PICTURES
      if (folder) await page.screenshot({ path: `${folder}/cash-${width}.png`, fullPage: true })
      await page.getByRole('link', { name: /^\$80\.00, work to be invoiced/ }).click()
      await page.getByText('Work of').waitFor()
      await expectAccessible(page)
      await page.reload()
      await page.getByRole('link', { name: 'Dee Late' }).waitFor()
      expect(await page.getByLabel('In the bank today').inputValue()).toBe('1,000.00')
    })
    expectQuiet(complaints, /500|Failed to generate report/)
  },
)

test('nothing done yet, and figures that cannot be had, say so', async () => {
  const business = await aBusiness()
  await letIn(business)
  const as = { email: business.owner.email, password }
  const { page, complaints } = await openPage({ width: 390, as, path: linkTo.analytics() })
  await page.getByText('No work was completed in these days').waitFor()
  await expectAccessible(page)
  await page.route(`**${analyticsApi.overview.path}*`, (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.getByRole('button', { name: 'Year' }).click()
  await page.getByText('We could not load the figures').waitFor()
  await page.unroute(`**${analyticsApi.overview.path}*`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No work was completed in these days').waitFor()
  expectQuiet(complaints, /500/)
})
