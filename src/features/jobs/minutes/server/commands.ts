import { type Actor, userIdOf } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import type { BulkEdit } from '../../bulk/contract.ts'
import { setMinutesTx } from '../../bulk/server/commands.ts'
import { getJobEdit } from '../../bulk/server/queries.ts'
import type { LearnedMinutes } from '../contract.ts'
import { differs } from '../rules.ts'
import { type Known, listKnown, listLearnedMinutes } from './queries.ts'

type Seen = Pick<Known, 'lineId' | 'budgetMinutes' | 'learnedMinutes'>

/** What was seen, as it is still. @throws AppError state_conflict when a job or its visits say something else by now */
const seenTx = async (db: TenantDb, items: readonly Seen[]): Promise<Known[]> => {
  const known = new Map(
    (
      await listKnown(
        db,
        await todayOf(db),
        items.map(({ lineId }) => lineId),
      )
    ).map((one) => [one.lineId, one]),
  )
  return [...new Map(items.map((item) => [item.lineId, item])).values()].map((item) => {
    const now = known.get(item.lineId)
    const same =
      now !== undefined &&
      now.budgetMinutes === item.budgetMinutes &&
      now.learnedMinutes === item.learnedMinutes &&
      differs(now.budgetMinutes, now.learnedMinutes)
    if (!same)
      throw conflict(
        'Some of these lawns were changed or worked since you looked. Nothing was changed: look at the list again.',
      )
    return now
  })
}

/** Plans these lawns with what their visits take, from now on: one change of many jobs. Finished visits keep what they were planned with. */
export const acceptMinutes = (
  actor: Actor,
  items: readonly Seen[],
): Promise<{ edit: BulkEdit; list: LearnedMinutes }> =>
  withTenant(actor, async (db) => {
    const found = await seenTx(db, items)
    const minutes: Record<string, Record<string, number>> = {}
    for (const { jobId, lineId, learnedMinutes } of found)
      minutes[jobId] = { ...minutes[jobId], [lineId]: learnedMinutes }
    const id = await setMinutesTx(db, actor, minutes)
    return { edit: await getJobEdit(db, actor, id), list: await listLearnedMinutes(db) }
  })

/** Leaves these lawns as they are planned. */
export const dismissMinutes = (actor: Actor, items: readonly Seen[]): Promise<LearnedMinutes> =>
  withTenant(actor, async (db) => {
    const found = await seenTx(db, items)
    const by = { dismissedBy: userIdOf(actor), dismissedAt: clock.iso() }
    await db
      .insertInto('minutesDismissals')
      .values(
        found.map(({ lineId, learnedMinutes, budgetMinutes }) => ({
          businessId: db.businessId,
          jobLineId: lineId,
          learnedMinutes,
          budgetMinutes,
          ...by,
        })),
      )
      .onConflict((line) =>
        line.columns(['businessId', 'jobLineId']).doUpdateSet((eb) => ({
          learnedMinutes: eb.ref('excluded.learnedMinutes'),
          budgetMinutes: eb.ref('excluded.budgetMinutes'),
          ...by,
        })),
      )
      .execute()
    await noteTx(db, actor, 'minutes.dismiss', found)
    return listLearnedMinutes(db)
  })

/** Proposes what was dismissed again. */
export const restoreMinutes = (actor: Actor, lineIds: readonly string[]): Promise<LearnedMinutes> =>
  withTenant(actor, async (db) => {
    const known = await db
      .selectFrom('jobLines')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', 'in', [...lineIds])
      .execute()
    if (known.length < new Set(lineIds).size) throw notFound('job')
    const gone = await db
      .deleteFrom('minutesDismissals')
      .where('businessId', '=', db.businessId)
      .where('jobLineId', 'in', [...lineIds])
      .returning('jobLineId as lineId')
      .execute()
    await noteTx(db, actor, 'minutes.restore', gone)
    return listLearnedMinutes(db)
  })

const noteTx = async (
  db: TenantDb,
  actor: Actor,
  what: string,
  lines: readonly { lineId: string }[],
): Promise<void> => {
  const [first] = lines
  if (!first) return
  await audit(db, actor, what, { type: 'job_line', id: first.lineId }, { after: { lines: lines.length } })
  await publishChange(db, 'jobs', [])
}
