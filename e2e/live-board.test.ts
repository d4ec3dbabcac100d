import { expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'
/** Leaves pictures of the screen where somebody wants to look at them. */
const pictures = process.env.SWATH_LIVE_PICTURES

test('the office sees who is where doing what, as the phones say it, without loading anything again', async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  const ana = await aPerson(business.id, 'Employee', { name: 'Ana Reyes' })
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
  const office = { email: business.owner.email, password }
  const { page: desk, complaints } = await openPage({ as: office, path: '/employees?tab=crews&view=now' })
  await desk.getByText('No crew yet').waitFor()
  await expectAccessible(desk)
  const crewId = await aCrew(business, { name: 'North', members: [luis, ana] })
  await aVisit(business, { crewId, street: '7 Bay St', position: 1, startMinute: 480 })
  await aVisit(business, { crewId, street: '9 Bay St', position: 2, startMinute: 560, latitude: 32.08 })
  await publishDay(business, crewId)
  await desk.reload()
  const north = desk.getByRole('region', { name: 'North' })
  await north.getByText('Not begun yet').waitFor()
  await north.getByText('0 of 2 done', { exact: false }).waitFor()

  const { page } = await openPage({ width: 390, as: { email: luis.email, password }, path: '/employee-dashboard' })
  await page.getByRole('button', { name: 'Clock in', exact: true }).click()
  await north
    .getByRole('listitem')
    .filter({ hasText: 'Luis Ortega' })
    .getByText(/on the clock since/)
    .waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await north.getByText(/being worked since/).waitFor()
  await north.getByText('Next: 2. 9 Bay St').waitFor()
  expect(await north.getByText('not clocked in').count()).toBe(1)
  if (pictures) await desk.screenshot({ path: `${pictures}/live-1440.png`, fullPage: true })
  await expectAccessible(desk)
  await desk.setViewportSize({ width: 390, height: 844 })
  await north.getByText(/being worked since/).waitFor()
  await expectAccessible(desk)
  if (pictures) await desk.screenshot({ path: `${pictures}/live-390.png`, fullPage: true })
  await north.getByRole('link', { name: /7 Bay St/ }).click()
  await desk.getByRole('heading', { name: '7 Bay St' }).waitFor()
  expectQuiet(complaints, /GL Driver Message/)
})
