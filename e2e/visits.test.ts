import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { routesApi } from '../src/features/routes/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { addDays, dayOf, formatDay, weekdayOf } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { aVisit, everyDay } from '../src/test/field.ts'
import { optimized, placeNear } from '../src/test/planning.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step, threeCrews } from './fixtures.ts'
import { crewOf } from './fixtures-day.ts'

/** The office's day with single visits: opened where they are seen, skipped, moved, finished, reopened, canceled, booked again, and all of it taken back. */

const { openPage } = withBrowser({ afresh: 'file' })

const street = '100 Marsh Ln'

/** Three visits today on planned routes; the panel of the first is what this is about. The business is closed on one of the next days. */
const aDay = async () => {
  const fresh = await aNewBusiness()
  const { business, owner, timeZone } = fresh
  await threeCrews(fresh)
  const today = dayOf(clock.now(), timeZone)
  const closed = addDays(today, 2)
  const workDays = everyDay.filter((weekday) => weekday !== weekdayOf(closed))
  await business.db((db) =>
    db.updateTable('businesses').set({ workDays }).where('businessId', '=', business.id).execute(),
  )
  const visits = []
  for (let i = 0; i < 3; i++)
    visits.push(
      await aVisit(business, {
        day: today,
        budgetMinutes: 12,
        street: `${100 + i} Marsh Ln`,
        customer: `Ann Lee ${i}`,
        ...placeNear(i, 0.05),
      }),
    )
  const [first] = visits
  if (!first) throw new Error('There is no visit.')
  await optimized(business.api, { day: today, evenness: 'even' })
  const visit = (visitId = first.visitId) => business.api.ok(visitsApi.get, { params: { visitId } })
  const crew = crewOf(await business.api.ok(routesApi.day, { query: { day: today } }), first.visitId) ?? ''
  return { first, today, closed, crew, visit, at: { as: owner, timezoneId: timeZone } }
}

const handsOf = (page: Page) => {
  const panel = page.getByRole('dialog', { name: street, exact: true })
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  const press = (name: string, within: Locator | Page = panel) =>
    within.getByRole('button', { name, exact: true }).click()
  /** Takes the last step back by the toast that told of it. */
  const undo = async (said: string, told: string) => {
    await page.getByRole('status').filter({ hasText: said }).getByRole('button', { name: 'Undo', exact: true }).click()
    await panel.getByText(told).first().waitFor()
  }
  const close = async () => {
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  }
  const askedFor = async (action: string, name: string) => {
    await press(action)
    const ask = dialog(name)
    await ask.waitFor()
    return ask
  }
  const cancel = async () => {
    await press('More for this visit')
    await page.getByRole('menuitem', { name: 'Cancel this visit' }).click()
    return dialog(`Cancel ${street}?`)
  }
  return { panel, press, undo, close, askedFor, cancel }
}

const skip = async (page: Page) => {
  const { panel, press, askedFor } = handsOf(page)
  const ask = await askedFor('Skip', `Skip ${street}`)
  await press('Skip this visit', ask)
  await ask.getByText('Pick a reason.').waitFor()
  await ask.getByLabel('Locked gate').check()
  await expectAccessible(page)
  await press('Skip this visit', ask)
  await panel.getByText('Skipped', { exact: true }).first().waitFor()
}

describe.each(widths(390))('a visit at %i', (width) => {
  test('opens where it is seen: the dashboard, the route map, its job, its customer', async () => {
    const { first, today, crew, at } = await aDay()
    const { page } = await openPage({ ...at, width, path: '/dashboard' })
    const { panel, close } = handsOf(page)
    await step('the dashboard', async () => {
      await page
        .getByRole('button', { name: new RegExp(`${street}`) })
        .first()
        .click()
      await panel.getByText('Nothing was done to it since it was booked.').waitFor()
      await expectAccessible(page)
      await close()
    })
    await step('the route map', async () => {
      await page.goto(linkTo.routeDay(today))
      const list = page.getByRole('region', { name: crew, exact: true })
      const head = list.getByRole('button', { name: new RegExp(`^${crew}`) })
      await head.waitFor()
      if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
      await list.getByRole('button', { name: new RegExp(`^[\\d: ]+${street}`) }).click()
      await panel.waitFor()
      await expectAccessible(page)
      await close()
    })
    await step('its job', async () => {
      await page.goto(linkTo.job(first.jobId))
      await page
        .getByRole('link', { name: new RegExp(`^${formatDay(today)}`) })
        .first()
        .click()
      await panel.waitFor()
      await close()
    })
    await step('its customer', async () => {
      await page.goto(linkTo.customer(first.customerId, { part: 'work' }))
      const below = page.getByRole('dialog', { name: 'Ann Lee 0' })
      await below
        .getByRole('link', { name: formatDay(today) })
        .first()
        .click()
      await panel.waitFor()
      await expectAccessible(page)
      // The customer's panel waits below: Esc closes the visit first.
      await close()
      await below.waitFor()
    })
  })

  test('is skipped, moved, finished and reopened, and every step can be taken back', async () => {
    const { first, today, visit, at } = await aDay()
    const { page } = await openPage({ ...at, width, path: linkTo.job(first.jobId, { visitId: first.visitId }) })
    const { panel, press, undo, askedFor } = handsOf(page)
    await panel.waitFor()
    if (width === 390) {
      // On a phone the panel is a sheet, its next step at the foot under the thumb.
      const foot = await panel.getByRole('button', { name: 'Finish', exact: true }).boundingBox()
      expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeGreaterThan(844 - 90)
    }
    await step('skip', async () => {
      await skip(page)
      expect(await visit()).toMatchObject({ status: 'skipped', skipReason: 'locked_gate' })
      await undo(`${street} is skipped`, 'Took back the skip')
      expect(await visit()).toMatchObject({ status: 'scheduled', skipReason: null })
    })
    await step('move', async () => {
      const ask = await askedFor('Move', `Move ${street}`)
      const day = ask.getByRole('group', { name: 'Next open days' }).getByRole('button').first()
      const name = (await day.textContent()) ?? ''
      await day.click()
      await expectAccessible(page)
      await press(`Move to ${name}`, ask)
      await panel
        .getByText(/^Moved from/)
        .first()
        .waitFor()
      expect((await visit()).day).toBe(addDays(today, 1))
      await undo(`Moved to ${name}`, 'Took back the move')
      expect((await visit()).day).toBe(today)
    })
    await step('finish, then reopen', async () => {
      const ask = await askedFor('Finish', `Finish ${street}`)
      await expectAccessible(page)
      await press('Finish the visit', ask)
      await panel.getByText('Finished by the office').waitFor()
      expect((await visit()).status).toBe('completed')
      const reopen = await askedFor('Reopen', `Reopen ${street}?`)
      await press('Reopen this visit', reopen)
      await reopen.getByText('Say why, so that the others understand.').waitFor()
      await reopen.getByLabel('Why').fill('The back yard was left out')
      await press('Reopen this visit', reopen)
      await panel.getByText('Reopened: The back yard was left out').waitFor()
      expect((await visit()).status).toBe('paused')
      await undo(`${street} is open again`, 'Took back the reopening')
      expect((await visit()).status).toBe('completed')
    })
  })

  test('is canceled and comes back; one that was skipped gets another day, never one that is closed', async () => {
    const { first, today, closed, visit, at } = await aDay()
    const { page } = await openPage({ ...at, width, path: linkTo.job(first.jobId, { visitId: first.visitId }) })
    const { panel, press, undo, askedFor, cancel } = handsOf(page)
    await step('cancel', async () => {
      const ask = await cancel()
      await ask.getByText(/^The job has no other visit/).waitFor()
      await expectAccessible(page)
      await press('Cancel this visit', ask)
      await panel.getByText('Canceled', { exact: true }).first().waitFor()
      expect((await visit()).status).toBe('canceled')
      await undo(`${street} is canceled`, 'Took back the cancellation')
      expect((await visit()).status).toBe('scheduled')
    })
    await skip(page)
    await step('another day', async () => {
      const ask = await askedFor('Book another day', `Book another day for ${street}`)
      await ask
        .getByLabel(/^Day/)
        .fill(`${Number(closed.slice(5, 7))}/${Number(closed.slice(8))}/${closed.slice(0, 4)}`)
      await page.keyboard.press('Tab')
      await ask.getByText(/^You do not work on \w+\.$/).waitFor()
      await ask.getByRole('button', { name: /^Book again/ }).click()
      expect((await visit()).rebookedAs).toBe(null)
      await expectAccessible(page)
      const day = formatDay(addDays(today, 1))
      await press(day, ask)
      await press(`Book again for ${day}`, ask)
      await panel
        .getByText(/^Booked in place of/)
        .first()
        .waitFor()
      const { rebookedAs } = await visit()
      expect(await visit(rebookedAs ?? '')).toMatchObject({ status: 'scheduled', day: addDays(today, 1) })
      await expectAccessible(page)
      // Taken back, the panel shows the skipped visit again.
      await undo(`Booked again for ${day}`, 'Took back the other day')
      expect(await visit()).toMatchObject({ status: 'skipped', rebookedAs: null })
    })
  })
})
