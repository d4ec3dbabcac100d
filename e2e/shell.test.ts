import { beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { customersApi } from '../src/features/customers/contract.ts'
import { aBusiness, aPerson, type TestBusiness } from '../src/test/factories.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'
/** Screens that other tests fill with data answer with nothing here; what matters is that the shell stands. */
const refusedByServer = /Failed to load resource/

let business: TestBusiness
let owner: { email: string; password: string }
let crew: { email: string; password: string }

beforeAll(async () => {
  business = await aBusiness()
  const employee = await aPerson(business.id, 'Employee', { name: 'Ana Reyes' })
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
  owner = { email: business.owner.email, password }
  crew = { email: employee.email, password }
})

describe('signing in', () => {
  test('a protected screen leads there with its sentence, and a refusal says why', async () => {
    const { page } = await openPage({ path: '/customers' })
    await page.waitForURL('**/signin')
    await page.getByText('Please sign in to access this page.').waitFor()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Enter your password.').waitFor()
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill('wrong horse 1')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('Invalid credentials. Please try again.').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/dashboard')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
  })

  test('a crew member lands in the crew app and stays out of the office', async () => {
    const { page } = await openPage({ width: 390, path: '/signin' })
    await page.getByLabel('Email').fill(crew.email)
    await page.getByLabel('Password', { exact: true }).fill(crew.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/employee-dashboard')
    const dock = page.locator('footer').getByRole('navigation', { name: 'Main' })
    await dock.getByRole('link', { name: 'Dashboard' }).waitFor()
    expect(await dock.getByRole('link').allInnerTexts()).toEqual([
      'Dashboard',
      'Clock',
      'Schedule',
      'Route',
      'Chat',
      'Profile',
    ])
    await page.goto('/jobs')
    await page.waitForURL('**/employee-dashboard')
  })

  test('signing out reaches the other tab', async () => {
    const { page, context } = await openPage({ as: owner, path: '/tools' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const other = await context.newPage()
    await other.goto('/analytics')
    await other.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/signin')
    await other.waitForURL('**/signin')
  })
})

describe('getting around', () => {
  test('old addresses, unknown ones and tabs lead where they should', async () => {
    const { page } = await openPage({ as: owner })
    for (const [from, to] of [
      ['/quote-builder', '/application'],
      ['/timesheets', '/employees?tab=timesheets'],
      ['/admin-chat', '/employees?tab=communications'],
      ['/nope/x', '/'],
    ] as const) {
      await page.goto(from)
      await page.waitForURL((url) => url.pathname + url.search === to)
    }
    await page.goto('/employees?tab=timesheets')
    await page
      .locator('nav[aria-label="Parts of Employees"] [aria-current="page"]', { hasText: 'Timesheets' })
      .waitFor()
  })

  test('keys go places, the map shows them, the heading has the focus after a move', async () => {
    const { page } = await openPage({ as: owner, path: '/tools' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.waitForURL('**/route-map')
    await page.getByRole('link', { name: 'Analytics' }).click()
    await page.waitForURL('**/analytics')
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
    expect(await page.title()).toBe('Overview · Analytics · Swath')
  })

  test('the bottom bar of a phone has the tabs of the hub and the way to the others', async () => {
    const { page } = await openPage({ as: owner, width: 390, path: '/quotes' })
    const bar = page.getByRole('navigation', { name: 'Parts of Quotes' })
    await bar.waitFor()
    expect(await bar.getByRole('link').allInnerTexts()).toEqual(['Create', 'Manage', 'Templates', 'Analytics'])
    const hubs = bar.getByRole('button', { name: 'Menu, go to another part' })
    expect(await hubs.textContent()).toBe('Menu')
    await hubs.click()
    const sheet = page.getByRole('dialog', { name: 'Go to' })
    await sheet.getByRole('link', { name: 'Dashboard' }).waitFor()
    expect(await sheet.getByRole('link').allInnerTexts()).toEqual([
      // the tab that the bar has no room for
      'Renewals',
      'Dashboard',
      'Customers',
      'Jobs',
      'Quotes',
      'Calendar',
      'Admin Chat',
    ])
    await sheet.getByRole('link', { name: 'Calendar' }).click()
    await page.waitForURL('**/mobile-calendar')
  })

  test('on a phone, what is to be done with chosen rows stands above the bottom bar', async () => {
    await business.api.ok(customersApi.create, { body: { name: 'Rita Odom', allowDuplicate: true } })
    const { page } = await openPage({ as: owner, width: 390, path: '/customers?tab=manage' })
    await page.getByRole('checkbox').last().check()
    const bar = page.getByRole('navigation', { name: 'Parts of Customers' })
    const actions = page.getByRole('button', { name: /^Archive/ })
    await expect
      .poll(async () => {
        const [above, below] = [await actions.boundingBox(), await bar.boundingBox()]
        return above && below ? above.y + above.height <= below.y : 'not drawn'
      })
      .toBe(true)
    await actions.click()
    await page.getByRole('dialog').waitFor()
  })

  test('a lost connection is said and forgotten', async () => {
    const { page, context } = await openPage({ as: owner, path: '/tools' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await context.setOffline(true)
    await page.getByText('No connection to Swath.').waitFor()
    await context.setOffline(false)
    await page.getByText('No connection to Swath.').waitFor({ state: 'detached' })
  })
})

describe('for everybody', () => {
  test.each([1440, 390])('the shell is clean for axe at %d px', async (width) => {
    const { page, complaints } = await openPage({ as: owner, width })
    for (const path of ['/tools', '/quotes', '/customers?tab=messages', '/signin']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectAccessible(page)
    }
    await page.goto('/tools')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('No notifications yet').waitFor()
    await expectAccessible(page)
    expectQuiet(complaints, refusedByServer)
  })

  test.each([1440, 390])('the crew app is clean for axe at %d px', async (width) => {
    const { page, complaints } = await openPage({ as: crew, width })
    for (const path of ['/employee-week-view', '/employee-chat']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectAccessible(page)
    }
    expectQuiet(complaints, refusedByServer)
  })
})

test('the crew app opens without a signal, from what the phone keeps', async () => {
  const { page, context } = await openPage({ as: crew, width: 390, path: '/employee-week-view' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await context.setOffline(true)
  await page.goto('/employee-chat')
  await page.getByRole('heading', { name: 'Chat', level: 1 }).waitFor()
  await page.getByText('No signal. What you do is kept on this phone').waitFor()
  await page.evaluate(() => localStorage.setItem('swath.crew.settings', JSON.stringify({ language: 'es' })))
  await page.reload()
  await page.getByText('Sin señal. Lo que hagas queda en este teléfono').waitFor()
  const dock = page.locator('footer').getByRole('navigation', { name: 'Principal' })
  expect(await dock.getByRole('link').allInnerTexts()).toEqual(['Hoy', 'Reloj', 'Días', 'Ruta', 'Chat', 'Perfil'])
})
