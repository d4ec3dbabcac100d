import sharp from 'sharp'
import { expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { linkToken } from '../src/platform/links.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

test('a crew circles something on a photo without a signal; office and customer see it over the picture', async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  const passwordHash = await hashPassword(password)
  await business.db((db) =>
    db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute(),
  )
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  const { visitId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1, startMinute: 430 })
  await publishDay(business, crewId)
  const { page, context, complaints } = await openPage({
    width: 390,
    as: { email: luis.email, password },
    path: '/employee-dashboard',
  })
  await page.getByRole('button', { name: 'Clock in', exact: true }).click()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('All sent').waitFor()
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await context.setOffline(true)

  const buffer = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#7c9444' } })
    .jpeg()
    .toBuffer()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Photo before' }).click(),
  ])
  await chooser.setFiles({ name: 'lawn.jpg', mimeType: 'image/jpeg', buffer })
  const thumb = page.getByRole('button', { name: 'Draw on photo 1, before' })
  await thumb.click()
  const sheet = page.getByRole('dialog')
  const pad = sheet.getByRole('img', { name: 'The photo: draw on it with your finger' })
  // The sheet rises; a share of the pad is a share of the picture once it stands.
  await pad.locator('img').evaluate((img: HTMLImageElement) => img.decode())
  await sheet.evaluate((dialog) => Promise.all(dialog.getAnimations().map(({ finished }) => finished)))
  const draw = async (from: [number, number], to: [number, number]) => {
    const box = await pad.boundingBox()
    if (!box) throw new Error('The pad is not there.')
    await page.mouse.move(box.x + box.width * from[0], box.y + box.height * from[1])
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * to[0], box.y + box.height * to[1], { steps: 4 })
    await page.mouse.up()
  }
  await draw([0.1, 0.1], [0.2, 0.8])
  await sheet.getByRole('button', { name: 'Undo' }).click()
  await draw([0.25, 0.25], [0.75, 0.5])
  await sheet.getByRole('button', { name: 'Yellow' }).click()
  await draw([0.5, 0.75], [0.75, 0.75])
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Save drawing' }).click()
  await page.getByText('Drawing kept').waitFor()
  expect(await thumb.locator('svg path.is-red').count()).toBe(1)
  await context.setOffline(false)
  await page.getByText('All sent').waitFor()
  const photos = async () => (await business.api.ok(visitsApi.get, { params: { visitId } })).photos
  await expect.poll(async () => (await photos())[0]?.strokes.map(({ color }) => color)).toEqual(['red', 'yellow'])
  const [red] = (await photos())[0]?.strokes ?? []
  const ends = [red?.points[0], red?.points[1], red?.points.at(-2), red?.points.at(-1)]
  for (const [at, share] of [0.25, 0.25, 0.75, 0.5].entries()) expect(ends[at]).toBeCloseTo(share, 1)
  expectQuiet(complaints, away)

  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ status: 'completed', finishedAt: new Date().toISOString() })
      .where('id', '=', visitId)
      .execute(),
  )
  const token = await business.db((db) => linkToken(db, 'visit', visitId))
  const customer = await openPage({ width: 390, path: `/visit/${token}` })
  await expect.poll(() => customer.page.locator('.photo svg path').count()).toBe(4)
})
