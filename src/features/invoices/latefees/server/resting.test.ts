import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { instantAt } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { books, charge, charging, feesOf, invoiceOf, late, reminders } from '../../../../test/late-fees.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { invoicesApi } from '../../contract.ts'
import { chargeLateFees } from './commands.ts'

const midday = new Date(instantAt(today(), 12 * 60, 'America/New_York'))
// whatever the hour of the run: what was done "just now" is just before the fees are charged
beforeEach(() => setClock(() => midday))
afterEach(resetClock)

describe('late fees rest while an answer waits', () => {
  const wroteNow = (own: TestBusiness, customerId: string) =>
    own.db((db) =>
      db
        .insertInto('messages')
        .values({
          businessId: own.id,
          id: newId(),
          customerId,
          channel: 'sms',
          direction: 'inbound',
          address: '+15555550123',
          bodyText: 'The price is not what we said.',
          dedupeKey: 'answer',
          status: 'received',
        })
        .execute(),
    )
  const answered = async (own: TestBusiness) => {
    await charging(own)
    const one = await late(own, 11)
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ sentAt: new Date(midday.getTime() - 25 * 86_400_000).toISOString() })
        .where('businessId', '=', own.id)
        .where('id', '=', one.id)
        .execute(),
    )
    return one
  }
  const settle = (own: TestBusiness, id: string, charge: boolean) =>
    own.api.call(invoicesApi.settleFee, { params: { id }, body: { charge } })
  const needs = async (own: TestBusiness) =>
    (await own.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'lateFee')
  const mails = async (own: TestBusiness) => {
    await runTasks()
    return (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items.length
  }

  it('of who wrote: nothing leaves, the office is told, and charges it in one press', async () => {
    const own = await aBusiness()
    const { id, customerId } = await answered(own)
    await wroteNow(own, customerId)
    await charge(own)
    await charge(own)
    expect([await feesOf(own, id), await mails(own)]).toEqual([[], 0])
    const resting = await invoiceOf(own, id)
    expect(resting).toMatchObject({ can: { settleFee: true }, reminders: { restingFeeCents: 1500 } })
    expect(resting.reminders.stopped).toMatch(/wrote since it was sent/)
    const { notifications } = await own.api.ok(notificationsApi.list, {})
    expect(notifications.map(({ title }) => title)).toEqual([expect.stringMatching(/^The late fee on INV-\d+ waits/)])
    expect(await needs(own)).toMatchObject([{ amountCents: 1500, action: { kind: 'open', label: 'Decide' } }])
    const both = await Promise.all([settle(own, id, true), settle(own, id, true)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const after = await invoiceOf(own, id)
    expect([after.lateFees.length, after.reminders.stopped, after.can.settleFee]).toEqual([1, null, false])
    expect([await mails(own), await needs(own), await books(own)]).toEqual([1, [], []])
  })

  it('of who paid a part: let go, there is none, until reminders are started again', async () => {
    const own = await aBusiness()
    const { id } = await answered(own)
    const part = { method: 'cash' as const, amountCents: 1000, receivedOn: today() }
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body: part })
    await charge(own)
    expect(await feesOf(own, id)).toEqual([])
    expect((await settle(own, id, false)).status).toBe(200)
    expect((await invoiceOf(own, id)).corrections).toMatchObject([
      { kind: 'fee_let_go', amountCents: 1500, by: expect.any(String) },
    ])
    expect((await settle(own, id, true)).error.message).toMatch(/No late fee of INV-\d+ waits for you/)
    await charge(own)
    expect([await feesOf(own, id), await needs(own)]).toEqual([[], []])
    await reminders(own, id, { start: true })
    await charge(own)
    expect(await feesOf(own, id)).toHaveLength(1)
  })

  const mailed = (own: TestBusiness, invoiceId: string, status: 'failed' | 'delivered', reason: string | null) =>
    own.db((db) =>
      db
        .insertInto('messages')
        .values({
          businessId: own.id,
          id: newId(),
          channel: 'email',
          address: 'ann@test.swath.test',
          bodyText: 'Here is your invoice.',
          entityType: 'invoice',
          entityId: invoiceId,
          dedupeKey: `invoice:${invoiceId}:${status}`,
          status,
          reason,
          createdAt: new Date(midday.getTime() - 25 * 86_400_000).toISOString(),
        })
        .execute(),
    )

  it('of whom the invoice did not reach: nothing leaves until the office says so', async () => {
    const own = await aBusiness()
    const { id } = await answered(own)
    await mailed(own, id, 'failed', '550 5.1.1 no such user')
    await charge(own)
    expect([await feesOf(own, id), await mails(own)]).toEqual([[], 1])
    const { reminders, number } = await invoiceOf(own, id)
    expect(reminders).toMatchObject({
      restingFeeCents: 1500,
      stopped: `INV-${number} did not reach them`,
    })
    expect(await needs(own)).toMatchObject([{ detail: `INV-${number} did not reach them` }])
    expect((await settle(own, id, true)).status).toBe(200)
    expect(await feesOf(own, id)).toHaveLength(1)
  })

  it('but not where it arrived the second time', async () => {
    const own = await aBusiness()
    const { id } = await answered(own)
    await mailed(own, id, 'failed', '550 5.1.1 no such user')
    await mailed(own, id, 'delivered', null)
    await charge(own)
    expect(await feesOf(own, id)).toHaveLength(1)
  })

  it('and those that are passed over stand before nobody', async () => {
    const own = await aBusiness()
    await charging(own, { kind: 'percent', percent: 1, minimumCents: 0 })
    // one percent of ten cents is no fee, however late
    for (const _ of [1, 2, 3]) await late(own, 40, 10)
    const { id } = await late(own, 11)
    await chargeLateFees(systemActor(own.id), 2)
    expect(await feesOf(own, id)).toHaveLength(1)
  })
})
