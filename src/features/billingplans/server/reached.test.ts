import { expect, it } from 'vitest'
import { runTasks } from '../../../test/api.ts'
import { aPlanBusiness } from '../../../test/billing-plans.ts'
import { messagesApi } from '../../messages/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'

const { api, of, on, bill, aCustomer, start } = aPlanBusiness()

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
