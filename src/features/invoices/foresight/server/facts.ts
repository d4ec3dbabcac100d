import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf, instantAt } from '../../../../shared/dates.ts'
import { catchUpDays, remindFromMinute } from '../../reminders/rules.ts'
import { notRemindedOf, type PastInvoice } from '../rules.ts'

/** What is kept of invoices and their customers, with when it happened: each kind of it in one read for all. */

type Look = { steps: readonly number[]; timeZone: string; fromMs: number; toMs: number }

export type PastRow = {
  id: string
  number: number
  customerId: string
  language: 'en' | 'es'
  billedName: string
  message: string
  dueOn: Day
  totalCents: number
}
type Row = PastRow & {
  status: string
  sentAt: string | null
  reopenedOn: Day | null
  remindersStopped: string | null
  answeredAt: string | null
  remindersFrom: string | null
  promisedOn: Day | null
  openingFrom: string | null
  updatedAt: string
  issuedAt: string
  isFee: boolean
}

/** Due days, or days on which something was opened again, whose steps come in a span or are made up for in it. */
const daysBehind = (steps: readonly number[], { timeZone, fromMs, toMs }: Look): Day[] => {
  const days = new Set<Day>()
  const last = dayOf(toMs, timeZone)
  for (let day = addDays(dayOf(fromMs, timeZone), -catchUpDays); day <= last; day = addDays(day, 1))
    for (const step of steps) days.add(addDays(day, -step))
  return [...days]
}

/** Invoices of which something was open when a step of theirs came, the last due first. */
const listRows = async (db: TenantDb, look: Look, limit: number): Promise<Row[]> => {
  const { steps, timeZone, fromMs } = look
  const from = instantAt(addDays(dayOf(fromMs, timeZone), -catchUpDays), remindFromMinute, timeZone)
  const again = daysBehind(
    steps.filter((step) => step > 0),
    look,
  )
  const { rows } = await sql<Row>`
    with again as (
      (select m.invoice_id as id from allocation_moves m
        where m.business_id = ${db.businessId} and m.on_day = any(${again}::date[]) and m.amount_cents < 0 limit ${limit})
      union (select o.id from invoices o where o.business_id = ${db.businessId} and o.status in ('issued', 'partially_paid')
        and o.reopened_on = any(${again}::date[]) limit ${limit})),
    due as (
      select d.id from invoices d where d.business_id = ${db.businessId}
        and d.status in ('issued', 'partially_paid', 'paid', 'void', 'written_off') and d.due_on = any(${daysBehind(steps, look)}::date[])
        and d.total_cents > coalesce((select sum(m.amount_cents) from allocation_moves m
          where m.business_id = d.business_id and m.invoice_id = d.id and m.created_at <= greatest(${from}::timestamptz,
            (d.due_on + ${Math.min(...steps)}::int + make_interval(mins => ${remindFromMinute}::int)) at time zone ${timeZone})), 0)
      order by d.due_on desc, d.number desc limit ${limit})
    select i.id, i.number, i.customer_id, c.language, i.bill_to->>'name' as billed_name, i.message, i.due_on, i.total_cents, i.status, i.sent_at,
      i.reopened_on, i.reminders_stopped, i.answered_at, i.reminders_from, i.promised_on, i.opening_from, i.updated_at,
      coalesce((select min(l.created_at) from ledger_entries l where l.business_id = i.business_id and l.customer_id = i.customer_id
        and l.on_day = i.issue_on and l.kind = 'invoice' and l.ref_id = i.id), i.issue_on::timestamp at time zone ${timeZone}) as issued_at,
      exists (select from late_fees f where f.business_id = i.business_id and f.fee_invoice_id = i.id) as is_fee
    from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    where i.business_id = ${db.businessId} and i.due_on is not null and i.id in (select id from again union select id from due)
    order by i.due_on desc, i.number desc limit ${limit}`.execute(db)
  return rows
}

type Of<T> = T & { id: string }
const msOf = (at: string): number => Date.parse(at)

/** What of a list is of each, by its id. */
const byId = <T extends { id: string }>(list: readonly T[]): ((id: string) => T[]) => {
  const groups = Map.groupBy(list, ({ id }) => id)
  return (id) => groups.get(id) ?? []
}

type Move = Of<{ at: string; cents: number; paymentId: string; isCredit: boolean; paidAt: string }>
const listMoves = async (db: TenantDb, ids: readonly string[]): Promise<Move[]> => {
  const { rows } = await sql<Move>`
    select m.invoice_id as id, m.created_at as at, m.amount_cents as cents, m.payment_id, p.method = 'credit' as is_credit, p.created_at as paid_at
    from allocation_moves m join payments p on p.business_id = m.business_id and p.id = m.payment_id
    where m.business_id = ${db.businessId} and m.invoice_id = any(${[...ids]}::uuid[]) order by m.created_at`.execute(
    db,
  )
  return rows
}

export type PastFee = Of<{
  createdAt: string
  waivedOn: Day | null
  totalCents: number
  moves: readonly { atMs: number; cents: number }[]
}>
const listFees = async (db: TenantDb, ids: readonly string[]) => {
  const { rows } = await sql<
    Of<{ feeId: string; createdAt: string; onDay: Day; waivedOn: Day | null; totalCents: number }>
  >`
    select f.invoice_id as id, f.fee_invoice_id as fee_id, f.created_at, f.on_day, f.waived_on, o.total_cents
    from late_fees f join invoices o on o.business_id = f.business_id and o.id = f.fee_invoice_id
    where f.business_id = ${db.businessId} and f.invoice_id = any(${[...ids]}::uuid[])`.execute(db)
  return rows
}

type Told = Of<{ at: string; action: string; byHand: boolean; after: Record<string, unknown> | null }>
const listTold = async (db: TenantDb, ids: readonly string[]): Promise<Told[]> => {
  const { rows } = await sql<Told>`
    select a.entity_id as id, a.at, a.action, a.actor_kind = 'user' as by_hand, a.after from audit_log a
    where a.business_id = ${db.businessId} and a.entity_type = 'invoice' and a.entity_id = any(${[...ids]}::uuid[])
      and a.action in ('invoice.reminders', 'invoice.remind', 'invoice.void') order by a.at`.execute(db)
  return rows
}

type Asked = Of<{ at: string; isReminder: boolean }>
const listAsked = async (db: TenantDb, ids: readonly string[]): Promise<Asked[]> => {
  const { rows } = await sql<Asked>`
    select m.entity_id as id, m.created_at as at, m.dedupe_key like 'invoice:%:reminder:%' as is_reminder from messages m
    where m.business_id = ${db.businessId} and m.entity_type = 'invoice' and m.entity_id = any(${[...ids]}::uuid[])
      and m.asks and m.direction = 'outbound'`.execute(db)
  return rows
}

type Held = Of<{ kind: 'written_off' | 'disputed' | 'on_its_way' | 'autopay'; from: string; to: string | null }>
/** When an invoice was let go, disputed, paid by a bank that had not answered, or waited for autopay. */
const listHeld = async (db: TenantDb, ids: readonly string[], timeZone: string): Promise<Held[]> => {
  const of = sql`${[...ids]}::uuid[]`
  const { rows } = await sql<Held>`
    select w.invoice_id as id, 'written_off' as kind, w.created_at as "from", w.taken_back_on::timestamp at time zone ${timeZone} as "to"
      from write_offs w where w.business_id = ${db.businessId} and w.invoice_id = any(${of})
    union all select g.invoice_id, 'disputed', d.created_at,
        case when d.status in ('needs_response', 'under_review') then null
          else coalesce(d.decided_on::timestamp at time zone ${timeZone}, d.updated_at) end
      from dispute_invoices g join disputes d on d.business_id = g.business_id and d.id = g.dispute_id
      where g.business_id = ${db.businessId} and g.invoice_id = any(${of}) and d.kind <> 'return'
    union all select s.invoice_id, 'on_its_way', s.processing_at, case when s.status = 'processing' then null else s.updated_at end
      from checkout_sessions s where s.business_id = ${db.businessId} and s.invoice_id = any(${of}) and s.processing_at is not null
    union all select y.invoice_id, 'autopay', y.created_at, case when y.status = 'waiting' then null else y.updated_at end
      from autopay_charges y where y.business_id = ${db.businessId} and y.invoice_id = any(${of})`.execute(db)
  return rows
}

type Word = Of<{ at: string; wrote: boolean }>
/** What customers wrote and said on the phone since each was last asked for one of these invoices before the span. */
const listWords = async (db: TenantDb, since: ReadonlyMap<string, number>): Promise<Word[]> => {
  const [ids, times] = [[...since.keys()], [...since.values()].map((ms) => new Date(ms).toISOString())]
  const { rows } = await sql<Word>`
    with asked as (select q.id, q.at from unnest(${ids}::uuid[], ${times}::timestamptz[]) as q(id, at))
    select q.id, m.created_at as at, true as wrote from asked q join messages m on m.business_id = ${db.businessId} and m.customer_id = q.id
      and m.created_at > q.at and m.direction = 'inbound' and m.reason is null
    union all select q.id, k.at, false from asked q join customer_calls k on k.business_id = ${db.businessId} and k.customer_id = q.id
      and k.at > q.at and (k.outcome = 'talked' or k.direction = 'in')`.execute(db)
  return rows
}

const changeOf = ({ at, after }: Told): PastInvoice['changes'][number] => ({
  atMs: msOf(at),
  ...(typeof after?.stop === 'string' ? { stop: after.stop } : {}),
  ...(after?.start ? { start: true } : {}),
  ...(after && 'promisedOn' in after ? { promisedOn: after.promisedOn as Day | null } : {}),
})

/**
 * Invoices of which something was open when a step came in a span, with what happened to each and when.
 * @param limit so many, the last due first
 */
export const listPast = async (
  db: TenantDb,
  look: Look,
  limit: number,
): Promise<{ row: PastRow; past: PastInvoice; fees: PastFee[] }[]> => {
  const { timeZone, fromMs } = look
  const rows = await listRows(db, look, limit)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const fees = await listFees(db, ids)
  const movesOf = byId(await listMoves(db, [...ids, ...fees.map(({ feeId }) => feeId)]))
  const feesOf = byId(fees)
  const told = await listTold(db, ids)
  const toldOf = byId(told)
  const askedOf = byId(await listAsked(db, ids))
  const heldOf = byId(await listHeld(db, ids, timeZone))
  // what left by itself from here on is what a dry run asks again
  const simulatedMs = Date.parse(instantAt(addDays(dayOf(fromMs, timeZone), -catchUpDays), 0, timeZone))
  const timesOf = ({ id, sentAt, issuedAt }: Row) => {
    const asked = askedOf(id)
    const feeDays = new Set(feesOf(id).map(({ onDay }) => onDay))
    return {
      sentMs: [
        ...asked.flatMap(({ at, isReminder }) => (isReminder ? [] : [msOf(at)])),
        ...(sentAt ? [msOf(sentAt)] : []),
      ],
      remindedMs: [
        ...asked.flatMap(({ at, isReminder }) => (isReminder && msOf(at) < simulatedMs ? [msOf(at)] : [])),
        ...toldOf(id).flatMap(({ at, action, byHand }) =>
          action === 'invoice.remind' && (byHand || feeDays.has(dayOf(at, timeZone))) ? [msOf(at)] : [],
        ),
      ],
      issuedMs: msOf(issuedAt),
    }
  }
  const times = new Map(rows.map((row) => [row.id, timesOf(row)]))
  const since = new Map<string, number>()
  for (const { id, customerId } of rows) {
    const { sentMs, remindedMs, issuedMs } = times.get(id) ?? { sentMs: [], remindedMs: [], issuedMs: 0 }
    const before = [...sentMs, ...remindedMs].filter((ms) => ms < simulatedMs)
    const askedMs = before.length > 0 ? Math.max(...before) : Math.min(issuedMs, simulatedMs)
    since.set(customerId, Math.min(askedMs, since.get(customerId) ?? askedMs))
  }
  const wordsOf = byId(await listWords(db, since))
  return rows.map((row) => {
    const held = heldOf(row.id).map(({ kind, from, to }) => ({
      kind,
      fromMs: msOf(from),
      toMs: to === null ? null : msOf(to),
    }))
    const spells = (kind: Held['kind']) => held.filter((one) => one.kind === kind)
    const words = wordsOf(row.customerId)
    const moves = (id: string) =>
      movesOf(id).map(({ at, cents, paymentId, isCredit, paidAt }) => ({
        atMs: msOf(at),
        cents: Number(cents),
        paymentId,
        isCredit,
        paidMs: msOf(paidAt),
      }))
    const voided = toldOf(row.id).find(({ action }) => action === 'invoice.void')
    return {
      row: { ...row, totalCents: Number(row.totalCents) },
      fees: feesOf(row.id).map(({ feeId, createdAt, waivedOn, totalCents }) => ({
        id: feeId,
        createdAt,
        waivedOn,
        totalCents: Number(totalCents),
        moves: moves(feeId),
      })),
      past: {
        ...(times.get(row.id) ?? timesOf(row)),
        dueOn: row.dueOn,
        totalCents: Number(row.totalCents),
        voidedMs: row.status === 'void' ? msOf(voided?.at ?? row.updatedAt) : null,
        writtenOff: spells('written_off'),
        reopenedOn: row.reopenedOn,
        moves: moves(row.id),
        changes: toldOf(row.id).flatMap((one) => (one.action === 'invoice.reminders' ? [changeOf(one)] : [])),
        promisedOn: row.promisedOn,
        stopped: row.remindersStopped,
        answeredMs: row.answeredAt ? msOf(row.answeredAt) : null,
        remindersFromMs: row.remindersFrom ? msOf(row.remindersFrom) : null,
        bornStopped: row.isFee ? notRemindedOf.withFee : row.openingFrom !== null ? notRemindedOf.opening : null,
        disputed: spells('disputed'),
        onItsWay: spells('on_its_way'),
        autopay: spells('autopay')[0] ?? null,
        wroteMs: words.flatMap(({ at, wrote }) => (wrote ? [msOf(at)] : [])),
        calledMs: words.flatMap(({ at, wrote }) => (wrote ? [] : [msOf(at)])),
      },
    }
  })
}
