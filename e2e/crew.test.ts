import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { TestBusiness } from '../src/test/factories.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { password } from './fixtures.ts'
import { aCrewDay, cancelVisit } from './fixtures-day.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

const streets = ['132 Laurel Green Ct', '1513 Cathy St', '45 Wassaw Rd', '7 Bay St']

/** A published day of four stops, the first with everything that there is to know. */
const aDay = async () => {
  const { business, visits, luis } = await aCrewDay({
    streets,
    stopOf: (index) => ({
      latitude: 32.05 + ((index * 7) % 5) / 100,
      longitude: -81.1 + ((index * 3) % 4) / 100,
      ...(index === 0 ? { dog: 'Dog in back yard.', gateCode: '4711#', parking: 'On the street, not the drive' } : {}),
    }),
  })
  return { business, visits, as: { email: luis.email, password } }
}

const photo = () =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: '#3c8f4f' } })
    .jpeg()
    .toBuffer()
const visitOf = (business: TestBusiness, id: string | undefined) =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select(['status', 'skipReason', 'workedSeconds', 'note'])
      .where('businessId', '=', business.id)
      .where('id', '=', id ?? '')
      .executeTakeFirstOrThrow(),
  )
/** Where buttons of the stop at hand stand, from its street on. */
const placesOn = async (page: Page, names: readonly string[]): Promise<Record<string, number[]>> => {
  const from = await page.getByRole('heading', { level: 2 }).first().boundingBox()
  const places: Record<string, number[]> = {}
  for (const name of names) {
    const box = await page.getByText(name, { exact: true }).first().boundingBox()
    places[name] = [box?.x ?? -1, box?.y ?? -1].map((at, axis) => Math.round(axis === 0 ? at : at - (from?.y ?? 0)))
  }
  return places
}
const countOf = (business: TestBusiness, table: 'visitPhotos' | 'crewCommands' | 'timeEntries') =>
  business.db(
    async (db) => (await db.selectFrom(table).select('id').where('businessId', '=', business.id).execute()).length,
  )

describe('a day on a phone', () => {
  test('is worked without a signal, survives a reload and a kill, and arrives once', async () => {
    const { business, visits, as } = await aDay()
    const { page, context, complaints } = await openPage({ width: 390, as, path: '/employee-dashboard' })
    await page.getByRole('heading', { name: '132 Laurel Green Ct' }).waitFor()
    await page.getByText('R. Odom · Mow, edge, blow').waitFor()
    await page.getByRole('button', { name: 'Gate code: tap to show' }).click()
    await page.getByText('Gate code 4711#').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Clock in' }).click()
    await page.getByText('All sent').waitFor()
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })

    await context.setOffline(true)
    await page.getByRole('button', { name: 'On my way', exact: true }).click()
    await page.getByText(/On the way since/).waitFor()
    const places = () => placesOn(page, ['Navigate', 'Photo before', 'Photo after', 'Note…', 'Skip…'])
    const learned = await places()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText(/On site 0 of 28 min/).waitFor()
    // a gloved thumb that taps the same place does the same thing
    expect(await places()).toEqual(learned)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Photo before' }).click(),
    ])
    await chooser.setFiles({ name: 'lawn.jpg', mimeType: 'image/jpeg', buffer: await photo() })
    await page.getByText('1 before, 0 after').waitFor()

    await page.getByRole('button', { name: 'Finish', exact: true }).click()
    await page.getByText('Finished 132 Laurel Green Ct').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(/On site/).waitFor()
    await page.getByRole('button', { name: 'Finish', exact: true }).click()
    await page.getByRole('heading', { name: '1513 Cathy St' }).waitFor()

    await page.getByRole('button', { name: 'Skip…' }).click()
    await page.getByText('Other', { exact: true }).click()
    await page.getByRole('button', { name: 'Skip this stop' }).click()
    await page.getByText('Say what happened, so that the office can plan it again.').waitFor()
    await page.getByText('Locked gate').click()
    await page.getByRole('button', { name: 'Skip this stop' }).click()
    await page.getByRole('heading', { name: '45 Wassaw Rd' }).waitFor()
    await page.getByText(/on phone, no signal/).waitFor()

    await page.reload()
    await page.getByRole('heading', { name: '45 Wassaw Rd' }).waitFor()
    await page.getByText('Stop 3 of 4').waitFor()
    await page.close()
    const again = await context.newPage()
    await again.goto('/employee-dashboard')
    await again.getByRole('heading', { name: '45 Wassaw Rd' }).waitFor()
    expect((await visitOf(business, visits[0])).status).toBe('scheduled')

    await context.setOffline(false)
    await again.getByText('All sent').waitFor({ timeout: 60_000 })
    expect(await visitOf(business, visits[0])).toMatchObject({ status: 'completed' })
    expect(await visitOf(business, visits[1])).toMatchObject({ status: 'skipped', skipReason: 'locked_gate' })
    expect([
      await countOf(business, 'visitPhotos'),
      await countOf(business, 'crewCommands'),
      await countOf(business, 'timeEntries'),
    ]).toEqual([1, 5, 1])
    expectQuiet(complaints, away)
  })

  test('tells the truth about what the office changed meanwhile', async () => {
    const { business, visits, as } = await aDay()
    const { page, context } = await openPage({ width: 390, as, path: '/employee-dashboard' })
    await page.getByRole('heading', { name: '132 Laurel Green Ct' }).waitFor()
    await page.getByRole('button', { name: 'Clock in' }).click()
    await page.getByText('All sent').waitFor()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText(/On site/).waitFor()
    await cancelVisit(business, visits[0])
    await context.setOffline(false)
    await page.getByText('1 needs you').click({ timeout: 60_000 })
    await page.getByText('The office had canceled this stop. Your time is kept; the office decides.').waitFor()
    await page.getByRole('button', { name: 'I have seen it' }).click()
    await page.getByText('Everything has reached the office.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: '1513 Cathy St' }).waitFor()
  })

  test('has a clock, a route, a week and a profile, in two languages, day and night', async () => {
    const { as } = await aDay()
    const { page, complaints } = await openPage({ width: 390, as, path: '/employee-timeclock' })
    await page.getByRole('button', { name: 'Clock in' }).click()
    await page.getByText('On the clock').waitFor()
    await page.getByRole('button', { name: 'Take a break' }).click()
    await page.getByRole('button', { name: 'End break' }).click()
    await page.getByText('All sent').waitFor()
    await expectAccessible(page)
    await page.goto('/route-map')
    await page.getByRole('img', { name: /Sketch of the route/ }).waitFor()
    await expectAccessible(page)
    await page.goto('/employee-week-view')
    await page.getByText(/Today · 4 stops/).waitFor()
    await expectAccessible(page)
    await page.goto('/employee-profile')
    await page.getByText('North, with Ana').waitFor()
    await page.getByText('Night', { exact: true }).click()
    await expectAccessible(page)
    await page.getByText('Español').click()
    await page.getByText('Idioma').waitFor()
    await page.goto('/employee-dashboard')
    await page.getByRole('button', { name: 'Empezar' }).waitFor()
    await page.getByText('Parada 1 de 4').waitFor()
    await expectAccessible(page)
    expectQuiet(complaints, away)
  })
})
