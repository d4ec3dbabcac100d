import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { globalTables as reasons } from '../../../scripts/structure/distribution.ts'
import { useDatabase } from '../../test/database.ts'
import { database, ownerPool } from './database.ts'

// The wall between businesses, read from the catalog of the migrated database: a new table is either behind it or on this list.

/** Tables without a tenant: they hold only the way to a business, or nothing of a business at all. */
const globalTables = Object.keys(reasons)

/** Keys of tenant tables that do not start with business_id: `npm run distribute` takes this one away, slugs holds it as well. */
const exceptions = ['businesses: unique (slug)']

type Table = { name: string; secured: boolean; forced: boolean; policies: number; tenant: boolean }
type Key = { table: string; kind: string; columns: string[]; target: string | null }

const tables = async (): Promise<Table[]> =>
  (
    await ownerPool().query<Table>(`
      select c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
        (select count(*)::int from pg_policy p where p.polrelid = c.oid
           and pg_get_expr(p.polqual, p.polrelid) = '(business_id = current_business_id())'
           and pg_get_expr(p.polwithcheck, p.polrelid) = '(business_id = current_business_id())') as policies,
        exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped) as tenant
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`)
  ).rows

const keys = async (): Promise<Key[]> =>
  (
    await ownerPool().query<Key>(`
      select t.relname as table, 'foreign' as kind, f.relname as target,
        array(select a.attname::text from unnest(k.conkey) with ordinality u(n, i) join pg_attribute a on a.attrelid = t.oid and a.attnum = u.n order by u.i) as columns
      from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace
      union all
      select t.relname, case when x.indisprimary then 'primary' when x.indisunique then 'unique' else 'index' end, null,
        array(select coalesce(a.attname::text, '(expression)') from unnest(x.indkey) with ordinality u(n, i)
          left join pg_attribute a on a.attrelid = t.oid and a.attnum = u.n and u.n > 0 order by u.i)
      from pg_index x join pg_class t on t.oid = x.indrelid where t.relnamespace = 'public'::regnamespace`)
  ).rows

describe('every table', () => {
  beforeAll(useDatabase)

  it('is behind the wall or on the list of global ones', async () => {
    const open = (await tables()).filter(({ name }) => !globalTables.includes(name))
    expect(open.filter((table) => !table.tenant).map(({ name }) => name)).toEqual([])
    expect(
      open.filter((table) => !table.secured || !table.forced || table.policies !== 1).map(({ name }) => name),
    ).toEqual([])
  })

  it('on the list exists', async () => {
    const names = (await tables()).map(({ name }) => name)
    expect(globalTables.filter((name) => !names.includes(name))).toEqual([])
  })

  it('of a tenant has keys that start with business_id', async () => {
    const tenants = (await tables()).filter(({ name }) => !globalTables.includes(name)).map(({ name }) => name)
    const wrong = (await keys())
      .filter(({ table, columns }) => tenants.includes(table) && columns[0] !== 'business_id')
      .map(({ table, kind, columns }) => `${table}: ${kind} (${columns.join(', ')})`)
      .filter((text) => !exceptions.includes(text))
    expect(wrong).toEqual([])
    const primary = new Set((await keys()).filter(({ kind }) => kind === 'primary').map(({ table }) => table))
    expect(tenants.filter((name) => !primary.has(name))).toEqual([])
  })

  it('that is global points to businesses at most', async () => {
    const pointing = (await keys()).filter(
      ({ table, kind, target }) => globalTables.includes(table) && kind === 'foreign' && target !== 'businesses',
    )
    expect(pointing).toEqual([])
  })

  it('belongs to the owner; swath_app owns nothing, is no superuser and does not bypass', async () => {
    const role = await ownerPool().query(
      "select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole from pg_roles where rolname = 'swath_app'",
    )
    // a Citus coordinator speaks to its workers as this role
    const isCitus = (await ownerPool().query("select 1 from pg_extension where extname = 'citus'")).rows.length > 0
    expect(role.rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: isCitus, rolcreaterole: false }])
    const owned = await ownerPool().query("select relname from pg_class where pg_get_userbyid(relowner) = 'swath_app'")
    expect(owned.rows).toEqual([])
  })

  it('of the task queue is closed to swath_app', async () => {
    await expect(sql`select 1 from graphile_worker._private_jobs`.execute(database())).rejects.toThrow(
      /permission denied/,
    )
  })
})
