import { test } from 'vitest'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { password } from './fixtures.ts'
import { aCrewDay } from './fixtures-day.ts'

const { openPage } = withBrowser({ afresh: 'file', maps: 'half' })

test.each(widths(390))('at %i the crew opens the street map of its route, from the depot and back', async (width) => {
  const { business, crewId, luis } = await aCrewDay({
    streets: ['7 Bay St', '45 Wassaw Rd'],
    stopOf: (index) => ({ latitude: 32.05 + index / 100, longitude: -81.1 + index / 100 }),
  })
  await business.db((db) =>
    db
      .updateTable('crews')
      .set({ depotLatitude: 32.03, depotLongitude: -81.12 })
      .where('businessId', '=', business.id)
      .where('id', '=', crewId)
      .execute(),
  )
  const { page, complaints } = await openPage({ width, as: { email: luis.email, password }, path: '/route-map' })
  // the sketch has it, too: a phone without a signal shows no other map
  await page
    .getByRole('img', { name: /Sketch of the route/ })
    .getByText('D', { exact: true })
    .waitFor()
  await page.getByRole('button', { name: /Street map/ }).click()
  const pins = page.getByRole('region', { name: /Route/ }).or(page.locator('.c-map'))
  await pins.getByRole('button', { name: /Depot/ }).first().waitFor({ state: 'attached' })
  await pins
    .getByRole('button', { name: /45 Wassaw Rd/ })
    .first()
    .focus()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('45 Wassaw Rd').first().waitFor()
  expectQuiet(complaints, /GL Driver Message/)
})
