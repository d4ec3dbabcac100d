import { afterEach, beforeEach, expect, it } from 'vitest'
import { changeThere, listThere } from '../../../../local/books/play.ts'
import { openLocalDispute } from '../../../../local/payments/disputes.ts'
import { arriveLocalPayout, failLocalPayout, payOutLocally } from '../../../../local/payments/payouts.ts'
import { centsOf, type Remote } from '../../../../platform/books/client.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays, dayOf, instantAt, weekdayOf } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { signInAgain, withBooks } from '../../../../test/books.ts'
import { aCustomer, accountOf, anInvoice, office, openPage, payPage } from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { quickbooksApi } from '../../contract.ts'

/** A Wednesday early in a month, so that a payout arrives in the month of its payments. */
const zone = 'America/New_York'
let start = ''
const onDay = (ahead: number) => setClock(() => new Date(instantAt(addDays(start, ahead), 600, zone)))
beforeEach(() => {
  start = `${dayOf(clock.now(), zone).slice(0, 7)}-02`
  while (weekdayOf(start) !== 3) start = addDays(start, 1)
  onDay(0)
})
afterEach(resetClock)

const pay = async (own: TestBusiness, customerId: string, cents: number) => {
  const invoice = await anInvoice(own, customerId, 10, cents)
  await payPage(await openPage(invoice.token))
  await runTasks()
  return invoice.id
}
const arrive = async (own: TestBusiness) => {
  const id = (await payOutLocally(await accountOf(own))) ?? ''
  await runTasks()
  onDay(2)
  await arriveLocalPayout(await accountOf(own), id)
  await runTasks()
  await signInAgain(own)
  return id
}
const agree = async (own: TestBusiness) => {
  const { differences, sums } = await own.api.ok(quickbooksApi.checkMonth, { body: { month: start.slice(0, 7) } })
  expect(differences).toEqual([])
  return sums.find(({ kind }) => kind === 'payout')
}
/** What stands on an account of the books, in cents, by what of it moved. */
const standsOn = async (realm: string, account: string): Promise<number> => {
  let sum = 0
  for (const one of await listThere(realm, 'Payment'))
    if (one.DepositToAccountRef?.value === account) sum += centsOf(one.TotalAmt)
  const lineOf = (line: NonNullable<Remote['Line']>[number], into: Remote[]) => {
    if (line.LinkedTxn?.length)
      return into.find(({ Id }) => Id === line.LinkedTxn?.[0]?.TxnId)?.DepositToAccountRef?.value
    return line.DepositLineDetail?.AccountRef.value
  }
  const payments = await listThere(realm, 'Payment')
  for (const one of await listThere(realm, 'Deposit')) {
    if (one.DepositToAccountRef?.value === account) sum += centsOf(one.TotalAmt)
    for (const line of one.Line ?? []) if (lineOf(line, payments) === account) sum -= centsOf(line.Amount)
  }
  for (const one of await listThere(realm, 'Purchase')) {
    if (one.AccountRef?.value === account) sum -= centsOf(one.TotalAmt)
    for (const line of one.Line ?? [])
      if (line.AccountBasedExpenseLineDetail?.AccountRef.value === account) sum += centsOf(line.Amount)
  }
  return sum
}

it('a payout is one deposit of its payments less the fee; the accounts stand to the cent, refunds and a dispute in it', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const customerId = await aCustomer(own)
  const first = await pay(own, customerId, 5000)
  await pay(own, customerId, 20_000)
  const [payment] = (await (await office(own)).ok(invoicesApi.get, { params: { id: first } })).payments
  await (await office(own)).ok(correctionsApi.refundPayment, {
    params: { id: payment?.id ?? '' },
    body: { amountCents: 1500, method: 'card', onDay: start, reason: 'A bed was left out', creditInvoices: true },
  })
  await runTasks()
  const big = await own.db((db) =>
    db
      .selectFrom('payments')
      .select('providerPaymentId')
      .where('businessId', '=', own.id)
      .where('amountCents', '=', 20_000)
      .executeTakeFirstOrThrow(),
  )
  await openLocalDispute(await accountOf(own), big.providerPaymentId ?? '', {
    kind: 'dispute',
    reason: 'general',
    amountCents: 4000,
  })
  await runTasks()
  await arrive(own)
  await books.send()
  expect(await books.failed()).toEqual([])
  const [deposit, ...more] = await books.there('Deposit')
  expect(more).toEqual([])
  const net = await own.db((db) =>
    db
      .selectFrom('payouts')
      .select(['amountCents', 'feeCents'])
      .where('businessId', '=', own.id)
      .executeTakeFirstOrThrow(),
  )
  expect(deposit).toMatchObject({ TxnDate: addDays(start, 2), DepositToAccountRef: { value: books.accounts.bank } })
  // the bank's own list has this one sum and no other: refund and dispute are lines of the deposit
  expect(centsOf(deposit?.TotalAmt)).toBe(Number(net.amountCents))
  expect(Number(net.amountCents)).toBe(25_000 - 1500 - 4000 - Number(net.feeCents))
  for (const one of await books.there('Purchase'))
    expect(one).toMatchObject({ AccountRef: { value: books.accounts.deposit } })
  expect(
    deposit?.Line?.filter(({ LinkedTxn }) => LinkedTxn)
      .map(({ Amount }) => Amount)
      .sort(),
  ).toEqual(['200.00', '50.00'])
  expect(deposit?.Line?.at(-1)).toMatchObject({ Amount: `-${(Number(net.feeCents) / 100).toFixed(2)}` })
  expect([
    await standsOn(books.realm, books.accounts.deposit),
    await standsOn(books.realm, books.accounts.bank),
  ]).toEqual([0, Number(net.amountCents)])
  expect(await agree(own)).toMatchObject({ count: 1, oursCents: centsOf(deposit?.TotalAmt) })
  // again sends nothing twice
  await books.send()
  expect(await books.there('Deposit')).toHaveLength(1)
})

it('a card payment that the office sent back by bank transfer leaves the bank account, and no payout is less by it', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const invoiceId = await pay(own, await aCustomer(own), 8000)
  const [payment] = (await (await office(own)).ok(invoicesApi.get, { params: { id: invoiceId } })).payments
  await (await office(own)).ok(correctionsApi.refundPayment, {
    params: { id: payment?.id ?? '' },
    body: { amountCents: 8000, method: 'ach', onDay: start, reason: 'Moved away', creditInvoices: true },
  })
  await arrive(own)
  await books.send()
  expect(await books.failed()).toEqual([])
  const [back] = await books.there('Purchase')
  expect(back).toMatchObject({ TotalAmt: '80.00', AccountRef: { value: books.accounts.bank } })
  const net = centsOf((await books.there('Deposit'))[0]?.TotalAmt)
  expect([
    await standsOn(books.realm, books.accounts.deposit),
    await standsOn(books.realm, books.accounts.bank),
  ]).toEqual([0, net - 8000])
  await agree(own)
})

it('what went out of the bank account before stays so, and its payout fits it: nothing is different, nothing is taken off twice', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  await own.db((db) =>
    db
      .updateTable('booksConnections')
      .set({ netFrom: addDays(start, 1) })
      .where('businessId', '=', own.id)
      .execute(),
  )
  const customerId = await aCustomer(own)
  const invoiceId = await pay(own, customerId, 5000)
  await pay(own, customerId, 20_000)
  const giveBack = async (amountCents: number, onDay: string) => {
    const [payment] = (await (await office(own)).ok(invoicesApi.get, { params: { id: invoiceId } })).payments
    await (await office(own)).ok(correctionsApi.refundPayment, {
      params: { id: payment?.id ?? '' },
      body: { amountCents, method: 'card', onDay, reason: 'A bed was left out', creditInvoices: true },
    })
    await runTasks()
  }
  await giveBack(1500, start)
  const big = await own.db((db) =>
    db
      .selectFrom('payments')
      .select('providerPaymentId')
      .where('businessId', '=', own.id)
      .where('amountCents', '=', 20_000)
      .executeTakeFirstOrThrow(),
  )
  await openLocalDispute(await accountOf(own), big.providerPaymentId ?? '', {
    kind: 'dispute',
    reason: 'general',
    amountCents: 4000,
  })
  await runTasks()
  onDay(1)
  await giveBack(700, addDays(start, 1))
  await arrive(own)
  await books.send()
  expect(await books.failed()).toEqual([])
  const payout = await own.db((db) =>
    db.selectFrom('payouts').select(['id', 'amountCents']).where('businessId', '=', own.id).executeTakeFirstOrThrow(),
  )
  const from = async () =>
    (await books.there('Purchase')).map((one) => [one.TotalAmt, one.AccountRef?.value === books.accounts.bank]).sort()
  const fits = async () => {
    expect(await from()).toEqual([
      ['15.00', true],
      ['40.00', true],
      ['7.00', false],
    ])
    expect((await books.there('Deposit')).map(({ TotalAmt }) => centsOf(TotalAmt))).toEqual([
      Number(payout.amountCents) + 1500 + 4000,
    ])
    expect([
      await standsOn(books.realm, books.accounts.deposit),
      await standsOn(books.realm, books.accounts.bank),
    ]).toEqual([0, Number(payout.amountCents)])
    await agree(own)
  }
  await fits()
  await own.api.ok(quickbooksApi.resend, {
    body: { month: start.slice(0, 7), kind: 'payout', localId: payout.id },
  })
  await books.send()
  await fits()
})

it('a payout that the bank sends back leaves the bank account again and comes with the next', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  await pay(own, await aCustomer(own), 5000)
  const id = await arrive(own)
  await books.send()
  onDay(5)
  await failLocalPayout(await accountOf(own), id)
  await runTasks()
  await signInAgain(own)
  await books.send()
  const net = centsOf((await books.there('Deposit'))[0]?.TotalAmt)
  expect([
    await standsOn(books.realm, books.accounts.deposit),
    await standsOn(books.realm, books.accounts.bank),
  ]).toEqual([net, 0])
  await payOutLocally(await accountOf(own))
  await runTasks()
  onDay(7)
  const next = await own.db((db) =>
    db
      .selectFrom('payouts')
      .select('providerPayoutId')
      .where('businessId', '=', own.id)
      .where('status', '=', 'on_its_way')
      .executeTakeFirstOrThrow(),
  )
  await arriveLocalPayout(await accountOf(own), next.providerPayoutId)
  await runTasks()
  await signInAgain(own)
  await books.send()
  expect(await books.failed()).toEqual([])
  expect([
    await standsOn(books.realm, books.accounts.deposit),
    await standsOn(books.realm, books.accounts.bank),
  ]).toEqual([0, net])
  await agree(own)
})

it('payments name how they were paid: theirs is used, and what they do not have is made once', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const customerId = await aCustomer(own)
  await pay(own, customerId, 5000)
  await own.db((db) => db.updateTable('payments').set({ method: 'ach' }).where('businessId', '=', own.id).execute())
  await pay(own, customerId, 6000)
  await pay(own, customerId, 7000)
  await books.send()
  expect(await books.failed()).toEqual([])
  const methods = await books.there('PaymentMethod')
  expect(methods.map(({ Name }) => Name).sort()).toEqual(['ACH', 'Cash', 'Check', 'Credit Card'])
  const nameOf = (payment: Remote) => methods.find(({ Id }) => Id === payment.PaymentMethodRef?.value)?.Name
  const paid = (await books.there('Payment')).map((one) => [one.TotalAmt, nameOf(one)])
  expect(paid.sort()).toEqual([
    ['50.00', 'ACH'],
    ['60.00', 'Credit Card'],
    ['70.00', 'Credit Card'],
  ])
})

it('a deposit that somebody changed there is said, and a month names it', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  await pay(own, await aCustomer(own), 5000)
  await arrive(own)
  await books.send()
  const [deposit] = await books.there('Deposit')
  const Line = (deposit?.Line ?? []).slice(0, 1)
  await changeThere(books.realm, 'Deposit', deposit?.Id ?? '', { Line }, true)
  const { differences } = await own.api.ok(quickbooksApi.checkMonth, { body: { month: start.slice(0, 7) } })
  expect(differences).toMatchObject([{ kind: 'payout', why: 'amount', theirsCents: 5000 }])
})
