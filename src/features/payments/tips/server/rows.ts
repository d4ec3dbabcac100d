import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { crewPresent } from '../../../employees/staffing/server/queries.ts'
import { addLedgerEntryTx, type ClosedMonthException, type LedgerEntry } from '../../../invoices/server/commands.ts'
import { shareTip } from '../rules.ts'

/** The rows of a tip: written in the transaction of the money that it came with or goes back with. The payment is locked by the caller. */

type Move = {
  onDay: string
  refundId?: string
  disputeId?: string
  /** Takes the entry of the ledger instead, for a caller who still has invoices to change. */
  ledger?: LedgerEntry[]
}
type Paid = { id: string; customerId: string }

/**
 * A tip came (positive) or goes back (negative). In the ledger it stands beside the payment that brought it, so that what a customer owes for
 * work is not changed by it.
 */
export const moveTipTx = async (
  db: TenantDb,
  { id: paymentId, customerId }: Paid,
  amountCents: number,
  { onDay, refundId, disputeId, ledger }: Move,
  exception?: ClosedMonthException,
): Promise<void> => {
  if (amountCents === 0) return
  const id = newId()
  await db
    .insertInto('tipMoves')
    .values({
      businessId: db.businessId,
      id,
      paymentId,
      amountCents,
      onDay,
      refundId: refundId ?? null,
      disputeId: disputeId ?? null,
      createdAt: clock.iso(),
    })
    .execute()
  await db
    .updateTable('payments')
    .set((eb) => ({
      tipCents: eb('tipCents', '+', amountCents),
      allocatedCents: eb('allocatedCents', '+', amountCents),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', paymentId)
    .execute()
  const entry = { customerId, kind: 'tip', amountCents, refType: 'tip', refId: id, onDay } as const
  if (ledger) ledger.push(entry)
  else await addLedgerEntryTx(db, entry, exception)
}

/**
 * What went back of a tip is a tip again, as far as the payment has so much that lies nowhere: what went with a refund that did not go, or with
 * all that banks took of it. Of several disputes only the sums count, so that it does not matter which of them is decided first.
 */
export const putTipBackTx = async (
  db: TenantDb,
  payment: Paid,
  went: { refundId: string } | 'disputes',
  move: Move,
): Promise<void> => {
  const { rows } = await sql<{ cents: number }>`
    select least(p.amount_cents - p.refunded_cents - p.allocated_cents, -coalesce((
      select sum(m.amount_cents) from tip_moves m where m.business_id = p.business_id and m.payment_id = p.id
        and ${
          went === 'disputes'
            ? sql`(m.dispute_id is not null or m.refund_id in (
                select r.id from refunds r where r.business_id = p.business_id and r.payment_id = p.id and r.status = 'failed'))`
            : sql`m.refund_id = ${went.refundId}`
        }), 0))::int8 as cents
    from payments p where p.business_id = ${db.businessId} and p.id = ${payment.id}`.execute(db)
  const cents = Number(rows[0]?.cents ?? 0)
  if (cents > 0) await moveTipTx(db, payment, cents, move)
}

/** What a tip is for: the visits of an invoice, or the visit at which somebody took it at the door. */
export type TipWork = { invoiceId: string } | { visitId: string | null; takenBy: string }

/**
 * Who worked on the visits that a tip is for: who was clocked in with the crew meanwhile, else who of the crew was there that day, else who
 * finished it. At the door the visit may not be finished yet.
 */
const listWorked = async (db: TenantDb, work: TipWork) => {
  const visits =
    'visitId' in work
      ? sql`v.id = ${work.visitId}`
      : sql`v.status = 'completed' and v.id in (
        select l.visit_id from invoice_lines l where l.business_id = ${db.businessId} and l.invoice_id = ${work.invoiceId})`
  const { rows } = await sql<{ visitId: string; userId: string }>`
    with work as (
      select v.id, v.crew_id, v.day, v.finished_by, coalesce(v.started_at, v.finished_at, ${clock.iso()}::timestamptz) as started_at,
        coalesce(v.finished_at, ${clock.iso()}::timestamptz) as finished_at from visits v
      where v.business_id = ${db.businessId} and ${visits}
    ), clocked as (
      select distinct w.id, u.id as user_id from work w
      join users u on u.business_id = ${db.businessId}
      join time_entries t on t.business_id = u.business_id and t.user_id = u.id and t.crew_id = w.crew_id and t.kind = 'work'
        and t.started_at between w.started_at - interval '1 day' and w.finished_at and coalesce(t.ended_at, w.finished_at) > w.started_at
    ), present as (
      select w.id, p.user_id from work w cross join lateral ${crewPresent(db, sql.ref('w.crew_id'), sql.ref('w.day'))} p
      where not exists (select from clocked c where c.id = w.id)
    )
    select id as "visitId", user_id as "userId" from clocked
    union select id, user_id from present
    union select w.id, w.finished_by from work w where w.finished_by is not null
      and not exists (select from clocked c where c.id = w.id) and not exists (select from present p where p.id = w.id)
    order by 1, 2`.execute(db)
  return rows
}

/** Says whose a payment's tip is: of those who worked on the visits that it is for; at the door, where nobody is known, of who took it. */
export const shareTipTx = async (db: TenantDb, paymentId: string, work: TipWork, tipCents: number): Promise<void> => {
  const known = await listWorked(db, work)
  const worked =
    known.length === 0 && 'visitId' in work ? [{ visitId: work.visitId ?? '', userId: work.takenBy }] : known
  const shares = shareTip(tipCents, worked)
  if (shares.length > 0)
    await db
      .insertInto('tipShares')
      .values(shares.map((share) => ({ businessId: db.businessId, paymentId, ...share })))
      .execute()
}
