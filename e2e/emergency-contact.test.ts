import { expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { emergencyApi } from '../src/features/employees/emergency/contract.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'

test('whom to call in an emergency stands with a person, one press from the call', async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const ana = await aPerson(business.id, 'Employee', { name: 'Ana Reyes' })
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('id', '=', business.owner.userId).execute(),
  )
  const { page, complaints } = await openPage({
    width: 390,
    as: { email: business.owner.email, password },
    path: `/employees?tab=manage&personId=${ana.userId}`,
  })
  await page.getByRole('button', { name: 'Add a contact' }).click()
  await page.getByLabel('Contact name').fill('Rosa Reyes')
  await page.getByRole('button', { name: 'Save the contact' }).click()
  await page.getByText('At which number?').waitFor()
  await page.getByLabel('Relation').fill('Mother')
  await page.getByLabel('Contact phone').fill('9125550147')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save the contact' }).click()
  await page.getByText('Rosa Reyes', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: '(912) 555-0147' }).getAttribute('href')).toBe('tel:+19125550147')
  expect(await business.api.ok(emergencyApi.get, { params: { id: ana.userId } })).toMatchObject({ relation: 'Mother' })
  const pictures = process.env.SWATH_LIVE_PICTURES
  if (pictures) await page.screenshot({ path: `${pictures}/emergency-390.png` })
  expectQuiet(complaints, /422/)
})
