import { expect, test } from 'vitest'
import { newId } from '../src/platform/ids.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

test.each(widths(390))('why did she not get it: two clicks from the conversation, at %s', async (width) => {
  const { business, owner, timeZone } = await aNewBusiness()
  const { customerId } = await aLawn(business)
  const { name } = await business.db((db) =>
    db.selectFrom('customers').select('name').where('id', '=', customerId).executeTakeFirstOrThrow(),
  )
  await business.db((db) =>
    db
      .insertInto('messages')
      .values(
        (['delivered', 'suppressed'] as const).map((status) => ({
          ...{ businessId: business.id, id: newId(), channel: 'sms' as const, status, customerId },
          ...{ address: '+19125550147', bodyText: 'We come tomorrow', dedupeKey: `reminder:${newId()}` },
          reason: status === 'suppressed' ? 'They replied STOP' : null,
        })),
      )
      .execute(),
  )
  const { page } = await openPage({
    width,
    as: owner,
    timezoneId: timeZone,
    path: `/customers?tab=messages&with=${customerId}`,
  })
  if (width === 390) {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Why sent or not' }).click()
  } else await page.getByRole('button', { name: 'Why sent or not' }).click()
  const rows = page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  await page.getByText('Was not sent. They replied STOP.').waitFor()
  await expectAccessible(page)
  await page.getByRole('group', { name: 'Outcome' }).getByRole('button', { name: 'Sent', exact: true }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByText('About their own work or bill').waitFor()
  const folder = process.env.SWATH_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/log-${width}.png` })
  await page.getByRole('link', { name }).first().click()
  await page.getByRole('heading', { name }).waitFor()
})
