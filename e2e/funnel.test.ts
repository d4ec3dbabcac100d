import { existsSync, mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { withProspects } from '../src/platform/db/prospects.ts'
import { runTasks } from '../src/test/api.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'

// A visitor on a phone: from the advertisement to a booked call, and back to it from the mail.

const { openPage } = withBrowser({ afresh: 'test' })
const shots = process.env.SWATH_SHOTS
beforeAll(() => {
  if (shots && !existsSync(shots)) mkdirSync(shots, { recursive: true })
})
const shot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

const fill = async (page: Page, email: string, phone = '(912) 555-0123') => {
  await page.getByLabel('Full name').fill('Dana Fields')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Phone').fill(phone)
}
const leadOf = (email: string) =>
  withProspects((db) => db.selectFrom('leads').selectAll().where('email', '=', email).executeTakeFirst())
const mailsTo = (email: string) =>
  withProspects((db) =>
    db.selectFrom('messages').selectAll().where('address', '=', email).orderBy('createdAt').orderBy('id').execute(),
  )
const unique = () => `dana-${Math.random().toString(36).slice(2, 10)}@lawn.example`

const answer = async (page: Page) => {
  const next = page.getByRole('button', { name: 'Continue' })
  await page.getByLabel('Business name').fill('Fields Lawn Care')
  await page.getByLabel('Your role').fill('Owner')
  await next.click()
  await page.getByText('51-100').click()
  await next.click()
  await page.getByText('2-5 employees').click()
  await next.click()
  await page.getByText('Paper or a whiteboard').click()
  await next.click()
  await page.getByText('Driving between lawns').click()
  await next.click()
  await page.getByText('Within two weeks').click()
  await page.getByText('Yes, I can make both calls').click()
}

/** On screen as it stands, without scrolling. */
const isInSight = (page: Page, name: string) =>
  page.getByRole('heading', { name }).evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

describe('the funnel', () => {
  test('advertisement, landing form, application, call, and the link in the mail', async () => {
    const email = unique()
    const { page, complaints, context } = await openPage({
      width: 390,
      path: '/landing?utm_source=spring&utm_campaign=mowers',
      timezoneId: 'America/Chicago',
    })
    const send = page.getByRole('button', { name: 'Get my free Setup Sprint' })
    await shot(page, 'landing-390')
    await send.click()
    await page.getByRole('alert').filter({ hasText: 'Please fill in all required fields' }).waitFor()
    await fill(page, 'dana@lawn')
    await send.click()
    await page.getByRole('alert').filter({ hasText: 'Please enter a valid email address' }).waitFor()
    await fill(page, email, '912 555')
    await send.click()
    await page.getByRole('alert').filter({ hasText: 'Please enter a valid phone number' }).waitFor()
    await expectAccessible(page)
    await shot(page, 'landing-wrong-390')
    await fill(page, email.toUpperCase())
    await send.click()
    await page.getByRole('heading', { name: 'Thank you. We have your details.' }).waitFor()
    await page.getByRole('link', { name: 'See Our Limited Time Pricing' }).waitFor()
    await expectAccessible(page)
    await shot(page, 'landing-thanks-390')
    const lead = await leadOf(email)
    expect(lead).toMatchObject({
      source: 'landing_page',
      utmSource: 'spring',
      campaign: 'mowers',
      isMobile: true,
      viewport: '390x844',
      timeZone: 'America/Chicago',
    })
    await expect
      .poll(() =>
        withProspects((db) =>
          db
            .selectFrom('pageViews')
            .select('path')
            .where('leadId', '=', lead?.id ?? '')
            .execute(),
        ),
      )
      .toEqual([{ path: '/landing' }])
    expect(await page.evaluate(() => sessionStorage.getItem('swath.lead'))).toBe(
      JSON.stringify({ name: 'Dana Fields', email, phone: '(912) 555-0123' }),
    )

    await page.getByRole('link', { name: 'Continue to Full Application' }).click()
    await page.getByRole('heading', { name: 'What is your business called, and what do you do there?' }).waitFor()
    await page.getByText(/\d+ of \d+ places left in \w+\./).waitFor()
    expect(await page.getByText('Question 1 of 6').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').filter({ hasText: 'Please fill this in' }).waitFor()
    await page.getByLabel('Business name').fill('Fields Lawn Care')
    await page.getByLabel('Your role').fill('Owner')
    await page.keyboard.press('Enter')
    await page.getByText('Question 2 of 6').waitFor()
    await page.getByText('51-100').click()
    await expectAccessible(page)
    await shot(page, 'application-390')

    // A lost connection keeps what was given, and it goes along later.
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('No connection at the moment. Your answers are kept on this device').waitFor()
    await context.setOffline(false)
    await page.getByText('Saved.', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('Question 3 of 6').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await page.getByLabel('51-100').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Back' }).click()
    await answer(page)
    await page.getByRole('button', { name: 'Send application' }).click()
    await page.getByRole('heading', { name: 'We have your application.' }).waitFor()
    expect(await isInSight(page, 'We have your application.')).toBe(true)
    await expectAccessible(page)
    await shot(page, 'application-sent-390')

    await page.getByRole('link', { name: 'Book a call' }).first().click()
    await page.getByText('Your time (Central Time)').waitFor()
    await page.locator('[data-times] button').first().waitFor()
    await shot(page, 'call-390')
    await page.locator('[data-times] button').first().click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Book this call' }).click()
    await page.getByRole('heading', { name: 'Your call is booked.' }).waitFor()
    expect(await isInSight(page, 'Your call is booked.')).toBe(true)
    await expectAccessible(page)
    await shot(page, 'call-booked-390')
    expect(await page.getByRole('link', { name: 'Add to my calendar' }).getAttribute('download')).toBe('call.ics')
    await runTasks()
    const mails = await mailsTo(email)
    expect(mails.map(({ subject, status }) => [subject, status])).toEqual([
      ['We have your application', 'sent'],
      ['Your call is booked', 'sent'],
    ])
    const manage = /\/book-call#call=[\w-]+/.exec(mails[1]?.bodyText ?? '')?.[0] ?? ''

    const later = await openPage({ path: manage, timezoneId: 'America/New_York' })
    await later.page.getByRole('heading', { name: 'Your call', exact: true }).waitFor()
    expect(new URL(later.page.url()).hash).toBe('')
    await later.page.getByRole('button', { name: 'Move it' }).click()
    await later.page.locator('[data-times] button').last().click()
    await shot(later.page, 'call-move-1440')
    await expectAccessible(later.page)
    await later.page.getByRole('button', { name: 'Move the call' }).click()
    await later.page.getByRole('heading', { name: 'Your call has a new time.' }).waitFor()
    await later.page.getByRole('button', { name: 'Cancel the call' }).click()
    await later.page.getByRole('button', { name: 'Yes, cancel it' }).click()
    await later.page.getByRole('heading', { name: 'Your call is canceled.' }).waitFor()
    expectQuiet(later.complaints)
    expectQuiet(complaints, /Failed to (load resource|fetch)|ERR_INTERNET_DISCONNECTED/)
  })

  test('a landing form that cannot be sent goes on to the application with what was typed', async () => {
    const { page } = await openPage({ path: '/landing' })
    await page.route('**/api/leads', (route) => route.abort())
    await fill(page, unique())
    await page.getByRole('button', { name: 'Get my free Setup Sprint' }).click()
    await page.waitForURL('**/application')
    await page.getByText('Before the first question').waitFor()
    expect(await page.getByLabel('Full name').inputValue()).toBe('Dana Fields')
    await shot(page, 'application-contact-1440')
  })

  test('the application reached directly asks who it is from', async () => {
    const email = unique()
    const { page } = await openPage({ path: '/application?gclid=x1' })
    await fill(page, email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Question 1 of 6').waitFor()
    expect((await leadOf(email))?.source).toBe('google_ads')
    const direct = await openPage({ path: '/application' })
    const other = unique()
    await fill(direct.page, other)
    await direct.page.getByRole('button', { name: 'Continue' }).click()
    await direct.page.getByText('Question 1 of 6').waitFor()
    expect((await leadOf(other))?.source).toBe('quote_builder_direct')
    await shot(direct.page, 'application-1440')
  })

  test('a form pressed twice is one, and the prices know who looks at them, also at the registration', async () => {
    const email = unique()
    const { page } = await openPage({ path: '/landing' })
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/leads') sent += 1
    })
    await page.getByLabel('Full name').fill('Ana María 🌱 de los Ángeles Fernández-Villalobos y Ostrander')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Phone').fill('(912) 555-0123')
    await page.getByRole('button', { name: 'Get my free Setup Sprint' }).dblclick()
    await page.getByRole('link', { name: 'See Our Limited Time Pricing' }).click()
    expect(sent).toBe(1)
    // Back again, the form is not empty: it was sent.
    await page.goBack()
    await page.getByRole('heading', { name: 'Thank you. We have your details.' }).waitFor()
    expect(await page.getByLabel('Full name').isVisible()).toBe(false)
    await page.getByRole('link', { name: 'See Our Limited Time Pricing' }).click()
    await page.getByText('Annual (Save 17%)').click()
    await page.getByRole('link', { name: 'Choose Pro' }).click()
    await page.waitForURL('**/register?plan=pro&period=year')
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email)
    expect(await page.getByLabel('Your name').inputValue()).toBe(
      'Ana María 🌱 de los Ángeles Fernández-Villalobos y Ostrander',
    )
  })

  test('an answer that is lost on the way back makes no second lead', async () => {
    const email = unique()
    const { page } = await openPage({ path: '/landing' })
    let lost = 0
    await page.route('**/api/leads', async (route) => {
      lost += 1
      await route.fetch()
      await route.abort()
    })
    await fill(page, email)
    await page.getByRole('button', { name: 'Get my free Setup Sprint' }).click()
    await page.waitForURL('**/application')
    await page.unroute('**/api/leads')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Question 1 of 6').waitFor()
    // the first try and three more, all under one key
    expect(lost).toBe(4)
    const leads = await withProspects((db) =>
      db.selectFrom('leads').select('source').where('email', '=', email).execute(),
    )
    expect(leads).toEqual([{ source: 'landing_page' }])
  })

  test('the application: back and forth with the browser, and in a second tab', async () => {
    const { page, context } = await openPage({ path: '/application' })
    await fill(page, unique())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Business name').fill('Fields Lawn Care')
    await page.getByLabel('Your role').fill('Owner')
    await page.keyboard.press('Enter')
    await page.getByText('Question 2 of 6').waitFor()
    const second = await context.newPage()
    await second.goto('/application')
    await second.getByText('Question 2 of 6').waitFor()

    await page.goBack()
    await page.getByText('Question 1 of 6').waitFor()
    expect(await page.getByLabel('Business name').inputValue()).toBe('Fields Lawn Care')
    await page.getByLabel('Business name').fill('Fields & Sons')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('51-100').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Question 3 of 6').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByText('Question 2 of 6').waitFor()

    // The other tab has seen neither the new name nor the answer of this one, and takes none of them back.
    await second.getByText('26-50').click()
    await second.getByRole('button', { name: 'Continue' }).click()
    await second.getByText('Question 3 of 6').waitFor()
    await second.reload()
    await second.getByText('Question 3 of 6').waitFor()
    expect(await second.getByLabel('Business name').inputValue()).toBe('Fields & Sons')
    expect(await second.getByLabel('26-50').isChecked()).toBe(true)
  })

  test.each(['/application', '/book-call', '/book-call#call=this-link-was-cut-off-in-the-mail'])(
    'nothing in sight jumps while %s gets ready',
    async (path) => {
      const { page } = await openPage({ width: 390, path: '/robots.txt' })
      await page.addInitScript(() => {
        const shifts: number[] = []
        Object.assign(window, { shifts })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(path)
      await page.locator('form.fx:visible').waitFor()
      const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
      expect(shifts.reduce((sum, each) => sum + each, 0)).toBeLessThan(0.05)
      if (path.includes('#')) await page.getByText('This link does not work.').waitFor()
    },
  )

  test('a time that somebody else took in the meantime', async () => {
    const first = await openPage({ path: '/book-call' })
    const other = await openPage({ path: '/book-call' })
    for (const { page } of [first, other]) {
      await page.locator('[data-times] .slot:visible').last().click()
      await fill(page, unique())
    }
    const slot = (await other.page.locator('[data-times] [aria-pressed=true]').getAttribute('data-at')) ?? ''
    await first.page.locator(`[data-at="${slot}"]`).click()
    await first.page.getByRole('button', { name: 'Book this call' }).click()
    await first.page.getByRole('heading', { name: 'Your call is booked.' }).waitFor()
    await other.page.getByRole('button', { name: 'Book this call' }).click()
    await other.page.getByRole('alert').filter({ hasText: 'taken' }).waitFor()
    expect(await other.page.locator(`[data-at="${slot}"]`).count()).toBe(0)
    expectQuiet(other.complaints, /Failed to load resource/)
    await other.page.locator('[data-times] .slot:visible').first().click()
    expect(await other.page.getByLabel('Full name').inputValue()).toBe('Dana Fields')
  })

  test.each(['/signin', '/register', '/payment-success'])('%s has only the way home', async (path) => {
    const { page } = await openPage({ path })
    await page.getByRole('link', { name: 'Back to Home' }).waitFor()
    for (const label of ['Features', 'Training', 'FAQ', 'Sign In'])
      expect(await page.getByRole('link', { name: label, exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await page.getByRole('heading', { name: 'Route, schedule, and invoice in minutes.' }).waitFor()
  })

  test('contact: with a script in place, without one as a plain form; and the landing form likewise', async () => {
    const stored = (email: string) =>
      withProspects((db) => db.selectFrom('contactMessages').selectAll().where('email', '=', email).execute())
    const { page, complaints } = await openPage({ path: '/contact' })
    await page.getByRole('button', { name: 'Send message' }).click()
    await page.getByRole('alert').filter({ hasText: 'Please fill in all required fields' }).waitFor()
    const email = unique()
    // What is filled in is not complained about any longer, and the last complaint takes the form's own line along.
    const complaint = page.locator('form[data-contact] .fx-error')
    expect(await complaint.count()).toBe(3)
    await page.getByLabel('Your name').fill('Dana <b>Fields</b>')
    expect(await complaint.count()).toBe(2)
    expect(await page.getByLabel('Your name').getAttribute('aria-invalid')).toBeNull()
    await page.getByLabel('Message').fill('Line one')
    await page.getByLabel('Email').fill(email)
    expect(await page.locator('[data-say]:visible').count()).toBe(0)
    expect(await complaint.count()).toBe(0)
    await page.getByLabel('What is it about?').selectOption('My bill')
    await page.getByLabel('Message').fill('Line one\nLine two')
    await expectAccessible(page)
    await shot(page, 'contact-1440')
    await page.getByRole('button', { name: 'Send message' }).click()
    await page.getByRole('heading', { name: 'Your message is here.' }).waitFor()
    expect(await stored(email)).toMatchObject([
      { name: 'Dana <b>Fields</b>', topic: 'My bill', message: 'Line one\nLine two' },
    ])
    expectQuiet(complaints)

    const { page: bare } = await openPage({ javaScriptEnabled: false, path: '/contact' })
    const second = unique()
    await bare.getByLabel('Your name').fill('Lee')
    await bare.getByLabel('Email').fill(second)
    await bare.getByLabel('Message').fill('No script here')
    await bare.getByRole('button', { name: 'Send message' }).click()
    await bare.getByRole('heading', { name: 'Your message is here.' }).waitFor()
    expect(await bare.getByRole('button', { name: 'Send message' }).isVisible()).toBe(false)
    expect((await stored(second)).length).toBe(1)
    await bare.goto('/landing')
    const third = unique()
    await fill(bare, third)
    await bare.getByRole('button', { name: 'Get my free Setup Sprint' }).click()
    await bare.getByRole('link', { name: 'Continue to Full Application' }).waitFor()
    expect((await leadOf(third))?.source).toBe('landing_page')
    await bare.goto('/application')
    // Text selectors leave out what stands in a noscript, so it is found by its tag.
    expect(await bare.locator('main noscript p').first().isVisible()).toBe(true)
    const words = (await bare.locator('main noscript').textContent()) ?? ''
    expect(words).toContain('The application needs JavaScript to keep your answers.')
    expect(words).toContain('What costs you the most time?')
  })
})
