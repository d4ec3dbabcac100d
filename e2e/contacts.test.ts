import { describe, expect, test } from 'vitest'
import { contactsApi } from '../src/features/customers/contacts/contract.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** Who else belongs to a customer: the office adds who pays the bills, chooses what they get, and takes them out again. */

const { openPage } = withBrowser({ afresh: 'file' })

describe.each(widths(390))('at %i pixels', (width) => {
  test('a contact is added with what they get, told what is missing, and removed', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { customerId } = await aLawn(business)
    const { page } = await openPage({
      as: owner,
      timezoneId: timeZone,
      width,
      path: `/customers?tab=manage&customerId=${customerId}`,
    })
    const contacts = page.getByRole('region', { name: 'Contacts', exact: true })
    await contacts.getByRole('button', { name: 'Add a contact' }).click()
    const form = page.getByRole('form', { name: 'Contact' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Beth Cole')
    await form.getByLabel('Role').selectOption({ label: 'Billing' })
    await form.getByRole('textbox', { name: 'E-mail' }).fill('beth@oak.test')
    await form.getByLabel('Invoices and receipts').selectOption({ label: 'E-mail and text' })
    await form.getByRole('button', { name: 'Add contact' }).click()
    await form.getByText('That needs a phone number: add it, or choose another way.').waitFor()
    await expectAccessible(page)
    await form.getByLabel('Invoices and receipts').selectOption({ label: 'E-mail' })
    await form.getByRole('button', { name: 'Add contact' }).click()
    await contacts.getByText('Invoices and receipts by e-mail').waitFor()
    await expectAccessible(page)
    await contacts.getByRole('button', { name: 'More for Beth Cole' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove contact' }).click()
    await contacts.getByText('Nobody else.').waitFor()
    expect((await business.api.ok(contactsApi.list, { params: { id: customerId } })).items).toEqual([])
  })
})
