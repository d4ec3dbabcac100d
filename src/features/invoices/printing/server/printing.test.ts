import { expect, it } from 'vitest'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { readPdf } from '../../../../test/papers.ts'
import { customersApi } from '../../../customers/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { invoicesApi } from '../../contract.ts'
import { printingApi } from '../contract.ts'
import { mostPrinted, nothingToPrint } from '../rules.ts'

const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents: 5000 }]

const draft = async (own: TestBusiness, email: string | null) => {
  const customer = { name: 'Rebecca Odom', ...(email ? { email } : {}) }
  const { id: customerId } = await own.api.ok(customersApi.create, { body: { ...customer, allowDuplicate: true } })
  return (await own.api.ok(invoicesApi.create, { body: { customerId, lines } })).id
}
const issued = async (own: TestBusiness, email: string | null) => {
  const id = await draft(own, email)
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const unsent = async (own: TestBusiness) => {
  const { items, counts } = await own.api.ok(invoicesApi.list, {
    query: { view: 'unsent', sort: 'number', order: 'asc' },
  })
  expect(counts.unsent).toBe(items.length)
  return items.map(({ id }) => id)
}
const print = (own: TestBusiness, body: object) =>
  own.api.raw({
    method: 'POST',
    url: printingApi.printMany.path,
    payload: body,
  })

it('what nothing carried is printed together, each on a page of its own, and waits no more', async () => {
  const own = await aBusiness()
  const [first, second] = [await issued(own, null), await issued(own, null)]
  const mailed = await issued(own, 'anna@test.swath.test')
  const open = await draft(own, null)
  // its link was handed over, and opened
  const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id: await issued(own, null) } })
  await stranger.ok(paymentsApi.viewed, { params: { token: (publicPath ?? '').split('/').at(-1) ?? '' } })
  await own.api.ok(invoicesApi.send, { params: { id: mailed } })
  await runTasks()
  expect(await unsent(own)).toEqual([first, second])
  const answer = await print(own, { filter: { view: 'unsent' } })
  expect(answer.status).toBe(200)
  const pages = await readPdf(answer.bytes)
  expect(pages.map((page) => page.join(' ').match(/INV-\d+/)?.[0])).toEqual(['INV-1001', 'INV-1002'])
  expect(await unsent(own)).toEqual([])
  expect((await own.api.ok(invoicesApi.get, { params: { id: first } })).printedAt).not.toBeNull()
  // a draft among them is left out, and alone it is said why
  expect((await readPdf((await print(own, { ids: [first, open] })).bytes)).length).toBe(1)
  const refused = await print(own, { ids: [open] })
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(nothingToPrint)])
  expect((await own.api.ok(invoicesApi.get, { params: { id: open } })).printedAt).toBeNull()
})

it('prints nothing of another business, and no more than one file holds', async () => {
  const [own, other] = [await aBusiness(), await aBusiness()]
  const id = await issued(own, null)
  expect((await print(other, { ids: [id] })).status).toBe(404)
  expect(await unsent(own)).toEqual([id])
  expect(mostPrinted).toBe(200)
})
