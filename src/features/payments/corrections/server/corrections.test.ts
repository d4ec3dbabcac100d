import { describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { addDays } from '../../../../shared/dates.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, aVisit, today } from '../../../../test/field.ts'
import { customersApi } from '../../../customers/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { addLedgerEntryTx } from '../../../invoices/server/commands.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../contract.ts'
import { compareBooks } from './queries.ts'
import { compareAllBooks } from './tasks.ts'

const reason = 'The mower cut the hose'

const anIssued = async (own: TestBusiness, customerId: string, cents: number) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const pay = (own: TestBusiness, id: string, amountCents: number) =>
  own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents, receivedOn: today() },
  })
const invoiceOf = (own: TestBusiness, id: string) => own.api.ok(invoicesApi.get, { params: { id } })
const creditsOf = (own: TestBusiness, id: string) => own.api.ok(correctionsApi.listCredits, { params: { id } })
const books = (own: TestBusiness) => own.db((db) => compareBooks(db))
const owed = async (own: TestBusiness, customerId: string) => {
  const { items } = await own.api.ok(customersApi.list, {})
  const one = items.find(({ id }) => id === customerId)
  return [one?.owedCents, one?.balanceCents]
}

describe('what is only credited', () => {
  it('is no money that came: the list, the record, the customer and their page count it apart, and one payment stays one', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId, 22_764)
    const payment = await pay(own, id, 10_000)
    expect((await invoiceOf(own, id)).payments).toMatchObject([{ pays: [(await invoiceOf(own, id)).number] }])
    await own.api.ok(correctionsApi.refundPayment, {
      params: { id: payment.id },
      body: { amountCents: 4000, method: 'cash', onDay: today(), reason, creditInvoices: true },
    })
    const some = await invoiceOf(own, id)
    expect(some).toMatchObject({ status: 'partially_paid', paidCents: 10_000, creditedCents: 4000 })
    expect(some.earlier).toMatchObject([{ kind: 'came', paymentId: payment.id, amountCents: 4000 }])
    await own.api.ok(correctionsApi.refundPayment, {
      params: { id: payment.id },
      body: { amountCents: 6000, method: 'cash', onDay: today(), reason, creditInvoices: true },
    })
    const stands = { status: 'partially_paid', paidCents: 10_000, creditedCents: 10_000 }
    expect(await invoiceOf(own, id)).toMatchObject(stands)
    expect((await own.api.ok(invoicesApi.list, { query: { customerId } })).items).toMatchObject([stands])
    expect((await own.api.ok(customersApi.get, { params: { id: customerId } })).invoices?.items).toMatchObject([stands])
    const token = (await invoiceOf(own, id)).publicPath?.split('/').at(-1) ?? ''
    expect(await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).toMatchObject(stands)
    expect(await books(own)).toEqual([])
  })

  it('a refund that was handed to nobody is taken back once: its invoice is paid again, and what was credited instead leaves credit', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId, 10_000)
    const payment = await pay(own, id, 10_000)
    const refund = async (amountCents: number, more: object = {}) => {
      await own.api.ok(correctionsApi.refundPayment, {
        params: { id: payment.id },
        body: { amountCents, method: 'cash', onDay: today(), reason, ...more },
      })
      const [newest] = (await invoiceOf(own, id)).handedRefunds
      return newest?.id ?? ''
    }
    const takeBack = (refundId: string) =>
      own.api.call(correctionsApi.takeRefundBack, { params: { id: refundId }, body: { reason: 'The wrong customer' } })
    const first = await refund(4000)
    expect(await invoiceOf(own, id)).toMatchObject({
      balanceCents: 4000,
      handedRefunds: [{ id: first, amountCents: 4000, method: 'cash', reason, can: { takeBack: true } }],
    })
    expect((await takeBack(first)).status).toBe(200)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', balanceCents: 0, handedRefunds: [] })
    expect(await owed(own, customerId)).toEqual([0, 0])
    expect((await takeBack(first)).status).toBe(409)
    const credited = await refund(3000, { creditInvoices: true })
    expect((await takeBack(credited)).status).toBe(200)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', balanceCents: 0 })
    expect((await creditsOf(own, customerId)).creditCents).toBe(3000)
    expect(await books(own)).toEqual([])
    // of credit that lies on no invoice it stands with the customer
    await own.api.ok(correctionsApi.refundPayment, {
      params: { id: payment.id },
      body: { amountCents: 3000, method: 'check', onDay: today(), reason },
    })
    const { handedRefunds, creditCents } = await creditsOf(own, customerId)
    expect([creditCents, handedRefunds]).toMatchObject([0, [{ amountCents: 3000, method: 'check' }]])
    expect((await takeBack(handedRefunds[0]?.id ?? '')).status).toBe(200)
    expect((await creditsOf(own, customerId)).creditCents).toBe(3000)
    expect(await books(own)).toEqual([])
    const other = await aBusiness()
    const theirs = await other.api.call(correctionsApi.takeRefundBack, { params: { id: first }, body: { reason } })
    expect(theirs.status).toBe(404)
  })

  it('answers with its number, and a payment in two invoices names both', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const first = await anIssued(own, customerId, 5000)
    const next = await anIssued(own, customerId, 3000)
    const { id: paymentId } = await pay(own, first, 9000)
    const used = await own.api.ok(correctionsApi.useCredit, { params: { id: next }, body: { amountCents: 3000 } })
    expect(used.creditNote).toBeNull()
    const numbers = [(await invoiceOf(own, first)).number, (await invoiceOf(own, next)).number]
    expect((await invoiceOf(own, next)).payments).toMatchObject([{ id: paymentId, pays: numbers }])
    expect((await creditsOf(own, customerId)).items).toMatchObject([{ paymentId, pays: numbers }])
    const body = { amountCents: 1000, reason }
    expect((await own.api.ok(correctionsApi.creditInvoice, { params: { id: next }, body })).creditNote).toBe('CN-1001')
    expect((await own.api.ok(correctionsApi.giveCredit, { params: { id: customerId }, body })).creditNote).toBe(
      'CN-1002',
    )
  })
})

describe('credit', () => {
  it('that was paid too much is put on the next invoice, part by part, and never twice', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const first = await anIssued(own, customerId, 5000)
    await pay(own, first, 8000)
    expect(await creditsOf(own, customerId)).toMatchObject({ creditCents: 3000, items: [{ restCents: 3000 }] })
    const next = await anIssued(own, customerId, 2000)
    expect(await invoiceOf(own, next)).toMatchObject({ creditCents: 3000, can: { useCredit: true } })
    const use = (amountCents: number) =>
      own.api.call(correctionsApi.useCredit, { params: { id: next }, body: { amountCents } })
    expect((await use(2500)).error.errors?.[0]?.path).toBe('amountCents')
    const both = await Promise.all([use(1500), use(1500)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await invoiceOf(own, next)).toMatchObject({ status: 'partially_paid', balanceCents: 500, creditCents: 1500 })
    expect((await use(500)).status).toBe(200)
    expect(await invoiceOf(own, next)).toMatchObject({ status: 'paid', creditCents: 1000 })
    expect((await use(1)).status).toBe(409)
    expect(await owed(own, customerId)).toEqual([0, -1000])
    expect(await books(own)).toEqual([])
  })

  it('that lies on a wrong invoice is taken off it, stays their credit, and the invoice can be voided', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const first = await anIssued(own, customerId, 5000)
    await pay(own, first, 8000)
    const wrong = await anIssued(own, customerId, 2000)
    await own.api.ok(correctionsApi.useCredit, { params: { id: wrong }, body: { amountCents: 2000 } })
    const [payment] = (await invoiceOf(own, wrong)).payments
    expect(payment).toMatchObject({ allocatedCents: 2000, can: { takeOff: true } })
    const takeOff = (invoiceId: string) =>
      own.api.call(correctionsApi.takeOff, {
        params: { id: payment?.id ?? '' },
        body: { invoiceId, reason: 'Never ordered' },
      })
    const both = await Promise.all([takeOff(wrong), takeOff(wrong)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await invoiceOf(own, wrong)).toMatchObject({
      status: 'issued',
      balanceCents: 2000,
      creditCents: 3000,
      can: { void: true },
      corrections: [{ kind: 'moved', amountCents: 2000, reason: 'Never ordered' }],
    })
    // the other invoice that it paid stays paid
    expect(await invoiceOf(own, first)).toMatchObject({ status: 'paid', corrections: [] })
    await own.api.ok(invoicesApi.voidInvoice, { params: { id: wrong } })
    expect(await owed(own, customerId)).toEqual([0, -3000])
    expect(await books(own)).toEqual([])
    const foreign = await aBusiness()
    const body = { invoiceId: first, reason }
    expect((await foreign.api.call(correctionsApi.takeOff, { params: { id: payment?.id ?? '' }, body })).status).toBe(
      404,
    )
  })

  it('of a note is not taken off: the note is taken back', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId, 5000)
    await own.api.ok(correctionsApi.creditInvoice, { params: { id }, body: { amountCents: 2000, reason } })
    const [note] = (await invoiceOf(own, id)).payments
    expect(note?.can).toMatchObject({ takeOff: false, reverse: true })
    const body = { invoiceId: id, reason }
    expect((await own.api.call(correctionsApi.takeOff, { params: { id: note?.id ?? '' }, body })).status).toBe(409)
    expect(await invoiceOf(own, id)).toMatchObject({ balanceCents: 3000 })
  })

  it('is given for a reason, kept as a numbered note, and taken back while it is one', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const give = (amountCents: number) =>
      own.api.call(correctionsApi.giveCredit, { params: { id: customerId }, body: { amountCents, reason } })
    expect((await give(0)).status).toBe(422)
    expect(
      (
        await own.api.call(correctionsApi.giveCredit, {
          params: { id: customerId },
          body: { amountCents: 5, reason: ' ' },
        })
      ).status,
    ).toBe(422)
    await give(2500)
    await give(1000)
    const { creditCents, items } = await creditsOf(own, customerId)
    expect([creditCents, items.map(({ creditNote }) => creditNote)]).toEqual([3500, ['CN-1001', 'CN-1002']])
    const id = await anIssued(own, customerId, 3000)
    await own.api.ok(correctionsApi.useCredit, { params: { id }, body: { amountCents: 3000 } })
    const paymentId = items[0]?.paymentId ?? ''
    await own.api.ok(correctionsApi.reversePayment, { params: { id: paymentId }, body: { reason: 'wrong neighbor' } })
    expect(await invoiceOf(own, id)).toMatchObject({
      status: 'partially_paid',
      balanceCents: 2500,
      creditCents: 500,
      corrections: [{ kind: 'reversal', amountCents: 2500, reason: 'wrong neighbor' }],
    })
    expect(
      (await own.api.call(correctionsApi.reversePayment, { params: { id: paymentId }, body: { reason } })).status,
    ).toBe(409)
    expect(await books(own)).toEqual([])
  })

  it('on an invoice lowers what is open first, with its share of the tax, and never more than the invoice', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId, 10000)
    await pay(own, id, 7000)
    const credit = (amountCents: number) =>
      own.api.call(correctionsApi.creditInvoice, { params: { id }, body: { amountCents, reason } })
    const answer = await credit(4000)
    expect(answer.body).toMatchObject({ creditCents: 1000, invoices: [{ status: 'paid', balanceCents: 0 }] })
    expect((await credit(6001)).error.errors?.[0]?.message).toMatch(/At most \$60\.00/)
    expect((await invoiceOf(own, id)).payments.map(({ creditNote }) => creditNote)).toEqual([null, 'CN-1001'])
    expect(await owed(own, customerId)).toEqual([0, -1000])
    expect(await books(own)).toEqual([])
  })
})

describe('a payment', () => {
  it('recorded by mistake is taken back: its invoices are open again, and it stands on their record', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const [first, second] = [await anIssued(own, customerId, 5000), await anIssued(own, customerId, 4000)]
    const { id } = await pay(own, first, 9000)
    await own.api.ok(correctionsApi.useCredit, { params: { id: second }, body: { amountCents: 4000 } })
    const reverse = () =>
      own.api.call(correctionsApi.reversePayment, { params: { id }, body: { reason: 'Check of somebody else' } })
    const answers = await Promise.all([reverse(), reverse()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const invoice of [await invoiceOf(own, first), await invoiceOf(own, second)])
      expect(invoice).toMatchObject({
        status: 'issued',
        paidCents: 0,
        payments: [],
        corrections: [{ kind: 'reversal' }],
      })
    expect(await owed(own, customerId)).toEqual([9000, 9000])
    expect(await books(own)).toEqual([])
    // nobody is thanked for what was taken back before the thanks were written
    await runTasks()
    expect(
      (await own.api.ok(notificationsApi.list, {})).notifications.filter((n) => n.title.includes('paid INV')),
    ).toEqual([])
  })

  it('goes back: what lies on no invoice first, then the invoice is open again or credited, as asked', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId, 5000)
    const payment = await pay(own, id, 6000)
    const refund = (amountCents: number, more: { creditInvoices?: boolean; onDay?: string } = {}) =>
      own.api.call(correctionsApi.refundPayment, {
        params: { id: payment.id },
        body: { amountCents, method: 'check', onDay: today(), reason, ...more },
      })
    expect((await refund(1000)).body).toMatchObject({ creditCents: 0, invoices: [] })
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid' })
    expect((await refund(5001)).error.errors?.[0]?.message).toMatch(/At most \$50\.00/)
    expect((await refund(10, { onDay: addDays(today(), 1) })).error.errors?.[0]?.path).toBe('onDay')
    await refund(2000)
    expect(await invoiceOf(own, id)).toMatchObject({
      status: 'partially_paid',
      balanceCents: 2000,
      corrections: [{ kind: 'refund', amountCents: 2000 }],
    })
    expect(await owed(own, customerId)).toEqual([2000, 2000])
    await refund(1000, { creditInvoices: true })
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'partially_paid', balanceCents: 2000 })
    expect(await books(own)).toEqual([])
    // what went back in part is no mistake of the keys any more
    const reversed = await own.api.call(correctionsApi.reversePayment, { params: { id: payment.id }, body: { reason } })
    expect([reversed.status, reversed.error.message]).toEqual([409, expect.stringContaining('went back already')])
  })

  it('is nobody else’s to take back', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const { customerId } = await aLawn(own)
    const { id } = await pay(own, await anIssued(own, customerId, 5000), 5000)
    const params = { id }
    expect((await other.api.call(correctionsApi.reversePayment, { params, body: { reason } })).status).toBe(404)
    expect(
      (
        await other.api.call(correctionsApi.giveCredit, {
          params: { id: customerId },
          body: { amountCents: 1, reason },
        })
      ).status,
    ).toBe(404)
    expect((await other.api.call(correctionsApi.listCredits, { params: { id: customerId } })).status).toBe(404)
  })
})

describe('a debt that is let go', () => {
  it('is owed no more, takes no money, and comes back when the customer pays after all', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId, 5000)
    const payment = await pay(own, id, 1000)
    const off = await own.api.ok(invoicesApi.writeOff, { params: { id }, body: { reason: 'Moved away' } })
    expect(off).toMatchObject({
      status: 'written_off',
      balanceCents: 0,
      corrections: [{ kind: 'write_off', amountCents: 4000 }],
    })
    expect(await owed(own, customerId)).toEqual([0, 0])
    expect((await own.api.ok(invoicesApi.list, { query: { view: 'written_off' } })).items.map((one) => one.id)).toEqual(
      [id],
    )
    const late = await own.api.call(paymentsApi.recordPayment, {
      params: { id },
      body: { method: 'cash', amountCents: 4000, receivedOn: today() },
    })
    expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('Open it again')])
    const reversed = await own.api.call(correctionsApi.reversePayment, { params: { id: payment.id }, body: { reason } })
    expect(reversed.status).toBe(409)
    await own.api.ok(invoicesApi.reinstate, { params: { id } })
    await own.api.ok(invoicesApi.writeOff, { params: { id }, body: { reason: 'Gone for good' } })
    await own.api.ok(invoicesApi.reinstate, { params: { id } })
    await pay(own, id, 4000)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid' })
    expect(await owed(own, customerId)).toEqual([0, 0])
    expect(await books(own)).toEqual([])
  })
})

describe('a draft', () => {
  it('is changed line by line; a visit without a line waits to be invoiced again', async () => {
    const own = await aBusiness()
    const first = await aVisit(own, { status: 'completed', priceCents: 5500 })
    await own.api.ok(invoicesApi.createBatch, { body: { send: false } })
    const { items } = await own.api.ok(invoicesApi.list, { query: { customerId: first.customerId } })
    const before = await invoiceOf(own, items[0]?.id ?? '')
    const { id, version, termsDays } = before
    const [line] = before.lines
    const change = (lines: object[], more: object = {}) =>
      own.api.call(invoicesApi.change, {
        params: { id },
        body: { version, termsDays, message: 'Thanks', discountCents: 0, lines, ...more } as never,
      })
    const same = {
      id: line?.id,
      description: 'Mowing, twice',
      quantity: 2,
      unitPriceCents: 5000,
      serviceOn: line?.serviceOn,
    }
    expect((await change([{ ...same, id: id }])).status).toBe(422)
    expect((await change([same, same])).status).toBe(422)
    expect((await change([same], { discountCents: 10001 })).error.errors?.[0]?.path).toBe('discountCents')
    const changed = (await change([same, { description: 'Mulch', quantity: 1, unitPriceCents: 2000 }])).body
    expect(changed).toMatchObject({
      totalCents: 12000,
      message: 'Thanks',
      lines: [{ visitId: first.visitId }, { visitId: null }],
    })
    expect((await change([same])).error.code).toBe('version_conflict')
    expect((await own.api.ok(invoicesApi.countInvoiceable, {})).visitCount).toBe(0)
    const mulch = { id: changed.lines[1]?.id, description: 'Mulch', quantity: 1, unitPriceCents: 2000 }
    await change([mulch], { version: changed.version })
    expect((await own.api.ok(invoicesApi.countInvoiceable, {})).visitCount).toBe(1)
    await own.api.ok(invoicesApi.issue, { params: { id } })
    const late = await change([mulch], { version: changed.version + 2 })
    expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('credit note')])
  })
})

describe('the books', () => {
  it('balance after any order of what can be done with money', { timeout: 120_000 }, async () => {
    const own = await aBusiness()
    const lawns = [await aLawn(own), await aLawn(own)]
    const invoices: { id: string; customerId: string }[] = []
    let seed = 20261122
    const random = (n: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * n)
    }
    const payments: string[] = []
    const acts = [
      async () => {
        const customerId = lawns[random(2)]?.customerId ?? ''
        invoices.push({ id: await anIssued(own, customerId, 1 + random(9000)), customerId })
      },
      async (id: string) => {
        const body = { method: 'cash' as const, amountCents: 1 + random(9000), receivedOn: today() }
        const paid = await own.api.call(paymentsApi.recordPayment, { params: { id }, body })
        if (paid.status === 200) payments.push(paid.body.id)
      },
      (id: string) =>
        own.api.call(correctionsApi.useCredit, { params: { id }, body: { amountCents: 1 + random(4000) } }),
      (id: string) =>
        own.api.call(correctionsApi.creditInvoice, { params: { id }, body: { amountCents: 1 + random(5000), reason } }),
      (_: string, customerId: string) =>
        own.api.call(correctionsApi.giveCredit, {
          params: { id: customerId },
          body: { amountCents: 1 + random(3000), reason },
        }),
      () =>
        own.api.call(correctionsApi.reversePayment, {
          params: { id: payments[random(payments.length)] ?? invoices[0]!.id },
          body: { reason },
        }),
      () =>
        own.api.call(correctionsApi.refundPayment, {
          params: { id: payments[random(payments.length)] ?? invoices[0]!.id },
          body: {
            amountCents: 1 + random(6000),
            method: 'cash',
            onDay: today(),
            reason,
            creditInvoices: random(2) === 0,
          },
        }),
      (id: string) => own.api.call(invoicesApi.writeOff, { params: { id }, body: { reason } }),
      (id: string) => own.api.call(invoicesApi.reinstate, { params: { id } }),
      (id: string) => own.api.call(invoicesApi.voidInvoice, { params: { id } }),
    ]
    await acts[0]!('', '')
    const counts = new Map<number, number>()
    for (let step = 0; step < 250; step++) {
      const which = random(acts.length)
      const target = invoices[random(invoices.length)]!
      const answer = await acts[which]!(target.id, target.customerId)
      const status = (answer as { status?: number } | undefined)?.status ?? 200
      expect([200, 404, 409, 422], `step ${step} of ${which}`).toContain(status)
      if (status === 200) counts.set(which, (counts.get(which) ?? 0) + 1)
      if (step % 10 === 0) expect(await books(own), `after step ${step} (${which})`).toEqual([])
    }
    expect(await books(own)).toEqual([])
    // every kind was really done
    expect(counts.size).toBe(acts.length)
    for (const { id } of invoices) {
      const { status, totalCents, paidCents, payments: on } = await invoiceOf(own, id)
      expect(paidCents).toBe(on.reduce((sum, { allocatedCents }) => sum + allocatedCents, 0))
      expect(paidCents).toBeLessThanOrEqual(totalCents)
      if (status === 'paid') expect(paidCents).toBe(totalCents)
    }
  })

  it('that are off by a cent are told to the office in the night', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId, 5000)
    const entry = {
      kind: 'adjustment' as const,
      amountCents: 1,
      refType: 'invoice' as const,
      refId: id,
      onDay: today(),
    }
    await own.db((db) => addLedgerEntryTx(db, { ...entry, customerId }))
    await compareAllBooks.run(systemActor(own.id) as never)
    const told = (await own.api.ok(notificationsApi.list, {})).notifications
    expect(told.map(({ title }) => title)).toContain('A balance is off by $0.01')
  })

  it('of which a row was lost or doubled are told, although the balance still fits', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const id = await anIssued(own, customerId, 5000)
    const body = { method: 'cash' as const, amountCents: 3000, receivedOn: today() }
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
    expect(await books(own)).toEqual([])
    await own.db((db) =>
      db.deleteFrom('paymentAllocations').where('businessId', '=', own.id).where('invoiceId', '=', id).execute(),
    )
    expect(await books(own)).toEqual([
      { customerId, what: 'invoice', cents: 3000 },
      { customerId, what: 'payment', cents: 3000 },
    ])
    await own.db((db) => db.updateTable('customerBalances').set({ balanceCents: 2001 }).execute())
    expect((await books(own)).map(({ what, cents }) => [what, cents])).toEqual([
      ['balance', 1],
      ['invoice', 3000],
      ['ledger', 1],
      ['payment', 3000],
    ])
    await compareAllBooks.run(systemActor(own.id) as never)
    const told = (await own.api.ok(notificationsApi.list, {})).notifications
    expect(told.map(({ title }) => title)).toContain('The books of a customer are off by $30.00')
  })
})
