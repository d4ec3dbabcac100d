import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { checkTexts } from '../src/features/crewapp/web/check/checkTexts.ts'
import { extraTexts } from '../src/features/crewapp/web/extras/extraTexts.ts'
import { loadTexts } from '../src/features/crewapp/web/load/loadTexts.ts'
import { markTexts } from '../src/features/crewapp/web/marks/markTexts.ts'
import { saleTexts } from '../src/features/crewapp/web/sales/saleTexts.ts'
import { textsOf } from '../src/features/crewapp/web/texts.ts'
import { treatTexts } from '../src/features/crewapp/web/treat/treatTexts.ts'
import { equipmentApi } from '../src/features/equipment/contract.ts'
import { extrasApi } from '../src/features/extras/contract.ts'
import { usualOvergrown } from '../src/features/extras/rules.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { defaultServices } from '../src/features/services/defaults/rules.ts'
import { newId } from '../src/platform/ids.ts'
import { aMix, aProduct, treatLawns } from '../src/test/chemicals.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay, aPhoto } from './fixtures-day.ts'
import { legibleFindings } from './legible.ts'
import { expectSpanish } from './spanishWords.ts'

/** Every sheet of the crew app: accessible, to be hit and read, in both languages and both lights; in Spanish nothing of it is English. */

const { openPage } = withBrowser({ afresh: 'file' })

/** A stop with everything that a stop can have. */
const aFullStop = async (language: 'en' | 'es') => {
  const day = await aCrewDay({ streets: ['7 Bay Rd', '45 Wassaw Rd'], stopOf: () => ({ priceCents: 5500 }) })
  const { business, luis, crewId, visits } = day
  await business.db(async (db) => {
    await db
      .updateTable('users')
      .set({ language, permissions: ['collect'] })
      .where('businessId', '=', business.id)
      .where('id', '=', luis.userId)
      .execute()
    await db.updateTable('businesses').set({ doorPayments: true }).where('businessId', '=', business.id).execute()
    await db
      .insertInto('services')
      .values({
        businessId: business.id,
        id: newId(),
        code: 'HEDGE',
        name: 'Hedge trimming',
        unit: 'hour',
        soldAtDoor: true,
        priceRule: JSON.stringify(defaultServices[0]?.priceRule),
        timeRule: JSON.stringify(defaultServices[0]?.timeRule),
        checklist: JSON.stringify([]),
      })
      .execute()
  })
  await treatLawns(business)
  // the lawn is mowed too, so that it can be overgrown
  await business.db(async (db) => {
    const { id: serviceId } = await db
      .updateTable('services')
      .set({ category: 'mow' })
      .where('businessId', '=', business.id)
      .where('code', '=', 'HEDGE')
      .returning('id')
      .executeTakeFirstOrThrow()
    const lines = await db.selectFrom('visitLines').selectAll().where('businessId', '=', business.id).execute()
    await db
      .insertInto('visitLines')
      .values(lines.map((line) => ({ ...line, id: newId(), jobLineId: null, serviceId, position: 9 })))
      .execute()
  })
  await aMix(business.api, (await aProduct(business.api)).id)
  await business.api.ok(extrasApi.saveSettings, {
    body: { version: 0, overgrown: { ...usualOvergrown, on: true, asks: true } },
  })
  await business.api.ok(equipmentApi.create, {
    body: { crewId, kind: 'truck', name: 'Isuzu NPR', meter: 'miles', tenths: 482_100 } as never,
  })
  const { customerId } = await business.db((db) =>
    db
      .selectFrom('visits')
      .select('customerId')
      .where('businessId', '=', business.id)
      .where('id', '=', visits[0] ?? '')
      .executeTakeFirstOrThrow(),
  )
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 4500 }]
  const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await business.api.ok(invoicesApi.issue, { params: { id } })
  return { ...day, as: { email: luis.email, password } }
}

const stand = (page: Page) =>
  page
    .locator('dialog[open]')
    .last()
    .evaluate((dialog) => Promise.all(dialog.getAnimations({ subtree: true }).map(({ finished }) => finished)))

test.each([
  ['en', 'sun'],
  ['es', 'night'],
] as const)('every sheet of a stop in %s, by %s', async (language, theme) => {
  const t = textsOf(language)
  const { as } = await aFullStop(language)
  const { page } = await openPage({ width: 390, as, path: '/employee-dashboard' })
  await page.evaluate((kept) => localStorage.setItem('swath.crew.settings', JSON.stringify(kept)), {
    language,
    theme,
    photosOn: 'any',
  })
  await page.reload()
  const look = async (where: string) => {
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
    await expectAccessible(page)
    expect.soft(await legibleFindings(page), where).toEqual([])
    if (language === 'es') await expectSpanish(page, where)
    const folder = process.env.SWATH_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/${language}-${where.replace(/\W+/g, '-').slice(0, 30)}.png` })
  }
  const sheet = (name: string | RegExp) =>
    step(String(name), async () => {
      await page.getByRole('button', { name }).first().click()
      await page.getByRole('dialog').waitFor()
      await stand(page)
      await look(String(name))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })

  await page.getByRole('heading', { name: '7 Bay Rd' }).waitFor()
  await sheet(checkTexts(language).start)
  await sheet(new RegExp(`^${loadTexts(language).open('').trim()}`))
  await page
    .getByRole('button', { name: checkTexts(language).withoutIt })
    .or(page.getByRole('button', { name: t.clockIn, exact: true }))
    .first()
    .click()
  await page.getByRole('button', { name: t.start, exact: true }).click()
  await page.getByRole('button', { name: t.photoAfter }).waitFor()
  for (const name of [
    t.allStops,
    t.note,
    t.skip,
    t.collect,
    treatTexts[language].record,
    extraTexts(language).overgrown,
    saleTexts(language).open,
  ])
    await sheet(name)
  await step('the pen', async () => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: t.photoBefore }).click(),
    ])
    await chooser.setFiles(await aPhoto())
    const marks = markTexts(language)
    await page.getByRole('button', { name: marks.draw(marks.kinds.before, 1) }).waitFor()
  })
  await sheet(markTexts(language).draw(markTexts(language).kinds.before, 1))
  await step('finish', async () => {
    await page.getByRole('button', { name: t.finish, exact: true }).click()
    await page.getByRole('dialog').or(page.getByRole('status')).first().waitFor()
    await look('finish')
  })
})
