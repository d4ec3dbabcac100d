import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '../src/features/accounts/server/commands.ts'
import { chatApi } from '../src/features/chat/contract.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const password = 'correct horse 1'
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/
/** Leaves pictures of the screens where somebody wants to look at them. */
const pictures = process.env.SWATH_CHAT_PICTURES

const aTeam = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  const ana = await aPerson(business.id, 'Employee', { name: 'Ana Reyes' })
  const passwordHash = await hashPassword(password)
  await business.db(async (db) => {
    await db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute()
    await db.updateTable('users').set({ name: 'Dana Whitfield' }).where('id', '=', business.owner.userId).execute()
  })
  const crewId = await aCrew(business, { name: 'North', members: [luis, ana] })
  const { visitId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1, startMinute: 480 })
  await publishDay(business, crewId)
  return {
    business,
    luis,
    crewId,
    visitId,
    phone: { email: luis.email, password },
    office: { email: business.owner.email, password },
  }
}

const photo = async () => ({
  name: 'gate.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#3c8f4f' } })
    .jpeg()
    .toBuffer(),
})

describe('chat', () => {
  test('is written on a phone without a signal, answered in the office, and both see who has read', async () => {
    const { business, luis, phone, office: officeSignIn } = await aTeam()
    const { page, context, complaints } = await openPage({ width: 390, as: phone, path: '/employee-dashboard' })
    const look = async (name: string, of = page) => {
      if (pictures) await of.screenshot({ path: `${pictures}/${name}.png` })
    }
    await page.getByRole('heading', { name: '7 Bay St' }).waitFor()
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await context.setOffline(true)
    // neither the screen nor the conversation was open before: both come from what the phone keeps
    await page.reload()
    await page.getByRole('link', { name: 'Write to the office' }).click()
    await page.getByText('About 7 Bay St').waitFor()
    await expectAccessible(page)
    await look('phone-empty')
    await page.getByLabel('Message', { exact: true }).fill('Gate is locked. Do you have a code?')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Photo', exact: true }).click(),
    ])
    await chooser.setFiles(await photo())
    await page.getByRole('button', { name: 'Remove photo' }).waitFor()
    await look('phone-writing')
    await page.getByRole('button', { name: 'Send', exact: true }).dblclick()
    await page.getByText(/· On this phone/).waitFor()
    await page.getByLabel('Message', { exact: true }).fill('It is the side gate.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(() => page.getByText(/· On this phone/).count()).toBe(2)
    await expectAccessible(page)
    await look('phone-offline')
    await page.getByLabel('Message', { exact: true }).fill('half a')
    await page.close()

    const again = await context.newPage()
    await again.goto('/employee-chat')
    await again.getByText('It is the side gate.').waitFor()
    expect(await again.getByLabel('Message', { exact: true }).inputValue()).toBe('half a')
    await context.setOffline(false)
    await again.getByText('All sent').waitFor({ timeout: 60_000 })
    await again
      .getByText(/· Sent/)
      .first()
      .waitFor()
    const { items } = await business.api.ok(chatApi.messages, { params: { threadId: luis.userId }, query: {} })
    expect(items.map(({ text, photos }) => [text, photos.filter(({ url }) => url).length])).toEqual([
      ['It is the side gate.', 0],
      ['Gate is locked. Do you have a code?', 1],
    ])

    const { page: desk, complaints: ofDesk } = await openPage({ as: officeSignIn, path: '/employees?tab=manage' })
    await desk.getByRole('link', { name: /Communications\s*, 2 waiting/ }).click()
    await desk.getByText('2 messages are not read yet').waitFor()
    await expectAccessible(desk)
    await desk.getByRole('link', { name: /Luis Ortega/ }).click()
    await desk.getByText('Do you have a code?').first().waitFor()
    await desk.getByText('Everything is read').waitFor()
    await again
      .getByText(/Read by Dana, /)
      .first()
      .waitFor()
    const box = desk.getByLabel('Message to Luis Ortega')
    await box.fill('Try 4711')
    await box.press('Shift+Enter')
    await box.pressSequentially('and close it again.')
    await box.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('')
    await desk.getByRole('listitem').filter({ hasText: 'and close it again.' }).last().waitFor()
    await again.getByText('Dana Whitfield, office').waitFor()
    await desk.getByText(/Read by Luis, /).waitFor()
    await expectAccessible(desk)
    await look('office', desk)
    await look('phone-online', again)
    await desk.getByRole('link', { name: /7 Bay St/ }).click()
    await desk.getByRole('heading', { name: '7 Bay St' }).waitFor()
    await desk.keyboard.press('Escape')
    await again.getByRole('button', { name: 'About 7 Bay St' }).click()
    await again.getByRole('dialog').getByText('R. Odom', { exact: false }).waitFor()
    await again.getByRole('button', { name: 'Close' }).click()
    expectQuiet(complaints, away)
    expectQuiet(ofDesk)
  })

  test('to a crew and to everybody reaches the phones, is counted there, and says who has not read it', async () => {
    const { crewId, phone, office: officeSignIn } = await aTeam()
    const { page: desk } = await openPage({
      width: 390,
      as: officeSignIn,
      path: '/employees?tab=communications',
    })
    await desk.getByText('No conversation yet').waitFor()
    await expectAccessible(desk)
    const { page } = await openPage({ width: 390, as: phone, path: '/employee-timeclock' })
    await page.getByRole('button', { name: 'Clock in' }).waitFor()
    await desk.getByRole('button', { name: 'New message' }).click()
    await desk.getByRole('combobox', { name: 'To' }).fill('every')
    await desk.getByRole('option', { name: /Everybody/ }).click()
    await desk.getByText('Nothing written yet').waitFor()
    await desk.getByLabel('Message to Everybody').fill('Rain at 2 PM. Bring the trailers in.')
    await desk.getByRole('button', { name: 'Send' }).click()
    await desk.getByRole('button', { name: 'Not read yet' }).waitFor()
    await page.getByRole('link', { name: 'Chat 1' }).click()
    await page.getByRole('link', { name: 'Everybody 1 new' }).click()
    await page.getByText('Rain at 2 PM. Bring the trailers in.').waitFor()
    await page.getByText('Only the office writes here. Answer under Office.').waitFor()
    await expectAccessible(page)
    if (pictures) await page.screenshot({ path: `${pictures}/phone-everybody.png` })
    await desk.getByRole('button', { name: /Read by Luis, / }).click()
    await desk.getByRole('dialog').getByText('Ana Reyes').waitFor()
    await expectAccessible(desk)
    if (pictures) await desk.screenshot({ path: `${pictures}/office-390-readers.png` })
    await desk.goto(`/employees?tab=communications&with=${crewId}`)
    await desk.getByLabel('Message to North').fill('x'.repeat(2001))
    await desk.getByText('1 character too many. Shorten it, or send it in two.').waitFor()
    await desk.getByLabel('Message to North').fill('Shop at 7 tomorrow')
    await desk.reload()
    expect(await desk.getByLabel('Message to North').inputValue()).toBe('Shop at 7 tomorrow')
    await desk.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('link', { name: /^North 1 new/ }).click()
    await page.getByText('Shop at 7 tomorrow').waitFor()
    await page.getByLabel('Message', { exact: true }).fill('OK')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await desk.getByText('OK', { exact: true }).waitFor()
    await expectAccessible(desk)
    if (pictures) await desk.screenshot({ path: `${pictures}/office-390.png` })
  })
})
