import { expect, test } from 'vitest'
import { crewappApi } from '../src/features/crewapp/contract.ts'
import { sheetsApi } from '../src/features/timeclock/sheets/contract.ts'
import { aMix, aProduct, treatLawns } from '../src/test/chemicals.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay, crewHands } from './fixtures-day.ts'
import { legibleFindings } from './legible.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

test('the office says what a mix is for, and the crew loads by it, without a signal too', async () => {
  const { business, luis } = await aCrewDay({
    streets: ['132 Laurel Green Ct', '1513 Cathy St'],
    stopOf: (index) => (index === 0 ? { dog: 'Dog in back yard.' } : {}),
  })
  const { owner } = business
  await treatLawns(business)
  await aMix(business.api, (await aProduct(business.api)).id)
  const [service] = await business.db((db) => db.selectFrom('services').select('name').execute())
  const office = await openPage({
    as: { email: owner.email, password },
    path: '/jobs?tab=services&chemicals=mixes',
  })
  await step('at the mix', async () => {
    const desk = office.page
    await desk.getByRole('button', { name: /Weed control/ }).click()
    await desk.getByRole('checkbox', { name: service?.name ?? '', exact: true }).check()
    await expectAccessible(desk)
    await desk.getByRole('button', { name: 'Save mix' }).click()
    await desk.getByText('Weed control saved').waitFor()
  })
  const { page, context, complaints } = await openPage({
    width: 390,
    as: { email: luis.email, password },
    path: '/employee-dashboard',
  })
  const hands = crewHands(page)
  await step('the phone has the list before the first stop', async () => {
    await page.getByRole('button', { name: 'Load list: Today' }).waitFor()
    await hands.isKept()
    await context.setOffline(true)
    await page.reload()
    await page.getByRole('button', { name: 'Load list: Today' }).click()
    await page.getByRole('checkbox', { name: /Trimec Classic: 24 fl oz/ }).check()
    await page.getByRole('checkbox', { name: /Water: 24 gal/ }).check()
    await page.getByText('Everything is ticked.').waitFor()
    await expectAccessible(page)
    expect(await legibleFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()
    await context.setOffline(false)
  })
  await step('the office looks at the same lists, and prints a page for each crew in its language', async () => {
    const desk = office.page
    for (const width of widths(390)) {
      await desk.setViewportSize({ width, height: 900 })
      await desk.goto('/route-map')
      await desk.getByRole('button', { name: 'More for this day' }).click()
      await desk.getByRole('menuitem', { name: 'Load lists…' }).click()
      const lists = desk.getByRole('dialog')
      await lists.getByRole('heading', { name: /^North/ }).waitFor()
      await lists.getByText('Trimec Classic: 24 fl oz').waitFor()
      await lists.getByText('Luis, Ana · for 2 stops').or(lists.getByText('Ana, Luis · for 2 stops')).waitFor()
      await expectAccessible(desk)
    }
    await desk.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Spanish' })
    await desk.getByRole('dialog').getByText('Agua: 24 gal').waitFor()
    await desk.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '')
    })
    await desk.getByRole('button', { name: 'Print the list' }).click()
    await desk.locator('html[data-printed]').waitFor()
    // on paper there is the list and nothing of the app
    await desk.emulateMedia({ media: 'print' })
    await desk.locator('.loads--paper').getByText('Agua: 24 gal').waitFor()
    expect(await desk.getByRole('dialog').isVisible()).toBe(false)
    expect(await desk.locator('#root').isVisible()).toBe(false)
    await desk.emulateMedia({ media: 'screen' })
  })
  await step('a week that was sent back waits below the stop that is being worked', async () => {
    await business.db((db) =>
      db
        .insertInto('timeEntries')
        .values({
          businessId: business.id,
          id: crypto.randomUUID(),
          userId: luis.userId,
          kind: 'work',
          startedAt: new Date(Date.now() - 9 * 86_400_000).toISOString(),
          endedAt: new Date(Date.now() - 9 * 86_400_000 + 3_600_000).toISOString(),
        } as never)
        .execute(),
    )
    const { items } = await luis.api.ok(sheetsApi.own, {})
    const sheet = items.find(({ status, paidSeconds }) => status === 'open' && paidSeconds > 0)
    if (!sheet) throw new Error('There is no week to send back.')
    const command = { id: crypto.randomUUID(), type: 'submit_week' as const, at: new Date().toISOString() }
    await luis.api.ok(crewappApi.commands, { body: { commands: [{ ...command, payload: { week: sheet.week } }] } })
    const { version } = await business.api.ok(sheetsApi.get, {
      params: { id: luis.userId },
      query: { week: sheet.week },
    })
    await business.api.ok(sheetsApi.sendBack, {
      params: { id: luis.userId },
      body: { week: sheet.week, version, reason: 'Tuesday has no lunch.' },
    })
    await page.reload()
    const news = page.getByText(/Tuesday has no lunch/)
    const dog = page.getByText('Dog in back yard.')
    const topOf = async (what: typeof dog) => (await what.first().boundingBox())?.y ?? 0
    await news.waitFor()
    expect(await topOf(news)).toBeLessThan(await topOf(dog))
    await page.getByRole('button', { name: 'Clock in' }).click()
    await hands.start()
    await hands.allSent()
    await expect.poll(async () => (await topOf(dog)) < (await topOf(news))).toBe(true)
  })
  await step('the usual mix is open at once when the treatment is written down', async () => {
    await page.getByRole('button', { name: 'Record the application' }).click()
    expect(await page.getByLabel(/^Trimec Classic/).inputValue()).toBe('12')
    await page.keyboard.press('Escape')
  })
  expectQuiet(complaints, away)
  expectQuiet(office.complaints, /GPU stall/)
})
