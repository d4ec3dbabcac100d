import { expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { receiveText } from '../src/features/messages/server/inbound/commands.ts'
import { newId } from '../src/platform/ids.ts'
import { paths } from '../src/shared/paths.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** A customer who may have asked for no more texts: what needs somebody leads to the text, and one press ends texts or lets them go on. */

const { openPage } = withBrowser({ afresh: 'file' })

test.each(widths(390))('a text in doubt is read by a person, at %i', async (width) => {
  const { business, owner } = await aNewBusiness()
  const phone = '+19125550177'
  const { customerId } = await aLawn(business)
  const { version } = await business.api.ok(customersApi.get, { params: { id: customerId } })
  await business.api.ok(customersApi.update, { params: { id: customerId }, body: { phone, version } })
  const writes = (body: string) =>
    receiveText(business.id, { from: phone, body, provider: 'test', providerId: newId() })
  await writes('Too many texts')
  const { page } = await openPage({ width, as: owner, path: paths.dashboard })
  await page
    .getByRole('link', { name: /Too many texts/ })
    .first()
    .click()
  const question = page.getByRole('group', { name: 'Does this ask for no more texts?' })
  await question.waitFor()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'No, texts go on' }).click()
  await page.getByText('Not a STOP').waitFor()
  await writes('I said enough messages')
  await question.getByRole('button', { name: 'Yes, end texts' }).click()
  await page.getByText('Read as STOP').waitFor()
  await page
    .getByText(/they asked for no more texts/i)
    .first()
    .waitFor()
  await expect.poll(() => question.count()).toBe(0)
})
