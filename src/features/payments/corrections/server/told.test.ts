import { beforeAll, describe, expect, it } from 'vitest'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../contract.ts'

/** A credit note that the office writes is read by its customer, once, unless the office says no. */

let own: TestBusiness
beforeAll(async () => {
  own = await aBusiness()
})

const aCustomer = async (name = 'Ann Lee') => {
  const { customerId } = await aLawn(own)
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ name, email: `${customerId}@test.swath.test` })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  return customerId
}
const anIssued = async (customerId: string, cents: number) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  return own.api.ok(invoicesApi.issue, { params: { id } })
}
/** The mails about credit notes that a customer has, with the names of what is attached. */
const notesTo = async (customerId: string) => {
  await runTasks()
  return own.db((db) =>
    db
      .selectFrom('messages')
      .select(['subject', 'bodyText as body'])
      .where('businessId', '=', own.id)
      .where('customerId', '=', customerId)
      .where('dedupeKey', 'like', '%:credit-note%')
      .execute(),
  )
}

describe('a credit note by hand', () => {
  it('over part of an invoice is mailed with what is taken off', async () => {
    const customerId = await aCustomer()
    const { id, number } = await anIssued(customerId, 8000)
    await own.api.ok(correctionsApi.creditInvoice, {
      params: { id },
      body: { amountCents: 2000, reason: 'The back yard was not mowed' },
    })
    const [mail, ...more] = await notesTo(customerId)
    expect(more).toEqual([])
    expect(mail?.subject).toContain('A credit of $20.00')
    expect(mail?.body).toContain('Hello Ann,')
    expect(mail?.body).toContain(`We credited you $20.00 for INV-${number}.`)
    expect(mail?.body).toContain('The back yard was not mowed')
    expect(mail?.body).toContain(`$20.00 of it is taken off INV-${number}.`)
    await runTasks()
    expect(await notesTo(customerId)).toHaveLength(1)
  })

  it('that no invoice asks for is mailed to a church by its whole name', async () => {
    const customerId = await aCustomer('First Baptist Church')
    await own.api.ok(correctionsApi.giveCredit, {
      params: { id: customerId },
      body: { amountCents: 1500, reason: 'The mower cut the hose' },
    })
    const [mail] = await notesTo(customerId)
    expect(mail?.body).toContain('Hello First Baptist Church,')
    expect(mail?.body).toContain('$15.00 of it is kept for you')
  })

  it('is kept quiet where the office says so, also where it closes an invoice', async () => {
    const customerId = await aCustomer()
    await own.api.ok(correctionsApi.giveCredit, {
      params: { id: customerId },
      body: { amountCents: 1500, reason: 'Talked about it', tell: false },
    })
    const { id } = await anIssued(await aCustomer(), 3000)
    const { invoices } = await own.api.ok(correctionsApi.creditInvoice, {
      params: { id },
      body: { amountCents: 3000, reason: 'Not mowed', tell: false },
    })
    expect(invoices[0]?.status).toBe('paid')
    expect(await notesTo(customerId)).toEqual([])
    const closed = await own.api.ok(invoicesApi.get, { params: { id } })
    expect(await notesTo(closed.customer.id)).toEqual([])
    expect((await own.api.ok(invoicesApi.get, { params: { id } })).mails).toEqual([])
  })

  it('over more than is open says what is taken off, what is kept and why, in one mail that stands on the invoice', async () => {
    const customerId = await aCustomer()
    const { id, number } = await anIssued(customerId, 3000)
    await own.api.ok(paymentsApi.recordPayment, {
      params: { id },
      body: { method: 'check', amountCents: 2000, receivedOn: today() },
    })
    await runTasks()
    await own.api.ok(correctionsApi.creditInvoice, { params: { id }, body: { amountCents: 2500, reason: 'Not mowed' } })
    const [mail, ...more] = await notesTo(customerId)
    expect(more).toEqual([])
    for (const words of [
      'Not mowed',
      `$10.00 of it is taken off INV-${number}.`,
      '$15.00 of it is kept for you',
      `Nothing of INV-${number} is open any more.`,
    ])
      expect(mail?.body).toContain(words)
    const { mails } = await own.api.ok(invoicesApi.get, { params: { id } })
    expect(mails.filter(({ kind }) => kind === 'credit_note')).toHaveLength(1)
    // the payment's own receipt, and nothing else about the credit
    expect(mails).toHaveLength(2)
  })
})
