import { afterEach, beforeEach, expect, it } from 'vitest'
import { addInvoiceThere, changeThere, deleteThere, payThere } from '../../../../local/books/play.ts'
import { breakBooks } from '../../../../local/books/store.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { centsOf } from '../../../../platform/books/client.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { runTasks } from '../../../../test/api.ts'
import { withBooks } from '../../../../test/books.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { categoriesApi } from '../../../expenses/categories/contract.ts'
import { expensesApi } from '../../../expenses/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { quickbooksApi } from '../../contract.ts'
import { lookAtChanges } from '../../inbound/server/commands.ts'

beforeEach(() => setClock(() => new Date('2026-06-10T16:00:00Z')))
afterEach(resetClock)
const month = '2026-06'

const aMonth = async (own: TestBusiness) => {
  const books = await withBooks(own)
  const { customerId } = await aLawn(own, { customer: `Anna ${own.id.slice(-6)}` })
  const ids: string[] = []
  for (const unitPriceCents of [5000, 3001, 700]) {
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents }]
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await own.api.ok(invoicesApi.issue, { params: { id } })
    ids.push(id)
  }
  const [first = '', second = '', third = ''] = ids
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id: first },
    body: { method: 'check', amountCents: 5000, receivedOn: today() },
  })
  await own.api.ok(correctionsApi.creditInvoice, { params: { id: second }, body: { amountCents: 1001, reason: 'x' } })
  await own.api.ok(invoicesApi.voidInvoice, { params: { id: third } })
  const { items } = await own.api.ok(categoriesApi.list, {})
  await own.api.ok(expensesApi.create, {
    body: { day: today(), categoryId: items[0]?.id ?? '', method: 'card', totalCents: 4200 },
  })
  await books.send()
  const check = () => own.api.ok(quickbooksApi.checkMonth, { body: { month } })
  const fix = async (kind: 'invoice', localId: string) => {
    await own.api.ok(quickbooksApi.resend, { body: { month, kind, localId } })
    await runTasks()
  }
  return { books, check, fix, first, second }
}

it('a month is the same on both sides to the cent, kind by kind', async () => {
  const own = await aBusiness()
  const { check } = await aMonth(own)
  const { sums, differences } = await check()
  expect(differences).toEqual([])
  expect(sums).toEqual([
    { kind: 'invoice', count: 2, oursCents: 8001, theirsCents: 8001 },
    { kind: 'payment', count: 1, oursCents: 5000, theirsCents: 5000 },
    { kind: 'credit', count: 1, oursCents: 1001, theirsCents: 1001 },
    { kind: 'write_off', count: 0, oursCents: 0, theirsCents: 0 },
    { kind: 'refund', count: 0, oursCents: 0, theirsCents: 0 },
    { kind: 'movement', count: 0, oursCents: 0, theirsCents: 0 },
    { kind: 'expense', count: 1, oursCents: 4200, theirsCents: 4200 },
    { kind: 'payout', count: 0, oursCents: 0, theirsCents: 0 },
    { kind: 'payout_back', count: 0, oursCents: 0, theirsCents: 0 },
  ])
  const { months } = await own.api.ok(quickbooksApi.months, {})
  expect(months.map((one) => [one.month, one.check?.differences.length ?? null])).toEqual([
    ['2026-06', 0],
    ['2026-05', null],
    ['2026-04', null],
  ])
})

const needs = async (own: TestBusiness) =>
  (await own.api.ok(dashboardApi.get, {})).needs
    .filter(({ kind }) => kind === 'books')
    .map(({ title, detail }) => [title, detail])

it('a check that got no answer stays in sight, at the month and in what needs somebody, until one does', async () => {
  const own = await aBusiness()
  const { books, check, first } = await aMonth(own)
  const june = async () => (await own.api.ok(quickbooksApi.months, {})).months[0]
  await breakBooks(books.realm, 'down', 20)
  expect((await own.api.call(quickbooksApi.checkMonth, { body: { month } })).status).toBe(503)
  expect(await june()).toMatchObject({
    month,
    check: null,
    failed: { message: 'QuickBooks does not answer right now. Please try again; nothing was changed.' },
  })
  expect(await needs(own)).toEqual([
    ['June 2026 could not be checked', expect.stringContaining('QuickBooks does not answer right now')],
  ])
  await breakBooks(books.realm, 'down', 0)
  await check()
  expect(await june()).toMatchObject({ check: { differences: [] }, failed: null })
  expect(await needs(own)).toEqual([])
  // What differs needs somebody too, and a failure after it keeps what was found.
  const Line = ((await books.there('Invoice'))[0]?.Line ?? []).map((line) => ({ ...line, Amount: '49.99' }))
  await changeThere(books.realm, 'Invoice', (await books.there('Invoice'))[0]?.Id ?? '', { Line }, true)
  await check()
  expect((await needs(own))[0]?.[0]).toBe('June 2026: 1 record differs')
  await breakBooks(books.realm, 'down', 20)
  await own.api.call(quickbooksApi.checkMonth, { body: { month } })
  expect(await june()).toMatchObject({
    check: { differences: [{ localId: first }] },
    failed: { message: expect.stringContaining('QuickBooks') },
  })
})

it('a row that somebody changed or deleted there is named, and one press puts ours back', async () => {
  const own = await aBusiness()
  const { books, check, fix, first, second } = await aMonth(own)
  const [a, b] = await books.there('Invoice')
  const Line = (a?.Line ?? []).map((line) => ({ ...line, Amount: '49.99' }))
  await changeThere(books.realm, 'Invoice', a?.Id ?? '', { Line }, true)
  await deleteThere(books.realm, 'Invoice', b?.Id ?? '', true)
  const found = await check()
  expect(found.differences).toMatchObject([
    {
      kind: 'invoice',
      localId: first,
      oursCents: 5000,
      theirsCents: 4999,
      why: 'amount',
      href: expect.stringContaining(first),
    },
    { kind: 'invoice', localId: second, oursCents: 3001, theirsCents: null, why: 'missing_there' },
  ])
  await fix('invoice', first)
  await fix('invoice', second)
  expect((await check()).differences).toEqual([])
})

it('what was not sent yet, what does not go through and what stands only there are told apart', async () => {
  const own = await aBusiness()
  const { books, check } = await aMonth(own)
  const { customerId } = await aLawn(own, { customer: 'Bea Green' })
  const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents: 900 }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  expect((await check()).differences).toMatchObject([{ localId: id, why: 'waiting' }])
  await breakBooks(books.realm, '6210', 1)
  await books.send()
  expect((await check()).differences).toMatchObject([{ localId: id, why: 'not_sent' }])
  const [other] = await books.there('Invoice')
  await addInvoiceThere(books.realm, other?.CustomerRef?.value ?? '', 1234, today())
  expect((await check()).differences.map(({ why }) => why)).toEqual(['not_sent', 'only_there'])
})

it('what stands only there is left, or taken out, each by its own word, and a used one stays', async () => {
  const own = await aBusiness()
  const { books, check } = await aMonth(own)
  const [other] = await books.there('Invoice')
  const stray = await addInvoiceThere(books.realm, other?.CustomerRef?.value ?? '', 1234, today())
  const repair = (how: 'leave' | 'list_again' | 'take_out', reason = '') =>
    own.api.call(quickbooksApi.repair, { body: { month, type: 'Invoice', remoteId: stray.Id, how, reason } })
  expect((await check()).differences).toMatchObject([
    {
      why: 'only_there',
      theirsCents: 1234,
      who: expect.stringContaining('Anna'),
      repairs: ['take_out', 'leave'],
      theirsDay: today(),
    },
  ])
  const left = await repair('leave', 'Snow work')
  expect([left.body.differences, left.body.left]).toMatchObject([
    [],
    [{ reason: 'Snow work', repairs: ['list_again'] }],
  ])
  expect(left.body.sums[0]).toMatchObject({ kind: 'invoice', oursCents: 8001, theirsCents: 8001 })
  expect((await check()).differences).toEqual([])
  await repair('list_again')
  await payThere(books.realm, stray.Id, 1000, true)
  expect((await check()).differences).toMatchObject([{ why: 'only_there', repairs: ['leave'] }])
  expect((await repair('take_out')).status).toBe(409)
  const spare = await addInvoiceThere(books.realm, other?.CustomerRef?.value ?? '', 777, today(), '5002')
  const out = { month, type: 'Invoice', remoteId: spare.Id, how: 'take_out' } as const
  for (let n = 0; n < 2; n++)
    expect((await own.api.ok(quickbooksApi.repair, { body: out })).differences).toMatchObject([{ theirsCents: 1234 }])
  // what is ours is nobody's to take out here
  const mine = { ...out, remoteId: other?.Id ?? '' }
  expect((await own.api.call(quickbooksApi.repair, { body: mine })).status).toBe(409)
  expect((await books.there('Invoice')).find(({ Id }) => Id === other?.Id)?.TotalAmt).toBe('50.00')
})

it('one that was entered there by hand becomes the one of ours that did not go through', async () => {
  const own = await aBusiness()
  const { books, check } = await aMonth(own)
  const { customerId } = await aLawn(own, { customer: 'Bea Green' })
  const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents: 900 }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  await breakBooks(books.realm, '6210', 1)
  await books.send()
  const [other] = await books.there('Invoice')
  const there = await addInvoiceThere(books.realm, other?.CustomerRef?.value ?? '', 900, today())
  const found = (await check()).differences.find(({ why }) => why === 'only_there')
  expect(found).toMatchObject({ twin: { localId: id }, repairs: ['link', 'take_out', 'leave'] })
  const body = { month, type: 'Invoice', remoteId: there.Id, how: 'link', localId: id } as const
  await own.api.ok(quickbooksApi.repair, { body })
  await books.send()
  expect((await check()).differences).toEqual([])
  const now = (await books.there('Invoice')).find(({ Id }) => Id === there.Id)
  expect([now?.TotalAmt, now?.PrivateNote]).toEqual(['9.00', expect.stringContaining(id)])
  expect(await books.there('Invoice')).toHaveLength(3)
  const { status } = await own.api.call(quickbooksApi.repair, { body: { ...body, localId: own.owner.userId } })
  expect(status).toBe(404)
})

it('a payment that was taken there and never came is recorded once, on its invoice', async () => {
  const own = await aBusiness()
  const { books, check, second } = await aMonth(own)
  const [, invoice] = await books.there('Invoice')
  const paid = await payThere(books.realm, invoice?.Id ?? '', 2000, true)
  expect((await check()).differences).toMatchObject([
    { kind: 'payment', why: 'only_there', theirsCents: 2000, repairs: ['bring_in', 'leave'] },
  ])
  const body = { month, type: 'Payment', remoteId: paid.Id, how: 'bring_in' } as const
  for (let n = 0; n < 2; n++) expect((await own.api.ok(quickbooksApi.repair, { body })).differences).toEqual([])
  const { status, payments } = await own.api.ok(invoicesApi.get, { params: { id: second } })
  expect([status, payments.length]).toEqual(['paid', 2])
})

it('a payment made there counts once on both sides, and a month before the start is refused', async () => {
  const own = await aBusiness()
  const { books, check, second } = await aMonth(own)
  const [, invoice] = await books.there('Invoice')
  await payThere(books.realm, invoice?.Id ?? '', 2000)
  await runTasks()
  expect((await own.api.ok(invoicesApi.get, { params: { id: second } })).status).toBe('paid')
  expect((await check()).differences).toEqual([])
  expect((await own.api.call(quickbooksApi.checkMonth, { body: { month: '2025-01' } })).status).toBe(422)
  expect((await own.api.call(quickbooksApi.checkMonth, { body: { month: '2026-07' } })).status).toBe(422)
})

it('a payment there for two invoices that was deleted there differs until both its parts are taken back here', async () => {
  const own = await aBusiness()
  const { books, check, first, second } = await aMonth(own)
  const lines = [{ description: 'Edging', quantity: 1, unitPriceCents: 3000 }]
  const { customerId } = await own.db((db) =>
    db
      .selectFrom('invoices')
      .select('customerId')
      .where('businessId', '=', own.id)
      .where('id', '=', first)
      .executeTakeFirstOrThrow(),
  )
  const third = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id: third.id } })
  await books.send()
  const there = await books.there('Invoice')
  const [one, other] = [2000, 3000].map(
    (cents) => there.find((invoice) => centsOf(invoice.Balance) === cents)?.Id ?? '',
  )
  const paid = await payThere(books.realm, one ?? '', 2000, true)
  await changeThere(
    books.realm,
    'Payment',
    paid.Id,
    {
      TotalAmt: '50.00',
      Line: [
        { Amount: '20.00', LinkedTxn: [{ TxnId: one ?? '', TxnType: 'Invoice' }] },
        { Amount: '30.00', LinkedTxn: [{ TxnId: other ?? '', TxnType: 'Invoice' }] },
      ],
    },
    true,
  )
  await lookAtChanges(systemActor(own.id))
  expect((await check()).differences).toEqual([])
  await deleteThere(books.realm, 'Payment', paid.Id)
  await runTasks()
  const [row] = await books.failed()
  expect(row?.message).toMatch(/In Swath it is 2 payments: \$20\.00 on INV-\d+ and \$30\.00 on INV-\d+\./)
  const differing = async () =>
    (await check()).differences.map(({ oursCents, theirsCents }) => [oursCents, theirsCents])
  expect((await differing()).sort()).toEqual([
    [2000, null],
    [3000, null],
  ])
  const takeBack = async (invoiceId: string) => {
    const { payments } = await own.api.ok(invoicesApi.get, { params: { id: invoiceId } })
    const id = payments.find(({ can, method }) => can.reverse && method === 'other')?.id ?? ''
    await own.api.ok(correctionsApi.reversePayment, { params: { id }, body: { reason: 'Never came' } })
  }
  await takeBack(second)
  expect(await differing()).toEqual([[3000, null]])
  await takeBack(third.id)
  expect(await differing()).toEqual([])
})
