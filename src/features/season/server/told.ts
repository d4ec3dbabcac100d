import type { TenantDb } from '../../../platform/db/tenant.ts'
import { stopMessagesTx } from '../../messages/server/commands.ts'
import type { AcceptanceRow, StoredLetter } from './run-rows.ts'

/** Which letters of a step are on their way, and how those that must not leave any more are kept here. */

export const entityOf = (id: string) => ({ type: 'season_acceptance', id })

/** A letter with what became of its messages: one that was suppressed or failed told nobody. */
export type Told = StoredLetter & { customerId: string | null; way: 'waiting' | 'left' | null; at: string | null }

const leftStates: ReadonlySet<string> = new Set(['sending', 'sent', 'delivered', 'unknown'])
const waitingStates: ReadonlySet<string> = new Set(['pending', 'held'])

/** Every letter of a step. A letter that reached one of several people left. */
export const listTold = async (db: TenantDb, row: Pick<AcceptanceRow, 'id' | 'letters'>): Promise<Told[]> => {
  if (row.letters.length === 0) return []
  const messages = await db
    .selectFrom('messages')
    .select(['dedupeKey', 'status', 'customerId', 'createdAt'])
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', 'season_acceptance')
    .where('entityId', '=', row.id)
    .where('direction', '=', 'outbound')
    .execute()
  return row.letters.map((letter) => {
    const own = messages.filter(({ dedupeKey }) => dedupeKey === letter.key || dedupeKey?.startsWith(`${letter.key}:`))
    const way = own.some((one) => leftStates.has(one.status))
      ? 'left'
      : own.some((one) => waitingStates.has(one.status))
        ? 'waiting'
        : null
    return { ...letter, way, customerId: own[0]?.customerId ?? null, at: own[0]?.createdAt ?? null }
  })
}

/**
 * Keeps here what has not left yet and tells of one of these jobs; letters to others go on.
 * @returns the customers to whom such a letter left already
 */
export const recallTx = async (
  db: TenantDb,
  row: Pick<AcceptanceRow, 'id' | 'letters'>,
  { jobIds, kinds, reason }: { jobIds: ReadonlySet<string>; kinds: readonly StoredLetter['kind'][]; reason: string },
): Promise<ReadonlySet<string>> => {
  const tells = (one: StoredLetter) => kinds.includes(one.kind) && one.jobIds.some((id) => jobIds.has(id))
  const waiting = (await listTold(db, row)).filter((one) => tells(one) && one.way === 'waiting')
  for (const customerId of new Set(waiting.flatMap((one) => one.customerId ?? [])))
    await stopMessagesTx(db, { ...entityOf(row.id), customerId }, reason)
  // What began to leave while this waited for its lock was told.
  const left = (await listTold(db, row)).filter((one) => tells(one) && one.way === 'left')
  return new Set(left.flatMap((one) => one.customerId ?? []))
}
