import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { getCashDiscount, todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { isReached } from '../../../messages/paperways/rules.ts'
import { getPaperReach, listPaperReach } from '../../../messages/paperways/server/queries.ts'
import type { Statement, StatementRun } from '../contract.ts'
import {
  discountNote,
  type EntryFacts,
  entryLabel,
  longestDays,
  mostEntries,
  periodProblem,
  sinceZero,
  statementNotes,
} from '../rules.ts'

/** So many are named on a paper. */
const mostNotes = 20

type Entry = EntryFacts & { id: string; onDay: Day }

/** The entries of the ledger from a day to a day with what each is about: of one customer, or of all (null). */
export const listEntries = <Row>(
  db: TenantDb,
  { from, to }: { from: Day; to: Day },
  customerId: string | null,
  most: number,
) => {
  const ofCustomer = customerId === null ? sql`` : sql`and e.customer_id = ${customerId}`
  return sql<Row>`
    select e.id, e.on_day, c.name as customer_name, e.amount_cents, e.kind, e.ref_type, coalesce(i.number, w.number) as invoice_number,
      coalesce(n.number, pn.number) as credit_number, p.receipt_number, p.method
    from ledger_entries e join customers c on c.business_id = e.business_id and c.id = e.customer_id
    left join invoices i on e.ref_type = 'invoice' and i.business_id = e.business_id and i.id = e.ref_id
    left join write_offs o on e.ref_type = 'write_off' and o.business_id = e.business_id and o.id = e.ref_id
    left join invoices w on w.business_id = o.business_id and w.id = o.invoice_id
    left join credit_notes n on e.ref_type = 'credit_note' and n.business_id = e.business_id and n.id = e.ref_id
    left join payments p on e.ref_type = 'payment' and p.business_id = e.business_id and p.id = e.ref_id
    left join credit_notes pn on pn.business_id = p.business_id and pn.payment_id = p.id
    where e.business_id = ${db.businessId} ${ofCustomer} and e.on_day between ${from}::date and ${to}::date
    order by e.on_day, e.created_at, e.id limit ${most}`
}

/** So many open invoices are looked at. */
const mostOpen = 200

/** What is to pay now on each open invoice of a customer. */
const listPayable = async (db: TenantDb, customerId: string): Promise<number[]> => {
  const { rows } = await sql<{ cents: number }>`
    select (total_cents - paid_cents - pending_cents)::float8 as cents from invoices
    where business_id = ${db.businessId} and customer_id = ${customerId} and status in ('issued', 'partially_paid') and not disputed
      and total_cents - paid_cents > pending_cents order by due_on, number limit ${mostOpen}`.execute(db)
  return rows.map(({ cents }) => cents)
}

/** What is open and not asked for now, however long ago it was billed. */
const listNotes = async (db: TenantDb, customerId: string, language: Language): Promise<string[]> => {
  const { rows } = await sql<{ number: number; openCents: number; disputed: boolean; pendingCents: number }>`
    select number, (total_cents - paid_cents)::float8 as open_cents, disputed, pending_cents::float8 as pending_cents from invoices
    where business_id = ${db.businessId} and customer_id = ${customerId} and status in ('issued', 'partially_paid')
      and (disputed or pending_cents > 0) order by number limit ${mostNotes}`.execute(db)
  const less = discountNote(await listPayable(db, customerId), await getCashDiscount(db), language)
  return [...statementNotes(rows, language), ...(less === null ? [] : [less])]
}

/**
 * A customer's ledger from a day to a day. What was owed before is the balance as it stands less what came since: no year before the period
 * is read. @throws not_found, validation_failed for a period that is none, state_conflict for one with too many entries
 */
export const getStatement = async (
  db: TenantDb,
  customerId: string,
  from: Day,
  to: Day,
  language: Language = 'en',
): Promise<Statement> => {
  const { id, name } = await getContact(db, customerId)
  const problem = periodProblem(from, to)
  if (problem) throw invalid([{ path: 'from', message: problem }])
  const { rows } = await listEntries<Entry>(db, { from, to }, customerId, mostEntries + 1).execute(db)
  if (rows.length > mostEntries)
    throw conflict(
      `There are more than ${mostEntries.toLocaleString('en-US')} entries in this period. Choose a shorter one.`,
    )
  const now = await sql<{ before: number }>`
    select coalesce((select balance_cents from customer_balances where business_id = ${db.businessId} and customer_id = ${customerId}), 0)
      - coalesce((select sum(amount_cents) from ledger_entries
          where business_id = ${db.businessId} and customer_id = ${customerId} and on_day >= ${from}::date), 0) as before`.execute(
    db,
  )
  const { mail, text, why, also } = await getPaperReach(db, customerId)
  const openingCents = Number(now.rows[0]?.before ?? 0)
  let balanceCents = openingCents
  const entries = rows.map((entry) => {
    balanceCents += entry.amountCents
    return {
      id: entry.id,
      onDay: entry.onDay,
      label: entryLabel(entry, language),
      amountCents: entry.amountCents,
      balanceCents,
    }
  })
  const sum = (is: (entry: Entry) => boolean) =>
    rows.reduce((all, entry) => (is(entry) ? all + entry.amountCents : all), 0)
  const isCharge = ({ kind, refType }: Entry) => kind === 'invoice' || refType === 'write_off'
  const chargedNow = new Set(rows.flatMap(({ kind, invoiceNumber }) => (kind === 'invoice' ? [invoiceNumber] : [])))
  const isVoidOfNow = ({ kind, invoiceNumber }: Entry) => kind === 'void' && chargedNow.has(invoiceNumber)
  return {
    customer: { id, name, reach: { mail, text, why, also } },
    from,
    to,
    openingCents,
    entries,
    // what was voided was never charged; of an earlier period it was, on the statement of then
    chargedCents: sum((entry) => (entry.amountCents > 0 && isCharge(entry)) || isVoidOfNow(entry)),
    voidedCents: sum((entry) => entry.kind === 'void' && !isVoidOfNow(entry)),
    // what came for the crew paid nothing of what is owed
    returnedCents: sum((entry) => entry.amountCents > 0 && !isCharge(entry) && entry.kind !== 'tip'),
    paidCents: sum((entry) => (entry.amountCents < 0 && entry.kind !== 'void') || entry.kind === 'tip'),
    closingCents: balanceCents,
    notes: await listNotes(db, customerId, language),
  }
}

/** Where a statement begins that goes back to when a customer last owed nothing. At most a year is read. @throws not_found */
export const findSinceZero = async (db: TenantDb, customerId: string): Promise<{ from: Day | null }> => {
  await getContact(db, customerId)
  const { rows } = await sql<{ onDay: Day; cents: number }>`
    select on_day, sum(amount_cents)::float8 as cents from ledger_entries
    where business_id = ${db.businessId} and customer_id = ${customerId} and on_day > ${addDays(await todayOf(db), -longestDays)}::date
    group by on_day order by on_day desc`.execute(db)
  const balance = await db
    .selectFrom('customerBalances')
    .select('balanceCents')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .executeTakeFirst()
  return { from: sinceZero(rows, Number(balance?.balanceCents ?? 0)) }
}

/** What of an invoice `i` is asked for: nothing of who is on hold, nor of what a bank looks into. */
const isAskedFor = sql`i.status in ('issued', 'partially_paid') and not i.disputed and i.total_cents - i.paid_cents - i.pending_cents > 0`

/** Whether a customer still owes something that is asked for. */
export const isOwing = async (db: TenantDb, customerId: string): Promise<boolean> => {
  const { rows } = await sql<{ owes: boolean }>`
    select exists (select from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id and not c.hold_invoices
      where i.business_id = ${db.businessId} and i.customer_id = ${customerId} and ${isAskedFor}) as owes`.execute(db)
  return rows[0]?.owes ?? false
}

/** What a customer is asked for in all, in cents. */
export const sumAsked = async (db: TenantDb, customerId: string): Promise<number> => {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(i.total_cents - i.paid_cents - i.pending_cents), 0)::float8 as cents
    from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id and not c.hold_invoices
    where i.business_id = ${db.businessId} and i.customer_id = ${customerId} and ${isAskedFor}`.execute(db)
  return rows[0]?.cents ?? 0
}

/** So many customers are looked at in one read. */
const readAtOnce = 1000
const first = '00000000-0000-0000-0000-000000000000'

/** The next customers who owe something that is asked for, by id: not who is on hold, nor whose bank is looking into it. */
export const listOwing = async (
  db: TenantDb,
  after: string | null,
  most: number,
): Promise<{ id: string; cents: number }[]> => {
  const { rows } = await sql<{ id: string; cents: number }>`
    select i.customer_id as id, sum(i.total_cents - i.paid_cents - i.pending_cents)::float8 as cents
    from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id and not c.hold_invoices
    where i.business_id = ${db.businessId} and i.customer_id > ${after ?? first}::uuid and ${isAskedFor}
    group by i.customer_id order by i.customer_id limit ${most}`.execute(db)
  return rows
}

/** How many would get a statement when all who owe do: only whom a mail or a text reaches gets one. */
export const countOpenStatements = async (
  db: TenantDb,
): Promise<{ count: number; unreachedCount: number; owedCents: number }> => {
  const sum = { count: 0, unreachedCount: 0, owedCents: 0 }
  for (let after: string | null = null; ; ) {
    const rows: { id: string; cents: number }[] = await listOwing(db, after, readAtOnce)
    const reachOf = await listPaperReach(
      db,
      rows.map(({ id }) => id),
    )
    for (const { id, cents } of rows)
      if (isReached(reachOf(id))) {
        sum.count += 1
        sum.owedCents += cents
      } else sum.unreachedCount += 1
    const last = rows.at(-1)
    if (!last || rows.length < readAtOnce) return sum
    after = last.id
  }
}

/** So many of those who got none are named. */
const mostNamed = 20

/** The newest sending of statements to all who owe, or the one that is named; null where there is none. */
export const lastStatementRun = async (db: TenantDb, id?: string): Promise<StatementRun | null> => {
  let query = db
    .selectFrom('statementRuns')
    .leftJoin('users', (join) =>
      join.onRef('users.businessId', '=', 'statementRuns.businessId').onRef('users.id', '=', 'statementRuns.createdBy'),
    )
    .where('statementRuns.businessId', '=', db.businessId)
    .select([
      'statementRuns.id',
      'statementRuns.status',
      'statementRuns.fromOn as from',
      'statementRuns.toOn as to',
      'statementRuns.expected',
      'statementRuns.createdAt as startedAt',
      'statementRuns.doneAt',
      'users.name as by',
    ])
    .orderBy('statementRuns.createdAt', 'desc')
    .orderBy('statementRuns.id', 'desc')
    .limit(1)
  if (id) query = query.where('statementRuns.id', '=', id)
  const run = await query.executeTakeFirst()
  if (!run) return null
  const { rows: counts } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from statement_sendings where business_id = ${db.businessId} and run_id = ${run.id}
    group by state`.execute(db)
  const of = (state: string) => counts.find((one) => one.state === state)?.count ?? 0
  const { rows: without } = await sql<{ customerId: string; name: string; problem: string }>`
    select s.customer_id, c.name, s.problem from statement_sendings s
    join customers c on c.business_id = s.business_id and c.id = s.customer_id
    where s.business_id = ${db.businessId} and s.run_id = ${run.id} and s.state in ('failed', 'unreached')
    order by s.state, s.customer_id limit ${mostNamed}`.execute(db)
  return {
    ...run,
    sentCount: of('sent'),
    settledCount: of('settled'),
    unreachedCount: of('unreached'),
    failedCount: of('failed'),
    without,
  }
}
