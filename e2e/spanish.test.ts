import { test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { step } from './fixtures.ts'
import { expectSpanish } from './spanishWords.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'

test('every screen of the crew speaks Spanish, with no signal', async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash, language: 'es' }).where('businessId', '=', business.id).execute(),
  )
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  for (const [index, street] of ['7 Bay Rd', '45 Wassaw Rd'].entries())
    await aVisit(business, {
      crewId,
      street,
      position: index + 1,
      startMinute: 430 + index * 40,
      ...(index === 0 ? { dog: 'Dog in back yard.', gateCode: '4711#', parking: 'On the street' } : {}),
    })
  await publishDay(business, crewId)
  const as = { email: luis.email, password }
  const { page, context } = await openPage({ width: 390, as, path: '/employee-dashboard' })
  await page.getByRole('button', { name: 'Marcar entrada' }).click()
  await page.getByRole('button', { name: 'Empezar' }).click()
  await page
    .getByText(/^En el lugar|min$/)
    .first()
    .waitFor()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  for (const path of [
    '/employee-timeclock',
    '/employee-week-view',
    '/employee-profile',
    '/employee-chat',
    '/employee-timesheets',
  ])
    await page.goto(path)
  await context.setOffline(true)
  const paths = [
    '/employee-dashboard',
    '/employee-timeclock',
    '/employee-timesheets',
    '/employee-week-view',
    '/route-map',
    '/employee-chat',
    '/employee-profile',
  ]
  for (const path of paths)
    await step(path, async () => {
      await page.goto(path)
      await page.getByText('Sin señal').first().waitFor()
      await page.locator('main h1, main h2, h1').first().waitFor()
      await expectSpanish(page, path)
    })
  await step('sheets of a stop', async () => {
    await page.goto('/employee-dashboard')
    await page.getByRole('button', { name: 'Código del portón: toca para ver' }).click()
    // the start may still be held for its undo, and the chip then counts it
    for (const button of [/^Saltar…$/, /^Nota…$/, /sin señal$/i]) {
      await page.getByText(button).first().click()
      await page.getByRole('dialog').waitFor()
      await expectSpanish(page, String(button))
      await page.keyboard.press('Escape')
    }
  })
})

test('whoever signs in with a PIN on a phone that speaks Spanish reads Spanish, also what was wrong', async () => {
  const { page } = await openPage({ width: 390, path: '/signin' })
  await page.evaluate(() => {
    localStorage.setItem('swath.crew.settings', JSON.stringify({ language: 'es', theme: 'sun', photosOn: 'any' }))
    localStorage.setItem('swath.signs-in-by-pin', '1')
  })
  await page.goto('/signin')
  await page.getByRole('heading', { name: 'Entrar' }).waitFor()
  await expectSpanish(page.getByRole('main'), 'the PIN')
  await expectAccessible(page)
  await page.getByLabel('Número de teléfono').fill('(912) 555-0147')
  await page.getByRole('textbox', { name: 'PIN' }).fill('123456')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.getByText(/^Este teléfono aún no te conoce/).waitFor()
  await expectSpanish(page.getByRole('main'), 'a PIN that is not known here')
  await page.getByRole('button', { name: 'Entrar con correo' }).click()
  await page.getByLabel('Correo').waitFor()
  await expectSpanish(page.getByRole('main'), 'the e-mail')
  await expectAccessible(page)
})
