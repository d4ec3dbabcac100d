import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { es as t } from '../src/features/crewapp/web/textsEs.ts'
import { sheetsApi } from '../src/features/timeclock/sheets/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay, commandsAt, crewHands } from './fixtures-day.ts'

/** A whole day of a crew of two, in Spanish and without a signal in its middle, from the clock to the week that the office approves. */

const { openPage } = withBrowser({ afresh: 'file' })
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

test('a day is worked from clocking in to the approved week', async () => {
  const { business, crewId, visits, luis, ana } = await aCrewDay({
    streets: ['132 Laurel Green Ct', '1513 Cathy St', '45 Wassaw Rd'],
    stopOf: (index) => (index === 0 ? { dog: 'Perro atrás.' } : {}),
  })
  const [first = '', second = '', third = ''] = visits
  await business.db(async (db) => {
    await db.updateTable('users').set({ language: 'es' }).where('id', 'in', [luis.userId, ana.userId]).execute()
    await db.updateTable('crews').set({ leaderUserId: luis.userId }).where('id', '=', crewId).execute()
  })
  const phoneOf = (email: string) =>
    openPage({ width: 390, as: { email, password }, path: '/employee-dashboard', timezoneId: 'America/New_York' })
  const [lead, mate] = [await phoneOf(luis.email), await phoneOf(ana.email)]
  const press = (page: typeof lead.page, name: string | RegExp) =>
    page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).click()
  const allSent = (page: typeof lead.page) => page.getByText(t.sync.allSent).waitFor({ timeout: 60_000 })
  const statusOf = async (id: string) => (await business.api.ok(visitsApi.get, { params: { visitId: id } })).status

  await step('the leader clocks everybody in, and the other phone hears of it', async () => {
    await lead.page.goto('/employee-timeclock')
    await press(lead.page, /^Entrada de toda la cuadrilla/)
    await allSent(lead.page)
    await mate.page.getByText(/^Entrada \d/).waitFor()
    await expectAccessible(lead.page)
  })
  await step('the first stop: danger, on the way, begun, a photo, a rest', async () => {
    await lead.page.goto('/employee-dashboard')
    await lead.page.getByText('Perro atrás.').waitFor()
    await press(lead.page, t.onMyWay)
    await press(lead.page, t.start)
    await lead.page.getByText(/^En el lugar 0 de/).waitFor()
    await crewHands(lead.page).takePhoto(t.photoBefore)
    await press(lead.page, t.pause)
    await press(lead.page, t.resume)
    await allSent(lead.page)
    // one crew, one stop: the other phone has it as it is
    await mate.page.getByRole('button', { name: t.finish, exact: true }).waitFor()
    await expectAccessible(lead.page)
  })
  await step('the signal goes, and both finish the same stop', async () => {
    for (const { page, context } of [lead, mate]) {
      await crewHands(page).isKept()
      await context.setOffline(true)
      await page.reload()
      await press(page, t.finish)
      await page.getByText(t.finished('132 Laurel Green Ct')).waitFor()
    }
  })
  await step('the leader works the second, skips the third, and changes their mind', async () => {
    const { page } = lead
    await press(page, t.start)
    await page.getByText(/^En el lugar 0 de/).waitFor()
    await press(page, t.skip)
    await page.getByText(t.skipReasons.too_wet).click()
    await press(page, t.skipThis)
    await page.getByText(t.skipped('1513 Cathy St')).waitFor()
    await press(page, t.undo)
    await press(page, t.finish)
    await page.getByText(t.finished('1513 Cathy St')).waitFor()
    await press(page, t.skip)
    await page.getByText(t.skipReasons.too_wet).click()
    await press(page, t.skipThis)
    await page.getByText(t.skipped('45 Wassaw Rd')).waitFor()
    await page.getByText(t.doneTitle).waitFor()
    await expectAccessible(page)
  })
  await step('with the signal everything arrives once', async () => {
    for (const { context } of [mate, lead]) await context.setOffline(false)
    for (const { page } of [mate, lead]) await allSent(page)
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual(['completed', 'completed', 'skipped'])
    const told = await commandsAt(business, first)
    expect(told.filter((type) => type === 'en_route' || type === 'start')).toEqual(['en_route', 'start'])
    expect(await commandsAt(business, second)).toEqual(['finish', 'start'])
    expect(await commandsAt(business, third)).toEqual(['skip'])
  })
  await step('the leader clocks everybody out, and each has a time of their own', async () => {
    await business.db((db) => sql`update time_entries set started_at = started_at - interval '4 hours'`.execute(db))
    await lead.page.goto('/employee-timeclock')
    await press(lead.page, /^Salida de toda la cuadrilla/)
    await lead.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Salida de toda la cuadrilla/ })
      .click()
    await allSent(lead.page)
    await mate.page.getByText(t.offClock).first().waitFor()
  })
  await step('both hand their week in, one of them without a signal', async () => {
    await mate.page.goto('/employee-timesheets')
    await press(mate.page, 'Entregar esta semana')
    await mate.page.getByText('En la oficina').waitFor()
    await lead.page.goto('/employee-timesheets')
    await lead.page.getByRole('button', { name: 'Entregar esta semana' }).waitFor()
    await lead.context.setOffline(true)
    await press(lead.page, 'Entregar esta semana')
    await lead.page.getByText('Entregada, todavía en este teléfono').waitFor()
    await lead.context.setOffline(false)
    await lead.page.getByText('En la oficina').waitFor({ timeout: 60_000 })
  })
  const office = await openPage({ as: { email: business.owner.email, password }, path: '/employees?tab=timesheets' })
  await step('the office approves both at once', async () => {
    // with the weeks open the phones would show it at once, and have nothing new to say
    for (const { page } of [lead, mate]) await page.goto('/employee-dashboard')
    const { page } = office
    for (const name of ['Luis Ortega', 'Ana Reyes'])
      await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Approve 2 weeks' }).click()
    // the week is not over: that is said first
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 2 weeks' }).click()
    await expect
      .poll(async () => (await business.api.ok(sheetsApi.list, { query: {} })).items.map(({ status }) => status).sort())
      .toEqual(expect.arrayContaining(['approved', 'approved']))
    await expectAccessible(page)
  })
  await step('which both phones say, in Spanish', async () => {
    for (const { page } of [lead, mate]) {
      await page.goto('/employee-dashboard')
      await page.getByText(/La oficina aprobó tu semana/).waitFor()
      await expectAccessible(page)
    }
  })
  expectQuiet(lead.complaints, away)
  expectQuiet(mate.complaints, away)
  expectQuiet(office.complaints)
})
