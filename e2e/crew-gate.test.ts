import { expect, test } from 'vitest'
import { withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay, crewHands } from './fixtures-day.ts'

/** What a crew needs where there is no reception: the gate's code, and whom to call. */

const { openPage } = withBrowser({ afresh: 'file' })

test('a gate code that was seen today opens the gate without a signal, is sealed on the phone, and goes with its person', async () => {
  const { business, luis } = await aCrewDay({ streets: ['7 Bay St'], stopOf: () => ({ gateCode: '4711#' }) })
  await business.db((db) =>
    db.updateTable('businesses').set({ phone: '+19125550147' }).where('businessId', '=', business.id).execute(),
  )
  const reveals = () =>
    business.db((db) =>
      db.selectFrom('gateCodeReveals').select('userId').where('businessId', '=', business.id).execute(),
    )
  const as = { email: luis.email, password }
  const { page, context } = await openPage({ width: 390, as, path: '/employee-dashboard' })
  const hands = crewHands(page)
  const gate = page.getByRole('button', { name: 'Gate code: tap to show' })
  const sealed = () =>
    page.evaluate(async () => {
      const db = await new Promise<IDBDatabase>((done, failed) => {
        const opening = indexedDB.open('swath-gate', 1)
        opening.onsuccess = () => done(opening.result)
        opening.onerror = () => failed(opening.error)
      })
      if (!db.objectStoreNames.contains('keys')) return null
      const all = (store: string) =>
        new Promise<unknown[]>((done) => {
          const asked = db.transaction(store).objectStore(store).getAll()
          asked.onsuccess = () => done(asked.result)
        })
      const [keys, codes] = [
        (await all('keys')) as { key: CryptoKey }[],
        (await all('codes')) as { bytes: ArrayBuffer }[],
      ]
      db.close()
      return {
        keys: keys.length,
        extractable: keys.some(({ key }) => key.extractable),
        texts: codes.map(({ bytes }) => new TextDecoder().decode(bytes)),
      }
    })
  await gate.click()
  await page.getByText('Gate code 4711#', { exact: true }).waitFor()
  await hands.isKept()
  await expect.poll(async () => (await sealed())?.texts.length).toBe(1)
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('swath-quotes-')
  const { texts = [], ...keys } = (await sealed()) ?? {}
  expect(keys).toEqual({ keys: 1, extractable: false })
  expect(texts.join()).not.toContain('4711')

  await context.setOffline(true)
  await step('after a kill it is there for another look, which says when it was seen', async () => {
    await page.goto('/employee-dashboard')
    await gate.click()
    await page.getByText('Gate code 4711#', { exact: true }).waitFor()
    await page.getByText(/^As you saw it at \d+:\d\d [AP]M; there is no signal/).waitFor()
    if (process.env.SWATH_PICTURES) await page.screenshot({ path: `${process.env.SWATH_PICTURES}/gate.png` })
  })
  await step('the profile says whom to call and who is on the crew, although nobody opened it before', async () => {
    await page.goto('/employee-profile')
    expect(await page.getByRole('link', { name: 'Call the office' }).getAttribute('href')).toBe('tel:+19125550147')
    await page.getByText('North, with Ana').waitFor()
  })
  await step('and a quote can be noted, although nobody opened the list before', async () => {
    await page.goto('/employee-quotes')
    await page.getByText('No signal: this is the list', { exact: false }).waitFor()
    await page.getByText('7 Bay St').first().waitFor()
  })
  expect(await reveals()).toHaveLength(1)
  await step('the look is written down at the office with the next signal', async () => {
    await context.setOffline(false)
    await page.goto('/employee-dashboard')
    await expect.poll(async () => (await reveals()).length, { timeout: 20_000 }).toBe(2)
  })
  await step('of a day that is over nothing stays', async () => {
    await page.evaluate(async () => {
      const db = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open('swath-gate', 1)
        opening.onsuccess = () => done(opening.result)
      })
      const tx = db.transaction('keys', 'readwrite')
      const [name] = await new Promise<IDBValidKey[]>((done) => {
        const asked = tx.objectStore('keys').getAllKeys()
        asked.onsuccess = () => done(asked.result)
      })
      const kept = await new Promise<object>((done) => {
        const asked = tx.objectStore('keys').get(name as IDBValidKey)
        asked.onsuccess = () => done(asked.result)
      })
      await new Promise<void>((done) => {
        tx.oncomplete = () => done()
        tx.objectStore('keys').put({ ...kept, until: Date.now() - 1 }, name)
      })
      db.close()
    })
    await page.goto('/employee-dashboard')
    await expect.poll(sealed, { timeout: 20_000 }).toMatchObject({ keys: 0, texts: [] })
  })
  await step('and nothing when its person leaves', async () => {
    await gate.click()
    await page.getByText('Gate code 4711#', { exact: true }).waitFor()
    await expect.poll(async () => (await sealed())?.texts.length).toBe(1)
    await page.getByRole('link', { name: 'Profile' }).first().click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByLabel('Email').waitFor()
    expect(await sealed()).toMatchObject({ keys: 0, texts: [] })
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('swath-profile-1')
  })
})
