import { expect, test } from 'vitest'
import { programsApi } from '../src/features/jobs/programs/contract.ts'
import { windowsOf } from '../src/features/jobs/programs/rules.ts'
import { createJobsTx } from '../src/features/jobs/server/commands.ts'
import { quotesApi } from '../src/features/quotes/contract.ts'
import { renewalsApi } from '../src/features/quotes/renewals/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { systemActor } from '../src/platform/actor.ts'
import { asBusinessId } from '../src/platform/db/tenant.ts'
import { newId } from '../src/platform/ids.ts'
import { linkTo } from '../src/shared/links.ts'
import { formatCents } from '../src/shared/money.ts'
import { runTasks } from '../src/test/api.ts'
import { aBusiness } from '../src/test/factories.ts'
import { today } from '../src/test/field.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

const steps = (serviceId: string) =>
  [1, 2, 3, 4].map((round) => ({
    name: `Round ${round}`,
    serviceId,
    from: `${String(round * 2).padStart(2, '0')}-01`,
    to: `${String(round * 2).padStart(2, '0')}-28`,
    minGapDays: round === 1 ? 0 : 21,
    priceCents: 6300,
    minutes: 30,
  }))

/** A business whose 200 customers are on a program of four rounds. */
const aTreatingBusiness = async (count: number) => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  await letIn(business)
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  const treat = items.find(({ code }) => code === 'fert-weed')?.id ?? ''
  const program = await business.api.ok(programsApi.create, {
    body: { name: 'Four-round lawn program', steps: steps(treat), renews: true },
  })
  const year = Number(today().slice(0, 4))
  const windows = windowsOf(steps(treat), year)
  const places = Array.from({ length: count }, (_, at) => ({
    customerId: newId(),
    propertyId: newId(),
    name: `Customer ${String(at + 1).padStart(3, '0')}`,
  }))
  await business.db(async (db) => {
    await db
      .insertInto('customers')
      .values(
        places.map(({ customerId, name }, at) => ({
          businessId: business.id,
          id: customerId,
          name,
          email: `c${at}@test.swath.test`,
          tags: at % 4 === 0 ? ['north side'] : [],
        })),
      )
      .execute()
    await db
      .insertInto('properties')
      .values(
        places.map(({ customerId, propertyId }, at) => ({
          businessId: business.id,
          id: propertyId,
          customerId,
          street: `${at + 1} Oak St`,
          city: 'Savannah',
          state: 'GA',
          zip: '31419',
          lawnSquareFeet: 8000,
        })),
      )
      .execute()
    await createJobsTx(
      db,
      systemActor(asBusinessId(business.id)),
      places.map(({ customerId, propertyId }) => ({
        customerId,
        propertyId,
        title: 'Four-round lawn program',
        instructions: '',
        poNumber: '',
        billing: 'per_visit',
        endOn: null,
        status: 'active',
        batchId: null,
        crewId: null,
        startOn: `${year}-01-01`,
        programId: program.id,
        programYear: year,
        programRenews: true,
        lines: steps(treat).map((one, at) => ({
          serviceId: treat,
          description: one.name,
          quantity: 1,
          unitPriceCents: 6300,
          budgetMinutes: 30,
          recurrence: null,
          onceOn: null,
          undated: { kind: 'step' as const, name: one.name, minGapDays: one.minGapDays, ...windows[at] } as never,
        })),
      })),
    )
  })
  return { business, as: { email: business.owner.email, password } }
}

const all = Number(process.env.SWATH_RENEWALS ?? 200)

test('200 programs are renewed: raised, looked over one by one, sent, answered on a phone, and booked', async () => {
  const { business, as } = await aTreatingBusiness(all)
  const office = await openPage({ width: 1440, as, path: linkTo.renewals() })
  const { page } = office
  let runId = ''
  page.setDefaultTimeout(25_000)

  await step('an empty screen says what it is for, and leads to a new one', async () => {
    await page.getByText('No season was renewed yet').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Renew a season' }).click()
    await page.getByRole('heading', { name: 'Renew a season' }).waitFor()
    await page.getByRole('button', { name: `Look over ${all} renewals` }).waitFor()
    await expectAccessible(page)
  })

  await step('it is narrowed and widened, priced, and put together', async () => {
    const tag = page.getByRole('button', { name: /north side/ })
    await tag.click()
    await page.getByRole('button', { name: `Look over ${all / 4} renewals` }).waitFor()
    await tag.click()
    await page.getByLabel('How much').fill('8')
    await page.getByLabel('Round prices to').selectOption('A whole dollar')
    await page.getByRole('button', { name: `Look over ${all} renewals` }).click()
    await page.getByRole('heading', { name: /^Season/ }).waitFor()
    runId = new URL(page.url()).searchParams.get('renewalId') ?? ''
    await runTasks()
    await page.getByRole('button', { name: `Send ${all}` }).waitFor()
    // 4 rounds of $63 at 8 %, to the dollar: $68
    await page
      .getByText(formatCents(all * 4 * 6800))
      .first()
      .waitFor()
    await expectAccessible(page)
  })

  await step('one customer gets prices of their own, another one is left out', async () => {
    await page.getByText('Customer 001').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Price of Round 1').fill('60')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page
      .getByText(formatCents(all * 4 * 6800 - 800))
      .first()
      .waitFor()
    await page.getByRole('button', { name: /Leave out Customer 002/ }).click()
    await page.getByRole('button', { name: `Send ${all - 1}` }).waitFor()
    await page
      .getByText(formatCents((all - 1) * 4 * 6800 - 800))
      .first()
      .waitFor()
  })

  await step('all are sent, with progress, and stand as waiting', async () => {
    await page.getByRole('button', { name: `Send ${all - 1}` }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Send ${all - 1} renewals` })
      .click()
    await page.getByRole('progressbar').waitFor()
    await runTasks()
    await page.getByRole('button', { name: 'Take back' }).waitFor()
    await page.getByRole('button', { name: new RegExp(`^Waiting\\s*${all - 1}`) }).waitFor()
    await expectAccessible(page)
    expect((await business.api.ok(quotesApi.list, { query: {} as never })).counts.all).toBe(all - 1)
  })

  const pathOf = async (at: number) => {
    const { items } = await business.api.ok(renewalsApi.rows, {
      params: { id: runId },
      query: { answer: 'waiting' } as never,
    })
    return (await business.api.ok(quotesApi.get, { params: { id: items[at]?.quote?.id ?? '' } })).publicPath ?? ''
  }

  await step('a customer reads it on a phone and signs', async () => {
    const phone = await openPage({ width: 390, path: await pathOf(0) })
    await phone.page.getByText(/Please tell us by/).waitFor()
    await expectAccessible(phone.page)
    const sum = phone.page.locator('#sign-button')
    const usual = await sum.textContent()
    await phone.page.getByRole('radio', { name: /The whole season now/ }).check()
    await expect.poll(() => sum.textContent()).not.toBe(usual)
    await phone.page.getByRole('radio', { name: /As the work is done/ }).check()
    await expect.poll(() => sum.textContent()).toBe(usual)
    await phone.page.getByLabel('Your full name').fill('Ann Customer')
    await phone.page.getByRole('checkbox', { name: /I accept this quote/ }).check()
    await sum.click()
    await phone.page.getByText('Your visits of the season are put on the calendar.').waitFor()
    await expectAccessible(phone.page)
    expectQuiet(phone.complaints)
  })

  await step('another one says no', async () => {
    const phone = await openPage({ width: 390, path: await pathOf(1) })
    await phone.page.getByText('Not for you?').click()
    await phone.page.getByLabel('Why?').selectOption('The price')
    await phone.page.getByRole('button', { name: 'No, thank you' }).click()
    await phone.page.getByText(/You said no to this quote/).waitFor()
    expectQuiet(phone.complaints)
  })

  await step('the run shows the answers and the money, and the next job', async () => {
    await runTasks()
    await page.getByRole('button', { name: /^Renewed\s*1/ }).click()
    await page.getByRole('link', { name: /^J-/ }).waitFor()
    await page.getByText(/1 said no/).waitFor()
    await expectAccessible(page)
  })

  await step('on a phone the office sees the same, and takes back what nobody answered', async () => {
    const small = await openPage({ width: 390, as, path: linkTo.renewalRun(runId) })
    await small.page.getByRole('button', { name: new RegExp(`^Waiting\\s*${all - 3}`) }).waitFor()
    await expectAccessible(small.page)
    await small.page.getByRole('button', { name: 'Take back' }).click()
    await small.page.getByRole('dialog').getByRole('button', { name: 'Take them back' }).click()
    await expect
      .poll(async () => (await business.api.ok(renewalsApi.get, { params: { id: runId } })).status)
      .toBe('withdrawing')
    await runTasks()
    await small.page.getByRole('button', { name: new RegExp(`^Taken back\\s*${all - 3}`) }).waitFor()
    expect((await business.api.ok(renewalsApi.get, { params: { id: runId } })).counts).toMatchObject({
      accepted: 1,
      declined: 1,
      withdrawn: all - 3,
    })
    expectQuiet(small.complaints)
  })
  expectQuiet(office.complaints)
}, 600_000)
