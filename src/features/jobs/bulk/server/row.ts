import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { VisitChanges } from '../../../visits/server/commands.ts'
import { type LinePrice, nextStepAfter, type PriceStep, priceOn } from '../../prices/rules.ts'
import type { Recurrence } from '../../rules.ts'
import { lineColumns } from '../../schedule/server/queries.ts'
import type { JobStatus } from '../../states/rules.ts'
import type { Undated } from '../../undated/rules.ts'

/** What a change of many can write of a job and of its lines. */
export type JobFields = {
  status: JobStatus
  crewId: string | null
  endOn: Day | null
  pausedUntil: Day | null
  /** As JSON; left out of changes from before it was kept. */
  earlierTerms?: string
}
export type LineFields = {
  price: Required<LinePrice>
  recurrence: Recurrence | null
  /** Left out of changes from before it was kept. */
  budgetMinutes?: number
}

/** As it was kept; before a line could have several prices ahead nothing was said of them. */
export const keptFields = ({ price, ...rest }: LineFields): LineFields => ({
  price: { ...price, laterPrices: price.laterPrices ?? [] },
  ...rest,
})

/** One job as it stood before and after; `where` its schedule had come to is only put back, never compared. */
export type JobWas = {
  job: [JobFields, JobFields]
  horizon: { horizonOn: Day | null; nextOn: Day | null }
  lines: { id: string; fields: [LineFields, LineFields]; dueOn: Day | null }[]
  visits: VisitChanges
}

/** Jobs with their lines, held until the transaction ends. Archived ones are left out. */
export const takeJobsTx = async (db: TenantDb, ids: readonly string[], today: Day) => {
  const jobs = await db
    .selectFrom('jobs')
    .innerJoin('customers as c', (join) =>
      join.onRef('c.businessId', '=', 'jobs.businessId').onRef('c.id', '=', 'jobs.customerId'),
    )
    .select([
      'jobs.id',
      'jobs.number',
      'jobs.title',
      'jobs.version',
      'jobs.status',
      'jobs.billing',
      'jobs.crewId',
      'jobs.startOn',
      'jobs.endOn',
      'jobs.pausedUntil',
      'jobs.horizonOn',
      'jobs.nextOn',
      'jobs.earlierTerms',
      'c.name as customerName',
      sql<string>`(select p.street from properties p where p.business_id = jobs.business_id and p.id = jobs.property_id)`.as(
        'street',
      ),
    ])
    .where('jobs.businessId', '=', db.businessId)
    .where('jobs.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('jobs.archivedAt', 'is', null)
    .orderBy('jobs.id')
    .forUpdate('jobs')
    .execute()
  const lines = await db
    .selectFrom('jobLines')
    .select(lineColumns)
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const typed = lines.map(({ unitPriceCents, nextUnitPriceCents, nextPriceOn, laterPrices, ...line }) => {
    const price = {
      unitPriceCents,
      nextUnitPriceCents,
      nextPriceOn,
      laterPrices: laterPrices as unknown as PriceStep[],
    }
    return {
      ...line,
      price,
      unitPriceCents: priceOn(price, today),
      newPriceOn: nextStepAfter(price, today),
      recurrence: line.recurrence as Recurrence | null,
      undated: line.undated as Undated | null,
    }
  })
  return jobs.map((job) => ({ ...job, lines: typed.filter((line) => line.jobId === job.id) }))
}

export type TakenJob = Awaited<ReturnType<typeof takeJobsTx>>[number]

/** What a job costs on a day. */
export const pricedOn = <J extends TakenJob>(job: J, day: Day): J => ({
  ...job,
  lines: job.lines.map((line) => ({ ...line, unitPriceCents: priceOn(line.price, day) })),
})

export const jobFields = ({ status, crewId, endOn, pausedUntil, earlierTerms }: TakenJob): JobFields => ({
  status,
  crewId,
  endOn,
  pausedUntil,
  earlierTerms: JSON.stringify(earlierTerms),
})
export const lineFields = ({ price, recurrence, budgetMinutes }: TakenJob['lines'][number]): LineFields => ({
  price,
  recurrence,
  budgetMinutes,
})
