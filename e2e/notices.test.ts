import { describe, expect, test } from 'vitest'
import { businessesApi } from '../src/features/businesses/contract.ts'
import { noticesApi } from '../src/features/notices/contract.ts'
import { remindOfDay } from '../src/features/notices/server/commands.ts'
import { systemActor } from '../src/platform/actor.ts'
import { clock } from '../src/platform/clock.ts'
import { addDays, dayOf, formatDay } from '../src/shared/dates.ts'
import { aVisit } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, threeCrews } from './fixtures.ts'

/** What customers hear by themselves: the office says what and in which words, the customer opens the page of the visit. */

const { openPage } = withBrowser({ afresh: 'file' })

const aTomorrow = async () => {
  const fresh = await aNewBusiness()
  const { business, owner, timeZone } = fresh
  const crews = await threeCrews(fresh)
  const day = addDays(dayOf(clock.now(), timeZone), 1)
  const made = await aVisit(business, { day, crewId: crews.North, position: 1, startMinute: 600, customer: 'Ann Lee' })
  await business.db((db) =>
    db.updateTable('customers').set({ phone: '+19125550111' }).where('id', '=', made.customerId).execute(),
  )
  const page = async () =>
    new URL((await business.api.ok(noticesApi.link, { params: { visitId: made.visitId } })).url).pathname
  return { ...fresh, ...made, crews, day, page, at: { as: owner, timezoneId: timeZone } }
}

describe.each(widths(390))('at %i pixels', (width) => {
  test('the office says what customers hear, sees what it costs and is told of a mistake in its words', async () => {
    const { business, customerId, at } = await aTomorrow()
    const { page } = await openPage({ ...at, width, path: '/profile?section=messages' })
    const form = page.getByRole('form', { name: 'Customers know' })
    await form.getByRole('radio', { name: /Every visit/ }).check()
    await form.getByRole('button', { name: 'Save customers know' }).click()
    await expect.poll(async () => (await business.api.ok(businessesApi.get, {})).reminders).toBe('all')
    const words = page.getByRole('form', { name: 'Words of these messages' })
    const reminder = words.getByRole('textbox', { name: 'Reminder, English' })
    await reminder.fill('{business}: see you {whn}')
    await words.getByText('There is no {whn} here.').waitFor()
    await reminder.fill('{business}: see you {when}! {link}')
    await words.getByText(/Marsh Side Lawns: see you Tue, Jun 9/).waitFor()
    await words.getByRole('button', { name: 'Save words of these messages' }).click()
    await expect
      .poll(async () => (await business.api.ok(businessesApi.get, {})).noticeTexts['reminder.en'])
      .toBe('{business}: see you {when}! {link}')
    await expectAccessible(page)
    await page.goto(`/customers?tab=manage&customerId=${customerId}`)
    const hears = page.getByRole('region', { name: 'What Ann Lee hears' })
    await hears.getByRole('switch', { name: 'A visit that moves' }).click()
    await expect
      .poll(async () => (await business.api.ok(noticesApi.get, { params: { id: customerId } })).muted)
      .toEqual(['moved'])
    await hears.getByRole('switch', { name: 'A visit that moves', checked: false }).waitFor()
    await expectAccessible(page)
  })

  test('the customer opens the link of a reminder; the page renews itself, and stands without a script', async () => {
    const { business, visitId, day, page: pathOf } = await aTomorrow()
    await business.db((db) =>
      db.updateTable('businesses').set({ reminders: 'all' }).where('businessId', '=', business.id).execute(),
    )
    expect(await remindOfDay(systemActor(business.id), day)).toBe(1)
    const path = await pathOf()
    const { page: plain } = await openPage({ width, path, javaScriptEnabled: false })
    await plain.getByRole('heading', { level: 1, name: /^Planned for / }).waitFor()
    expect(await plain.getByText('8 AM to 12 PM').count()).toBe(1)
    const { page } = await openPage({ width, path })
    await page.getByRole('heading', { level: 1, name: `Planned for ${formatDay(day, { long: true })}` }).waitFor()
    await expectAccessible(page)
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'in_progress', startedAt: clock.iso() })
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute(),
    )
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.getByRole('heading', { level: 1, name: /^Here since / }).waitFor()
    const { page: wrong } = await openPage({ width, path: `${path.slice(0, -1)}_` })
    await wrong.getByRole('heading', { level: 1, name: 'This link shows no visit' }).waitFor()
    await expectAccessible(wrong)
  })
})
