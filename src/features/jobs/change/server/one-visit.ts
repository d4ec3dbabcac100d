import { isDeepStrictEqual } from 'node:util'
import type { Who } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { refuse } from '../../../../shared/can.ts'
import type { Day } from '../../../../shared/dates.ts'
import { invalid, notFound } from '../../../../shared/errors.ts'
import { lineCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { changeVisitTx, refuseDayTx, type VisitLine } from '../../../visits/server/commands.ts'
import type { ChangePreview, JobChange, LineDraft } from '../../contract.ts'
import { linesBefore, lockPlace, priceLines } from '../../lines/server/commands.ts'
import { priceOn } from '../../prices/rules.ts'
import { listVisitLines } from '../../schedule/server/queries.ts'

/** A change of a job that is meant for one visit: its services, prices, minutes and crew. The job and its other visits stay. */

const lockOne = async (db: TenantDb, jobId: string, visitId: string | undefined) => {
  if (visitId === undefined) throw invalid([{ path: 'visitId', message: 'Say which visit.' }])
  const visit = await db
    .selectFrom('visits')
    .select(['id', 'status', 'day', 'crewId', 'invoiceId', 'publishedDay'])
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
      message:
        'A single visit has no schedule and no billing of its own. Move it to another day, or change the ones that follow.',
    },
  ])

/**
 * What the drafts make of a visit's lines. The form shows the job as it will be once all changes of it hold, the visit may be of a day before
 * that or have work of its own: what is left as the form showed it, the visit keeps as it has it.
 */
const linesOfVisit = async (
  db: TenantDb,
  who: Who,
  job: { id: string; propertyId: string },
  onVisit: readonly VisitLine[],
  drafts: readonly LineDraft[],
  on: Day | null,
) => {
  const today = await todayOf(db)
  const day = on ?? today
  const shown = await linesBefore(db, job.id, today)
  for (const [index, draft] of drafts.entries()) {
    const old = draft.id === undefined ? undefined : shown.get(draft.id)
    const same = (part: 'recurrence' | 'onceOn' | 'undated') => !old || isDeepStrictEqual(draft[part], old[part])
    if (!(same('recurrence') && same('onceOn') && same('undated'))) throw notOne(`lines.${index}.recurrence`)
  }
  const before = new Map(shown)
  const meant = drafts.flatMap((draft) => {
    if (draft.id === undefined) return [draft]
    const [old, has] = [shown.get(draft.id), onVisit.find((line) => line.jobLineId === draft.id)]
    // A line that the job has and this visit has not is no part of it.
    if (old && !has) return []
    if (!old || !has) return [draft]
    before.set(draft.id, { ...old, ...has, quantity: Number(has.quantity) })
    if (draft.serviceId !== old.serviceId) return [draft]
    const left = <K extends 'unitPriceCents' | 'budgetMinutes'>(part: K) =>
      draft[part] === old[part] ? undefined : draft[part]
    return [
      {
        ...draft,
        serviceId: has.serviceId,
        description: draft.description === old.description ? has.description : draft.description,
        quantity: draft.quantity === Number(old.quantity) ? Number(has.quantity) : draft.quantity,
        // Left out, they are those of the visit's line.
        unitPriceCents: left('unitPriceCents'),
        budgetMinutes: left('budgetMinutes'),
      },
    ]
  })
  // What the form did not show, nobody took away.
  const stays = onVisit.filter(({ jobLineId }) => jobLineId === null || !shown.has(jobLineId))
  if (meant.length + stays.length === 0)
    throw invalid([{ path: 'lines', message: 'Nothing would be left to do. Cancel the visit instead.' }])
  const priced = await priceLines(db, who, await lockPlace(db, job.propertyId), meant, before)
  return [
    ...priced.map(({ id, serviceId, description, quantity, budgetMinutes, ...line }) => ({
      ...{ serviceId, description, quantity, budgetMinutes },
      unitPriceCents: priceOn(line, day),
      jobLineId: id ?? null,
    })),
    ...stays,
  ]
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
  const onVisit = (await listVisitLines(db, [visit.id])).get(visit.id) ?? []
  const lines = change.lines ? await linesOfVisit(db, who, job, onVisit, change.lines, visit.day) : null
  const crewId = change.crewId === undefined ? visit.crewId : change.crewId
  const askDay = async () => {
    if (visit.day !== null) await refuseDayTx(db, visit.day, crewId, { from: visit.day, visitId: visit.id })
  }
  if (crewId !== visit.crewId) await askDay()
  const before = onVisit.map((line) => line.serviceId)
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
  // Asked again of the visit as it is now: what is new on it may need a license that what it did before does not.
  if (lines?.some((line) => !before.includes(line.serviceId))) await askDay()
  return { created: 0, changed: 1, moved: 0, removed: 0, kept: [], told: [] }
}
