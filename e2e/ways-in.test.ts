import { describe, expect, test } from 'vitest'
import { businessLeadsApi as leadsApi } from '../src/features/leads/contract.ts'
import { runTasks } from '../src/test/api.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** The ways into the funnel besides the form: a call that nobody took, and somebody who asks a second time for another house. */

const { openPage } = withBrowser({ afresh: 'file' })
const pictures = process.env.SWATH_PICTURES

describe.each(widths(390))('at %i pixels', (width) => {
  test('calls are set up, a missed one is a lead with a text, and two requests of one phone stay whole', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { slug } = await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ quietStartMinute: 1440, quietEndMinute: 0 })
        .where('businessId', '=', business.id)
        .returning('slug')
        .executeTakeFirstOrThrow(),
    )
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: '/leads?tab=funnel' })
    const origin = new URL(page.url()).origin
    const look = async (name: string) => {
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${width}.png` })
      await expectAccessible(page)
    }
    await page.getByRole('button', { name: 'Calls and mail' }).click()
    const setup = page.getByRole('form', { name: 'Calls and mail' })
    await setup.getByLabel('Text who was not answered').check()
    await setup.getByRole('button', { name: 'Save calls and mail' }).click()
    await setup.getByText('Type the phone that is to ring').waitFor()
    await setup.getByLabel('Phone that rings').fill('(912) 555-0101')
    await setup.getByLabel('In English').fill('Sorry we missed you! What do you need?')
    await setup.getByText('leads+').first().waitFor()
    await look('ways')
    await setup.getByRole('button', { name: 'Save calls and mail' }).click()
    await setup.waitFor({ state: 'detached' })

    await page.goto(`${origin}/local/phone?number=%2B19125550163`)
    await page.getByRole('button', { name: 'Call, nobody picks up' }).click()
    await page.getByText('The call was missed').waitFor()
    await runTasks()
    await page
      .getByRole('region', { name: /^Texts on the phone/ })
      .getByText('Sorry we missed you! What do you need?')
      .waitFor()
    await look('phone')

    const ask = (fields: Record<string, string>) =>
      page.request.post(`${origin}/lead-form/${slug}`, { form: fields, headers: { accept: 'application/json' } })
    const hollis = { name: 'Hollis Brandt', phone: '(912) 555-0177' }
    const home = { street: '132 Laurel Green Ct', city: 'Savannah', state: 'GA', zip: '31405' }
    for (const more of [
      { ...home, wants: 'Weekly mowing' },
      { ...home, wants: 'Also the hedge\nTwo dogs' },
      { ...home, street: '9 Other Ave', wants: 'Leaf clean-up' },
    ])
      expect((await ask({ ...hollis, ...more })).ok()).toBe(true)
    await page.goto(`${origin}/leads?tab=funnel`)
    const column = page.getByRole('region', { name: 'New' })
    await column.getByText('(912) 555-0163').waitFor()
    await column.getByText('Asked again').waitFor()
    await column.getByText('Same phone as Hollis Brandt').first().waitFor()
    await look('board')
    const { items } = await business.api.ok(leadsApi.list, { query: { search: 'Laurel' } })
    await page.goto(`${origin}/leads?tab=funnel&leadId=${items[0]?.id}`)
    const panel = page.getByRole('dialog').first()
    const requests = panel.getByRole('region', { name: 'Each request' })
    await requests.getByText('Also the hedge').waitFor()
    expect(await requests.getByRole('listitem').count()).toBe(2)
    await panel.getByRole('list', { name: 'Others with the same phone, e-mail or address' }).waitFor()
    await look('record')
    await requests.scrollIntoViewIfNeeded()
    await look('requests')
    await panel.getByRole('button', { name: 'New quote' }).click()
    const toQuote = page.getByRole('form', { name: 'Make a customer' })
    await look('to-quote')
    await toQuote.getByRole('button', { name: 'Go on to the quote' }).click()
    await page.getByRole('heading', { name: 'New quote' }).waitFor()
    expect((await business.api.ok(leadsApi.get, { params: { id: items[0]?.id ?? '' } })).stage).toBe('new')
  })
})
