import pg from 'pg'
import { superuserUrl } from './cluster.ts'
import { useDatabase } from './database.ts'
import type { TestBusiness } from './factories.ts'

export type Rewind = {
  /** The rows of the business are again as they were at the beginning. */
  back: () => Promise<void>
  end: () => Promise<void>
}

/**
 * Keeps the rows of a business in these tables, so that what comes next can be played again from the same beginning. Other tables stay as
 * they are: `rowSums` says whether one was forgotten. Background work that was asked for since is forgotten.
 */
export const rewindOf = async (own: TestBusiness, tables: readonly string[]): Promise<Rewind> => {
  const client = new pg.Client({ connectionString: superuserUrl((await useDatabase()).url) })
  await client.connect()
  const steps: string[] = []
  for (const table of tables) {
    // what a column computes is not written
    const { rows } = await client.query<{ names: string }>(
      `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    await client.query(`create temp table kept_${table} as select * from ${table} where business_id = '${own.id}'`)
    const names = rows[0]?.names ?? ''
    steps.push(
      `delete from ${table} where business_id = '${own.id}'`,
      `insert into ${table} (${names}) overriding system value select ${names} from kept_${table}`,
    )
  }
  const { rows } = await client.query<{ last: string }>(
    'select coalesce(max(id), 0) as last from graphile_worker._private_jobs',
  )
  steps.push(`delete from graphile_worker._private_jobs where id > ${rows[0]?.last}`)
  return {
    // as one transaction; triggers and foreign keys have judged these rows when they were written first
    back: async () => {
      await client.query(['begin', 'set local session_replication_role = replica', ...steps, 'commit'].join(';'))
    },
    end: () => client.end(),
  }
}
