import { describe, expect, test } from 'vitest'
import { askForReviews } from '../src/features/reviews/asking/server/commands.ts'
import { reviewsApi } from '../src/features/reviews/contract.ts'
import { systemActor } from '../src/platform/actor.ts'
import { addDays } from '../src/shared/dates.ts'
import type { TestBusiness } from '../src/test/factories.ts'
import { aVisit, today } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** Customers are asked how a visit was, answer on their phone without a script, and the office answers them. */

const { openPage } = withBrowser({ afresh: 'file' })

/** A visit of yesterday, and a business that asks at any hour. */
const aDoneVisit = async (business: TestBusiness, customer: string): Promise<string> => {
  const day = addDays(today(), -1)
  const { customerId, visitId } = await aVisit(business, { customer, day, status: 'completed' })
  await business.db(async (db) => {
    await db
      .updateTable('customers')
      .set({ email: `c${customerId.slice(-8)}@test.swath.test` })
      .where('businessId', '=', business.id)
      .where('id', '=', customerId)
      .execute()
    await db
      .updateTable('visits')
      .set({ finishedAt: new Date(Date.now() - 26 * 3_600_000).toISOString() })
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute()
  })
  return customerId
}

const pathsOf = async (business: TestBusiness): Promise<Map<string, string>> => {
  const rows = await business.db((db) =>
    db
      .selectFrom('messages')
      .select(['customerId', 'bodyText'])
      .where('businessId', '=', business.id)
      .where('entityType', '=', 'review_ask')
      .execute(),
  )
  return new Map(
    rows.map(({ customerId, bodyText }) => [customerId ?? '', /\/review\/[\w-]{43}/.exec(bodyText)?.[0] ?? '']),
  )
}

describe.each(widths(390))('at %i pixels', (width) => {
  test('it is switched on, asked, answered without a script, read by everybody, replied to and hidden for a reason', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const office = await openPage({ as: owner, timezoneId: timeZone, width, path: '/customers?tab=reviews' })
    await office.page.getByText('Nobody is asked yet').waitFor()
    await expectAccessible(office.page)
    await office.page.getByRole('link', { name: 'Set it up' }).click()
    const settings = office.page.getByRole('form', { name: 'Reviews' })
    await settings.getByLabel('Ask customers after a visit').check()
    await settings.getByLabel('Your page for reviews on Google').fill('https://g.page/r/marsh/review')
    await expectAccessible(office.page)
    await settings.getByRole('button', { name: 'Save reviews' }).click()
    await office.page.getByText('Reviews saved').waitFor()

    const slug = await business.db(async (db) => {
      await db
        .updateTable('reviewSettings')
        .set({ enabledAt: new Date(Date.now() - 90 * 3_600_000).toISOString() })
        .where('businessId', '=', business.id)
        .execute()
      const row = await db
        .updateTable('businesses')
        .set({ publicPage: true, publicAbout: 'Family-run lawn care on the marsh side.' })
        .where('businessId', '=', business.id)
        .returning('slug')
        .executeTakeFirstOrThrow()
      return row.slug
    })
    const [rosa, jim] = [await aDoneVisit(business, 'Rosa Marsh'), await aDoneVisit(business, 'Jim Oak')]
    const { askTx } = await import('../src/features/reviews/asking/server/commands.ts')
    // the hours of marketing are tested with a clock of their own
    await askForReviews(systemActor(business.id))
    const known = await pathsOf(business)
    for (const customerId of [rosa, jim])
      if (!known.has(customerId))
        await business.db(async (db) => {
          const { id, day } = await db
            .selectFrom('visits')
            .select(['id', 'day'])
            .where('businessId', '=', business.id)
            .where('customerId', '=', customerId)
            .executeTakeFirstOrThrow()
          await askTx(db, { visitId: id, customerId, day: day ?? today() })
        })
    const paths = await pathsOf(business)

    const phone = await openPage({ width, path: paths.get(rosa) ?? '' })
    await phone.page.getByRole('heading', { name: 'How was our visit?' }).waitFor()
    await expectAccessible(phone.page)
    await phone.page.getByRole('radio', { name: '5 stars: Great' }).focus()
    await phone.page.keyboard.press('Space')
    await phone.page.getByLabel('A few words').fill('Neat edges, kind crew.')
    await phone.page.getByLabel('Everybody, on the page of').check()
    await phone.page.getByRole('button', { name: 'Send' }).click()
    await phone.page.getByRole('heading', { name: 'Thank you!' }).waitFor()
    await phone.page.getByRole('link', { name: 'Review us on Google too' }).waitFor()
    await expectAccessible(phone.page)
    const other = await openPage({ width, path: `${paths.get(jim)}?lang=es` })
    await other.page.getByRole('radio', { name: '2 estrellas: Regular' }).check({ force: true })
    await other.page.getByLabel('Unas palabras').fill('Dejaron huellas en el césped.')
    await other.page.getByLabel('Todos, en la página de').check()
    await expectAccessible(other.page)
    await other.page.getByRole('button', { name: 'Enviar' }).click()
    await other.page.getByRole('heading', { name: '¡Gracias!' }).waitFor()

    const visitor = await openPage({ width, path: `/profile/${slug}` })
    const shown = visitor.page.getByRole('region', { name: 'Reviews' })
    await shown.getByText('Rosa M.').waitFor()
    await shown.getByText('3.5', { exact: true }).waitFor()
    expect(await visitor.page.getByText('Marsh', { exact: true }).count()).toBe(0)
    await expectAccessible(visitor.page)

    const origin = new URL(office.page.url()).origin
    await office.page.goto(`${origin}/customers?tab=reviews`)
    const low = office.page.getByRole('article').filter({ hasText: 'Jim Oak' })
    await low.getByText('Needs you').waitFor()
    await expectAccessible(office.page)
    await low.getByRole('button', { name: 'Reply' }).click()
    const dialog = office.page.getByRole('dialog')
    await dialog.getByLabel('Your reply').fill('We are sorry, and come back on Monday.')
    await expectAccessible(office.page)
    await dialog.getByRole('button', { name: 'Reply in public' }).click()
    await low.getByText('We are sorry, and come back on Monday.').waitFor()
    expect(await low.getByText('Needs you').count()).toBe(0)
    await low.getByRole('button', { name: 'Change reply' }).click()
    await dialog.getByLabel('Your reply').fill('We are sorry, and come back on Tuesday.')
    await dialog.getByRole('button', { name: 'Save reply' }).click()
    await low.getByText('We are sorry, and come back on Tuesday.').waitFor()
    await low.getByRole('button', { name: 'Hide…' }).click()
    const hide = office.page.getByRole('dialog')
    await hide.getByLabel('Personal data: an address').check()
    await hide.getByLabel('What exactly?').fill('Names our crew lead')
    await expectAccessible(office.page)
    await hide.getByRole('button', { name: 'Hide it' }).click()
    await low.getByText('Off your page since').waitFor()
    const { items } = await business.api.ok(reviewsApi.list, { query: { show: 'hidden' } })
    expect(items).toMatchObject([{ hiddenReason: 'personal_data', customerName: 'Jim Oak' }])
    // its customer changes the words, and the owner looks at it again
    await other.page.reload()
    await other.page.getByText('Si la cambia abajo, la revisamos de nuevo.').waitFor()
    await other.page.getByText('Cambiar su respuesta').click()
    await other.page.getByLabel('Unas palabras').fill('Dejaron huellas junto a la entrada.')
    await other.page.getByRole('button', { name: 'Guardar el cambio' }).click()
    await other.page.getByText('Usted la cambió después. La revisamos de nuevo.').waitFor()
    await expectAccessible(other.page)
    await office.page.reload()
    await low.getByText('Changed since you hid it').waitFor()
    await expectAccessible(office.page)
    await low.getByRole('button', { name: 'Keep it hidden' }).click()
    await low.getByText('Changed since you hid it').waitFor({ state: 'detached' })
    await visitor.page.reload()
    await shown.getByText('5.0', { exact: true }).waitFor()
    expect(await shown.getByText('Jim O.').count()).toBe(0)
  })
})
