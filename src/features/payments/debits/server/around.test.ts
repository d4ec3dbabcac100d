import { afterEach, beforeEach, expect, it } from 'vitest'
import { resetClock } from '../../../../platform/clock.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBankBusiness, passDays, payByBank, payFromBank } from '../../../../test/bank.ts'
import { aCardClock, aCustomer, anInvoice, invoiceOf, office, subjects } from '../../../../test/cards.ts'
import { setTips } from '../../../../test/tips.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'

/** What happens around money that is on its way from a bank. */

const at = aCardClock()
beforeEach(at.begin)
afterEach(resetClock)

it('credit by rule leaves an invoice alone whose money is on its way: nobody is told that they paid twice', async () => {
  const own = await aBankBusiness()
  await own.db((db) => db.updateTable('businesses').set({ useCredit: true }).where('businessId', '=', own.id).execute())
  const customerId = await aCustomer(own)
  const { id, token } = await anInvoice(own, customerId)
  await payByBank(token)
  const api = await office(own)
  await api.ok(correctionsApi.giveCredit, {
    params: { id: customerId },
    body: { amountCents: 4000, reason: 'Flower bed' },
  })
  await runTasks()
  expect(await invoiceOf(own, id)).toMatchObject({ status: 'issued', balanceCents: 5000 })
  at.onDay(5)
  await passDays(own)
  expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', creditedCents: 0 })
  expect((await subjects(own)).filter((subject) => subject.includes('too much'))).toEqual([])
  expect(await own.db(compareBooks)).toEqual([])
})

it('a tip is part of what the bank was asked for, and both sides read so', async () => {
  const own = await aBankBusiness()
  await setTips(own, 'percent')
  const { token } = await anInvoice(own, await aCustomer(own))
  const { url } = await stranger.ok(paymentsApi.payWithTip, { params: { token }, body: { tipCents: 500 } })
  expect((await payFromBank(url)).status).toBe(200)
  await runTasks()
  const { notifications } = await (await office(own)).ok(notificationsApi.list, { query: {} })
  expect(notifications.map(({ title }) => title)).toContainEqual(
    expect.stringMatching(/^A bank payment of \$55\.00 from /),
  )
})
