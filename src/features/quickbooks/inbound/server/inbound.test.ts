import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeThere, deleteThere, noticeOf, payThere, signBooks } from '../../../../local/books/play.ts'
import { breakBooks, inBooks as inLedger, type Kept, write } from '../../../../local/books/store.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { asBusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { withBooks } from '../../../../test/books.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { findConnection } from '../../connect/server/queries.ts'
import { lookAt, lookAtChanges } from './commands.ts'

const now = new Date('2026-06-10T16:00:00Z')
beforeEach(() => setClock(() => now))
afterEach(resetClock)

const post = async (raw: string, signature = signBooks(raw)) => {
  const headers = { 'content-type': 'application/json', 'intuit-signature': signature }
  const { status } = await stranger.raw({ method: 'POST', url: '/api/webhooks/quickbooks', headers, payload: raw })
  await runTasks()
  return status
}
const inBooks = async (own: TestBusiness, cents = 5000) => {
  const books = await withBooks(own)
  const { customerId } = await aLawn(own, { customer: `Anna ${own.id.slice(-6)}` })
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  await books.send()
  const [invoice] = await books.there('Invoice')
  const state = () => own.api.ok(invoicesApi.get, { params: { id } })
  return { books, id, remoteId: invoice?.Id ?? '', state }
}
const actorOf = (own: TestBusiness) => systemActor(asBusinessId(own.id))

describe('a payment made in QuickBooks', () => {
  it.each(['cloud', 'tree'] as const)('comes in once, however often it is told (%s)', async (shape) => {
    const own = await aBusiness()
    const { books, remoteId, state } = await inBooks(own)
    const paid = await payThere(books.realm, remoteId, 3000, true)
    const raw = noticeOf({ realm: books.realm, type: 'Payment', id: paid.Id, operation: 'Create' }, shape)
    for (let n = 0; n < 3; n++) expect(await post(raw)).toBe(200)
    await lookAtChanges(actorOf(own))
    const { status, payments } = await state()
    expect([status, payments.map(({ amountCents }) => amountCents)]).toEqual(['partially_paid', [3000]])
    expect(payments[0]?.note).toContain('Taken in QuickBooks')
    // and it does not go back there as another one
    await books.send()
    expect(await books.there('Payment')).toHaveLength(1)
    expect(await books.get()).toMatchObject({ waiting: 0, failed: 0 })
  })

  it('whose notice got lost is found by the nightly look', async () => {
    const own = await aBusiness()
    const { books, remoteId, state } = await inBooks(own)
    await payThere(books.realm, remoteId, 5000, true)
    await lookAtChanges(actorOf(own))
    await lookAtChanges(actorOf(own))
    expect((await state()).status).toBe('paid')
    expect((await state()).payments).toHaveLength(1)
  })

  it('that was put on an invoice only in part pays only that part of it here, and the rest is credit', async () => {
    const own = await aBusiness()
    const { books, remoteId, state } = await inBooks(own, 10_000)
    const { Id } = await payThere(books.realm, remoteId, 3000, true)
    await changeThere(books.realm, 'Payment', Id, { TotalAmt: '50.00' }, true)
    await lookAtChanges(actorOf(own))
    expect(await state()).toMatchObject({ status: 'partially_paid', paidCents: 3000, creditCents: 2000 })
  })

  it('of more than is open leaves the rest as credit', async () => {
    const own = await aBusiness()
    const { books, remoteId, state } = await inBooks(own)
    const paid = await payThere(books.realm, remoteId, 6000, true)
    await post(noticeOf({ realm: books.realm, type: 'Payment', id: paid.Id, operation: 'Create' }))
    expect((await state()).status).toBe('paid')
    const { balance } = await own.db(async (db) => ({
      balance: await db
        .selectFrom('customerBalances')
        .select('balanceCents')
        .where('businessId', '=', own.id)
        .executeTakeFirstOrThrow(),
    }))
    expect(balance.balanceCents).toBe(-1000)
  })
})

it('a payment that was deleted there is taken back here as it says, and the invoice is open again', async () => {
  const own = await aBusiness()
  const { books, remoteId, state } = await inBooks(own)
  const paid = await payThere(books.realm, remoteId, 5000, true)
  await lookAtChanges(actorOf(own))
  await deleteThere(books.realm, 'Payment', paid.Id ?? '')
  await runTasks()
  const [row] = await books.failed()
  expect(row?.message).toContain('take it back in Swath too')
  const [payment] = (await state()).payments
  expect(payment?.can.reverse).toBe(true)
  const body = { reason: 'Of another customer' }
  await own.api.ok(correctionsApi.reversePayment, { params: { id: payment?.id ?? '' }, body })
  expect(await state()).toMatchObject({ status: 'issued', balanceCents: 5000 })
  await books.send()
  // nothing of it is sent there
  expect(await books.there('Payment')).toEqual([])
  expect(await books.there('Purchase')).toEqual([])
})

it('a payment that came from there and could not be read is looked at again, and told when it was deleted meanwhile', async () => {
  const own = await aBusiness()
  const { books, remoteId, state } = await inBooks(own)
  const paid = await payThere(books.realm, remoteId, 5000, true)
  await lookAtChanges(actorOf(own))
  await books.send()
  const unread = async () => {
    await breakBooks(books.realm, '5020', 1)
    await post(noticeOf({ realm: books.realm, type: 'Payment', id: paid.Id, operation: 'Update' }))
    const [row] = await books.failed()
    expect(row?.message).toMatch(/^QuickBooks does not show it to Swath/)
    await books.fix(row?.id ?? '', 'retry')
  }
  // as it was: nothing is left to do
  await unread()
  expect(await books.failed()).toEqual([])
  await deleteThere(books.realm, 'Payment', paid.Id ?? '', true)
  await unread()
  const [gone] = await books.failed()
  expect(gone?.message).toMatch(/\$50\.00 was deleted in QuickBooks, where it was made\. .*take it back in Swath too/)
  expect((await state()).status).toBe('paid')
})

it('a payment that came from there and waits to be gone through is looked at then where it could not be read', async () => {
  const own = await aBusiness()
  const { books, remoteId } = await inBooks(own)
  const paid = await payThere(books.realm, remoteId, 5000, true)
  await lookAtChanges(actorOf(own))
  expect(await books.get()).toMatchObject({ waiting: 1 })
  await deleteThere(books.realm, 'Payment', paid.Id ?? '', true)
  await breakBooks(books.realm, '5020', 1)
  await post(noticeOf({ realm: books.realm, type: 'Payment', id: paid.Id, operation: 'Delete' }))
  await books.send()
  expect((await books.failed())[0]?.message).toContain('was deleted in QuickBooks, where it was made')
})

describe('notices', () => {
  it('of records that are not ours and are not shown are let go; of a payment they are asked for again', async () => {
    const own = await aBusiness()
    const { books, remoteId, state } = await inBooks(own)
    const paid = await payThere(books.realm, remoteId, 5000, true)
    const look = async (type: 'Invoice' | 'Purchase' | 'Payment', id: string) => {
      await breakBooks(books.realm, '5020', 1)
      const connection = await withTenant(actorOf(own), findConnection)
      if (!connection) throw new Error('not connected')
      await lookAt(actorOf(own), connection, type, id)
    }
    await look('Invoice', '987001')
    await look('Purchase', '987002')
    expect(await books.failed()).toEqual([])
    await expect(look('Payment', paid.Id ?? '')).rejects.toThrow()
    await lookAtChanges(actorOf(own))
    expect((await state()).status).toBe('paid')
  })

  it('without the right signature, or of a shape that nobody knows, change nothing', async () => {
    const own = await aBusiness()
    const { books, remoteId, state } = await inBooks(own)
    const paid = await payThere(books.realm, remoteId, 5000, true)
    const raw = noticeOf({ realm: books.realm, type: 'Payment', id: paid.Id, operation: 'Create' })
    expect(await post(raw, '')).toBe(403)
    expect(await post(raw, signBooks(`${raw} `))).toBe(403)
    expect(await post('{"hello":1}')).toBe(400)
    expect(await post('no json')).toBe(400)
    expect((await state()).status).toBe('issued')
  })

  it('of a company that nobody has are kept and answered; of one business they move nothing of another', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const { books, remoteId, state } = await inBooks(own)
    const theirs = await withBooks(other)
    const paid = await payThere(books.realm, remoteId, 5000, true)
    for (const realm of ['123', theirs.realm])
      expect(await post(noticeOf({ realm, type: 'Payment', id: paid.Id, operation: 'Create' }))).toBe(200)
    expect((await state()).status).toBe('issued')
  })

  it('of what we did ourselves are ignored', async () => {
    const own = await aBusiness()
    const { books, remoteId } = await inBooks(own)
    for (const operation of ['Create', 'Update'] as const)
      await post(noticeOf({ realm: books.realm, type: 'Invoice', id: remoteId, operation }))
    await lookAtChanges(actorOf(own))
    expect(await books.get()).toMatchObject({ waiting: 0, failed: 0 })
  })

  it('of what somebody changed or deleted there are said, with a button that puts ours back', async () => {
    const own = await aBusiness()
    const { books, remoteId } = await inBooks(own)
    const [before] = await books.there('Invoice')
    const Line = (before?.Line ?? []).map((line) => ({ ...line, Amount: '40.00' }))
    await changeThere(books.realm, 'Invoice', remoteId, { Line })
    await runTasks()
    const [row] = await books.failed()
    expect(row).toMatchObject({
      message: 'Somebody made it $40.00 in QuickBooks; in Swath it is $50.00.',
      fixes: ['retry', 'accept'],
    })
    await books.fix(row?.id ?? '', 'retry')
    expect(await books.there('Invoice')).toMatchObject([{ TotalAmt: '50.00' }])
    expect(await books.failed()).toEqual([])
    await deleteThere(books.realm, 'Invoice', remoteId)
    await runTasks()
    const [gone] = await books.failed()
    expect(gone).toMatchObject({ fixes: ['again', 'skip'] })
    await books.fix(gone?.id ?? '', 'again')
    expect(await books.there('Invoice')).toMatchObject([{ TotalAmt: '50.00' }])
  })

  it('of what the books do not show are told as that, never as deleted, and looked up again without a second one', async () => {
    const own = await aBusiness()
    const { books, remoteId } = await inBooks(own)
    const notice = (operation: 'Update' | 'Delete') =>
      post(noticeOf({ realm: books.realm, type: 'Invoice', id: remoteId, operation }))
    await breakBooks(books.realm, '5020', 1)
    await notice('Update')
    const [row] = await books.failed()
    expect(row).toMatchObject({ fixes: ['retry', 'skip'] })
    expect(row?.message).toMatch(/^QuickBooks does not show it to Swath/)
    expect(row?.message).not.toMatch(/deleted|Permission Denied/)
    await books.fix(row?.id ?? '', 'retry')
    expect([await books.failed(), (await books.there('Invoice')).length]).toEqual([[], 1])
    // changed while nobody could look: that is told, and nothing is overwritten
    const [before] = await books.there('Invoice')
    const Line = (before?.Line ?? []).map((line) => ({ ...line, Amount: '40.00' }))
    await changeThere(books.realm, 'Invoice', remoteId, { Line }, true)
    await breakBooks(books.realm, '5020', 1)
    await notice('Update')
    const [unread] = await books.failed()
    await books.fix(unread?.id ?? '', 'retry')
    const [changed] = await books.failed()
    expect(changed).toMatchObject({ fixes: ['retry', 'accept'], message: expect.stringContaining('$40.00') })
    await books.fix(changed?.id ?? '', 'accept')
    expect(await books.failed()).toEqual([])
  })

  it('told as deleted of what stands there all the same make no second one when it is sent again', async () => {
    const own = await aBusiness()
    const { books, id } = await inBooks(own)
    const body = { method: 'check' as const, amountCents: 2000, receivedOn: today() }
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
    await books.send()
    const [stood] = await books.there('Payment')
    const remoteId = stood?.Id ?? ''
    await deleteThere(books.realm, 'Payment', remoteId)
    await runTasks()
    const [gone] = await books.failed()
    expect(gone?.fixes).toEqual(['again', 'skip'])
    await inLedger((tx) => write(tx, books.realm, 'Payment', remoteId, stood as Kept))
    await books.fix(gone?.id ?? '', 'again')
    expect((await books.there('Payment')).map(({ Id }) => Id)).toEqual([remoteId])
  })
})
