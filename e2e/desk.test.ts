import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { deskApi } from '../src/features/desk/contract.ts'
import { callsApi } from '../src/features/prospects/calls/contract.ts'
import { couponsApi } from '../src/features/subscriptions/coupons/contract.ts'
import { localProspectsApi } from '../src/local/prospects/contract.ts'
import { withProspects } from '../src/platform/db/prospects.ts'
import { totpCode } from '../src/platform/totp.ts'
import { addDays, dayOf, formatDay } from '../src/shared/dates.ts'
import { type Api, runTasks } from '../src/test/api.ts'
import { anApplicant } from '../src/test/funnel.ts'
import { payCheckout } from '../src/test/plans.ts'
import { anOwner, aProspect } from '../src/test/prospects.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

const { openPage } = withBrowser({ afresh: 'test' })
let owner: Api
let dana: string
const refused = /status of (401|403|404|409|422|429)/

beforeEach(async () => {
  owner = await anOwner()
  await withProspects((db) =>
    db.updateTable('settings').set({ postalAddress: '1 Mill Rd, Savannah, GA 31401' }).execute(),
  )
  await owner.ok(couponsApi.create, { body: { code: 'SPRING15' } as never })
  dana = await aProspect({
    name: 'Dana Whitfield',
    email: 'dana@whitfield.test',
    phone: '(912) 555-0142',
    campaign: 'spring',
    utm_source: 'newsletter',
    screenResolution: '1440x900',
    platform: 'MacIntel',
    isMobile: true,
  })
  await aProspect({ name: 'Luis Ortega', email: 'luis@ortega.test', phone: '(912) 555-0177' })
})

const signIn = async (page: Page, button: string, username = 'owner', password = 'demo-swath-2026') => {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: button }).click()
}

const desk = async (width: number, path = '/owner/leads') => {
  const opened = await openPage({ width, path })
  await signIn(opened.page, 'Access Leads Dashboard')
  await opened.page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  return opened
}

describe('the login of the desk', () => {
  test('clears both fields after a no, keeps the token in the tab only, and ends with it', async () => {
    const { page, context } = await openPage({ path: '/owner/leads' })
    await page.getByRole('heading', { name: 'Owner Access Only' }).waitFor()
    await page.getByText('This page is restricted to the business owner.').waitFor()
    await expectAccessible(page)
    await signIn(page, 'Access Leads Dashboard', 'owner', 'wrong')
    await page.getByText('Invalid credentials').waitFor()
    expect(await page.getByLabel('Username').inputValue()).toBe('')
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    await signIn(page, 'Access Leads Dashboard')
    await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
    const stored = await page.evaluate(() => [Object.keys(sessionStorage).join(), Object.keys(localStorage).join()])
    expect(stored[0]).toContain('swath.owner-desk')
    expect(stored[1]).not.toContain('owner')
    const other = await context.newPage()
    await other.goto('/owner/leads')
    await other.getByRole('heading', { name: 'Owner Access Only' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('heading', { name: 'Owner Access Only' }).waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('swath.owner-desk'))).toBeNull()
  })
})

test('the second step is switched on in the settings, asked for at both doors, and switched off', async () => {
  const { page, complaints } = await desk(1440, '/owner/leads?tab=settings')
  await page.getByText('The password alone opens the leads dashboard and the registration portal.').waitFor()
  await page.getByRole('button', { name: 'Switch on' }).click()
  const setUp = page.getByRole('dialog', { name: 'Set up the second step' })
  await setUp.getByLabel('Your password').fill('not mine')
  await setUp.getByRole('button', { name: 'Continue' }).click()
  await setUp.getByText('This is not your password. Nothing was changed.').first().waitFor()
  await setUp.getByLabel('Your password').fill('demo-swath-2026')
  await setUp.getByRole('button', { name: 'Continue' }).click()
  await setUp.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  await expectAccessible(page)
  const key = ((await setUp.locator('.two-key code').textContent()) ?? '').replaceAll(' ', '')
  await setUp.getByLabel('Code', { exact: true }).fill('000000')
  await setUp.getByRole('button', { name: 'Switch it on' }).click()
  await setUp.getByText('This code is wrong or was used already.').first().waitFor()
  await setUp.getByLabel('Code', { exact: true }).fill(totpCode(key, Date.now()))
  await setUp.getByRole('button', { name: 'Switch it on' }).click()
  const codes = setUp.getByRole('listitem')
  await codes.first().waitFor()
  const [first = '', second = '', ...others] = await codes.allInnerTexts()
  expect(others.length).toBe(8)
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await setUp.getByRole('link', { name: 'Download' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('swath-recovery-codes.txt')
  expect(await readFile(await file.path(), 'utf8')).toContain([first, second, ...others].join('\n'))
  await setUp.getByText('I have kept these codes').click()
  await setUp.getByRole('button', { name: 'Done' }).click()
  await page.getByText('10 of 10 recovery codes left').waitFor()
  await page.getByRole('button', { name: 'Logout' }).click()

  await signIn(page, 'Access Leads Dashboard')
  const code = page.getByLabel('Code')
  await code.waitFor()
  await expectAccessible(page)
  await code.fill('000000')
  await page.getByRole('button', { name: 'Access Leads Dashboard' }).click()
  await page.getByText('This code is wrong or was used already.').waitFor()
  await code.fill(first)
  await page.getByRole('button', { name: 'Access Leads Dashboard' }).click()
  await page.getByText('9 of 10 recovery codes left').waitFor()

  const portal = await openPage({ width: 390, path: '/owner/register' })
  await signIn(portal.page, 'Access Registration Portal')
  // The code of the moment was used to switch it on; the next one counts already.
  await portal.page.getByLabel('Code').fill(totpCode(key, Date.now() + 30_000))
  await portal.page.getByRole('button', { name: 'Access Registration Portal' }).click()
  await portal.page.getByRole('heading', { name: 'Registration portal' }).waitFor()

  await page.getByRole('button', { name: 'New recovery codes' }).click()
  const renew = page.getByRole('dialog', { name: 'New recovery codes' })
  await renew.getByLabel('Code of your app').fill(second)
  await renew.getByRole('button', { name: 'Make new codes' }).click()
  await renew.getByRole('listitem').first().waitFor()
  const fresh = await renew.getByRole('listitem').allInnerTexts()
  await renew.getByText('I have kept these codes').click()
  await renew.getByRole('button', { name: 'Done' }).click()
  await page.getByText('10 of 10 recovery codes left').waitFor()
  await page.getByRole('button', { name: 'Switch off' }).click()
  const off = page.getByRole('dialog', { name: 'Switch the second step off?' })
  await off.getByLabel('Code of your app').fill(others[0] ?? '')
  await off.getByRole('button', { name: 'Switch it off' }).click()
  await off.getByText('This code is wrong or was used already.').first().waitFor()
  await off.getByLabel('Code of your app').fill(fresh[0] ?? '')
  await off.getByRole('button', { name: 'Switch it off' }).click()
  await page.getByText('The password alone opens').waitFor()
  await page.getByRole('button', { name: 'Logout' }).click()
  await signIn(page, 'Access Leads Dashboard')
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  expectQuiet(complaints, refused)
})

describe('the leads', () => {
  test('have figures, filters, a table, and change their status in place', async () => {
    const { page, complaints } = await desk(1440)
    for (const label of ['Total Leads', 'Registration Rate', 'Customer Rate', 'This Week'])
      await page.getByText(label).waitFor()
    await expect.poll(() => page.getByText('0.0%').count()).toBe(2)
    const table = page.getByRole('table', { name: 'Leads' })
    const row = table.getByRole('row').filter({ hasText: 'Dana Whitfield' })
    await row.getByText('dana@whitfield.test').waitFor()
    for (const header of ['Contact', 'Source', 'Campaign', 'Status', 'Created', 'Actions'])
      await table.getByRole('columnheader', { name: header }).waitFor()
    for (const action of ['Email', 'SMS', 'Book Demo', 'Details'])
      await row.getByRole('button', { name: action, exact: true }).waitFor()
    await expectAccessible(page)
    await row.getByLabel('Status of Dana Whitfield').selectOption('qualified')
    await page.getByText('Lead status updated to qualified').waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('qualified')
    await table.getByRole('row').filter({ hasText: 'Luis Ortega' }).waitFor({ state: 'detached' })
    await page.getByLabel('Source', { exact: true }).selectOption('google_ads')
    await page.getByText('No leads found. Try adjusting your filters or check if leads API is available.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row.waitFor()
    await page.getByText('Lead status updated to qualified').waitFor({ state: 'detached' })
    await page.route('**/api/leads/owner/*/status', (route) =>
      route.fulfill({ status: 409, json: { code: 'state_conflict', message: 'Somebody was faster.' } }),
    )
    await row.getByLabel('Status of Dana Whitfield').selectOption('closed')
    await page.getByText('Failed to update lead status: Somebody was faster.').waitFor()
    await page.route('**/api/leads/owner/leads?*', (route) => route.fulfill({ status: 404, json: {} }))
    await page.getByLabel('Source', { exact: true }).selectOption('landing_page')
    await page.getByText('Leads API not available yet. Backend needs to be updated.').waitFor()
    await page.unroute('**/api/leads/owner/leads?*')
    await page.route('**/api/leads/owner/leads?*', (route) =>
      route.fulfill({ status: 429, json: { code: 'too_many_requests', message: 'Slowly, please.' } }),
    )
    await page.getByLabel('Campaign', { exact: true }).selectOption('spring')
    await page.getByText('Failed to fetch leads: Slowly, please.').waitFor()
    expectQuiet(complaints, refused)
  })

  test('are written to from templates, with a coupon and a counter, and answer', async () => {
    const { page, complaints } = await desk(1440)
    const row = page.getByRole('row').filter({ hasText: 'Dana Whitfield' })
    await row.getByRole('button', { name: 'Email', exact: true }).click()
    const mail = page.getByRole('dialog', { name: 'Send Email' })
    for (const name of ['Initial contact', 'Follow up, interested', 'Follow up, general', 'Special deals'])
      await mail.getByRole('button', { name }).waitFor()
    expect(await mail.getByRole('button', { name: 'Meeting reminder' }).count()).toBe(0)
    await mail.getByRole('button', { name: 'Special deals' }).click()
    expect(await mail.getByLabel('Message').inputValue()).toMatch(/^Hi Dana,[\s\S]*15% off[\s\S]*\/book-call$/)
    await mail.getByRole('button', { name: 'Send Email' }).click()
    await mail.getByText('Fill in the coupon first: [INSERT_COUPON] still stands in the message.').waitFor()
    await mail.getByLabel('Coupon for [INSERT_COUPON]').selectOption({ label: 'SPRING15, 15% off' })
    await mail.getByRole('button', { name: 'Fill in' }).click()
    expect(await mail.getByLabel('Message').inputValue()).toContain('the code SPRING15 at checkout')
    await expectAccessible(page)
    await mail.getByRole('button', { name: 'Send Email' }).click()
    await page.getByText('Email sent successfully!').waitFor()
    await mail.waitFor({ state: 'detached' })

    await row.getByRole('button', { name: 'SMS', exact: true }).click()
    const sms = page.getByRole('dialog', { name: 'Send SMS' })
    await sms.getByRole('button', { name: 'Meeting reminder' }).waitFor()
    const message = sms.getByLabel('Message')
    await message.fill('“Hi” '.repeat(40))
    await sms.getByText('160/160 characters').waitFor()
    await sms.getByText('Costs 3 segments: “ ” are not plain characters.').waitFor()
    await sms.getByRole('button', { name: 'Use plain characters' }).click()
    expect(await sms.getByText(/Costs 3/).count()).toBe(0)
    await message.fill('Shall we talk on Friday?')
    await sms.getByText('24/160 characters').waitFor()
    await sms.getByRole('button', { name: 'Send SMS' }).click()
    // At night and on Sunday mornings it waits, and says until when.
    await page.getByText(/SMS sent successfully!|The SMS waits until/).waitFor()
    await runTasks()
    const { emailMessages } = await owner.ok(deskApi.emails, { params: { leadId: dana } })
    const mailId = emailMessages[0]?._id ?? ''
    await owner.ok(localProspectsApi.act, {
      body: { kind: 'mail', messageId: mailId, text: '<img src=x onerror=alert(1)> Yes, Friday.' },
    })
    await owner.ok(localProspectsApi.act, {
      body: { kind: 'text', leadId: dana, text: `Friday is fine. ${'x'.repeat(260)}` },
    })
    await runTasks()

    await page.getByRole('button', { name: 'Conversations' }).click()
    await page.getByLabel('Search conversations').fill('whitfield')
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /Dana Whitfield/ }) })
    await card.getByRole('button', { name: /Dana Whitfield/ }).click()
    await card.getByRole('button', { name: 'Email 2' }).click()
    await card.getByText('<img src=x onerror=alert(1)> Yes, Friday.').waitFor()
    const [theirs, ours] = [
      card.getByRole('listitem', { name: 'Received' }),
      card.getByRole('listitem', { name: 'Sent' }),
    ]
    const left = async (bubble: typeof ours) => (await bubble.locator('.desk-bubble__in').boundingBox())?.x ?? 0
    expect(await left(theirs)).toBeLessThan(await left(ours))
    await ours.getByText('Sent', { exact: true }).waitFor()
    await expectAccessible(page)
    await theirs.hover()
    await theirs.getByRole('button', { name: 'Delete message' }).click()
    await page.getByRole('dialog', { name: 'Delete this message?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('EMAIL message deleted successfully').waitFor()
    await card.getByRole('button', { name: 'Email 1' }).waitFor()
    await page.getByLabel('Search conversations').fill('nobody of this name')
    await page.getByText('No conversations yet').waitFor()

    await page.getByRole('button', { name: 'Communications & Tracking' }).click()
    const part = page.getByRole('region', { name: 'Communications & Tracking' })
    for (const label of [
      'Emails Sent',
      'SMS Sent',
      'SMS Replies',
      'Email Opens',
      'Email Open Rate',
      'SMS Response Rate',
      'Total Conversations',
    ])
      await part.getByText(label, { exact: true }).waitFor()
    await part.getByText(`Friday is fine. ${'x'.repeat(184)}...`).waitFor()
    await expectAccessible(page)
    expectQuiet(complaints, refused)
  })

  test('have details with everything that is known', async () => {
    const params = { leadId: dana }
    await owner.ok(deskApi.sendEmail, { params, body: { subject: '15% off your first month', message: 'See you.' } })
    await owner.ok(deskApi.sendText, { params, body: { message: 'Shall we talk on Friday?' } })
    const { page, complaints } = await desk(390)
    // On a phone, too, the row has its status and what is done with a lead.
    await page.getByLabel('Status of Luis Ortega').selectOption({ label: 'Qualified' })
    await page.getByText('Lead status updated to qualified').waitFor()
    for (const name of ['Email', 'SMS', 'Book Demo'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(2)
    await page.getByLabel('Search leads').fill('whitfield')
    await page.getByText('1 lead', { exact: true }).waitFor()
    await page.getByLabel('Search leads').fill('')
    await page.getByRole('button', { name: /Dana Whitfield/ }).click()
    const details = page.getByRole('dialog', { name: 'Dana Whitfield' })
    for (const words of ['Mobile', 'MacIntel', '1440x900', 'Direct', 'newsletter', 'spring', '(912) 555-0142'])
      await details.getByText(words, { exact: true }).first().waitFor()
    for (const name of ['Send Email', 'Send SMS', 'Book Demo']) await details.getByRole('button', { name }).waitFor()
    await expectAccessible(page)
    await details.getByRole('button', { name: 'Email Tracking' }).click()
    await details.getByText('15% off your first month').first().waitFor()
    await details.getByRole('button', { name: 'SMS Tracking' }).click()
    await details.getByText('Shall we talk on Friday?').waitFor()
    await details.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: /Luis Ortega/ }).click()
    const other = page.getByRole('dialog', { name: 'Luis Ortega' })
    await other.getByRole('button', { name: 'SMS Tracking' }).click()
    await other.getByText('No sms messages yet').waitFor()
    await other.getByRole('button', { name: 'Email Tracking' }).click()
    await other.getByText('No email messages yet').waitFor()
    expectQuiet(complaints, refused)
  })
})

test('the settings are kept and told', async () => {
  const { page, complaints } = await desk(1440, '/owner/leads?tab=settings')
  await page.getByLabel('Businesses admitted a month').fill('9')
  const sender = page.getByRole('form', { name: 'Sender and admissions' })
  await sender.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  await page.getByLabel('Template').selectOption({ label: 'SMS: Meeting reminder' })
  await page.getByLabel('Message').fill('Hi {name}, see you soon.')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template saved').waitFor()
  await page.getByRole('button', { name: 'Put back the original' }).click()
  await page.getByText('Template is as it came').waitFor()
  await expectAccessible(page)
  expect((await owner.ok(deskApi.settings, {})).monthlyAdmissions).toBe(9)
  const coupons = page.getByRole('form', { name: 'New coupon' })
  await coupons.getByLabel('Code').fill('summer-20')
  await coupons.getByLabel('Off the first month').fill('20')
  await coupons.getByRole('button', { name: 'Make coupon' }).click()
  await page.getByText('Coupon SUMMER-20 made').waitFor()
  await page.getByRole('button', { name: 'End SUMMER-20' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End coupon' }).click()
  await page.getByText('Coupon SUMMER-20 ended').waitFor()
  expectQuiet(complaints, refused)
})

test('a day without calls is offered to nobody; the call that stands there is named, not canceled', async () => {
  const leadId = await aProspect({ name: 'Hollis Day', email: 'hollis@day.test' })
  const { timeZone } = await owner.ok(deskApi.settings, {})
  const slots = async () => (await owner.ok(callsApi.slotsForOwner, { query: { minutes: 30 } })).slots
  const daysOf = (all: string[]) => [...new Set(all.map((slot) => dayOf(slot, timeZone)))]
  const day = daysOf(await slots())[3] ?? ''
  const startsAt = (await slots()).find((slot) => dayOf(slot, timeZone) === day) ?? ''
  await owner.ok(callsApi.bookForLead, { params: { leadId }, body: { startsAt } })
  const { page, complaints } = await desk(390, '/owner/leads?tab=settings')
  const calls = page.getByRole('form', { name: 'Calls' })
  const add = calls.getByRole('button', { name: 'Add days' })
  await calls.getByLabel('First day').fill(formatDay(day, { year: true }))
  await calls.getByLabel('Last day').fill(formatDay(addDays(day, -1), { year: true }))
  await calls.getByLabel('Last day').blur()
  await calls.getByText('The last day comes before the first.').waitFor()
  expect(await add.isDisabled()).toBe(true)
  await calls.getByLabel('Last day').fill(formatDay(addDays(day, 1), { year: true }))
  await calls.getByLabel('Last day').blur()
  await add.click()
  const span = `${formatDay(day)} to ${formatDay(addDays(day, 1), { year: true })}`
  await calls.getByText(span).waitFor()
  await calls.getByRole('button', { name: 'Save' }).click()
  await calls.getByText('A call is booked on a day without calls').waitFor()
  await calls.getByText('Demo with Hollis Day').waitFor()
  await expectAccessible(page)
  expect(daysOf(await slots())).not.toContain(day)
  expect((await owner.ok(callsApi.ofLead, { params: { leadId } })).calls[0]?.status).toBe('booked')
  await calls.getByRole('button', { name: `Remove ${span}` }).click()
  await calls.getByRole('button', { name: 'Save' }).click()
  await calls.getByText('A call is booked on a day without calls').waitFor({ state: 'detached' })
  expect(daysOf(await slots())).toContain(day)
  expectQuiet(complaints, refused)
})

test('a demo is booked at a free time, an application is admitted', async () => {
  const { leadId } = await anApplicant({ name: 'Tess Nolan', email: 'tess@nolan.test' })
  const { page, complaints } = await desk(1440)
  const row = page.getByRole('row').filter({ hasText: 'Tess Nolan' })
  await row.getByRole('button', { name: 'Book Demo' }).click()
  const demo = page.getByRole('dialog', { name: 'Book Demo' })
  await demo.getByRole('group', { name: 'Time' }).getByRole('button').first().click()
  await expectAccessible(page)
  await demo.getByRole('button', { name: /^Book / }).click()
  await page.getByText(/^Demo booked for .* Tess Nolan gets the invitation by mail\.$/).waitFor()
  const { calls } = await owner.ok(callsApi.ofLead, { params: { leadId } })
  expect(calls.map((call) => [call.kind, call.minutes, call.status])).toEqual([['demo', 30, 'booked']])
  await row.getByRole('button', { name: 'Details' }).click()
  const details = page.getByRole('dialog', { name: 'Tess Nolan' })
  await details.getByRole('heading', { name: 'Application & Sprint' }).waitFor()
  await details.getByText('Driving between lawns').waitFor()
  await details.getByRole('heading', { name: 'Calls' }).waitFor()
  await details.getByRole('button', { name: 'Admit' }).click()
  await page.getByText('Admitted to the Setup Sprint').waitFor()
  await details.getByText('Admitted', { exact: true }).waitFor()
  await expectAccessible(page)
  expectQuiet(complaints, refused)
})

describe('the registration portal', () => {
  test('opens an account without signing in, makes checkout links; paid, the lead is converted', async () => {
    const { page, complaints } = await openPage({ path: '/owner/register' })
    await page.getByRole('heading', { name: 'Owner Access Only' }).waitFor()
    await signIn(page, 'Access Registration Portal', 'owner', 'wrong')
    await page.getByText('Invalid credentials').waitFor()
    expect(await page.getByLabel('Username').inputValue()).toBe('owner')
    await signIn(page, 'Access Registration Portal')
    await page.getByRole('heading', { name: 'Registration portal' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('swath.owner-portal'))).not.toBeNull()

    await page.getByRole('button', { name: 'Generate link for Pro' }).click()
    await page.getByText('Please register a user first before starting checkout.').waitFor()
    const create = page.getByRole('button', { name: 'Create account' })
    await create.click()
    for (const words of [
      'Enter a name',
      'Enter an email',
      'Enter a password',
      'Choose the number of customers',
      'Choose the company size',
    ])
      await page.getByText(words, { exact: true }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Dana Whitfield')
    await page.getByLabel('Email', { exact: true }).fill('dana@whitfield.test')
    await page.getByLabel('Password', { exact: true }).fill('five5')
    await page.getByLabel('Confirm password', { exact: true }).fill('five6')
    const options = (label: string) => page.getByLabel(label).locator('option').allInnerTexts()
    expect(await options('Number of customers')).toEqual(['Choose a range', '0-10', '11-25', '26-50', '51-100', '100+'])
    expect(await options('Company size')).toEqual(['Choose a size', 'Just me', '2-5 employees', '6-20', '20+'])
    await page.getByLabel('Number of customers').selectOption('51-100')
    await page.getByLabel('Company size').selectOption('small')
    await create.click()
    await page.getByText('Password must be at least 6 characters long').waitFor()
    await page.getByText('Passwords do not match').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('sixsix')
    await page.getByLabel('Confirm password', { exact: true }).fill('sixsix')
    await expectAccessible(page)
    await create.click()
    await page.getByText('Account created for Dana Whitfield').waitFor()
    expect((await page.context().cookies()).map((cookie) => cookie.name)).not.toContain('swath_admin')

    await page.getByRole('button', { name: 'Annual (Save 17%)' }).click()
    await page.getByText('$799.99').waitFor()
    await page.getByLabel('Coupon').fill('spring15')
    await page.getByRole('button', { name: 'Generate link for Pro' }).click()
    const url = await page.getByLabel('Checkout link for Pro, annual').inputValue()
    await expectAccessible(page)
    await page.reload()
    await page.getByText('Account created for Dana Whitfield').waitFor()
    expect(await page.getByLabel('Checkout link for Pro, annual').inputValue()).toBe(url)
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('heading', { name: 'Owner Access Only' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('swath.owner-portal'))).toBeNull()
    expect(await page.evaluate(() => sessionStorage.getItem('swath.owner-portal.opened'))).toBeNull()
    expectQuiet(complaints, refused)

    await runTasks()
    const lead = async () => (await owner.ok(deskApi.leads, { query: { search: 'dana@whitfield.test' } })).leads[0]
    expect(await lead()).toMatchObject({ hasAccount: true, isCustomer: false })
    expect((await payCheckout(url.split('/').at(-1) ?? '')).status).toBe(200)
    await runTasks()
    expect(await lead()).toMatchObject({ hasAccount: true, isCustomer: true, status: 'converted' })
    const figures = await owner.ok(deskApi.analytics, {})
    expect(figures.customerConversionRate).toBeGreaterThan(0)
  })
})

test('what is new is marked until it is opened; a note stays, and several leads get one status', async () => {
  await aProspect({ name: 'Nora Newman', campaign: 'followup' })
  await aProspect({ name: 'Otto Newman', campaign: 'followup' })
  const { page, complaints } = await desk(1440, '/owner/leads?campaign=followup')
  const row = page.getByRole('row').filter({ hasText: 'Nora Newman' })
  const mark = row.getByText('Unread', { exact: true })
  await mark.waitFor()
  await row.getByRole('button', { name: 'Details' }).click()
  const details = page.getByRole('dialog')
  await details.getByLabel('New note').fill('Wants a demo in spring.')
  await details.getByRole('button', { name: 'Add note' }).click()
  await details.getByText('Note by owner').waitFor()
  await details.getByText('Wants a demo in spring.').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await mark.waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  const bulk = page.getByRole('region', { name: 'Chosen rows' })
  await bulk.getByLabel('New status').selectOption('qualified')
  await bulk.getByRole('button', { name: 'Set status' }).click()
  await page.getByText('2 leads are qualified now').waitFor()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^leads-.*\.csv$/)
  await page.getByLabel('Date from').fill('11/20/2026')
  await page.getByLabel('Date from').blur()
  await page.getByLabel('Date to').fill('11/10/2026')
  await page.getByLabel('Date to').blur()
  await page.getByText('Choose a later').waitFor()
  expectQuiet(complaints, refused)
})

test('the settings fit a phone', async () => {
  const { page, complaints } = await desk(390, '/owner/leads?tab=settings')
  await page.getByRole('form', { name: 'Calls' }).waitFor()
  // The tabs scroll on a phone; the current one stands on the screen.
  const tab = await page.getByRole('button', { name: 'Settings', exact: true }).boundingBox()
  expect((tab?.x ?? 999) + (tab?.width ?? 0)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
  expectQuiet(complaints, refused)
})

test('the local simulator plays the lead', async () => {
  // whoever wrote to us is answered at any hour
  await owner.ok(localProspectsApi.act, { body: { kind: 'text', leadId: dana, text: 'Are you there?' } })
  await runTasks()
  await owner.ok(deskApi.sendText, { params: { leadId: dana }, body: { message: 'One more thing' } })
  await runTasks()
  // The old address leads here too; reading needs no session, playing the lead does.
  const { page, complaints } = await openPage({ width: 390, path: '/local/outbox?box=prospects' })
  await page.waitForURL('**/local/prospects')
  await page.getByRole('button', { name: /One more thing/ }).click()
  await page.getByRole('region', { name: 'The message' }).getByText('One more thing').waitFor()
  expect(await page.getByLabel('Reply as Dana Whitfield').count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign in to answer as Dana Whitfield' }).click()
  await signIn(page, 'Open the simulator')
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await page.getByText('Reported as read').waitFor()
  await page.getByLabel('Reply as Dana Whitfield').fill('What is it?')
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await page.getByText('The answer is on its way into the conversation').waitFor()
  await expectAccessible(page)
  await runTasks()
  const { smsMessages } = await owner.ok(deskApi.texts, { params: { leadId: dana } })
  expect(smsMessages[0]).toMatchObject({ direction: 'inbound', message: 'What is it?' })
  expect(smsMessages[1]).toMatchObject({ read: true, delivered: true })
  expectQuiet(complaints, refused)
})
