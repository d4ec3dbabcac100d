import sharp from 'sharp'
import { expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { extrasApi } from '../src/features/extras/contract.ts'
import { usualOvergrown } from '../src/features/extras/rules.ts'
import { defaultServices } from '../src/features/services/defaults/rules.ts'
import { newId } from '../src/platform/ids.ts'
import { linkTo } from '../src/shared/links.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

const aPhoto = async () => ({
  name: 'lawn.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 640, height: 480, channels: 3, background: '#7c9444' } })
    .jpeg()
    .toBuffer(),
})

const aDay = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  const { visitId } = await aVisit(business, {
    crewId,
    street: '7 Bay St',
    position: 1,
    startMinute: 430,
    priceCents: 5500,
  })
  await publishDay(business, crewId)
  return { business, visitId, luis, as: { email: luis.email, password } }
}

test('an overgrown lawn is marked without a signal, taken back, marked again, and decided by the office', async () => {
  const { business, visitId, as } = await aDay()
  await business.api.ok(extrasApi.saveSettings, {
    body: { version: 0, overgrown: { ...usualOvergrown, on: true, asks: true } },
  })
  const { page, context, complaints } = await openPage({ width: 390, as, path: '/employee-dashboard' })
  await page.getByRole('heading', { name: '7 Bay St' }).waitFor()
  await page.getByRole('button', { name: 'Clock in', exact: true }).click()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  const open = page.getByRole('button', { name: 'Overgrown lawn…' })
  await open.waitFor()
  await page.getByText('All sent').waitFor()
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await context.setOffline(true)

  const mark = async () => {
    await open.click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Mark as overgrown' }).click()
    await sheet.getByText('Say how tall it is.').waitFor()
    await sheet.getByText('Take a photo before you mow').waitFor()
    await sheet.getByRole('radio', { name: 'Very tall grass' }).check({ force: true })
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      sheet.getByRole('button', { name: 'Take a photo' }).click(),
    ])
    await chooser.setFiles(await aPhoto())
    await sheet.getByRole('img', { name: 'Photo 1' }).waitFor()
    await expectAccessible(page)
    await sheet.getByRole('button', { name: 'Mark as overgrown' }).click()
    await page.getByText('the office decides').waitFor()
  }
  await mark()
  await page.getByRole('button', { name: 'Take back: Overgrown lawn: very tall grass' }).click()
  await open.waitFor()
  await mark()
  expect(await page.getByText('$').count()).toBe(0)
  await context.setOffline(false)
  await page.getByText('All sent').waitFor()
  const extras = async () => (await business.api.ok(extrasApi.ofVisit, { params: { visitId } })).items
  await expect.poll(async () => (await extras()).map(({ state }) => state)).toEqual(['waiting'])
  expectQuiet(complaints, away)

  const office = await openPage({
    width: 1440,
    as: { email: business.owner.email, password },
    path: '/dashboard',
  })
  await office.page.getByText('Luis at 7 Bay St: Overgrown lawn: very tall grass').waitFor()
  await office.page
    .getByRole('listitem')
    .filter({ hasText: 'Luis at 7 Bay St' })
    .getByRole('link', { name: 'Decide' })
    .click()
  const panel = office.page.getByRole('region', { name: 'Extras' })
  await panel.getByRole('img', { name: /Overgrown lawn: very tall grass, 1/ }).waitFor()
  await panel.getByRole('button', { name: 'Put on the visit' }).click()
  await panel.getByText('On the visit').waitFor()
  await expect.poll(async () => (await extras())[0]).toMatchObject({ state: 'added', priceCents: 5500 })
  expectQuiet(office.complaints)
})

test('extra work is sold at the door without a signal: the customer reads the price, signs, and the office has it word for word', async () => {
  const { business, visitId, as } = await aDay()
  const same = { weekly: 100, biweekly: 100, monthly: 100, once: 100 }
  const rule = {
    ...defaultServices[0]?.priceRule,
    frequencyPercent: same,
    minCents: 4000,
    tiers: [{ upToSquareFeet: null, centsPerKsqft: 0 }],
  }
  await business.db((db) =>
    db
      .insertInto('services')
      .values({
        businessId: business.id,
        id: newId(),
        code: 'HEDGE',
        name: 'Hedge trimming',
        unit: 'hour',
        soldAtDoor: true,
        priceRule: JSON.stringify(rule),
        timeRule: JSON.stringify(defaultServices[0]?.timeRule),
        checklist: JSON.stringify([]),
      })
      .execute(),
  )
  const { page, context, complaints } = await openPage({ width: 390, as, path: '/employee-dashboard' })
  await page.getByRole('button', { name: 'Clock in', exact: true }).click()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('button', { name: 'Sell extra work…' }).waitFor()
  await page.getByText('All sent').waitFor()
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Sell extra work…' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Customer signs here' }).click()
  await sheet.getByText('Pick what the customer wants.').waitFor()
  await sheet.getByRole('radio', { name: 'Hedge trimming' }).check({ force: true })
  await sheet.getByRole('textbox', { name: 'How many (hours)' }).fill('2')
  expect(await page.getByText('$').count()).toBe(0)
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Customer signs here' }).click()
  await sheet.getByText(/Hedge trimming, 2 hours, for \$80\.00 plus sales tax/).waitFor()
  await sheet.getByRole('button', { name: 'I agree' }).click()
  await sheet.getByText('Sign above first, and give your name.').waitFor()
  await sheet.getByRole('textbox', { name: 'Your name' }).fill('Rebecca Odom')
  const pad = sheet.getByRole('img', { name: 'Sign here with your finger' })
  await pad.scrollIntoViewIfNeeded()
  await sheet.evaluate((dialog) => Promise.all(dialog.getAnimations().map(({ finished }) => finished)))
  const box = await pad.boundingBox()
  if (!box) throw new Error('There is nothing to sign on.')
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.5)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height * 0.4, { steps: 5 })
  await page.mouse.up()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'I agree' }).click()
  await page.getByText('Extra work kept').waitFor()
  await page.getByText('Hedge trimming, 2 hours', { exact: true }).waitFor()
  expect(await page.getByText('$').count()).toBe(0)
  await context.setOffline(false)
  await page.getByText('All sent').waitFor()
  const extras = async () => (await business.api.ok(extrasApi.ofVisit, { params: { visitId } })).items
  await expect
    .poll(async () => (await extras())[0])
    .toMatchObject({ state: 'added', priceCents: 8000, consent: { signer: 'Rebecca Odom', answer: 'yes' } })
  expectQuiet(complaints, away)

  const office = await openPage({
    width: 1440,
    as: { email: business.owner.email, password },
    path: linkTo.visitOver({ pathname: '/dashboard', search: '' }, visitId),
  })
  await office.page.getByRole('img', { name: 'Signature of Rebecca Odom' }).waitFor()
  await office.page.getByText(/Rebecca Odom said yes, signed on the phone/).waitFor()
  await office.page.getByRole('region', { name: 'Extras' }).scrollIntoViewIfNeeded()
  expectQuiet(office.complaints)
})
