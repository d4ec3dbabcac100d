import { describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { receiveText } from '../../../messages/server/inbound/commands.ts'
import { customersApi } from '../../contract.ts'
import { contactsApi } from '../contract.ts'
import { mostContacts } from '../rules.ts'

const [own, beth] = ['ann@oak.test', 'beth@oak.test']
const bethsPhone = '+19125550188'

const aCustomer = async () => {
  const business = await aBusiness({ name: 'Green Lawns' })
  const { customerId } = await aLawn(business)
  const { version } = await business.api.ok(customersApi.get, { params: { id: customerId } })
  await business.api.ok(customersApi.update, {
    params: { id: customerId },
    body: { email: own, phone: '(912) 555-0101', version },
  })
  return { business, customerId, api: business.api }
}
const add = (business: TestBusiness, customerId: string, body: Record<string, unknown>) =>
  business.api.call(contactsApi.add, { params: { id: customerId }, body: body as never })

const sendInvoice = async (business: TestBusiness, customerId: string) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
  const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, termsDays: 14, lines } })
  const invoice = await business.api.ok(invoicesApi.send, { params: { id } })
  await runTasks()
  const { items } = await business.api.ok(messagesApi.list, { query: { limit: 50, customerId } })
  return { invoice, to: items.filter((m) => m.direction === 'outbound').map((m) => m.address) }
}

describe('contacts', () => {
  it('are added, changed and removed; the last word counts', async () => {
    const { business, customerId, api } = await aCustomer()
    const made = await add(business, customerId, {
      name: 'Beth Cole',
      role: 'billing',
      email: 'BETH@oak.test',
      invoicesBy: 'email',
    })
    const contact = (made.body as { items: { id: string; version: number }[] }).items[0]!
    expect(contact).toMatchObject({ name: 'Beth Cole', email: beth, invoicesBy: 'email', visitsBy: null })
    const changed = await api.ok(contactsApi.update, {
      params: { id: contact.id },
      body: { visitsBy: 'email', version: contact.version },
    })
    expect(changed.items[0]).toMatchObject({ visitsBy: 'email', version: 2 })
    const late = await api.call(contactsApi.update, {
      params: { id: contact.id },
      body: { name: 'Elizabeth', version: contact.version },
    })
    expect(late.status).toBe(409)
    expect((await api.ok(contactsApi.remove, { params: { id: contact.id } })).items).toEqual([])
  })

  it('need a way to be reached, and each chosen way its address', async () => {
    const { business, customerId } = await aCustomer()
    expect((await add(business, customerId, { name: 'Nobody' })).status).toBe(422)
    const mail = await add(business, customerId, { name: 'Beth', phone: bethsPhone, invoicesBy: 'email' })
    expect(mail.status).toBe(422)
    expect(JSON.stringify(mail.body)).toContain('That needs an e-mail')
  })

  it('are at most twenty', async () => {
    const { business, customerId } = await aCustomer()
    for (let i = 0; i < mostContacts; i++)
      expect((await add(business, customerId, { name: `Contact ${i}`, email: `c${i}@oak.test` })).status).toBe(200)
    expect((await add(business, customerId, { name: 'One more', email: 'more@oak.test' })).status).toBe(409)
  })
})

describe('what is sent', () => {
  it('goes to the customer and to the contact who gets invoices, once to each address', async () => {
    const { business, customerId } = await aCustomer()
    await add(business, customerId, { name: 'Beth Cole', email: beth, invoicesBy: 'email' })
    await add(business, customerId, { name: 'Gate keeper', phone: '(912) 555-0177', visitsBy: 'text' })
    const { invoice, to } = await sendInvoice(business, customerId)
    expect(to.sort()).toEqual([own, beth])
    expect(invoice.reach).toMatchObject({ mail: own, also: ['Beth Cole'] })
  })

  it('leaves out a customer whose bills somebody else pays', async () => {
    const { business, customerId, api } = await aCustomer()
    await add(business, customerId, { name: 'Beth Cole', email: beth, invoicesBy: 'email' })
    const { version } = await api.ok(customersApi.get, { params: { id: customerId } })
    await api.ok(customersApi.update, { params: { id: customerId }, body: { gets: ['visits', 'quotes'], version } })
    expect((await sendInvoice(business, customerId)).to).toEqual([beth])
  })

  it('by text ends for the phone that says STOP, and for no other; its words come into the thread', async () => {
    const { business, customerId, api } = await aCustomer()
    await add(business, customerId, { name: 'Beth Cole', phone: bethsPhone, invoicesBy: 'text' })
    expect((await sendInvoice(business, customerId)).to.sort()).toEqual([bethsPhone, own].sort())
    await receiveText(business.id, { from: bethsPhone, body: 'STOP', providerId: newId(), provider: 'local' })
    const { items } = await api.ok(messagesApi.list, { query: { limit: 50, customerId } })
    expect(items.filter((m) => m.direction === 'inbound').map((m) => m.text)).toEqual(['STOP'])
    const [contact] = (await api.ok(contactsApi.list, { params: { id: customerId } })).items
    expect(contact?.noTexts).toBeTruthy()
    const after = await sendInvoice(business, customerId)
    expect(after.to.filter((address) => address === bethsPhone)).toHaveLength(1)
    expect(after.to.filter((address) => address === own)).toHaveLength(2)
  })
})
