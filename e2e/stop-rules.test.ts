import sharp from 'sharp'
import { expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { businessesApi } from '../src/features/businesses/contract.ts'
import { usualSkips } from '../src/features/businesses/skips/rules.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { linkTo } from '../src/shared/links.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { step } from './fixtures.ts'

/** What holds at a stop: a note of the office, a checklist that blocks without a signal, a locked gate that is charged. */

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'

const aDay = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  const ana = await aPerson(business.id, 'Employee', { name: 'Ana Reyes' })
  const passwordHash = await hashPassword(password)
  const crewId = await aCrew(business, { name: 'North', members: [luis, ana] })
  const visits: string[] = []
  for (const [index, street] of ['132 Laurel Green Ct', '1513 Cathy St'].entries())
    visits.push(
      (await aVisit(business, { crewId, street, position: index + 1, startMinute: 430 + index * 40 })).visitId,
    )
  await business.db(async (db) => {
    await db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute()
    await db.updateTable('crews').set({ leaderUserId: luis.userId }).where('id', '=', crewId).execute()
    const checklist = [
      { text: 'Close the gate', required: true },
      { text: 'Blow the drive', required: true, photo: true },
    ]
    await db
      .updateTable('services')
      .set({ checklist: JSON.stringify(checklist) })
      .where('businessId', '=', business.id)
      .execute()
  })
  await publishDay(business, crewId)
  return { business, visits, luis: { email: luis.email, password }, ana: { email: ana.email, password } }
}

const photo = async () => ({
  name: 'lawn.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 800, height: 600, channels: 3, background: '#3c8f4f' } })
    .jpeg()
    .toBuffer(),
})

test('a required checklist blocks on a phone without a signal; a locked gate is charged and invoiced', async () => {
  const { business, visits, luis, ana } = await aDay()
  const [first = '', second = ''] = visits
  const owner = { email: business.owner.email, password }
  const { page: office } = await openPage({ as: owner, path: `/jobs?tab=manage&visitId=${first}` })
  await step('the office writes a note for this visit and sets a fee for a locked gate', async () => {
    await office.getByRole('button', { name: 'Write one' }).first().click()
    await office.getByRole('textbox', { name: 'This visit only' }).fill('Party on Friday: bag the clippings')
    await office.getByRole('button', { name: 'Save the note' }).click()
    await office.getByText('Note for the crew: Party on Friday: bag the clippings').waitFor()
    await expectAccessible(office)
    await office.goto('/profile?section=schedule#skips')
    await office.getByRole('combobox', { name: 'What Locked gate costs' }).selectOption('fee')
    await office.getByRole('textbox', { name: 'Fee for Locked gate' }).fill('35')
    await office.getByRole('button', { name: 'Save skip reasons' }).click()
    await office.getByText('Skip reasons saved').waitFor()
    const { skipRules } = await business.api.ok(businessesApi.get, {})
    expect(skipRules).toHaveLength(usualSkips.length)
    expect(skipRules[0]).toMatchObject({ code: 'locked_gate', charge: 'fee', chargeCents: 3500 })
  })
  await step('who does not lead the crew is blocked, in plain words', async () => {
    const { page } = await openPage({ width: 390, as: ana, path: '/employee-dashboard' })
    await page.getByText('Party on Friday: bag the clippings').waitFor()
    await page.getByRole('button', { name: 'Clock in' }).click()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText(/On site 0 of/).waitFor()
    await page.getByRole('button', { name: 'Finish', exact: true }).click()
    await page.getByText(/Your crew leader can finish without/).waitFor()
    expect(await page.getByRole('button', { name: 'Finish anyway…' }).count()).toBe(0)
    await page.getByText('All sent').waitFor()
  })
  const { page, context } = await openPage({ width: 390, as: luis, path: '/employee-dashboard' })
  await step('without a signal: ticked, photographed, finished; it arrives', async () => {
    await page.getByText(/On site/).waitFor()
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Finish', exact: true }).click()
    // the stop was begun by the other one: who leads is not on the clock yet
    await page.getByRole('dialog', { name: 'You are not clocked in' }).waitFor()
    await page.getByRole('button', { name: 'Finish all the same' }).click()
    const sheet = page.getByRole('dialog', { name: 'Before you finish' })
    await sheet.getByText('These points are required. Tick them, then finish.').waitFor()
    await expectAccessible(page)
    const finish = sheet.getByRole('button', { name: 'Finish', exact: true })
    expect(await finish.isDisabled()).toBe(true)
    await sheet.getByRole('checkbox', { name: /Close the gate/ }).click()
    await sheet.getByRole('checkbox', { name: /Close the gate/, checked: true }).waitFor()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      sheet.getByRole('button', { name: 'Photo: Blow the drive' }).click(),
    ])
    await chooser.setFiles(await photo())
    await sheet.getByRole('checkbox', { name: /Blow the drive/, checked: true }).waitFor()
    await finish.click()
    await page.getByText('Finished 132 Laurel Green Ct').waitFor()
  })
  await step('the locked gate of the next stop', async () => {
    await page.getByRole('heading', { name: '1513 Cathy St' }).waitFor()
    await page.getByRole('button', { name: 'Skip…' }).click()
    await page.getByText('Locked gate', { exact: true }).click()
    await page.getByRole('button', { name: 'Skip this stop' }).click()
    await page.getByText('Skipped 1513 Cathy St').waitFor()
    await context.setOffline(false)
    await page.getByText('All sent').waitFor()
  })
  await step('it is invoiced as its trip charge, the work of the other stop beside it', async () => {
    await expect
      .poll(async () => (await business.api.ok(visitsApi.get, { params: { visitId: first } })).checked.length)
      .toBe(2)
    await expect
      .poll(async () => (await business.api.ok(visitsApi.get, { params: { visitId: second } })).status)
      .toBe('skipped')
    await office.goto(`/jobs?tab=manage&visitId=${second}`)
    await office.getByText('$35.00, waits to be invoiced').waitFor()
    const { groups } = await business.api.ok(invoicesApi.preview, { query: {} })
    const charged = groups.flatMap((group) => group.visits).find((visit) => visit.id === second)
    expect(charged).toMatchObject({ priceCents: 3500, services: 'Locked gate, trip charge' })
    const made = await business.api.ok(invoicesApi.createBatch, { body: { send: false } })
    const { items } = await business.api.ok(invoicesApi.list, { query: { batchId: made.batchId } })
    const charge = items.find((invoice) => invoice.totalCents === 3500)
    await office.goto(linkTo.invoice(charge?.id ?? ''))
    await office.getByText('Locked gate, trip charge').waitFor()
  })
})
