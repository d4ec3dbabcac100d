import { expect, test } from 'vitest'
import { categoriesApi } from '../src/features/expenses/categories/contract.ts'
import { expensesApi } from '../src/features/expenses/contract.ts'
import { addDays } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { aBusiness } from '../src/test/factories.ts'
import { aCrew, aVisit, today } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

/** A lawn that earns its target and, on two visits, one that does not; mulch was bought for the second. */
const aSeason = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const crewId = await aCrew(business, { name: 'North' })
  const worked = async (priceCents: number, minutes: number, street: string, customer: string, ago = 2) => {
    const visit = await aVisit(business, {
      day: addDays(today(), -ago),
      status: 'completed',
      crewId,
      priceCents,
      street,
      customer,
    })
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ workedSeconds: minutes * 60, people: 2, finishedAt: new Date().toISOString() })
        .where('businessId', '=', business.id)
        .where('id', '=', visit.visitId)
        .execute(),
    )
    return visit
  }
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ defaultWageCents: 2000, burdenPercent: 10, targetLaborHourCents: 6000 })
      .where('businessId', '=', business.id)
      .execute(),
  )
  await worked(9000, 30, '1 Oak St', 'Ann Early')
  const poor = await worked(4000, 30, '9 Elm Ave', 'Bob Low')
  const again = await worked(4000, 30, '9 Elm Ave', 'Bob Low', 9)
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ propertyId: poor.propertyId, customerId: poor.customerId, jobId: poor.jobId })
      .where('businessId', '=', business.id)
      .where('id', '=', again.visitId)
      .execute(),
  )
  const { items } = await business.api.ok(categoriesApi.list, {})
  await business.api.ok(expensesApi.create, {
    body: {
      day: addDays(today(), -2),
      categoryId: items[0]?.id ?? '',
      method: 'card',
      totalCents: 1200,
      parts: [{ amountCents: 1200, visitId: poor.visitId }],
    } as never,
  })
  return business
}

test.each([1440, 390])(
  'which lawn earns too little is found, with the price that mends it, at %i px',
  async (width) => {
    const business = await aSeason()
    await letIn(business)
    const as = { email: business.owner.email, password }
    const { page, complaints } = await openPage({ width, as, path: linkTo.analytics() })
    await step('the tab is one press from the overview', async () => {
      await page
        .getByRole('link', { name: width > 768 ? 'Job Costing' : 'Costing' })
        .first()
        .click()
      await page.getByRole('heading', { name: 'Job costing', level: 1 }).waitFor()
    })
    await step('the month says what is left of its work', async () => {
      await page.getByText('1 of 2 properties earns less than your target of $60.00 for a labor hour.').waitFor()
      await page.getByText('$66.00', { exact: true }).waitFor()
      await page.getByText('3 labor hours with the drive, wages with taxes and insurance').waitFor()
      await page.getByText('54.1% of completed work').waitFor()
      await expectAccessible(page)
      const folder = process.env.SWATH_PICTURES
      if (folder) await page.screenshot({ path: `${folder}/costing-${width}.png`, fullPage: true })
    })
    await step('the lowest stands first and says which price would do', async () => {
      const [first] = await page
        .getByRole('row')
        .filter({ hasText: 'St' })
        .or(page.getByRole('row').filter({ hasText: 'Ave' }))
        .all()
      expect(await first?.textContent()).toContain('9 Elm Ave')
      await page.getByRole('link', { name: '9 Elm Ave' }).click()
      await page.getByText('It earns $40.00 for a labor hour, your target is $60.00.').waitFor()
      await page.getByText('$60.00 a visit', { exact: true }).last().waitFor()
      await page.getByText('$40.00 work, $22.00 labor for 60 labor minutes, $12.00 bought').waitFor()
      await expectAccessible(page)
      const folder = process.env.SWATH_PICTURES
      if (folder) await page.screenshot({ path: `${folder}/costing-lawn-${width}.png` })
      await page.keyboard.press('Escape')
      await expect.poll(() => page.url()).not.toContain('of=')
    })
    await step('the same by crew', async () => {
      await page.getByRole('button', { name: 'Crew', exact: true }).click()
      await page.getByRole('link', { name: 'North', exact: true }).waitFor()
      await page.getByText('1 of 1 crew earns less than').waitFor()
    })
    expectQuiet(complaints)
  },
)
