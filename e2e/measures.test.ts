import { describe, expect, test } from 'vitest'
import { quotesApi } from '../src/features/quotes/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { linkTo } from '../src/shared/links.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** Mulch goes by the beds: where nobody measured them the quote says so, and leads to where they are measured. */

const { openPage } = withBrowser({ afresh: 'file' })

describe.each(widths(390))('at %i pixels', (width) => {
  test('beds and edges are measured from a quote that lacks them, and price it', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { customerId, propertyId } = await aLawn(business)
    await business.db((db) =>
      db.updateTable('properties').set({ lawnSquareFeet: 8000 }).where('id', '=', propertyId).execute(),
    )
    const { items } = await business.api.ok(servicesApi.addDefaults, {})
    const edging = items.find(({ code }) => code === 'edging')
    const mulch = items.find(({ code }) => code === 'mulch')
    if (!edging || !mulch) throw new Error('no usual services')
    const { page } = await openPage({
      as: owner,
      timezoneId: timeZone,
      width,
      path: `/jobs?tab=services&serviceId=${mulch.id}`,
    })
    const picture = async (name: string) => {
      const folder = process.env.SWATH_PICTURES
      if (folder) await page.screenshot({ path: `${folder}/measures-${name}-${width}.png` })
    }
    await step('mulch is priced by the size of the beds', async () => {
      const form = page.getByRole('dialog', { name: 'Mulch installed' })
      await form.getByLabel('Priced').selectOption('visit')
      await expect.poll(() => form.getByLabel('Measured by').inputValue()).toBe('beds')
      await form.getByRole('switch', { name: 'The price grows with the beds' }).click()
      await form.getByRole('textbox', { name: 'Smallest price', exact: true }).fill('185')
      await form.getByText('Price matrix by sq ft of beds').click()
      await form.getByRole('textbox', { name: 'Price of 250 sq ft' }).waitFor()
      await form.getByRole('region', { name: 'Try the price' }).getByLabel('Size of the beds').fill('600')
      await expectAccessible(page)
      await picture('service')
      await form.getByRole('button', { name: 'Save service' }).click()
      await page.getByText('Mulch installed saved').waitFor()
      const saved = (await business.api.ok(servicesApi.catalog, {})).items.find(({ id }) => id === mulch.id)
      expect(saved).toMatchObject({ measuredBy: 'beds', unit: 'visit' })
    })
    await step('a new quote says what is not measured, and leads to the drawing', async () => {
      await page.goto(linkTo.newQuote({ customerId }))
      await page.getByRole('checkbox', { name: /^Mulch installed/ }).check()
      await page.getByRole('checkbox', { name: /^Edging/ }).check()
      await page.getByText('The edges of this property are not measured yet.').waitFor()
      await expectAccessible(page)
      await picture('missing')
      await page.getByRole('button', { name: 'Measure the beds' }).click()
      await page.getByRole('dialog', { name: /^Measure/ }).waitFor()
    })
    await step('beds are typed in square feet, over the quote that needs them', async () => {
      const dialog = page.getByRole('dialog', { name: /^Measure/ })
      await dialog.getByText('No beds yet').waitFor()
      await dialog.getByRole('button', { name: 'Type a size' }).click()
      await expect.poll(() => dialog.getByLabel('Kind of area 1').inputValue()).toBe('bed')
      await dialog.getByLabel('Square feet of area 1').fill('600')
      await dialog.getByText('Besides 600 sq ft of beds').waitFor()
      // what lies behind it is out of reach
      await expectAccessible(page, { exclude: ['main'] })
      await picture('areas')
      await dialog.getByRole('button', { name: 'Save areas' }).click()
      await dialog.waitFor({ state: 'hidden' })
    })
    await step('the quote is priced by them', async () => {
      await page.getByText(/8,000 sq ft of lawn, 600 sq ft of beds/).waitFor()
      expect(await page.getByRole('checkbox', { name: /^Mulch installed/ }).isChecked()).toBe(true)
      await page.getByRole('button', { name: 'Make the draft and open the builder' }).click()
      // edges in feet, measured from their line, which then has its price
      await page.getByRole('button', { name: /^Edging/ }).click()
      await page.getByRole('button', { name: 'Measure the edges' }).click()
      const dialog = page.getByRole('dialog', { name: /^Measure/ })
      await dialog.getByText('No edges yet').waitFor()
      await dialog.getByRole('button', { name: 'Type a size' }).click()
      await dialog.getByLabel('Feet of area 2', { exact: true }).fill('240')
      await dialog.getByRole('button', { name: 'Save areas' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => page.getByLabel('Length of the edges').inputValue()).toBe('240')
      await expectAccessible(page)
      await picture('builder')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Saved', { exact: true }).waitFor()
      const { items: quotes } = await business.api.ok(quotesApi.list, { query: {} as never })
      const { content } = await business.api.ok(quotesApi.get, { params: { id: quotes[0]?.id ?? '' } })
      const cents = new Map(content.lines.map(({ serviceId, unitPriceCents }) => [serviceId, unitPriceCents]))
      // $65 and $0.45 for each of 140 ft more; $185 and $0.20 for each of the square feet above the smallest
      expect(cents.get(edging.id)).toBe(12_800)
      expect(cents.get(mulch.id)).toBeGreaterThan(18_500)
    })
  })
})
