import sharp from 'sharp'
import { expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { messagesApi } from '../src/features/messages/contract.ts'
import { portalApi } from '../src/features/portal/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { addDays } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { runTasks } from '../src/test/api.ts'
import { aBusiness, type TestBusiness } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const email = 'rebecca@test.swath.test'

const aLawnBusiness = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn', cards: true })
  await letIn(business)
  const { items: services } = await business.api.ok(servicesApi.addDefaults, {})
  const crewId = await aCrew(business, { name: 'North crew' })
  const day = addDays(today(), 7)
  const { visitId, customerId, propertyId } = await aVisit(business, { crewId, day, position: 1 })
  await publishDay(business, crewId, day)
  await business.db(async (db) => {
    await db
      .updateTable('businesses')
      .set({ phone: '+19125550100', brandColor: '#14432f' })
      .where('businessId', '=', business.id)
      .execute()
    await db.updateTable('customers').set({ email }).where('id', '=', customerId).execute()
    await db.updateTable('properties').set({ lawnSquareFeet: 8000 }).where('id', '=', propertyId).execute()
  })
  const past = await aVisit(business, { crewId, day: addDays(today(), -7), status: 'completed' })
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({
        customerId,
        propertyId,
        customerNote: 'Trimmed the hedge by the gate, too.',
        finishedAt: `${addDays(today(), -7)}T15:00:00Z`,
      })
      .where('id', '=', past.visitId)
      .execute(),
  )
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
  const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
  const invoice = await business.api.ok(invoicesApi.issue, { params: { id } })
  const offered = services.filter(({ category, unit }) => category !== 'mow' && unit === 'visit').slice(0, 2)
  const { version } = await business.api.ok(portalApi.settings, {})
  await business.api.ok(portalApi.saveSettings, { body: { serviceIds: offered.map((one) => one.id), version } })
  const slug = await business.db(
    async (db) =>
      (await db.selectFrom('businesses').select('slug').where('businessId', '=', business.id).executeTakeFirstOrThrow())
        .slug,
  )
  return {
    business,
    customerId,
    visitId,
    invoice,
    offered,
    base: `/portal/${slug}`,
    as: { email: business.owner.email, password },
  }
}

const aPhoto = async (name: string, background: string) => ({
  name,
  mimeType: name.endsWith('png') ? 'image/png' : 'image/jpeg',
  buffer: await sharp({ create: { width: 1800, height: 1200, channels: 3, background } })
    .toFormat(name.endsWith('png') ? 'png' : 'jpeg')
    .toBuffer(),
})

const linkFor = async (business: TestBusiness): Promise<string> => {
  await runTasks()
  const { bodyText } = await business.db((db) =>
    db
      .selectFrom('messages')
      .select('bodyText')
      .where('businessId', '=', business.id)
      .where('entityType', '=', 'portal')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow(),
  )
  return /\/portal\/[\w-]{43}/.exec(bodyText)?.[0] ?? ''
}

test.each(widths(390))(
  'a customer asks for a link and does by themselves what they would have called for, at %i',
  async (width) => {
    const { business, customerId, visitId, invoice, offered, base, as } = await aLawnBusiness()
    const { page, complaints } = await openPage({ width, path: base })
    const shot = async (name: string) => {
      if (process.env.PORTAL_SHOTS)
        await page.screenshot({ path: `${process.env.PORTAL_SHOTS}/${name}-${width}.png`, fullPage: true })
    }
    const look = async (name: string) => {
      await shot(name)
      await expectAccessible(page)
    }

    await step('signs in by a link that one press opens', async () => {
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await look('signin')
      await page.getByLabel('Your e-mail or mobile number').fill(email)
      await page.getByRole('button', { name: 'Send me a link' }).click()
      await page.getByRole('heading', { name: 'Look at your messages' }).waitFor()
      await look('sent')
      await page.goto(await linkFor(business))
      await look('enter')
      await page.getByRole('button', { name: 'Open my portal' }).click()
      await page.getByRole('heading', { name: 'Hello, Rebecca' }).waitFor()
      await look('home')
    })

    await step('skips the next visit, and the office sees it', async () => {
      await page.getByRole('link', { name: 'Skip this visit' }).click()
      await page.getByText('It costs you nothing.').waitFor()
      await look('visit')
      await page.getByRole('button', { name: 'Yes, skip it' }).click()
      await page.getByText('The visit is skipped. Our office and the crew know.').waitFor()
      await look('skipped')
      expect((await business.api.ok(visitsApi.get, { params: { visitId } })).status).toBe('skipped')
      await page.getByRole('link', { name: 'Visits', exact: true }).click()
      await page.getByText('Trimmed the hedge by the gate, too.').waitFor()
      await look('visits')
    })

    await step('pays what is open on the page that is there for it', async () => {
      await page.getByRole('link', { name: 'Bills' }).click()
      await page.getByRole('heading', { name: 'Autopay' }).waitFor()
      await look('bills')
      await page.getByRole('button', { name: 'Pay $55.00' }).click()
      await page.getByRole('button', { name: /Pay \$55\.00/ }).click()
      await page.getByLabel('Card number').fill('4242 4242 4242 4242')
      await page.getByRole('button', { name: /^Pay/ }).click()
      await expect
        .poll(async () => {
          await runTasks()
          return (await business.api.ok(invoicesApi.get, { params: { id: invoice.id } })).status
        })
        .toBe('paid')
      await page.goto(`${base}/papers`)
      await page.getByText('Paid').first().waitFor()
      await look('papers')
    })

    await step('asks for more', async () => {
      await page.goto(`${base}/service`)
      await look('service')
      await page.getByText(`Ask for ${offered[0]?.name}`).click()
      await page.getByRole('button', { name: 'Ask for it' }).first().click()
      await page.getByText('Sent. We will get back to you soon.').waitFor()
      await look('asked')
    })

    await step('writes, and reads what the office answers', async () => {
      await page.getByRole('link', { name: 'Messages' }).click()
      const photos = page.getByLabel('Photos (optional)')
      await page.getByLabel('Your message').fill('Please mind the new roses.')
      await photos.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no photo') })
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('"notes.txt" is not a photo that we can read', { exact: false }).waitFor()
      expect(await page.getByLabel('Your message').inputValue()).toBe('Please mind the new roses.')
      await look('photo-refused')
      await photos.setInputFiles([await aPhoto('roses.jpg', '#a3485a'), await aPhoto('gate.png', '#4a7a3a')])
      await page.getByRole('img', { name: 'gate.png' }).waitFor()
      await look('photos-chosen')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Sent. We answer here and by mail or text.').waitFor()
      await page.getByRole('img', { name: 'Your photo 2' }).waitFor()
      await business.api.ok(messagesApi.sendEmail, {
        params: { id: customerId },
        body: { subject: 'Roses', text: 'We will, thank you!' },
      })
      await runTasks()
      await page.goto(`${base}/messages`)
      await page.getByText('We will, thank you!').waitFor()
      await look('messages')
    })

    await step('changes a phone number, and reads all of it in Spanish', async () => {
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByLabel('Mobile phone').fill('912 555 0147')
      await look('account')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      expect((await business.api.ok(customersApi.get, { params: { id: customerId } })).phone).toBe('+19125550147')
      await page.getByRole('button', { name: 'Cambiar a español' }).click()
      await page.getByRole('heading', { name: 'Hola, Rebecca' }).waitFor()
      await look('spanish')
      // the file that was no photo
      expectQuiet(complaints, /status of 422/)
    })

    await step('the office sees the photos in the thread and on the timeline', async () => {
      const office = await openPage({ width, as, path: linkTo.customer(customerId, { part: 'messages' }) })
      const photo = office.page.getByRole('link', { name: 'From the customer, 2 of 2' })
      await photo.waitFor()
      await expectAccessible(office.page)
      if (process.env.PORTAL_SHOTS)
        await office.page.screenshot({ path: `${process.env.PORTAL_SHOTS}/office-photos-${width}.png` })
      await office.page.goto(linkTo.customer(customerId, { part: 'timeline' }))
      await office.page.getByRole('link', { name: 'Photo, 2 of 2' }).waitFor()
      await expectAccessible(office.page)
      if (process.env.PORTAL_SHOTS)
        await office.page.screenshot({ path: `${process.env.PORTAL_SHOTS}/office-timeline-${width}.png` })
      expectQuiet(office.complaints)
    })

    await step('the office finds it all on the record', async () => {
      const office = await openPage({ width, as, path: linkTo.customer(customerId) })
      const portal = office.page.getByRole('region', { name: 'Customer portal' })
      await portal.getByText('Waits for an answer').waitFor()
      await portal.scrollIntoViewIfNeeded()
      if (process.env.PORTAL_SHOTS)
        await office.page.screenshot({ path: `${process.env.PORTAL_SHOTS}/office-${width}.png` })
      await expectAccessible(office.page)
      await portal.getByRole('button', { name: 'Taken care of' }).click()
      const dialog = office.page.getByRole('dialog', { name: 'Taken care of?' })
      await expectAccessible(office.page)
      await dialog.getByRole('button', { name: 'Say it is taken care of' }).click()
      await portal.getByText('Done').waitFor()
      expectQuiet(office.complaints)
    })
  },
  180_000,
)

test('the owner sets what customers may do by themselves', async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  await letIn(business)
  await business.api.ok(servicesApi.addDefaults, {})
  const as = { email: business.owner.email, password }
  const { page, complaints } = await openPage({ as, path: '/profile?section=messages#portal' })
  await page.getByLabel('Until how long before').fill('24')
  await page.getByRole('switch', { name: /They can pause their service/ }).click()
  if (process.env.PORTAL_SHOTS)
    await page.screenshot({ path: `${process.env.PORTAL_SHOTS}/settings.png`, fullPage: true })
  await page.getByRole('button', { name: 'Save customer portal' }).click()
  await page.getByText('Customer portal saved').waitFor()
  await expectAccessible(page)
  expect(await business.api.ok(portalApi.settings, {})).toMatchObject({ skipHours: 24, pauseAllowed: false })
  expectQuiet(complaints)
}, 60_000)
