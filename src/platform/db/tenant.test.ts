import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../test/database.ts'
import { newId } from '../ids.ts'
import { database, ownerPool, poolStats } from './database.ts'
import { afterCommit, asBusinessId, inOneTransaction, withTenant } from './tenant.ts'

const makeBusiness = async () => {
  const businessId = asBusinessId(newId())
  await withTenant({ businessId }, (db) =>
    sql`insert into businesses (business_id, name, slug) values (${businessId}, 'Green Lawns', ${`b-${businessId}`})`.execute(
      db,
    ),
  )
  return businessId
}

const countBusinesses = sql<{ count: number }>`select count(*) from businesses`

describe('withTenant', () => {
  beforeAll(useDatabase)

  it('shows the rows of its own business and no other', async () => {
    const mine = await makeBusiness()
    const other = await makeBusiness()
    const seen = await withTenant({ businessId: mine }, (db) =>
      sql<{ businessId: string }>`select business_id from businesses`.execute(db),
    )
    expect(seen.rows.map((row) => row.businessId)).toEqual([mine])
    expect(seen.rows[0]?.businessId).not.toBe(other)
  })

  it('refuses to write for another business', async () => {
    const mine = await makeBusiness()
    const other = newId()
    const writing = withTenant({ businessId: mine }, (db) =>
      sql`insert into businesses (business_id, name, slug) values (${other}, 'Thief', ${`b-${other}`})`.execute(db),
    )
    await expect(writing).rejects.toThrow(/row-level security/)
  })

  it('sees nothing without a tenant, nor after the transaction', async () => {
    await makeBusiness()
    expect((await countBusinesses.execute(database())).rows[0]?.count).toBe(0)
  })

  it('the owner is behind the wall too', async () => {
    await makeBusiness()
    expect((await ownerPool().query('select count(*)::int as count from businesses')).rows[0].count).toBe(0)
  })

  it('works as swath_app, and reset role stays there', async () => {
    const asked = sql<{ name: string }>`select current_user as name`
    expect((await asked.execute(database())).rows[0]?.name).toBe('swath_app')
    await database()
      .connection()
      .execute(async (connection) => {
        await sql`reset role`.execute(connection)
        expect((await asked.execute(connection)).rows[0]?.name).toBe('swath_app')
      })
  })

  it('rolls back when the work throws, and leaves the error as it is', async () => {
    const businessId = asBusinessId(newId())
    const ran: string[] = []
    const failing = withTenant({ businessId }, async (db) => {
      await sql`insert into businesses (business_id, name, slug) values (${businessId}, 'Short', ${`b-${businessId}`})`.execute(
        db,
      )
      afterCommit(db, () => ran.push('never'))
      throw new RangeError('no')
    })
    await expect(failing).rejects.toThrow(RangeError)
    expect((await withTenant({ businessId }, (db) => countBusinesses.execute(db))).rows[0]?.count).toBe(0)
    expect(ran).toEqual([])
  })

  it('runs what waits for the commit afterwards, in order', async () => {
    const businessId = asBusinessId(newId())
    const ran: string[] = []
    await withTenant({ businessId }, async (db) => {
      afterCommit(db, () => ran.push('first'))
      afterCommit(db, () => ran.push('second'))
      ran.push('work')
    })
    expect(ran).toEqual(['work', 'first', 'second'])
  })

  it('joins the calls of one business to one transaction, whose follow-ups run once and after it', async () => {
    const businessId = asBusinessId(newId())
    const scope = { businessId }
    const ran: string[] = []
    const seen = await inOneTransaction(scope, async () => {
      await withTenant(scope, async (db) => {
        await sql`insert into businesses (business_id, name, slug) values (${businessId}, 'Joint', ${`b-${businessId}`})`.execute(
          db,
        )
        afterCommit(db, () => ran.push('after'))
      })
      ran.push('work')
      return withTenant(scope, (db) => countBusinesses.execute(db))
    })
    expect([seen.rows[0]?.count, ran]).toEqual([1, ['work', 'after']])
  })

  it('undoes all of a joint transaction, also when a refusal inside was caught', async () => {
    const businessId = asBusinessId(newId())
    const scope = { businessId }
    const insert = withTenant.bind(null, scope, (db) =>
      sql`insert into businesses (business_id, name, slug) values (${businessId}, 'Never', ${`b-${businessId}`})`.execute(
        db,
      ),
    )
    const refuse = () => withTenant(scope, () => Promise.reject(new RangeError('no')))
    await expect(inOneTransaction(scope, () => insert().then(refuse))).rejects.toThrow(RangeError)
    await expect(inOneTransaction(scope, () => insert().then(() => refuse().catch(() => null)))).rejects.toThrow(
      /caught/,
    )
    const left = await withTenant(scope, (db) => countBusinesses.execute(db))
    expect(left.rows[0]?.count).toBe(0)
  })

  it('turns a lock that takes too long into a sentence', async () => {
    const businessId = await makeBusiness()
    const waiting = withTenant({ businessId }, async (outer) => {
      await sql`update businesses set name = 'A' where business_id = ${businessId}`.execute(outer)
      await withTenant({ businessId }, async (db) => {
        await sql`set local lock_timeout = '50ms'`.execute(db)
        await sql`update businesses set name = 'B' where business_id = ${businessId}`.execute(db)
      })
    })
    await expect(waiting).rejects.toMatchObject({ name: 'AppError', code: 'unavailable' })
  })

  it('a connection that dies is one refusal, and the next call works', async () => {
    const businessId = await makeBusiness()
    const dying = withTenant({ businessId }, async (db) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      await ownerPool().query('select pg_terminate_backend($1::int)', [rows[0]?.pid])
      await countBusinesses.execute(db)
    })
    await expect(dying).rejects.toMatchObject({ code: 'unavailable' })
    expect((await withTenant({ businessId }, (db) => countBusinesses.execute(db))).rows[0]?.count).toBe(1)
    expect(poolStats().waiting).toBe(0)
  })

  it('unique violations stay themselves', async () => {
    const businessId = await makeBusiness()
    const twice = withTenant({ businessId }, (db) =>
      sql`insert into businesses (business_id, name, slug) values (${businessId}, 'Again', 'again-1')`.execute(db),
    )
    await expect(twice).rejects.toMatchObject({ code: '23505', message: expect.stringContaining('businesses_pkey') })
  })

  it.each(['', 'x', "'; drop table users; --", '018f0000-0000-7000-8000-00000000000'])('%j is no business', (text) => {
    expect(() => asBusinessId(text)).toThrow('Not the id of a business')
  })
})

describe('prepared statements', () => {
  beforeAll(useDatabase)

  it('are planned for their own values each time, never once for all businesses', async () => {
    const businessId = await makeBusiness()
    const plans = await withTenant({ businessId }, async (db) => {
      // by hand, because a process that knows many statements does not name another one
      await sql.raw('prepare for_any as select name from businesses where business_id = $1').execute(db)
      for (let i = 0; i < 12; i += 1) await sql.raw(`execute for_any('${businessId}')`).execute(db)
      const counted = await sql<{
        custom: number
        generic: number
      }>`select custom_plans as custom, generic_plans as generic from pg_prepared_statements where name = 'for_any'`.execute(
        db,
      )
      await sql.raw('deallocate for_any').execute(db)
      return counted
    })
    expect(plans.rows).toEqual([{ custom: 12, generic: 0 }])
  })

  it('always have values: what has none is planned once, and on a Citus that is for the business that came first', async () => {
    const businessId = await makeBusiness()
    const names = await withTenant({ businessId }, async (db) => {
      for (let i = 0; i < 6; i += 1) await sql`select name as without_values from businesses`.execute(db)
      return sql`select name from pg_prepared_statements where statement like '%without_values%'`.execute(db)
    })
    expect(names.rows).toEqual([])
  })
})

describe('values', () => {
  beforeAll(useDatabase)

  it('come out as numbers, days and ISO instants', async () => {
    const { rows } =
      await sql`select 9007199254740991::bigint as big, 12.50::numeric as numeric_value, '2026-03-08'::date as day,
      '2026-03-08 02:30:00.5-05'::timestamptz as instant, '2026-03-08 07:30:00.123456+00'::timestamptz as exact,
      array[1::bigint, 2] as bigs, array['2026-03-08'::date] as days, array['2026-03-08 07:30Z'::timestamptz] as instants,
      '{"some_key":{"inner_key":1}}'::jsonb as json_value, null::timestamptz as nothing`.execute(database())
    expect(rows[0]).toEqual({
      big: 9007199254740991,
      numericValue: 12.5,
      day: '2026-03-08',
      instant: '2026-03-08T07:30:00.500Z',
      exact: '2026-03-08T07:30:00.123456Z',
      bigs: [1, 2],
      days: ['2026-03-08'],
      instants: ['2026-03-08T07:30:00.000Z'],
      jsonValue: { some_key: { inner_key: 1 } },
      nothing: null,
    })
  })
})
