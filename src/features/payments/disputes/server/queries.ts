import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { providerNamed } from '../../../../platform/payments/providers.ts'
import { canOf } from '../../../../shared/can.ts'
import { notFound } from '../../../../shared/errors.ts'
import { type Dispute, type DisputeSummary, disputesApi } from '../contract.ts'
import { adviceFor, disputeRefusals, disputeState, mostAttached, reasonLabel } from '../rules.ts'
import type { DisputeRow } from './books.ts'
import { collectEvidence } from './evidence.ts'

type Row = DisputeRow & {
  customerId: string
  customerName: string
  invoices: { id: string; number: number }[]
}

const mostShown = 50

const read = async (
  db: TenantDb,
  where: RawBuilder<unknown>,
  order = sql`d.created_at desc, d.id desc`,
): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select d.*, c.id as customer_id, c.name as customer_name, coalesce((
        select jsonb_agg(jsonb_build_object('id', i.id, 'number', i.number) order by i.number)
        from dispute_invoices x join invoices i on i.business_id = x.business_id and i.id = x.invoice_id
        where x.business_id = d.business_id and x.dispute_id = d.id), '[]'::jsonb) as invoices
    from disputes d join payments p on p.business_id = d.business_id and p.id = d.payment_id
    join customers c on c.business_id = p.business_id and c.id = p.customer_id
    where d.business_id = ${db.businessId} and ${where}
    order by ${order} limit ${mostShown}`.execute(db)
  return rows
}

const summaryOf = (row: Row): DisputeSummary => ({
  id: row.id,
  paymentId: row.paymentId,
  customer: { id: row.customerId, name: row.customerName },
  invoices: row.invoices,
  kind: row.kind,
  status: row.status,
  state: disputeState({ ...row, nowMs: clock.nowMs() }),
  reason: reasonLabel(row.reason),
  amountCents: Number(row.amountCents),
  openedOn: row.openedOn,
  decidedOn: row.decidedOn,
  dueAt: row.dueAt,
  livemode: row.livemode,
})

/** Disputes of a customer or an invoice, or all that the bank has not decided, newest first. */
export const listDisputes = async (
  db: TenantDb,
  { customerId, invoiceId }: { customerId?: string | undefined; invoiceId?: string | undefined },
): Promise<DisputeSummary[]> =>
  (
    await read(
      db,
      customerId
        ? sql`p.customer_id = ${customerId}`
        : invoiceId
          ? sql`exists (select from dispute_invoices x where x.business_id = d.business_id and x.dispute_id = d.id and x.invoice_id = ${invoiceId})`
          : sql`d.status in ('needs_response', 'under_review')`,
    )
  ).map(summaryOf)

/** A dispute with the evidence there is and what the person may do with it. @throws not_found */
export const getDispute = async (db: TenantDb, actor: Actor, id: string): Promise<Dispute> => {
  const [row] = await read(db, sql`d.id = ${id}`)
  if (!row) throw notFound('dispute')
  const { facts, draft } = await collectEvidence(db, row)
  return {
    ...summaryOf(row),
    advice: adviceFor(row.reason),
    feeCents: Number(row.feeCents),
    uncoveredCents: Number(row.uncoveredCents),
    submission: row.submission,
    submittedAt: row.submittedAt,
    problem: row.problem,
    text: row.evidenceText ?? draft,
    evidence: {
      invoices: facts.invoices.slice(0, mostAttached).map(({ name }) => name),
      visits: facts.visits.map(({ finishedBy: _, note: __, ...visit }) => visit),
      messageCount: facts.messages.length,
      agreements: facts.agreements,
    },
    testBankPath: actor.readOnly ? null : (providerNamed(row.provider)?.playedBankPath?.(row.accountId) ?? null),
    can: canOf(actor, { edit: disputesApi.saveEvidence, submit: disputesApi.submitEvidence }, disputeRefusals, {
      ...row,
      nowMs: clock.nowMs(),
    }),
    version: row.version,
  }
}

/** Disputes that wait for an answer, the soonest due first. */
export const listUnanswered = async (db: TenantDb) =>
  (
    await read(
      db,
      sql`d.status = 'needs_response' and d.submission in ('none', 'refused') and d.kind <> 'return'`,
      sql`d.due_at nulls last, d.id`,
    )
  ).map(summaryOf)
