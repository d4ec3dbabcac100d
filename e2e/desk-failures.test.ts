import type { Page, Route } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { demoPassword } from '../src/demo/business.ts'
import { deskApi } from '../src/features/desk/contract.ts'
import { withProspects } from '../src/platform/db/prospects.ts'
import { type Api, runTasks } from '../src/test/api.ts'
import { anOwner, aProspect } from '../src/test/prospects.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

// What the desk and the portal say when something fails, word for word, and how long they say it.

const { openPage } = withBrowser({ afresh: 'test' })
const provoked = /status of (400|401|404|409|422|500)|ERR_FAILED/
let owner: Api

beforeEach(async () => {
  owner = await anOwner()
  await withProspects((db) => db.updateTable('settings').set({ postalAddress: '1 Mill Rd, Savannah, GA' }).execute())
  const leadId = await aProspect({ name: 'Nora Failing', email: 'nora@failing.test' })
  await owner.ok(deskApi.sendText, { params: { leadId }, body: { message: 'Shall we talk on Friday?' } })
  await owner.ok(deskApi.sendEmail, { params: { leadId }, body: { subject: 'Routes', message: 'Look at this.' } })
  await runTasks()
})

const signIn = async (page: Page, button: string) => {
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: button }).click()
}
const opened = async (path: string, button: string) => {
  const place = await openPage({})
  await place.page.clock.install()
  await place.page.goto(path)
  await signIn(place.page, button)
  return place
}
const desk = () => opened('/owner/leads?search=', 'Access Leads Dashboard')

/** Answers calls of an address with a refusal; without words when there are none. */
const refuse = async (page: Page, url: string, method: string, message: string, status = 409) => {
  await page.unroute(url)
  await page.route(url, (route: Route) =>
    route.request().method() === method
      ? route.fulfill({ status, json: { code: 'state_conflict', message, requestId: 'r' } })
      : route.fallback(),
  )
}
/** Lets the browser's clock run in small steps until something is there. */
const tick = async (page: Page, words: string) => {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(50)
        return page.getByText(words, { exact: true }).count()
      },
      { interval: 20 },
    )
    .toBeGreaterThan(0)
}

/** Stops the browser's clock a moment from now; a page whose clock stands draws no frame, so nothing can be clicked then. */
const stopClock = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)

test('what cannot be sent, changed, deleted or read says so', async () => {
  const { page, complaints } = await desk()
  const row = page.getByRole('row').filter({ hasText: 'nora@failing.test' })
  const said = (words: string) => page.getByText(words, { exact: true }).waitFor()

  await row.getByRole('button', { name: 'Email', exact: true }).click()
  const mail = page.getByRole('dialog', { name: 'Send Email' })
  await mail.getByLabel('Subject').fill('Hello')
  await mail.getByLabel('Message').fill('Still there?')
  for (const [message, words] of [
    ['The mailbox is gone.', 'Failed to send email: The mailbox is gone.'],
    ['', 'Failed to send email: Please try again.'],
  ] as const) {
    await refuse(page, '**/api/leads/owner/*/email', 'POST', message)
    await mail.getByRole('button', { name: 'Send Email' }).click()
    await said(words)
  }
  expect(await mail.getByLabel('Message').inputValue()).toBe('Still there?')
  await mail.getByRole('button', { name: 'Cancel' }).click()

  await row.getByRole('button', { name: 'SMS', exact: true }).click()
  const sms = page.getByRole('dialog', { name: 'Send SMS' })
  await sms.getByLabel('Message').fill('Still there?')
  await expectAccessible(page)
  for (const [message, words] of [
    ['They wrote STOP.', 'Failed to send SMS: They wrote STOP.'],
    ['', 'Failed to send SMS: Please try again.'],
  ] as const) {
    await refuse(page, '**/api/leads/owner/*/sms', 'POST', message)
    await sms.getByRole('button', { name: 'Send SMS' }).click()
    await said(words)
  }
  await sms.getByRole('button', { name: 'Cancel' }).click()

  await refuse(page, '**/api/leads/owner/*/status', 'PUT', '')
  await row.getByLabel('Status of Nora Failing').selectOption('closed')
  await said('Failed to update lead status: Please try again.')

  await row.getByRole('button', { name: 'Details' }).click()
  const details = page.getByRole('dialog', { name: 'Nora Failing' })
  await refuse(page, '**/api/leads/owner/*/email', 'GET', 'No.')
  await refuse(page, '**/api/leads/owner/*/sms', 'GET', 'No.')
  await details.getByRole('button', { name: 'Email Tracking' }).click()
  await details.getByText('No email messages yet').waitFor()
  await details.getByRole('button', { name: 'SMS Tracking' }).click()
  await details.getByText('No sms messages yet').waitFor()
  await details.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Conversations' }).click()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /Nora Failing/ }) })
  await card.getByRole('button', { name: /Nora Failing/ }).click()
  await card.getByRole('button', { name: 'SMS 1' }).click()
  const bubble = card.getByRole('listitem', { name: 'Sent' })
  for (const [message, words] of [
    ['Gone already.', 'Failed to delete message: Gone already.'],
    ['', 'Failed to delete message: Please try again'],
  ] as const) {
    await refuse(page, '**/api/leads/owner/*/message', 'DELETE', message)
    await bubble.hover()
    await bubble.getByRole('button', { name: 'Delete message' }).click()
    await page.getByRole('dialog', { name: 'Delete this message?' }).getByRole('button', { name: 'Delete' }).click()
    await said(words)
  }
  await card.getByText('Shall we talk on Friday?').waitFor()
  expectQuiet(complaints, provoked)
})

test('good news stays 5 s, bad news 8 s, and everything is read again every 30 s', async () => {
  const { page, complaints } = await desk()
  const row = page.getByRole('row').filter({ hasText: 'nora@failing.test' })
  await row.waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const times = (path: string) => asked.filter((one) => one === path).length
  await stopClock(page)
  const status = row.getByLabel('Status of Nora Failing')

  await status.selectOption('qualified')
  await tick(page, 'Lead status updated to qualified')
  await page.clock.runFor(4_500)
  await page.getByText('Lead status updated to qualified').waitFor()
  await page.clock.runFor(600)
  await page.getByText('Lead status updated to qualified').waitFor({ state: 'detached' })

  await refuse(page, '**/api/leads/owner/*/status', 'PUT', 'Somebody was faster.')
  await status.selectOption('closed')
  await tick(page, 'Failed to update lead status: Somebody was faster.')
  await page.clock.runFor(7_500)
  await page.getByText('Failed to update lead status: Somebody was faster.').waitFor()
  await page.clock.runFor(600)
  await page.getByText('Failed to update lead status: Somebody was faster.').waitFor({ state: 'detached' })

  await page.clock.resume()
  await row.getByRole('button', { name: 'Email', exact: true }).click()
  const mail = page.getByRole('dialog', { name: 'Send Email' })
  await mail.getByLabel('Subject').fill('Hello')
  await mail.getByLabel('Message').fill('Still there?')
  // Whoever is not in the list any more cannot be written to.
  await page.route('**/api/leads/owner/leads*', (route) =>
    route.fulfill({ json: { leads: [], nextCursor: null, total: 0 } }),
  )
  await stopClock(page)
  const before = [times(deskApi.leads.path), times(deskApi.analytics.path)]
  await page.clock.runFor(30_000)
  await expect.poll(() => times(deskApi.leads.path)).toBeGreaterThan(before[0] ?? 0)
  await expect.poll(() => times(deskApi.analytics.path)).toBeGreaterThan(before[1] ?? 0)
  await tick(page, '0 leads')
  await mail.getByLabel('Subject').press('Enter')
  await tick(page, 'Lead not found')
  expectQuiet(complaints, provoked)
})

test('the portal says why no account was opened and no link made', async () => {
  const { page, complaints } = await opened('/owner/register', 'Access Registration Portal')
  const said = (words: string) => page.getByText(words, { exact: true }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Pat Field')
  await page.getByLabel('Email', { exact: true }).fill('pat@field.test')
  await page.getByLabel('Password', { exact: true }).fill('sixsix')
  await page.getByLabel('Confirm password', { exact: true }).fill('sixsix')
  await page.getByLabel('Number of customers').selectOption('51-100')
  await page.getByLabel('Company size').selectOption('small')
  const create = page.getByRole('button', { name: 'Create account' })
  const accounts = '**/api/owner/accounts'
  const answer = async (url: string, reply: Parameters<Route['fulfill']>[0] | null) => {
    await page.unroute(url)
    await page.route(url, (route) => (reply ? route.fulfill(reply) : route.abort()))
  }

  await answer(accounts, { status: 400, json: {} })
  await create.click()
  await said('Registration failed')
  await answer(accounts, { status: 409, json: { code: 'conflict', message: 'This address is taken.', requestId: 'r' } })
  await create.click()
  await said('This address is taken.')
  const errors = [{ path: 'email', message: 'This address bounces' }]
  await answer(accounts, {
    status: 422,
    json: { code: 'validation_failed', message: 'Validation error', errors, requestId: 'r' },
  })
  await create.click()
  await said('Validation error')
  await said('This address bounces')
  await expectAccessible(page)
  await page.getByLabel('Email', { exact: true }).fill('pat@fields.test')
  await answer(accounts, null)
  await create.click()
  await stopClock(page)
  await tick(page, 'Registration failed. Please try again later.')
  await page.clock.resume()
  await answer(accounts, {
    json: { userId: '01890000-0000-7000-8000-000000000000', name: 'Pat Field', email: 'pat@fields.test' },
  })
  await create.click()
  await said('Account created for Pat Field')

  const checkout = '**/api/payment/create-checkout-session-for-user'
  const link = page.getByRole('button', { name: 'Generate link for Pro' })
  await answer(checkout, { status: 400, json: {} })
  await link.click()
  await said('Failed to create checkout session')
  await answer(checkout, { json: { sessionId: null, url: '' } })
  await link.click()
  await said('Failed to create checkout session')
  await answer(checkout, {
    status: 422,
    json: { code: 'validation_failed', message: 'This code is over.', requestId: 'r' },
  })
  await link.click()
  await said('This code is over.')
  await answer(checkout, null)
  await link.click()
  await stopClock(page)
  await tick(page, 'Failed to process plan selection')
  await page.clock.resume()
  await answer(checkout, { status: 401, json: { code: 'token_expired', message: 'Over.', requestId: 'r' } })
  await link.click()
  await page.getByRole('heading', { name: 'Owner Access Only' }).waitFor()
  await said('Please sign in to continue')
  await expectAccessible(page)
  await signIn(page, 'Access Registration Portal')
  await page.getByText('Account created for Pat Field').waitFor()
  expectQuiet(complaints, provoked)
})
