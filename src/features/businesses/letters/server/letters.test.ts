import { expect, it } from 'vitest'
import { mailsTo } from '../../../../test/account.ts'
import { type Api, runTasks } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { customersApi } from '../../../customers/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { portalApi } from '../../../portal/contract.ts'
import { quotesApi } from '../../../quotes/contract.ts'
import { servicesApi } from '../../../services/contract.ts'
import { defaultServices } from '../../../services/defaults/rules.ts'

/** Every mail of a business to its customers ends the same way, and leads to the portal where there is one. */

const aCustomer = async (api: Api, name: string, language: 'en' | 'es', email: string) => {
  const { id } = await api.ok(customersApi.create, {
    body: { name, email, language, allowDuplicate: true, property: { street: '1 Oak St', zip: '31401' } },
  })
  const { properties } = await api.ok(customersApi.get, { params: { id } })
  return { id, propertyId: properties[0]?.id ?? '' }
}

const write = async (api: Api, { id, propertyId }: { id: string; propertyId: string }, serviceId: string) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
  const invoice = await api.ok(invoicesApi.create, { body: { customerId: id, termsDays: 14, lines } })
  await api.ok(invoicesApi.send, { params: { id: invoice.id } })
  const content = { lines: [{ id: 'mow', serviceId, name: 'Mowing', unitPriceCents: 5000 }] }
  const quote = await api.ok(quotesApi.create, { body: { propertyId, content } })
  await api.ok(quotesApi.send, { params: { id: quote.id }, body: { mail: true, text: false, version: quote.version } })
  await runTasks()
}

it('leads to the portal from invoices and quotes in the language of the customer, and not while it is off', async () => {
  const own = await aBusiness()
  const { api } = own
  const [first] = defaultServices
  const service = await api.ok(servicesApi.create, { body: first as never })
  const { url, version } = await api.ok(portalApi.settings, {})
  await write(api, await aCustomer(api, 'Ann', 'en', 'ann@oak.test'), service.id)
  await write(api, await aCustomer(api, 'Ana', 'es', 'ana@oak.test'), service.id)
  const texts = async (address: string) => (await mailsTo(own.id, address)).map((mail) => mail.bodyText)
  const [english, spanish] = [await texts('ann@oak.test'), await texts('ana@oak.test')]
  expect([english.length, spanish.length]).toEqual([2, 2])
  for (const text of english) expect(text).toContain(`Your visits, bills and quotes in one place: ${url}`)
  for (const text of spanish) expect(text).toContain(`en un solo lugar: ${url}`)

  await api.ok(portalApi.saveSettings, { body: { version, enabled: false } })
  await write(api, await aCustomer(api, 'Bea', 'en', 'bea@oak.test'), service.id)
  const without = await texts('bea@oak.test')
  expect(without).toHaveLength(2)
  for (const text of without) expect(text).not.toContain('/portal/')
})

it('does not lead there from the mail that signs in: its button does', async () => {
  const own = await aBusiness()
  const ann = await aCustomer(own.api, 'Ann', 'en', 'ann@oak.test')
  await own.api.ok(portalApi.sendLink, { params: { id: ann.id }, body: { by: 'email' } })
  await runTasks()
  const [mail] = await mailsTo(own.id, 'ann@oak.test')
  expect(mail?.bodyText.match(/\/portal\//g)).toHaveLength(1)
  expect(mail?.bodyText).toContain('good for 20 minutes')
})
