import { afterEach, describe, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { setLocalPost } from '../../../../local/payments/events.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { asBusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { storeMissedEvents } from './commands.ts'
import { findAccountRow } from './queries.ts'

let restore: () => void = () => undefined
afterEach(() => {
  restore()
  resetClock()
})

/** What a night does for a business. */
const look = async (own: TestBusiness) => {
  const account = await withTenant({ businessId: asBusinessId(own.id) }, findAccountRow)
  return account ? storeMissedEvents(systemActor(own.id), account) : 0
}

describe('events that no webhook brought', () => {
  it('are asked for in the night and worked off once, each in its own account', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const { customerId } = await aLawn(own)
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await own.api.ok(invoicesApi.issue, { params: { id } })
    const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
    const { url } = await stranger.ok(paymentsApi.pay, {
      params: { token: (publicPath ?? '').split('/').at(-1) ?? '' },
    })
    restore = setLocalPost(async () => 503)
    const sessionId = url.split('/').at(-1) ?? ''
    await stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
    await runTasks()
    const status = async () => (await own.api.ok(invoicesApi.get, { params: { id } })).status
    expect(await status()).toBe('issued')
    await look(other)
    await runTasks()
    expect(await status()).toBe('issued')
    expect(await look(own)).toBeGreaterThan(0)
    expect(await look(own)).toBe(0)
    await runTasks()
    expect(await status()).toBe('paid')
    expect(await own.db((db) => compareBooks(db))).toEqual([])
  })

  it('are asked for since the last look that came to its end, however long nothing ran', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await own.api.ok(invoicesApi.issue, { params: { id } })
    const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
    await look(own)
    const token = (publicPath ?? '').split('/').at(-1) ?? ''
    const { url } = await stranger.ok(paymentsApi.pay, { params: { token } })
    restore = setLocalPost(async () => 503)
    const sessionId = url.split('/').at(-1) ?? ''
    await stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
    const later = clock.nowMs() + 12 * 86_400_000
    setClock(() => new Date(later))
    expect(await look(own)).toBeGreaterThan(0)
    expect(await look(own)).toBe(0)
    resetClock()
    await runTasks()
    expect((await own.api.ok(invoicesApi.get, { params: { id } })).status).toBe('paid')
  })
})
