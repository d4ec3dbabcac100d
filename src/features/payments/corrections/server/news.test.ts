import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, formatDay } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../contract.ts'

/** What customer and office hear when nothing of an invoice is open any more: what happened, and nothing else. */

let own: TestBusiness
beforeAll(async () => {
  own = await aBusiness()
})

const aCustomer = async () => {
  const { customerId } = await aLawn(own)
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: `${customerId}@test.swath.test` })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  return customerId
}
const anIssued = async (customerId: string, cents: number) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const pay = (id: string, amountCents: number, receivedOn = today()) =>
  own.api.ok(paymentsApi.recordPayment, { params: { id }, body: { method: 'check', amountCents, receivedOn } })
const read = (id: string) => own.api.ok(invoicesApi.get, { params: { id } })
const pageOf = async (id: string) =>
  own.api.ok(paymentsApi.publicInvoice, { params: { token: (await read(id)).publicPath?.split('/').at(-1) ?? '' } })
const heard = async (id: string) => {
  await runTasks()
  const { number } = await read(id)
  const { items } = await own.api.ok(messagesApi.list, { query: { channel: 'email' } })
  const { notifications } = await own.api.ok(notificationsApi.list, {})
  const name = `INV-${number}`
  return {
    mails: items
      .filter(({ subject }) => subject.includes(name))
      .map(({ subject, text }) => ({ subject: subject.replace(name, 'it'), text: text.replaceAll(name, 'it') })),
    office: notifications
      .filter(({ title }) => title.includes(name))
      .map(({ title, content }) => [title.slice(title.search(/ (paid|covers) /) + 1).replace(name, 'it'), content]),
  }
}

describe('nothing is open any more', () => {
  it('because the last part came: its own sum and day are told', async () => {
    const id = await anIssued(await aCustomer(), 11_000)
    const before = addDays(today(), -1)
    await pay(id, 7500, before)
    await pay(id, 3500, before)
    const { mails, office } = await heard(id)
    expect(mails[0]?.subject).toContain('Paid: it')
    expect(mails[0]?.text).toContain(
      `Your payment of $35.00 for it arrived on ${formatDay(before, { long: true, year: true })}; nothing is open.`,
    )
    expect(office).toEqual([['paid the rest of it', '$35.00']])
  })

  it('because it was credited: nobody has paid, the customer reads what was credited', async () => {
    const id = await anIssued(await aCustomer(), 13_391)
    await own.api.ok(correctionsApi.creditInvoice, {
      params: { id },
      body: { amountCents: 13_391, reason: 'The work was not done' },
    })
    const { mails, office } = await heard(id)
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('A credit of $133.91 for it')])
    expect(mails[0]?.text).toContain('We credited you $133.91 for it.')
    expect(mails[0]?.text).toContain('Nothing of it is open any more.')
    expect(mails[0]?.text).not.toMatch(/Thank you|has arrived|Paid so far/)
    expect(office).toEqual([[expect.stringMatching(/^covers it of /), '$133.91']])
    expect(await pageOf(id)).toMatchObject({ paidCents: 13_391, creditedCents: 13_391 })
  })

  it('because credit that was there pays it: that is told, and money that comes after it was taken back is thanked for', async () => {
    const customerId = await aCustomer()
    const given = await own.api.ok(correctionsApi.giveCredit, {
      params: { id: customerId },
      body: { amountCents: 1000, reason: 'Sorry' },
    })
    const id = await anIssued(customerId, 1000)
    await own.api.ok(correctionsApi.useCredit, { params: { id }, body: { amountCents: 1000 } })
    const { mails, office } = await heard(id)
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('Paid by your credit: it')])
    expect(mails[0]?.text).toContain('$10.00 of your credit with us pays it.')
    expect(office).toEqual([['covers it', '$10.00']])
    await own.api.ok(correctionsApi.reversePayment, {
      params: { id: given.paymentId ?? '' },
      body: { reason: 'Of somebody else' },
    })
    await pay(id, 1000)
    const after = await heard(id)
    expect([after.mails.length, after.office.length]).toEqual([2, 2])
    expect(after.mails.some(({ subject }) => subject.includes('Paid: it'))).toBe(true)
    // what was on it once stands on its record
    expect((await read(id)).earlier).toMatchObject([{ kind: 'came', method: 'credit', amountCents: 1000 }])
  })

  it('because nothing was charged: the mail asks for nothing', async () => {
    const customerId = await aCustomer()
    const lines = [{ description: 'Second look', quantity: 1, unitPriceCents: 0 }]
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await own.api.ok(invoicesApi.send, { params: { id } })
    const { mails } = await heard(id)
    expect(mails[0]?.subject).toMatch(/: nothing to pay$/)
    expect(mails[0]?.text).toContain('Nothing is charged on it')
    expect(mails[0]?.text).not.toMatch(/due |See and pay/)
  })
})

it('a credit note on a paid invoice stands on its record, and its paper tells credit from money', async () => {
  const id = await anIssued(await aCustomer(), 8000)
  await pay(id, 6000)
  await own.api.ok(correctionsApi.creditInvoice, {
    params: { id },
    body: { amountCents: 5000, reason: 'Missed a bed' },
  })
  const invoice = await read(id)
  expect(invoice).toMatchObject({ status: 'paid', paidCents: 8000, creditedCents: 2000 })
  expect(invoice.earlier).toMatchObject([{ kind: 'credit_note', amountCents: 3000, reason: 'Missed a bed' }])
  expect(invoice.earlier[0]?.creditNote).toMatch(/^CN-\d+$/)
})
