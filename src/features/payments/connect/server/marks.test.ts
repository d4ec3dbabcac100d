import { expect, it } from 'vitest'
import { failLocalRefund } from '../../../../local/payments/checkout.ts'
import { database } from '../../../../platform/db/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { runTasks } from '../../../../test/api.ts'
import { aCustomer, accountOf, anIssuedInvoice, openPage, payPage } from '../../../../test/cards.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { processRefundEvent } from '../../corrections/server/tasks.ts'
import { connectApi } from '../contract.ts'

/** What carries the mark of another business, or comes from another account, changes nothing. */

it('an account that carries the mark of another business is not read', async () => {
  const [own, other] = [await aBusiness(), await aBusiness()]
  const id = await accountOf(own)
  const mark = (businessId: string) =>
    database()
      .updateTable('localBillingObjects')
      .set({ payload: JSON.stringify({ businessId, name: 'Green', state: 'paused', removed: false }) })
      .where('id', '=', id)
      .execute()
  await mark(other.id)
  expect((await own.api.ok(connectApi.syncAccount, {})).state).toBe('ready')
  await mark(own.id)
  expect((await own.api.ok(connectApi.syncAccount, {})).state).toBe('paused')
})

it('a refund fails by word of the account that took its payment, and of no other', async () => {
  const [own, other] = [await aBusiness(), await aBusiness()]
  const { token } = await anIssuedInvoice(own, await aCustomer(own), 5500)
  await payPage(await openPage(token))
  await runTasks()
  const one = <T>(rows: readonly T[]): T => {
    const [row] = rows
    if (!row) throw new Error('There is none.')
    return row
  }
  const payment = one(
    await own.db((db) => db.selectFrom('payments').select('id').where('businessId', '=', own.id).execute()),
  )
  await own.api.ok(correctionsApi.refundPayment, {
    params: { id: payment.id },
    body: { amountCents: 1000, method: 'card', onDay: today(), reason: 'Sorry', creditInvoices: false },
  })
  await runTasks()
  const refund = async () =>
    one(
      await own.db((db) =>
        db.selectFrom('refunds').select(['status', 'providerRefundId']).where('businessId', '=', own.id).execute(),
      ),
    )
  const id = (await refund()).providerRefundId ?? ''
  await failLocalRefund(id)
  const tell = async (account: string) => {
    const payload = { data: { object: { id } } }
    await processRefundEvent({ provider: 'stripe', account, eventId: newId(), type: 'refund.failed', payload })
    return (await refund()).status
  }
  expect(await tell(await accountOf(other))).toBe('succeeded')
  expect(await tell(await accountOf(own))).toBe('failed')
})
