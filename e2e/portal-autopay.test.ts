import { expect, test } from 'vitest'
import { runTasks } from '../src/test/api.ts'
import { cardOf, withCard } from '../src/test/cards.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { step } from './fixtures.ts'

/** A customer turns autopay off in the portal and keeps the card, turns it on again with the words, and removes the card. */

const { openPage } = withBrowser({ afresh: 'file' })

test.each(widths(390))('autopay is off, on again and gone with the card, at %i', async (width) => {
  const { own, customerId } = await withCard()
  const { slug } = await own.db((db) =>
    db.selectFrom('businesses').select('slug').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
  )
  const base = `/portal/${slug}`
  const { page, complaints } = await openPage({ width, path: base })
  await page.getByLabel('Your e-mail or mobile number').fill('ann@test.swath.test')
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await page.getByRole('heading', { name: 'Look at your messages' }).waitFor()
  await runTasks()
  const { bodyText } = await own.db((db) =>
    db
      .selectFrom('messages')
      .select('bodyText')
      .where('businessId', '=', own.id)
      .where('entityType', '=', 'portal')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  await page.goto(/\/portal\/[\w-]{43}/.exec(bodyText)?.[0] ?? '')
  await page.getByRole('button', { name: 'Open my portal' }).click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await page.goto(`${base}/bills`)
  const autopay = page.getByRole('region', { name: 'Autopay' })

  await step('off, with the card kept', async () => {
    await autopay.getByText(/pays your invoices by itself/).waitFor()
    await autopay.locator('summary').filter({ hasText: 'Turn autopay off' }).click()
    await autopay.getByText('Your card stays on file and pays nothing by itself.').waitFor()
    await expectAccessible(page)
    await autopay.getByRole('button', { name: 'Turn autopay off' }).click()
    await page.getByText('Autopay is off.').waitFor()
    await autopay.getByText(/is on file\. It pays nothing by itself\./).waitFor()
    expect(await cardOf(own, customerId)).toMatchObject({ autopay: false, stoppedByHolder: true })
  })

  await step('on again, with the words', async () => {
    await autopay.locator('summary').filter({ hasText: 'Turn autopay on again' }).click()
    await autopay.getByText(/^I let .* keep this card/).waitFor()
    await expectAccessible(page)
    await autopay.getByRole('button', { name: 'I agree, turn autopay on' }).click()
    await page.getByText('Autopay is on again.').waitFor()
    expect(await cardOf(own, customerId)).toMatchObject({ autopay: true, mandate: { page: 'portal' } })
  })

  await step('the card is removed', async () => {
    await autopay.locator('summary').filter({ hasText: 'Remove it' }).click()
    await autopay.getByRole('button', { name: 'Remove it' }).click()
    await page.getByText('The card is removed.').waitFor()
    await expectAccessible(page)
    expect(await cardOf(own, customerId)).toBeNull()
  })
  expectQuiet(complaints)
})
