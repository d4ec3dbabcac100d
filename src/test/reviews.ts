import { sql } from 'kysely'
import { askForReviews } from '../features/reviews/asking/server/commands.ts'
import { reviewSettingsApi } from '../features/reviews/contract.ts'
import { systemActor } from '../platform/actor.ts'
import { setClock } from '../platform/clock.ts'
import type { TenantDb } from '../platform/db/tenant.ts'
import { stranger } from './api.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { aVisit } from './field.ts'

/** A Friday noon. */
export const noon = Date.parse('2026-06-12T16:00:00Z')
export const at = (ms: number): void => setClock(() => new Date(ms))
export const hours = (n: number): number => n * 3_600_000
export const phoneOf = (n: number): string => `+1912555${String(1000 + n)}`

export const send = (path: string, fields: Record<string, string>) =>
  stranger.raw({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
export const look = async (path: string) => stranger.raw({ method: 'GET', url: path })

/** Until another transaction waits for this one. */
export const somebodyWaits = async (db: TenantDb): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{ waits: boolean }>`select exists (
      select 1 from pg_locks l where not l.granted and pg_backend_pid() = any(pg_blocking_pids(l.pid))) as waits`.execute(
      db,
    )
    if (rows[0]?.waits) return
  }
}

/** What is done around asking in a business. */
export const reviewing = (of: () => TestBusiness) => {
  const settle = async (change: object) => {
    const { version } = await of().api.ok(reviewSettingsApi.get, {})
    return of().api.ok(reviewSettingsApi.save, { body: { version, ...change } })
  }
  /** A visit that was done so many hours before noon, of a customer with an e-mail. */
  const done = async (hoursAgo: number, customer: object = {}) => {
    const made = await aVisit(of(), { customer: 'Rosa Marsh', day: '2026-06-12', status: 'completed' })
    await of().db(async (db) => {
      await db
        .updateTable('visits')
        .set({ finishedAt: new Date(noon - hours(hoursAgo)).toISOString() })
        .where('businessId', '=', of().id)
        .where('id', '=', made.visitId)
        .execute()
      await db
        .updateTable('customers')
        .set({ email: `rosa-${made.customerId.slice(-6)}@test.swath.test`, ...customer })
        .where('businessId', '=', of().id)
        .where('id', '=', made.customerId)
        .execute()
    })
    return made
  }
  const ask = () => askForReviews(systemActor(of().id))
  const sent = async () =>
    (
      await of().db((db) =>
        db
          .selectFrom('messages')
          .select(['channel', 'address', 'subject', 'bodyText', 'status', 'customerId'])
          .where('businessId', '=', of().id)
          .where('entityType', '=', 'review_ask')
          .orderBy('id')
          .execute(),
      )
    ).map((row) => ({ ...row, path: /\/review\/[\w-]{43}/.exec(row.bodyText)?.[0] ?? '' }))

  /** Somebody who was asked; the path of their page. */
  const asked = async (customer: object = {}) => {
    const made = await done(30, customer)
    await ask()
    const path = (await sent()).find(({ customerId }) => customerId === made.customerId)?.path ?? ''
    return { ...made, path }
  }
  return { settle, done, ask, sent, asked }
}

/** A business that asks for reviews since ten days, at noon, and its address in public. */
export const aReviewingBusiness = async (): Promise<{ business: TestBusiness; slug: string }> => {
  at(noon)
  const business = await aBusiness({ name: 'Marsh Side Lawns' })
  const { slug } = await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ publicPage: true })
      .where('businessId', '=', business.id)
      .returning('slug')
      .executeTakeFirstOrThrow(),
  )
  await reviewing(() => business).settle({ enabled: true })
  // switched on ten days ago
  await business.db((db) =>
    db
      .updateTable('reviewSettings')
      .set({ enabledAt: new Date(noon - hours(240)).toISOString() })
      .where('businessId', '=', business.id)
      .execute(),
  )
  return { business, slug }
}
