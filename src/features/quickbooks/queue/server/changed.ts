import { sql } from 'kysely'
import { centsOf, type Remote } from '../../../../platform/books/client.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { formatCents } from '../../../../shared/money.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { listIn } from '../../../invoices/words/rules.ts'
import type { Connection } from '../../connect/server/queries.ts'
import { changedThere, goneThere, type Problem } from '../../rules.ts'
import { findMoves, movedRow, paymentsOf } from './moved.ts'
import type { Link } from './rows.ts'

type Told = {
  problem: Problem
  message: string
  detail: { seen?: { syncToken: string; totalCents: number } | undefined; move?: object | undefined }
}

/** What is to do here with a payment that was deleted there: of several invoices it is several payments here, and each is taken back by itself. */
const takeBackWords = async (db: TenantDb, connection: Connection, link: Link): Promise<string> => {
  const ids = await paymentsOf(db, connection, link)
  const { rows } = await sql<{ cents: number; number: number | null }>`
    select p.amount_cents as cents, (select min(i.number) from payment_allocations a
      join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
      where a.business_id = p.business_id and a.payment_id = p.id) as number
    from payments p where p.business_id = ${db.businessId} and p.id = any(${ids}::uuid[]) and p.status <> 'reversed' order by 2 nulls last`.execute(
    db,
  )
  if (rows.length < 2) return 'If the money never came, take it back in Swath too.'
  const parts = rows.map(
    ({ cents, number }) => `${formatCents(Number(cents))}${number === null ? '' : ` on ${invoiceName(number)}`}`,
  )
  return `In Swath it is ${rows.length} payments: ${listIn('en', parts)}. If the money never came, take each of them back in Swath too.`
}

/** Why a row needs somebody whose record was deleted there (`remote` null) or has another amount there than the one that is known of it. */
export const changedRow = async (
  db: TenantDb,
  connection: Connection,
  link: Link,
  remote: Remote | null,
): Promise<Told> => {
  const was = formatCents(link.totalCents ?? 0)
  if (remote === null)
    return link.fromBooks
      ? {
          // never sent again: it was theirs
          problem: 'changed_there' as const,
          message: `This payment of ${was} was deleted in QuickBooks, where it was made. ${await takeBackWords(db, connection, link)}`,
          detail: {},
        }
      : { problem: 'gone' as const, message: goneThere.message, detail: {} }
  const cents = centsOf(remote.TotalAmt)
  return {
    problem: 'changed_there' as const,
    message: link.fromBooks
      ? `It was ${was} when it came from QuickBooks and is ${formatCents(cents)} there now. Correct it in Swath too.`
      : changedThere(cents, link.totalCents ?? 0),
    detail: { seen: { syncToken: remote.SyncToken ?? link.syncToken, totalCents: cents } },
  }
}

/** The same of a payment of ours that lies on other invoices there; null for one that lies where it does here. */
export const movedOf = async (
  db: TenantDb,
  connection: Connection,
  link: Link,
  remote: Remote,
): Promise<Told | null> => {
  if (link.kind !== 'payment') return null
  const [move] = await findMoves(db, connection, [{ paymentIds: await paymentsOf(db, connection, link), remote }])
  return move ? movedRow(link, move, remote) : null
}
