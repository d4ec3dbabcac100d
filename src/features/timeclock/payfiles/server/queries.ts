import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { listWeekPays, namesAndNumbers, type WeekPay } from '../../payroll/server/queries.ts'
import type { PayFile, payfilesApi } from '../contract.ts'
import { type FileWeek, notesOf } from '../rules.ts'

type Period = { from: Day; to: Day }

const fileRowsOf = (db: TenantDb) =>
  db
    .selectFrom('payrollFiles as f')
    .leftJoin('users as u', (j) => j.onRef('u.businessId', '=', 'f.businessId').onRef('u.id', '=', 'f.madeBy'))
    .where('f.businessId', '=', db.businessId)
    .select([
      'f.id',
      'f.fromDay',
      'f.toDay',
      'f.preset',
      'f.name',
      'f.people',
      'f.grossCents',
      'f.mileageCents',
      'f.madeAt',
      'u.name as madeBy',
      'f.withdrawnAt',
    ])

type FileRow = Awaited<ReturnType<ReturnType<typeof fileRowsOf>['executeTakeFirstOrThrow']>>
const toFile = ({ fromDay, toDay, madeBy, ...row }: FileRow): PayFile => ({
  ...row,
  from: fromDay,
  to: toDay,
  madeBy: madeBy ?? 'Swath',
})

/** @throws AppError not_found */
export const getPayFile = async (db: TenantDb, id: string): Promise<PayFile> => {
  const row = await fileRowsOf(db).where('f.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('payroll file')
  return toFile(row)
}

/** What was written then. @throws AppError not_found */
export const readPayFile = async (db: TenantDb, id: string): Promise<{ name: string; mime: string; text: string }> => {
  const row = await db
    .selectFrom('payrollFiles')
    .select(['name', 'content'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('payroll file')
  return { name: row.name, mime: 'text/csv', text: row.content }
}

const writtenWeeks = (db: TenantDb, { from, to }: Period) =>
  db
    .selectFrom('payrollFileWeeks')
    .select(['userId', 'week', 'grossCents', 'mileageCents'])
    .where('businessId', '=', db.businessId)
    .where('week', '>=', from)
    .where('week', '<=', to)
    .execute()

const keyOf = ({ userId, week }: { userId: string; week: Day }): string => `${userId} ${week}`
const paidOf = ({ grossCents, mileageCents }: { grossCents: number; mileageCents: number }): number =>
  grossCents + mileageCents

/** Weeks that are in no file yet, as a file takes them, by person; and those that are in one with another pay. */
export const planFile = async (db: TenantDb, actor: Actor, period: Period) => {
  const { weeks } = await listWeekPays(db, actor, period)
  const written = await writtenWeeks(db, period)
  const isWritten = new Set(written.map(keyOf))
  const now = new Map(weeks.map((one) => [keyOf(one), one]))
  const people = await namesAndNumbers(db, [...new Set([...weeks, ...written].map(({ userId }) => userId))])
  const free = Map.groupBy(
    weeks.filter((one) => !isWritten.has(keyOf(one))),
    ({ userId }) => userId,
  )
  const pays = people.flatMap(({ id }): WeekPay[] => free.get(id) ?? [])
  const known = new Map(people.map((one) => [one.id, one]))
  return {
    pays,
    weeks: pays.map(({ userId, week, lawns, tenthMiles, items }): FileWeek => {
      const { name = '', number = null, language = 'en' } = known.get(userId) ?? {}
      return { userId, name, language, number: number ?? '', week, lawns, tenthMiles, items }
    }),
    changed: written.flatMap((one) => {
      const pay = now.get(keyOf(one))
      if (pay && paidOf(pay) === paidOf(one)) return []
      const { userId, week } = one
      const name = known.get(userId)?.name ?? ''
      return [{ userId, name, week, writtenCents: paidOf(one), nowCents: pay ? paidOf(pay) : null }]
    }),
  }
}

/** Files of a period and what the next one would hold. */
export const listPayFiles = async (
  db: TenantDb,
  actor: Actor,
  { preset, from, to }: z.output<typeof payfilesApi.list.query>,
) => {
  const { pays, weeks, changed } = await planFile(db, actor, { from, to })
  const rows = await fileRowsOf(db)
    .where('f.toDay', '>=', from)
    .where('f.toDay', '<', addDays(to, 42))
    .where('f.fromDay', '<=', to)
    .orderBy('f.madeAt', 'desc')
    .orderBy('f.id', 'desc')
    .limit(50)
    .execute()
  return {
    next: {
      userIds: [...new Set(pays.map(({ userId }) => userId))],
      grossCents: pays.reduce((sum, one) => sum + one.grossCents, 0),
      mileageCents: pays.reduce((sum, one) => sum + one.mileageCents, 0),
      notes: notesOf(preset, weeks),
    },
    changed,
    files: rows.map(toFile),
  }
}
