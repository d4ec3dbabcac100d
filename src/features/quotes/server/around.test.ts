import { beforeEach, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { stranger } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aLawn, today } from '../../../test/field.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { searchApi } from '../../search/contract.ts'
import { servicesApi } from '../../services/contract.ts'
import { timelineApi } from '../../timeline/contract.ts'
import { quotesApi } from '../contract.ts'
import { quoteTemplatesApi } from '../templates/contract.ts'

/** Where quotes stand beside their own screens: on the customer, in the search, under what needs somebody. */

let business: TestBusiness
let customerId: string
let propertyId: string
let mowing: string
let archivedService: string

beforeEach(async () => {
  business = await aBusiness()
  ;({ customerId, propertyId } = await aLawn(business))
  await business.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'rebecca@test.swath.test' })
      .where('businessId', '=', business.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  mowing = items.find(({ category }) => category === 'mow')?.id ?? ''
  archivedService = newId()
})

const line = () => ({ id: newId(), serviceId: mowing, name: 'Mowing', unitPriceCents: 5000 })
const sent = async (more: object = {}) => {
  const draft = await business.api.ok(quotesApi.create, {
    body: { propertyId, title: 'A green season', content: { lines: [line()] }, ...more } as never,
  })
  return business.api.ok(quotesApi.send, {
    params: { id: draft.id },
    body: { mail: true, text: false, version: draft.version },
  })
}
const post = (path: string, fields: Record<string, string>) =>
  stranger.raw({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mozilla/5.0 Safari' },
    payload: new URLSearchParams(fields).toString(),
  })
const needs = async () =>
  (await business.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'quote').map(({ title }) => title)

it('what happened to a quote stands in the timeline of its customer, for who sees money', async () => {
  const quote = await sent()
  await post(`${quote.publicPath}/changes`, { words: 'Every two weeks, please' })
  const params = { id: customerId }
  const { items } = await business.api.ok(timelineApi.list, { params, query: { kind: 'quote' } as never })
  expect(items.map(({ title, text }) => [title, text])).toEqual([
    ['Q-1001: they ask for changes', 'Every two weeks, please'],
    ['Q-1001: sent', 'A green season'],
  ])
  expect(items[0]?.path).toContain(quote.id)
  const clerk = await aPerson(business.id, 'Admin', { permissions: ['schedule', 'customers'] })
  const seen = await clerk.api.ok(timelineApi.list, { params, query: {} as never })
  expect(seen.items.filter(({ kind }) => kind === 'quote')).toEqual([])
})

it('is found by its number and its words, by who sees money', async () => {
  await sent()
  const find = async (q: string, api = business.api) =>
    (await api.ok(searchApi.find, { query: { q } })).results.filter(({ kind }) => kind === 'quote')
  for (const q of ['Q-1001', '1001', 'q 100', 'green sea'])
    expect((await find(q)).map(({ title }) => title)).toEqual(['Q-1001 A green season'])
  expect(await find('2002')).toEqual([])
  const clerk = await aPerson(business.id, 'Admin', { permissions: ['schedule', 'customers'] })
  expect(await find('1001', clerk.api)).toEqual([])
})

it('needs somebody where changes are asked, a signature waits for its job, or it expires by tomorrow', async () => {
  await sent()
  const changes = await sent()
  await post(`${changes.publicPath}/changes`, { words: 'Every two weeks, please' })
  const signed = await sent()
  await post(`${signed.publicPath}/sign`, { signer: 'Rebecca Odom', agree: '1', expected: String(signed.totalCents) })
  await sent({ validUntil: addDays(today(), 1) })
  expect((await needs()).toSorted()).toEqual([
    'Q-1002 Rebecca Odom asks for changes',
    'Q-1003 Rebecca Odom is signed and no job yet',
    'Q-1004 Rebecca Odom expires tomorrow',
  ])
  const now = await business.api.ok(quotesApi.get, { params: { id: signed.id } })
  await business.api.ok(quotesApi.convert, {
    params: { id: signed.id },
    body: { startOn: today(), version: now.version },
  })
  expect(await needs()).toHaveLength(2)
})

it('the lines of a template are changed; what contradicts itself or is of nobody is refused and changes nothing', async () => {
  const made = await business.api.ok(quoteTemplatesApi.create, { body: { name: 'Usual' } })
  const update = (lines: object[], version: number) =>
    business.api.call(quoteTemplatesApi.update, { params: { id: made.id }, body: { lines, version } as never })
  const one = line()
  expect((await update([one, one], made.version)).status).toBe(422)
  expect((await update([{ ...line(), serviceId: archivedService }], made.version)).status).toBe(404)
  expect((await update([{ ...line(), name: '' }], made.version)).status).toBe(422)
  expect((await update([one, line()], made.version)).status).toBe(200)
  const [kept] = (await business.api.ok(quoteTemplatesApi.list, {})).items
  expect(kept?.content.lines).toHaveLength(2)
  expect((await update([], made.version)).status).toBe(409)
})
