import { expect, test } from 'vitest'
import { sheetsApi } from '../src/features/timeclock/sheets/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { aCrew, everyDay } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay, crewHands } from './fixtures-day.ts'

/** A phone that was away: what it kept outlives a newer app in another tab, an ended session and an office that planned on without it. */

const { openPage } = withBrowser({ afresh: 'file' })

test('what a phone kept while it was away reaches the office, and is decided there where the stop is nobody’s of the crew any more', async () => {
  const { business, visits, luis } = await aCrewDay({ streets: ['7 Bay St', '45 Wassaw Rd', '1513 Cathy St'] })
  const [moved = '', kept = ''] = visits
  const south = await aCrew(business, { name: 'South', workDays: everyDay })
  const { page, context } = await openPage({
    width: 390,
    as: { email: luis.email, password },
    path: '/employee-dashboard',
  })
  const hands = crewHands(page)
  await page.getByRole('button', { name: 'Clock in' }).click()
  await hands.allSent()
  await hands.isKept()
  await context.setOffline(true)
  await hands.takePhoto('Photo before')
  await hands.start()
  await hands.finish('7 Bay St')
  const waiting = () =>
    page.evaluate(
      () =>
        new Promise<number>((done, failed) => {
          const opening = indexedDB.open('swath-crew')
          opening.onerror = () => failed(opening.error)
          opening.onsuccess = () => {
            const db = opening.result
            const all = db.transaction('commands').objectStore('commands').getAll()
            all.onsuccess = () => {
              db.close()
              done(all.result.length)
            }
          }
        }),
    )
  await expect.poll(waiting).toBe(2)
  await step('a newer app in another tab finds what the older one kept, and neither waits for the other', async () => {
    const tab = await context.newPage()
    await tab.goto('/employee-dashboard')
    const found = await tab.evaluate(
      () =>
        new Promise<{ version: number; commands: number; photos: number; blocked: boolean }>((done, failed) => {
          let blocked = false
          const opening = indexedDB.open('swath-crew', 7)
          opening.onblocked = () => {
            blocked = true
          }
          opening.onupgradeneeded = () => void opening.result.createObjectStore('newer')
          opening.onerror = () => failed(opening.error)
          opening.onsuccess = () => {
            const db = opening.result
            const tx = db.transaction(['commands', 'photos', 'bytes'])
            const commands = tx.objectStore('commands').getAll()
            const photos = tx.objectStore('bytes').count()
            tx.oncomplete = () => {
              db.close()
              done({ version: db.version, commands: commands.result.length, photos: photos.result, blocked })
            }
          }
        }),
    )
    expect(found).toEqual({ version: 7, commands: 2, photos: 1, blocked: false })
    await tab.close()
    await hands.start()
    await hands.finish('45 Wassaw Rd')
    await expect.poll(waiting).toBe(4)
    // and from a cold start, over what the newer one left
    await page.reload()
    await page.getByText(/on phone, no signal/).waitFor()
    await expect.poll(waiting).toBe(4)
  })
  const { version } = await business.api.ok(visitsApi.get, { params: { visitId: moved } })
  const { day } = await business.api.ok(visitsApi.get, { params: { visitId: moved } })
  await business.api.ok(visitsApi.move, {
    params: { visitId: moved },
    body: { day: day ?? '', crewId: south, version },
  })
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ publishedCrewId: south })
      .where('businessId', '=', business.id)
      .where('id', '=', moved)
      .execute(),
  )
  await business.db((db) =>
    db
      .updateTable('sessions')
      .set({ revokedAt: clock.iso() })
      .where('businessId', '=', business.id)
      .where('userId', '=', luis.userId)
      .execute(),
  )
  await step('its session has ended: signing in sends everything', async () => {
    await context.setOffline(false)
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await page.waitForURL('**/signin*')
    // the page may still be on its way
    await expect.poll(() => waiting().catch(() => 0)).toBe(4)
    await page.getByLabel('Email', { exact: true }).fill(luis.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('2 need you').waitFor({ timeout: 60_000 })
    const statusOf = async (visitId: string) => (await business.api.ok(visitsApi.get, { params: { visitId } })).status
    await expect.poll(() => statusOf(kept)).toBe('completed')
    await page.getByText('2 need you').click()
    await page.getByText('Your time and photos are kept; the office decides.').first().waitFor()
    await expectAccessible(page)
  })
  await step('the office sees time and photo, and its word ends the worry of the phone', async () => {
    await business.db((db) =>
      db
        .updateTable('users')
        .set({ passwordHash: db.selectFrom('users').select('passwordHash').where('id', '=', luis.userId).limit(1) })
        .where('id', '=', business.owner.userId)
        .execute(),
    )
    const office = await openPage({ as: { email: business.owner.email, password }, path: '/dashboard' })
    await office.page.getByText('Luis finished 7 Bay St, but the stop is with another crew').waitFor()
    await office.page.getByText(/The time and 1 photo are kept\. Decide what counts\./).waitFor()
    await office.page.getByRole('button', { name: 'Decide', exact: true }).click()
    const dialog = office.page.getByRole('dialog')
    await dialog.getByRole('img', { name: 'What the phone sent, 1' }).waitFor()
    await expectAccessible(office.page)
    await dialog.getByRole('button', { name: 'Decide and tell the crew' }).click()
    await office.page.getByText('Decided. The crew reads it on the phone.').waitFor()
    const done = await business.api.ok(visitsApi.get, { params: { visitId: moved } })
    expect([done.status, done.photos.length]).toEqual(['completed', 1])
    await page.reload()
    await page.getByText('2 answers').waitFor({ timeout: 60_000 })
  })
  const { items } = await business.api.ok(sheetsApi.list, { query: {} })
  expect(items.find(({ userId }) => userId === luis.userId)?.isRunning).toBe(true)
})
