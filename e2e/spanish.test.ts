import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { step } from './fixtures.ts'
import { expectSpanish } from './spanishWords.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'

/** No English on it, nothing wider than the phone; the picture is kept where `SWATH_PICTURES` names a folder. */
const spanishPicture = async (page: Page, name: string): Promise<void> => {
  await expectSpanish(page.getByRole('main'), name)
  expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(390)
  const folder = process.env.SWATH_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/es-${name}.png`, fullPage: true })
}

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
    '/employee-quotes',
  ]) {
    await page.goto(path)
    await page.locator('main h1, main h2, h1').first().waitFor()
  }
  await context.setOffline(true)
  const paths = [
    '/employee-dashboard',
    '/employee-timeclock',
    '/employee-timesheets',
    '/employee-week-view',
    '/route-map',
    '/employee-chat',
    '/employee-profile',
    '/employee-quotes',
  ]
  for (const path of paths)
    await step(path, async () => {
      await page.goto(path)
      await page.getByText('Sin señal').first().waitFor()
      await page.locator('main h1, main h2, h1').first().waitFor()
      await expectSpanish(page, path)
      await spanishPicture(page, path.slice(1))
    })
  await step('sheets of a stop', async () => {
    await page.goto('/employee-dashboard')
    await page.getByRole('button', { name: 'Código del portón: toca para ver' }).click()
    // the start may still be held for its undo, and the chip then counts it
    for (const [sheet, button] of [
      ['skip', /^Saltar…$/],
      ['note', /^Nota…$/],
      ['unsent', /sin señal$/i],
    ] as const) {
      await page.getByText(button).first().click()
      await page.getByRole('dialog').waitFor()
      await expectSpanish(page, String(button))
      await spanishPicture(page, `sheet-${sheet}`)
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

test('a forgotten password, a link that is dead and the second step speak Spanish on such a phone', async () => {
  const { page } = await openPage({ width: 390, path: '/signin' })
  await page.evaluate(() =>
    localStorage.setItem('swath.crew.settings', JSON.stringify({ language: 'es', theme: 'sun', photosOn: 'any' })),
  )
  await page.goto('/forgot-password')
  await page.getByRole('heading', { name: 'Contraseña olvidada' }).waitFor()
  await page.getByRole('button', { name: 'Enviar el enlace' }).click()
  await page.getByText('Escribe un correo válido.').waitFor()
  await page.getByLabel('Correo').fill('nadie@example.com')
  await page.getByRole('button', { name: 'Enviar el enlace' }).click()
  await page.getByText(/^Si este correo tiene una cuenta/).waitFor()
  await spanishPicture(page, 'forgotten')
  await expectAccessible(page)
  await page.goto('/reset-password?token=gone')
  await page.getByText('Este enlace ya no sirve.').waitFor()
  await spanishPicture(page, 'dead-link')
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/json',
      body: JSON.stringify({ code: 'two_factor_required', message: 'Enter your code.', details: { challenge: 'x' } }),
    }),
  )
  await page.route('**/api/auth/second-step', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/json',
      body: JSON.stringify({ code: 'state_conflict', message: 'This took too long. Please sign in again.' }),
    }),
  )
  await page.goto('/signin')
  await page.getByLabel('Correo').fill('luis@example.com')
  await page.getByLabel('Contraseña', { exact: true }).fill('correct horse 1')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.getByRole('heading', { name: 'Un paso más' }).waitFor()
  await page.getByLabel('Código').fill('123456')
  await page.getByRole('button', { name: 'Seguir' }).click()
  await page.getByText('Tardó demasiado. Entra otra vez.').waitFor()
  await spanishPicture(page, 'second-step')
  await expectAccessible(page)
})
