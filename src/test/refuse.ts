import { sql } from 'kysely'
import { ownerPool } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { runTasks } from './api.ts'
import type { TestBusiness } from './factories.ts'

/** From now on the database refuses new rows of a table that fit, as a fault of ours would. @param fits SQL over `new` @returns mends it, also twice */
export const refuseRows = async (table: string, fits: string): Promise<() => Promise<void>> => {
  const name = `refuse_${newId().replaceAll('-', '')}`
  await ownerPool().query(`
    create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'broken on purpose'; end $$;
    create trigger ${name} before insert on ${table} for each row when (${fits}) execute function ${name}()`)
  return async () => {
    await ownerPool().query(`drop function if exists ${name}() cascade`)
  }
}

/** Tasks that wait for their next try have it now. @param key the beginning of their keys */
export const tryAgain = async (key: string): Promise<void> => {
  await ownerPool().query(
    'update graphile_worker._private_jobs set run_at = now() where starts_with(key, $1) and attempts < max_attempts',
    [key],
  )
  await runTasks()
}

/** Writes the newest row of a table of a business once more with some columns changed, as a second writer would: what stands in the way is seen. */
export const copyRow = (
  own: TestBusiness,
  table: string,
  change: Record<string, string | number | null> = {},
): Promise<void> =>
  own.db(async (db) => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(db)
    const columns = sql.join(rows.map(({ name }) => sql.ref(name)))
    await sql`insert into ${sql.table(table)} (${columns})
      select ${columns} from (
        select (jsonb_populate_record(t, ${JSON.stringify(change)}::jsonb)).* from ${sql.table(table)} t
        where business_id = ${own.id} order by t.ctid desc limit 1) copy`.execute(db)
  })
