import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { addSums, creditedOfInvoice, type InvoiceSums, negated, type RateSum, type WorkSum } from '../rules.ts'

type Period = { from: Day; to: Day }
type Read = <Row>(query: RawBuilder<Row>) => Promise<Row[]>

/**
 * The state of a tax `t` of an invoice: of the work that it was charged on where that was all done in one state, else of the rate as it stands in the
 * settings; empty where neither says it.
 */
const stateOfTax = (db: TenantDb) => sql`coalesce(
  (select case when min(x.tax_state) = max(x.tax_state) then min(x.tax_state) end from invoice_lines x
    where x.business_id = ${db.businessId} and x.invoice_id = t.invoice_id and x.tax_treatment = 'taxed'),
  (select min(r.state) from tax_rates r where r.business_id = ${db.businessId} and r.name = t.name and r.rate_percent = t.rate_percent
    having min(r.state) = max(r.state)), '')`

// What was made before the treatment was kept is not taxed where its invoice has no tax at all.
const treatment = sql`coalesce(l.tax_treatment, case when i.tax_cents = 0 then 'untaxed' end)`
const state = sql`coalesce(l.tax_state, p.state)`

/** What was issued in the period, less what was voided in it. */
const readInvoiced = async (db: TenantDb, { from, to }: Period, read: Read): Promise<InvoiceSums> => {
  const entries = sql`ledger_entries e`
  const those = sql`e.business_id = ${db.businessId} and e.on_day between ${from}::date and ${to}::date and e.ref_type = 'invoice'
    and e.kind in ('invoice', 'void')`
  return {
    taxes: await read(sql<RateSum>`
      select t.name, t.rate_percent::float8 as rate_percent, ${stateOfTax(db)} as state, sum(sign(e.amount_cents) * t.base_cents)::float8 as base_cents,
        sum(sign(e.amount_cents) * t.tax_cents)::float8 as tax_cents
      from ${entries} join invoice_taxes t on t.business_id = e.business_id and t.invoice_id = e.ref_id
      where ${those} group by 1, 2, 3 order by 1, 2, 3`),
    work: await read(sql<WorkSum>`
      select ${state} as state, ${treatment} as treatment, sum(sign(e.amount_cents) * coalesce(l.net_cents, l.total_cents))::float8 as net_cents
      from ${entries} join invoices i on i.business_id = e.business_id and i.id = e.ref_id
      join invoice_lines l on l.business_id = i.business_id and l.invoice_id = i.id
      left join properties p on p.business_id = l.business_id and p.id = l.property_id
      where ${those} and i.opening_from is null group by 1, 2 order by 1, 2`),
  }
}

type Note = {
  sign: number
  netCents: number
  taxCents: number
  /** Over which invoices it is. */
  parts: { invoiceId: string; totalCents: number; taxCents: number }[]
}

const readNotes = (db: TenantDb, { from, to }: Period, read: Read): Promise<Note[]> =>
  read(sql<Note>`
    select -sign(e.amount_cents)::int as sign, n.net_cents::float8 as net_cents, n.tax_cents::float8 as tax_cents,
      case when n.invoice_id is not null
        then jsonb_build_array(jsonb_build_object('invoiceId', n.invoice_id, 'totalCents', n.total_cents, 'taxCents', n.tax_cents))
        else (select coalesce(jsonb_agg(jsonb_build_object('invoiceId', c.invoice_id, 'totalCents', c.total_cents, 'taxCents', c.tax_cents)), '[]')
          from credit_note_parts c where c.business_id = n.business_id and c.credit_note_id = n.id) end as parts
    from ledger_entries e
    join credit_notes n on n.business_id = e.business_id
      and ((e.ref_type = 'credit_note' and n.id = e.ref_id) or (e.ref_type = 'payment' and n.payment_id = e.ref_id))
    where e.business_id = ${db.businessId} and e.on_day between ${from}::date and ${to}::date`)

/** What stands on invoices; an opening balance is no work of these books, so what is credited of it takes off none. */
const readInvoices = async (db: TenantDb, ids: readonly string[], read: Read): Promise<Map<string, InvoiceSums>> => {
  const rows = await read(sql<{ id: string; taxes: RateSum[]; work: WorkSum[] }>`
    select i.id,
      (select coalesce(jsonb_agg(jsonb_build_object('name', t.name, 'ratePercent', t.rate_percent::float8, 'state', ${stateOfTax(db)},
          'baseCents', t.base_cents, 'taxCents', t.tax_cents) order by t.position, t.id), '[]')
        from invoice_taxes t where t.business_id = i.business_id and t.invoice_id = i.id) as taxes,
      (select coalesce(jsonb_agg(jsonb_build_object('state', ${state}, 'treatment', ${treatment},
          'netCents', coalesce(l.net_cents, l.total_cents)) order by l.position, l.id), '[]')
        from invoice_lines l left join properties p on p.business_id = l.business_id and p.id = l.property_id
        where l.business_id = i.business_id and l.invoice_id = i.id and i.opening_from is null) as work
    from invoices i where i.business_id = ${db.businessId} and i.id = any(${[...ids]}::uuid[])`)
  return new Map(rows.map(({ id, ...sums }) => [id, sums]))
}

/** Sales tax that stands in what was written off, less what was opened again. */
const readWrittenOff = async (db: TenantDb, { from, to }: Period, read: Read): Promise<number> => {
  const [row] = await read(sql<{ cents: number }>`
    select coalesce(sum(round(-e.amount_cents * i.tax_cents::numeric / nullif(i.total_cents, 0))), 0)::float8 as cents
    from ledger_entries e join write_offs o on o.business_id = e.business_id and o.id = e.ref_id
    join invoices i on i.business_id = o.business_id and i.id = o.invoice_id
    where e.business_id = ${db.businessId} and e.on_day between ${from}::date and ${to}::date and e.ref_type = 'write_off'`)
  return row?.cents ?? 0
}

/** Sums of sales tax of a period as `addSums` gives them, with the states of the rates. */
export type TaxSums = {
  taxes: RateSum[]
  work: WorkSum[]
  /** Credited of no rate that an invoice charged. */
  restCents: number
  /** In what was written off, less what was opened again; not taken off above. */
  writtenOffCents: number
}

/**
 * By the ledger's day, as the journal has it: what is voided or taken back later never changes a month that was filed. What is credited is
 * taken off the rates and the work of its invoice.
 */
export const sumTax = async (db: TenantDb, period: Period, read: Read): Promise<TaxSums> => {
  const notes = await readNotes(db, period, read)
  const invoices = await readInvoices(
    db,
    [...new Set(notes.flatMap(({ parts }) => parts.map(({ invoiceId }) => invoiceId)))],
    read,
  )
  let restCents = 0
  const credited = notes.flatMap(({ sign, taxCents, parts }) => {
    restCents += sign * (taxCents - parts.reduce((sum, part) => sum + part.taxCents, 0))
    return parts.flatMap((part) => {
      const sums = invoices.get(part.invoiceId)
      if (!sums) return []
      const share = creditedOfInvoice(sums, { netCents: part.totalCents - part.taxCents, taxCents: part.taxCents })
      restCents += sign * share.restCents
      return [sign > 0 ? negated(share) : share]
    })
  })
  return {
    ...addSums([await readInvoiced(db, period, read), ...credited]),
    restCents,
    writtenOffCents: await readWrittenOff(db, period, read),
  }
}

/**
 * Tax in the money that was put on invoices in a period, less what was taken off them again: in proportion to its invoice, so that the payments of a paid
 * invoice come to its tax to the cent. Money paid ahead counts once it lies on its invoice; what goes back takes off on its own day, so that no month that
 * was told changes. Credit is no money that came.
 */
export const sumCollectedTax = async (db: TenantDb, { from, to }: Period): Promise<RateSum[]> => {
  const { rows } = await sql<RateSum>`
    with touched as materialized (select distinct m.invoice_id from allocation_moves m
      join payments p on p.business_id = m.business_id and p.id = m.payment_id and p.method <> 'credit'
      where m.business_id = ${db.businessId} and m.on_day between ${from}::date and ${to}::date),
    parts as (
      select m.invoice_id, m.on_day, p.method, m.amount_cents,
        sum(m.amount_cents) over (partition by m.invoice_id order by m.created_at, m.id) as so_far
      from touched x join allocation_moves m on m.business_id = ${db.businessId} and m.invoice_id = x.invoice_id
      join payments p on p.business_id = m.business_id and p.id = m.payment_id)
    select t.name, t.rate_percent::float8 as rate_percent, ${stateOfTax(db)} as state, 0::float8 as base_cents,
      sum(round(s.so_far * t.tax_cents / i.total_cents) - round((s.so_far - s.amount_cents) * t.tax_cents / i.total_cents))::float8 as tax_cents
    from parts s join invoices i on i.business_id = ${db.businessId} and i.id = s.invoice_id and i.total_cents > 0
    join invoice_taxes t on t.business_id = i.business_id and t.invoice_id = i.id
    where s.on_day between ${from}::date and ${to}::date and s.method <> 'credit' group by 1, 2, 3 order by 1, 2, 3`.execute(
    db,
  )
  return rows
}
