import { expect, test } from 'vitest'
import { billingPlansApi } from '../src/features/billingplans/contract.ts'
import { usualSeason } from '../src/features/billingplans/rules.ts'
import { countVisit } from '../src/features/billingplans/server/commands.ts'
import { billMonthsTx } from '../src/features/billingplans/server/months.ts'
import { compareBooks } from '../src/features/payments/corrections/server/queries.ts'
import { systemActor } from '../src/platform/actor.ts'
import { addDays, dayOf } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { aVisit } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** A customer pays by month and cancels before the season is over: what was billed too much is credited, to the cent, and taken back once. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(390))
  test(`a plan is started, canceled in the middle and settled, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const today = dayOf(new Date(), timeZone)
    const season = usualSeason(today)
    const done = await aVisit(business, { day: addDays(season.startsOn, 20), priceCents: 5000 })
    // its one visit is there: the rules of the job name no other
    await business.db((db) =>
      db
        .updateTable('jobs')
        .set({ horizonOn: season.endsOn })
        .where('businessId', '=', business.id)
        .where('id', '=', done.jobId)
        .execute(),
    )
    const path = linkTo.newBillingPlan(done.customerId)
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path })
    const plan = async () => {
      const { items } = await business.api.ok(billingPlansApi.list, { query: { customerId: done.customerId } })
      return items[0]
    }

    await step('what it covers and each month are shown before it starts', async () => {
      const form = page.getByRole('form', { name: 'New billing plan' })
      await form.getByRole('group', { name: 'Work it covers' }).getByText('1 visit').waitFor()
      await form.getByLabel('Season total before tax').fill('45')
      await form.getByLabel('Season total before tax').press('Tab')
      await form.getByLabel('Why another total').fill('Neighbor of a customer')
      await form.getByLabel('Name on the invoices').fill('Season plan')
      await expectAccessible(page)
      expect(await plan()).toBeUndefined()
      await form.getByRole('button', { name: /^Start/ }).click()
      await page.getByRole('heading', { name: 'Delivered against billed' }).waitFor()
      expect(await plan()).toMatchObject({ seasonCents: 4500, deliveredCents: 0 })
    })
    await step('finished work counts against it', async () => {
      await business.db((db) =>
        db
          .updateTable('visits')
          .set({ status: 'completed' })
          .where('businessId', '=', business.id)
          .where('id', '=', done.visitId)
          .execute(),
      )
      await countVisit(systemActor(business.id), done.visitId)
      expect((await plan())?.deliveredCents).toBe(4500)
      await page.getByText('1 visit done').waitFor()
    })
    const cancel = async () => {
      await page.getByRole('button', { name: 'Cancel and settle' }).first().click()
      const form = page.getByRole('form', { name: 'Settle Season plan' })
      await form.getByText('Work done, 1 visit').waitFor()
      return form
    }
    await step('canceled, the difference is settled to the cent, and the undo brings the months back', async () => {
      const id = (await plan())?.id ?? ''
      await business.db(async (db) => {
        const first = await db
          .selectFrom('billingPlanMonths')
          .select('id')
          .where('businessId', '=', business.id)
          .where('status', '=', 'planned')
          .orderBy('month')
          .executeTakeFirst()
        await db
          .updateTable('billingPlanMonths')
          .set({ billOn: today })
          .where('businessId', '=', business.id)
          .where('id', '=', first?.id ?? '')
          .execute()
        await billMonthsTx(db, systemActor(business.id), id)
      })
      await page.reload()
      const form = await cancel()
      await expectAccessible(page)
      const before = await plan()
      await form.getByRole('button', { name: /and end the plan$/ }).click()
      await expect.poll(async () => (await plan())?.status).toBe('settled')
      await page.getByRole('button', { name: 'Undo' }).first().click()
      await expect.poll(async () => (await plan())?.status).toBe('active')
      expect((await plan())?.differenceCents).toBe(before?.differenceCents)
      expect(await business.db((db) => compareBooks(db))).toEqual([])
    })
  })
