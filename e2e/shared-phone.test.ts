import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitsApi } from '../src/features/visits/contract.ts'
import { aPerson, type Person } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'
import { aCrewDay, commandsAt, crewHands } from './fixtures-day.ts'

/** One phone, two people: what one of them was shown is not there for the other, and what one could not send waits for that one alone. */

const { openPage } = withBrowser({ afresh: 'file' })

/** All that the browser keeps, as text: names and values of its stores, databases and caches. Bytes of photos are counted by their owner's rows. */
const keptOn = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const parts: string[] = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((done, failed) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => done(opening.result)
        opening.onerror = () => failed(opening.error)
      })
      for (const store of db.objectStoreNames) {
        const [keys, values] = await Promise.all(
          (['getAllKeys', 'getAll'] as const).map(
            (read) =>
              new Promise<unknown[]>((done, failed) => {
                const asked = db.transaction(store).objectStore(store)[read]()
                asked.onsuccess = () => done(asked.result)
                asked.onerror = () => failed(asked.error)
              }),
          ),
        )
        parts.push(`${name}/${store} ${JSON.stringify(keys)} ${JSON.stringify(values)}`)
      }
      db.close()
    }
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) parts.push(`${name} ${url}`)
    return parts.join('\n')
  })

const signIn = async (page: Page, { email }: Person): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Profile' }).first().click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
}

/** The app is closed before the signal is back. What a page says while it is left goes out past the emulated network, so it has none of its own. */
const closeOffline = async (page: Page): Promise<void> => {
  await page.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError('There is no signal.'))
  })
  await page.goto('about:blank')
}

test('the next person on a phone finds nothing of the one before, whose unsent work waits for them and arrives', async () => {
  const { business, visits, luis } = await aCrewDay({
    streets: ['7 Bay St', '45 Wassaw Rd'],
    stopOf: (index) => (index === 0 ? { gateCode: '4711#', dog: 'Rex bites.' } : {}),
  })
  const rosa = await aPerson(business.id, 'Employee', { name: 'Rosa Delgado' })
  await letIn(business)
  const south = await aCrew(business, { name: 'South', members: [rosa] })
  await aVisit(business, { crewId: south, street: '1513 Cathy St', position: 1, startMinute: 430 })
  await publishDay(business, south)

  const { page, context } = await openPage({
    width: 390,
    as: { email: luis.email, password },
    path: '/employee-dashboard',
  })
  const hands = crewHands(page)
  await page.getByRole('button', { name: 'Clock in' }).click()
  await hands.start()
  await hands.takePhoto('Photo before')
  await hands.allSent()
  await hands.isKept()
  await page.getByRole('link', { name: 'Chat' }).first().click()
  await page.getByRole('heading', { name: 'Chat' }).first().waitFor()
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect.poll(() => keptOn(page), { timeout: 20_000 }).toContain(`swath-stop-photos:${luis.userId}`)
  expect(await keptOn(page)).toContain('7 Bay St')

  await step('without a signal Luis goes on; at the way out the phone says what it still holds', async () => {
    await context.setOffline(true)
    await hands.takePhoto('Photo after')
    await hands.finish('7 Bay St')
    await page.getByText(/on phone, no signal/).waitFor()
    await signOut(page)
    await page.getByText('Sign out with unsent work?').waitFor()
    await page.getByRole('button', { name: 'Sign out anyway' }).click()
    await expect.poll(() => page.evaluate(() => document.body.textContent).catch(() => '')).not.toContain('Luis')
  })
  await context.setOffline(false)
  // the app is itself on its way to the sign-in
  await expect
    .poll(() =>
      page.goto('/signin').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await step('nothing of what Luis was shown is left, but for what he has not sent', async () => {
    const left = await keptOn(page)
    expect(left).not.toContain('swath-stop-photos')
    expect(left).not.toContain('swath-last-photos')
    expect(left).not.toContain('45 Wassaw Rd')
    expect(left).not.toContain('Rex bites.')
    expect(left).not.toContain('swath-sheets-1')
    expect(left).toContain('"type":"finish"')
  })
  await step('Rosa sees her own day, and neither sends nor sees a thing of his', async () => {
    await signIn(page, rosa)
    await page.getByRole('heading', { name: '1513 Cathy St' }).waitFor()
    await hands.allSent()
    const shown = await page.evaluate(() => document.body.textContent)
    expect(shown).not.toContain('7 Bay St')
    expect(shown).not.toContain('Luis')
    expect(await commandsAt(business, visits[0] ?? '')).toEqual(['start'])
    await signOut(page)
    await page.getByLabel('Email').waitFor()
    expect(await keptOn(page)).not.toContain('1513 Cathy St')
  })
  await step('Luis comes back: what he did arrives as his, with its photo', async () => {
    await signIn(page, luis)
    await page.getByRole('heading', { name: '45 Wassaw Rd' }).waitFor()
    await hands.allSent()
    expect(await commandsAt(business, visits[0] ?? '')).toEqual(['finish', 'start'])
    const { status, finishedByName } = await business.api.ok(visitsApi.get, { params: { visitId: visits[0] ?? '' } })
    expect({ status, finishedByName }).toEqual({ status: 'completed', finishedByName: 'Luis Ortega' })
    const photos = await business.db((db) =>
      db.selectFrom('visitPhotos').select('kind').where('businessId', '=', business.id).orderBy('kind').execute(),
    )
    expect(photos).toEqual([{ kind: 'after' }, { kind: 'before' }])
  })
})

test('who signs out on a public page leaves nothing of their day behind, but for what was not sent', async () => {
  const { luis } = await aCrewDay({ streets: ['7 Bay St', '45 Wassaw Rd'] })
  const { page, context } = await openPage({
    width: 390,
    as: { email: luis.email, password },
    path: '/employee-dashboard',
  })
  const hands = crewHands(page)
  await page.getByRole('button', { name: 'Clock in' }).click()
  await hands.allSent()
  await expect.poll(() => keptOn(page)).toContain('45 Wassaw Rd')
  await page.evaluate(async (id) => {
    await (await caches.open(`swath-last-photos:${id}`)).put('/__last/one', new Response('of Luis'))
    localStorage.setItem(`swath-sheets-1:${id}`, '{}')
    localStorage.setItem('swath-load', JSON.stringify({ [`${id} crew 2026-06-12`]: ['mower'] }))
  }, luis.userId)
  await context.setOffline(true)
  await hands.start()
  await page.getByText(/on phone, no signal/).waitFor()
  await closeOffline(page)
  await context.setOffline(false)
  // no tab of the app hears of it
  await context.route('**/api/crew/commands', (route) => route.abort())
  await page.goto('/faq')
  // a quote that was noted and not sent is unsent work, too
  await page.evaluate((id) => {
    localStorage.setItem(`swath.draft.crew-quote.${id}`, JSON.stringify({ note: 'Two beds', photoIds: [] }))
  }, luis.userId)
  const logout = async () => {
    await page.locator('.pn-menu summary').filter({ visible: true }).last().click()
    await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).first().click()
  }
  const question = page.getByRole('dialog', { name: 'Sign out with unsent work?' })
  await step('on the way out the page says what the phone still holds, and who stays is not signed out', async () => {
    await logout()
    await question.getByText(/^2 things have not been sent\./).waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    expect(await keptOn(page)).toContain('45 Wassaw Rd')
  })
  await logout()
  await question.getByRole('button', { name: 'Sign out anyway' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  const left = await keptOn(page)
  for (const gone of ['45 Wassaw Rd', 'swath-last-photos', 'swath-sheets-1', 'mower']) expect(left).not.toContain(gone)
  expect(left).toContain('"type":"start"')
})

test('a quote that was noted and not sent is said at the way out, and an empty one is not', async () => {
  const { luis } = await aCrewDay({ streets: ['7 Bay St'] })
  const { page } = await openPage({ width: 390, as: { email: luis.email, password }, path: '/employee-dashboard' })
  await page.getByRole('heading', { name: '7 Bay St' }).waitFor()
  const draft = (note: string) =>
    page.evaluate(
      ([key, text]) => localStorage.setItem(key ?? '', JSON.stringify({ note: text, picked: {} })),
      [`swath.draft.crew-quote.${luis.userId}`, note],
    )
  await draft('Two beds')
  await signOut(page)
  await page.getByText('One thing has not been sent.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Stay' }).click()
  await draft('')
  await signOut(page)
  await page.getByLabel('Email').waitFor()
})

test('what somebody left behind whose phone died goes when the next one signs in', async () => {
  const { luis, ana } = await aCrewDay({ streets: ['7 Bay St'] })
  const { page, context } = await openPage({
    width: 390,
    as: { email: luis.email, password },
    path: '/employee-dashboard',
  })
  await page.getByRole('heading', { name: '7 Bay St' }).waitFor()
  await expect.poll(() => keptOn(page)).toContain(`"${luis.userId}"`)
  await page.evaluate(async (id) => {
    const cache = await caches.open(`swath-last-photos:${id}`)
    await cache.put('/__last/one', new Response('of Luis'))
    await (await caches.open('swath-stop-photos')).put('/__stop/old', new Response('of an older version'))
    localStorage.setItem(`swath-sheets-1:${id}`, '{}')
  }, luis.userId)
  // nobody signed out: the battery was empty, and his session ran out
  await context.clearCookies()
  await page.goto('/signin')
  await signIn(page, ana)
  await page.getByRole('heading', { name: '7 Bay St' }).waitFor()
  await expect
    .poll(
      async () =>
        (await keptOn(page))
          .split('\n')
          .filter((line) => line.includes(luis.userId) || /swath-(last|stop)-photos/.test(line)),
      {
        timeout: 20_000,
      },
    )
    .toEqual([])
})

test('whose session the office ended while the phone was away: with the refusal the day is gone, and what was not sent waits', async () => {
  const { business, luis } = await aCrewDay({ streets: ['7 Bay St', '45 Wassaw Rd'] })
  const { page, context } = await openPage({
    width: 390,
    as: { email: luis.email, password },
    path: '/employee-dashboard',
  })
  const hands = crewHands(page)
  await page.getByRole('button', { name: 'Clock in' }).click()
  await hands.allSent()
  await hands.isKept()
  await expect.poll(() => keptOn(page)).toContain('45 Wassaw Rd')
  await context.setOffline(true)
  await hands.start()
  await page.getByText(/on phone, no signal/).waitFor()
  await closeOffline(page)
  await business.db((db) =>
    db
      .updateTable('sessions')
      .set({ revokedAt: new Date().toISOString(), revokedReason: 'signed_out' })
      .where('businessId', '=', business.id)
      .where('userId', '=', luis.userId)
      .execute(),
  )
  await context.setOffline(false)
  await page.goto('/employee-dashboard')
  // the sign-in is a document of its own, and comes once everything is done
  await page.getByLabel('Email').waitFor()
  const left = await keptOn(page)
  expect(left).not.toContain('45 Wassaw Rd')
  expect(left).toContain('"type":"start"')
})
