import { expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { receiveText } from '../src/features/messages/server/inbound/commands.ts'
import { messageTemplatesApi } from '../src/features/messages/templates/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** The office's inbox: a text comes in, is answered by a fact or a template, and what is to become of it is said. */

const { openPage } = withBrowser({ afresh: 'file' })
const phone = '+19125550177'

const aTalk = async (changes: { language?: 'es' } = {}) => {
  const made = await aNewBusiness()
  const { business } = made
  const { customerId } = await aLawn(business)
  const { version, name } = await business.api.ok(customersApi.get, { params: { id: customerId } })
  await business.api.ok(customersApi.update, { params: { id: customerId }, body: { phone, ...changes, version } })
  const writes = (body: string) =>
    receiveText(business.id, { from: phone, body, provider: 'test', providerId: newId() })
  return { ...made, customerId, name, writes, path: `/customers?tab=messages&with=${customerId}` }
}

test.each([1440, 390])('a template is made, put in with a slash, and never sent with a hole, at %i', async (width) => {
  const { business, owner, timeZone, path, customerId } = await aTalk()
  const { page } = await openPage({ width, as: owner, timezoneId: timeZone, path })
  const box = page.getByRole('textbox', { name: 'Text', exact: true })
  await box.fill('Hello ')
  await box.press('End')
  await box.pressSequentially('/')
  const find = page.getByRole('searchbox', { name: 'Find a template' })
  await find.waitFor()
  await expectAccessible(page)
  const folder = process.env.SWATH_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/picker-${width}.png` })
  await page.getByRole('button', { name: 'Manage templates' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('list', { name: 'Templates' }).waitFor()
  await expectAccessible(page)
  if (folder) await page.screenshot({ path: `${folder}/templates-${width}.png` })
  await dialog.getByRole('button', { name: 'New template' }).click()
  await dialog.getByLabel('Name').fill('Bag question')
  await dialog.getByLabel('English').fill('{first_name}, shall we take the clippings along?')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await dialog.getByText(/There is no \{first_name\}\. There are \{customer first name\}/).waitFor()
  await expectAccessible(page)
  if (folder) await page.screenshot({ path: `${folder}/template-form-${width}.png` })
  await dialog.getByLabel('English').fill('We come {next visit day}: shall we take the clippings along?')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await dialog.getByRole('button', { name: 'Edit Bag question' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await find.fill('bag')
  await find.press('Enter')
  // nothing is planned: it is said, and the caret stands on what is missing
  await page.getByText(/No visit is planned for .*\. Write what belongs at \{next visit day\}/).waitFor()
  expect(await box.inputValue()).toBe('Hello We come {next visit day}: shall we take the clippings along?')
  await expect
    .poll(() =>
      box.evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd)),
    )
    .toBe('{next visit day}')
  await page.getByRole('button', { name: 'Send text' }).click()
  await page.getByText(/\{next visit day\} still stands in it/).waitFor()
  await expectAccessible(page)
  if (folder) await page.screenshot({ path: `${folder}/hole-${width}.png` })
  await page.keyboard.type('on Friday')
  await page.getByRole('button', { name: 'Send text' }).click()
  await page.getByText('Hello We come on Friday: shall we take the clippings along?').first().waitFor()
  await expect.poll(() => box.inputValue()).toBe('')
  const { items } = await business.api.ok(messageTemplatesApi.list, {})
  expect(items.some(({ name }) => name === 'Bag question')).toBe(true)
  expect(customerId).toBeTruthy()
})
