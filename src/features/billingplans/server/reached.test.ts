import { expect, it } from 'vitest'
import { runTasks } from '../../../test/api.ts'
import { aPlanBusiness } from '../../../test/billing-plans.ts'
import { messagesApi } from '../../messages/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { billingPlansApi } from '../contract.ts'

const { api, of, on, bill, aCustomer, start, preview } = aPlanBusiness()

it('who has their papers by text has the invoice of a month by text', async () => {
  await on('2027-03-20')
  const { customerId } = await aCustomer()
  await of().db((db) =>
    db
      .updateTable('customers')
      .set({ email: null, paperWay: 'text', phone: '+19125550177' })
      .where('businessId', '=', of().id)
      .where('id', '=', customerId)
      .execute(),
  )
  await start(customerId)
  await bill('2027-04-01')
  await runTasks()
  const { items } = await api.ok(messagesApi.list, { query: { channel: 'sms' } })
  expect(items.map(({ text }) => text)).toEqual([expect.stringContaining('INV-')])
  const { notifications } = await api.ok(notificationsApi.list, {})
  expect(notifications.filter(({ title }) => title.includes('has a new invoice of'))).toEqual([])
})

it('who has their papers by text hears of their plan, of its change and of its end by text, in their language', async () => {
  await on('2027-03-20')
  const textsOf = async (customerId: string) => {
    await runTasks()
    const { items } = await api.ok(messagesApi.list, { query: { channel: 'sms' } })
    return items.filter((one) => one.customer?.id === customerId).map(({ text }) => text)
  }
  const { customerId } = await aCustomer()
  await of().db((db) =>
    db
      .updateTable('customers')
      .set({ paperWay: 'text', phone: '+19125550178', language: 'es' })
      .where('businessId', '=', of().id)
      .where('id', '=', customerId)
      .execute(),
  )
  expect((await preview(customerId)).reach).toMatchObject({ mail: null, text: '+19125550178' })
  const plan = await start(customerId, { tell: true })
  expect(await textsOf(customerId)).toEqual([expect.stringMatching(/8 facturas, \$[\d,.]+ en total; la proxima es de/)])
  const { lines, listCents } = plan
  await api.ok(billingPlansApi.change, {
    params: { id: plan.id },
    body: {
      version: plan.version,
      lineIds: lines.map(({ lineId }) => lineId),
      seasonCents: listCents - 8000,
      reason: 'Menos cortes.',
      tell: true,
      expectedListCents: listCents,
    },
  })
  expect(await textsOf(customerId)).toContainEqual(expect.stringContaining('Su monto mensual cambia: Menos cortes.'))
  await bill('2027-04-01')
  const found = await api.ok(billingPlansApi.settlement, { params: { id: plan.id }, query: {} })
  expect(found.choices).toContain('credit')
  const settled = await api.ok(billingPlansApi.settle, {
    params: { id: plan.id },
    body: { choice: 'credit', reason: '', send: true, expectedTotalCents: found.totalCents },
  })
  expect(settled.can.undoSettlement).toBe(false)
  expect(await textsOf(customerId)).toContainEqual(expect.stringContaining('queda ajustado'))
})

it('a first bill day that is past is told as today, on which it is billed, and a season paid ahead is not told as paid', async () => {
  await on('2027-03-20')
  const { customerId } = await aCustomer()
  await of().db((db) =>
    db
      .updateTable('customers')
      .set({ paperWay: 'text', phone: '+19125550179' })
      .where('businessId', '=', of().id)
      .where('id', '=', customerId)
      .execute(),
  )
  await start(customerId, { kind: 'prepaid', months: ['2027-03'], billDay: 1, tell: true })
  await runTasks()
  const { items } = await api.ok(messagesApi.list, { query: { channel: 'sms' } })
  const told = items.filter((one) => one.customer?.id === customerId).map(({ text }) => text)
  expect(told).toContainEqual(expect.stringMatching(/to pay ahead, with one invoice that comes Sat, Mar 20/))
  expect(told.join()).not.toContain('is paid ahead')
})
