import { expect, test } from 'vitest'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { letIn, password } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

test('a crew member says yes, is seen on the clock only, and takes it back', async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  await letIn(business)
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  await aVisit(business, { crewId, street: '132 Laurel Green Ct', position: 1, startMinute: 430 })
  await publishDay(business, crewId)
  const kept = () =>
    business.db((db) =>
      db.selectFrom('positions').select('latitude').where('businessId', '=', business.id).orderBy('at').execute(),
    )

  const { page, context, complaints } = await openPage({ width: 390, as: { email: luis.email, password } })
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 32.08, longitude: -81.1, accuracy: 9 })
  await page.goto('/employee-profile')
  await page.getByText('You do not share it.').waitFor()
  await page.getByRole('button', { name: 'Share while I am on the clock' }).click()
  await page.getByText(/It begins when you clock in/).waitFor()
  await expectAccessible(page)
  expect(await kept()).toEqual([])

  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: 'Clock in' }).click()
  await expect.poll(kept).toEqual([{ latitude: 32.08 }])
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByText(/The office saw you last at/).waitFor()

  const office = await openPage({ as: { email: business.owner.email, password }, path: '/employees?tab=manage' })
  await office.page.getByText('Luis Ortega').first().click()
  await office.page.getByText('on the clock', { exact: true }).waitFor()
  await office.page.getByText(/within 30 ft/).waitFor()
  const map = office.page.getByRole('link', { name: 'Show on a map' })
  expect(await map.getAttribute('href')).toContain('mlat=32.08&mlon=-81.1')
  await expectAccessible(office.page)

  await page.getByRole('button', { name: 'Stop and delete everything' }).click()
  await page.getByText('You do not share it.').waitFor()
  expect(await kept()).toEqual([])
  await context.setGeolocation({ latitude: 32.2, longitude: -81.1, accuracy: 9 })
  await page.reload()
  await page.getByText('You do not share it.').waitFor()
  expect(await kept()).toEqual([])
  expectQuiet([...complaints, ...office.complaints])
})
