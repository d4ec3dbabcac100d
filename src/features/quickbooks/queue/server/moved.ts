import { sql } from 'kysely'
import { centsOf, type Remote } from '../../../../platform/books/client.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { formatCents } from '../../../../shared/money.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import type { Connection } from '../../connect/server/queries.ts'
import { putsOfAll } from './facts.ts'
import { type Link, linksThere } from './rows.ts'

// On which invoices a payment lies there, and on which here: of the same amount it may still pay something else.

/** Cents by invoice. */
type Lies = ReadonlyMap<string, number>

/** What a payment of the books pays, as its lines say. */
export type PaidThere = {
  /** Of our invoices, by their id here; no more than came in money. */
  on: Map<string, number>
  /** Of our tips and of what stands against closed months, by the id of their movement here. */
  movements: Map<string, number>
  /** Of invoices that Swath does not know. */
  elsewhereCents: number
  /** What a credit memo of theirs paid of it: no money. */
  creditCents: number
  moneyCents: number
}

const idsOf = (remote: Remote): string[] =>
  (remote.Line ?? []).flatMap(({ LinkedTxn }) =>
    (LinkedTxn ?? []).flatMap(({ TxnId, TxnType }) => (TxnType === 'Invoice' ? [TxnId] : [])),
  )

const read = (remote: Remote, links: ReadonlyMap<string, Link>): PaidThere => {
  const [on, movements] = [new Map<string, number>(), new Map<string, number>()]
  let elsewhereCents = 0
  for (const line of remote.Line ?? [])
    for (const { TxnId, TxnType } of line.LinkedTxn ?? []) {
      if (TxnType !== 'Invoice') continue
      const link = links.get(TxnId)
      const cents = centsOf(line.Amount)
      if (!link) elsewhereCents += cents
      else {
        const side = link.kind === 'invoice' ? on : movements
        side.set(link.localId, (side.get(link.localId) ?? 0) + cents)
      }
    }
  const moneyCents = centsOf(remote.TotalAmt)
  const all = [...on.values(), ...movements.values()].reduce((sum, cents) => sum + cents, elsewhereCents)
  // A credit memo that paid a part is a line of its own: what came in money is the payment's amount and no more.
  const creditCents = Math.max(0, all - moneyCents)
  let byCredit = creditCents
  for (const [invoiceId, cents] of [...on].reverse()) {
    const less = Math.min(byCredit, cents)
    byCredit -= less
    if (cents > less) on.set(invoiceId, cents - less)
    else on.delete(invoiceId)
  }
  return { on, movements, elsewhereCents, creditCents, moneyCents }
}

/** What some payments of the books pay, in their order. */
export const readPaid = async (
  db: TenantDb,
  connection: Connection,
  remotes: readonly Remote[],
): Promise<PaidThere[]> => {
  const links = await linksThere(db, connection, 'Invoice', [...new Set(remotes.flatMap(idsOf))])
  return remotes.map((remote) => read(remote, links))
}

/** A payment that pays other invoices there than here. */
export type Move = {
  paymentIds: readonly string[]
  /** Where it lies there, of our invoices. Null where a part is on what Swath does not know: that cannot be followed here. */
  wanted: Record<string, number> | null
  oursWords: string
  theirsWords: string
}

const isSame = (a: Lies, b: Lies): boolean => a.size === b.size && [...a].every(([id, cents]) => b.get(id) === cents)

const wordsOf = (lies: Lies, totalCents: number, numbers: ReadonlyMap<string, number>, elsewhereCents = 0): string => {
  const parts = [...lies].map(([id, cents]) => [invoiceName(numbers.get(id) ?? 0), cents] as const)
  const all = elsewhereCents > 0 ? [...parts, ['an invoice that Swath does not know', elsewhereCents] as const] : parts
  if (all.length === 0) return 'no invoice'
  return all.map(([name, cents]) => (cents === totalCents ? name : `${name} (${formatCents(cents)})`)).join(' and ')
}

/**
 * Which of some payments lie on other invoices there than here, in their order; null for one that lies where it does here.
 * @param pairs the payments of ours that one there is, with it as it stands there
 */
export const findMoves = async (
  db: TenantDb,
  connection: Connection,
  pairs: readonly { paymentIds: readonly string[]; remote: Remote }[],
): Promise<(Move | null)[]> => {
  const there = await readPaid(
    db,
    connection,
    pairs.map(({ remote }) => remote),
  )
  const puts = await putsOfAll(
    db,
    pairs.flatMap(({ paymentIds }) => [...paymentIds]),
    connection.startOn ?? '',
  )
  const here = pairs.map(({ paymentIds }) => {
    const lies = new Map<string, number>()
    for (const { invoiceId, amountCents } of paymentIds.flatMap((id) => puts.get(id) ?? []))
      lies.set(invoiceId, (lies.get(invoiceId) ?? 0) + amountCents)
    return lies
  })
  const ids = [...new Set([...here, ...there.map(({ on }) => on)].flatMap((lies) => [...lies.keys()]))]
  const { rows } = await sql<{ id: string; number: number }>`select id, number from invoices
    where business_id = ${db.businessId} and id = any(${ids}::uuid[])`.execute(db)
  const numbers = new Map(rows.map(({ id, number }) => [id, number]))
  return pairs.map(({ paymentIds }, at) => {
    const [ours = new Map(), theirs] = [here[at], there[at]]
    if (!theirs || isSame(ours, theirs.on)) return null
    return {
      paymentIds,
      wanted: theirs.elsewhereCents > 0 ? null : Object.fromEntries(theirs.on),
      oursWords: wordsOf(ours, theirs.moneyCents, numbers),
      theirsWords: wordsOf(theirs.on, theirs.moneyCents, numbers, theirs.elsewhereCents),
    }
  })
}

/** The payments of ours that one of the books is: of several invoices at once it came in parts. */
export const paymentsOf = async (
  db: TenantDb,
  connection: Connection,
  link: Pick<Link, 'fromBooks' | 'remoteId' | 'localId'>,
): Promise<string[]> =>
  link.fromBooks
    ? (
        await sql<{ id: string }>`select id from payments where business_id = ${db.businessId}
          and books_payment_id = ${`qbo:${connection.realmId}:${link.remoteId}`} order by id`.execute(db)
      ).rows.map(({ id }) => id)
    : [link.localId]

/** Why a row of a moved payment needs somebody, with what is known of it there. */
export const movedRow = (link: Pick<Link, 'fromBooks' | 'syncToken'>, move: Move, remote: Remote) => ({
  problem:
    move.wanted === null
      ? ('changed_there' as const)
      : link.fromBooks
        ? ('moved_theirs' as const)
        : ('moved_there' as const),
  message: `Somebody put it on ${move.theirsWords} in QuickBooks; in Swath it lies on ${move.oursWords}. Nothing was changed here.`,
  detail: {
    seen: { syncToken: remote.SyncToken ?? link.syncToken, totalCents: centsOf(remote.TotalAmt) },
    ...(move.wanted ? { move: { paymentIds: move.paymentIds, wanted: move.wanted } } : {}),
  },
})
