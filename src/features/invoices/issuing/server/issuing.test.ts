import { expect, it } from 'vitest'
import { stranger } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { readPdf } from '../../../../test/papers.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { customersApi } from '../../../customers/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { invoicesApi } from '../../contract.ts'
import { printingApi } from '../../printing/contract.ts'
import { rulesVersion } from '../../rules.ts'

it('an issued invoice keeps who wrote it and its terms, on paper and on its page, when the business moves; a draft follows', async () => {
  const own = await aBusiness({ name: 'Oak Street Lawns' })
  const be = async (changes: object) => {
    const { version } = await own.api.ok(businessesApi.get, {})
    await own.api.ok(businessesApi.update, { body: { ...changes, version } })
  }
  await be({ street: '1 Oak St', invoiceTerms: 'Due in 14 days.' })
  const { id: customerId } = await own.api.ok(customersApi.create, { body: { name: 'Rebecca Odom' } })
  const made = async () =>
    (
      await own.api.ok(invoicesApi.create, {
        body: { customerId, lines: [{ description: 'Mulch', quantity: 1, unitPriceCents: 5000 }] },
      })
    ).id
  const [issued, draft] = [await made(), await made()]
  const { publicPath } = await own.api.ok(invoicesApi.issue, { params: { id: issued } })
  await be({ name: 'Elm Street Lawns', street: '2 Elm St', invoiceTerms: 'Due at once.', phone: '(912) 555-0134' })
  const wordsOf = async (id: string) =>
    (await readPdf((await own.api.raw({ method: 'GET', url: `/api/invoices/${id}/pdf` })).bytes)).flat().join(' ')
  const old = /Oak Street Lawns.*1 Oak St.*Due in 14 days\./
  expect(await wordsOf(issued)).toMatch(old)
  // who has a question reaches them where they are today
  expect(await wordsOf(issued)).toContain('(912) 555-0134')
  expect(await wordsOf(draft)).toMatch(/Elm Street Lawns.*2 Elm St.*Due at once\./)
  const token = (publicPath ?? '').split('/').at(-1) ?? ''
  expect(await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).toMatchObject({
    business: { name: 'Oak Street Lawns', street: '1 Oak St' },
    terms: 'Due in 14 days.',
  })
  // by which rules of reckoning it was issued
  const rulesOf = async (id: string) =>
    own.db((db) =>
      db
        .selectFrom('invoices')
        .select('rulesVersion')
        .where('businessId', '=', own.id)
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    )
  expect([(await rulesOf(issued)).rulesVersion, (await rulesOf(draft)).rulesVersion]).toEqual([rulesVersion, null])
  await own.api.ok(invoicesApi.issue, { params: { id: draft } })
  const both = await own.api.raw({
    method: 'POST',
    url: printingApi.printMany.path,
    payload: { filter: { view: 'unsent' } },
  })
  const pages = (await readPdf(both.bytes)).map((page) => page.join(' '))
  expect(pages).toEqual([expect.stringMatching(old), expect.stringMatching(/Elm Street Lawns.*2 Elm St/)])
})
