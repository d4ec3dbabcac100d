import { cursorAfter, readCursor } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { daysOfMonth } from '../../../invoices/closing/rules.ts'
import { findConnection } from '../../connect/server/queries.ts'
import type { SumRecord } from '../../contract.ts'
import { type BooksKind, kindLabels } from '../../rules.ts'
import { aboutOf, hrefOf } from '../../server/queries.ts'
import { listOurs, type Ours } from './ours.ts'

type Asked = { month: string; kind: BooksKind; cursor?: string | undefined; limit: number }

/** Money that a bank took or gave back carries only the receipt that it is about. */
const wordsOf = ({ kind, label, isWhole, isTip, type }: Ours): string => {
  if (isWhole || isTip) return label
  if (kind === 'movement')
    return `${type === 'Payment' ? 'Given back by the bank' : 'Taken back by the bank'}, ${label}`
  return kind === 'expense' ? label : `${kindLabels[kind]} ${label}`
}

const placeOf = ({ day, id }: Ours): string => `${day} ${id}`

/**
 * What a sum of a month is made of, the newest first: the same records that the check adds up, as they stand now. The ledger has more,
 * because what was taken back stands in it twice and in the books not at all.
 */
export const listRecords = async (
  db: TenantDb,
  { month, kind, cursor, limit }: Asked,
): Promise<{ items: SumRecord[]; nextCursor: string | null; count: number; totalCents: number }> => {
  const before = cursor ? readCursor(cursor, [{ type: 'day' }, { type: 'text' }]).join(' ') : null
  const connection = await findConnection(db)
  if (!connection?.startOn) return { items: [], nextCursor: null, count: 0, totalCents: 0 }
  const { from, to } = daysOfMonth(month)
  const all = (await listOurs(db, connection, from, to))
    .filter((one) => one.kind === kind)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
  const rest = before === null ? all : all.filter((one) => placeOf(one) < before)
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  const items: SumRecord[] = []
  for (const one of shown)
    items.push({
      id: one.id,
      label: wordsOf(one),
      about: await aboutOf(db, kind, one.id),
      day: one.day,
      cents: one.cents,
      href: await hrefOf(db, kind, one.id),
    })
  return {
    items,
    nextCursor: last && rest.length > limit ? cursorAfter([last.day, last.id]) : null,
    count: all.length,
    totalCents: all.reduce((sum, { cents }) => sum + cents, 0),
  }
}
