import type { Actor, Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { refuse } from '../../../../shared/can.ts'
import { addDays } from '../../../../shared/dates.ts'
import { assertCrewTx } from '../../../employees/server/queries.ts'
import type { ChangePreview, JobChange, JobRecord } from '../../contract.ts'
import { checkDays, checkFar, writeLinesTx } from '../../lines/server/commands.ts'
import { materializeVisitsTx } from '../../schedule/server/commands.ts'
import { getCalendar, lockScheduledJobsTx } from '../../schedule/server/queries.ts'
import { resyncVisitsTx } from '../../schedule/server/resync.ts'
import { getJob } from '../../server/queries.ts'
import { lockJob } from '../../server/row.ts'
import { jobRefusals } from '../../states/rules.ts'
import { keepTermsTx } from '../../terms/server/commands.ts'
import { changeOneVisitTx } from './one-visit.ts'

const nothing: ChangePreview = { created: 0, changed: 0, moved: 0, removed: 0, kept: [], told: [] }

/** Changes a job in the caller's transaction and says what became of its visits. */
export const changeJobTx = async (db: TenantDb, who: Who, id: string, change: JobChange): Promise<ChangePreview> => {
  const job = await lockJob(db, id)
  requireVersion(job, change.version, 'this job')
  const { today } = await getCalendar(db)
  const touchesVisits =
    change.lines !== undefined ||
    change.crewId !== undefined ||
    change.endOn !== undefined ||
    change.billing !== undefined
  if (touchesVisits) refuse(jobRefusals.reschedule(job), { status: job.status })
  const one = change.scope === 'this'
  const endOn = change.endOn === undefined ? job.endOn : change.endOn
  const span = { startOn: job.startOn, endOn }
  checkDays(span, [], { today })
  checkFar(change.fromOn, today, 'fromOn')
  if (change.crewId !== undefined) await assertCrewTx(db, change.crewId)
  const fromOn = change.scope === 'this_and_following' && change.fromOn && change.fromOn > today ? change.fromOn : today
  // What comes before the change is made by the old rules first, at the old price.
  if (touchesVisits && !one && fromOn > today && job.status === 'active')
    await materializeVisitsTx(db, [id], { untilDay: addDays(fromOn, -1) })
  const [before] = touchesVisits && !one ? await lockScheduledJobsTx(db, [id]) : []
  if (change.lines && !one)
    await writeLinesTx(db, who, { id, propertyId: job.propertyId, ...span }, change.lines, { today, fromOn })
  await db
    .updateTable('jobs')
    .set({
      title: change.title ?? job.title,
      instructions: change.instructions ?? job.instructions,
      poNumber: change.poNumber ?? job.poNumber,
      keepDay: change.keepDay ?? job.keepDay,
      billing: change.billing ?? job.billing,
      crewId: one || change.crewId === undefined ? job.crewId : change.crewId,
      endOn,
      version: job.version + 1,
      updatedAt: clock.iso(),
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  if (before) await keepTermsTx(db, before, fromOn, today)
  const result = !touchesVisits
    ? nothing
    : one
      ? await changeOneVisitTx(db, who, job, change)
      : await resyncVisitsTx(db, who, [id], {
          fromOn,
          past: change.scope === 'all_open' ? 'reprice' : 'keep',
          includeMoved: change.includeMoved,
          setCrew: change.crewId !== undefined,
        })
  await audit(
    db,
    who,
    'job.update',
    { type: 'job', id },
    {
      before: { title: job.title, crewId: job.crewId, endOn: job.endOn },
      after: { ...change, visits: { created: result.created, changed: result.changed, removed: result.removed } },
    },
  )
  await publishChange(db, 'jobs', [id])
  return result
}

/** Changes a job; open visits within the scope follow, finished ones never do. */
export const changeJob = (who: Actor, id: string, change: JobChange): Promise<JobRecord> =>
  withTenant(who, async (db) => {
    await changeJobTx(db, who, id, change)
    return getJob(db, who, id)
  })

class OnlyLooking extends Error {
  readonly result: ChangePreview
  constructor(result: ChangePreview) {
    super('rolled back')
    this.result = result
  }
}

/** What a change would do: it is done and rolled back, so the answer cannot differ from the deed. */
export const previewJobChange = async (who: Actor, id: string, change: JobChange): Promise<ChangePreview> => {
  try {
    return await withTenant(who, async (db) => {
      throw new OnlyLooking(await changeJobTx(db, who, id, change))
    })
  } catch (error) {
    if (error instanceof OnlyLooking) return error.result
    throw error
  }
}
