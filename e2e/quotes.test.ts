import { expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { jobsApi } from '../src/features/jobs/contract.ts'
import { quotesApi } from '../src/features/quotes/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { addDays } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { runTasks } from '../src/test/api.ts'
import { aBusiness, aPerson } from '../src/test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

const aQuotingBusiness = async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  await letIn(business)
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ seasonStart: '01-01', seasonEnd: '12-31', phone: '+19125550100' })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const { items: services } = await business.api.ok(servicesApi.addDefaults, {})
  const customer = await business.api.ok(customersApi.create, {
    body: {
      name: 'Rebecca Odom',
      email: 'rebecca@test.swath.test',
      property: { street: '132 Laurel Green Ct', city: 'Savannah', state: 'GA', zip: '31419', lawnSquareFeet: 8000 },
    },
  })
  return { business, services, customer, as: { email: business.owner.email, password } }
}

test('a quote is built, sent, chosen and signed on a phone, its deposit paid, and it is a job with its visits', async () => {
  const { business, services, customer, as } = await aQuotingBusiness()
  const mowing = services.find(({ category }) => category === 'mow')
  const office = await openPage({ width: 1440, as, path: linkTo.newQuote({ customerId: customer.id }) })
  const { page } = office
  let quoteId = ''

  await step('from the customer to a priced draft in one form', async () => {
    await page.getByLabel('Property').waitFor()
    await page.getByText('8,000 sq ft of lawn').waitFor()
    await page.getByRole('checkbox', { name: mowing?.name ?? '' }).check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Make the draft and open the builder' }).click()
    await page.getByRole('heading', { name: 'Q-1001' }).waitFor()
    quoteId = new URL(page.url()).searchParams.get('quoteId') ?? ''
  })

  await step('the builder shows price, minutes and margin while it is built', async () => {
    await page.getByLabel('Title').fill('A green season')
    const side = page.getByRole('complementary', { name: 'Sums and settings' })
    await side.getByText('Earned an hour of labor').waitFor()
    await page.getByRole('combobox', { name: 'Add a service' }).fill('Mulch')
    await page.getByRole('option', { name: /Mulch/ }).first().click()
    await page.getByLabel('Price', { exact: true }).fill('300')
    await page.getByRole('combobox', { name: 'Add a service' }).fill('Aeration')
    await page
      .getByRole('option', { name: /eration/ })
      .first()
      .click()
    await page.getByLabel('Price', { exact: true }).fill('150')
    await page.getByRole('checkbox', { name: 'Optional' }).check()
    await page.getByRole('button', { name: 'Offer good, better, best' }).click()
    await page.getByRole('button', { name: 'Remove the package Best' }).click()
    await page.getByRole('button', { name: /^Mulch/ }).click()
    await page.getByRole('group', { name: 'In which packages' }).getByRole('checkbox', { name: 'Good' }).uncheck()
    await side.getByLabel('Deposit').selectOption('Dollars')
    await side.getByLabel('How much').fill('200')
    await page.getByRole('textbox', { name: /^Terms/ }).fill('Work stops when a gate is locked.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await expectAccessible(page)
    expect(await business.api.ok(quotesApi.get, { params: { id: quoteId } })).toMatchObject({
      title: 'A green season',
      depositCents: 20_000,
    })
  })

  await step('it is sent by mail', async () => {
    await page.getByRole('button', { name: 'Send', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('rebecca@test.swath.test').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Q-1001 is on its way to Rebecca Odom').waitFor()
    await runTasks()
  })

  const { publicPath } = await business.api.ok(quotesApi.get, { params: { id: quoteId } })
  const phone = await openPage({ width: 390, path: publicPath ?? '' })
  const total = phone.page.locator('#sign-button')

  await step('on a phone the customer chooses a package and an option, and the server adds up', async () => {
    await phone.page.getByRole('heading', { name: 'A green season' }).waitFor()
    await expectAccessible(phone.page)
    const better = await total.textContent()
    await phone.page.getByRole('radio', { name: /Good/ }).check()
    await expect.poll(() => total.textContent()).not.toBe(better)
    await phone.page.getByRole('radio', { name: /Better/ }).check()
    await expect.poll(() => total.textContent()).toBe(better)
    await phone.page.getByRole('checkbox', { name: /eration/ }).check()
    await expect.poll(() => total.textContent()).not.toBe(better)
    await expect
      .poll(async () => (await business.api.ok(quotesApi.get, { params: { id: quoteId } })).status)
      .toBe('viewed')
  })

  await step('they draw their name, sign, and pay the deposit', async () => {
    await phone.page.getByLabel('Your full name').fill('Rebecca Odom')
    const canvas = phone.page.locator('#canvas')
    await canvas.scrollIntoViewIfNeeded()
    const box = await canvas.boundingBox()
    if (!box) throw new Error('no pad')
    await phone.page.mouse.move(box.x + 20, box.y + 90)
    await phone.page.mouse.down()
    await phone.page.mouse.move(box.x + 120, box.y + 30, { steps: 6 })
    await phone.page.mouse.move(box.x + 220, box.y + 110, { steps: 6 })
    await phone.page.mouse.up()
    await phone.page.getByRole('checkbox', { name: /I accept this quote/ }).check()
    await total.click()
    await phone.page.getByText(/Signed by Rebecca Odom/).waitFor()
    await expectAccessible(phone.page)
    await phone.page.getByRole('button', { name: 'Pay $200.00' }).click()
    await phone.page.getByLabel('Card number').fill('4242 4242 4242 4242')
    await phone.page.getByRole('button', { name: /^Pay/ }).click()
    await runTasks()
    await phone.page.getByText('Your deposit of $200.00 has arrived').waitFor()
    expectQuiet(phone.complaints)
  })

  await step('the office sees it signed and paid, and makes it a job', async () => {
    await page.goto(linkTo.quote(quoteId))
    await page.getByText('$200.00 paid').waitFor()
    await page.getByText('Rebecca Odom, drawn').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Make it a job' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make Q-1001 a job' })
    await dialog.getByText('The deposit of $200.00 is taken off the invoices of all of it, the oldest first.').waitFor()
    await dialog.getByRole('button', { name: 'Make it a job' }).click()
    await page.getByRole('link', { name: 'Open the job' }).waitFor()
    expectQuiet(office.complaints)
  })

  await step('the season is on the calendar at the prices that were signed', async () => {
    const { jobId } = await business.api.ok(quotesApi.get, { params: { id: quoteId } })
    const job = await business.api.ok(jobsApi.get, { params: { id: jobId ?? '' } })
    expect(job.lines.map(({ recurrence, totalCents }) => [recurrence?.freq ?? 'once', totalCents])).toEqual([
      ['week', expect.any(Number)],
      ['once', 30_000],
      ['once', 15_000],
    ])
    const { items } = await business.api.ok(visitsApi.list, { query: { from: today(), to: addDays(today(), 60) } })
    expect(items.length).toBeGreaterThan(5)
  })
})

test('without a script a quote is read, chosen, signed and printed all the same', async () => {
  const { business, services, customer } = await aQuotingBusiness()
  const serviceId = services.find(({ category }) => category === 'install')?.id ?? ''
  const line = (more: object) => ({ id: newId(), serviceId, name: 'Mulch', unitPriceCents: 30_000, ...more })
  const draft = await business.api.ok(quotesApi.create, {
    body: {
      propertyId: customer.properties[0]?.id ?? '',
      content: { lines: [line({}), line({ name: 'Edging', unitPriceCents: 9000, optional: true })] },
    },
  })
  const { publicPath } = await business.api.ok(quotesApi.send, {
    params: { id: draft.id },
    body: { mail: true, text: false, version: draft.version },
  })
  const { page } = await openPage({ width: 390, path: publicPath ?? '', javaScriptEnabled: false })
  await page.getByRole('checkbox', { name: /Edging/ }).check()
  await page.getByRole('button', { name: 'Update the total' }).click()
  await page.getByRole('button', { name: 'Sign for $390.00' }).waitFor()
  await page.getByLabel('Your full name').fill('Rebecca Odom')
  await page.getByRole('checkbox', { name: /I accept/ }).check()
  await page.getByRole('button', { name: 'Sign for $390.00' }).click()
  await page.getByText(/Signed by Rebecca Odom/).waitFor()
})

test('the list, its states and the tabs of quotes hold on a desk and on a phone', async () => {
  const { business, services, customer, as } = await aQuotingBusiness()
  for (const width of widths(1440)) {
    const { page, complaints } = await openPage({ width, as, path: linkTo.quotes() })
    if (width === 1440) {
      await page.getByRole('heading', { name: 'No quotes yet' }).waitFor()
      await expectAccessible(page)
      const lines = services.slice(0, 2).map(({ id, name }) => ({
        id: newId(),
        serviceId: id,
        name,
        unitPriceCents: 12_000,
      }))
      for (const title of ['Spring clean-up', 'Beds'])
        await business.api.ok(quotesApi.create, {
          body: { propertyId: customer.properties[0]?.id ?? '', title, content: { lines } },
        })
      await page.reload()
    }
    await page.getByText('Q-1002').first().waitFor()
    await expectAccessible(page)
    await page.getByText('Q-1001').first().click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await expectAccessible(page)
    for (const [tab, heading] of [
      ['templates', 'Templates'],
      ['analytics', 'Quote analytics'],
      ['create', 'New quote'],
    ] as const) {
      await page.goto(`/quotes?tab=${tab}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await page
        .getByText(tab === 'templates' ? 'No templates yet' : tab === 'analytics' ? 'Nothing was sent' : 'Which work')
        .first()
        .waitFor()
      await expectAccessible(page)
    }
    expectQuiet(complaints)
  }
})

test('a crew notes a quote at its stop on the phone, without money, and the office finds it to price', async () => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  await business.api.ok(servicesApi.addDefaults, {})
  const luis = await aPerson(business.id, 'Employee', { name: 'Luis Ortega' })
  await letIn(business)
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  await aVisit(business, { crewId, street: '7 Bay St', position: 1 })
  await publishDay(business, crewId)
  const as = { email: luis.email, password }
  const { page, complaints } = await openPage({ width: 390, as, path: '/employee-profile' })
  await page.getByRole('link', { name: 'Note a quote' }).click()
  await page.getByText('7 Bay St').waitFor()
  await page.getByRole('button', { name: 'Send it to the office' }).click()
  await page.getByText('Choose where and what, then send it.').waitFor()
  await page.getByRole('checkbox', { name: 'Mulch installed' }).check()
  await page.getByLabel('Square feet of beds, if you measured them').fill('900')
  await page.getByLabel('What else should the office know?').fill('The back gate sticks')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send it to the office' }).click()
  await page.getByText('With the office').waitFor()
  expect(await page.getByText('$').count()).toBe(0)
  expectQuiet(complaints)
  const office = await openPage({
    width: 1440,
    as: { email: business.owner.email, password },
    path: linkTo.quotes({ view: 'draft' }),
  })
  await office.page.getByText('Q-1001').click()
  await office.page.getByText('A crew noted this on site.').waitFor()
  expectQuiet(office.complaints)
})

test('a price is typed in the matrix of a service, its formula stands under it, and a new quote asks that price', async () => {
  const { services, customer, as } = await aQuotingBusiness()
  const mowing = services.find(({ category }) => category === 'mow')
  const { page, complaints } = await openPage({ width: 1440, as, path: linkTo.service(mowing?.id ?? '') })
  await page.getByText('Price matrix by lawn size').click()
  const field = page.getByRole('textbox', { name: 'Price of 10,000 sq ft' })
  await field.fill('66')
  await field.press('Tab')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save service' }).click()
  await page
    .getByText(/saved|From when/i)
    .first()
    .waitFor()
  await page.goto(linkTo.newQuote({ customerId: customer.id }))
  await page.getByText('8,000 sq ft of lawn').waitFor()
  await page.getByText(/^\$58\.00, every week$/).waitFor()
  expectQuiet(complaints)
})

test('the builder proposes the day on the way with its discount, and the lines of a template are edited', async () => {
  const { business, services, customer, as } = await aQuotingBusiness()
  const mowing = services.find(({ category }) => category === 'mow')
  const [place] = customer.properties
  const crewId = await aCrew(business, { name: 'Green', workDays: [0, 1, 2, 3, 4, 5, 6] })
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ workDays: [0, 1, 2, 3, 4, 5, 6] })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const neighbor = await business.api.ok(customersApi.create, {
    body: {
      name: 'Ann Neighbor',
      property: { street: '134 Laurel Green Ct', city: 'Savannah', state: 'GA', zip: '31419', lawnSquareFeet: 8000 },
    },
  })
  await business.db((db) =>
    db
      .updateTable('properties')
      .set({ latitude: 32.06, longitude: -81.09, geocodeQuality: 'exact' })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const day = addDays(today(), 3)
  await business.api.ok(jobsApi.create, {
    body: {
      propertyId: neighbor.properties[0]?.id ?? '',
      crewId,
      startOn: day,
      lines: [
        {
          serviceId: mowing?.id ?? '',
          unitPriceCents: 5000,
          recurrence: { freq: 'week', interval: 1, weekdays: [], phaseOn: day, holiday: 'next', exceptions: [] },
        },
      ],
    } as never,
  })
  const office = await openPage({ width: 1440, as, path: '/profile?section=money' })
  const { page } = office

  await step('what is off for a close stop is a setting', async () => {
    const form = page.getByRole('form', { name: 'Quotes close to a route' })
    await form.getByLabel('Off').fill('5')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved for the next quotes').waitFor()
    await expectAccessible(page)
  })

  const quote = await business.api.ok(quotesApi.create, {
    body: {
      propertyId: place?.id ?? '',
      title: 'A green season',
      content: {
        lines: [
          {
            id: newId(),
            serviceId: mowing?.id ?? '',
            name: 'Mowing',
            frequency: 'weekly',
            visits: 30,
            unitPriceCents: 5000,
            minutes: 40,
          },
        ],
      },
    } as never,
  })

  await step('the day that adds the least driving is the first, with what is off', async () => {
    await page.goto(linkTo.quoteBuilder(quote.id))
    const best = page.getByRole('radio', { name: /, the best/ })
    await best.check()
    await page.getByText('Close to a route').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await expectAccessible(page)
    const saved = await business.api.ok(quotesApi.get, { params: { id: quote.id } })
    expect(saved.content.day).toMatchObject({ crewId, densityPercent: 500 })
    expect(saved.totalCents).toBe(30 * 4750)
  })

  await step('a template takes another line and gives one up', async () => {
    await page.getByRole('button', { name: /Keep as a template/ }).click()
    const keep = page.getByRole('dialog')
    await keep.getByLabel('Name').fill('Usual season')
    await keep.getByRole('button', { name: /Keep/ }).click()
    await keep.waitFor({ state: 'hidden' })
    await page.goto('/quotes?tab=templates')
    await page.getByRole('button', { name: 'Lines' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Add a service' }).fill('Mulch')
    await page.getByRole('option', { name: /Mulch/ }).first().click()
    await dialog.getByLabel('Price', { exact: true }).fill('300')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Usual season is saved').waitFor()
    await page.getByText(/Mowing, Mulch/).waitFor()
  })
  expectQuiet(office.complaints)
})
