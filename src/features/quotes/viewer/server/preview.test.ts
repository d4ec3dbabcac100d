import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { servicesApi } from '../../../services/contract.ts'
import { type QuoteRecord, quotesApi } from '../../contract.ts'
import { most } from '../../rules.ts'

let business: TestBusiness
let propertyId: string
let mowing: string

const packages = [
  { id: 'good', name: 'Good', description: 'A mowed lawn', recommended: false },
  { id: 'better', name: 'Better', description: 'Mowed and mulched', recommended: true },
]
const line = (more: object = {}) => ({
  id: newId(),
  serviceId: mowing,
  name: 'Mowing',
  frequency: 'weekly',
  visits: 10,
  unitPriceCents: 5000,
  ...more,
})
const make = (content: object) =>
  business.api.ok(quotesApi.create, { body: { propertyId, content, title: 'A green season' } as never })
const preview = (id: string, query: object = {}) =>
  business.api.ok(quotesApi.preview, { params: { id }, query: query as never })
const send = async (quote: QuoteRecord) =>
  business.api.ok(quotesApi.send, {
    params: { id: quote.id },
    body: { mail: true, text: false, version: quote.version },
  })

/** The page without what depends on its link and on scripts. */
const read = (html: string, token: string) =>
  html
    .replaceAll(token, 'preview')
    .replace(/<script[^>]*><\/script>/g, '')
    .replaceAll(/(\/files\/[^"?]*)\?[^"]*/g, '$1')

beforeEach(async () => {
  business = await aBusiness()
  const lawn = await aLawn(business)
  propertyId = lawn.propertyId
  await business.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'rebecca@test.swath.test' })
      .where('businessId', '=', business.id)
      .where('id', '=', lawn.customerId)
      .execute(),
  )
  mowing =
    (await business.api.ok(servicesApi.addDefaults, {})).items.find(({ category }) => category === 'mow')?.id ?? ''
})

it('is, of a draft, the very page that its link shows once it is sent, whatever is chosen', async () => {
  const quote = await make({
    packages,
    lines: [
      line(),
      line({ name: 'Mulch', frequency: 'once', visits: 1, unitPriceCents: 30_000, packageIds: ['better'] }),
      line({ name: 'Aeration', frequency: 'once', visits: 1, unitPriceCents: 15_000, optional: true }),
    ],
    deposit: { kind: 'percent', value: 2000 },
    message: 'Thank you for showing us around.',
    terms: 'Either side may end it.',
  })
  const option = quote.content.lines[2]?.id ?? ''
  const before = await preview(quote.id)
  expect(before.problem).toBeNull()
  expect(before.html).toContain('A green season')
  const chosen = await preview(quote.id, { package: 'good', options: option })
  const sent = await send(quote)
  const token = sent.publicPath?.split('/').at(-1) ?? ''
  const page = async (query = '') =>
    read((await stranger.raw({ method: 'GET', url: `${sent.publicPath}${query}` })).text, token)
  expect(await page()).toBe(read(before.html, token))
  expect(await page(`?package=good&options=${option}`)).toBe(read(chosen.html, token))
  expect(chosen.html).toContain('Sign for $650.00')
  // of a sent one the link's own page, without the link
  const after = await preview(quote.id)
  expect(await page()).toBe(after.html)
  expect(after.html).not.toContain(token)
})

it('counts as nobody’s look and has nothing in it that signs', async () => {
  const quote = await send(await make({ lines: [line()] }))
  const { html } = await preview(quote.id)
  const now = await business.api.ok(quotesApi.get, { params: { id: quote.id } })
  expect(now).toMatchObject({ status: 'sent', viewedAt: null, version: quote.version })
  expect(html).not.toContain('<script')
  for (const [, action] of html.matchAll(/action="([^"]*)"/gi)) {
    const answer = await stranger.raw({
      method: 'POST',
      url: action ?? '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ signer: 'Somebody', agree: '1', expected: '50000' }).toString(),
    })
    expect(answer.status).toBe(404)
  }
  expect((await business.api.ok(quotesApi.get, { params: { id: quote.id } })).signature).toBeNull()
})

it('says what stops an unfinished draft from being sent, and shows it all the same', async () => {
  const empty = await preview((await make({ lines: [] })).id)
  expect(empty.problem).toBe('Add at least one line, then send it.')
  expect(empty.html).toContain('A green season')
  const bare = await preview((await make({ lines: [line({ name: 'Hedges', unitPriceCents: null })] })).id)
  expect(bare.problem).toBe('Hedges has no price yet. Set one, then send it.')
})

it('shows a signed one as signed, a new version as it will be, and nothing to others', async () => {
  const quote = await send(await make({ lines: [line()] }))
  const revised = await business.api.ok(quotesApi.revise, {
    params: { id: quote.id },
    body: { version: quote.version },
  })
  const next = await business.api.ok(quotesApi.update, {
    params: { id: quote.id },
    body: { title: 'A greener season', version: revised.version },
  })
  expect((await preview(quote.id)).html).toMatch(/A greener season[\s\S]*Version 2[\s\S]*Sign for \$500\.00/)
  const again = await send(next)
  await business.api.ok(quotesApi.approve, {
    params: { id: quote.id },
    body: {
      signer: 'Rebecca Odom',
      note: 'by phone',
      choice: { packageId: null, lineIds: [] },
      version: again.version,
    },
  })
  const signed = (await preview(quote.id)).html
  expect(signed).toContain('Signed by Rebecca Odom')
  expect(signed).not.toContain('sign-button')
  const clerk = await business.employee()
  expect((await clerk.api.call(quotesApi.preview, { params: { id: quote.id }, query: {} })).status).toBe(403)
  const other = await aBusiness()
  expect((await other.api.call(quotesApi.preview, { params: { id: quote.id }, query: {} })).status).toBe(404)
})

it('shows the photos that were put on it, of this business alone, and not more than it holds', async () => {
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2f7d4f' } })
    .jpeg()
    .toBuffer()
  const add = (bytes: Uint8Array) => business.api.call(quotesApi.addPhoto, { body: bytes as never })
  const { id, url } = (await add(picture)).body
  expect((await stranger.raw({ method: 'GET', url })).status).toBe(200)
  expect((await add(Buffer.from('no picture at all'))).status).toBe(415)
  const quote = await send(await make({ lines: [line()], photoIds: [id] }))
  expect(quote.photos.map((photo) => photo.id)).toEqual([id])
  const page = (await stranger.raw({ method: 'GET', url: quote.publicPath ?? '' })).text
  const shown = /<img src="([^"]*)" alt="Photo 1"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const file = await stranger.raw({ method: 'GET', url: shown })
  expect([file.status, String(file.headers['content-type'])]).toEqual([200, expect.stringMatching(/^image\//)])
  const other = await aBusiness()
  const theirs = (await other.api.call(quotesApi.addPhoto, { body: picture as never })).body.id
  const update = (photoIds: string[]) =>
    business.api.call(quotesApi.create, {
      body: { propertyId, title: 'Photos', content: { lines: [line()], photoIds } } as never,
    })
  expect((await update([theirs])).status).toBe(404)
  expect((await update(Array.from({ length: most.photos + 1 }, () => id))).status).toBe(422)
})
