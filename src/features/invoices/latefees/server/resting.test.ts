import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, instantAt } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { books, charge, charging, feesOf, invoiceOf, late, reminders } from '../../../../test/late-fees.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { tasksApi } from '../../../tasks/contract.ts'
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
          // by the test's clock: by the machine's it may lie after what the office does next
          createdAt: midday.toISOString(),
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

  it('of whom the office talked to: nothing leaves until it says so', async () => {
    const own = await aBusiness()
    const { id, customerId } = await answered(own)
    const call = { direction: 'out', outcome: 'talked', note: 'They dispute the price' } as const
    await own.api.ok(tasksApi.logCall, { params: { id: customerId }, body: call })
    await charge(own)
    expect([await feesOf(own, id), await mails(own)]).toEqual([[], 0])
    expect((await invoiceOf(own, id)).reminders).toMatchObject({
      restingFeeCents: 1500,
      stopped: expect.stringMatching(/^There was a call with .+ since it was sent$/),
    })
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

  const mailed = (
    own: TestBusiness,
    invoiceId: string,
    status: 'failed' | 'delivered' | 'unknown' | 'sent' | 'held',
    reason: string | null,
    daysAgo = 25,
  ) =>
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
          createdAt: new Date(midday.getTime() - daysAgo * 86_400_000).toISOString(),
          sentAt:
            status === 'delivered' || status === 'sent'
              ? new Date(midday.getTime() - daysAgo * 86_400_000).toISOString()
              : null,
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

  const afterDays = (days: number) => setClock(() => new Date(midday.getTime() + days * 86_400_000))
  const restOf = async (own: TestBusiness, id: string) =>
    own.db((db) =>
      db
        .selectFrom('invoices')
        .select(['remindersStopped', 'answeredAt', 'reachedOn', 'reopenedOn'])
        .where('businessId', '=', own.id)
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    )
  const feeDays = (own: TestBusiness, id: string) =>
    own.db(async (db) =>
      (
        await db
          .selectFrom('lateFees')
          .select('onDay')
          .where('businessId', '=', own.id)
          .where('invoiceId', '=', id)
          .execute()
      ).map(({ onDay }) => onDay),
    )

  it('of whom it reached after the address was corrected: without a press, and its days of grace begin then', async () => {
    const own = await aBusiness()
    const begin = today()
    const { id } = await answered(own)
    await mailed(own, id, 'failed', '550 5.1.1 no such user')
    await charge(own)
    expect((await restOf(own, id)).remindersStopped).toMatch(/did not reach them$/)
    // sent again to the new address: nobody is asked while it waits to leave
    await mailed(own, id, 'held', null, 0)
    await charge(own)
    expect((await restOf(own, id)).remindersStopped).toMatch(/did not reach them$/)
    await mailed(own, id, 'sent', null, 0)
    await charge(own)
    expect(await restOf(own, id)).toEqual({
      remindersStopped: null,
      answeredAt: null,
      reachedOn: today(),
      reopenedOn: today(),
    })
    const { reminders } = await invoiceOf(own, id)
    expect(reminders).toMatchObject({ stopped: null, restingFeeCents: null, anew: { on: today(), why: 'reached' } })
    expect([await feesOf(own, id), await needs(own)]).toEqual([[], []])
    afterDays(10)
    await charge(own)
    expect(await feeDays(own, id)).toEqual([])
    afterDays(11)
    await charge(own)
    expect(await feeDays(own, id)).toEqual([addDays(begin, 11)])
  })

  it('and where it went again before any fee was due, its days of grace begin when it reached them, too', async () => {
    const own = await aBusiness()
    const { id } = await answered(own)
    await mailed(own, id, 'failed', '550 5.1.1 no such user')
    await mailed(own, id, 'delivered', null, 4)
    await charge(own)
    expect(await feesOf(own, id)).toEqual([])
    expect(await restOf(own, id)).toMatchObject({ remindersStopped: null, reachedOn: addDays(today(), -4) })
    afterDays(6)
    await charge(own)
    expect(await feeDays(own, id)).toEqual([])
    afterDays(7)
    await charge(own)
    expect(await feeDays(own, id)).toHaveLength(1)
  })

  it('of which nobody knows whether it left, until that is known or the office says so', async () => {
    const own = await aBusiness()
    const [found, back] = [await answered(own), await late(own, 11)]
    for (const { id } of [found, back])
      await mailed(own, id, 'unknown', 'It may have been sent: contact was lost while sending')
    await charge(own)
    for (const { id } of [found, back]) {
      expect(await feesOf(own, id)).toEqual([])
      expect((await restOf(own, id)).remindersStopped).toMatch(/may not have reached them$/)
    }
    const known = (id: string, status: 'sent' | 'failed') =>
      own.db((db) =>
        db
          .updateTable('messages')
          .set({ status, sentAt: status === 'sent' ? midday.toISOString() : null })
          .where('businessId', '=', own.id)
          .where('entityId', '=', id)
          .execute(),
      )
    await known(found.id, 'sent')
    await known(back.id, 'failed')
    await charge(own)
    expect(await restOf(own, found.id)).toMatchObject({ remindersStopped: null, reachedOn: today() })
    expect((await restOf(own, back.id)).remindersStopped).toMatch(/did not reach them$/)
    expect((await settle(own, back.id, true)).status).toBe(200)
    expect([await feeDays(own, found.id), await feeDays(own, back.id)]).toEqual([[], [today()]])
  })

  it('but not what only waits to leave: it is looked at again the next hour, and nobody is told', async () => {
    const own = await aBusiness()
    const { id } = await answered(own)
    await mailed(own, id, 'held', null)
    await charge(own)
    expect([await feesOf(own, id), await restOf(own, id)]).toMatchObject([[], { remindersStopped: null }])
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
