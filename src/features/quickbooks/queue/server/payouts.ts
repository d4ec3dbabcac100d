import { sql } from 'kysely'
import { dollarsOf, type RemoteLine } from '../../../../platform/books/client.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { formatCents } from '../../../../shared/money.ts'
import type { Connection } from '../../connect/server/queries.ts'
import { isPlayed, type Load, setupOf } from './loading.ts'
import { type Document, type Need, noteOf, quote, type Setup } from './shapes.ts'
import { hasDeposits, spent } from './spent.ts'

// What a card provider pays out, as the books have it: a bank deposit of its payments, with the fee as a line below zero.

export type PayoutFacts = {
  id: string
  day: string
  /** What reached the bank. */
  amountCents: number
  feeCents: number
  /** The category of the fee's expense. */
  feeCategoryId: string
  /** Refunds and disputes of it, which stand by themselves and left where payments wait. */
  spentCents: number
  /** Refunds and disputes of it that went out as expenses of the bank account, as all once did: the deposit is higher by them. */
  grossCents: number
  /** Disputed money that had been refunded before: nobody owes it any more. */
  lossCents: number
  /** Money in the books that it is made of. */
  holds: readonly { kind: 'payment' | 'movement'; id: string; amountCents: number }[]
  state: Document['state']
}

const fromAccount = (accountId: string, cents: number, description: string): RemoteLine => ({
  Description: description,
  Amount: dollarsOf(cents),
  DetailType: 'DepositLineDetail',
  DepositLineDetail: { AccountRef: { value: accountId } },
})

export const payoutDocument = (one: PayoutFacts, setup: Setup): Document => {
  const { accounts } = setup
  const holds = setup.holdsPayments ? one.holds : []
  const needs = holds.map(({ kind, id }): Need => ({ kind, id }))
  // what the bank's own list shows: one entry there is one entry here, but for what left the bank account in the books before
  const total = one.amountCents + one.grossCents
  // What the books cannot name line by line: payments from before the start or taken elsewhere, and what came back.
  const rest =
    total + one.spentCents + one.feeCents + one.lossCents - holds.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const note =
    one.grossCents > 0
      ? `Payout of ${formatCents(one.amountCents)}, after ${formatCents(one.grossCents)} of refunds and disputes, which are expenses of their own`
      : one.spentCents > 0
        ? `Payout of ${formatCents(one.amountCents)}, after ${formatCents(one.spentCents)} of refunds and disputes`
        : ''
  return {
    kind: 'payout',
    id: one.id,
    type: 'Deposit',
    label: `Payout of ${formatCents(one.amountCents)}`,
    state: one.state === 'live' && (!hasDeposits(accounts) || total === 0) ? 'none' : one.state,
    ...(one.state === 'live' && hasDeposits(accounts) && total < 0
      ? {
          state: 'none' as const,
          byHand: true,
          because:
            'The card provider took more than it paid out. QuickBooks has no deposit below zero: enter it there by hand, then skip it here.',
        }
      : {}),
    day: one.day,
    totalCents: total,
    needs,
    body: (ref) => ({
      TxnDate: one.day,
      PrivateNote: noteOf(one.id, note),
      Line: [
        ...holds.map(
          ({ kind, id, amountCents }): RemoteLine => ({
            Amount: dollarsOf(amountCents),
            LinkedTxn: [{ TxnId: ref(kind, id).value, TxnType: 'Payment', TxnLineId: '0' }],
          }),
        ),
        ...(rest === 0 ? [] : [fromAccount(accounts.deposit, rest, 'Card payments')]),
        ...(one.spentCents === 0
          ? []
          : [fromAccount(accounts.deposit, -one.spentCents, 'Refunds and disputed payments')]),
        ...(one.lossCents === 0
          ? []
          : [fromAccount(accounts.expense, -one.lossCents, 'Disputed payment that had been refunded before')]),
        ...(one.feeCents === 0
          ? []
          : [
              fromAccount(
                accounts.categories[one.feeCategoryId] ?? accounts.expense,
                -one.feeCents,
                'Kept by the card provider',
              ),
            ]),
      ],
      DepositToAccountRef: { value: accounts.bank },
    }),
    lookFor: () => `TxnDate = ${quote(one.day)}`,
  }
}

/** A payout that the bank sent back: it left the bank account again, and waits for a later payout. */
export const payoutBackDocument = (
  one: Pick<PayoutFacts, 'id' | 'day' | 'amountCents' | 'state'>,
  { accounts }: Setup,
): Document => ({
  kind: 'payout_back',
  id: one.id,
  type: 'Purchase',
  label: `Payout of ${formatCents(one.amountCents)} sent back`,
  state: hasDeposits(accounts) && one.amountCents > 0 ? one.state : 'none',
  day: one.day,
  totalCents: one.amountCents,
  needs: [],
  body: () => ({
    TxnDate: one.day,
    PrivateNote: noteOf(one.id, 'Payout that the bank sent back'),
    Line: [spent(accounts.deposit, one.amountCents, 'Payout that the bank sent back')],
    AccountRef: { value: accounts.bank },
    PaymentType: 'Cash',
  }),
  lookFor: () => `TxnDate = ${quote(one.day)}`,
})

const findPayout = (db: TenantDb, id: string) =>
  db
    .selectFrom('payouts')
    .select(['provider', 'livemode', 'amountCents', 'feeCents', 'linesTold', 'bookedOn', 'failedOn'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()

type Made = { kind: 'payment' | 'movement' | 'spent' | 'gross' | 'loss'; id: string; amountCents: number }

/** What of a payout stands in the books by itself: payments, what a bank gave back, and what went back to customers. */
const listMade = async (db: TenantDb, connection: Connection, id: string): Promise<Made[]> => {
  const start = connection.startOn ?? ''
  const spentAs = (as: string) =>
    sql`case when ${sql.ref(`${as}.on_day`)} < ${connection.netFrom}::date then 'gross' else 'spent' end`
  const counts = sql`(${!connection.livemode} or p.livemode)`
  const { rows } = await sql<Made>`
    select 'payment' as kind, p.id, p.amount_cents::float8 as amount_cents from payout_lines l
      join payments p on p.business_id = l.business_id and p.provider_payment_id = l.source_id
      where l.business_id = ${db.businessId} and l.payout_id = ${id} and l.kind = 'payment' and p.received_on >= ${start}::date
        and p.status in ('succeeded', 'disputed') and p.provider <> 'quickbooks' and ${counts}
    union all select ${spentAs('r')}, r.id, r.amount_cents::float8 from payout_lines l
      join refunds r on r.business_id = l.business_id and r.provider_refund_id = l.source_id
      join payments p on p.business_id = r.business_id and p.id = r.payment_id
      where l.business_id = ${db.businessId} and l.payout_id = ${id} and l.kind = 'refund' and r.on_day >= ${start}::date
        and r.status <> 'failed' and ${counts}
    union all select case when e.amount_cents > 0 then ${spentAs('e')} else 'movement' end, e.id, abs(e.amount_cents)::float8 from payout_lines l
      join disputes d on d.business_id = l.business_id and d.provider_dispute_id = l.source_id
      join payments p on p.business_id = d.business_id and p.id = d.payment_id
      join ledger_entries e on e.business_id = d.business_id and e.ref_type = 'dispute' and e.ref_id = d.id
        and sign(e.amount_cents) = -sign(l.amount_cents)
      where l.business_id = ${db.businessId} and l.payout_id = ${id} and l.kind = 'dispute' and e.on_day >= ${start}::date and ${counts}
    union all select 'loss', d.id, (-l.amount_cents - coalesce((select sum(e.amount_cents) from ledger_entries e
        where e.business_id = d.business_id and e.ref_type = 'dispute' and e.ref_id = d.id and sign(e.amount_cents) = -sign(l.amount_cents)), 0))::float8
      from payout_lines l
      join disputes d on d.business_id = l.business_id and d.provider_dispute_id = l.source_id
      join payments p on p.business_id = d.business_id and p.id = d.payment_id
      where l.business_id = ${db.businessId} and l.payout_id = ${id} and l.kind = 'dispute' and d.moved_on >= ${start}::date
        and (d.uncovered_cents > 0 or exists (select from dispute_covers v where v.business_id = d.business_id and v.dispute_id = d.id))
        and ${counts}
    order by 1, 2`.execute(db)
  return rows
}

const feeCategoryOf = async (db: TenantDb, id: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select category_id as id from expenses where business_id = ${db.businessId} and source_key = ${`payout:${id}`}
    union all select id from expense_categories where business_id = ${db.businessId} and code = 'processing' limit 1`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

/** Whether what a provider kept was only played, by the key of its expense. */
export const isFeePlayed = async (db: TenantDb, connection: Connection, sourceKey: string | null): Promise<boolean> => {
  const row = await findPayout(db, sourceKey?.replace(/^payout:/, '') ?? '')
  return row ? isPlayed(connection, row) : false
}

/** One that is on its way, or of which nobody has told yet what it is made of, waits: it marks itself again when that is known. */
export const payout: Load = async (db, connection, id) => {
  const row = await findPayout(db, id)
  if (!row?.bookedOn) return null
  const made = await listMade(db, connection, id)
  const sumOf = (wanted: Made['kind']) =>
    made.reduce((sum, { kind, amountCents }) => sum + (kind === wanted ? amountCents : 0), 0)
  const isReady = row.linesTold !== 'coming' && !isPlayed(connection, row)
  return payoutDocument(
    {
      id,
      day: row.bookedOn,
      amountCents: Number(row.amountCents),
      feeCents: row.linesTold === 'all' ? Number(row.feeCents) : 0,
      feeCategoryId: await feeCategoryOf(db, id),
      spentCents: sumOf('spent'),
      grossCents: sumOf('gross'),
      lossCents: sumOf('loss'),
      holds: made.flatMap(({ kind, ...one }) => (kind === 'payment' || kind === 'movement' ? [{ kind, ...one }] : [])),
      state: isReady ? 'live' : 'none',
    },
    setupOf(connection),
  )
}

export const payoutBack: Load = async (db, connection, id) => {
  const row = await findPayout(db, id)
  if (!row?.failedOn) return null
  const state = isPlayed(connection, row) ? 'none' : 'live'
  return payoutBackDocument({ id, day: row.failedOn, amountCents: Number(row.amountCents), state }, setupOf(connection))
}
