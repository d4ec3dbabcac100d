import Fastify, { type FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { businessLeadsApi as leadsApi } from '../src/features/leads/contract.ts'
import { config } from '../src/platform/config.ts'
import { widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** The form on the owner's own website: one script tag on a page of another origin, with a style and a policy of its own. */

const { openPage } = withBrowser({ afresh: 'file' })
const pictures = process.env.SWATH_PICTURES

let website: FastifyInstance | undefined
const { publicUrl } = config
afterEach(async () => {
  Object.assign(config, { publicUrl })
  await website?.close()
})

/** The server stands at a port of this run: its script is told so. */
const standsAt = (page: Page): string => {
  const { origin } = new URL(page.url())
  Object.assign(config, { publicUrl: origin })
  return origin
}

/** A website that is not ours. `localhost` is another origin than 127.0.0.1, at which the product stands. */
const aWebsite = async (tag: string): Promise<string> => {
  website = Fastify()
  website.get('/contact', (_, reply) =>
    reply
      .type('text/html')
      .send(`<!doctype html><html lang="en"><head><title>Marsh Side Lawns</title><meta name="viewport" content="width=device-width">
<style>*{color:#fff !important}form{display:none}input{height:2px}</style></head>
<body><h1>Contact</h1>${tag}<p id="after">After the form</p></body></html>`),
  )
  const { port } = new URL(await website.listen({ port: 0, host: '127.0.0.1' }))
  return `http://localhost:${port}`
}

describe.each(widths(1440))('at %i pixels', (width) => {
  test('one script tag on a foreign page takes one request, however often it is pressed, and nothing of a machine', async () => {
    const { business, owner } = await aNewBusiness()
    const { slug } = await business.db((db) =>
      db.selectFrom('businesses').select('slug').where('businessId', '=', business.id).executeTakeFirstOrThrow(),
    )
    // Signed in on our side of the same browser: nothing of that may reach or come from the form.
    const { page, context } = await openPage({ as: owner, width, path: '/leads' })
    const base = standsAt(page)
    const site = await aWebsite(`<script src="${base}/lead-form/${slug}/form.js" async></script>`)
    const sent: { url: string; cookie: string | undefined; method: string }[] = []
    context.on('request', (request) => {
      if (new URL(request.url()).pathname === `/lead-form/${slug}`)
        sent.push({ url: request.url(), cookie: request.headers().cookie, method: request.method() })
    })
    const open = async () => {
      await page.goto(`${site}/contact?utm=1`)
      return page.getByRole('form', { name: /^Ask .* for a price$/ })
    }
    const form = await open()
    await form.getByRole('heading', { name: 'Ask for a price' }).waitFor()
    if (pictures) await page.screenshot({ path: `${pictures}/form-elsewhere-${width}.png` })
    await page.getByText('After the form').waitFor()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('Please tell us your name.').waitFor()
    await form.getByLabel('Your name').fill('Maya Brooks')
    await form.getByRole('textbox', { name: 'Phone' }).fill('912-555-0147')
    await form.getByLabel('What do you need?').fill('Weekly mowing')
    await page.waitForFunction(() => performance.now() > 3_000)
    await form.getByRole('button', { name: 'Send' }).dblclick()
    await page.getByText('Thank you. We have your request.').waitFor()
    const all = async () => (await business.api.ok(leadsApi.list, { query: {} })).items
    expect(await all()).toMatchObject([
      { name: 'Maya Brooks', source: 'website', wants: 'Weekly mowing', requestCount: 1 },
    ])
    const [made] = await all()
    const record = await business.api.ok(leadsApi.get, { params: { id: made?.id ?? '' } })
    expect(record.sourceDetail).toBe(`${site}/contact`)
    // A simple request: nothing asks first, and no session goes along.
    expect(sent.map(({ method, cookie }) => [method, cookie])).toEqual(sent.map(() => ['POST', undefined]))

    const again = await open()
    await again.getByLabel('Your name').fill('Cheap Backlinks')
    await again.getByRole('textbox', { name: 'Phone' }).fill('912-555-0199')
    await again.locator('input[name=company]').evaluate((field: HTMLInputElement) => {
      field.value = 'SEO Ltd'
    })
    await page.waitForFunction(() => performance.now() > 3_000)
    await again.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you. We have your request.').waitFor()
    expect(await all()).toHaveLength(1)

    // What was typed stays when the way there is cut.
    const third = await open()
    await third.getByLabel('Your name').fill('Tom Delaney')
    await third.getByRole('textbox', { name: 'Phone' }).fill('912-555-0148')
    await page.route(`**/lead-form/${slug}`, (route) => route.abort())
    await third.getByRole('button', { name: 'Send' }).click()
    await third.getByText('What you typed is still here').waitFor()
    expect(await third.getByLabel('Your name').inputValue()).toBe('Tom Delaney')
    expect(await all()).toHaveLength(1)
  })
})

test('the plain form of a foreign page works without a script', async () => {
  const { business } = await aNewBusiness()
  const { slug } = await business.db((db) =>
    db.selectFrom('businesses').select('slug').where('businessId', '=', business.id).executeTakeFirstOrThrow(),
  )
  const { page } = await openPage({ width: 390, javaScriptEnabled: false, path: `/lead-form/${slug}` })
  const base = standsAt(page)
  const site = await aWebsite(
    `<style>form{display:block !important}input{height:auto}</style><form method="post" action="${base}/lead-form/${slug}"><label>Your name <input name="name"></label><label>Phone <input name="phone"></label><button>Send</button></form>`,
  )
  await page.goto(`${site}/contact`)
  await page.getByLabel('Your name').fill('Maya Brooks')
  await page.getByRole('textbox', { name: 'Phone' }).fill('912-555-0147')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('We have your request.').waitFor()
  expect((await business.api.ok(leadsApi.list, { query: {} })).items).toMatchObject([
    { name: 'Maya Brooks', source: 'website' },
  ])
})
