import { describe, expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

/** A published stop whose customer owes $45.00, and the crew member who may take it. */
const aDoor = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega', permissions: ['collect'] })
  const passwordHash = await hashPassword(password)
  await business.db(async (db) => {
    await db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute()
    await db.updateTable('businesses').set({ doorPayments: true }).where('businessId', '=', business.id).execute()
  })
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  const { visitId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1, startMinute: 480 })
  await publishDay(business, crewId)
  const { customerId } = await business.db((db) =>
    db
      .selectFrom('visits')
      .select('customerId')
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .executeTakeFirstOrThrow(),
  )
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 4500 }]
  const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await business.api.ok(invoicesApi.issue, { params: { id } })
  return { business, invoiceId: id, as: { email: luis.email, password } }
}

describe('cash at the door', () => {
  test('is taken without a signal, shown as a receipt in two languages, arrives once, and is counted in the office', async () => {
    const { business, invoiceId, as } = await aDoor()
    const { page, context, complaints } = await openPage({ width: 390, as, path: '/employee-dashboard' })
    await page.getByRole('heading', { name: '7 Bay St' }).waitFor()
    await page.getByRole('button', { name: 'Collect payment' }).waitFor()
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await context.setOffline(true)
    // the sheet is not part of what the phone loads first: without a signal it comes from what the phone keeps
    await page.reload()
    await page.getByRole('button', { name: 'Collect payment' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('$45.00 is open').waitFor()
    await expectAccessible(page)
    await sheet.getByLabel('Amount in dollars').fill('')
    await sheet.getByRole('button', { name: 'Take payment' }).click()
    await sheet.getByText('Type an amount like 45 or 62.50.').waitFor()
    await sheet.getByLabel('Amount in dollars').fill('50')
    await sheet.getByText('$5.00 more than is open: it becomes their credit.').waitFor()
    await sheet.getByRole('button', { name: 'Take $50.00 in cash' }).dblclick()
    await sheet.getByText('Given when this phone has a signal. The reference counts until then.').waitFor()
    await expectAccessible(page)
    await sheet.getByRole('button', { name: 'En español' }).click()
    await sheet.getByText('¡Gracias!').waitFor()
    await sheet.getByText('Efectivo', { exact: true }).waitFor()
    await sheet.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Collect payment' }).click()
    await sheet.getByText('$50.00 that you took is still on this phone and is taken off here.').waitFor()
    await sheet.getByLabel('Amount in dollars').fill('50')
    await sheet.getByRole('button', { name: 'Take $50.00 in cash' }).click()
    await sheet.getByText(/You took \$50\.00 here a moment ago/).waitFor()
    await sheet.getByRole('button', { name: 'Close' }).click()

    await page.close()
    const again = await context.newPage()
    await again.goto('/employee-dashboard')
    await again.getByText(/on phone, no signal/).waitFor()
    await context.setOffline(false)
    await again.getByText('All sent').waitFor({ timeout: 60_000 })
    await again.getByRole('button', { name: 'Collect payment' }).click()
    await again.getByRole('button', { name: 'R-1001 · $50.00 · Cash' }).click()
    await again.getByText('Receipt number').waitFor()
    expect((await business.api.ok(invoicesApi.get, { params: { id: invoiceId } })).status).toBe('paid')
    expectQuiet(complaints, away)

    const office = await openPage({ as: { email: business.owner.email, password }, path: '/jobs?tab=invoices' })
    await office.page.getByText('$50.00 in cash with Luis Ortega').waitFor()
    await office.page.getByRole('button', { name: 'Count and confirm' }).click()
    const dialog = office.page.getByRole('dialog')
    await dialog.getByLabel('Cash counted from Luis Ortega').fill('48')
    await dialog.getByRole('button', { name: 'Confirm 1 receipt handed in' }).click()
    await dialog.getByText('The count differs from the receipts. Say why: it stands on the record.').waitFor()
    await expectAccessible(office.page)
    await dialog.getByLabel('Why $2.00 is missing').fill('Gave change')
    await dialog.getByRole('button', { name: 'Confirm 1 receipt handed in' }).click()
    await dialog.getByText('$2.00 is missing: Gave change').waitFor()
    await dialog.getByText(/Nobody holds money of yours/).waitFor()
    expectQuiet(office.complaints)
  })
})
