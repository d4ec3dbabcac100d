import { describe, expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { chemicalsApi } from '../src/features/chemicals/contract.ts'
import { recordsApi } from '../src/features/chemicals/records/contract.ts'
import { signCaption } from '../src/features/chemicals/records/rules.ts'
import { crewappApi } from '../src/features/crewapp/contract.ts'
import { licensesApi } from '../src/features/employees/licenses/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { aLicense, treatLawns } from '../src/test/chemicals.ts'
import { aBusiness } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { aPhoto, crewHands } from './fixtures-day.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

/** A stop that is treated, its crew, and the office; nothing of chemicals is set up yet. */
const aTreatment = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await business.employee({ name: 'Luis Ortega' })
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  const { visitId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1, startMinute: 480 })
  await treatLawns(business)
  await publishDay(business, crewId)
  return { business, luis, visitId, as: { email: luis.email, password } }
}

describe('an application', () => {
  test('is set up in the office, written down with one tap and no signal, and stands there for good', async () => {
    const { business, luis, visitId, as } = await aTreatment()
    const office = { email: business.owner.email, password }
    const { page: desk, complaints } = await openPage({ as: office, path: '/jobs?tab=services&chemicals=mixes' })
    await desk.getByText('No mixes yet').waitFor()
    await desk.getByRole('link', { name: 'Add your products first' }).click()
    await desk.getByRole('button', { name: 'Add a product' }).click()
    await desk.getByLabel('Name on the label').fill('Trimec Classic')
    await desk.getByLabel('EPA reg. no.').fill('2217-543')
    await desk.getByLabel('Keep off the lawn for').fill('24')
    await desk.getByLabel('Restricted-use product').check({ force: true })
    await expectAccessible(desk)
    await desk.getByRole('button', { name: 'Add product', exact: true }).click()
    await desk.getByText('Trimec Classic added').waitFor()
    await desk.getByRole('link', { name: 'Mixes' }).click()
    await desk.getByRole('button', { name: 'Add a mix' }).click()
    await desk.getByLabel('Name').fill('Weed control')
    await desk.getByLabel('Product').selectOption({ label: 'Trimec Classic' })
    await desk.getByLabel('Rate').fill('1.5')
    await desk.getByLabel('Water').fill('1.5')
    await desk.getByText('12 fl oz of Trimec Classic, 12 gal of water').waitFor()
    await desk.getByLabel('Equipment').fill('Z-Spray 1')
    await expectAccessible(desk)
    await desk.getByRole('button', { name: 'Add mix', exact: true }).click()
    await desk.getByText('Weed control added').waitFor()
    await business.api.ok(chemicalsApi.setRules, { body: { blockFinish: true, tellCustomers: true, version: 0 } })

    const { page, context } = await openPage({ width: 390, as, path: '/employee-dashboard' })
    const hands = crewHands(page)
    await page.getByRole('button', { name: 'Record the application' }).waitFor()
    await hands.isKept()
    await context.setOffline(true)
    await page.reload()
    await page.getByRole('heading', { name: '7 Bay St' }).waitFor()
    await page.getByRole('button', { name: 'Clock in' }).click()
    await hands.start()
    // nobody leaves a treated lawn without its record
    await page.getByRole('button', { name: 'Finish', exact: true }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('Write down what was applied here before you finish.').waitFor()
    await sheet.getByRole('button', { name: 'Record the application' }).click()
    await sheet.getByText('Restricted-use product: only with a valid license').waitFor()
    await sheet.getByText('Needed before you can finish: the target.').waitFor()
    await expectAccessible(page)
    await sheet.getByLabel('Treated, in square feet').fill('6,000')
    expect(await sheet.getByLabel('Trimec Classic used, in fl oz').inputValue()).toBe('9')
    await sheet.getByRole('button', { name: 'Close' }).click()

    // the license is on file now, and on the phone with the next look
    await business.api.ok(licensesApi.create, { params: { id: luis.userId }, body: aLicense() })
    await context.setOffline(false)
    const newDay = page.waitForResponse((answer) => answer.url().includes('/api/crew/day') && answer.ok())
    await page.reload()
    await newDay
    await hands.allSent()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Record the application' }).click()
    await sheet.getByLabel('Wind, in mph').fill('4')
    await sheet.getByLabel('Wind from').selectOption('SW')
    await sheet.getByLabel('Target', { exact: true }).fill('Dollarweed')
    await sheet.getByLabel('Method', { exact: true }).fill('Broadcast spray')
    await sheet.getByRole('button', { name: 'Save the record' }).click()
    await sheet.getByText(/^Save without the temperature, the sign\?/).waitFor()
    await sheet.getByRole('button', { name: 'Save without it' }).click()
    await page.getByText('Weed control recorded').waitFor()
    await page.getByRole('button', { name: 'Recorded. Record another' }).waitFor()
    await hands.finish('7 Bay St')
    await context.setOffline(false)
    await hands.allSent()

    await expect
      .poll(async () => (await business.api.ok(recordsApi.ofVisit, { params: { visitId } })).records.length)
      .toBe(1)
    const { buffer } = await aPhoto()
    const sign = { id: newId(), kind: 'other' as const, item: signCaption }
    const place = { latitude: 32.0809, longitude: -81.0912, accuracyMeters: 8 }
    const query = { ...sign, ...place }
    await luis.api.ok(crewappApi.addPhoto, { params: { visitId }, query, body: buffer })
    await desk.goto(`/jobs?tab=services&chemicals=records`)
    await desk.getByText('12 fl oz Trimec Classic').first().click()
    const panel = desk.getByRole('dialog').or(desk.getByRole('complementary')).last()
    await desk.getByText('4 mph from SW').waitFor()
    await desk.getByText('Luis Ortega, GA GA-1234').waitFor()
    await desk.getByAltText('The sign that was posted').waitFor()
    const stood = desk.getByRole('link', { name: 'Where it stood, within 26 ft' })
    expect(await stood.getAttribute('href')).toContain('query=32.0809,-81.0912')
    await stood.scrollIntoViewIfNeeded()
    if (process.env.SWATH_PICTURES) await desk.screenshot({ path: `${process.env.SWATH_PICTURES}/sign-photo.png` })
    await expectAccessible(desk)
    await panel.getByRole('button', { name: 'Put right' }).click()
    await desk.getByLabel('Treated').fill('7000')
    await desk.getByLabel('Why it is put right').fill('Measured again')
    await desk.getByRole('button', { name: 'Save the amendment' }).click()
    await desk.getByText('The record is put right').waitFor()
    await desk.getByText('Measured again').waitFor()
    const [download] = await Promise.all([
      desk.waitForEvent('download'),
      desk.getByRole('button', { name: 'These records as PDF' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^applications-.*\.pdf$/)
    expectQuiet(complaints, away)
  })
})
