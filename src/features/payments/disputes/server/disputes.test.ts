import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failLocalRefund } from '../../../../local/payments/checkout.ts'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { openLocalDispute, stepLocalDispute } from '../../../../local/payments/disputes.ts'
import { setLocalPost } from '../../../../local/payments/events.ts'
import { insert } from '../../../../local/payments/objects.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, dayOf, instantAt } from '../../../../shared/dates.ts'
import { apiFor, runTasks, stranger } from '../../../../test/api.ts'
import {
  accountOf,
  aPaid,
  books,
  dispute,
  first,
  invoiceOf,
  ledger,
  step,
  titles,
  zone,
} from '../../../../test/disputes.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { closingApi } from '../../../invoices/closing/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { statementsApi } from '../../../invoices/statements/contract.ts'
import { cardsApi } from '../../cards/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { processRefundEvent } from '../../corrections/server/tasks.ts'
import { listOpenOf } from '../../door/server/queries.ts'
import { disputesApi } from '../contract.ts'
import { syncDispute } from './sync.ts'

let start = ''
const onDay = (ahead: number, minute = 600) => setClock(() => new Date(instantAt(addDays(start, ahead), minute, zone)))
beforeEach(() => {
  start = dayOf(clock.now(), zone)
  onDay(0)
})
let restore: () => void = () => undefined
afterEach(() => {
  restore()
  resetClock()
})

describe('a disputed payment', () => {
  it('is taken off its invoice once; everything waits for the bank, and what it gives back pays as before', async () => {
    const paid = await aPaid({ saves: true })
    const { own, api, id, token, customerId } = paid
    const bank = await dispute(paid)
    await syncDispute(bank, paid.account)
    const open = await invoiceOf(paid)
    expect(open).toMatchObject({
      status: 'issued',
      disputed: true,
      paidCents: 0,
      balanceCents: 5500,
      payments: [],
      corrections: [{ kind: 'dispute', amountCents: 5500 }],
      reminders: { stopped: 'A payment of $55.00 is disputed' },
      can: { remind: false, void: false, writeOff: false, startReminders: false, pay: true },
    })
    expect(await ledger(own)).toEqual(['invoice 5500', 'payment -5500', 'dispute 5500'])
    expect(await books(own)).toEqual([])
    const { sums } = await api.ok(closingApi.check, { query: { month: start.slice(0, 7) } })
    const { togetherCents, ...rows } = sums
    expect([rows.disputedCents, Object.values(rows).reduce((sum, cents) => sum + cents, 0)]).toEqual([
      5500,
      togetherCents,
    ])
    expect(await own.db((db) => listOpenOf(db, customerId))).toEqual([])
    const statement = new URL((await api.ok(statementsApi.link, { params: { id: customerId } })).url).pathname
    const page = (await stranger.raw({ method: 'GET', url: statement })).text
    expect([page.includes('Your bank is looking into'), page.includes('Nothing is open')]).toEqual([true, false])
    expect((await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).canPay).toBe(false)
    expect((await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).disputedCents).toBe(5500)
    expect((await stranger.call(paymentsApi.pay, { params: { token } })).status).toBe(409)
    for (const [endpoint, body] of [
      [invoicesApi.remind, undefined],
      [invoicesApi.voidInvoice, undefined],
      [invoicesApi.writeOff, { reason: 'Gone' }],
      [invoicesApi.setReminders, { start: true }],
    ] as const)
      expect((await api.call(endpoint, { params: { id }, ...(body ? { body } : {}) } as never)).status).toBe(409)
    const { card: kept } = await api.ok(cardsApi.getCard, { params: { id: customerId } })
    expect(kept).toMatchObject({ autopay: false, ended: 'A payment of $55.00 is disputed.', can: { turnOn: false } })
    const payment = await paid.paymentId()
    const refund = { amountCents: 100, method: 'card' as const, onDay: start, reason: 'x', creditInvoices: false }
    const refused = await api.call(correctionsApi.refundPayment, { params: { id: payment?.id ?? '' }, body: refund })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('bank holds')])
    expect(await titles(api)).toContain('Rebecca Odom disputes a payment of $55.00')
    const { needs } = await api.ok(dashboardApi.get, {})
    const need = needs.find(({ kind }) => kind === 'dispute')
    expect(need).toMatchObject({ title: 'Rebecca Odom disputes a payment', amountCents: 5500 })
    expect(need?.detail).toMatch(/^Evidence is due /)
    expect(needs.some(({ kind }) => kind === 'overdue')).toBe(false)

    await step(bank, 'win')
    await step(bank, 'lose')
    expect(await invoiceOf(paid)).toMatchObject({
      status: 'paid',
      disputed: false,
      reminders: { stopped: null },
      payments: [{ allocatedCents: 5500, can: { refund: true } }],
    })
    expect(await ledger(own)).toEqual(['invoice 5500', 'payment -5500', 'dispute 5500', 'adjustment -5500'])
    expect(await books(own)).toEqual([])
    expect((await first(paid)).state).toBe('Won: the money is back')
    expect((await titles(api)).filter((title) => title.startsWith('Dispute'))).toEqual([
      'Dispute won: $55.00 of Rebecca Odom is back',
    ])
  })

  it('that is lost leaves the invoice open and quiet', async () => {
    const paid = await aPaid()
    const { own, api, id } = paid
    await step(await dispute(paid), 'lose')
    expect(await invoiceOf(paid)).toMatchObject({
      status: 'issued',
      disputed: false,
      reminders: { stopped: 'The bank gave a payment of $55.00 back to them' },
      can: { writeOff: true, remind: true },
    })
    await api.ok(invoicesApi.writeOff, { params: { id }, body: { reason: 'Lost to the bank' } })
    expect(await books(own)).toEqual([])
  })

  it('asked about only, nothing moves: it can be refunded, it ends, or it becomes a dispute', async () => {
    const paid = await aPaid()
    const { own, api } = paid
    const bank = await dispute(paid, { kind: 'inquiry', reason: 'unrecognized' })
    expect(await invoiceOf(paid)).toMatchObject({
      status: 'paid',
      disputed: true,
      payments: [{ can: { refund: true } }],
    })
    expect(await ledger(own)).toHaveLength(2)
    expect((await first(paid)).reason).toBe('The cardholder does not recognize the payment.')
    await step(bank, 'escalate')
    expect(await invoiceOf(paid)).toMatchObject({ status: 'issued', disputed: true })
    expect((await first(paid)).kind).toBe('dispute')
    expect(await books(own)).toEqual([])
    const other = await aPaid()
    const asked = await dispute(other, { kind: 'inquiry', reason: 'unrecognized' })
    await step(asked, 'lose')
    expect(await invoiceOf(other)).toMatchObject({ status: 'paid', disputed: false })
    expect((await first(other)).state).toBe('Closed: nothing was taken')
    expect(await titles(api)).toContain('The bank of Rebecca Odom asks about $55.00')
  })

  it('in part, twice in a row, and after a refund, ends in the same books; what went back twice is a loss until it is won', async () => {
    const paid = await aPaid()
    const { own, api } = paid
    const one = await dispute(paid, { amountCents: 2000 })
    expect(await invoiceOf(paid)).toMatchObject({ status: 'partially_paid', paidCents: 3500 })
    await step(one, 'lose')
    const two = await dispute(paid, { amountCents: 3500 })
    expect(await invoiceOf(paid)).toMatchObject({ status: 'issued', disputed: true })
    await step(two, 'win')
    expect(await invoiceOf(paid)).toMatchObject({ status: 'partially_paid', paidCents: 3500, disputed: false })
    expect(await books(own)).toEqual([])

    const payment = await paid.paymentId()
    const refund = { amountCents: 1500, method: 'card' as const, onDay: start, reason: 'Sorry', creditInvoices: false }
    await api.ok(correctionsApi.refundPayment, { params: { id: payment?.id ?? '' }, body: refund })
    await runTasks()
    const three = await dispute(paid, { amountCents: 3500 })
    expect(await first(paid)).toMatchObject({ amountCents: 3500, uncoveredCents: 1500 })
    expect(await books(own)).toEqual([])
    const csv = await api.raw({ method: 'GET', url: `/api/books/csv?kind=journal&from=${start}&to=${start}` })
    expect(csv.text).toContain('Chargeback Losses,15.00')
    // the refund turns out not to have gone: then the bank took it once only
    const [made] = await own.db((db) =>
      db.selectFrom('refunds').select('providerRefundId').where('businessId', '=', own.id).execute(),
    )
    await failLocalRefund(made?.providerRefundId ?? '')
    await processRefundEvent({
      provider: 'stripe',
      account: paid.account,
      eventId: 'evt_failed',
      type: 'refund.failed',
      payload: { data: { object: { id: made?.providerRefundId } } },
    })
    expect((await first(paid)).uncoveredCents).toBe(0)
    expect(await books(own)).toEqual([])
    await step(three, 'win')
    expect(await invoiceOf(paid)).toMatchObject({ status: 'partially_paid', paidCents: 3500 })
    expect(await books(own)).toEqual([])
  })

  it('reopens what was written off, and is booked when its event overtakes the payment’s', async () => {
    const paid = await aPaid({ settle: false })
    const { own, api, id } = paid
    restore = setLocalPost(async () => 200)
    const { items } = await api.ok(disputesApi.list, { query: {} })
    expect(items).toEqual([])
    const rows = await database()
      .selectFrom('localCheckoutSessions')
      .select('paymentIntent')
      .where('id', '=', paid.sessionId)
      .execute()
    const bank =
      (await openLocalDispute(paid.account, rows[0]?.paymentIntent ?? '', {
        kind: 'dispute',
        reason: 'fraudulent',
        amountCents: 2000,
      })) ?? ''
    await syncDispute(bank, paid.account)
    await runTasks()
    expect(await invoiceOf(paid)).toMatchObject({ status: 'partially_paid', paidCents: 3500, disputed: true })
    await stepLocalDispute(bank, 'lose')
    await syncDispute(bank, paid.account)
    await api.ok(invoicesApi.writeOff, { params: { id }, body: { reason: 'Let go' } })
    const again =
      (await openLocalDispute(paid.account, rows[0]?.paymentIntent ?? '', {
        kind: 'dispute',
        reason: 'fraudulent',
        amountCents: 3500,
      })) ?? ''
    await syncDispute(again, paid.account)
    expect(await invoiceOf(paid)).toMatchObject({ status: 'issued', paidCents: 0, balanceCents: 5500 })
    expect(await books(own)).toEqual([])
    // told by another business's account, it is nobody's
    const foreign = await aBusiness()
    await syncDispute(again, await accountOf(foreign))
    expect(
      await foreign.db((db) => db.selectFrom('disputes').selectAll().where('businessId', '=', foreign.id).execute()),
    ).toEqual([])
  })
})

describe('evidence', () => {
  it('is collected from the work, kept as it is written, and taken by the bank once', async () => {
    const paid = await aPaid({ saves: true })
    const { own, api, customerId, visit } = paid
    await own.db(async (db) => {
      await db
        .updateTable('visits')
        .set({
          startedAt: instantAt(addDays(start, -2), 552, zone),
          finishedAt: instantAt(addDays(start, -2), 588, zone),
          note: 'Gate was open',
        })
        .where('businessId', '=', own.id)
        .where('id', '=', visit.visitId)
        .execute()
      await db
        .insertInto('messages')
        .values({
          businessId: own.id,
          id: newId(),
          channel: 'email',
          direction: 'inbound',
          customerId,
          address: 'ann@test.swath.test',
          bodyText: 'Looks great, thank you!',
          dedupeKey: newId(),
          status: 'received',
        })
        .execute()
    })
    await dispute(paid)
    const begun = await first(paid)
    expect(begun.evidence).toMatchObject({
      invoices: [expect.stringMatching(/^INV-/)],
      visits: [{ crew: 'North crew', times: '9:12 AM to 9:48 AM', place: '132 Laurel Green Ct' }],
      messageCount: 1,
    })
    for (const words of ['9:12 AM to 9:48 AM', 'Gate was open', 'Looks great', 'keep this card', 'mailed to ann@'])
      expect(begun.text).toContain(words)
    const params = { id: begun.id }
    const text = `${begun.text}\n\nThe lawn was mowed.`
    const kept = await api.ok(disputesApi.saveEvidence, { params, body: { text, version: begun.version } })
    expect(kept.text).toBe(text)
    const stale = await api.call(disputesApi.submitEvidence, { params, body: { text, version: begun.version } })
    expect(stale.status).toBe(409)
    const both = await Promise.all(
      [1, 2].map(() => api.call(disputesApi.submitEvidence, { params, body: { text, version: kept.version } })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await first(paid)).state).toBe('Your evidence is on its way to the bank')
    await runTasks()
    await runTasks()
    const sent = await first(paid)
    expect(sent).toMatchObject({ status: 'under_review', submission: 'sent', can: { edit: false, submit: false } })
    const bank = await stranger.ok(localPaymentsApi.bank, { params: { accountId: paid.account } })
    expect(bank.payments[0]?.disputes[0]).toMatchObject({ status: 'under_review', evidence: text })
    const { needs } = await api.ok(dashboardApi.get, {})
    expect(needs.some(({ kind }) => kind === 'dispute')).toBe(false)
  })

  it('after its day is refused here, and what the bank does not take comes back with the reason', async () => {
    const paid = await aPaid()
    await dispute(paid)
    const { id, version, text } = await first(paid)
    onDay(10, 590)
    let api = await apiFor(paid.own.owner)
    // in time here, and too late when it arrives
    await api.ok(disputesApi.submitEvidence, { params: { id }, body: { text, version } })
    onDay(11)
    await runTasks()
    api = await apiFor(paid.own.owner)
    const late = await api.ok(disputesApi.get, { params: { id } })
    expect(late).toMatchObject({ submission: 'refused', can: { submit: false, edit: false } })
    expect(late.problem).toContain('takes no evidence')
    const refused = await api.call(disputesApi.submitEvidence, {
      params: { id },
      body: { text, version: late.version },
    })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('has passed')])
    expect(await titles(api)).toContain('The bank did not take your evidence about $55.00 of Rebecca Odom')
    const { needs } = await api.ok(dashboardApi.get, {})
    expect(needs.some(({ kind }) => kind === 'dispute')).toBe(false)
  })
})

it('another business sees none of it', async () => {
  const paid = await aPaid()
  await dispute(paid)
  const { id } = await first(paid)
  const other = await aBusiness()
  const api = await apiFor(other.owner)
  expect((await api.call(disputesApi.get, { params: { id } })).status).toBe(404)
  expect((await api.ok(disputesApi.list, { query: { customerId: paid.customerId } })).items).toEqual([])
})

it('counts only from the account that its payment came into, also between two accounts of one business', async () => {
  const paid = await aPaid()
  const { own } = paid
  const before = { ledger: await ledger(own), invoice: await invoiceOf(paid) }
  const payment = await paid.paymentId()
  const known = async () => (await paid.api.ok(disputesApi.list, { query: { invoiceId: paid.id } })).items.length
  // an account that the business had or has beside it tells of a payment that was never taken there
  const other = `acct_other_${own.id.slice(-8)}`
  await database().insertInto('paymentAccountLookups').values({ accountId: other, businessId: own.id }).execute()
  const told = {
    provider: 'local',
    livemode: false,
    id: `dp_other_${own.id.slice(-8)}`,
    paymentId: payment?.providerPaymentId,
    amountCents: 5500,
    kind: 'dispute',
    reason: 'fraudulent',
    status: 'needs_response',
    dueAt: null,
    takenCents: 5500,
    returnedCents: 0,
    feeCents: 0,
    openedAt: clock.iso(),
    mark: null,
    account: other,
  }
  await insert('dispute', told.id, told, null)
  await syncDispute(told.id, other)
  expect(await known()).toBe(0)
  expect({ ledger: await ledger(own), invoice: await invoiceOf(paid) }).toEqual(before)
  // what the account itself says of it counts
  await dispute(paid)
  expect(await known()).toBe(1)
})
