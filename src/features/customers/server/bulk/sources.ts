import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** Where customers came from, said of many at once. */

/** What customers had (`source`), and what was written over it (`set`). */
export type SourcesWere = { source: string; set: string; ids: string[] }[]

const write = async (
  db: TenantDb,
  ids: readonly string[],
  source: string,
  only: string | null = null,
): Promise<{ id: string; was: string }[]> =>
  (
    await sql<{ id: string; was: string }>`
      update customers c set source = ${source}, version = c.version + 1, updated_at = ${clock.iso()}
      from customers old where c.business_id = ${db.businessId} and old.business_id = c.business_id and old.id = c.id
        and c.id = any(${[...ids]}::uuid[]) and c.source <> ${source}
        and (${only}::text is null or c.source = ${only})
      returning c.id, old.source as was`.execute(db)
  ).rows

/** Sets it of those who are chosen; who has it already is left as is. Returns whom it was done to, by what they had. */
export const setSourcesTx = async (
  db: TenantDb,
  ids: readonly string[],
  source: string,
  only: string | null = null,
): Promise<SourcesWere> =>
  [...Map.groupBy(await write(db, ids, source, only), ({ was }) => was)].map(([was, list]) => ({
    source: was,
    set: source,
    ids: list.map(({ id }) => id),
  }))

/** Gives each what they had, of those who are chosen; who was given another source since keeps that. */
export const setSourcesBackTx = async (
  db: TenantDb,
  chosen: readonly string[],
  were: SourcesWere,
): Promise<SourcesWere> => {
  const mine = new Set(chosen)
  const back: SourcesWere = []
  for (const { source, set, ids } of were)
    back.push(
      ...(await setSourcesTx(
        db,
        ids.filter((id) => mine.has(id)),
        source,
        set,
      )),
    )
  return back
}
