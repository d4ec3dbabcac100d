import { expect, test } from 'vitest'
import { billingPlansApi } from '../src/features/billingplans/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { linkTo } from '../src/shared/links.ts'
import { aPlanBusiness } from '../src/test/billing-plans.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'

/** Somebody who pays by month leaves in October: what was done is held against what was billed, and the difference goes back or is billed. */

const { openPage } = withBrowser({ afresh: 'file' })
const { api, of, on, bill, books, aCustomer, start, get, finish, pay } = aPlanBusiness()

const openPlan = async (id: string, width: number) => {
  await letIn(of())
  const as = { email: of().owner.email, password }
  const { page } = await openPage({ as, timezoneId: 'America/New_York', width })
  await page.clock.setFixedTime(clock.now())
  await page.goto(linkTo.billingPlan(id))
  await page.getByRole('heading', { name: 'Delivered against billed' }).waitFor()
  await expectAccessible(page)
  return page
}
const dollars = (cents: number): string => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

for (const width of widths(1440)) {
  test(`a plan paid through October is canceled, and what was paid too much goes back, at ${width}`, async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId)
    // eight weeks were mowed and fed once, then it stopped
    await finish(job.id, 9)
    await bill('2027-10-01')
    await pay(await get(plan.id), 7)
    await on('2027-10-14')
    const before = await get(plan.id)
    const tooMuch = before.billedCents - before.deliveredCents
    expect(tooMuch).toBeGreaterThan(0)
    const page = await openPlan(plan.id, width)
    await step('the plan says what was done, billed and paid, month by month', async () => {
      await page.getByText(dollars(before.deliveredCents), { exact: true }).first().waitFor()
      await page.getByText(dollars(before.billedCents), { exact: true }).first().waitFor()
      await page.getByRole('dialog').first().getByText('Billed more', { exact: true }).waitFor()
    })
    await step('canceled: the sum is shown before anything is booked, and the money goes back by check', async () => {
      await page.getByRole('button', { name: 'Cancel and settle' }).first().click()
      const form = page.getByRole('form', { name: 'Settle Season 2027' })
      await form.getByText('Work done, 9 visits').waitFor()
      await form.getByText('Billed too much').waitFor()
      await form.getByText(/The month still to come, .* is not billed any more/).waitFor()
      await form.getByRole('radio', { name: /^Refund/ }).check()
      await form.getByLabel('Why it ends').fill('Moved away')
      await expectAccessible(page)
      await form.getByRole('button', { name: /^Refund .* and end the plan$/ }).click()
      await expect.poll(async () => (await get(plan.id)).status).toBe('settled')
    })
    const after = await get(plan.id)
    expect(after.settled).toMatchObject({ choice: 'refund', reason: 'Moved away', onDay: '2027-10-14' })
    expect(after.settled?.refundedCents).toBe(-(after.settled?.totalCents ?? 0))
    expect(-(after.settled?.totalCents ?? 0)).toBeGreaterThanOrEqual(tooMuch)
    expect(after.months.map(({ state }) => state)).toEqual([...Array(7).fill('billed'), 'stopped'])
    await step('the plan says so afterwards, and November is not billed', async () => {
      await page.getByText('Not billed any more').waitFor()
      await expectAccessible(page)
      await bill('2027-11-01')
      expect((await get(plan.id)).months.filter(({ state }) => state === 'billed')).toHaveLength(7)
    })
    expect(await books()).toEqual([])
  })

  test(`a plan of which more was done than billed is canceled, and the rest is one last invoice, at ${width}`, async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId, { months: ['2027-10', '2027-11', '2027-12'] })
    await finish(job.id, 12)
    await bill('2027-10-01')
    await on('2027-10-14')
    const before = await get(plan.id)
    const owed = before.deliveredCents - before.billedCents
    expect(owed).toBeGreaterThan(0)
    const page = await openPlan(plan.id, width)
    await step('the difference is billed to the cent', async () => {
      await page.getByRole('dialog').first().getByText('Delivered more', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Cancel and settle' }).first().click()
      const form = page.getByRole('form', { name: 'Settle Season 2027' })
      await form.getByText('Still to bill').waitFor()
      await expectAccessible(page)
      await form.getByRole('button', { name: /^Bill .* and end the plan$/ }).click()
      await expect.poll(async () => (await get(plan.id)).status).toBe('settled')
    })
    const { settled } = await get(plan.id)
    const last = await api.ok(invoicesApi.get, { params: { id: settled?.invoice?.id ?? '' } })
    expect([last.totalCents, last.subtotalCents]).toEqual([settled?.totalCents, owed])
    expect(last.lines.some(({ totalCents }) => totalCents < 0)).toBe(true)
    await step('its page shows what was done less what was billed before', async () => {
      await page.goto(last.publicPath ?? '')
      await page.getByRole('button', { name: `Pay ${dollars(last.totalCents)}` }).waitFor()
      await expectAccessible(page)
    })
    const { items } = await api.ok(billingPlansApi.list, { query: { customerId } })
    expect(items.map(({ status }) => status)).toEqual(['settled'])
    expect(await books()).toEqual([])
  })
}
