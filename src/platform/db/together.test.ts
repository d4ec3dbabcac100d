import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { useDatabase } from '../../test/database.ts'
import { newId } from '../ids.ts'
import { transactionWith } from './database.ts'
import { asBusinessId, withTenant } from './tenant.ts'

beforeAll(useDatabase)
afterEach(() => vi.restoreAllMocks())

const scope = { businessId: asBusinessId(newId()) }
const number = (n: number) => sql<{ n: number }>`select ${n}::int as n`

/** What went to the socket and what had been answered, in the order in which it happened. */
const watch = (): string[] => {
  const seen: string[] = []
  const { query, sync } = pg.Connection.prototype
  vi.spyOn(pg.Connection.prototype, 'query').mockImplementation(function (this: pg.Connection, text: string) {
    seen.push(text.replace(/;.*/, ''))
    query.call(this, text)
  })
  vi.spyOn(pg.Connection.prototype, 'sync').mockImplementation(function (this: pg.Connection) {
    seen.push('query')
    sync.call(this)
  })
  return seen
}

it('what is asked together leaves together, and behind `begin` without waiting for it', async () => {
  const seen = watch()
  const answers = await withTenant(scope, (db) =>
    Promise.all(
      [1, 2, 3].map(async (n) => {
        const answer = await number(n).execute(db)
        seen.push(`answer ${n}`)
        return answer
      }),
    ),
  )
  expect(answers.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3])
  expect(seen).toEqual(['begin', 'query', 'query', 'query', 'answer 1', 'answer 2', 'answer 3', 'commit'])
})

it('a refusal among them undoes all, and the connection is good for the next', async () => {
  const slug = `b-${scope.businessId}`
  const work = withTenant(scope, async (db) => {
    await sql`insert into businesses (business_id, name, slug) values (${scope.businessId}, 'Green Lawns', ${slug})`.execute(
      db,
    )
    return Promise.all([number(1).execute(db), sql`select 1 / 0`.execute(db), number(3).execute(db)])
  })
  await expect(work).rejects.toThrow(/division by zero/)
  const kept = await withTenant(scope, (db) => sql`select 1 from businesses`.execute(db))
  expect(kept.rows).toEqual([])
  const after = await Promise.all(Array.from({ length: 20 }, () => withTenant(scope, (db) => number(4).execute(db))))
  expect(after.every(({ rows }) => rows[0]?.n === 4)).toBe(true)
})

it('where the transaction could not begin, what was asked in it is not believed', async () => {
  const work = transactionWith('set local no such thing', 'read write', (db) => number(1).execute(db))
  await expect(work).rejects.toThrow(/syntax error/)
  expect((await withTenant(scope, (db) => number(5).execute(db))).rows[0]?.n).toBe(5)
})

it('once its transaction is over, nothing can be asked of it', async () => {
  const kept = await withTenant(scope, async (db) => ({ db }))
  await expect(number(1).execute(kept.db)).rejects.toThrow(/Transaction is already committed/i)
})
