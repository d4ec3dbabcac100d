import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { PriceStep } from '../../prices/rules.ts'
import { lockScheduledJobsTx, type ScheduledJob } from '../../schedule/server/queries.ts'
import { type EarlierTerms, type TermLine, type Terms, termsAfter } from '../rules.ts'

/** What holds of a job until a day that is still to come. */

const termsOf = (job: Terms<Omit<ScheduledJob['lines'][number], 'dueOn'>>): Terms => ({
  crewId: job.crewId,
  billing: job.billing,
  lines: job.lines.map(
    ({
      id,
      serviceId,
      description,
      quantity,
      budgetMinutes,
      recurrence,
      onceOn,
      undated,
      position,
      ...price
    }): TermLine => ({
      ...{ id, serviceId, description, quantity, budgetMinutes, recurrence, onceOn, undated, position },
      unitPriceCents: price.unitPriceCents,
      nextUnitPriceCents: price.nextUnitPriceCents ?? null,
      nextPriceOn: price.nextPriceOn ?? null,
      laterPrices: price.laterPrices ?? [],
    }),
  ),
})

export const setEarlierTermsTx = async (
  db: TenantDb,
  jobId: string,
  earlier: readonly EarlierTerms[],
): Promise<void> => {
  await db
    .updateTable('jobs')
    .set({ earlierTerms: JSON.stringify(earlier) })
    .where('businessId', '=', db.businessId)
    .where('id', '=', jobId)
    .execute()
}

/**
 * Notes what holds until the day from which a change of a job counts, once the change is written.
 * @param before the job as it was, with what was ahead of it
 */
export const keepTermsTx = async (db: TenantDb, before: ScheduledJob, fromOn: Day, today: Day): Promise<void> => {
  if (fromOn <= today && before.earlier.length === 0) return
  const [after] = await lockScheduledJobsTx(db, [before.id])
  if (!after) return
  const earlier = before.earlier.map(({ until, ...terms }) => ({ until, ...termsOf(terms) }))
  await setEarlierTermsTx(db, before.id, termsAfter(earlier, termsOf(before), termsOf(after), fromOn, today))
}

/** No work of terms that hold for now is planned for a crew any more. */
export const freeTermsOfCrewTx = async (db: TenantDb, crewId: string): Promise<void> => {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'earlierTerms'])
    .where('businessId', '=', db.businessId)
    .where('earlierTerms', '@>', JSON.stringify([{ crewId }]))
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, earlierTerms } of jobs)
    await setEarlierTermsTx(
      db,
      id,
      (earlierTerms as unknown as EarlierTerms[]).map((terms) =>
        terms.crewId === crewId ? { ...terms, crewId: null } : terms,
      ),
    )
}

const pricesOf = (db: TenantDb, ids: readonly string[]) =>
  db
    .selectFrom('jobLines')
    .select(['id', 'serviceId', 'unitPriceCents', 'nextUnitPriceCents', 'nextPriceOn', 'laterPrices'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()

/** Prices lines of jobs, and with them what holds of these jobs until a day at the same price. The jobs have to be locked. */
export const repricingTermsTx = async <T>(
  db: TenantDb,
  jobIds: readonly string[],
  price: () => Promise<T>,
): Promise<T> => {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'earlierTerms'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', sql<string>`any(${[...jobIds]}::uuid[])`)
    .where(sql<boolean>`earlier_terms <> '[]'`)
    .execute()
  const held = jobs.map((job) => ({ id: job.id, earlier: job.earlierTerms as unknown as EarlierTerms[] }))
  const ids = held.flatMap(({ earlier }) => earlier.flatMap(({ lines }) => lines.map((line) => line.id)))
  const before = await pricesOf(db, ids)
  const result = await price()
  const after = await pricesOf(db, ids)
  for (const { id, earlier } of held)
    await setEarlierTermsTx(
      db,
      id,
      earlier.map((terms) => ({
        ...terms,
        lines: terms.lines.map((line) => {
          const [was, is] = [before, after].map((list) => list.find((one) => one.id === line.id))
          const together =
            was?.serviceId === line.serviceId &&
            was.unitPriceCents === line.unitPriceCents &&
            was.nextUnitPriceCents === line.nextUnitPriceCents &&
            was.nextPriceOn === line.nextPriceOn &&
            isDeepStrictEqual(was.laterPrices, line.laterPrices ?? [])
          return together && is ? { ...line, ...is, laterPrices: is.laterPrices as unknown as PriceStep[] } : line
        }),
      })),
    )
  return result
}
