import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { calendarEventsApi } from '../src/features/calendar/events/contract.ts'
import { crewappApi } from '../src/features/crewapp/contract.ts'
import { employeesApi } from '../src/features/employees/contract.ts'
import { licensesApi } from '../src/features/employees/licenses/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { addDays, dayOf, formatDay } from '../src/shared/dates.ts'
import { aVisit } from '../src/test/field.ts'
import { placeNear } from '../src/test/planning.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step, threeCrews } from './fixtures.ts'

/** Who is on a crew on which day: a change from a day on, a stand-in for one, a license that ends. */

const { openPage } = withBrowser({ afresh: 'file' })

const aTeam = async () => {
  const fresh = await aNewBusiness()
  const crews = await threeCrews(fresh)
  const today = dayOf(clock.now(), fresh.timeZone)
  const { business } = fresh
  const membersOn = async (day: string, name: string) =>
    (await business.api.ok(employeesApi.crews, { query: { day } })).items
      .find((crew) => crew.name === name)
      ?.members.map((one) => one.name)
  return { ...fresh, crews, today, membersOn, at: { as: fresh.owner, timezoneId: fresh.timeZone } }
}

const undo = (page: Page, about: string) =>
  page.getByRole('status').filter({ hasText: about }).getByRole('button', { name: 'Undo', exact: true }).click()

test('a person changes crew from a day on: what follows is said first, the days before stay, and Undo takes it back', async () => {
  const { business, people, crews, today, membersOn, at } = await aTeam()
  const from = addDays(today, 3)
  await aVisit(business, { day: from, crewId: crews.North, ...placeNear(1, 0.04) })
  const ana = people[1]
  const { page } = await openPage({ ...at, path: `/employees?tab=manage&personId=${ana?.userId}` })
  const panel = page.getByRole('dialog', { name: 'Ana Reyes' })
  await panel.getByText('North', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Change the crew…' }).click()
  await panel.getByRole('combobox', { name: 'Crew', exact: true }).selectOption({ label: 'Coast' })
  await panel.getByLabel('From').fill(formatDay(from, { year: true }))
  await panel.getByLabel('From').press('Tab')
  await step('which crews lose people is said before it is done', async () => {
    await panel.getByText(/North: 1 person instead of 2 on \d+ work days from .* \(1 stop\)\./).waitFor()
    await panel.getByText(/Coast: 3 people instead of 2/).waitFor()
    await expectAccessible(page)
    expect(await membersOn(from, 'North')).toContain('Ana Reyes')
  })
  await step('it counts from that day, and the days before it stay', async () => {
    await panel.getByRole('button', { name: 'Change the crew', exact: true }).click()
    await panel.getByText(`from ${formatDay(from)}`, { exact: true }).waitFor()
    expect(await membersOn(from, 'Coast')).toContain('Ana Reyes')
    expect(await membersOn(addDays(today, 2), 'North')).toContain('Ana Reyes')
  })
  await step('undo', async () => {
    await undo(page, 'Ana Reyes')
    await panel.getByText(`from ${formatDay(from)}`, { exact: true }).waitFor({ state: 'detached' })
    expect(await membersOn(from, 'North')).toContain('Ana Reyes')
  })
})

/** Carries Ana's card to a crew: by keys as long as no other is under it, or by the mouse, and lets go there. */
const carry = async (page: Page, crew: string, by: 'mouse' | 'keys') => {
  const grip = page.getByRole('button', { name: 'Drag Ana Reyes' })
  const target = page.getByRole('region', { name: crew, exact: true })
  const isOver = () => page.getByText(new RegExp(`Ana Reyes is over .* in ${crew}`)).count()
  await page.locator('.ui-sort__ghost').waitFor({ state: 'detached' })
  await grip.scrollIntoViewIfNeeded()
  if (by === 'keys') {
    await grip.focus()
    await page.keyboard.press('Space')
    await page.getByText(/Ana Reyes is over/).waitFor({ state: 'attached' })
    await expect
      .poll(async () => {
        if (await isOver()) return 1
        await page.keyboard.press('ArrowRight')
        return isOver()
      })
      .toBe(1)
    await page.keyboard.press('Space')
    return
  }
  await target.scrollIntoViewIfNeeded()
  const [from, to] = [await grip.boundingBox(), await target.locator('ol').boundingBox()]
  if (!from || !to) throw new Error(`There is no way to ${crew}.`)
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 12, from.y + from.height / 2 + 6, { steps: 3 })
  let step = 0
  await expect
    .poll(async () => {
      await page.mouse.move(to.x + to.width / 2 + (step++ % 2), to.y + to.height / 2)
      return target.getByText('Ana Reyes').count()
    })
    .toBeGreaterThan(0)
  await page.mouse.up()
}

test.each(widths(1440))(
  'at %i somebody is dragged to another crew: a day is asked for, and nothing changes before',
  async (width) => {
    const { today, membersOn, at } = await aTeam()
    const { page } = await openPage({ ...at, width, path: '/employees?tab=crews' })
    const list = (name: string) => page.getByRole('region', { name, exact: true })
    await list('North').getByText('Ana Reyes').waitFor()
    await expectAccessible(page)
    const dialog = page.getByRole('dialog', { name: /^Ana Reyes to .*: from when\?$/ })
    await step('by the mouse, and called off', async () => {
      await carry(page, 'Coast', 'mouse')
      await page.getByRole('dialog', { name: 'Ana Reyes to Coast: from when?' }).waitFor()
      await dialog.getByText(/North: 1 person instead of 2/).waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await list('North').getByText('Ana Reyes').waitFor()
      expect(await membersOn(today, 'North')).toContain('Ana Reyes')
    })
    if (width === 390) return
    await step('by the keys, from today', async () => {
      await carry(page, 'Coast', 'keys')
      await dialog.getByRole('button', { name: 'Change the crew', exact: true }).click()
      await list('Coast').getByText('Ana Reyes').waitFor()
      expect(await membersOn(today, 'Coast')).toContain('Ana Reyes')
    })
    await undo(page, 'Ana Reyes')
    await list('North').getByText('Ana Reyes').waitFor()
  },
)

test.each(widths(390))(
  'at %i somebody is off: what needs you leads to a stand-in, who sees that crew on the phone that day',
  async (width) => {
    const { business, people, crews, today, membersOn, at } = await aTeam()
    const day = addDays(today, 1)
    const [luis, ana, ben] = people
    await aVisit(business, { day, crewId: crews.North, street: '9 Marsh Ln', ...placeNear(1, 0.04) })
    for (const who of [luis, ana])
      await business.api.ok(calendarEventsApi.create, {
        body: { kind: 'time_off', title: 'Off', firstDay: day, lastDay: day, userId: who?.userId ?? '' },
      })
    const { page } = await openPage({ ...at, width, path: '/dashboard' })
    await step('the dashboard leads to who could come', async () => {
      await page.getByText('Nobody of North is at work').waitFor()
      await page.getByRole('link', { name: /Find a stand-in/ }).click()
      await page.getByRole('dialog', { name: /North, .* who stands in\?/ }).waitFor()
      await expectAccessible(page)
    })
    const ask = page.getByRole('dialog', { name: /who stands in/ })
    await step('one tap puts somebody on the crew for that day', async () => {
      await ask.getByRole('button', { name: 'Put on the crew: Ben Carter' }).click()
      await ask.getByText('stands in for this day only').waitFor()
      expect(await membersOn(day, 'North')).toContain('Ben Carter')
      expect(await membersOn(addDays(day, 1), 'Coast')).toContain('Ben Carter')
      const phone = await ben?.api.ok(crewappApi.day, { query: { day } })
      expect(phone?.days.find((one) => one.day === day)?.crew?.name).toBe('North')
    })
    await step('and takes them back', async () => {
      await ask.getByRole('button', { name: 'Take back' }).click()
      await ask.getByRole('button', { name: 'Put on the crew: Ben Carter' }).waitFor()
      expect(await membersOn(day, 'Coast')).toContain('Ben Carter')
    })
    await step('or the stops go to other crews', async () => {
      await ask.getByRole('link', { name: 'Give the stops to other crews' }).click()
      await page.getByRole('dialog', { name: /A crew is out/ }).waitFor()
    })
  },
)

test('time off that takes somebody from a crew with stops asks at once who stands in', async () => {
  const { business, crews, today, at } = await aTeam()
  const day = addDays(today, 1)
  await aVisit(business, { day, crewId: crews.North, ...placeNear(1, 0.04) })
  const { page } = await openPage({ ...at, path: `/calendar?view=week&day=${day}` })
  await page.getByRole('button', { name: 'Event', exact: true }).click()
  const event = page.getByRole('dialog', { name: 'New event' })
  await event.getByLabel('Who').selectOption({ label: 'Ana Reyes' })
  await event.getByRole('button', { name: 'Add to the calendar' }).click()
  const ask = page.getByRole('dialog', { name: /North, .* who stands in\?/ })
  await ask.getByText(/Ana Reyes off\. At work: Luis Ortega\./).waitFor()
  await ask.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: /Ana off: find a stand-in for North/ }).click()
  await ask.waitFor()
})

test('a depot is set without a mouse: the arrow keys move the pin, and where it went is said', async () => {
  const { business, crews, at } = await aTeam()
  const { page } = await openPage({ ...at, path: `/employees?tab=crews&crewId=${crews.North}` })
  const keys = page.getByRole('button', { name: 'Move by arrow keys' })
  await keys.focus()
  await keys.press('ArrowUp')
  await keys.press('Shift+ArrowRight')
  await page.getByText(/^300 feet east: latitude 32\.10008, longitude -81\.149/).waitFor()
  await page.getByRole('button', { name: 'Another shift on a weekday' }).click()
  const shift = page.getByRole('group', { name: 'Another shift on Mon' })
  await shift.getByLabel('Ends').fill('1 pm')
  await page.getByLabel('Truck').fill('Isuzu NPR')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('status').filter({ hasText: 'North saved' }).waitFor()
  const crew = (await business.api.ok(employeesApi.crews, {})).items.find((one) => one.id === crews.North)
  expect(crew).toMatchObject({
    depotLatitude: 32.100082,
    vehicle: { name: 'Isuzu NPR' },
    weekdayShifts: [{ weekday: 1, startMinute: 420, endMinute: 780 }],
  })
})

test('work that needs a license is refused on a day without one, before it is dropped', async () => {
  const { business, people, crews, today, at } = await aTeam()
  const day = addDays(today, 1)
  await aVisit(business, { day, crewId: crews.Coast, street: '9 Marsh Ln', ...placeNear(1, 0.04) })
  await business.db((db) =>
    db
      .updateTable('services')
      .set({ skills: ['applicator'] })
      .where('businessId', '=', business.id)
      .execute(),
  )
  await business.api.ok(licensesApi.create, {
    params: { id: people[2]?.userId ?? '' },
    body: { skill: 'applicator', state: 'GA', expiresOn: addDays(today, 1) },
  })
  const { page } = await openPage({ ...at, path: `/calendar?view=day&day=${day}` })
  await page.getByRole('button', { name: 'Move 9 Marsh Ln to…' }).click()
  const ask = page.getByRole('dialog', { name: 'Move 9 Marsh Ln' })
  const crew = ask.getByRole('combobox', { name: 'Crew' })
  await step('the crew without one is not offered, and says why when it is picked', async () => {
    await ask.getByRole('button', { name: /^South/ }).waitFor({ state: 'detached' })
    await crew.selectOption({ label: 'North' })
    await ask.getByText(/North has nobody at work on .* with a valid license for “applicator”/).waitFor()
    expect(await ask.getByRole('button', { name: /^Move/ }).isEnabled()).toBe(false)
  })
  await step('nor the day after the license has ended', async () => {
    await crew.selectOption({ label: 'Coast' })
    await ask.getByLabel('Another day').fill(formatDay(addDays(day, 1), { year: true }))
    await ask.getByLabel('Another day').press('Tab')
    await ask
      .getByText(/Coast has nobody at work on .* with a valid license/)
      .first()
      .waitFor()
  })
})

test('days off are added: what stands on them is counted and asked, moved with one press, and put back', async () => {
  const { business, crews, today, at } = await aTeam()
  const off = addDays(today, 4)
  const { visitId } = await aVisit(business, { day: off, crewId: crews.North, ...placeNear(1, 0.04) })
  const dayOfVisit = async () => (await business.api.ok(visitsApi.get, { params: { visitId } })).day
  const { page } = await openPage({ ...at, path: '/profile?section=schedule' })
  await page.getByLabel('Add a day off').fill(formatDay(off, { year: true }))
  await page.getByLabel('Add a day off').press('Tab')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const asks = page.getByRole('status').filter({ hasText: '1 visit stands on a day off of yours' })
  expect(await asks.count()).toBe(0)
  await page
    .getByRole('form', { name: /Season/ })
    .getByRole('button', { name: /^Save/ })
    .click()
  await asks.waitFor()
  await expectAccessible(page)
  expect(await dayOfVisit()).toBe(off)
  await asks.getByRole('button', { name: 'Move to the next work day' }).click()
  await asks.waitFor({ state: 'detached' })
  expect(await dayOfVisit()).toBe(addDays(off, 1))
  await undo(page, '1 visit moved')
  await asks.waitFor()
  expect(await dayOfVisit()).toBe(off)
  await asks.getByRole('button', { name: 'Leave them' }).click()
  await asks.waitFor({ state: 'detached' })
})
