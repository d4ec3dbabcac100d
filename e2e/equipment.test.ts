import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { checksApi } from '../src/features/equipment/checks/contract.ts'
import { equipmentApi } from '../src/features/equipment/contract.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/
/** Leaves pictures of the screens where somebody wants to look at them. */
const pictures = process.env.SWATH_EQUIPMENT_PICTURES

const aTeam = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  const passwordHash = await hashPassword(password)
  await business.db(async (db) => {
    await db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute()
    await db.updateTable('users').set({ name: 'Dana Whitfield' }).where('id', '=', business.owner.userId).execute()
  })
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  await aVisit(business, { crewId, street: '7 Bay St', position: 1, startMinute: 480 })
  await publishDay(business, crewId)
  const add = (body: object) => business.api.ok(equipmentApi.create, { body: { crewId, ...body } as never })
  return {
    business,
    crewId,
    luis,
    add,
    phone: { email: luis.email, password },
    office: { email: business.owner.email, password },
  }
}

const photo = async () => ({
  name: 'blade.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#7a5a3c' } })
    .jpeg()
    .toBuffer(),
})

describe('equipment', () => {
  test('a truck is checked without a signal; the office hears of the defect, deals with it, and the crew sees both', async () => {
    const { business, add, phone, office } = await aTeam()
    await add({ kind: 'truck', name: 'Isuzu NPR', meter: 'miles', tenths: 482_100 })
    const mower = await add({ kind: 'mower', name: 'Mower 3', meter: 'hours', tenths: 12_000 })
    await business.api.ok(equipmentApi.addPlan, {
      params: { id: mower.id },
      body: { what: 'Oil and filter', everyTenths: 500, lastTenths: 11_560 },
    })
    const { page, context, complaints } = await openPage({ width: 390, as: phone, path: '/employee-dashboard' })
    const look = async (name: string, of = page) => {
      if (pictures) await of.screenshot({ path: `${pictures}/${name}.png` })
    }
    await page.getByRole('heading', { name: 'Truck check' }).waitFor()
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await look('phone-asked')
    await context.setOffline(true)
    await page.reload()
    await page.getByRole('button', { name: 'Check the truck' }).click()
    const sheet = page.getByRole('dialog', { name: 'Truck check' })
    await sheet.getByLabel('Odometer').fill('48,260')
    await sheet.getByLabel('Hour meter').fill('12')
    await sheet.getByText('Less than last time (1,200 h)', { exact: false }).waitFor()
    await sheet.getByLabel('Hour meter').fill('1204.5')
    await sheet.getByRole('button', { name: 'Send the check' }).click()
    await sheet.getByText(/points are not answered/).waitFor()
    const blades = sheet.getByRole('group', { name: 'Blades and deck' })
    await blades.getByRole('button', { name: 'Problem' }).click()
    await expectAccessible(page)
    await look('phone-check')
    await sheet.getByRole('button', { name: 'All the rest is OK' }).click()
    await sheet.getByRole('button', { name: 'Send the check' }).click()
    await blades.getByText('Say what is wrong, so that the shop knows.').waitFor()
    await blades.getByLabel('What is wrong?').fill('Blade is cracked')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      blades.getByRole('button', { name: 'Take a photo' }).click(),
    ])
    await chooser.setFiles(await photo())
    await blades.getByText('1 photo', { exact: true }).waitFor()
    await blades.getByRole('checkbox').check()
    await look('phone-defect')
    await sheet.getByRole('button', { name: 'Send the check' }).dblclick()
    await page.getByText('Truck checked', { exact: true }).waitFor()
    await page.close()

    const again = await context.newPage()
    await again.goto('/employee-dashboard')
    await again.getByRole('heading', { name: '7 Bay St' }).waitFor()
    await again.getByText('Truck checked', { exact: true }).waitFor()
    await context.setOffline(false)
    await again.getByText('All sent').waitFor({ timeout: 60_000 })
    await expect
      .poll(async () => {
        const { items } = await business.api.ok(checksApi.defects, { query: {} })
        return items.map(({ note, photos }) => [note, photos.filter(({ url }) => url).length])
      })
      .toEqual([['Blade is cracked', 1]])

    const { page: desk, complaints: ofDesk } = await openPage({ as: office, path: '/dashboard' })
    const need = desk.getByRole('listitem').filter({ hasText: 'Mower 3: Blades and deck' })
    await need.getByText('Do not use').waitFor()
    await desk.getByText('Mower 3: Oil and filter is due soon').waitFor()
    await need.getByRole('link', { name: 'Look' }).click()
    const panel = desk.getByRole('dialog', { name: 'Mower 3' }).or(desk.getByRole('complementary', { name: 'Mower 3' }))
    await panel.getByText('North has it and sees this on the phone.', { exact: false }).waitFor()
    await panel.getByText('1,204.5 h').first().waitFor()
    await look('office-panel', desk)
    await expectAccessible(desk)
    await panel.getByRole('button', { name: 'Deal with it: Blades and deck' }).click()
    await desk.getByLabel('What was done').fill('New blade')
    await desk.getByRole('button', { name: 'Dealt with' }).click()
    await desk.getByText('Mower 3 is in service again').waitFor()
    await again.getByText(/Do not use Mower 3/).waitFor({ state: 'detached' })
    await again.getByText(/Truck checked by Luis, /).waitFor()
    await panel.getByRole('button', { name: 'Done: Oil and filter' }).click()
    await desk.getByLabel('Book what it cost among the expenses').check()
    await desk.getByLabel('Paid, tax included').fill('84.50')
    await desk.getByRole('button', { name: 'Save as done' }).click()
    await panel.getByText('$84.50').waitFor()
    await look('office-serviced', desk)
    await desk.keyboard.press('Escape')
    await desk.getByRole('row', { name: /Isuzu NPR/ }).waitFor()
    await look('office-list', desk)
    await expectAccessible(desk)
    expectQuiet(complaints, away)
    expectQuiet(ofDesk)
  })

  test('before clocking in where the business says so, in Spanish, and somebody else may do it', async () => {
    const { business, add, luis, phone, office } = await aTeam()
    await business.db((db) => db.updateTable('users').set({ language: 'es' }).where('id', '=', luis.userId).execute())
    const { page: desk } = await openPage({ width: 390, as: office, path: '/employees?tab=crews&view=equipment' })
    await desk.getByText('No equipment yet').waitFor()
    await expectAccessible(desk)
    if (pictures) await desk.screenshot({ path: `${pictures}/office-390-empty.png` })
    await desk.getByRole('button', { name: 'Truck check' }).click()
    await desk.getByLabel('Once a day, before the crew clocks in').check()
    await expectAccessible(desk)
    if (pictures) await desk.screenshot({ path: `${pictures}/office-390-settings.png` })
    await desk.getByRole('button', { name: 'Save', exact: true }).click()
    await desk.getByText('Crews see the new check with their next signal').waitFor()
    await desk.getByRole('button', { name: 'Add equipment' }).click()
    await desk.getByLabel('Name').fill('Trailer 2')
    await desk.getByLabel('Kind').selectOption({ label: 'Trailer' })
    await desk.getByLabel('Crew').selectOption({ label: 'North' })
    await desk.getByRole('button', { name: 'Add it' }).click()
    await desk.getByText('Trailer 2 is on the list').waitFor()
    await add({ kind: 'mower', name: 'Mower 1', meter: 'hours', tenths: 100 })

    const { page } = await openPage({ width: 390, as: phone, path: '/employee-dashboard' })
    await page.getByRole('heading', { name: 'Revisión del camión' }).waitFor()
    expect(await page.getByRole('button', { name: 'Marcar entrada', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Revisar el camión' }).last().click()
    const sheet = page.getByRole('dialog', { name: 'Revisión del camión' })
    await sheet.getByText('Correas y rampa').waitFor()
    if (pictures) await page.screenshot({ path: `${pictures}/phone-es.png` })
    await sheet.getByRole('button', { name: 'Todo lo demás está bien' }).click()
    await sheet.getByRole('button', { name: 'Enviar la revisión' }).click()
    await page.getByText(/Camión revisado/).waitFor()
    await page.getByRole('button', { name: /[Ee]ntrada/ }).waitFor()
    await expectAccessible(page)
    await desk.goto('/employees?tab=crews&view=equipment')
    await desk.getByText('all OK').waitFor()
    await expectAccessible(desk)
    if (pictures) await desk.screenshot({ path: `${pictures}/office-390.png`, fullPage: true })
  })
})
