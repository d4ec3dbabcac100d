import { sql } from 'kysely'
import { type SystemActor, systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { log } from '../../../../platform/log.ts'
import type { Payout, PayoutLine } from '../../../../platform/payments/provider.ts'
import { findPayout, providerNamed } from '../../../../platform/payments/providers.ts'
import type { StoredWebhook } from '../../../../platform/webhooks.ts'
import { addDays, type Day, dayOf } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { timeZoneOf, todayOf } from '../../../businesses/server/queries.ts'
import { addExpenseTx, categoryOf } from '../../../expenses/server/commands.ts'
import { openDayTx } from '../../../invoices/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { failedWords, movesOn } from '../rules.ts'

/** The row of a payout, made when it is first seen, and locked. */
const rowTx = async (db: TenantDb, state: Payout, account: string) => {
  await db
    .insertInto('payouts')
    .values({
      businessId: db.businessId,
      id: newId(),
      provider: state.provider,
      livemode: state.livemode,
      accountId: account,
      providerPayoutId: state.id,
      status: 'on_its_way',
      amountCents: state.amountCents,
      madeOn: dayOf(state.madeAt, await timeZoneOf(db)),
      arrivesOn: state.arrivesOn,
      createdAt: clock.iso(),
      updatedAt: clock.iso(),
    })
    .onConflict((c) => c.columns(['businessId', 'providerPayoutId']).doNothing())
    .execute()
  return db
    .selectFrom('payouts')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('providerPayoutId', '=', state.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}
type Row = Awaited<ReturnType<typeof rowTx>>

/** Keeps a page of lines; one that is there stays as it is. */
const keepLines = (actor: SystemActor, payoutId: string, lines: readonly PayoutLine[]): Promise<void> =>
  withTenant(actor, async (db) => {
    if (lines.length === 0) return
    await db
      .insertInto('payoutLines')
      .values(
        lines.map(({ id, words, ...line }) => ({
          businessId: db.businessId,
          payoutId,
          lineId: id,
          words: words.slice(0, 300),
          ...line,
        })),
      )
      .onConflict((c) => c.doNothing())
      .execute()
  })

/** What the lines come to, added up once they are all there. */
const sumLines = async (db: TenantDb, payoutId: string) => {
  const { rows } = await sql<{ lineCount: number; linesCents: number; feeCents: number }>`
    select count(*)::int as line_count, coalesce(sum(amount_cents - fee_cents), 0)::float8 as lines_cents,
      coalesce(sum(fee_cents - case when kind = 'fee' then amount_cents else 0 end), 0)::float8 as fee_cents
    from payout_lines where business_id = ${db.businessId} and payout_id = ${payoutId}`.execute(db)
  return rows[0] ?? { lineCount: 0, linesCents: 0, feeCents: 0 }
}

/** What makes the fees of a payout one expense. */
export const feeKey = (payoutId: string): string => `payout:${payoutId}`

/** What the provider kept is an expense of its own: it lowers what reaches the bank, never what a customer has paid. */
const bookFeesTx = async (db: TenantDb, actor: SystemActor, { id, provider }: Row, feeCents: number, day: Day) => {
  if (feeCents <= 0) return
  await addExpenseTx(db, actor, {
    day,
    categoryId: await categoryOf(db, 'processing'),
    vendor: providerNamed(provider)?.label ?? 'Card provider',
    note: 'Kept of your card payments',
    totalCents: feeCents,
    taxCents: 0,
    method: 'payout',
    paidByUserId: null,
    reimbursedOn: null,
    parts: [],
    source: 'payout',
    sourceKey: feeKey(id),
  })
}

const tellOfFailure = (db: TenantDb, { id }: Row, { amountCents, failure }: Payout) =>
  notifyOffice(db, {
    type: 'invoice',
    title: `A payout of ${formatCents(amountCents)} did not reach your bank`,
    content: failedWords(amountCents, failure),
    path: linkTo.payout(id),
    dedupeKey: `payout-failed:${id}`,
  })

/** Books what was seen: forward only, each step once. @param allTold whether every line that there is was kept before */
const applyTx = async (db: TenantDb, actor: SystemActor, state: Payout, account: string, allTold: boolean) => {
  const row = await rowTx(db, state, account)
  const moves = movesOn(row.status, state.status)
  const tells = row.linesTold === 'coming' && (allTold || state.linesTold === 'never')
  const [status, linesTold] = [
    moves ? state.status : row.status,
    tells ? (allTold ? ('all' as const) : ('never' as const)) : row.linesTold,
  ]
  const today = await todayOf(db)
  const sums = tells ? await sumLines(db, row.id) : row
  const reached = status === 'paid' || status === 'failed'
  const arrived = reached && row.bookedOn === null
  const [wanted = today] = [state.arrivesOn, today].sort()
  if (linesTold === 'all' && reached && (arrived || tells))
    await bookFeesTx(db, actor, row, Number(sums.feeCents), row.madeOn)
  const isNews = moves || tells || state.arrivesOn !== row.arrivesOn || Number(row.amountCents) !== state.amountCents
  await db
    .updateTable('payouts')
    .set({
      status,
      linesTold,
      amountCents: state.amountCents,
      arrivesOn: state.arrivesOn,
      lineCount: sums.lineCount,
      linesCents: sums.linesCents,
      feeCents: sums.feeCents,
      ...(status === 'failed' && row.failure === null ? { failure: state.failure } : {}),
      ...(arrived ? { bookedOn: (await openDayTx(db, wanted)).day } : {}),
      ...(status === 'failed' && row.failedOn === null ? { failedOn: (await openDayTx(db, today)).day } : {}),
      updatedAt: clock.iso(),
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  if (moves && status === 'failed') await tellOfFailure(db, row, state)
  if (isNews) await publishChange(db, 'payments', [row.id])
}

/** All that the provider tells a payout is made of, page by page. @returns whether that is all of it */
const gatherLines = async (actor: SystemActor, payoutId: string, state: Payout, account: string): Promise<boolean> => {
  const provider = providerNamed(state.provider)
  if (!provider || state.linesTold !== 'all' || state.status === 'canceled') return false
  let after: string | null = null
  do {
    const page = await provider.listPayoutLines(state.id, account, after)
    await keepLines(actor, payoutId, page.lines)
    after = page.next
  } while (after)
  return true
}

/**
 * Brings the books in line with what the provider says of a payout now, as often as it likes and in any order: it goes forward only, a line is kept
 * once, its fees are one expense.
 */
export const syncPayout = async (payoutId: string, account: string): Promise<void> => {
  const state = await findPayout(payoutId, account)
  const found = await database()
    .selectFrom('paymentAccountLookups')
    .select('businessId')
    .where('accountId', '=', account)
    .executeTakeFirst()
  if (!state || !found) {
    log.warn({ payoutId, account }, 'a payout that nobody knows')
    return
  }
  const actor = systemActor(asBusinessId(found.businessId))
  const row = await withTenant(actor, (db) => rowTx(db, state, account))
  const allTold = row.linesTold === 'coming' && (await gatherLines(actor, row.id, state, account))
  await withTenant(actor, (db) => applyTx(db, actor, state, account, allTold))
}

/** A stored event about a payout: it names it, the provider is asked for its state. */
export const processPayoutEvent = async (event: StoredWebhook): Promise<void> => {
  const id = (event.payload as { data?: { object?: { id?: string } } }).data?.object?.id
  if (event.type.startsWith('payout.') && id && event.account) await syncPayout(id, event.account)
}

/** So far back payouts are asked for: a bank sends one back within days. */
const daysBack = 14

/** What no word came of: payouts of the last days, and those that should have arrived. */
export const lookAfterPayouts = async (actor: SystemActor): Promise<void> => {
  const accounts = await withTenant(actor, async (db) => ({
    rows: await db
      .selectFrom('paymentAccounts')
      .select(['accountId', 'provider'])
      .where('businessId', '=', db.businessId)
      .where('removedAt', 'is', null)
      .execute(),
    late: await db
      .selectFrom('payouts')
      .select(['providerPayoutId', 'accountId'])
      .where('businessId', '=', db.businessId)
      .where('status', '=', 'on_its_way')
      .where('arrivesOn', '<=', await todayOf(db))
      .limit(100)
      .execute(),
  }))
  const since = `${addDays(clock.iso().slice(0, 10), -daysBack)}T00:00:00.000Z`
  for (const { accountId, provider } of accounts.rows)
    for (const id of (await providerNamed(provider)?.listPayouts(accountId, since)) ?? [])
      await syncPayout(id, accountId)
  for (const { providerPayoutId, accountId } of accounts.late) await syncPayout(providerPayoutId, accountId)
}
