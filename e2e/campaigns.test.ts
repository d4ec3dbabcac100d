import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { campaignsApi } from '../src/features/campaigns/contract.ts'
import { recordConsent } from '../src/features/messages/server/commands.ts'
import { newId } from '../src/platform/ids.ts'
import { runTasks } from '../src/test/api.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** A campaign from its audience to what it brought: counted while it is built, seen before it leaves, locked once it has. */

const { openPage } = withBrowser({ afresh: 'file' })

test.each(widths(390))('at %i pixels a campaign is built, tried, sent and seen', async (width) => {
  const { business, owner, timeZone } = await aNewBusiness()
  await business.db(async (db) => {
    await db
      .updateTable('businesses')
      .set({ street: '4 Mill Ln', city: 'Savannah', state: 'GA', zip: '31401', publicPage: true })
      .where('businessId', '=', business.id)
      .execute()
    for (const [at, name] of ['Pat Moss', 'Rosa Diaz', 'Ben Cole', 'Nora Nowhere'].entries()) {
      const email = at < 3 ? `c${at}@oak.test` : null
      await db
        .insertInto('customers')
        .values({ businessId: business.id, id: newId(), name, email, tags: at === 2 ? ['vip'] : [] })
        .execute()
      if (email)
        await recordConsent(db, {
          channel: 'email',
          address: email,
          purpose: 'marketing',
          action: 'grant',
          source: 'test',
        })
    }
  })
  const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: '/tools?tab=campaigns' })
  const folder = process.env.SWATH_PICTURES
  const picture = async (name: string): Promise<void> => {
    if (folder) await page.screenshot({ path: `${folder}/campaign-${name}-${width}.png`, fullPage: true })
  }
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
  await page.getByText('No campaign yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New campaign' }).first().click()
  await page.getByText('Ready to use, in English and Spanish').waitFor()
  await expectAccessible(page)
  await picture('new')
  await page.getByRole('button', { name: 'Use Fall aeration & overseeding' }).click()

  // who: the count follows the conditions
  await page.getByText('of 4 customers can be reached by e-mail now').waitFor()
  await page.getByText('1 customer cannot be reached').click()
  await page.getByText('No e-mail on file').waitFor()
  await page.getByLabel('Add a condition').selectOption('tag')
  await page.getByLabel('Tag: which').selectOption('vip')
  await page.getByLabel('Tag: whether').selectOption('no')
  await page.getByText('of 3 customers can be reached by e-mail now').waitFor()
  await page.getByRole('button', { name: 'Save under a name' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Not our VIPs')
  await page.getByRole('button', { name: 'Save audience' }).click()
  await page.getByText('Not our VIPs is saved').waitFor()
  await expectAccessible(page)
  await picture('who')
  await page.getByRole('button', { name: 'Next: What' }).click()

  // what: a variable that means nothing is said while it is typed, kept as it is, and in no test
  const subject = page.getByLabel('Subject', { exact: true })
  await subject.fill('Air for {nme}')
  await page.getByText(/There is no \{nme\}/).waitFor()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByText('Air for {nme}', { exact: true }).waitFor()
  await subject.fill('Air for your lawn, {customer first name}')
  await page.getByText('Saved', { exact: true }).waitFor()
  const frame = page.frameLocator('iframe[title="Preview of the e-mail"]')
  await frame.getByText('Hi Pat,').waitFor()
  await page.getByText('Air for your lawn, Pat').waitFor()
  await expectAccessible(page)
  await picture('what')
  await page.getByRole('button', { name: 'Dark' }).click()
  await frame.getByText('Hi Pat,').waitFor()
  expect(await frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).toBe('rgb(16, 23, 15)')
  await picture('dark')
  // a desk is wider than the room for it: it is made smaller, and nothing of it is cut
  await page.getByRole('button', { name: 'Desktop' }).click()
  await frame.getByText('Hi Pat,').waitFor()
  const right = async (part: Locator) => {
    const box = await part.boundingBox()
    return Math.round((box?.x ?? 0) + (box?.width ?? 0))
  }
  const room = page.getByRole('region', { name: 'The e-mail as it is read' })
  await expect.poll(async () => (await right(room.locator('iframe'))) <= (await right(room))).toBe(true)
  expect(await frame.locator('body').evaluate(() => innerWidth)).toBe(680)
  await picture('desktop')
  await page.getByRole('button', { name: 'Plain text' }).click()
  const plain = page.getByRole('region', { name: 'The e-mail as plain text' })
  await plain.getByText(/Get no more offers: http/).waitFor()
  expect(await plain.evaluate((part) => getComputedStyle(part).whiteSpace)).toContain('pre-wrap')
  await page.getByRole('button', { name: 'Send me a test' }).click()
  await page.getByText(/A test is on its way to/).waitFor()
  await page.getByRole('button', { name: 'To another address' }).click()
  await page.getByLabel('E-mail addresses').fill('jim@partner.test')
  await expectAccessible(page)
  await picture('test-to')
  await page.getByRole('button', { name: 'Send the test' }).click()
  await page.getByText('A test is on its way to jim@partner.test').waitFor()
  await page.getByRole('button', { name: 'Spanish' }).click()
  await page.getByText('Hola Rosa:', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Next: When' }).click()

  // when: how the audience is parted, then it leaves
  await page.getByText('2 customers', { exact: true }).waitFor()
  await expectAccessible(page)
  await picture('when')
  await page.getByRole('button', { name: 'Send to 2 customers now' }).click()
  await page.getByText('It begins at once.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Send to 2 customers', exact: true }).dblclick()
  await page.getByText('Running', { exact: true }).waitFor()
  await runTasks()
  await page.getByRole('heading', { name: 'What became of it' }).waitFor()
  await page.getByRole('list', { name: 'Audience' }).getByText('Pat Moss').waitFor()
  await page.getByRole('list', { name: 'Audience' }).getByText('Sent', { exact: true }).first().waitFor()
  await page.getByText('Nobody was held out', { exact: false }).waitFor()
  await expectAccessible(page)
  await picture('results')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('It is paused', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Cancel it' }).click()
  await page.getByRole('button', { name: 'Cancel the campaign' }).click()
  await page.getByText('Canceled', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'All campaigns' }).click()
  await page.getByRole('link', { name: 'Fall aeration & overseeding' }).waitFor()
  await expectAccessible(page)
  await picture('list')
  const { items } = await business.api.ok(campaignsApi.list, { query: {} })
  expect(items).toMatchObject([{ status: 'canceled', chosen: 3, queued: 2, leftOut: 1 }])
})
