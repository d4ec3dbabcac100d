import sharp from 'sharp'
import { expect, test } from 'vitest'
import { crewappApi } from '../src/features/crewapp/contract.ts'
import { doorApi } from '../src/features/payments/door/contract.ts'
import { crewQuotesApi } from '../src/features/quotes/crew/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { linkTo } from '../src/shared/links.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { letIn, password } from './fixtures.ts'

/** What a crew reported and no visit can have, as the office sees and decides it; and what a crew noted for a quote. */

const { openPage } = withBrowser({ afresh: 'file' })

const aCheckAndASale = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const { items: services } = await business.api.ok(servicesApi.addDefaults, {})
  await business.db((db) =>
    db.updateTable('businesses').set({ doorPayments: true }).where('businessId', '=', business.id).execute(),
  )
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Mendez', permissions: ['collect'] })
  await letIn(business)
  const crewId = await aCrew(business, { name: 'South', members: [luis] })
  const { visitId } = await aVisit(business, { crewId, street: '71 Check Ln' })
  const { propertyId } = await aVisit(business, { crewId, street: '45 Wassaw Rd', position: 2 })
  await publishDay(business, crewId)
  await business.db((db) =>
    db.deleteFrom('visits').where('businessId', '=', business.id).where('id', '=', visitId).execute(),
  )
  const tap = (type: 'collect' | 'sell', payload: object) => ({
    id: newId(),
    type,
    visitId,
    at: clock.iso(),
    label: '71 Check Ln',
    payload,
  })
  const check = tap('collect', { amountCents: 4800, tipCents: 800, method: 'check', checkNumber: '1042' })
  const sale = tap('sell', {
    sale: {
      serviceId: services[0]?.id ?? '',
      quantity: 2,
      note: '',
      photoIds: [],
      planned: 'later',
      way: 'signature',
      unitCents: 4500,
      signer: 'Rebecca Odom',
      strokes: [{ id: newId(), color: 'red', points: [0.1, 0.7, 0.25, 0.25, 0.4, 0.7, 0.55, 0.3, 0.8, 0.6] }],
      position: null,
    },
  })
  const { results } = await luis.api.ok(crewappApi.commands, { body: { commands: [check, sale] as never } })
  expect(results.map(({ result }) => result)).toEqual(['conflict', 'conflict'])
  const body = await sharp({ create: { width: 600, height: 270, channels: 3, background: '#dfe8d8' } })
    .jpeg()
    .toBuffer()
  await luis.api.ok(crewappApi.addCheckPhoto, { params: { receiptId: check.id }, body })
  const lines = [{ serviceId: services[0]?.id ?? '', squareFeet: 9000 }]
  await luis.api.ok(crewQuotesApi.create, { body: { propertyId, lines, note: '' } })
  return { business, luis, check }
}

test.each(widths(390))(
  'the office decides about a check and a sale of a deleted visit at %i px, and finds what a crew noted',
  async (width) => {
    const { business, luis, check } = await aCheckAndASale()
    const office = await openPage({ width, as: { email: business.owner.email, password }, path: '/dashboard' })
    const { page } = office
    const need = (text: RegExp) => page.locator('.dash-need').filter({ hasText: text })
    await need(/sold extra work|71 Check Ln/)
      .first()
      .waitFor()
    await need(/\$48\.00/)
      .getByRole('button', { name: 'Decide' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Whose money is it?').waitFor()
    await dialog.getByText('Check 1042, $8.00 of it a tip.').waitFor()
    await expect
      .poll(() => dialog.locator('.conflict-photos img').evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Decide and tell the crew' }).click()
    await need(/\$48\.00/).waitFor({ state: 'detached' })
    const { people } = await business.api.ok(doorApi.fieldCash, {})
    const receipt = people.flatMap(({ receipts }) => receipts).find(({ id }) => id === check.id)
    expect(receipt).toMatchObject({ amountCents: 4800, checkNumber: '1042' })
    expect(receipt?.photoUrl).toContain('/')

    await need(/71 Check Ln/)
      .getByRole('button', { name: 'Decide' })
      .click()
    await dialog.getByRole('img', { name: 'Signature of Rebecca Odom' }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await need(/noted Q-/)
      .getByRole('link', { name: 'Price it' })
      .waitFor()
    await page.goto(linkTo.quotes({ view: 'noted' }))
    await page.getByText('From the crew').nth(1).waitFor()
    await page.getByText('45 Wassaw Rd').filter({ visible: true }).first().waitFor()
    await expectAccessible(page)
    expectQuiet(office.complaints)

    if (width !== 390) return
    for (const language of ['en', 'es'] as const) {
      await luis.api.ok(crewappApi.setLanguage, { body: { language } })
      const phone = await openPage({ width, as: { email: luis.email, password }, path: '/employee-dashboard' })
      await phone.page.getByRole('heading', { name: '45 Wassaw Rd' }).waitFor()
      await phone.page.goto('/employee-quotes')
      await phone.page.getByText('45 Wassaw Rd').first().waitFor()
    }
  },
)
