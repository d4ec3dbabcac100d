import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { customersApi } from '../src/features/customers/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { linkTo } from '../src/shared/links.ts'
import { aBusiness, type TestBusiness } from '../src/test/factories.ts'
import { expectAccessible, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'
let business: TestBusiness
let owner: { email: string; password: string }

beforeAll(async () => {
  business = await aBusiness()
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
  owner = { email: business.owner.email, password }
  for (let i = 0; i < 40; i++)
    await business.api.ok(customersApi.create, { body: { name: `Rita Odom ${i}`, allowDuplicate: true } })
})

const row = (page: Page, index: number) => page.locator(`.ui-grid__row[data-index="${index}"]`)
const top = async (page: Page, index: number) => Math.round((await row(page, index).boundingBox())?.y ?? -1)
const headers = (page: Page) => page.getByRole('columnheader').allInnerTexts()

describe('a record beside its list', () => {
  test('takes a column of its own: nothing of the list lies below it, the row stays where it was, and all comes back', async () => {
    const { page } = await openPage({ as: owner, width: 1440, path: '/customers?tab=manage' })
    await page.getByRole('link', { name: /^All\s*40$/ }).waitFor()
    const all = await headers(page)
    const before = await top(page, 4)
    await row(page, 4).click({ position: { x: 120, y: 20 } })
    const panel = page.getByRole('dialog').first()
    await panel.getByRole('button', { name: 'Edit' }).waitFor()
    const table = page.getByRole('table', { name: 'Customers' })
    await expect.poll(async () => (await headers(page)).length).toBeLessThan(all.length)
    expect(await headers(page)).toEqual(expect.arrayContaining(['Customer', 'Next visit', 'Owes']))
    const [list, beside] = [await table.boundingBox(), await panel.boundingBox()]
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0)
    expect(Math.abs((await top(page, 4)) - before)).toBeLessThanOrEqual(2)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => headers(page)).toEqual(all)
    expect(Math.abs((await top(page, 4)) - before)).toBeLessThanOrEqual(2)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-index'))).toBe('4')
  })

  test('lies over it where there is no room for both, with every column in its place', async () => {
    const { page } = await openPage({ as: owner, width: 1280, path: '/customers?tab=manage' })
    await row(page, 4).waitFor()
    const all = await headers(page)
    await row(page, 4).click({ position: { x: 120, y: 20 } })
    await page.getByRole('dialog').first().getByRole('button', { name: 'Edit' }).waitFor()
    expect(await headers(page)).toEqual(all)
  })
})

test('news covers nothing that leads elsewhere, however much of it there is', async () => {
  const { page } = await openPage({ as: owner, width: 1440, path: '/customers?tab=manage' })
  await page.setViewportSize({ width: 1440, height: 760 })
  for (const index of [0, 1]) {
    await row(page, index).getByRole('checkbox').check()
    await page.getByRole('button', { name: /^Archive/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Archive/ })
      .click()
    await page
      .getByRole('status')
      .filter({ hasText: /archived/i })
      .nth(index)
      .waitFor()
  }
  // News that the pointer rests on stays.
  await page
    .getByRole('status')
    .filter({ hasText: /archived/i })
    .first()
    .hover()
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect
    .poll(() =>
      nav.getByRole('link').evaluateAll((links) =>
        links
          .filter((link) => {
            link.scrollIntoView({ block: 'nearest' })
            const box = link.getBoundingClientRect()
            return !link.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))
          })
          .map((link) => link.textContent),
      ),
    )
    .toEqual([])
})

describe('a link to what is not here', () => {
  const links = [
    ['customer', linkTo.customer],
    ['job', linkTo.job],
    ['invoice', linkTo.invoice],
    ['service', linkTo.service],
    ['program', linkTo.program],
    ['person', linkTo.person],
    ['crew', linkTo.crew],
    ['conversation', linkTo.thread],
    ['import', linkTo.import],
    ['visit', (id: string) => linkTo.visitOver({ pathname: '/dashboard', search: '' }, id)],
  ] as const

  test.each([1440, 390])('says so in words and has a way back, at %d px', async (width) => {
    await business.api.ok(servicesApi.addDefaults, {})
    const { page } = await openPage({ as: owner, width })
    for (const [what, link] of links)
      for (const id of ['cut-off', newId()]) {
        await page.goto(link(id))
        const told = page.getByRole('alert').filter({ hasText: `This ${what} is not here any more` })
        await told.waitFor()
        expect(await page.getByText('Validation error').count(), link(id)).toBe(0)
        await page.getByRole('button', { name: 'Back', exact: true }).last().click()
        await told.waitFor({ state: 'detached' })
      }
  })
})

describe('a phone whose lists do not come', () => {
  const lists = ['/jobs?tab=manage', '/jobs?tab=invoices', '/jobs?tab=services', '/customers?tab=manage']
  const wide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

  test('is told so on each of them, with a way to ask again', async () => {
    const { page } = await openPage({ as: owner, width: 390 })
    await page.route(/\/api\/(jobs|invoices|services|customers)/, (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', message: 'Nothing was lost.', requestId: 'r-42' } }),
    )
    for (const path of lists) {
      await page.goto(path)
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).first().waitFor()
      expect(await wide(page), path).toBeLessThanOrEqual(390)
    }
  })

  test('keeps to its width while the route map is on its way', async () => {
    const { page } = await openPage({ as: owner, width: 390 })
    await page.route(/\/api\/routes/, () => new Promise(() => undefined))
    await page.goto('/route-map')
    await page.locator('.route.is-waiting').waitFor()
    expect(await wide(page)).toBeLessThanOrEqual(390)
  })
})
