import sharp from 'sharp'
import { expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { messagesApi } from '../src/features/messages/contract.ts'
import { queueMessage } from '../src/features/messages/server/commands.ts'
import { receiveText } from '../src/features/messages/server/inbound/commands.ts'
import { messageTemplatesApi } from '../src/features/messages/templates/contract.ts'
import { notificationsApi } from '../src/features/notifications/contract.ts'
import { keepMedium } from '../src/local/phone/media.ts'
import { clock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { addDays, dayOf } from '../src/shared/dates.ts'
import { runTasks } from '../src/test/api.ts'
import { aPerson } from '../src/test/factories.ts'
import { aCrew, aLawn, aVisit, everyDay } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** The office's inbox: a text comes in, is answered by a fact or a template, and what is to become of it is said. */

const { openPage } = withBrowser({ afresh: 'file' })
const phone = '+19125550177'

const aTalk = async (changes: { language?: 'es' } = {}) => {
  const made = await aNewBusiness()
  const { business } = made
  const { customerId } = await aLawn(business)
  const { version, name } = await business.api.ok(customersApi.get, { params: { id: customerId } })
  await business.api.ok(customersApi.update, { params: { id: customerId }, body: { phone, ...changes, version } })
  const writes = (body: string) =>
    receiveText(business.id, { from: phone, body, provider: 'test', providerId: newId() })
  return { ...made, customerId, name, writes, path: `/customers?tab=messages&with=${customerId}` }
}

test.each(widths(1440))('a template is made, put in with a slash, and never sent with a hole, at %i', async (width) => {
  const { business, owner, timeZone, path } = await aTalk()
  const { page } = await openPage({ width, as: owner, timezoneId: timeZone, path })
  const box = page.getByRole('textbox', { name: 'Text', exact: true })
  // beside the thread, or behind a button where there is no room
  if (width < 1280) {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Facts' }).click()
    await page.getByRole('dialog').getByText('None booked').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  } else await page.getByRole('region', { name: 'About the customer' }).getByText('None booked').waitFor()
  await box.fill('Hello ')
  await box.press('End')
  await box.pressSequentially('/')
  const find = page.getByRole('searchbox', { name: 'Find a template' })
  await find.waitFor()
  await expectAccessible(page)
  const folder = process.env.SWATH_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/picker-${width}.png` })
  await page.getByRole('button', { name: 'Manage templates' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('list', { name: 'Templates' }).waitFor()
  await expectAccessible(page)
  if (folder) await page.screenshot({ path: `${folder}/templates-${width}.png` })
  await dialog.getByRole('button', { name: 'New template' }).click()
  await dialog.getByLabel('Name').fill('Bag question')
  await dialog.getByLabel('English').fill('{first_name}, shall we take the clippings along?')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await dialog.getByText(/There is no \{first_name\}\. There are \{customer first name\}/).waitFor()
  await expectAccessible(page)
  if (folder) await page.screenshot({ path: `${folder}/template-form-${width}.png` })
  await dialog.getByLabel('English').fill('We come {next visit day}: shall we take the clippings along?')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await dialog.getByRole('button', { name: 'Edit Bag question' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await find.fill('bag')
  await find.press('Enter')
  // nothing is planned: it is said, and the caret stands on what is missing
  await page.getByText(/No visit is planned for .*\. Write what belongs at \{next visit day\}/).waitFor()
  expect(await box.inputValue()).toBe('Hello We come {next visit day}: shall we take the clippings along?')
  await expect
    .poll(() =>
      box.evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd)),
    )
    .toBe('{next visit day}')
  await page.getByRole('button', { name: 'Send text' }).click()
  await page.getByText(/\{next visit day\} still stands in it/).waitFor()
  await expectAccessible(page)
  if (folder) await page.screenshot({ path: `${folder}/hole-${width}.png` })
  await page.keyboard.type('on Friday')
  await page.getByRole('button', { name: 'Send text' }).click()
  await page.getByText('Hello We come on Friday: shall we take the clippings along?').first().waitFor()
  await expect.poll(() => box.inputValue()).toBe('')
  const { items } = await business.api.ok(messageTemplatesApi.list, {})
  expect(items.some(({ name }) => name === 'Bag question')).toBe(true)
})

const aPhoto = (background: string) =>
  sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .jpeg()
    .toBuffer()

test.each(widths(390))('a text with a photo is answered with photos, at %i', async (width) => {
  const { business, owner, timeZone, path, name } = await aTalk()
  await receiveText(business.id, {
    from: phone,
    body: 'What is this weed?',
    provider: 'test',
    providerId: newId(),
    media: [
      { ref: await keepMedium(business.id, await aPhoto('#4a7a2f')), mime: 'image/jpeg' },
      { ref: 'none', mime: 'video/mp4' },
    ],
  })
  // its photos follow its words
  await runTasks()
  const { page } = await openPage({ width, as: owner, timezoneId: timeZone, path })
  const folder = process.env.SWATH_PICTURES
  const picture = async (what: string) => {
    if (folder) await page.screenshot({ path: `${folder}/${what}-${width}.png` })
  }
  const talk = page.getByRole('region', { name: `Messages with ${name}` })
  await talk.getByRole('img', { name: 'From the customer, 1 of 1' }).waitFor()
  await talk.getByText('A video came with it and cannot be shown here').waitFor()
  await page.getByRole('button', { name: 'Photo', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add photos' })
  // what came is there to be sent back, and a new one is put beside it
  await dialog.getByRole('button', { name: /^Message, / }).click()
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'crabgrass.jpg',
    mimeType: 'image/jpeg',
    buffer: await aPhoto('#8a6a2f'),
  })
  await dialog.getByRole('button', { name: 'Add 2 photos' }).waitFor()
  await expectAccessible(page)
  await picture('photos-chosen')
  await dialog.getByRole('button', { name: 'Add 2 photos' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('img', { name: 'To be sent, 2 of 2' }).waitFor()
  await page.getByRole('button', { name: 'Remove photo 1' }).click()
  await page.getByRole('img', { name: 'To be sent, 1 of 1' }).waitFor()
  await page.getByText('Costs 3 segments with photos').waitFor()
  const box = page.getByRole('textbox', { name: 'Text', exact: true })
  await box.fill('Crabgrass. We treat it in spring: this is how it looks then.')
  await expectAccessible(page)
  await picture('photos-composer')
  await page.getByRole('button', { name: 'Send text' }).click()
  await talk.getByRole('img', { name: 'Sent, 1 of 1' }).waitFor()
  await expect.poll(() => page.getByRole('img', { name: 'To be sent, 1 of 1' }).count()).toBe(0)
  await picture('photos-sent')
  // the customer's phone shows it, and sends one back
  await page.goto(`/local/phone?number=${encodeURIComponent(phone)}`)
  await page.getByRole('img', { name: 'Sent, 1 of 1' }).waitFor()
  await page.locator('input[type=file]').setInputFiles({
    name: 'thanks.png',
    mimeType: 'image/png',
    buffer: await sharp(await aPhoto('#2f6a8a'))
      .png()
      .toBuffer(),
  })
  await expect
    .poll(
      async () => {
        await runTasks()
        return page.getByRole('img', { name: /^From the customer/ }).count()
      },
      { timeout: 20_000 },
    )
    .toBe(2)
  await page.getByRole('region', { name: 'The phone' }).getByText('(A photo)').waitFor()
  await expectAccessible(page)
  await picture('photos-phone')
})

test.each(widths(390))('a text is answered by a fact, noted, given away, snoozed and done, at %i', async (width) => {
  const { business, owner, timeZone, path, customerId, name, writes } = await aTalk()
  const clerk = await aPerson(business.id, 'Admin', { name: 'Priya Raman' })
  const day = addDays(dayOf(clock.now(), timeZone), 2)
  const crewId = await aCrew(business, { name: 'North', workDays: everyDay })
  const { visitId } = await aVisit(business, { day, crewId, startMinute: 600, position: 1 })
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ customerId })
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
  await writes('When do you come next?')
  // what leaves by itself afterwards answers nobody, and does not push their question out of sight
  await business.db(async (db) => {
    for (const text of ['Your visit is done.', 'How was our visit? Tell us in a minute.', 'Your invoice is ready.'])
      await queueMessage(db, {
        channel: 'sms',
        purpose: 'transactional',
        address: phone,
        dedupeKey: newId(),
        text: text.repeat(8),
        customerId,
      })
    // a new business is asked to confirm its address over every screen
    await db
      .updateTable('users')
      .set({ emailVerifiedAt: null })
      .where('businessId', '=', business.id)
      .where('email', '=', owner.email)
      .execute()
  })
  const { page } = await openPage({ width, as: owner, timezoneId: timeZone, path })
  const isInSight = async (what: ReturnType<typeof page.getByText>) => {
    const [box, size] = [await what.boundingBox(), page.viewportSize()]
    return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height
  }
  const talk = page.getByRole('region', { name: `Messages with ${name}` })
  const asked = talk.getByText('When do you come next?')
  await expect
    .poll(async () => {
      const [box, within] = [await asked.boundingBox(), await talk.boundingBox()]
      return box && within ? box.y >= within.y && box.y + box.height <= within.y + within.height : false
    })
    .toBe(true)
  if (width === 390) {
    // the conversation has the screen: one header, no bars
    expect(await page.getByRole('button', { name: 'Menu, go to another part' }).isVisible()).toBe(false)
    expect((await talk.boundingBox())?.height).toBeGreaterThan(420)
  } else await page.setViewportSize({ width, height: 760 })
  await expect.poll(() => isInSight(page.getByRole('button', { name: 'Send text' }))).toBe(true)
  const folder = process.env.SWATH_PICTURES
  const picture = async (what: string) => {
    if (folder) await page.screenshot({ path: `${folder}/${what}-${width}.png` })
  }
  await picture('opened')
  const box = page.getByRole('textbox', { name: 'Text', exact: true })
  await page
    .getByRole('group', { name: 'Suggested answers' })
    .getByRole('button', { name: /^Your next visit is / })
    .click()
  await expect.poll(() => box.inputValue()).toMatch(/^Your next visit is .*, between 8 AM and 12 PM\.$/)
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  const note = page.getByRole('textbox', { name: 'Internal note' })
  await note.fill('She asks every week: offer the weekly plan')
  await expectAccessible(page)
  await picture('note-form')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByText('Internal note', { exact: true }).waitFor()
  await expect.poll(() => note.inputValue()).toBe('')
  // what was written for the customer is still there, and only that leaves
  await page.getByRole('group', { name: 'How to write' }).getByRole('button', { name: 'Text', exact: true }).click()
  expect(await box.inputValue()).toMatch(/^Your next visit is /)
  await page.getByRole('button', { name: 'Send text' }).click()
  await expect.poll(() => box.inputValue()).toBe('')
  await expect.poll(() => page.getByRole('group', { name: 'Suggested answers' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Priya Raman' }).click()
  await page.getByRole('button', { name: 'Priya Raman: change who answers' }).waitFor()
  await picture('thread')
  await page.getByRole('button', { name: 'Snooze', exact: true }).click()
  await page.getByRole('menuitem', { name: /Tomorrow morning/ }).waitFor()
  await picture('snooze-menu')
  await page.getByRole('menuitem', { name: /Choose day and time/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Snooze until' })
  await expectAccessible(page)
  await picture('snooze')
  await dialog.getByRole('button', { name: 'Snooze', exact: true }).click()
  await page
    .getByText(/^Snoozed until .*8:00 AM$/)
    .first()
    .waitFor()
  await expectAccessible(page)
  if (width < 900) await page.getByRole('button', { name: 'All conversations' }).click()
  const list = page.getByRole('region', { name: 'Conversations' })
  // its row stays while it is open, though nothing waits any more
  if (width < 900) await list.getByText('Nobody waits for us').waitFor()
  else await list.getByRole('link', { name: new RegExp(name) }).waitFor()
  await picture('answered')
  await list.getByRole('button', { name: /^Snoozed/ }).click()
  await list.getByRole('link', { name: new RegExp(name) }).waitFor()
  await expectAccessible(page)
  await picture('snoozed')
  await writes('Great, thank you!')
  if (width < 900) await list.getByText('Nothing is snoozed').waitFor()
  await list.getByRole('button', { name: /^Waiting for us\s*1$/ }).click()
  await list.getByRole('link', { name: new RegExp(name) }).click()
  const open = page.getByRole('region', { name: 'Conversation', exact: true })
  await open.getByRole('button', { name: 'Done', exact: true }).click()
  await page.getByText(/^Done by /).waitFor()
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  await expectAccessible(page)
  await picture('done')
  expect((await clerk.api.ok(notificationsApi.list, { query: {} })).notifications.map(({ title }) => title)).toEqual([
    `${name} wrote: the conversation is open again`,
    expect.stringContaining('gave you the conversation with'),
  ])
})

test.each(widths(390))(
  'a number that nobody knows is worked, and a mail comes in with its files, at %i',
  async (width) => {
    const { business, owner, timeZone, customerId, path } = await aTalk()
    const stranger = '+19125550178'
    await receiveText(business.id, { from: stranger, body: 'Do you mow?', provider: 'test', providerId: newId() })
    const folder = process.env.SWATH_PICTURES
    const open = { width, as: owner, timezoneId: timeZone }
    const { page } = await openPage({ ...open, path: `/customers?tab=messages&with=${encodeURIComponent(stranger)}` })
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Me', exact: true }).click()
    await page.getByRole('button', { name: 'You: change who answers' }).waitFor()
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click()
    await page
      .getByText(/^Snoozed until/)
      .first()
      .waitFor()
    await expectAccessible(page)
    if (folder) await page.screenshot({ path: `${folder}/number-${width}.png` })

    const { version } = await business.api.ok(customersApi.get, { params: { id: customerId } })
    await business.api.ok(customersApi.update, {
      params: { id: customerId },
      body: { email: 'odom@home.example', version },
    })
    const mail = await business.api.ok(messagesApi.sendEmail, {
      params: { id: customerId },
      body: { subject: 'The beds', text: 'Which beds do you mean?' },
    })
    await runTasks()
    const { page: box } = await openPage({ ...open, path: `/local/outbox?message=${mail.id}` })
    await box.getByRole('button', { name: 'Reply' }).click()
    await box.getByRole('textbox', { name: 'Text' }).fill('These two.')
    const photo = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#4a7' } })
      .jpeg()
      .toBuffer()
    await box.getByLabel(/Attach files/).setInputFiles([
      { name: 'beds.jpg', mimeType: 'image/jpeg', buffer: photo },
      { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 plan') },
      { name: 'walk.mp4', mimeType: 'video/mp4', buffer: Buffer.from('video') },
    ])
    await box.getByRole('button', { name: 'Take walk.mp4 out' }).waitFor()
    await expectAccessible(box)
    if (folder) await box.screenshot({ path: `${folder}/reply-${width}.png`, fullPage: true })
    await box.getByRole('button', { name: 'Hand it over' }).click()
    await box.getByText('The mail came in').waitFor()
    await runTasks()
    await page.goto(path)
    await page.getByRole('link', { name: /plan\.pdf/ }).waitFor()
    await page.getByText(/A file of this mail was not kept: neither a photo nor a PDF/).waitFor()
    await page.getByRole('link', { name: /beds\.jpg/ }).waitFor()
    await expectAccessible(page)
    if (folder) await page.screenshot({ path: `${folder}/thread-${width}.png` })
  },
)
