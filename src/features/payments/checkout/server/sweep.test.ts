import { afterEach, describe, expect, it } from 'vitest'
import { findLocalPayment } from '../../../../local/payments/checkout.ts'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { setLocalPost } from '../../../../local/payments/events.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { asBusinessId } from '../../../../platform/db/tenant.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { refuseRows } from '../../../../test/refuse.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { sweepPages } from './commands.ts'
import { sweepAllPages } from './tasks.ts'

const later = (minutes: number) => {
  const at = Date.now() + minutes * 60_000
  setClock(() => new Date(at))
}
let restore: () => void = () => undefined
afterEach(() => {
  restore()
  resetClock()
})

const aPage = async (own: TestBusiness) => {
  const { customerId } = await aLawn(own)
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
  const token = (publicPath ?? '').split('/').at(-1) ?? ''
  const { url } = await stranger.ok(paymentsApi.pay, { params: { token } })
  return { id, sessionId: url.split('/').at(-1) ?? '' }
}
const sweep = (own: TestBusiness) => sweepPages(systemActor(asBusinessId(own.id)))
const pagesOf = (own: TestBusiness) =>
  own.db((db) => db.selectFrom('checkoutSessions').select('status').where('businessId', '=', own.id).execute())
const invoiceOf = async (own: TestBusiness, id: string) => {
  resetClock()
  return own.api.ok(invoicesApi.get, { params: { id } })
}

describe('pages of which no word came', () => {
  it('are asked after within the hour: what was paid is booked, once', async () => {
    const own = await aBusiness()
    const { id, sessionId } = await aPage(own)
    restore = setLocalPost(async () => 200)
    await stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
    await sweep(own)
    expect((await invoiceOf(own, id)).status).toBe('issued')
    later(31)
    await Promise.all([sweep(own), sweep(own)])
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 5500 })
    expect(await pagesOf(own)).toEqual([{ status: 'succeeded' }])
    expect(await own.db((db) => compareBooks(db))).toEqual([])
  })

  it('are dated the day on which the card was charged, not the day of the look', async () => {
    const own = await aBusiness()
    const { id, sessionId } = await aPage(own)
    restore = setLocalPost(async () => 503)
    const paidOn = today()
    await stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
    later(3 * 24 * 60)
    await sweep(own)
    expect((await invoiceOf(own, id)).payments.map(({ receivedOn }) => receivedOn)).toEqual([paidOn])
  })

  it('end with their time, also where the provider never heard of them', async () => {
    const own = await aBusiness()
    const [noted, cutOff] = [await aPage(own), await aPage(own)]
    await own.db((db) =>
      db
        .updateTable('checkoutSessions')
        .set({ providerSessionId: null })
        .where('businessId', '=', own.id)
        .where('invoiceId', '=', cutOff.id)
        .execute(),
    )
    later(31)
    await sweep(own)
    expect((await pagesOf(own)).map(({ status }) => status)).toEqual(['open', 'open'])
    later(25 * 60)
    await sweep(own)
    expect((await pagesOf(own)).map(({ status }) => status)).not.toContain('open')
    for (const { id } of [noted, cutOff]) expect((await invoiceOf(own, id)).status).toBe('issued')
  })

  it('one that cannot be booked keeps no refund of its business from being asked after', async () => {
    const own = await aBusiness()
    const paid = await aPage(own)
    const pay = (sessionId: string) =>
      stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
    await pay(paid.sessionId)
    await runTasks()
    const payment = (await invoiceOf(own, paid.id)).payments[0]?.id ?? ''
    const body = { amountCents: 2000, method: 'card' as const, onDay: today(), reason: 'Rain' }
    await own.api.ok(correctionsApi.refundPayment, { params: { id: payment }, body })
    restore = setLocalPost(async () => 200)
    const broken = await aPage(own)
    await pay(broken.sessionId)
    const paymentId = (await findLocalPayment(broken.sessionId))?.paymentId ?? ''
    const heal = await refuseRows('payments', `new.provider_payment_id = '${paymentId}'`)
    later(40)
    try {
      await expect(sweepAllPages.run({} as never)).rejects.toThrow()
    } finally {
      await heal()
    }
    const refunds = await own.db((db) =>
      db.selectFrom('refunds').select('status').where('businessId', '=', own.id).execute(),
    )
    expect(refunds).toEqual([{ status: 'succeeded' }])
  })
})
