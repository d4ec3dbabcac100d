import { expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { newId } from '../src/platform/ids.ts'
import { addDays } from '../src/shared/dates.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

/** A stop that Maria worked two weeks ago, and one where nobody was before. */
const aDay = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  const maria = await aPerson(business.id, 'Employee', { name: 'Maria Lopez' })
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
  const crewId = await aCrew(business, { name: 'North', members: [luis, maria] })
  const first = await aVisit(business, { crewId, street: '7 Bay St', position: 1, startMinute: 430 })
  await aVisit(business, { crewId, street: '45 Wassaw Rd', position: 2, startMinute: 480 })
  await publishDay(business, crewId)
  const { visitId, ...place } = first
  const day = addDays(today(), -14)
  await business.db((db) =>
    db
      .insertInto('visits')
      .values({
        businessId: business.id,
        id: newId(),
        ...place,
        occurrenceOn: day,
        day,
        status: 'completed',
        budgetMinutes: 30,
        priceCents: 5500,
        finishedBy: maria.userId,
        nextNote: 'The gate sticks: lift it.',
      })
      .execute(),
  )
  return { business, visitId, as: { email: luis.email, password } }
}

test('the crew reads what the last one left, and says its part to three readers without a signal', async () => {
  const { business, visitId, as } = await aDay()
  const { page, context, complaints } = await openPage({ width: 390, as, path: '/employee-dashboard' })
  await page.getByRole('heading', { name: '7 Bay St' }).waitFor()
  await page.getByText(/^Last time: .*, Maria:/).waitFor()
  await page.getByText('The gate sticks: lift it.').waitFor()
  await page
    .getByRole('button', { name: /45 Wassaw Rd/ })
    .last()
    .click()
  await page.getByRole('dialog').getByText('First visit here').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Clock in', exact: true }).click()
  await page.getByText('All sent').waitFor()

  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('button', { name: 'Note…' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Save note' }).click()
  await sheet.getByText('Write or pick something first.').waitFor()
  await sheet.getByRole('button', { name: 'The lawn looks great.' }).click()
  await sheet.getByRole('textbox', { name: 'To the office' }).fill('Sprinkler head broken')
  await sheet.getByRole('button', { name: 'The gate sticks: lift it.' }).click()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Save note' }).click()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await page.getByRole('status').getByRole('button', { name: 'Note…' }).click()
  const said = (part: string) => page.getByRole('dialog').getByRole('textbox', { name: part })
  expect(await said('What we saw').inputValue()).toBe('The lawn looks great.')
  await said('What we did').fill('Mowed and trimmed.')
  await said('What to expect').fill('See you next week.')
  await page.getByRole('dialog').getByRole('button', { name: 'Save note' }).click()
  await context.setOffline(false)
  await page.getByText('All sent').waitFor()
  const visit = await business.db((db) =>
    db
      .selectFrom('visits')
      .select(['status', 'note', 'customerNote', 'sawNote', 'didNote', 'expectNote', 'nextNote'])
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .executeTakeFirstOrThrow(),
  )
  expect(visit).toEqual({
    status: 'completed',
    note: 'Sprinkler head broken',
    customerNote: '',
    sawNote: 'The lawn looks great.',
    didNote: 'Mowed and trimmed.',
    expectNote: 'See you next week.',
    nextNote: 'The gate sticks: lift it.',
  })
  expectQuiet(complaints, away)
})
