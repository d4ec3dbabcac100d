import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addThere, changeThere, deleteThere } from '../../../../local/books/play.ts'
import { breakBooks } from '../../../../local/books/store.ts'
import { centsOf } from '../../../../platform/books/client.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays } from '../../../../shared/dates.ts'
import { withBooks } from '../../../../test/books.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { customersApi } from '../../../customers/contract.ts'
import { categoriesApi } from '../../../expenses/categories/contract.ts'
import { expensesApi } from '../../../expenses/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { quickbooksApi } from '../../contract.ts'

let now = new Date('2026-06-10T16:00:00Z')
beforeEach(() => {
  now = new Date('2026-06-10T16:00:00Z')
  setClock(() => now)
})
afterEach(resetClock)
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

const anInvoice = async (own: TestBusiness, cents = 5000, customer = `Anna ${own.id.slice(-6)}`) => {
  const { customerId } = await aLawn(own, { customer })
  return { customerId, id: await another(own, customerId, cents) }
}
const another = async (own: TestBusiness, customerId: string, cents = 5000) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const pay = (own: TestBusiness, id: string, amountCents = 5000) =>
  own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents, receivedOn: today() },
  })
const totals = (records: { TotalAmt?: string | number }[]) => records.map(({ TotalAmt }) => centsOf(TotalAmt))
const reason = 'Not mowed'

describe('what happens in Swath', () => {
  it('goes to the books in order, each once: customer, service, invoice, payment', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const { id } = await anInvoice(own)
    await pay(own, id, 2000)
    await books.send()
    expect(await books.there('Customer')).toMatchObject([{ DisplayName: `Anna ${own.id.slice(-6)}` }])
    const [invoice] = await books.there('Invoice')
    expect(invoice).toMatchObject({ DocNumber: expect.stringMatching(/^INV-/), TotalAmt: '50.00', Balance: '30.00' })
    expect(await books.there('Payment')).toMatchObject([
      { TotalAmt: '20.00', Line: [{ LinkedTxn: [{ TxnId: invoice?.Id, TxnType: 'Invoice' }] }] },
    ])
    expect(await books.get()).toMatchObject({ state: 'connected', waiting: 0, failed: 0 })
    // nothing is sent a second time by sending again
    await books.send()
    expect([await books.there('Invoice'), await books.there('Payment')].map(({ length }) => length)).toEqual([1, 1])
    expect((await books.there('Invoice'))[0]?.SyncToken).toBe(invoice?.SyncToken)
  })

  it('since the start is gathered, and nothing of before', async () => {
    const own = await aBusiness()
    const { id } = await anInvoice(own, 4000)
    await pay(own, id, 4000)
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ issueOn: addDays(today(), -90) })
        .where('businessId', '=', own.id)
        .execute(),
    )
    const { id: second } = await anInvoice(own, 7000, 'Bea Green')
    const books = await withBooks(own, addDays(today(), -30))
    await books.send()
    expect(totals(await books.there('Invoice'))).toEqual([7000])
    // the payment came after the start; the invoice that it paid is older, so it stands as the customer's credit
    expect(await books.there('Payment')).toMatchObject([{ TotalAmt: '40.00', Line: [] }])
    expect(second).toBeTruthy()
    expect((await books.get()).gathering).toBe(false)
  })

  it('is corrected there too: void, credit, write-off and back, reversed payment, refund', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const { customerId, id } = await anInvoice(own)
    await books.send()
    await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
    const credited = await another(own, customerId, 3000)
    await own.api.ok(correctionsApi.creditInvoice, { params: { id: credited }, body: { amountCents: 1000, reason } })
    const lost = await another(own, customerId, 2000)
    await own.api.ok(invoicesApi.writeOff, { params: { id: lost }, body: { reason } })
    const paid = await another(own, customerId, 6000)
    const { id: paymentId } = await pay(own, paid, 6000)
    await books.send()
    expect(await books.failed()).toEqual([])
    const balances = async () =>
      Object.fromEntries((await books.there('Invoice')).map((one) => [centsOf(one.TotalAmt), centsOf(one.Balance)]))
    expect(await balances()).toEqual({ 0: 0, 3000: 2000, 2000: 0, 6000: 0 })
    expect(totals(await books.there('CreditMemo'))).toEqual([1000, 2000])
    await own.api.ok(invoicesApi.reinstate, { params: { id: lost } })
    await own.api.ok(correctionsApi.refundPayment, {
      params: { id: paymentId },
      body: { method: 'check', onDay: today(), amountCents: 1500, reason, creditInvoices: true },
    })
    const bounced = await another(own, customerId, 900)
    const bad = await pay(own, bounced, 900)
    await books.send()
    await own.api.ok(correctionsApi.reversePayment, { params: { id: bad.id }, body: { reason } })
    await books.send()
    expect(await books.failed()).toEqual([])
    expect(await balances()).toMatchObject({ 2000: 2000, 6000: 0, 900: 900 })
    expect(totals(await books.there('CreditMemo'))).toEqual([1000, 1500])
    expect(await books.there('Purchase')).toMatchObject([
      {
        TotalAmt: '15.00',
        Line: [{ AccountBasedExpenseLineDetail: { AccountRef: { value: books.accounts.receivable } } }],
      },
    ])
    expect(totals(await books.there('Payment')).sort((a, b) => b - a)[0]).toBe(6000)
    expect(totals(await books.there('Payment'))).not.toContain(900)
  })

  it('is changed there when it is changed here: a name, an expense', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const { customerId } = await anInvoice(own)
    const { items } = await own.api.ok(categoriesApi.list, {})
    const day = today()
    const expense = { day, categoryId: items[0]?.id ?? '', method: 'card' as const, totalCents: 4200, vendor: 'Shell' }
    const made = await own.api.ok(expensesApi.create, { body: expense })
    await own.api.ok(expensesApi.create, { body: { ...expense, method: 'account', vendor: 'SiteOne' } })
    await books.send()
    const { version } = await own.api.ok(customersApi.get, { params: { id: customerId } })
    await own.api.ok(customersApi.update, { params: { id: customerId }, body: { version, name: 'Anna Brown' } })
    await own.api.ok(expensesApi.update, {
      params: { id: made.id },
      body: { ...expense, totalCents: 4300, version: made.version },
    })
    await books.send()
    expect(await books.there('Customer')).toMatchObject([{ DisplayName: 'Anna Brown' }])
    expect(await books.there('Purchase')).toMatchObject([
      { TotalAmt: '43.00', AccountRef: { value: books.accounts.card }, PaymentType: 'CreditCard' },
    ])
    // what was bought on account is a bill: said, not sent
    const skipped = await own.api.ok(quickbooksApi.queue, { query: { status: 'skipped' } })
    expect(skipped.items).toMatchObject([{ kind: 'expense', message: expect.stringContaining('bill in QuickBooks') }])
  })
})

describe('a name that is taken', () => {
  const taken = async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const theirs = await addThere(books.realm, { DisplayName: 'Anna Smith', PrimaryEmailAddr: { Address: 'a@b.c' } })
    const { customerId, id } = await anInvoice(own, 5000, 'Anna Smith')
    await books.send()
    const [row] = await books.failed()
    expect(row).toMatchObject({
      kind: 'customer',
      label: 'Customer Anna Smith',
      twin: { id: theirs.Id, name: 'Anna Smith' },
      fixes: ['link', 'suffix', 'skip'],
      renamed: 'Anna Smith (customer)',
    })
    expect(await books.waiting()).toMatchObject([{ kind: 'invoice', message: 'Waits for Customer Anna Smith.' }])
    expect(await books.there('Invoice')).toEqual([])
    return { own, books, theirs, customerId, id, rowId: row?.id ?? '' }
  }

  it('is linked to who has it, who stays as they are there', async () => {
    const { books, theirs, rowId } = await taken()
    await books.fix(rowId, 'link')
    expect(await books.there('Invoice')).toMatchObject([{ CustomerRef: { value: theirs.Id } }])
    expect(await books.there('Customer')).toMatchObject([{ Id: theirs.Id, PrimaryEmailAddr: { Address: 'a@b.c' } }])
    expect(await books.get()).toMatchObject({ waiting: 0, failed: 0 })
  })

  it('gets something behind it, and once more when that is taken too', async () => {
    const { books, rowId } = await taken()
    await addThere(books.realm, { DisplayName: 'Anna Smith (customer)' })
    await books.fix(rowId, 'suffix')
    expect((await books.failed())[0]).toMatchObject({ renamed: 'Anna Smith (customer 2)' })
    await books.fix(rowId, 'suffix')
    expect((await books.there('Customer')).map(({ DisplayName }) => DisplayName)).toContain('Anna Smith (customer 2)')
    expect(await books.there('Invoice')).toHaveLength(1)
  })

  it('is skipped with a reason, and taken up again', async () => {
    const { own, books, rowId } = await taken()
    await books.fix(rowId, 'skip', 'She is entered by hand')
    const { items } = await own.api.ok(quickbooksApi.queue, { query: { status: 'skipped' } })
    expect(items).toMatchObject([{ message: 'Skipped: She is entered by hand', fixes: ['retry'] }])
    await books.fix(rowId, 'retry')
    expect(await books.failed()).toHaveLength(1)
  })

  it('is fixed by one of two who press at once, and by nobody of another business', async () => {
    const { own, rowId, books } = await taken()
    const fix = (who: Pick<TestBusiness, 'api'>) =>
      who.api.call(quickbooksApi.fix, { params: { id: rowId }, body: { how: 'link' } })
    const other = await aBusiness()
    await withBooks(other)
    expect((await fix(other)).status).toBe(404)
    const both = await Promise.all([fix(own), fix(await aPerson(own.id, 'Admin'))])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    await books.send()
    expect(await books.there('Invoice')).toHaveLength(1)
  })
})

describe('trouble on the way', () => {
  it('a lost answer doubles nothing', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    await anInvoice(own)
    for (let n = 0; n < 4; n++) {
      await breakBooks(books.realm, 'lost', 1)
      await books.send()
      later(120)
    }
    await books.send()
    expect(
      [await books.there('Customer'), await books.there('Item'), await books.there('Invoice')].map((all) => all.length),
    ).toEqual([1, 1, 1])
  })

  // An invoice has a number that the books refuse twice; a payment has nothing but being looked for.
  it.each([
    ['invoice', 3],
    ['payment', 5],
  ] as const)(
    'a process killed after the books had it and before we booked that doubles nothing: %s',
    async (kind, rank) => {
      const own = await aBusiness()
      const books = await withBooks(own)
      const { id: invoiceId } = await anInvoice(own)
      const paid = await pay(own, invoiceId, 2000)
      const id = kind === 'invoice' ? invoiceId : paid.id
      await books.send()
      // as it stands when the process dies between their answer and our commit; their memory of requests is short
      await own.db(async (db) => {
        await db
          .updateTable('booksLinks')
          .set({ remoteId: null, sent: '' })
          .where('businessId', '=', own.id)
          .where('kind', '=', kind)
          .execute()
      })
      const { inBooks } = await import('../../../../local/books/store.ts')
      await inBooks((tx) => tx.deleteFrom('localBooks').where('type', '=', '_request').execute())
      await own.db(async (db) => {
        const { id: connectionId } = await db
          .selectFrom('booksConnections')
          .select('id')
          .where('businessId', '=', own.id)
          .executeTakeFirstOrThrow()
        await db
          .insertInto('booksQueue')
          .values({
            businessId: own.id,
            connectionId,
            id: connectionId,
            kind,
            localId: id,
            rank,
            sendingAt: now.toISOString(),
            runAfter: now.toISOString(),
          })
          .execute()
      })
      await books.send()
      expect(await books.there('Invoice')).toHaveLength(1)
      expect(await books.there('Payment')).toHaveLength(1)
      expect(await books.get()).toMatchObject({ waiting: 0, failed: 0 })
    },
  )

  it('too many requests wait a minute, and then all of it goes', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    await anInvoice(own)
    await breakBooks(books.realm, '429', 1)
    await books.send()
    expect(await books.get()).toMatchObject({ waiting: expect.any(Number), failed: 0, pausedUntil: expect.any(String) })
    expect(await books.there('Invoice')).toEqual([])
    later(61)
    await books.send()
    expect(await books.there('Invoice')).toHaveLength(1)
    expect((await books.get()).pausedUntil).toBeNull()
  })

  it('a record that somebody else changed is read and said once more', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const { customerId, id } = await anInvoice(own)
    await books.send()
    const [there] = await books.there('Customer')
    await changeThere(books.realm, 'Customer', there?.Id ?? '', { Notes: 'Gate is blue' }, true)
    const { version } = await own.api.ok(customersApi.get, { params: { id: customerId } })
    await own.api.ok(customersApi.update, { params: { id: customerId }, body: { version, name: 'Anna Gray' } })
    await books.send()
    expect(await books.there('Customer')).toMatchObject([{ DisplayName: 'Anna Gray', Notes: 'Gate is blue' }])
    // a payment raised the invoice's number there; voiding it knows that
    const { id: paymentId } = await pay(own, id)
    await books.send()
    await own.api.ok(correctionsApi.reversePayment, { params: { id: paymentId }, body: { reason } })
    await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
    await books.send()
    expect(await books.failed()).toEqual([])
    expect(totals(await books.there('Invoice'))).toEqual([0])
  })

  it.each([
    ['6210', /closed/i, ['retry', 'skip']],
    ['610', /inactive/, ['retry', 'skip']],
  ] as const)('error %s is said in words and tried again', async (fault, words, offered) => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const { customerId } = await anInvoice(own)
    await books.send()
    await breakBooks(books.realm, fault, 1)
    await another(own, customerId, 700)
    await books.send()
    const [row] = await books.failed()
    expect(row).toMatchObject({ kind: 'invoice', message: expect.stringMatching(words), fixes: offered })
    await books.fix(row?.id ?? '', 'retry')
    expect(totals(await books.there('Invoice'))).toContain(700)
  })

  it('a row that does not go through names whose it is, and its invoice', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const { id } = await anInvoice(own, 7000, 'Bea Green')
    await books.send()
    await breakBooks(books.realm, '610', 1)
    await pay(own, id, 7000)
    await books.send()
    const [row] = await books.failed()
    expect(row).toMatchObject({ kind: 'payment', about: expect.stringMatching(/^Bea Green, INV-\d+$/) })
  })

  it('what was deleted there is said when it is touched, and made anew under another request', async () => {
    const own = await aBusiness()
    const books = await withBooks(own)
    const { items } = await own.api.ok(categoriesApi.list, {})
    const expense = { day: today(), categoryId: items[0]?.id ?? '', method: 'card' as const, totalCents: 4200 }
    const made = await own.api.ok(expensesApi.create, { body: expense })
    await books.send()
    const [there] = await books.there('Purchase')
    await deleteThere(books.realm, 'Purchase', there?.Id ?? '', true)
    await own.api.ok(expensesApi.update, {
      params: { id: made.id },
      body: { ...expense, totalCents: 4300, version: made.version },
    })
    await books.send()
    const [row] = await books.failed()
    expect(row).toMatchObject({ message: expect.stringContaining('deleted in QuickBooks'), fixes: ['again', 'skip'] })
    await books.fix(row?.id ?? '', 'again')
    expect(totals(await books.there('Purchase'))).toEqual([4300])
  })
})

describe('customers who are there already', () => {
  it('are proposed by e-mail, phone and name, and linked only where somebody says so', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own, { customer: 'Cora Lane' })
    await aLawn(own, { customer: 'Dora Field' })
    const books = await withBooks(own)
    const cora = await addThere(books.realm, { DisplayName: 'cora  LANE' })
    await addThere(books.realm, { DisplayName: 'Somebody Else' })
    const { items } = await own.api.ok(quickbooksApi.matches, {})
    expect(items).toMatchObject([{ customer: { id: customerId }, remote: { id: cora.Id }, by: ['name'] }])
    const pairs = [{ customerId, remoteId: cora.Id }]
    expect((await own.api.ok(quickbooksApi.match, { body: { pairs } })).linked).toBe(1)
    expect((await own.api.ok(quickbooksApi.match, { body: { pairs } })).linked).toBe(0)
    expect((await own.api.ok(quickbooksApi.matches, {})).items).toEqual([])
    await another(own, customerId)
    await books.send()
    expect(await books.there('Invoice')).toMatchObject([{ CustomerRef: { value: cora.Id } }])
    const other = await aBusiness()
    await withBooks(other)
    expect((await other.api.call(quickbooksApi.match, { body: { pairs } })).status).toBe(404)
  })
})
