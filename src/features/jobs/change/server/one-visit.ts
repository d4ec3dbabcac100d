import { isDeepStrictEqual } from 'node:util'
import type { Who } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { refuse } from '../../../../shared/can.ts'
import type { Day } from '../../../../shared/dates.ts'
import { invalid, notFound } from '../../../../shared/errors.ts'
import { lineCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { changeVisitTx } from '../../../visits/server/commands.ts'
import type { ChangePreview, JobChange, LineDraft } from '../../contract.ts'
import { linesBefore, lockPlace, priceLines } from '../../lines/server/commands.ts'

/** A change of a job that is meant for one visit: its services, prices, minutes and crew. The job and its other visits stay. */

const lockOne = async (db: TenantDb, jobId: string, visitId: string | undefined) => {
  if (visitId === undefined) throw invalid([{ path: 'visitId', message: 'Say which visit.' }])
  const visit = await db
    .selectFrom('visits')
    .select(['id', 'status', 'day', 'occurrenceOn', 'crewId', 'invoiceId', 'publishedDay'])
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where('id', '=', visitId)
    .forUpdate()
    .executeTakeFirst()
  if (!visit) throw notFound('visit')
  refuse(
    visit.status !== 'scheduled' && visit.status !== 'unscheduled'
      ? 'Somebody works on this visit, or it is over. Nothing was changed.'
      : visit.invoiceId !== null
        ? 'This visit is on an invoice. Nothing was changed.'
        : null,
  )
  return visit
}

const notOne = (path: string) =>
  invalid([
    {
      path,
      message: 'A single visit has no schedule of its own. Move it to another day, or change the ones that follow.',
    },
  ])

/** What the drafts leave of a visit's lines and add to them. */
const linesOfVisit = async (
  db: TenantDb,
  who: Who,
  job: { id: string; propertyId: string },
  visit: { id: string; day: Day | null; occurrenceOn: Day },
  drafts: readonly LineDraft[],
) => {
  const now = await linesBefore(db, job.id, await todayOf(db))
  const before = await linesBefore(db, job.id, visit.day ?? visit.occurrenceOn)
  for (const [index, draft] of drafts.entries()) {
    const old = draft.id === undefined ? undefined : before.get(draft.id)
    const same = (part: 'recurrence' | 'onceOn' | 'undated') => !old || isDeepStrictEqual(draft[part], old[part])
    if (!(same('recurrence') && same('onceOn') && same('undated'))) throw notOne(`lines.${index}.recurrence`)
  }
  const on = await db
    .selectFrom('visitLines')
    .select('jobLineId')
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visit.id)
    .execute()
  const meant = drafts.filter(({ id }) => id === undefined || on.some((line) => line.jobLineId === id))
  if (meant.length === 0)
    throw invalid([{ path: 'lines', message: 'Nothing would be left to do. Cancel the visit instead.' }])
  const priced = await priceLines(
    db,
    who,
    await lockPlace(db, job.propertyId),
    // A price that was left as the form showed it is the one of the visit's day.
    meant.map(({ unitPriceCents, ...draft }) =>
      unitPriceCents === undefined || (draft.id && now.get(draft.id)?.unitPriceCents === unitPriceCents)
        ? draft
        : { ...draft, unitPriceCents },
    ),
    before,
  )
  return priced.map(({ id, recurrence: _rule, onceOn: _day, undated: _undated, ...line }) => ({
    ...line,
    jobLineId: id ?? null,
  }))
}

/** @throws AppError validation_failed for what only a schedule has, state_conflict for a visit that is under way, over or invoiced */
export const changeOneVisitTx = async (
  db: TenantDb,
  who: Who,
  job: { id: string; propertyId: string },
  change: JobChange,
): Promise<ChangePreview> => {
  if (change.endOn !== undefined) throw notOne('endOn')
  if (change.billing !== undefined) throw notOne('billing')
  const visit = await lockOne(db, job.id, change.visitId)
  const lines = change.lines ? await linesOfVisit(db, who, job, visit, change.lines) : null
  const crewId = change.crewId === undefined ? visit.crewId : change.crewId
  await changeVisitTx(db, visit.id, {
    crewId,
    ...(lines
      ? {
          lines,
          priceCents: lines.reduce((sum, line) => sum + lineCents(line.quantity, line.unitPriceCents), 0),
          budgetMinutes: lines.reduce((sum, line) => sum + line.budgetMinutes, 0),
        }
      : {}),
  })
  return { created: 0, changed: 1, moved: 0, removed: 0, kept: [], told: [] }
}
