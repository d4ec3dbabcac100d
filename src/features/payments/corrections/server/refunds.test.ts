import { expect, it } from 'vitest'
import { failLocalRefund } from '../../../../local/payments/checkout.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { database } from '../../../../platform/db/database.ts'
import { providerNamed } from '../../../../platform/payments/providers.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aCustomer, accountOf, anInvoice, bookedIds, invoiceOf, openPage, payPage } from '../../../../test/cards.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../contract.ts'
import { compareBooks } from './queries.ts'
import { processRefundEvent, refundWork } from './tasks.ts'

it('by card goes back through the provider, once, and is booked again when the bank refuses it', async () => {
  const own = await aBusiness()
  const { id, token } = await anInvoice(own, await aCustomer(own))
  await payPage(await openPage(token))
  await stranger.ok(paymentsApi.sync, { params: { token } })
  const [payment] = (await invoiceOf(own, id)).payments
  expect(payment?.can).toEqual({ reverse: false, refund: true, takeOff: true })
  const body = { amountCents: 5000, method: 'card' as const, onDay: today(), reason: 'The mower cut the hose' }
  const refunds = await Promise.all(
    [1, 2].map(() => own.api.call(correctionsApi.refundPayment, { params: { id: payment?.id ?? '' }, body })),
  )
  expect(refunds.map(({ status }) => status).sort()).toEqual([200, 409])
  await runTasks()
  const rows = await own.db((db) => db.selectFrom('refunds').selectAll().where('businessId', '=', own.id).execute())
  // the provider gave it: nobody takes it back by saying so
  const kept = await own.api.call(correctionsApi.takeRefundBack, {
    params: { id: rows[0]?.id ?? '' },
    body: { reason: 'A mistake' },
  })
  expect([kept.status, (await invoiceOf(own, id)).handedRefunds]).toEqual([409, []])
  expect(rows).toMatchObject([{ status: 'succeeded', providerRefundId: expect.stringMatching(/^re_/) }])
  expect(await invoiceOf(own, id)).toMatchObject({ status: 'issued', balanceCents: 5000 })
  // Days later the bank says no: the event only names it, the provider is asked.
  const refundId = rows[0]?.providerRefundId ?? ''
  const found = await providerNamed('local')?.findRefund(refundId)
  if (!found) throw new Error('The refund was not kept.')
  const other = await aBusiness()
  const toldBy = (account: string, named = refundId) =>
    ({
      provider: 'stripe',
      account,
      type: 'refund.failed',
      payload: { data: { object: { id: named } } },
    }) as unknown as Parameters<typeof processRefundEvent>[0]
  const event = toldBy(await accountOf(own))
  await processRefundEvent(event)
  expect(await invoiceOf(own, id)).toMatchObject({ status: 'issued' })
  await failLocalRefund(refundId)
  // Words of another business's account, of nobody's, and of a second refund under the same mark move nothing.
  const forged = await providerNamed('local')?.refund({
    paymentId: (await bookedIds(own))[0] ?? '',
    amountCents: 5000,
    mark: { businessId: own.id, refundId: rows[0]?.id ?? '' },
    requestKey: `forged:${refundId}`,
  })
  await failLocalRefund(forged?.id ?? '')
  for (const word of [toldBy(await accountOf(other)), toldBy(''), toldBy(await accountOf(own), forged?.id)])
    await processRefundEvent(word)
  expect(await invoiceOf(own, id)).toMatchObject({ status: 'issued', balanceCents: 5000 })
  await processRefundEvent(event)
  await processRefundEvent(event)
  expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', balanceCents: 0 })
  expect(
    (await own.api.ok(notificationsApi.list, {})).notifications.filter((n) => n.title.includes('did not go through')),
  ).toHaveLength(1)
  expect(await own.db(compareBooks)).toEqual([])
})

it('cut off after the provider gave it back, and asked for again, it goes back once', async () => {
  const own = await aBusiness()
  const { id, token } = await anInvoice(own, await aCustomer(own))
  await payPage(await openPage(token))
  await runTasks()
  const [payment] = (await invoiceOf(own, id)).payments
  const body = { amountCents: 2000, method: 'card' as const, onDay: today(), reason: 'Too much' }
  await own.api.ok(correctionsApi.refundPayment, { params: { id: payment?.id ?? '' }, body })
  await runTasks()
  const refundOf = () =>
    own.db((db) =>
      db
        .selectFrom('refunds')
        .select(['id', 'status', 'providerRefundId'])
        .where('businessId', '=', own.id)
        .executeTakeFirstOrThrow(),
    )
  const before = await refundOf()
  // as if the process had died before it could note the answer
  await own.db((db) =>
    db
      .updateTable('refunds')
      .set({ status: 'pending', providerRefundId: null })
      .where('businessId', '=', own.id)
      .execute(),
  )
  await refundWork.run(systemActor(own.id), { refundId: before.id })
  expect(await refundOf()).toEqual(before)
  const { items } = await own.api.ok(messagesApi.list, { query: { limit: 50 } })
  expect(items.filter(({ subject }) => subject.startsWith('Your refund'))).toHaveLength(1)
  const given = await database()
    .selectFrom('localRefunds')
    .select('id')
    .where('paymentIntent', '=', (await bookedIds(own))[0] ?? '')
    .execute()
  expect(given).toHaveLength(1)
})
