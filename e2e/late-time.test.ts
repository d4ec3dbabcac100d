import { expect, test } from 'vitest'
import { crewappApi } from '../src/features/crewapp/contract.ts'
import { sheetsApi } from '../src/features/timeclock/sheets/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { addDays, dayOf, formatDay, instantAt, startOfWeek } from '../src/shared/dates.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** Time from a phone for a week that payroll was run for: it stands where somebody sees it, until it is counted or left out. */

const { openPage } = withBrowser({ afresh: 'file' })

test('late time for a locked week is kept on the sheet until the office decides', async () => {
  const { business, owner, people, timeZone } = await aNewBusiness()
  const [luis] = people
  if (!luis) throw new Error('nobody works here')
  const week = addDays(startOfWeek(dayOf(Date.now(), timeZone)), -7)
  const at = (day: number, minute: number) => instantAt(addDays(week, day), minute, timeZone)
  const sends = (...taps: ['clock_in' | 'clock_out', string][]) =>
    luis.api.ok(crewappApi.commands, {
      body: { commands: taps.map(([type, when]) => ({ id: newId(), type, at: when, payload: {} })) },
    })
  await sends(['clock_in', at(0, 420)], ['clock_out', at(0, 780)])
  const seen = await business.api.ok(sheetsApi.get, { params: { id: luis.userId }, query: { week } })
  await business.api.ok(sheetsApi.approve, {
    body: { week, items: [{ userId: luis.userId, version: seen.version }] },
  })
  await business.api.ok(sheetsApi.lock, { body: { week } })
  await sends(['clock_in', at(2, 420)], ['clock_out', at(2, 900)])

  const { page, complaints } = await openPage({ as: owner, timezoneId: timeZone, path: '/dashboard' })
  await step('it needs somebody, and leads to the week', async () => {
    await page.getByText('Luis Ortega worked in a week that payroll is locked for').first().click()
    const panel = page.getByRole('dialog', { name: 'Luis Ortega' })
    await panel.getByText('Time came in after payroll was run').waitFor()
    await panel.getByText(`${formatDay(addDays(week, 2))}: in 7:00 AM, out 3:00 PM`).waitFor()
    await panel.getByText('To count it, an owner unlocks the week first.').waitFor()
    expect(await panel.getByRole('button', { name: 'Count it' }).count()).toBe(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await panel.getByRole('button', { name: 'Leave it out' }).waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 1440, height: 1000 })
  })
  await step('once the week is open it is counted, where it was said', async () => {
    await business.api.ok(sheetsApi.unlock, { body: { week, reason: 'Late phone' } })
    await page.reload()
    const panel = page.getByRole('dialog', { name: 'Luis Ortega' })
    await panel.getByRole('button', { name: 'Count it' }).click()
    await panel.getByText(/counted the late time$/).waitFor()
    await panel.getByText('7:00 AM to 3:00 PM').waitFor()
    expect(await panel.getByText('Time came in after payroll was run').count()).toBe(0)
    await expectAccessible(page)
  })
  expectQuiet(complaints)
})
