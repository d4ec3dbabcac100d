import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { failLocalRefund, findLocalPayment, refundInDashboard } from '../../../../local/payments/checkout.ts'
import { letDaysPass } from '../../../../local/payments/clearing.ts'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { openLocalDispute, stepLocalDispute } from '../../../../local/payments/disputes.ts'
import { setLocalPost } from '../../../../local/payments/events.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { newId } from '../../../../platform/ids.ts'
import type { StoredWebhook } from '../../../../platform/webhooks.ts'
import { AppError } from '../../../../shared/errors.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { accounts, payFromBank, setBank } from '../../../../test/bank.ts'
import { aCustomer, accountOf, anIssuedInvoice, cards, openSaving, payOutAtRandom } from '../../../../test/cards.ts'
import { hasSuperuser } from '../../../../test/cluster.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { rewindOf } from '../../../../test/rewind.ts'
import { rowSums } from '../../../../test/row-sums.ts'
import { openWithTip, setTips } from '../../../../test/tips.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { chargeInvoice, planCharge } from '../../cards/server/charges.ts'
import { processChargeEvent } from '../../cards/server/tasks.ts'
import { processAccountEvent } from '../../connect/server/commands.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { processRefundEvent } from '../../corrections/server/tasks.ts'
import { processDisputeEvent } from '../../disputes/server/sync.ts'
import { processPayoutEvent } from '../../payouts/server/sync.ts'
import { processPaymentEvent } from './commands.ts'

/** What the provider tells may come twice, late, in any order and all at once: the books end the same. */

let restore: () => void = () => undefined
afterEach(() => restore())

/** Keeps what the provider tells instead of bringing it. */
const intercept = (): StoredWebhook[] => {
  const sent: StoredWebhook[] = []
  // one over the other would put the first back at the end, and keep what later tests are told
  restore()
  restore = setLocalPost(async (_url, _headers, payload) => {
    const event = JSON.parse(payload) as { id: string; type: string; account?: string }
    sent.push({ provider: 'stripe', account: event.account ?? '', eventId: event.id, type: event.type, payload: event })
    return 200
  })
  return sent
}
const bring = async (event: StoredWebhook): Promise<void> => {
  await processPaymentEvent(event)
  await processChargeEvent(event)
  await processRefundEvent(event)
  await processDisputeEvent(event)
  await processPayoutEvent(event)
  await processAccountEvent(event)
}

const pageOf = (url: string) => url.split('/').at(-1) ?? ''
const payPage = (sessionId: string) =>
  stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber: '4242 4242 4242 4242' } })
/** What a payer's bank does of what was paid on a page: part or all, once or twice, decided or not yet. */
const quarrel = async (page: string, asks: boolean, cents: number, random: (below: number) => number) => {
  const paid = await findLocalPayment(page)
  for (let n = 0; n <= random(2); n++) {
    const id = await openLocalDispute(paid?.account ?? '', paid?.paymentId ?? '', {
      kind: asks ? 'inquiry' : 'dispute',
      reason: 'unrecognized',
      ...(random(2) ? { amountCents: 1 + random(cents) } : {}),
    })
    if (!id) throw new Error('Nothing to dispute.')
    const steps = [[], ['win'], ['lose'], ['escalate'], ['escalate', 'win'], ['escalate', 'lose']] as const
    for (const step of steps[random(steps.length)] ?? []) await stepLocalDispute(id, step)
  }
}
const books = (own: TestBusiness) =>
  own.db(async (db) => ({
    payments: (
      await db
        .selectFrom('payments')
        .select(['providerPaymentId', 'amountCents', 'allocatedCents', 'tipCents', 'refundedCents', 'status'])
        .where('businessId', '=', own.id)
        .orderBy('providerPaymentId')
        .orderBy('amountCents')
        .execute()
    ).map((row) => JSON.stringify(row)),
    invoices: await db
      .selectFrom('invoices')
      .select(['number', 'status', 'paidCents'])
      .where('businessId', '=', own.id)
      .orderBy('number')
      .execute(),
    receipts: await db
      .selectFrom('payments')
      .select((eb) => [
        eb.fn.max('receiptNumber').as('last'),
        eb.fn.min('receiptNumber').as('first'),
        eb.fn.count<number>('receiptNumber').as('count'),
      ])
      .where('businessId', '=', own.id)
      .executeTakeFirstOrThrow(),
    balance: (
      await db.selectFrom('customerBalances').select('balanceCents').where('businessId', '=', own.id).execute()
    ).map((row) => Number(row.balanceCents)),
    disputes: (
      await db
        .selectFrom('disputes')
        .select(['providerDisputeId', 'kind', 'status', 'money', 'movedCents', 'uncoveredCents'])
        .where('businessId', '=', own.id)
        .orderBy('providerDisputeId')
        .execute()
    ).map((row) => JSON.stringify(row)),
    pendingCents: (
      await sql<{ cents: number }>`
        select coalesce(sum(pending_cents), 0)::int8 as cents from invoices where business_id = ${own.id}`.execute(db)
    ).rows.map(({ cents }) => Number(cents)),
    payouts: (
      await db
        .selectFrom('payouts')
        .select(['providerPayoutId', 'status', 'amountCents', 'linesCents', 'feeCents', 'lineCount', 'failure'])
        .where('businessId', '=', own.id)
        .orderBy('providerPayoutId')
        .execute()
    ).map((row) => JSON.stringify(row)),
    fees: (
      await db
        .selectFrom('expenses')
        .select('totalCents')
        .where('businessId', '=', own.id)
        .orderBy('totalCents')
        .execute()
    ).map(({ totalCents }) => totalCents),
    differences: await compareBooks(db),
  }))

/** The provider tells of a refund. */
const tellOfRefund = (sent: StoredWebhook[], account: string, id: string, types: readonly string[]): void => {
  for (const type of types) {
    const eventId = `evt_${newId()}`
    const payload = { id: eventId, type, account, data: { object: { id } } }
    sent.push({ provider: 'stripe', account, eventId, type, payload })
  }
}

/** What is paid from which bank account: what comes of it days later. */
const fromBank: Partial<Record<Deed, string>> = {
  bank: accounts.good,
  bankSaved: accounts.good,
  bankVoid: accounts.good,
  bounced: accounts.poor,
  takenBack: accounts.takenBack,
  tipBank: accounts.takenBack,
}
const kinds = [
  'page',
  'save',
  'autopay',
  'cash',
  'void',
  'part',
  'disputed',
  'asked',
  'bank',
  'bankSaved',
  'bankVoid',
  'bounced',
  'takenBack',
  'tip',
  'tipDisputed',
  'tipBank',
  'refund',
  'refundFails',
  'refundThere',
] as const
type Deed = (typeof kinds)[number]

const randomOf = (seed: number) => {
  let n = 0
  return (below: number) => Math.abs(Math.imul(seed ^ ++n, 2_654_435_761) >>> 8) % below
}
type Random = ReturnType<typeof randomOf>

/**
 * What happens between a business, its customer and the provider. What the provider tells of it is kept, and some of it arrives meanwhile.
 * @returns the cents that the customer gave
 */
const act = async (
  own: TestBusiness,
  customerId: string,
  history: readonly Deed[],
  random: Random,
  sent: StoredWebhook[],
): Promise<number> => {
  let given = 0
  await setBank(own, true)
  await setTips(own, 'amount')
  const account = await accountOf(own)
  for (const deed of history) {
    const cents = 1000 + random(9000)
    const { id, token } = await anIssuedInvoice(own, customerId, cents)
    const params = { token }
    if (deed === 'autopay') {
      const actor = systemActor(own.id)
      await planCharge(actor, id)
      await own.db((db) =>
        db.updateTable('autopayCharges').set({ chargeOn: today() }).where('businessId', '=', own.id).execute(),
      )
      await chargeInvoice(actor, id)
      const { paidCents, pendingCents } = await own.api.ok(invoicesApi.get, { params: { id } })
      given += paidCents + pendingCents
      continue
    }
    const tipCents = deed.startsWith('tip') ? 1 + random(2000) : 0
    const page = pageOf(
      deed === 'save' || deed === 'bankSaved'
        ? await openSaving(params.token)
        : tipCents > 0
          ? await openWithTip(params.token, tipCents)
          : (await stranger.ok(paymentsApi.pay, { params })).url,
    )
    // Paid at the provider, and nobody has heard of it yet.
    const from = fromBank[deed]
    const pay = () => (from ? payFromBank(page, from) : payPage(page))
    await Promise.all([pay(), pay()])
    if (deed !== 'bounced') given += cents + tipCents
    // days go by for what was asked of banks, heard of or not
    if (from && random(3) === 0) await letDaysPass(account)
    if (deed === 'disputed' || deed === 'asked' || deed === 'tipDisputed')
      await quarrel(page, deed === 'asked', cents + tipCents, random)
    if (deed === 'cash' || deed === 'part') {
      const amountCents = deed === 'cash' ? cents : 500
      const body = { method: 'cash' as const, amountCents, receivedOn: today() }
      const cash = await own.api.call(paymentsApi.recordPayment, { params: { id }, body })
      if (cash.status === 200) given += amountCents
    }
    if (deed === 'void' || deed === 'bankVoid')
      await own.db((db) =>
        db
          .updateTable('checkoutSessions')
          .set({ expiresAt: '2026-01-01T00:00:00Z' })
          .where('businessId', '=', own.id)
          .where('invoiceId', '=', id)
          .execute(),
      )
    if (deed === 'void' || deed === 'bankVoid') await own.api.call(invoicesApi.voidInvoice, { params: { id } })
    if (deed === 'refundThere') {
      // in the provider's dashboard, once or in two parts, and nobody here has heard of the payment
      const paid = await findLocalPayment(page)
      const most = random(2) ? cents : Math.ceil(cents / 2)
      for (const part of random(2) ? [most] : [Math.ceil(most / 2), Math.floor(most / 2)]) {
        const { id: refundId } = await refundInDashboard(paid?.paymentId ?? '', part, account)
        tellOfRefund(sent, account, refundId, ['refund.created', 'charge.refund.updated'])
      }
    }
    if (deed === 'refund' || deed === 'refundFails') {
      // the payer came back to the page of the invoice, so that the office has a payment to give back
      await stranger.ok(paymentsApi.sync, { params })
      const { payments } = await own.api.ok(invoicesApi.get, { params: { id } })
      const body = {
        amountCents: random(2) ? cents : 1 + random(cents),
        method: 'provider' as const,
        onDay: today(),
        reason: 'Not mowed',
        creditInvoices: random(2) === 0,
      }
      await own.api.ok(correctionsApi.refundPayment, { params: { id: payments[0]?.id ?? '' }, body })
      await runTasks()
      const { providerRefundId } = await own.db((db) =>
        db
          .selectFrom('refunds')
          .select('providerRefundId')
          .where('businessId', '=', own.id)
          .where('paymentId', '=', payments[0]?.id ?? '')
          .executeTakeFirstOrThrow(),
      )
      if (deed === 'refundFails') await failLocalRefund(providerRefundId ?? '')
      tellOfRefund(sent, account, providerRefundId ?? '', [
        'refund.created',
        deed === 'refundFails' ? 'refund.failed' : 'refund.updated',
      ])
    }
    if (random(2)) await payOutAtRandom(own, random)
    const late = sent[random(Math.max(1, sent.length))]
    if (late && random(2)) await bring(late)
  }
  // every bank answers, and takes back what it may
  await letDaysPass(account)
  await letDaysPass(account)
  return given
}

/** As the queue brings it: one that had to wait too long for a lock, or for a connection on a busy machine, comes again. */
const bringUntilTaken = async (event: StoredWebhook): Promise<void> => {
  for (let tries = 1; ; tries++)
    try {
      return await bring(event)
    } catch (error) {
      if (tries === 5 || !(error instanceof AppError) || error.code !== 'unavailable') throw error
    }
}

/** Every event comes, and so many times again, in any order and four at once. */
const bringShuffled = async (sent: readonly StoredWebhook[], again: number, random: Random): Promise<void> => {
  const all = sent.flatMap((one) => Array.from({ length: 1 + again }, () => ({ one, key: random(1_000_000) })))
  all.sort((a, b) => a.key - b.key)
  for (let i = 0; i < all.length; i += 4) await Promise.all(all.slice(i, i + 4).map(({ one }) => bringUntilTaken(one)))
}

/** The books without what the order decides: which of two payments an invoice was paid by, and which of two disputes found nothing left. */
const sumsOf = async (own: TestBusiness) => {
  const { payments, disputes, ...rest } = await books(own)
  const without = (rows: readonly string[], key: string) =>
    rows.map((row) => JSON.stringify({ ...(JSON.parse(row) as object), [key]: undefined })).sort()
  const held = disputes.map((row) => JSON.parse(row) as { money: string; uncoveredCents: number })
  return {
    ...rest,
    payments: without(payments, 'allocatedCents'),
    disputes: without(disputes, 'uncoveredCents'),
    // of money that came back it does not count any more
    uncoveredCents: held.reduce((sum, one) => (one.money === 'taken' ? sum + one.uncoveredCents : sum), 0),
  }
}

/** What the provider's word may write. */
const written = [
  'allocation_moves',
  'allocation_reversals',
  'analytics_marks',
  'audit_log',
  'autopay_charges',
  'checkout_sessions',
  'counters',
  'credit_note_parts',
  'credit_notes',
  'customer_balances',
  'dispute_invoices',
  'disputes',
  'events',
  'expense_parts',
  'expenses',
  'invoice_totals',
  'invoices',
  'ledger_entries',
  'messages',
  'notifications',
  'payment_allocations',
  'payment_methods',
  'payments',
  'payout_lines',
  'payouts',
  'refunds',
  'tip_moves',
  'tip_shares',
]

describe('money, told in any order', () => {
  const isLong = process.env.SWATH_TEST_LONG === '1'
  const runs = isLong ? 150 : 15
  const deeds = fc.array(fc.constantFrom<Deed>(...kinds), { minLength: 1, maxLength: 5 })
  it(
    `ends in the provider's sums, each payment booked once (${runs} histories)`,
    async () => {
      const foreign = await aBusiness()
      const own = await aBusiness()
      const before = await books(foreign)
      await fc.assert(
        fc.asyncProperty(deeds, fc.integer(), async (history, seed) => {
          const customerId = await aCustomer(own)
          const random = randomOf(seed)
          const sent = intercept()
          const given = await act(own, customerId, history, random, sent)
          await bringShuffled(sent, 2, random)
          const ended = await books(own)
          for (const one of sent) await bring(one)
          expect(await books(own)).toEqual(ended)
          expect(ended.differences).toEqual([])
          expect(ended.pendingCents).toEqual([0])
          const mine = await own.db((db) =>
            db
              .selectFrom('payments')
              .select(['amountCents', 'providerPaymentId'])
              .where('businessId', '=', own.id)
              .where('customerId', '=', customerId)
              // a credit note stands among the payments, and nobody gave it
              .where('method', '!=', 'credit')
              .execute(),
          )
          expect(mine.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(given)
          // a tip stands on its payment as its movements have it
          const { rows: tips } = await own.db((db) =>
            sql<{ off: number }>`
              select p.tip_cents - coalesce((select sum(m.amount_cents) from tip_moves m where m.business_id = p.business_id
                and m.payment_id = p.id), 0) as off from payments p where p.business_id = ${own.id}`.execute(db),
          )
          expect(tips.filter(({ off }) => Number(off) !== 0)).toEqual([])
          // what the banks hold in the end stands as gone back on its payments, or as a loss
          const { held } = await own.db((db) =>
            db
              .selectFrom('disputes')
              .where('businessId', '=', own.id)
              .where('money', '=', 'taken')
              .select((eb) =>
                eb.fn.coalesce(eb.fn.sum<number>(sql`moved_cents - uncovered_cents`), eb.val(0)).as('held'),
              )
              .executeTakeFirstOrThrow(),
          )
          const { back } = await own.db((db) =>
            db
              .selectFrom('payments')
              .where('businessId', '=', own.id)
              .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('refundedCents'), eb.val(0)).as('back'))
              .executeTakeFirstOrThrow(),
          )
          // beside what was given back, here or there, as far as its bank did not send it back
          const { given: refunded } = await own.db((db) =>
            db
              .selectFrom('refunds')
              .where('businessId', '=', own.id)
              .where('status', '!=', 'failed')
              .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amountCents'), eb.val(0)).as('given'))
              .executeTakeFirstOrThrow(),
          )
          expect(Number(held) + Number(refunded)).toBe(Number(back))
          // a payout is what it is made of, and what reached the bank has its fees as one expense
          const paidOut = await own.db((db) =>
            db.selectFrom('payouts').selectAll().where('businessId', '=', own.id).execute(),
          )
          for (const one of paidOut) expect([one.linesTold, one.linesCents]).toEqual(['all', one.amountCents])
          const reached = paidOut.filter(({ bookedOn, feeCents }) => bookedOn !== null && Number(feeCents) > 0)
          expect(ended.fees).toHaveLength(reached.length)
          // receipts run without a gap: nothing took a number and was not booked
          const { first, last, count } = ended.receipts
          expect(count === 0 || Number(last) - Number(first) + 1).toBe(count === 0 || Number(count))
          restore()
        }),
        // all histories are of one business: what a broken one leaves would be taken for the fault of a shorter one
        { numRuns: runs, seed: 20_261_123, endOnFailure: true },
      )
      expect(await books(foreign)).toEqual(before)
    },
    isLong ? 3_600_000 : 240_000,
  )

  // part 1 of 2 and part 2 of 2, where one run is too long
  const [part = 1, parts = 1] = (process.env.SWATH_TEST_PART ?? '').split('/').filter(Boolean).map(Number)
  const [histories, orders] = isLong ? [100 / parts, 100] : [2, 4]
  it.skipIf(!hasSuperuser)(
    `told in ${histories * orders} orders, doubled, late and at once: each of ${histories} histories ends in the same books`,
    async () => {
      const samples = fc.sample(deeds, { numRuns: 100, seed: 20_261_124 })
      for (let n = 0; n < histories; n++) {
        const seed = (part - 1) * histories + n
        const own = await aBusiness()
        const random = randomOf(seed * 7919)
        const sent = intercept()
        // the first ones are of all kinds
        await act(own, await aCustomer(own), seed ? (samples[seed] ?? []) : kinds, random, sent)
        const told = [...sent]
        const begun = await own.db((db) => rowSums(db))
        const rewind = await rewindOf(own, written)
        let first: Awaited<ReturnType<typeof sumsOf>> | undefined
        for (let order = 0; order < orders; order++) {
          await bringShuffled(told, random(3), random)
          const ended = await sumsOf(own)
          first ??= ended
          expect({ seed, order, ...ended }).toEqual({ seed, order, ...first })
          expect(ended.differences).toEqual([])
          await rewind.back()
        }
        expect(await own.db((db) => rowSums(db))).toEqual(begun)
        await rewind.end()
        restore()
        // so that a run of an hour is seen to go on
        if (isLong) process.stdout.write(`history ${seed}: ${told.length} events, ${orders} orders\n`)
      }
    },
    isLong ? 7_200_000 : 240_000,
  )
})

describe('what must never happen with money', () => {
  it('paid in two tabs and in cash at the door: all three are booked, the rest is credit, both sides are told', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    const { id, token } = await anIssuedInvoice(own, customerId, 5500)
    const tabs = await Promise.all([1, 2].map(() => stranger.ok(paymentsApi.pay, { params: { token } })))
    // one open page an invoice: both tabs show the same
    expect(new Set(tabs.map(({ url }) => url)).size).toBe(1)
    await Promise.all(tabs.map(({ url }) => payPage(pageOf(url))))
    const body = { method: 'cash' as const, amountCents: 5500, receivedOn: today() }
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
    await runTasks()
    const state = await books(own)
    expect(state.payments).toHaveLength(2)
    expect([state.balance, state.differences]).toEqual([[-5500], []])
    const subjects = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items.map((m) => m.subject)
    expect(subjects.filter((s) => s.includes('$55.00 too much'))).toHaveLength(1)
  })

  it('voided between the checkout and the webhook: the money is the customer’s credit, and they are told', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    const { id, token } = await anIssuedInvoice(own, customerId, 5500)
    const sent = intercept()
    const page = pageOf((await stranger.ok(paymentsApi.pay, { params: { token } })).url)
    await payPage(page)
    await own.db((db) =>
      db
        .updateTable('checkoutSessions')
        .set({ expiresAt: '2026-01-01T00:00:00Z' })
        .where('businessId', '=', own.id)
        .execute(),
    )
    await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
    for (const event of [...sent, ...sent]) await bring(event)
    await runTasks()
    const state = await books(own)
    expect([state.invoices[0]?.status, state.balance, state.differences]).toEqual(['void', [-5500], []])
    const mails = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
    expect(mails.filter(({ subject }) => subject.includes('$55.00'))).toHaveLength(1)
  })

  it.each(['at once', 'the newer first'])(
    'two cards left on two invoices, told %s: the one agreed to last is kept',
    async (how) => {
      const own = await aBusiness()
      const customerId = await aCustomer(own)
      const sent = intercept()
      const told: StoredWebhook[][] = []
      for (const cardNumber of [cards.gone, cards.good]) {
        const { token } = await anIssuedInvoice(own, customerId, 5500)
        const params = { sessionId: pageOf(await openSaving(token)) }
        await stranger.ok(localPaymentsApi.pay, { params, body: { cardNumber } })
        told.push(sent.splice(0))
      }
      const [older = [], newer = []] = told
      const bringAll = async (events: StoredWebhook[]) => {
        for (const event of events) await bringUntilTaken(event)
      }
      if (how === 'at once') await Promise.all([bringAll(older), bringAll(newer)])
      else for (const events of [newer, older]) await bringAll(events)
      const methods = await own.db((db) =>
        db
          .selectFrom('paymentMethods')
          .select(['last4', 'removedAt', 'autopay'])
          .where('businessId', '=', own.id)
          .orderBy('last4')
          .execute(),
      )
      expect(methods.map(({ last4, removedAt, autopay }) => [last4, removedAt === null, autopay])).toEqual([
        ['0069', false, false],
        ['4242', true, true],
      ])
    },
  )

  it('an amount of the browser’s own is nowhere taken', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    const { id, token } = await anIssuedInvoice(own, customerId, 5500)
    const raw = await stranger.raw({
      method: 'POST',
      url: `/api/public/invoices/${token}/pay`,
      headers: { 'content-type': 'application/json', 'idempotency-key': newId() },
      payload: JSON.stringify({ amountCents: 1, invoiceId: newId() }),
    })
    const { url } = JSON.parse(raw.text) as { url?: string }
    const page = pageOf(url ?? (await stranger.ok(paymentsApi.pay, { params: { token } })).url)
    expect((await stranger.ok(localPaymentsApi.checkout, { params: { sessionId: page } })).amountCents).toBe(5500)
    await payPage(page)
    await runTasks()
    expect((await own.api.ok(invoicesApi.get, { params: { id } })).paidCents).toBe(5500)
  })
})
