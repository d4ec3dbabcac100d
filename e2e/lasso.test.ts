import { describe, expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { runTasks } from '../src/test/api.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** Customers that a line was drawn around on the map get a tag, and lose it again by Undo. */

const { openPage } = withBrowser({ afresh: 'file', maps: true })

describe.each([1440, 390])('at %i pixels', (width) => {
  test('a line around pins picks their customers', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    for (const n of [0, 1, 2]) {
      const { customerId } = await aLawn(business, { latitude: 32.05 + n / 1000, longitude: -81.1 - n / 1000 })
      if (n > 0)
        await business.db((db) =>
          db
            .updateTable('customers')
            .set({ name: 'Pat Moss', phone: `+1912555010${n}` })
            .where('id', '=', customerId)
            .execute(),
        )
    }
    await aLawn(business, { latitude: 32.4, longitude: -81.5 })
    const { page } = await openPage({
      as: owner,
      timezoneId: timeZone,
      width,
      path: '/customers?tab=map',
    })
    const map = page.getByRole('region', { name: 'Your customers' })
    await map.locator('.ui-map__canvas[data-drawn]').waitFor()
    await page.getByRole('button', { name: 'Select an area' }).click()
    await page.getByText('Draw around the customers you mean.').waitFor()
    await expectAccessible(page)
    // on a phone the map ends above the bar at the foot once the page is scrolled down
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const draw = async () => {
      const box = (await map.locator('.ui-map__lasso').boundingBox())!
      // the three of the south-east stand together at the lower right, the fourth far from them
      const [midX, midY] = [box.x + box.width * 0.55, box.y + box.height * 0.55]
      const [right, bottom] = [box.x + box.width - 6, box.y + box.height - 6]
      await page.mouse.move(midX, midY)
      await page.mouse.down()
      for (const [x, y] of [
        [right, midY],
        [right, bottom],
        [midX, bottom],
        [midX, midY],
      ] as const)
        await page.mouse.move(x, y, { steps: 6 })
      await page.mouse.up()
      await page.getByText('3 customers are selected.').waitFor()
    }
    await draw()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add tag' }).click()
    // opened before it is typed into, as a finger does: the list stands where the field is
    await page.getByRole('combobox', { name: 'Tag' }).click()
    await page.getByRole('combobox', { name: 'Tag' }).pressSequentially('south')
    await page.getByRole('option', { name: /south/ }).click()
    await page.getByRole('button', { name: 'Tag 3 customers' }).click()
    const tagged = async () => (await business.api.ok(customersApi.list, { query: { tag: 'south' } })).total
    await expect.poll(tagged).toBe(3)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(tagged).toBe(0)
    await draw()
    await page.getByRole('button', { name: 'Message', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Message 3 customers' })
    await dialog.getByText('2 texts', { exact: true }).waitFor()
    await dialog.getByText('1 customer gets nothing').click()
    await dialog.getByText('No mobile number or e-mail on file').waitFor()
    await dialog.getByLabel('Message', { exact: true }).fill('Hi {name}, rain today: we come on Friday. {business}')
    await dialog.getByText(/^Hi Pat, rain today/).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send to 2 customers' }).dblclick()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('2 texts on the way').waitFor()
    await runTasks()
    const told = await business.db((db) =>
      db
        .selectFrom('messages')
        .select('bodyText')
        .where('businessId', '=', business.id)
        .where('entityType', '=', 'mailing')
        .execute(),
    )
    expect(told).toHaveLength(2)
  })

  test('customers at one place are one pin with their number, and each can be opened', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const ids: string[] = []
    for (const n of [0, 1, 2]) {
      const { customerId } = await aLawn(business, { latitude: 32.05, longitude: -81.1 })
      await business.db((db) =>
        db
          .updateTable('customers')
          .set({ name: `Pat ${n}` })
          .where('id', '=', customerId)
          .execute(),
      )
      ids.push(customerId)
    }
    await aLawn(business, { latitude: 32.4, longitude: -81.5 })
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: '/customers?tab=map' })
    const map = page.getByRole('region', { name: 'Your customers' })
    await map.locator('.ui-map__canvas[data-drawn]').waitFor()
    await map.getByRole('button', { name: /3 customers here: / }).press('Enter')
    await page.getByRole('dialog', { name: '3 customers at one place' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Pat 1/ }).click()
    await expect.poll(() => page.url()).toContain(`customerId=${ids[1]}`)
  })
})
