import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { jobsApi } from '../src/features/jobs/contract.ts'
import type { Recurrence } from '../src/features/jobs/rules.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { addDays, dayOf, weekdayOf } from '../src/shared/dates.ts'
import { runTasks } from '../src/test/api.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, threeCrews } from './fixtures.ts'

/** Customers that a line was drawn around on the map get a tag, and lose it again by Undo. */

const { openPage } = withBrowser({ afresh: 'file', maps: 'half' })

/** Draws a line on the map: by mouse on a desk, by finger on a phone. */
const drawLine = async (page: Page, width: number, points: readonly { x: number; y: number }[]): Promise<void> => {
  const [first, ...rest] = points
  if (!first) return
  // between two points a hand passes several places
  const way = rest.flatMap((to, at) => {
    const from = points[at] ?? to
    return [1, 2, 3, 4].map((n) => ({ x: from.x + ((to.x - from.x) * n) / 4, y: from.y + ((to.y - from.y) * n) / 4 }))
  })
  if (width > 800) {
    await page.mouse.move(first.x, first.y)
    await page.mouse.down()
    for (const { x, y } of way) await page.mouse.move(x, y)
    await page.mouse.up()
    return
  }
  const touch = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [first])
  for (const point of way) await send('touchMove', [point])
  await send('touchEnd', [])
}

describe.each(widths(1440))('at %i pixels', (width) => {
  test('a line around pins picks their customers', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    for (const n of [0, 1, 2]) {
      const { customerId } = await aLawn(business, { latitude: 32.05 + n / 1000, longitude: -81.1 - n / 1000 })
      if (n > 0)
        await business.db((db) =>
          db
            .updateTable('customers')
            .set({ name: 'Pat Moss', phone: `+1912555010${n}` })
            .where('id', '=', customerId)
            .execute(),
        )
    }
    await aLawn(business, { latitude: 32.4, longitude: -81.5 })
    const { page } = await openPage({
      as: owner,
      timezoneId: timeZone,
      width,
      path: '/customers?tab=map',
    })
    const map = page.getByRole('region', { name: 'Your customers' })
    await map.locator('.ui-map__canvas[data-drawn]').waitFor()
    await page.getByRole('button', { name: 'Select an area' }).click()
    await page.getByText('Draw around the customers you mean.').waitFor()
    await expectAccessible(page)
    // on a phone the map ends above the bar at the foot once the page is scrolled down
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const draw = async () => {
      const box = (await map.locator('.ui-map__lasso').boundingBox())!
      // the three of the south-east stand together at the lower right, the fourth far from them
      const [midX, midY] = [box.x + box.width * 0.55, box.y + box.height * 0.55]
      const [right, bottom] = [box.x + box.width - 6, box.y + box.height - 6]
      await page.mouse.move(midX, midY)
      await page.mouse.down()
      for (const [x, y] of [
        [right, midY],
        [right, bottom],
        [midX, bottom],
        [midX, midY],
      ] as const)
        await page.mouse.move(x, y, { steps: 6 })
      await page.mouse.up()
      await page.getByText('3 customers are selected.').waitFor()
    }
    await draw()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add tag' }).click()
    // opened before it is typed into, as a finger does: the list stands where the field is
    await page.getByRole('combobox', { name: 'Tag' }).click()
    await page.getByRole('combobox', { name: 'Tag' }).pressSequentially('south')
    await page.getByRole('option', { name: /south/ }).click()
    await page.getByRole('button', { name: 'Tag 3 customers' }).click()
    const tagged = async () => (await business.api.ok(customersApi.list, { query: { tag: 'south' } })).total
    await expect.poll(tagged).toBe(3)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(tagged).toBe(0)
    await draw()
    await page.getByRole('button', { name: 'Message', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Message 3 customers' })
    await dialog.getByText('2 texts', { exact: true }).waitFor()
    await dialog.getByText('1 customer gets nothing').click()
    await dialog.getByText('No mobile number or e-mail on file').waitFor()
    await dialog.getByLabel('Message', { exact: true }).fill('Hi {name}, rain today: we come on Friday. {business}')
    await dialog.getByText(/^Hi Pat, rain today/).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send to 2 customers' }).dblclick()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('2 texts on the way').waitFor()
    await runTasks()
    const told = await business.db((db) =>
      db
        .selectFrom('messages')
        .select('bodyText')
        .where('businessId', '=', business.id)
        .where('entityType', '=', 'mailing')
        .execute(),
    )
    expect(told).toHaveLength(2)
  })

  test('the customers inside a line get a day and a crew, after the numbers, and lose them again by Undo', async () => {
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
    const serviceId = items.find(({ code }) => code === 'mow')?.id ?? ''
    const today = dayOf(clock.now(), timeZone)
    const [from, to] = [weekdayOf(addDays(today, 2)), weekdayOf(addDays(today, 4))]
    const jobIds: string[] = []
    for (const n of [0, 1, 2]) {
      const place = { latitude: 32.05 + n / 1000, longitude: -81.1 - n / 1000 }
      const { customerId, propertyId } = await aLawn(business, place)
      await business.db((db) =>
        db
          .updateTable('customers')
          .set({ name: ['Ann Odom', 'Ben Pruitt', 'Cora Sayle'][n] ?? '' })
          .where('id', '=', customerId)
          .execute(),
      )
      // the third one has nothing that comes back
      if (n === 2) continue
      const recurrence: Recurrence = {
        ...{ freq: 'week', interval: 1, weekdays: [from], phaseOn: today, holiday: 'next', exceptions: [] },
      }
      const job = await business.api.ok(jobsApi.create, {
        body: {
          ...{ propertyId, startOn: today, crewId: crews.North },
          lines: [{ serviceId, recurrence, unitPriceCents: 5000 }],
        } as never,
      })
      jobIds.push(job.id)
    }
    await aLawn(business, { latitude: 32.4, longitude: -81.5 })
    const standing = async () => {
      const visits = await business.db((db) =>
        db
          .selectFrom('visits')
          .select(['day', 'crewId'])
          .where('businessId', '=', business.id)
          .where('jobId', 'in', jobIds)
          .execute(),
      )
      return [...new Set(visits.map(({ day, crewId }) => `${weekdayOf(day ?? '')} ${crewId}`))]
    }
    expect(await standing()).toEqual([`${from} ${crews.North}`])
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: '/customers?tab=map' })
    const map = page.getByRole('region', { name: 'Your customers' })
    await map.locator('.ui-map__canvas[data-drawn]').waitFor()
    await page.getByRole('button', { name: 'Select an area' }).click()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const box = (await map.locator('.ui-map__lasso').boundingBox())!
    const [midX, midY] = [box.x + box.width * 0.55, box.y + box.height * 0.55]
    const [right, bottom] = [box.x + box.width - 6, box.y + box.height - 6]
    await drawLine(page, width, [
      { x: midX, y: midY },
      { x: right, y: midY },
      { x: right, y: bottom },
      { x: midX, y: bottom },
      { x: midX, y: midY },
    ])
    await page.getByText('3 customers are selected.').waitFor()
    await page.getByRole('button', { name: 'Day and crew' }).click()
    const dialog = page.getByRole('dialog', { name: 'Service day and crew for 3 customers' })
    await dialog.getByLabel('Service day').selectOption(String(to))
    await dialog.getByLabel('Crew').selectOption({ label: 'South' })
    await dialog.getByText('Left out, because no recurring job of theirs goes on: Cora Sayle.').waitFor()
    await dialog.getByText(/^\d+ visits moved/).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Change 2 jobs' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(standing).toEqual([`${to} ${crews.South}`])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(standing).toEqual([`${from} ${crews.North}`])

    // the same from a selection in the list, for the crew alone
    await page.goto('/customers')
    const row = width > 800 ? page.getByRole('row') : page.getByRole('listitem')
    await row.filter({ hasText: 'Ann Odom' }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Day and crew' }).click()
    const one = page.getByRole('dialog', { name: 'Service day and crew for 1 customer' })
    await one.getByLabel('Crew').selectOption({ label: 'South' })
    await one.getByRole('button', { name: 'Change 1 job' }).click()
    await one.waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await standing()).toSorted())
      .toEqual([`${from} ${crews.North}`, `${from} ${crews.South}`].toSorted())
  })

  test('customers at one place are one pin with their number, and each can be opened', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const ids: string[] = []
    for (const n of [0, 1, 2]) {
      const { customerId } = await aLawn(business, { latitude: 32.05, longitude: -81.1 })
      await business.db((db) =>
        db
          .updateTable('customers')
          .set({ name: `Pat ${n}` })
          .where('id', '=', customerId)
          .execute(),
      )
      ids.push(customerId)
    }
    await aLawn(business, { latitude: 32.4, longitude: -81.5 })
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: '/customers?tab=map' })
    const map = page.getByRole('region', { name: 'Your customers' })
    await map.locator('.ui-map__canvas[data-drawn]').waitFor()
    await map.getByRole('button', { name: /3 customers here: / }).press('Enter')
    await page.getByRole('dialog', { name: '3 customers at one place' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Pat 1/ }).click()
    await expect.poll(() => page.url()).toContain(`customerId=${ids[1]}`)
  })
})
