import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays } from '../../../../shared/dates.ts'
import { apiFor } from '../../../../test/api.ts'
import { anIssuedInvoice } from '../../../../test/cards.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { aTipped } from '../../../../test/tips.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { customersApi } from '../../../customers/contract.ts'
import { categoriesApi } from '../../../expenses/categories/contract.ts'
import { expensesApi } from '../../../expenses/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { invoicesApi } from '../../contract.ts'
import { type ExportKind, exportNames, plainDollars } from '../rules.ts'

const from = addDays(today(), -30)
const file = async (own: Pick<TestBusiness, 'api'>, kind: ExportKind, period = `from=${from}&to=${today()}`) => {
  const { status, text } = await own.api.raw({ method: 'GET', url: `/api/books/csv?kind=${kind}&${period}` })
  return { status, rows: text.replace('\uFEFF', '').trim().split('\r\n').slice(1) }
}
const centsOf = (rows: string[], column: number) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row.split(',').at(column)) * 100), 0)
const inLedger = async (own: TestBusiness, kind: string) => {
  const { rows } = await own.db((db) =>
    sql<{ cents: number }>`select coalesce(sum(amount_cents), 0)::int8 as cents from ledger_entries
      where business_id = ${own.id} and (${kind} = 'all' or kind = ${kind})`.execute(db),
  )
  return Number(rows[0]?.cents)
}

afterEach(resetClock)

describe('files for the accountant', () => {
  it('keep a tip apart: no income, owed to the crew, and in the payment that brought it', async () => {
    const { own, id } = await aTipped()
    const pay = { method: 'cash' as const, amountCents: 6000, tipCents: 1000, receivedOn: today() }
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body: pay })
    const { rows } = await file(own, 'journal')
    const of = (account: string) =>
      rows.filter((row) => row.split(',')[2] === account).map((row) => row.split(',').slice(3, 5).join(' '))
    expect(of('Tips Payable')).toEqual([' 10.00'])
    expect(of('Undeposited Funds')).toEqual(['60.00 '])
    expect(of('Services')).toEqual([' 50.00'])
    const [payment = ''] = (await file(own, 'payments')).rows
    expect(payment.split(',').slice(5, 9)).toEqual(['60.00', '0.00', '50.00', '10.00'])
    expect(centsOf((await file(own, 'ledger')).rows, -1)).toBe(0)
    const iif = await own.api.raw({ method: 'GET', url: `/api/books/csv?kind=iif&from=${from}&to=${today()}` })
    expect(iif.text).toContain('ACCNT\tTips Payable\tOCLIAB')
  })

  it('take money that went back from where it went back: cash from the till, a check from the bank', async () => {
    const { own, id } = await aTipped()
    const pay = { method: 'cash' as const, amountCents: 5000, receivedOn: today() }
    const { id: paymentId } = await own.api.ok(paymentsApi.recordPayment, { params: { id }, body: pay })
    for (const [method, amountCents] of [
      ['cash', 1500],
      ['check', 900],
    ] as const)
      await own.api.ok(correctionsApi.refundPayment, {
        params: { id: paymentId },
        body: { amountCents, method, onDay: today(), reason: 'Not mowed', creditInvoices: true },
      })
    const { rows } = await file(own, 'journal')
    const credits = rows.map((row) => row.split(',')).map((row) => [row[2], row[4]])
    expect(credits.filter(([account]) => account === 'Petty Cash' || account === 'Checking')).toEqual([
      ['Petty Cash', '15.00'],
      ['Checking', '9.00'],
    ])
  })

  it('name the invoice on which a credit note over none was put', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const { id, number } = await anIssuedInvoice(own, customerId, 5000)
    await own.api.ok(correctionsApi.giveCredit, {
      params: { id: customerId },
      body: { amountCents: 1000, reason: 'Half a visit' },
    })
    const column = async () => (await file(own, 'credits')).rows.map((row) => row.split(',')[3])
    expect(await column()).toEqual([''])
    await own.api.ok(correctionsApi.useCredit, { params: { id }, body: { amountCents: 1000 } })
    expect(await column()).toEqual([`INV-${number}`])
  })

  it('add up to the ledger: invoices, payments, credits and all movements', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const ids: string[] = []
    for (const unitPriceCents of [5005, 3000, 1999]) {
      const lines = [{ description: 'Mowing, edging', quantity: 1, unitPriceCents }]
      const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
      await own.api.ok(invoicesApi.issue, { params: { id } })
      ids.push(id)
    }
    const [first = '', second = '', third = ''] = ids
    const body = { method: 'check' as const, amountCents: 7001, receivedOn: addDays(today(), -2), note: '=1+1' }
    await own.api.ok(paymentsApi.recordPayment, { params: { id: first }, body })
    const reason = 'Not mowed'
    await own.api.ok(correctionsApi.creditInvoice, { params: { id: second }, body: { amountCents: 1001, reason } })
    await own.api.ok(invoicesApi.voidInvoice, { params: { id: third } })
    const [invoices, payments, credits, ledger] = [
      await file(own, 'invoices'),
      await file(own, 'payments'),
      await file(own, 'credits'),
      await file(own, 'ledger'),
    ]
    expect(centsOf(invoices.rows, 8)).toBe(await inLedger(own, 'invoice'))
    expect(-centsOf(payments.rows, 5)).toBe(await inLedger(own, 'payment'))
    expect(-centsOf(credits.rows, 7)).toBe(await inLedger(own, 'credit'))
    expect(centsOf(ledger.rows, -1)).toBe(await inLedger(own, 'all'))
    expect(invoices.rows.filter((row) => row.includes(',void,'))).toHaveLength(1)
    // a note that a spreadsheet would run is text
    expect(payments.rows[0]).toContain("'=1+1")
    expect((await file(own, 'tax')).rows.at(-1)).toBe('Together,,,70.04,0.00')
  })

  it('name the sales tax of a month as the ledger and the journal have it: what is voided or taken back later is of its own month', async () => {
    setClock(() => new Date('2026-06-20T16:00:00Z'))
    const own = await aBusiness()
    await own.api.ok(businessesApi.addTaxRate, {
      body: { name: 'Georgia', ratePercent: 8, taxCategory: 'lawn', state: null },
    })
    const { customerId } = await aLawn(own)
    const anIssued = async (unitPriceCents: number) => {
      const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents, taxCategory: 'lawn' }]
      const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
      await own.api.ok(invoicesApi.issue, { params: { id } })
      return id
    }
    const [voided, credited] = [await anIssued(10_000), await anIssued(20_000)]
    await own.api.ok(correctionsApi.creditInvoice, {
      params: { id: credited },
      body: { amountCents: 5400, reason: 'Not mowed' },
    })
    const monthly = async (from: string, to: string) => {
      const { rows } = await file({ api: await apiFor(own.owner) }, 'tax', `from=${from}&to=${to}`)
      const journal = (await file({ api: await apiFor(own.owner) }, 'journal', `from=${from}&to=${to}`)).rows.filter(
        (row) => row.includes('Sales Tax'),
      )
      return [rows.at(-1), centsOf(journal, 4) - centsOf(journal, 3)]
    }
    const june = ['Together,,,0.00,20.00', 2000]
    expect(await monthly('2026-06-01', '2026-06-30')).toEqual(june)
    setClock(() => new Date('2026-07-06T16:00:00Z'))
    const later = await apiFor(own.owner)
    await later.ok(invoicesApi.voidInvoice, { params: { id: voided } })
    const { payments } = await later.ok(invoicesApi.get, { params: { id: credited } })
    await later.ok(correctionsApi.reversePayment, {
      params: { id: payments[0]?.id ?? '' },
      body: { reason: 'It was mowed' },
    })
    expect(await monthly('2026-06-01', '2026-06-30')).toEqual(june)
    expect(await monthly('2026-07-01', '2026-07-31')).toEqual(['Together,,,0.00,-4.00', -400])
  })

  it('take a credit off the rates of its invoice, and say what was exempt, untaxed and written off', async () => {
    const own = await aBusiness()
    const add = (name: string, ratePercent: number, onTop = false) =>
      own.api.ok(businessesApi.addTaxRate, {
        body: { name, ratePercent, taxCategory: 'lawn', state: 'GA', onTop },
      })
    await add('Georgia', 4)
    await add('Chatham', 3, true)
    const aCustomer = async (name: string, taxExempt: boolean) => {
      const property = { street: `1 ${name} St`, city: 'Savannah', state: 'GA', zip: '31401' }
      return (await own.api.ok(customersApi.create, { body: { name, taxExempt, property } })).id
    }
    const anIssued = async (customerId: string, taxCategory = 'lawn') => {
      const line = { description: 'Mowing', quantity: 1, unitPriceCents: 10_000 }
      const lines = [
        { ...line, taxCategory },
        { ...line, unitPriceCents: 5000, taxCategory: 'none' },
      ]
      const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines, discountCents: 1500 } })
      return (await own.api.ok(invoicesApi.issue, { params: { id } })).id
    }
    const [ann, church] = [await aCustomer('Ann Ames', false), await aCustomer('First Church', true)]
    const credited = await anIssued(ann)
    const lost = await anIssued(ann)
    await anIssued(church)
    // 9,000 taxed and 4,500 not: a third of 13,500 and of its 630 of tax
    await own.api.ok(correctionsApi.creditInvoice, {
      params: { id: credited },
      body: { amountCents: 4710, reason: 'Not mowed' },
    })
    await own.api.ok(invoicesApi.writeOff, { params: { id: lost }, body: { reason: 'Moved away' } })
    expect((await file(own, 'tax')).rows).toEqual([
      'Chatham,3,150.00,,4.50',
      'Georgia,4,150.00,,6.00',
      'Exempt in GA,,,90.00,',
      'Not taxed in GA,,,120.00,',
      'Together,,,210.00,10.50',
      '"In what was written off, not taken off above",,,,6.30',
    ])
    expect((await file(own, 'journal')).rows.join()).toContain('$6.30 of it sales tax')
  })

  it('hold each part of an expense, with the tax once, and add up', async () => {
    const own = await aBusiness()
    const { items } = await own.api.ok(categoriesApi.list, {})
    const common = { day: today(), categoryId: items[0]?.id ?? '', method: 'card' as const }
    await own.api.ok(expensesApi.create, { body: { ...common, totalCents: 5005, taxCents: 350, vendor: '=Shell' } })
    const parts = [{ amountCents: 2000 }, { amountCents: 1001 }]
    await own.api.ok(expensesApi.create, { body: { ...common, totalCents: 3001, taxCents: 200, parts } })
    const { rows } = await file(own, 'expenses')
    expect(rows).toHaveLength(4)
    expect(rows.join()).toContain("'=Shell")
    expect(rows.at(-1)).toMatch(/^Together,,,80.06,5.50/)
    expect(centsOf(rows.slice(0, -1), 3)).toBe(8006)
    expect((await file(own, 'mileage')).rows).toEqual(['Together,,,0.0,,,,0.00'])
  })

  it('are a journal whose entries come to zero and whose receivables are the ledger, as IIF and as CSV', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own, { customer: 'Ana: “José” Peñaflor O’Dell' })
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5005 }]
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
      await own.api.ok(invoicesApi.issue, { params: { id } })
      ids.push(id)
    }
    const body = { method: 'check' as const, amountCents: 2000, receivedOn: today() }
    await own.api.ok(paymentsApi.recordPayment, { params: { id: ids[0] ?? '' }, body })
    await own.api.ok(correctionsApi.creditInvoice, {
      params: { id: ids[1] ?? '' },
      body: { amountCents: 505, reason: 'x' },
    })
    await own.api.ok(invoicesApi.voidInvoice, { params: { id: ids[2] ?? '' } })
    const { items } = await own.api.ok(categoriesApi.list, {})
    const common = { day: today(), categoryId: items[0]?.id ?? '' }
    await own.api.ok(expensesApi.create, {
      body: { ...common, method: 'account', totalCents: 4000, vendor: 'SiteOne' },
    })
    const worker = await own.employee()
    const mine = { method: 'personal' as const, paidByUserId: worker.userId, reimbursedOn: today() }
    await own.api.ok(expensesApi.create, { body: { ...common, ...mine, totalCents: 700 } })
    const iif = (await own.api.raw({ method: 'GET', url: `/api/books/csv?kind=iif&from=${from}&to=${today()}` })).text
    const entries = iif
      .slice(iif.indexOf('!ENDTRNS\r\n') + 10)
      .split('ENDTRNS\r\n')
      .slice(0, -1)
    expect(entries).toHaveLength(9)
    const rowsOf = (entry: string) =>
      entry
        .trim()
        .split('\r\n')
        .map((row) => row.split('\t'))
    const cents = (row: string[]) => Math.round(Number(row[5]) * 100)
    for (const entry of entries) expect(rowsOf(entry).reduce((sum, row) => sum + cents(row), 0)).toBe(0)
    const owed = entries.flatMap(rowsOf).filter((row) => row[3] === 'Accounts Receivable')
    expect(owed.reduce((sum, row) => sum + cents(row), 0)).toBe(await inLedger(own, 'all'))
    expect(iif).toMatch(/CUST\tAna- Jose Penaflor O'Dell\r\n/)
    expect(iif).toContain('ACCNT\tAccounts Payable\tAP\r\n')
    expect(iif).not.toMatch(/[^\x20-\x7e\t\r\n]/)
    const { rows } = await file(own, 'journal')
    expect(centsOf(rows, 3)).toBe(centsOf(rows, 4))
    // each row is a line of an entry: a sum among them would be imported too
    expect(rows.every((row) => /^\d+,\d{2}\/\d{2}\/\d{4},/.test(row))).toBe(true)
  })

  it('are of one business, for who may see money, and over a year at most', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const { customerId } = await aLawn(other)
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 100 }]
    const { id } = await other.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await other.api.ok(invoicesApi.issue, { params: { id } })
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['customers'] })
    for (const kind of exportNames) {
      expect((await file(own, kind)).rows.filter((row) => /INV-|Mowing/.test(row))).toEqual([])
      expect((await file(clerk, kind)).status).toBe(403)
      expect((await file(own, kind, `from=2024-01-01&to=${today()}`)).status).toBe(422)
    }
  })

  it.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [-123456, '-1234.56'],
  ])('%i cents are %s', (cents, text) => expect(plainDollars(cents)).toBe(text))
})
