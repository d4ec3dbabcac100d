import { afterEach, describe, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { setLocalPost } from '../../../../local/payments/events.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { asBusinessId } from '../../../../platform/db/tenant.ts'
import { stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { sweepPages } from './commands.ts'

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

  it('end with their time, also where the provider never heard of them', async () => {
    const own = await aBusiness()
    const [noted, cutOff] = [await aPage(own), await aPage(own)]
    await own.db((db) =>
      db
        .updateTable('checkoutSessions')
        .set({ providerSessionId: null, url: null })
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
})
