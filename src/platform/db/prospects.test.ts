import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../test/database.ts'
import { aBusiness } from '../../test/factories.ts'
import { database, ownerPool, prospectsDatabase } from './database.ts'
import { withProspects } from './prospects.ts'
import { withTenant } from './tenant.ts'

// The wall between the product owner's funnel and the businesses, read from the catalog and tried from both sides.

const privileges = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']

const open = async (role: string, schemas: string[]): Promise<string[]> =>
  (
    await ownerPool().query<{ name: string }>(
      `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = any($2) and c.relkind in ('r', 'p', 'v', 'm', 'S')
         and exists (select 1 from unnest($3::text[]) as p where c.relkind <> 'S' and has_table_privilege($1, c.oid, p)) order by 1`,
      [role, schemas, privileges],
    )
  ).rows.map(({ name }) => name)

describe('the funnel', () => {
  beforeAll(useDatabase)

  it('is closed to the role of the businesses, schema and every table', async () => {
    expect(await open('swath_app', ['prospects'])).toEqual([])
    const { rows } = await ownerPool().query("select has_schema_privilege('swath_app', 'prospects', 'usage') as may")
    expect(rows).toEqual([{ may: false }])
    const business = await aBusiness()
    await expect(business.db((db) => sql`select 1 from prospects.leads`.execute(db))).rejects.toThrow(
      /permission denied/,
    )
    await expect(sql`select 1 from prospects.leads`.execute(database())).rejects.toThrow(/permission denied/)
  })

  it('can read and write nothing of the businesses, the global tables included', async () => {
    expect(await open('swath_prospects', ['public', 'graphile_worker'])).toEqual([])
    for (const table of ['customers', 'businesses', 'account_emails', 'rate_limits'])
      await expect(withProspects((db) => sql.raw(`select 1 from public.${table}`).execute(db))).rejects.toThrow(
        /permission denied/,
      )
  })

  it('opens all its own tables, and only adds to what is proof', async () => {
    const { rows } = await ownerPool().query<{ name: string; may: string[] }>(
      `select c.relname as name, array(select p from unnest($1::text[]) as p where has_table_privilege('swath_prospects', c.oid, p)) as may
       from pg_class c where c.relnamespace = 'prospects'::regnamespace and c.relkind = 'r' order by 1`,
      [privileges.slice(0, 4)],
    )
    const proof = ['audit_log', 'consent_events', 'lead_notes']
    for (const { name, may } of rows)
      expect(may, name).toEqual(proof.includes(name) ? ['select', 'insert'] : privileges.slice(0, 4))
    expect(rows.length).toBeGreaterThan(10)
  })

  it('has a role that owns nothing, cannot sign in and is nobody special', async () => {
    const role = await ownerPool().query(
      "select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole from pg_roles where rolname = 'swath_prospects'",
    )
    expect(role.rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false }])
    expect((await sql<{ me: string }>`select current_user as me`.execute(prospectsDatabase())).rows[0]?.me).toBe(
      'swath_prospects',
    )
    const owned = await ownerPool().query(
      "select relname from pg_class where pg_get_userbyid(relowner) = 'swath_prospects'",
    )
    expect(owned.rows).toEqual([])
  })

  it('asks for its own tasks only, and a business never for those', async () => {
    const ask = (name: string) =>
      withProspects((db) => sql`select tasks.enqueue_prospect(${name}, '{}'::jsonb, null, now(), 1)`.execute(db))
    await expect(ask('events.deliver')).rejects.toThrow(/only tasks of the funnel/)
    await expect(
      withProspects((db) => sql`select tasks.enqueue('system.tidy', '{}'::jsonb, null, now(), 1, null)`.execute(db)),
    ).rejects.toThrow(/permission denied/)
    const business = await aBusiness()
    await expect(
      withTenant({ businessId: business.id }, (db) =>
        sql`select tasks.enqueue_prospect('prospects.send', '{}'::jsonb, null, now(), 1)`.execute(db),
      ),
    ).rejects.toThrow(/permission denied/)
  })

  it('undoes everything when the work fails', async () => {
    const before = await withProspects((db) => db.selectFrom('settings').selectAll().executeTakeFirstOrThrow())
    await expect(
      withProspects(async (db) => {
        await db.updateTable('settings').set({ postalAddress: 'nowhere' }).execute()
        throw new Error('stop')
      }),
    ).rejects.toThrow('stop')
    expect(await withProspects((db) => db.selectFrom('settings').selectAll().executeTakeFirstOrThrow())).toEqual(before)
  })
})
