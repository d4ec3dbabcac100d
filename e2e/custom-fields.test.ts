import { describe, expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** Fields of the business's own: made in the settings, filled on the form, a column and a filter of the list, changed in the list itself. */

const { openPage } = withBrowser({ afresh: 'file' })

describe.each(widths(390))('at %i pixels', (width) => {
  test('a field is made, filled, shown and filtered by', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { api } = business
    const { id } = await api.ok(customersApi.create, {
      body: { name: 'Ann Lee', email: 'ann@oak.test', phone: '9125550101', tags: ['weekly'] },
    })
    await api.ok(customersApi.create, { body: { name: 'Bob Roe' } })
    const { page } = await openPage({
      as: owner,
      timezoneId: timeZone,
      width,
      path: '/profile?section=business#custom-fields',
    })
    await page.getByText('No fields yet.').waitFor()
    await page.getByRole('button', { name: 'Add a field' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a field' })
    await dialog.getByLabel('Name').fill('Irrigation')
    await dialog.getByLabel('Kind').selectOption('Choice list')
    for (const [at, choice] of ['Hunter', 'Rain Bird'].entries()) {
      await dialog.getByRole('button', { name: 'Add a choice' }).click()
      await dialog.getByLabel(`Choice ${at + 1}`, { exact: true }).fill(choice)
    }
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add field' }).click()
    await page.getByText('Choice list: Hunter, Rain Bird').waitFor()
    await expectAccessible(page)
    await page.goto(`/customers?tab=manage&customerId=${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog', { name: 'Edit Ann Lee' }).getByLabel('Irrigation').selectOption('Rain Bird')
    await page.getByRole('button', { name: 'Save customer' }).click()
    await page.getByText('Ann Lee is saved').waitFor()
    await page.getByText('Rain Bird').first().waitFor()
    await page.goto('/customers?tab=manage')
    await page.getByRole('button', { name: 'More filters' }).click()
    const filter = page.getByRole('dialog', { name: 'Filter by a field' })
    await filter.getByLabel('Is', { exact: true }).selectOption('Rain Bird')
    await expectAccessible(page)
    await filter.getByRole('button', { name: 'Show these' }).click()
    await page.getByRole('button', { name: 'Irrigation: Rain Bird' }).waitFor()
    await expect.poll(() => page.getByText('Bob Roe').count()).toBe(0)
    await page.getByText('Ann Lee').first().waitFor()
    await page.getByRole('button', { name: 'Irrigation: Rain Bird' }).click()
    await page.getByText('Bob Roe').first().waitFor()
    if (width > 768) await changeInList(page, api, id)
  })
})

type Page = Awaited<ReturnType<typeof openPage>>['page']
type Api = Awaited<ReturnType<typeof aNewBusiness>>['business']['api']

const changeInList = async (page: Page, api: Api, id: string): Promise<void> => {
  const read = () => api.ok(customersApi.get, { params: { id } })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns of the list' })
  await columns.getByLabel('E-mail').check()
  await columns.getByLabel('Irrigation').check()
  await expectAccessible(page)
  await columns.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Ann Lee' })
  await row.getByText('Rain Bird').waitFor()
  // by a double click: what is wrong is said in the cell, and nothing is lost
  await row.getByText('ann@oak.test').dblclick()
  const email = page.getByRole('table').getByLabel('E-mail', { exact: true })
  await email.fill('ann@')
  await email.press('Enter')
  await row.getByText('This is not an e-mail address.').waitFor()
  await expectAccessible(page)
  await email.fill('lee@oak.test')
  await email.press('Enter')
  await page.getByText('Ann Lee: e-mail is saved').waitFor()
  expect((await read()).email).toBe('lee@oak.test')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await read()).email).toBe('ann@oak.test')
  // by the keyboard alone: the right arrow goes into the row, Tab goes on, Escape leaves it as it was
  await row.focus()
  await row.press('F2')
  const table = page.getByRole('table')
  const name = table.getByLabel('Name', { exact: true })
  await name.fill('Ann B. Lee')
  await name.press('Tab')
  await table.getByLabel('Phone', { exact: true }).waitFor()
  await expect.poll(async () => (await read()).name).toBe('Ann B. Lee')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('textbox', { name: 'Phone' }).count()).toBe(0)
  // what somebody else wrote meanwhile is shown and asked about
  await page.getByRole('row').filter({ hasText: 'Ann B. Lee' }).getByText('weekly').dblclick()
  const tags = page.getByLabel('Tags, with commas between')
  const now = await read()
  await api.ok(customersApi.update, { params: { id }, body: { version: now.version, tags: ['vip'], company: 'Oak' } })
  await tags.fill('weekly, dog')
  await tags.press('Enter')
  await page.getByText('Somebody wrote “vip” meanwhile.').waitFor()
  expect((await read()).tags).toEqual(['vip'])
  await tags.press('Enter')
  await expect.poll(async () => (await read()).tags).toEqual(['weekly', 'dog'])
  expect((await read()).company).toBe('Oak')
}
