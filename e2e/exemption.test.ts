import { expect, test } from 'vitest'
import { exemptionsApi } from '../src/features/invoices/exemptions/contract.ts'
import { dayOf, formatDay } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** A certificate of tax exemption is put on file with its paper, and taken off again. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(390))
  test(`a certificate is put on file and taken off, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { customerId } = await aLawn(business)
    const path = linkTo.invoices({ customerId, exemption: true })
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path })
    const onFile = async () => (await business.api.ok(exemptionsApi.list, { params: { id: customerId } })).items
    const dialog = page.getByRole('dialog', { name: /^Tax exemption of/ })

    await step('it is added with its file', async () => {
      await dialog.getByRole('button', { name: 'New certificate' }).click()
      const form = page.getByRole('form', { name: 'New certificate' })
      await form.getByRole('button', { name: 'Put on file' }).click()
      await form.getByText('Type the number that stands on it.').waitFor()
      await form.getByLabel('Certificate number').fill('GA-204418')
      await form
        .locator('input[type=file]')
        .setInputFiles({ name: 'st5.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 certificate') })
      await form.getByText('st5.pdf').waitFor()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Put on file' }).click()
      await dialog.getByText(`Every state, since ${formatDay(dayOf(new Date(), timeZone), { year: true })}`).waitFor()
      await dialog.getByRole('link', { name: 'See the certificate' }).waitFor()
      await dialog.getByText('pays no sales tax today').waitFor()
      await expectAccessible(page)
      expect(await onFile()).toMatchObject([{ certificate: 'GA-204418', state: null, standing: 'valid' }])
    })
    await step('it is taken off', async () => {
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('button', { name: 'Remove it' }).click()
      await dialog.getByText('pays sales tax').waitFor()
      expect(await onFile()).toEqual([])
    })
  })
