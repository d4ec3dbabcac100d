import { sql } from 'kysely'
import { z } from 'zod'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { enqueue, taskName } from '../../../../platform/tasks/task.ts'
import { findConnection } from '../../connect/server/queries.ts'
import { askToSend } from '../../queue/server/commands.ts'

/** Gathers what is there since the start, in chunks that a killed process goes on with. */
export const backfillTask = taskName({
  name: 'quickbooks.backfill',
  payload: z.object({}),
  queue: (_, businessId) => `quickbooks:${businessId}`,
  comesLater: true,
})

const steps = [
  'customer',
  'item',
  'invoice',
  'credit',
  'write_off',
  'payment',
  'refund',
  'expense',
  'movement',
  'payout',
  'payout_back',
] as const
type Step = (typeof steps)[number]
const Progress = z.object({ step: z.enum(steps), after: z.string() })
const first = { step: steps[0], after: '00000000-0000-0000-0000-000000000000' }
const chunk = 300

/** The next records of a kind that are dated since the start. */
const nextIds = async (db: TenantDb, step: Step, after: string, from: string): Promise<string[]> => {
  // What stands there is looked at too where it left since: an expense that was deleted while nobody was connected.
  const sent = (kind: Step) => sql`exists (select from books_links l where l.business_id = x.business_id
    and l.kind = ${kind} and l.local_id = x.id and l.remote_id is not null)`
  const sources = {
    customer: sql`customers x where ${sent('customer')}`,
    item: sql`services x where ${sent('item')}`,
    invoice: sql`invoices where status <> 'draft' and issue_on >= ${from}::date`,
    credit: sql`credit_notes where on_day >= ${from}::date`,
    write_off: sql`write_offs where on_day >= ${from}::date`,
    payment: sql`payments where method <> 'credit' and received_on >= ${from}::date`,
    refund: sql`refunds where on_day >= ${from}::date`,
    expense: sql`expenses x where ((deleted_at is null and not review
      and case when method = 'personal' then reimbursed_on else day end >= ${from}::date) or ${sent('expense')})`,
    movement: sql`ledger_entries where on_day >= ${from}::date
      and (ref_type not in ('invoice', 'payment', 'credit_note', 'refund', 'write_off') or undoes_on is not null)`,
    payout: sql`payouts where booked_on >= ${from}::date`,
    payout_back: sql`payouts where failed_on >= ${from}::date`,
  }
  const { rows } = await sql<{ id: string }>`select id from ${sources[step]} and business_id = ${db.businessId}
    and id > ${after}::uuid order by id limit ${chunk}`.execute(db)
  return rows.map(({ id }) => id)
}

/** One chunk; what it marked and how far it is are one transaction. */
export const continueBackfill = (actor: SystemActor): Promise<void> =>
  withTenant(actor, async (db) => {
    const connection = await findConnection(db)
    const progress = Progress.safeParse(connection?.backfill)
    if (!connection?.startOn || !progress.success) return
    const { step, after } = progress.data
    const ids = await nextIds(db, step, after, connection.startOn)
    await sql`select mark_for_books(${db.businessId}, ${step}, id) from unnest(${ids}::uuid[]) as id`.execute(db)
    if (step === 'credit' || step === 'write_off')
      await sql`select mark_for_books(${db.businessId}, 'use', id) from unnest(${ids}::uuid[]) as id`.execute(db)
    if (step === 'movement')
      await sql`select mark_for_books(e.business_id, 'use', e.id) from ledger_entries e where e.business_id = ${db.businessId}
        and e.id = any(${ids}::uuid[]) and e.ref_type = 'invoice'`.execute(db)
    const following = steps[steps.indexOf(step) + 1]
    const next =
      ids.length === chunk
        ? { step, after: ids.at(-1) ?? after }
        : following
          ? { step: following, after: first.after }
          : null
    await db
      .updateTable('booksConnections')
      .set({ backfill: next ? JSON.stringify(next) : null, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', connection.id)
      .execute()
    if (next) await enqueue(db, backfillTask, {}, { key: `backfill:${next.step}:${next.after}` })
    else await askToSend(db)
    await publishChange(db, 'books')
  })

/** Begins to gather, from the first kind on: with a start that lies earlier, and with a company that was away for a while. */
export const gatherTx = async (db: TenantDb, connectionId: string): Promise<void> => {
  await db
    .updateTable('booksConnections')
    .set({ backfill: JSON.stringify(first) })
    .where('businessId', '=', db.businessId)
    .where('id', '=', connectionId)
    .execute()
  await enqueue(db, backfillTask, {}, { key: 'backfill' })
}
