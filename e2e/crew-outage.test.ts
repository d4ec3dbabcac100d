import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accountsApi } from '../src/features/accounts/contract.ts'
import { chatApi } from '../src/features/chat/contract.ts'
import { crewappApi } from '../src/features/crewapp/contract.ts'
import { timeclockApi } from '../src/features/timeclock/contract.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay, commandsAt, crewHands } from './fixtures-day.ts'

/** A server that is away or broken: the crew works on, and each screen says in words what it could not load. */

const { openPage } = withBrowser({ afresh: 'file' })

test('while only the refresh of the session is away, the day stays, is worked, and arrives when it is back', async () => {
  const { business, visits, luis } = await aCrewDay({ streets: ['7 Bay St', '45 Wassaw Rd'] })
  const as = { email: luis.email, password }
  const { page, context } = await openPage({ width: 390, as, path: '/employee-dashboard' })
  const hands = crewHands(page)
  await page.getByRole('button', { name: 'Clock in' }).click()
  await hands.allSent()
  await hands.isKept()
  let refreshes = 0
  await context.route(`**${accountsApi.refresh.path}`, (route) => {
    refreshes += 1
    return route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Away', requestId: 'r' } })
  })
  await step('the app is opened anew, without a token, and asks often', async () => {
    await page.reload()
    await hands.start()
    await hands.finish('7 Bay St')
    await expect.poll(() => refreshes, { timeout: 60_000 }).toBeGreaterThan(5)
  })
  await step('nobody is signed out and nothing is gone', async () => {
    expect(new URL(page.url()).pathname).toBe('/employee-dashboard')
    await page.getByRole('heading', { name: '45 Wassaw Rd' }).waitFor()
    await page.getByText(/on phone/).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('swath.profile.employee'))).toContain(luis.userId)
    // also after a kill, in the middle of it
    await page.reload()
    await page.getByRole('heading', { name: '45 Wassaw Rd' }).waitFor()
  })
  await context.unroute(`**${accountsApi.refresh.path}`)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await hands.allSent()
  expect(await commandsAt(business, visits[0] ?? '')).toEqual(['finish', 'start'])
})

test('what a screen could not load it says in words, in both languages, and loads it when it is asked again', async () => {
  const { luis } = await aCrewDay({ streets: ['7 Bay St'] })
  const { page, context } = await openPage({ width: 390, as: { email: luis.email, password } })
  const broken = async (paths: readonly string[]) => {
    for (const path of paths)
      await context.route(`**${path}*`, (route) =>
        route.request().method() === 'GET'
          ? route.fulfill({ status: 500, json: { code: 'internal', message: 'Broken', requestId: 'r' } })
          : route.continue(),
      )
  }
  const says = async (on: Page, path: string, words: string, again: string) => {
    await on.goto(path)
    await on.getByText(words, { exact: true }).waitFor()
    await on.getByRole('button', { name: again }).first().waitFor()
    await expectAccessible(on)
  }
  const all = [crewappApi.day.path, crewappApi.profile.path, timeclockApi.clock.path, chatApi.threads.path]
  await broken(all)
  const screens = [
    ['/employee-dashboard', "Failed to load today's jobs", 'No se pudieron cargar los trabajos de hoy'],
    ['/route-map', "Failed to load today's route", 'No se pudo cargar la ruta de hoy'],
    ['/employee-week-view', 'Failed to load your week', 'No se pudo cargar tu semana'],
    ['/employee-timeclock', 'Failed to load your time clock', 'No se pudo cargar tu reloj'],
    ['/employee-chat', 'Failed to load your messages', 'No se pudieron cargar tus mensajes'],
    ['/employee-profile', 'Failed to load employee profile', 'No se pudo cargar tu perfil'],
  ] as const
  for (const [path, words] of screens) await step(words, () => says(page, path, words, 'Try again'))
  await page.evaluate(() => localStorage.setItem('swath.crew.settings', JSON.stringify({ language: 'es' })))
  for (const [path, , words] of screens) await step(words, () => says(page, path, words, 'Intentar otra vez'))
  await page.evaluate(() => localStorage.setItem('swath.crew.settings', JSON.stringify({ language: 'en' })))
  const loads = async (path: string, route: string, shown: string) => {
    await page.goto(path)
    const again = page.getByRole('button', { name: 'Try again' }).first()
    await again.waitFor()
    await context.unroute(`**${route}*`)
    await again.click()
    await page.getByText(shown).first().waitFor()
    await expect.poll(() => page.getByText(/^Failed to load/).count()).toBe(0)
  }
  await step('each comes when it is asked again', async () => {
    await loads('/employee-profile', crewappApi.profile.path, 'North')
    await loads('/employee-timeclock', timeclockApi.clock.path, 'Off the clock')
    await loads('/employee-chat', chatApi.threads.path, 'Office')
    await loads('/employee-week-view', crewappApi.day.path, '1 stop')
  })
  await step('the days after those on the phone are asked for by themselves', async () => {
    await context.route(`**${crewappApi.day.path}?day=*`, (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', message: 'Broken', requestId: 'r' } }),
    )
    await page.reload()
    await page.getByText('The days after these could not be loaded. These are kept on this phone.').waitFor()
    await expectAccessible(page)
    await context.unroute(`**${crewappApi.day.path}?day=*`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => page.getByText('The days after these could not be loaded').count()).toBe(0)
  })
})
