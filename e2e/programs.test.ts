import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { jobsApi } from '../src/features/jobs/contract.ts'
import { topUpVisits } from '../src/features/jobs/server/tasks.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { systemActor } from '../src/platform/actor.ts'
import { resetClock, setClock } from '../src/platform/clock.ts'
import { runTasks } from '../src/test/api.ts'
import { aPerson } from '../src/test/factories.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness, step, threeCrews } from './fixtures.ts'

/** A season of a program: made, put on a lawn, placed from the due list, missed and decided about, done to the end. */

const { openPage } = withBrowser({ afresh: 'file' })
afterAll(() => resetClock())

const round = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

test('six rounds over a season', async () => {
  const morning = (day: string) => setClock(() => new Date(`${day}T15:00:00Z`))
  morning('2026-03-02')
  const fresh = await aNewBusiness()
  const { business, owner, timeZone } = fresh
  await threeCrews(fresh)
  await business.api.ok(servicesApi.addDefaults, {})
  const { propertyId } = await aLawn(business, { customer: 'Ann Lee', street: '100 Marsh Ln' })
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: 9000 }).where('id', '=', propertyId).execute(),
  )
  const open = async (path: string, width = 1440) =>
    (await openPage({ as: owner, timezoneId: timeZone, path, width })).page
  /** The night before a day, and somebody of the office on it. */
  const on = async (day: string) => {
    morning(day)
    await topUpVisits.run(systemActor(business.id), {})
    await runTasks()
    return (await aPerson(business.id, 'Admin')).api
  }
  const page = await open('/jobs?tab=services')
  let jobPath = ''
  await step('the program is made and put on', async () => {
    await page.getByRole('button', { name: 'Make a six-round program' }).click()
    await page.getByRole('textbox', { name: 'Round 6', exact: true }).waitFor()
    // a row of the list that lies half below the top bar would count as a small target
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add program' }).dblclick()
    await page.getByRole('link', { name: 'Put on a property' }).click()
    await page.getByRole('combobox', { name: 'Customer and property' }).fill('marsh')
    await page.getByRole('option', { name: /100 Marsh Ln/ }).click()
    await page.getByRole('list', { name: 'Rounds' }).getByText('Round 6, winterizer').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Put on for Ann Lee' }).dblclick()
    await round(page, 'Round 1, early spring').getByText('Due', { exact: true }).waitFor()
    await round(page, 'Round 2, late spring').getByText('Upcoming').waitFor()
    const { items } = await business.api.ok(jobsApi.list, { query: {} })
    expect(items).toHaveLength(1)
    jobPath = `/jobs?tab=manage&jobId=${items[0]?.id}`
  })
  const jobId = jobPath.split('jobId=')[1] ?? ''
  await step('the first round is placed from the due list with one tap', async () => {
    await page.goto('/calendar?view=day&day=2026-03-03')
    const due = page.getByRole('region', { name: 'Due, without a crew', exact: true })
    await due.getByText(/Round 1, early spring, until/).waitFor()
    await expectAccessible(page)
    await due.getByRole('button', { name: /North: put 100 Marsh Ln there$/ }).click()
    await page
      .getByRole('region', { name: 'North', exact: true })
      .getByRole('link', { name: /100 Marsh Ln/ })
      .waitFor()
    await expect
      .poll(async () => (await business.api.ok(jobsApi.get, { params: { id: jobId } })).lines[0]?.standing?.state)
      .toBe('planned')
  })
  const done = async (at: number, day: string) => {
    const api = await on(day)
    const { lines } = await api.ok(jobsApi.get, { params: { id: jobId } })
    const visitId = lines[at]?.standing?.visitId ?? ''
    if (lines[at]?.standing?.state === 'due')
      await api.ok(visitsApi.move, { params: { visitId }, body: { day, crewId: null } })
    await api.ok(visitsApi.finish, { params: { visitId }, body: {} })
    await runTasks()
  }
  await done(0, '2026-03-03')
  await on('2026-06-15')
  const summer = await open(jobPath, 390)
  await step('a round that nobody placed is missed, and the office decides', async () => {
    const second = round(summer, 'Round 2, late spring')
    await second.getByText('Missed').waitFor()
    await round(summer, 'Round 3, early summer').getByText('Due', { exact: true }).waitFor()
    await expectAccessible(summer)
    await second.getByRole('button', { name: 'Do it late' }).click()
    await second.getByText(/15 days late/).waitFor()
    await round(summer, 'Round 3, early summer').getByText('Upcoming').waitFor()
    await summer.getByRole('button', { name: 'Undo', exact: true }).click()
    await second.getByText('Missed').waitFor()
    await second.getByRole('button', { name: 'Skip, charge nothing' }).click()
    await second.getByText('Skipped').waitFor()
  })
  await done(2, '2026-06-20')
  await done(3, '2026-07-25')
  await done(4, '2026-09-10')
  await done(5, '2026-11-02')
  const end = await open(jobPath)
  await step('at the end of the season everything stands as it came', async () => {
    await round(end, 'Round 6, winterizer').getByText('Done', { exact: true }).waitFor()
    await round(end, 'Round 2, late spring').getByText('Skipped').waitFor()
    const next = end.getByRole('region', { name: 'Next season' })
    await next.getByText(/^Renews .* 6 rounds/).waitFor()
    await expectAccessible(end)
    await next.getByRole('button', { name: 'Stop renewing' }).click()
    await next.getByText('It ends with this season').waitFor()
    await end.getByText('No more visits.').waitFor()
  })
})
