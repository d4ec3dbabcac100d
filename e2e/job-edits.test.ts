import { expect, test } from 'vitest'
import { jobsApi } from '../src/features/jobs/contract.ts'
import type { Recurrence } from '../src/features/jobs/rules.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { addDays, type Day, dayOf, weekdayOf } from '../src/shared/dates.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, threeCrews } from './fixtures.ts'

/** The list of jobs: one change of many with its numbers first and Undo, and a new rule around a visit that was placed by hand. */

const { openPage } = withBrowser({ afresh: 'file' })

const ofJob = (jobId: string, business: Awaited<ReturnType<typeof aNewBusiness>>['business']) =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select(['id', 'day', 'priceCents', 'crewId'])
      .where('businessId', '=', business.id)
      .where('jobId', '=', jobId)
      .orderBy('day')
      .execute(),
  )

/** Three weekly jobs, one of them with a visit that somebody put on another day. */
const aSeason = async () => {
  const fresh = await aNewBusiness()
  const { business, owner, timeZone } = fresh
  const crews = await threeCrews(fresh)
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ seasonStart: '01-01', seasonEnd: '12-31' })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  const mow = items.find((service) => service.code === 'mow')?.id ?? ''
  const today = dayOf(clock.now(), timeZone)
  const first = addDays(today, 2)
  const jobs: { id: string; name: string }[] = []
  for (const name of ['Ann Odom', 'Ben Pruitt', 'Cora Sayle']) {
    const [customerId, propertyId] = [newId(), newId()]
    await business.db(async (db) => {
      await db.insertInto('customers').values({ businessId: business.id, id: customerId, name }).execute()
      const place = { street: `${jobs.length + 1} Oak St`, city: 'Savannah', lawnSquareFeet: 8000 }
      await db
        .insertInto('properties')
        .values({ businessId: business.id, id: propertyId, customerId, ...place })
        .execute()
    })
    const recurrence: Recurrence = {
      ...{ freq: 'week', interval: 1, weekdays: [weekdayOf(first)], phaseOn: today, holiday: 'next', exceptions: [] },
    }
    const job = await business.api.ok(jobsApi.create, {
      body: {
        ...{ propertyId, startOn: today, crewId: crews.North },
        lines: [{ serviceId: mow, recurrence, unitPriceCents: 5000 }],
      } as never,
    })
    jobs.push({ id: job.id, name })
  }
  const placed = (await ofJob(jobs[0]?.id ?? '', business))[2]
  const to = addDays(placed?.day ?? today, 1)
  await business.api.ok(visitsApi.move, {
    params: { visitId: placed?.id ?? '' },
    body: { day: to, crewId: crews.North },
  })
  return {
    business,
    jobs,
    first,
    placed: { id: placed?.id ?? '', day: to as Day },
    at: { as: owner, timezoneId: timeZone },
  }
}

test.each(widths(390))('at %i pixels prices rise by 5 percent and come back with Undo', async (width) => {
  const { business, jobs, at } = await aSeason()
  const prices = async () =>
    (await Promise.all(jobs.map((job) => ofJob(job.id, business)))).flat().map((visit) => visit.priceCents)
  const before = await prices()
  const { page } = await openPage({ ...at, width, path: '/jobs?tab=manage' })
  const list = page
    .getByRole(width === 390 ? 'list' : 'grid', { name: 'Jobs' })
    .or(page.getByRole('table', { name: 'Jobs' }))
  await list.getByText('Ann Odom').waitFor()
  if (width === 390) for (const n of [0, 1, 2]) await list.getByRole('checkbox').nth(n).click()
  else await page.getByRole('checkbox').first().click()
  await page.getByRole('region', { name: 'Chosen rows' }).getByText('3 selected').waitFor()
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('menuitem', { name: 'Price' }).click()
  const dialog = page.getByRole('dialog', { name: 'New prices for 3 jobs' })
  await dialog.getByLabel('Percent', { exact: true }).fill('5')
  await dialog.getByText('$50.00 → $52.50').first().waitFor()
  await dialog.getByText(/1 visit placed by hand, under way or invoiced stays as it is/).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Change 3 jobs' }).dblclick()
  await dialog.waitFor({ state: 'hidden' })
  expect((await prices()).filter((cents) => cents === 5250)).toHaveLength(before.length - 1)
  await page
    .getByRole('status')
    .filter({ hasText: 'New price on 3 jobs' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect.poll(prices).toEqual(before)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Bulk changes' }).click()
  const changes = page.getByRole('dialog', { name: 'Bulk changes' })
  await changes.getByText('Price up 5%').waitFor()
  await changes.getByText('undone').waitFor()
  await expectAccessible(page)
})

test('another weekday leaves the visit that somebody placed, and says so first', async () => {
  const { business, jobs, first, placed, at } = await aSeason()
  const job = jobs[0]?.id ?? ''
  const before = await ofJob(job, business)
  const weekday = (weekdayOf(first) + 2) % 7
  const { page } = await openPage({ ...at, path: `/jobs?tab=manage&jobId=${job}` })
  await page
    .getByRole('dialog')
    .filter({ hasText: 'Ann Odom' })
    .getByRole('button', { name: 'Change', exact: true })
    .click()
  const editor = page.getByRole('dialog', { name: /^Change / })
  await editor.getByRole('group', { name: 'On' }).waitFor()
  const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  const day = (n: number) =>
    editor
      .getByRole('group', { name: 'On' })
      .getByRole('button')
      .nth((n + 6) % 7)
  await day(weekday).click()
  await day(weekdayOf(first)).click()
  expect(await day(weekday).getAttribute('aria-pressed'), names[weekday]).toBe('true')
  await editor.getByText(/^\d+ visits moved\.$/).waitFor()
  await editor.getByText(/Stay as they are: .*\(placed by hand\)/).waitFor()
  const save = editor.getByRole('button', { name: /Save and change/ })
  // Below the fold a press brings the question into sight, the whole of it; the next one answers it.
  await save.click()
  await editor.locator('button[type=submit]:not([aria-busy])').waitFor()
  await save.click()
  await editor.waitFor({ state: 'detached' })
  const after = await ofJob(job, business)
  expect(after.map((visit) => visit.id).toSorted()).toEqual(before.map((visit) => visit.id).toSorted())
  expect(after.find((visit) => visit.id === placed.id)?.day).toBe(placed.day)
  expect(after.filter((visit) => visit.id !== placed.id).every((visit) => weekdayOf(visit.day ?? '') === weekday)).toBe(
    true,
  )
})
