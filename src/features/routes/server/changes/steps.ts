import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { type PlanRow, skipVisitTx, unskipVisitTx } from '../../../visits/server/commands.ts'
import { rainUndoRefusal, undoUntil } from '../../rain/rules.ts'
import { assertOpen, entity, lockDays } from '../day/day-guards.ts'
import { type OffReason, ordersOf } from '../day/planning-context.ts'
import { readPlanningContext, readPlanningContexts } from '../day/read-day.ts'
import { restoreRows, savePlan } from '../plan/save-plan.ts'
import { type RainMove, recallRain, tellOfRain } from '../rain/notices.ts'

/** Changes of plans, one after another: undone and made again, exactly, on all the days that each touched. */

export type ChangeKind = 'optimize' | 'move' | 'pin' | 'rain' | 'crew_out' | 'crew_back' | 'saved'

/** What a change did beside the places of visits. */
export type Effects = {
  /** Crews that are off since it. */
  off?: { crewId: string; day: Day; reason: OffReason }[]
  /** Crews that work again since it. */
  back?: { crewId: string; day: Day; reason: OffReason }[]
  skipped?: string[]
  /** Rain: the customers hear of it. */
  told?: boolean
}

export type Change = {
  kind: ChangeKind
  label: string
  days: readonly Day[]
  before: readonly PlanRow[]
  after: readonly PlanRow[]
  effects?: Effects
}

/** Keeps a change for Undo; `day` is where it was made, `id` what Undo names it by. */
export const recordChange = async (
  db: TenantDb,
  actor: Actor,
  day: Day,
  change: Change,
  id: string = newId(),
): Promise<void> => {
  await db
    .insertInto('routeChanges')
    .values({
      businessId: db.businessId,
      id,
      day,
      days: [...new Set([day, ...change.days])].sort(),
      kind: change.kind,
      label: change.label,
      before: JSON.stringify(change.before),
      after: JSON.stringify(change.after),
      effects: JSON.stringify(change.effects ?? {}),
      createdBy: actor.userId,
      createdAt: clock.iso(),
    })
    .execute()
  if (change.effects?.told) await tellOfRain(db, actor, { changeId: id, round: id, moves: movesIn(change) })
}

/** What customers hear of a change: visits that go to another day, have none any more, or are skipped. */
export const movesIn = ({ before, after, effects }: Pick<Change, 'before' | 'after' | 'effects'>): RainMove[] => [
  ...before.flatMap((from): RainMove[] => {
    const to = after.find((row) => row.id === from.id)
    if (!to || from.day === null || (to.day === from.day && to.crewId !== null)) return []
    return [{ visitId: from.id, from: from.day, to: to.crewId === null ? null : to.day, skipped: false }]
  }),
  ...(effects?.skipped ?? []).flatMap((visitId): RainMove[] => {
    const day = effects?.off?.[0]?.day
    return day ? [{ visitId, from: day, to: null, skipped: true }] : []
  }),
]

type Step = { id: string; label: string; at: string; days: Day[]; until: string | null }

const stepColumns = sql`id, kind, label, created_at as "createdAt", undone_at as "undoneAt",
  array(select distinct d::text from unnest(array_append(days, day)) as d order by 1) as days`
type StepRow = { id: string; kind: ChangeKind; label: string; createdAt: string; undoneAt: string | null; days: Day[] }

const asStep = (row: StepRow | undefined): Step | null =>
  row
    ? {
        id: row.id,
        label: row.label,
        at: row.undoneAt ?? row.createdAt,
        days: row.days,
        until: row.kind === 'rain' && row.undoneAt === null ? undoUntil(row.createdAt) : null,
      }
    : null

/** The change that Undo would undo, and the one that Redo would make again: undone last, and nothing new on its days since. */
export const lastSteps = async (db: TenantDb, day: Day): Promise<{ undo: Step | null; redo: Step | null }> => {
  const undo = await sql<StepRow>`
    select ${stepColumns} from route_changes
    where business_id = ${db.businessId} and (day = ${day} or ${day} = any(days)) and undone_at is null and kind <> 'undo'
    order by created_at desc, id desc limit 1`.execute(db)
  const redo = await sql<StepRow>`
    select ${stepColumns} from route_changes c
    where c.business_id = ${db.businessId} and (c.day = ${day} or ${day} = any(c.days)) and c.undone_at is not null and c.kind <> 'undo'
      and not exists (select 1 from route_changes n where n.business_id = c.business_id and n.created_at > c.undone_at
        and array_append(n.days, n.day) && array_append(c.days, c.day))
    order by c.undone_at desc, c.created_at, c.id limit 1`.execute(db)
  return { undo: asStep(undo.rows[0]), redo: asStep(redo.rows[0]) }
}

type Direction = 'undo' | 'redo'
export type Stepped = { label: string; kept: number; recalled: number; told: string[] }

const stepped = (direction: Direction) =>
  conflict(
    direction === 'undo'
      ? 'This was just undone: everything is back where it was, and nothing else was changed.'
      : 'This was just made again; nothing else was changed.',
  )

/** Why a change that was named is not the next step of its day. */
const otherStep = async (db: TenantDb, changeId: string, direction: Direction) => {
  const known = await db
    .selectFrom('routeChanges')
    .select('undoneAt')
    .where('businessId', '=', db.businessId)
    .where('id', '=', changeId)
    .executeTakeFirst()
  if (!known) return notFound('change')
  return (known.undoneAt === null) === (direction === 'redo')
    ? stepped(direction)
    : conflict('Somebody changed this day after that. Undo the newer change first.')
}

/**
 * Takes the last change of a day back, or makes it again, exactly; but visits that have begun or were changed elsewhere since stay.
 * @throws AppError conflict when there is none, or one of its days has a newer change
 */
export const stepTx = async (
  db: TenantDb,
  actor: Actor,
  day: Day,
  changeId: string | undefined,
  direction: Direction,
): Promise<Stepped> => {
  const context = await readPlanningContext(db, day)
  assertOpen(day, context.data.today)
  const step = (await lastSteps(db, day))[direction]
  if (changeId && changeId !== step?.id) throw await otherStep(db, changeId, direction)
  if (!step) throw conflict(`There is nothing left to ${direction} on this day.`)
  await lockDays(db, await readPlanningContexts(db, step.days))
  const change = await db
    .selectFrom('routeChanges')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', step.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if ((change.undoneAt === null) !== (direction === 'undo')) throw stepped(direction)
  for (const other of step.days) {
    const theirs = (await lastSteps(db, other))[direction]
    if (theirs?.id !== step.id)
      throw conflict(
        `“${step.label}” is on several days, and ${formatDay(other)} was changed after it. ${direction === 'undo' ? 'Undo the newer change there first.' : 'It cannot be made again.'}`,
      )
  }
  const [from, to] = direction === 'undo' ? [change.after, change.before] : [change.before, change.after]
  const effects = change.effects as Effects
  const rain = change.kind === 'rain'
  if (rain && direction === 'undo') await refuseLateRain(db, change.createdAt, change.after as PlanRow[])
  if (direction === 'undo') await undoEffects(db, actor, effects)
  const { kept, days } = await restoreRows(db, to as PlanRow[], from as PlanRow[])
  if (direction === 'redo') await doEffects(db, actor, effects)
  await db
    .updateTable('routeChanges')
    .set({ undoneAt: direction === 'undo' ? clock.iso() : null })
    .where('businessId', '=', db.businessId)
    .where('id', '=', step.id)
    .execute()
  const touched = new Set([...(from as PlanRow[]), ...(to as PlanRow[])].flatMap((row) => row.crewId ?? []))
  for (const each of new Set([...step.days, ...days].filter((d) => d >= context.data.today))) {
    const now = await readPlanningContext(db, each)
    // Who is on a crew may be others than when its stops had these times.
    await savePlan(db, now, ordersOf(now), kept === 0 ? { retimes: touched } : {})
  }
  const { recalled, told } =
    rain && direction === 'undo'
      ? await recallRain(db, step.id, movesIn({ before: to as PlanRow[], after: from as PlanRow[], effects }))
      : { recalled: 0, told: [] }
  if (rain && direction === 'redo' && effects.told)
    await tellOfRain(db, actor, {
      changeId: step.id,
      round: newId(),
      moves: movesIn({ before: from as PlanRow[], after: to as PlanRow[], effects }),
    })
  await audit(db, actor, `route.${direction}`, entity(null), {
    after: {
      days: step.days,
      changeId: step.id,
      label: change.label,
      ...(rain ? { recalled, told: told.length } : {}),
    },
  })
  return { label: change.label, kept, recalled, told }
}

/** A rain push is taken back whole, or not: not after an hour, not once one of its visits has begun. */
const refuseLateRain = async (db: TenantDb, madeAt: string, rows: readonly PlanRow[]): Promise<void> => {
  const begun = rows.length
    ? await db
        .selectFrom('visits as v')
        .innerJoin('properties as p', (x) =>
          x.onRef('p.businessId', '=', 'v.businessId').onRef('p.id', '=', 'v.propertyId'),
        )
        .where('v.businessId', '=', db.businessId)
        .where(
          'v.id',
          'in',
          rows.map((row) => row.id),
        )
        .where('v.status', 'in', ['en_route', 'in_progress', 'paused', 'completed'])
        .select('p.street')
        .orderBy('p.street')
        .executeTakeFirst()
    : undefined
  refuse(rainUndoRefusal({ madeAt, nowMs: clock.nowMs(), begun: begun?.street ?? null }))
}

/** Takes crews off days and skips visits, as a proposal says. */
export const doEffects = async (db: TenantDb, actor: Actor, effects: Effects): Promise<void> => {
  for (const off of effects.off ?? [])
    await db
      .insertInto('crewDaysOff')
      .values({ businessId: db.businessId, id: newId(), ...off, createdBy: actor.userId, createdAt: clock.iso() })
      .onConflict((c) => c.columns(['businessId', 'crewId', 'day']).doNothing())
      .execute()
  for (const back of effects.back ?? []) await putBack(db, back)
  for (const visitId of effects.skipped ?? [])
    if ((await statusOf(db, visitId)) === 'scheduled')
      await skipVisitTx(db, actor, visitId, { reason: 'too_wet', note: 'Rain day' })
  if (effects.off?.length || effects.back?.length) await publishChange(db, 'routes')
}

const undoEffects = async (db: TenantDb, actor: Actor, effects: Effects): Promise<void> => {
  for (const visitId of effects.skipped ?? [])
    if ((await statusOf(db, visitId)) === 'skipped') await unskipVisitTx(db, actor, visitId)
  for (const off of effects.off ?? []) await putBack(db, off)
  if (effects.back?.length) await doEffects(db, actor, { off: effects.back })
}

const putBack = async (db: TenantDb, { crewId, day }: { crewId: string; day: Day }): Promise<void> => {
  await db
    .deleteFrom('crewDaysOff')
    .where('businessId', '=', db.businessId)
    .where('crewId', '=', crewId)
    .where('day', '=', day)
    .execute()
}

const statusOf = async (db: TenantDb, visitId: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('visits')
      .select('status')
      .where('businessId', '=', db.businessId)
      .where('id', '=', visitId)
      .executeTakeFirst()
  )?.status

/** A crew works on a day after all. */
export const crewBackTx = async (db: TenantDb, actor: Actor, day: Day, crewId: string): Promise<void> => {
  const context = await readPlanningContext(db, day)
  assertOpen(day, context.data.today)
  const crew = context.data.crews.find((c) => c.id === crewId)
  if (!crew) throw notFound('crew')
  if (crew.off === null) return
  const effects: Effects = { back: [{ crewId, day, reason: crew.off }] }
  await doEffects(db, actor, effects)
  await recordChange(db, actor, day, {
    kind: 'crew_back',
    label: `${crew.name} is back`,
    days: [day],
    before: [],
    after: [],
    effects,
  })
  await audit(db, actor, 'route.crewBack', { type: 'crew', id: crewId }, { after: { day } })
}

export const undoChange = (actor: Actor, day: Day, changeId: string | undefined): Promise<Stepped> =>
  withTenant(actor, (db) => stepTx(db, actor, day, changeId, 'undo'))

export const redoChange = (actor: Actor, day: Day, changeId: string | undefined): Promise<Stepped> =>
  withTenant(actor, (db) => stepTx(db, actor, day, changeId, 'redo'))
