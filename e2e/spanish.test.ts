import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { withBrowser } from './browser.ts'
import { step } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'

/** Words that stand in almost every English sentence, and in no Spanish one. */
const english =
  /\b(the|you|your|this|that|with|not|and|are|was|office|phone|today|tomorrow|week|stops?|photos?|send|sent|signal|close|back|skip|note|clock|break|start|finish|hours?|on|off|of|to|at|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Apr|Aug|Dec)\b/

/** What the business wrote, in whatever language it writes. */
const data = [
  'Close the gate',
  'Mow, edge, blow',
  'Whitfield Lawn',
  'Dog in back yard.',
  'On the street',
  'North',
  'Chat',
]

/** All that a person sees or hears on the page, without what the business wrote. */
const wordsOn = async (page: Page): Promise<string[]> => {
  const seen = (await page.locator('body').allInnerTexts()).flatMap((text) => text.split('\n'))
  const heard = await page.evaluate(() => {
    const labels = [...document.querySelectorAll('[aria-label], [placeholder], [alt]')].flatMap((one) =>
      ['aria-label', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? ''),
    )
    return [...labels, document.title]
  })
  const lines = [...seen, ...heard]
  return [...new Set(lines.map((line) => data.reduce((rest, known) => rest.replaceAll(known, ''), line).trim()))]
}

const expectSpanish = async (page: Page, where: string): Promise<void> => {
  // a screen on its way may still say what it waits for
  await expect
    .poll(async () => (await wordsOn(page)).filter((line) => english.test(line)), { message: where })
    .toEqual([])
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
