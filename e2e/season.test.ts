import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { jobsApi } from '../src/features/jobs/contract.ts'
import type { Recurrence } from '../src/features/jobs/rules.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { dayOf } from '../src/shared/dates.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, threeCrews } from './fixtures.ts'

/** The season planner: who keeps their day, a plan, a part of it taken over, told, taken back, and a what-if. */

const { openPage } = withBrowser({ afresh: 'file' })

/** Two towns, every other lawn of each on the wrong day. */
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
  const [first = 1, second = 2] = (
    await business.db((db) =>
      db
        .selectFrom('crews')
        .select('workDays')
        .where('businessId', '=', business.id)
        .where('id', '=', crews.North)
        .executeTakeFirstOrThrow(),
    )
  ).workDays
  const ids: string[] = []
  for (let n = 0; n < 10; n++) {
    const [customerId, propertyId] = [newId(), newId()]
    const north = n % 2 === 1
    await business.db(async (db) => {
      await db
        .insertInto('customers')
        .values({
          businessId: business.id,
          id: customerId,
          name: `Ann Odom ${n}`,
          ...(n < 8 ? { email: `ann${n}@test.swath.test` } : {}),
        })
        .execute()
      await db
        .insertInto('properties')
        .values({
          ...{ businessId: business.id, id: propertyId, customerId, street: `${n} Oak St`, lawnSquareFeet: 8000 },
          ...{ city: north ? 'Northtown' : 'Southtown', zip: north ? '31401' : '31402', state: 'GA' },
          latitude: 32.05 + (north ? 0.12 : -0.12) + 0.002 * n,
          longitude: -81.1 + 0.001 * ((n * 5) % 7),
        })
        .execute()
    })
    const recurrence: Recurrence = {
      ...{ freq: 'week', interval: 1, weekdays: [n % 4 < 2 ? first : second], phaseOn: today, holiday: 'next' },
      exceptions: [],
    }
    const job = await business.api.ok(jobsApi.create, {
      body: {
        ...{ propertyId, startOn: today, crewId: crews.North },
        lines: [{ serviceId: mow, recurrence, unitPriceCents: 5000, budgetMinutes: 30 }],
      } as never,
    })
    ids.push(job.id)
  }
  const weekdays = async () => {
    const rows = await business.db((db) =>
      db.selectFrom('jobLines').select(['jobId', 'recurrence']).where('businessId', '=', business.id).execute(),
    )
    return new Map(rows.map((row) => [row.jobId, (row.recurrence as unknown as Recurrence).weekdays[0]]))
  }
  return { ids, weekdays, at: { as: owner, timezoneId: timeZone } }
}

const pictures = (page: Page, width: number) => async (name: string) => {
  const folder = process.env.SWATH_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/season-${name}-${width}.png`, fullPage: true, timeout: 90_000 })
}

describe.each(widths(1440))('at %i pixels', (width) => {
  test('a plan is made, a neighborhood moves, is told and taken back', async () => {
    const { weekdays, at } = await aSeason()
    const before = await weekdays()
    const { page } = await openPage({ ...at, width, path: '/route-map?tab=season' })
    const picture = pictures(page, width)
    await page.getByRole('button', { name: 'Plan the season' }).click()
    await page.getByRole('heading', { name: 'Who would move' }).waitFor({ timeout: 60_000 })
    await page.getByText(/less driving a year.*with these \d+ jobs/).waitFor({ timeout: 60_000 })
    await expectAccessible(page)
    await picture('plan')
    await page.getByLabel('Neighborhood').selectOption({ index: 1 })
    await page.getByRole('button', { name: /^Move \d+ jobs?$/ }).click()
    const steps = page.getByRole('list', { name: 'Steps' })
    await steps.getByText(/^\d+ jobs? from /).waitFor()
    const after = await weekdays()
    expect([...after].filter(([id, day]) => before.get(id) !== day).length).toBeGreaterThan(0)
    await steps.getByRole('button', { name: 'Tell them…' }).click()
    const letters = page.getByRole('dialog', { name: 'Tell who moves' })
    await letters
      .getByText(/your service day changes/)
      .first()
      .waitFor()
    await picture('letters')
    await letters.getByRole('button', { name: /^Tell \d+ customers?$/ }).click()
    await letters.getByText('Nobody was told yet.').waitFor()
    await letters.getByRole('button', { name: 'Close' }).last().click()
    await steps.getByRole('button', { name: 'Undo' }).click()
    await steps.getByText(/taken back.*no letter left, nobody was told/).waitFor()
    expect(await weekdays()).toEqual(before)
  })

  test('a customer keeps their day, and a what-if shows what new lawns would bring', async () => {
    const { ids, at } = await aSeason()
    const { page } = await openPage({ ...at, width, path: `/jobs?tab=manage&jobId=${ids[0]}` })
    const picture = pictures(page, width)
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    const editor = page.getByRole('dialog', { name: /^Change / })
    await editor.getByLabel('Keep this day').check()
    await editor.getByRole('button', { name: 'Save job' }).click()
    await page.getByText('Keeps this day: no season plan moves it').waitFor()
    await page.goto('/route-map?tab=season')
    await page.getByText('1 job keeps its day').waitFor()
    await page.getByRole('button', { name: 'What if…' }).click()
    const ask = page.getByRole('dialog', { name: 'What if…' })
    await ask.getByRole('button', { name: 'New lawns' }).click()
    await expectAccessible(page)
    await picture('ask')
    await ask.getByRole('button', { name: 'Show what it brings' }).click()
    await page.getByText('This only shows what would be.').waitFor({ timeout: 60_000 })
    await page.getByRole('heading', { name: 'What it would change' }).waitFor()
    await picture('whatif')
  })
})
