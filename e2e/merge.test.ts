import { describe, expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { mergesApi } from '../src/features/merges/contract.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** Two records of one customer: the record says so, what would move is read first, they become one and are taken apart again. */

const { openPage } = withBrowser({ afresh: 'file' })

describe.each(widths(390))('at %i pixels', (width) => {
  test('two records become one, and two again', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { api } = business
    const kept = await api.ok(customersApi.create, { body: { name: 'Ann Lee', email: 'ann@oak.test' } })
    const property = { street: '12 Oak St', city: 'Savannah', state: 'GA', zip: '31401' }
    const gone = await api.ok(customersApi.create, {
      body: { name: 'A. Lee', email: 'ann@oak.test', phone: '9125550101', property, allowDuplicate: true },
    })
    const { page } = await openPage({
      as: owner,
      timezoneId: timeZone,
      width,
      path: `/customers?tab=manage&customerId=${kept.id}`,
    })
    await page.getByText('A. Lee has the same e-mail.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Look and merge' }).click()
    await page.getByRole('heading', { name: 'Moves to Ann Lee' }).waitFor()
    await page.getByText('(912) 555-0101').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText('Ann Lee and A. Lee are one now').waitFor()
    await page.getByText('12 Oak St').first().waitFor()
    const read = (id: string) => api.ok(customersApi.get, { params: { id } })
    expect(await read(gone.id)).toMatchObject({ properties: [] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await read(gone.id)).properties.length).toBe(1)
    expect((await read(gone.id)).archivedAt).toBeNull()

    // later, when nothing on the screen offers it any more: from the record
    const { kept: now, gone: other } = await api.ok(mergesApi.preview, { params: { id: kept.id, goneId: gone.id } })
    await api.ok(mergesApi.merge, {
      params: { id: kept.id },
      body: { goneId: gone.id, version: now.version, goneVersion: other.version },
    })
    await page.reload()
    await page.getByText(/^A\. Lee was merged into this record on/).waitFor()
    await expectAccessible(page)
    if (process.env.SWATH_PICTURES)
      await page.screenshot({ path: `${process.env.SWATH_PICTURES}/merged-hint-${width}.png` })
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByText('They are two records again').waitFor()
    await expect.poll(async () => (await read(gone.id)).properties.length).toBe(1)
  })

  test('a lawn that stands twice becomes one, with the measurements that were chosen, and two again', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { api } = business
    const place = { city: 'Savannah', state: 'GA', zip: '31401' }
    const { id } = await api.ok(customersApi.create, {
      body: { name: 'Ann Lee', property: { ...place, street: '8 Harrow Street', lawnSquareFeet: 18_892 } },
    })
    const body = { ...place, street: '8 Harrow St', lawnSquareFeet: 9000 }
    await api.ok(customersApi.addProperty, { params: { id }, body })
    const path = `/customers?tab=manage&customerId=${id}`
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path })
    await page.getByText('8 Harrow Street stands here twice.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Make them one' }).click()
    await page.getByLabel(/^9,000 sq ft/).check()
    await expectAccessible(page)
    const dialog = page.getByRole('dialog', { name: 'One property instead of two' })
    await dialog.getByRole('button', { name: 'Make them one' }).click()
    await page.getByText('8 Harrow Street is one property now').waitFor()
    const live = async () =>
      (await api.ok(customersApi.get, { params: { id } })).properties
        .filter(({ archivedAt }) => archivedAt === null)
        .map(({ lawnSquareFeet }) => lawnSquareFeet)
    expect(await live()).toEqual([9000])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(live).toEqual(expect.arrayContaining([18_892, 9000]))
  })
})
