import { expect, onTestFinished, test } from 'vitest'
import { globalTasks, schedule, tasks } from '../src/app-tasks.ts'
import { customersApi } from '../src/features/customers/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { jobsApi } from '../src/features/jobs/contract.ts'
import { messagesApi } from '../src/features/messages/contract.ts'
import { notificationsApi } from '../src/features/notifications/contract.ts'
import { routesApi } from '../src/features/routes/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { startTasks } from '../src/platform/tasks/runner.ts'
import { addDays, type Day, dayOf, daysBetween, formatDay } from '../src/shared/dates.ts'
import { runTasks } from '../src/test/api.ts'
import type { Person } from '../src/test/factories.ts'
import { expectAccessible, expectQuiet, type Opened, withBrowser } from './browser.ts'
import {
  aNewBusiness,
  badLines,
  customerAt,
  customerFile,
  customers,
  dropFile,
  expectAccessibleAtBothWidths,
  inTown,
  type NewBusiness,
  password,
  step,
  threeCrews,
  withoutSize,
} from './fixtures.ts'
import { commandsAt, crewHands, crewOf, ledgerOf, moveThatBrings, visitOf } from './fixtures-day.ts'

/**
 * The first day of a new owner, from the customer list to the paid invoice, in the browser, against the real server with its
 * worker running. It is one test, because every step needs what the ones before it left behind.
 */

const { openPage } = withBrowser({ afresh: 'file', maps: 'half' })
/** A browser without a graphics card says so. */
const harmless = /WebGL|GPU|GL Driver|SwiftShader/
/** What a phone without a signal says. */
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED|service worker/

test('the first day of a new owner', { timeout: 600_000 }, async () => {
  const fresh: NewBusiness = await aNewBusiness()
  const today: Day = dayOf(clock.now(), fresh.timeZone)
  const worker = await startTasks(tasks, globalTasks, schedule)
  onTestFinished(() => worker.stop())
  let desk: Opened
  let crews: Awaited<ReturnType<typeof threeCrews>>
  let phone: Opened
  /** Streets of North's day in their order, and which of them come to what. */
  let order: string[]
  let stops: { first: string; skipped: string; offline: string }
  let payPath = ''
  const api = () => fresh.business.api
  const dayPlan = () => api().ok(routesApi.day, { query: { day: today } })
  const unpriced = withoutSize.street

  await step('a new owner', async () => {
    await step('signs in and is told what to do first', async () => {
      desk = await openPage({ path: '/signin', timezoneId: fresh.timeZone })
      const { page } = desk
      await page.getByLabel('Email').fill(fresh.owner.email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await expectAccessibleAtBothWidths(page)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL('**/dashboard')
      await page.getByText('Get to your first route').waitFor()
      await expectAccessibleAtBothWidths(page)
      await page.getByRole('link', { name: 'Import or add customers' }).click()
      await page.getByRole('link', { name: 'Import your list' }).click()
    })

    await step(
      'drops a customer list, matches its columns and sees every bad line before anything is written',
      async () => {
        const { page } = desk
        const file = customerFile()
        await page.getByText('Drop your customer list here, or choose it').waitFor()
        await expectAccessibleAtBothWidths(page)
        await dropFile(page, 'Drop your customer list here, or choose it', file)
        await page.getByText(`${file.name} · 43 rows`).waitFor()
        await expectAccessibleAtBothWidths(page)
        const column = (name: string) => page.getByLabel(`What "${name}" holds`)
        expect(await column('Client Name').inputValue()).toBe('name')
        expect(await column('Where we mow').inputValue()).toBe('street')
        expect(await column('LNG').inputValue()).toBe('longitude')
        expect(await column('How big').inputValue()).toBe('')
        await column('How big').selectOption('Lawn size (sq ft)')
        await column('Gate combo').selectOption('Gate code')
        await page.getByRole('button', { name: 'Check 43 rows' }).click()

        const rows = page.getByRole('table', { name: 'Rows of the file' }).getByRole('row')
        for (const [index, { reason }] of badLines.entries()) {
          const row = rows.filter({ hasText: reason })
          await row.waitFor()
          expect(await row.getByRole('cell').first().textContent()).toBe(String(file.badAt[index]))
        }
        await expectAccessibleAtBothWidths(page)
        expect((await api().ok(customersApi.list, { query: {} })).total).toBe(0)

        await page.getByRole('button', { name: 'Import 40 customers' }).click()
        await page.getByRole('heading', { name: '40 customers came in' }).waitFor({ timeout: 60_000 })
        await page.getByText('3 rows need a look').waitFor()
        await expectAccessibleAtBothWidths(page)
      },
    )

    await step('finds the customers in the list, in their record and on the map', async () => {
      const { page } = desk
      await page.getByRole('link', { name: 'See the customers' }).click()
      const list = page.getByRole('table', { name: 'Customers' })
      await list.waitFor()
      expect(await list.getAttribute('aria-rowcount')).toBe('41')
      await expectAccessibleAtBothWidths(page)
      const [first] = customers
      await page.getByLabel('Search customers').fill(first?.email ?? '')
      await list.getByRole('row').filter({ hasText: first?.street }).click()
      const record = page.getByRole('dialog', { name: first?.name })
      await record.getByRole('link', { name: first?.email, exact: true }).waitFor()
      await record.getByText(`${first?.squareFeet?.toLocaleString('en-US')} sq ft`).waitFor()
      await expectAccessibleAtBothWidths(page)
      await page.keyboard.press('Escape')
      await record.waitFor({ state: 'detached' })

      await page.goto('/customers?tab=map')
      await page.getByText('40 places, colored by the day the crew comes next').waitFor()
      const places = page.getByRole('list', { name: 'Places on the map: Your customers' })
      await places.getByRole('listitem').first().waitFor({ state: 'attached' })
      expect(await places.getByRole('listitem').count()).toBe(40)
      await expectAccessibleAtBothWidths(page)
    })

    await step('takes the usual services and sets the price of mowing', async () => {
      const { page } = desk
      await page.goto('/jobs?tab=services')
      await page.getByRole('button', { name: 'Start with 11 lawn-care services' }).click()
      await page.getByText('11 services added').waitFor()
      await expectAccessibleAtBothWidths(page)
      await page.getByRole('button', { name: /^Mow, edge, trim and blow/ }).click()
      const service = page.getByRole('dialog', { name: 'Mow, edge, trim and blow' })
      await service.getByLabel('Smallest price').fill('52')
      await service.getByLabel('Rate 1', { exact: true }).fill('3.10')
      await service.getByRole('region', { name: 'Try the price' }).getByLabel('Lawn size').fill('10000')
      // $52 up to 5,000 sq ft, then $3.10 for each 1,000: $67.50, to the dollar
      await service.getByRole('region', { name: 'Try the price' }).getByText('$68.00').first().waitFor()
      await expectAccessibleAtBothWidths(page)
      await service.getByRole('button', { name: 'Save service' }).click()
      await page.getByText('Mow, edge, trim and blow saved').waitFor()
      const { items } = await api().ok(servicesApi.catalog, {})
      const rule = items.find((one) => one.name === 'Mow, edge, trim and blow')?.priceRule
      expect(rule).toMatchObject({ minCents: 5200, tiers: [{ centsPerKsqft: 310 }, {}] })
    })

    await step('books the weekly mowing of everybody in town in one action', async () => {
      const { page } = desk
      await page.goto('/jobs?tab=create&for=many')
      await page.getByLabel('City').selectOption('Savannah')
      await page.getByLabel('Starts').fill(formatDay(today, { year: true }))
      await page.getByLabel('Starts').press('Tab')
      await page.getByLabel('Season', { exact: true }).selectOption('All year')
      const create = page.getByRole('button', { name: 'Create 29 weekly jobs' })
      await create.waitFor()
      await page.getByText('30 properties fit the filter, 1 is left out').waitFor()
      await page.getByRole('button', { name: /^Left out/ }).click()
      await page.getByRole('table', { name: 'Properties left out' }).getByText(withoutSize.name).waitFor()
      await page.getByText('Needs a lawn size').waitFor()
      await expectAccessibleAtBothWidths(page)
      await create.click()
      await page.getByRole('heading', { name: '29 weekly jobs created' }).waitFor({ timeout: 60_000 })
      await expectAccessibleAtBothWidths(page)

      const { items, total } = await api().ok(jobsApi.list, { query: { limit: 200 } })
      expect(total).toBe(29)
      expect(new Set(items.map((job) => job.customerName)).size).toBeGreaterThan(20)
      for (const day of [0, 7, 42, 77]) {
        const at = addDays(today, day)
        expect((await api().ok(visitsApi.list, { query: { from: at, to: at } })).total, at).toBe(29)
      }
      const last = await api().ok(visitsApi.list, { query: { from: today, order: 'desc', limit: 1 } })
      expect(daysBetween(today, last.items[0]?.day ?? today)).toBe(77)

      await page.getByRole('link', { name: 'See the jobs' }).click()
      await page.getByRole('table', { name: 'Jobs' }).waitFor()
      await expectAccessibleAtBothWidths(page)
      await page.getByRole('row').filter({ hasText: inTown[0]?.street }).click()
      await page.getByRole('dialog').getByText('Every week').first().waitFor()
      await expectAccessibleAtBothWidths(page)
    })

    await step('books by hand the lawn that was left out, at a price to be settled later', async () => {
      const { page } = desk
      await page.goto('/jobs?tab=create')
      const where = page.getByLabel('Customer and property')
      await where.click()
      await where.fill(withoutSize.street)
      await page.getByRole('option', { name: new RegExp(withoutSize.street) }).click()
      await page.getByText('This property has no lawn size yet.').waitFor()
      await page.getByRole('radio', { name: 'Once' }).check()
      await page.getByLabel('Day', { exact: true }).fill(formatDay(today, { year: true }))
      await page.getByLabel('Price of a visit').fill('0')
      await page.getByLabel('Price of a visit').press('Tab')
      await expectAccessibleAtBothWidths(page)
      await page.getByRole('button', { name: `Create job for ${withoutSize.name}` }).click()
      await page.getByText(/^J-\d+ created, 1 visit on the calendar/).waitFor()
    })

    await step('has three crews with people, depot and shift', async () => {
      crews = await threeCrews(fresh)
      const { page } = desk
      await page.goto('/employees?tab=crews')
      await page.getByRole('button', { name: /^North/ }).click()
      const crew = page.getByRole('dialog', { name: 'North' })
      expect(await crew.getByRole('checkbox', { name: /^Luis Ortega/ }).isChecked()).toBe(true)
      await expectAccessibleAtBothWidths(page)
    })

    await step('plans today: 30 stops on three crews, in the best order', async () => {
      const { page } = desk
      await page.goto('/route-map')
      await page.getByRole('heading', { name: 'Route map' }).waitFor()
      await expectAccessibleAtBothWidths(page)
      await page.getByRole('button', { name: 'Optimize 30 stops' }).click()
      const found = page.getByRole('region', { name: 'What the search brought' })
      await found.waitFor({ timeout: 60_000 })
      for (const figure of ['Driving', 'Miles', 'Drive labor']) await found.getByText(figure).waitFor()
      // the least driving leaves crews with little to do; what sharing the day out costs stands on the button
      await found.getByRole('button', { name: /^Crews end together: \+\d+ min, \+\$\d+$/ }).click()
      await found.getByRole('button', { name: /^Least driving: / }).waitFor({ timeout: 60_000 })
      const plan = await dayPlan()
      expect(plan.unplaced).toEqual([])
      expect(plan.totals.stops).toBe(30)
      expect(plan.crews.filter((crew) => crew.stops.length > 3).length).toBe(3)
      expect(plan.totals.driveSeconds).toBeLessThan(plan.booked.driveSeconds)
      expect(plan.totals.laborCents).toBeLessThan(plan.booked.laborCents ?? 0)
      expect(plan.crews.every((crew) => crew.ordered && crew.violations.length === 0)).toBe(true)
      await expectAccessibleAtBothWidths(page)
    })

    await step('moves a stop to another crew, takes it back, moves it again, pins another', async () => {
      const { page } = desk
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      const stops = async () => (await dayPlan()).crews.map((crew) => crew.stops.map((stop) => stop.visitId))
      const before = await stops()
      const wish = { street: unpriced, wanted: 'North', other: 'Coast' }
      const { stop: moved, from, to } = moveThatBrings(await dayPlan(), wish)
      await page.getByRole('button', { name: new RegExp(`^${from} `) }).click()
      const move = async () => {
        const crew = page.getByRole('region', { name: from })
        await crew.getByRole('button', { name: `Move ${moved.street}` }).click()
        await page.getByRole('menuitem', { name: to }).click()
        await expect.poll(async () => crewOf(await dayPlan(), moved.visitId)).toBe(to)
      }
      // the server may know it before the page does: Undo waits for the answer, and means this move
      await move()
      await page.locator('button[title^="Undo: "]').click()
      await expect.poll(stops).toEqual(before)
      await page.getByRole('region', { name: from }).getByText(moved.street).first().waitFor()
      await move()
      await page.getByRole('button', { name: /^North / }).click()
      const pinned = (await dayPlan()).crews.find((crew) => crew.name === 'North')?.stops[0]
      const pin = { name: `Keep ${pinned?.street} pinned to this crew, in the order of the pins` }
      await page.getByRole('button', pin).click()
      await page.getByRole('button', { ...pin, pressed: true }).waitFor()
      await expect
        .poll(async () => (await dayPlan()).crews.find((c) => c.name === 'North')?.stops[0]?.pinned)
        .toBe(true)
      await expectAccessibleAtBothWidths(page)
    })

    await step('sends the crews their day', async () => {
      const { page } = desk
      await page.getByRole('button', { name: 'Publish to 3 crews' }).click()
      await page.getByText('3 crews have their route; 6 people were told').waitFor()
      await page.getByText('Sent to all crews').waitFor()
      for (const person of fresh.people) {
        const { notifications } = await person.api.ok(notificationsApi.list, { query: {} })
        expect(notifications.map((one) => one.title)).toEqual([expect.stringMatching(/^Your route for .+ stops/)])
      }
      await page.goto('/dashboard')
      await page.getByRole('heading', { name: formatDay(today, { long: true }) }).waitFor()
      await page.getByText('3 crews · 30 stops').waitFor()
      await expectAccessibleAtBothWidths(page)
    })
  })

  await step('a crew member', async () => {
    const visitAt = (street: string) => visitOf(api(), today, street)
    let hands: ReturnType<typeof crewHands>

    await step('finds the stops of the day in their order and clocks in', async () => {
      const luis = fresh.people[0] as Person
      const as = { email: luis.email, password }
      phone = await openPage({ width: 390, as, path: '/employee-dashboard', timezoneId: fresh.timeZone })
      const { page } = phone
      hands = crewHands(page)
      const north = (await dayPlan()).crews.find((crew) => crew.crewId === crews.North)
      order = north?.stops.map((stop) => stop.street) ?? []
      const priced = order.filter((street) => street !== unpriced)
      stops = { first: priced[0] ?? '', skipped: priced[1] ?? '', offline: priced[2] ?? '' }
      await page.getByRole('heading', { name: order[0], exact: true }).waitFor()
      const later = await hands.rowsToDo().allInnerTexts()
      expect(later.map((text) => order.findIndex((street) => text.includes(street)))).toEqual(
        order.slice(1).map((_, index) => index + 1),
      )
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Clock in' }).click()
      await hands.allSent()
      await expectAccessible(page)
    })

    await step('starts, takes a photo, ticks off, finishes', async () => {
      const { page } = phone
      await hands.goTo(stops.first)
      await hands.start()
      await hands.takePhoto('Photo after')
      await page.getByText('0 before, 1 after').waitFor()
      await page.getByRole('checkbox', { name: 'Gates closed' }).click()
      await page.getByRole('checkbox', { name: 'Gates closed', checked: true }).waitFor()
      // scrolled down to the photos, the line of the gate may lie half under the head of the screen
      await expectAccessible(page, { exclude: ['.c-alert-lines'] })
      await hands.finish(stops.first)
      await hands.allSent()
      await expect.poll(async () => (await visitAt(stops.first))?.status).toBe('completed')
      expect((await visitAt(stops.first))?.photoCount).toBe(1)
    })

    await step('skips with a reason', async () => {
      const { page } = phone
      await hands.goTo(stops.skipped)
      await page.getByRole('button', { name: 'Skip…' }).click()
      const why = page.getByRole('dialog', { name: `Why skip ${stops.skipped}?` })
      await why.getByLabel('Locked gate').check()
      await expectAccessible(page)
      await why.getByRole('button', { name: 'Skip this stop' }).click()
      await page.getByText(`Skipped ${stops.skipped}`).waitFor()
      await hands.allSent()
      await expect.poll(async () => (await visitAt(stops.skipped))?.skipReason).toBe('locked_gate')
    })

    await step('finishes one without a signal; it outlives a reload and arrives once', async () => {
      const { page, context } = phone
      await hands.isKept()
      await hands.goTo(stops.offline)
      await context.setOffline(true)
      await hands.start()
      await hands.finish(stops.offline)
      await page.getByText(/on phone, no signal/).waitFor()
      await page.reload()
      await page.getByText(/on phone, no signal/).waitFor()
      await page.getByText('Done · 2, skipped 1').click()
      await page
        .getByRole('button', { name: /, done: / })
        .filter({ hasText: stops.offline })
        .waitFor()
      await expectAccessible(page)
      expect((await visitAt(stops.offline))?.status).toBe('scheduled')
      await context.setOffline(false)
      await hands.allSent()
      const visit = await visitAt(stops.offline)
      expect(visit?.status).toBe('completed')
      expect(await commandsAt(fresh.business, visit?.id ?? '')).toEqual(['finish', 'start'])
    })

    await step('finishes the lawn whose price is still open', async () => {
      const { page, complaints } = phone
      await hands.goTo(unpriced)
      await hands.start()
      await hands.finish(unpriced)
      await hands.allSent()
      await expect.poll(async () => (await visitAt(unpriced))?.status).toBe('completed')
      for (const path of ['/employee-timeclock', '/route-map', '/employee-week-view']) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await expectAccessible(page)
      }
      expectQuiet(complaints, away)
    })
  })

  await step('the owner in the evening', async () => {
    await step('has seen the day move without touching anything', async () => {
      const { page } = desk
      await page.getByText(/3 crews · 30 stops · 3 finished/).waitFor()
      await page.getByRole('list', { name: /^North, \d+ stops: 3 done, 1 skipped, \d+ to do$/ }).waitFor()
      await page.getByText(/^3 of \d+ stops$/).waitFor()
      await expectAccessibleAtBothWidths(page)
    })

    await step('invoices the finished visits after settling what is left out', async () => {
      const { page } = desk
      await page.getByRole('link', { name: 'Invoice 2 finished visits' }).click()
      const dialog = page.getByRole('dialog', { name: 'Invoice finished visits' })
      await dialog.getByRole('button', { name: /^1 visit is left out/ }).click()
      await dialog.getByRole('link', { name: withoutSize.name }).waitFor()
      await expectAccessibleAtBothWidths(page)
      await dialog.getByLabel(`Price for ${withoutSize.name}`).fill('61.50')
      await dialog.getByRole('button', { name: 'Set price' }).click()
      await dialog.getByRole('button', { name: 'Create and send 3 invoices' }).click()
      await dialog.getByRole('heading', { name: '3 invoices made and issued' }).waitFor()
      await dialog.getByText('3 invoices with a link to pay are on the way.').waitFor()
      await expectAccessibleAtBothWidths(page)
      await dialog.getByRole('button', { name: 'See the 3 invoices' }).click()
      await dialog.waitFor({ state: 'detached' })
      const list = page.getByRole('table', { name: 'Invoices' })
      await list.getByRole('row').filter({ hasText: '$61.50' }).filter({ hasText: withoutSize.name }).waitFor()
      await expectAccessibleAtBothWidths(page)
      const { items, counts } = await api().ok(invoicesApi.list, { query: {} })
      expect(counts).toMatchObject({ all: 3, open: 3 })
      expect(items.map((invoice) => invoice.customer.name)).toContain(withoutSize.name)
    })

    await step('finds the mail with PDF and pay link in the local outbox', async () => {
      const { page, context } = desk
      const payer = customerAt(stops.first)
      await page.goto('/local/outbox')
      await page.getByLabel('Find a message').fill(payer.email)
      await page.waitForURL('**?search=*')
      const messages = page.getByRole('region', { name: 'Messages' })
      await messages.getByRole('button').filter({ hasText: payer.name }).filter({ hasText: 'Sent' }).click()
      const message = page.getByRole('region', { name: 'The message' })
      const pdf = message.getByRole('link', { name: /\.pdf/ })
      await pdf.waitFor()
      const file = await context.request.get((await pdf.getAttribute('href')) ?? '')
      expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-')
      const link = message.frameLocator('iframe').getByRole('link', { name: /pay/i }).first()
      payPath = new URL((await link.getAttribute('href')) ?? '').pathname
      expect(payPath).toMatch(/^\/i\/[\w-]{20,}$/)
      // the mail as they see it may run nothing, so nothing can look into it either
      await message.getByRole('button', { name: 'As plain text' }).click()
      await expectAccessibleAtBothWidths(page)
      const { items } = await api().ok(messagesApi.list, { query: { channel: 'email', status: 'sent' } })
      expect(items).toHaveLength(3)
    })
  })

  await step('a customer', async () => {
    await step('opens the link on a phone and pays once, however often the button is pressed', async () => {
      const payer = customerAt(stops.first)
      const { page, complaints } = await openPage({ width: 390, path: payPath, timezoneId: fresh.timeZone })
      const pay = page.getByRole('button', { name: /^Pay \$/ })
      await pay.waitFor()
      await page.getByText('Marsh Side Lawns').first().waitFor()
      await expectAccessible(page)
      await pay.dblclick()
      await page.waitForURL('**/local/checkout/**')
      const checkout = page.url()
      await page.getByLabel('Card number').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: /^Pay \$/ }).dblclick()
      await page.getByRole('heading', { name: `Paid. Thank you, ${payer.name.split(' ')[0]}!` }).waitFor()
      await expectAccessible(page)
      await page.reload()
      await page.getByRole('heading', { name: /^Paid\. Thank you/ }).waitFor()
      await page.goto(checkout)
      await page.getByRole('heading', { name: 'This is paid' }).waitFor()
      await expectAccessible(page)
      await runTasks()

      const { items } = await api().ok(invoicesApi.list, { query: { view: 'paid' } })
      expect(items).toHaveLength(1)
      const invoice = await api().ok(invoicesApi.get, { params: { id: items[0]?.id ?? '' } })
      expect(invoice).toMatchObject({ balanceCents: 0, customer: { name: payer.name } })
      expect(invoice.payments.map((payment) => payment.amountCents)).toEqual([invoice.totalCents])
      expect(await ledgerOf(fresh.business, invoice.customer.id)).toEqual([
        { kind: 'invoice', amountCents: invoice.totalCents },
        { kind: 'payment', amountCents: -invoice.totalCents },
      ])
      expectQuiet(complaints)
    })
  })

  await step('the owner at the end', async () => {
    await step('sees the money and rebooks the skipped lawn with one click', async () => {
      const { page } = desk
      await page.goto('/jobs?tab=invoices&view=paid')
      const paid = page.getByRole('table', { name: 'Invoices' }).getByRole('row')
      await paid.filter({ hasText: customerAt(stops.first).name }).click()
      await page
        .getByRole('dialog', { name: /^INV-\d+$/ })
        .getByText('What happened')
        .waitFor()
      await expectAccessibleAtBothWidths(page)
      await page.goto('/dashboard')
      const needs = page.getByRole('listitem').filter({ hasText: `${stops.skipped}: locked gate` })
      await needs.getByRole('button', { name: /^Rebook / }).click()
      await page.getByText(/^Rebooked for /).waitFor()
      await needs.waitFor({ state: 'detached' })
      await expectAccessibleAtBothWidths(page)
      const { items } = await api().ok(visitsApi.list, { query: { from: today, q: stops.skipped, limit: 200 } })
      const skipped = items.find((visit) => visit.day === today && visit.status === 'skipped')
      const again = items.find((visit) => visit.id === skipped?.rebookedAs)
      expect(again).toMatchObject({ day: addDays(today, 1), status: 'scheduled' })
      expectQuiet(desk.complaints, harmless)
    })
  })
})
