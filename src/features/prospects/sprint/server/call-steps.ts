import { clock } from '../../../../platform/clock.ts'
import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import { type SprintStep, sprintEnd } from '../rules.ts'

/** Ticks steps of a Sprint that are not ticked yet; the first time stays. */
export const tickSteps = async (
  db: ProspectsDb,
  sprintId: string,
  steps: readonly SprintStep[],
  by: 'event' | 'owner',
): Promise<void> => {
  const now = clock.iso()
  for (const step of steps)
    await db
      .insertInto('sprintSteps')
      .values({ sprintId, step, doneAt: now, doneBy: by })
      .onConflict((c) => c.columns(['sprintId', 'step']).doNothing())
      .execute()
}

/** Takes a tick back. */
export const untickStep = async (db: ProspectsDb, sprintId: string, step: SprintStep): Promise<void> => {
  await db.deleteFrom('sprintSteps').where('sprintId', '=', sprintId).where('step', '=', step).execute()
}

/** A call of the Setup Sprint was booked, moved, canceled or marked: call 1 sets the 14 days, a call that took place ticks its step. */
export const moveSprintCall = async (
  db: ProspectsDb,
  call: { leadId: string; kind: string; status: string; startsAt: string },
): Promise<void> => {
  if (call.kind !== 'sprint_1' && call.kind !== 'sprint_2') return
  const sprint = await db
    .selectFrom('sprints')
    .select(['id', 'status'])
    .where('leadId', '=', call.leadId)
    .forUpdate()
    .executeTakeFirst()
  if (!sprint || !['admitted', 'running'].includes(sprint.status)) return
  const { timeZone } = await db.selectFrom('settings').select('timeZone').executeTakeFirstOrThrow()
  const stands = call.status === 'booked' || call.status === 'held'
  if (call.kind === 'sprint_1')
    await db
      .updateTable('sprints')
      .set({
        startedAt: stands ? call.startsAt : null,
        endsAt: stands ? sprintEnd(call.startsAt, timeZone) : null,
        updatedAt: clock.iso(),
      })
      .where('id', '=', sprint.id)
      .execute()
  const step = call.kind === 'sprint_1' ? 'call_1' : 'call_2'
  if (call.status === 'held') await tickSteps(db, sprint.id, [step], 'owner')
  else await untickStep(db, sprint.id, step)
}
