import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
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

describe('files for the accountant', () => {
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
    expect((await file(own, 'tax')).rows.at(-1)).toBe('Together,,,0.00')
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
