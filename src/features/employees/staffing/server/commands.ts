import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { conflict } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { lockPerson } from '../../../accounts/team/server/commands.ts'
import { notifyUsers } from '../../../notifications/server/commands.ts'
import { assertCrewTx } from '../../server/queries.ts'
import { type Put, withPut } from '../rules.ts'
import { getCrewStaff, getStretches } from './queries.ts'
import { changeStretchesTx, holdCrews, holdPerson, type StretchesChange, undoStretchesTx } from './stretches.ts'

const entity = (id: string) => ({ type: 'user', id })

const nameOfCrew = async (db: TenantDb, crewId: string): Promise<string> =>
  (
    await db
      .selectFrom('crews')
      .select('name')
      .where('businessId', '=', db.businessId)
      .where('id', '=', crewId)
      .executeTakeFirstOrThrow()
  ).name

const daysLabel = ({ from, to }: Put): string =>
  to === null
    ? `from ${formatDay(from)}`
    : to === from
      ? `on ${formatDay(from)}`
      : `${formatDay(from)} to ${formatDay(to)}`

/** Tells who is put somewhere else, unless they did it themselves. */
const tell = async (db: TenantDb, actor: Actor, userId: string, put: Put, key: string): Promise<void> => {
  if (actor.userId === userId) return
  const crew = put.crewId === null ? null : await nameOfCrew(db, put.crewId)
  await notifyUsers(db, [userId], {
    type: 'job',
    title: `${crew ? `You are on ${crew}` : 'You are on no crew'} ${daysLabel(put)}`,
    content: 'Your days on the phone are those of that crew.',
    path: paths.employeeDashboard,
    crew: { code: 'crew', crew, from: put.from, to: put.to },
    dedupeKey: `crew:${key}`,
  })
}

const putTx = async (db: TenantDb, actor: Actor, userId: string, put: Put): Promise<StretchesChange> => {
  await assertCrewTx(db, put.crewId)
  const change = await changeStretchesTx(db, actor, userId, (all) => withPut(all, put))
  if (change.id !== null) {
    await audit(db, actor, 'employee.crew', entity(userId), { before: change.before, after: put })
    await tell(db, actor, userId, put, change.id)
    await publishChange(db, 'crews', [userId])
  }
  return change
}

const undoTx = async (
  db: TenantDb,
  actor: Actor,
  userId: string,
  changeId: string,
  of?: { crewId: string; day: Day },
): Promise<void> => {
  const back = await undoStretchesTx(db, userId, changeId, of)
  await audit(db, actor, 'employee.crewUndo', entity(userId), { after: back })
  if (actor.userId !== userId)
    await notifyUsers(db, [userId], {
      type: 'job',
      title: 'The office took a change of your crew back',
      content: 'Your days on the phone are as they were before it.',
      path: paths.employeeDashboard,
      crew: { code: 'crewBack' },
      dedupeKey: `crewUndo:${changeId}`,
    })
  await publishChange(db, 'crews', [userId])
}

/** Puts a person on a crew (or on none) from a day on or for some days. */
export const putOnCrew = (actor: Actor, userId: string, put: Put) =>
  withTenant(actor, async (db) => {
    await holdCrews(db)
    const person = await lockPerson(db, actor, userId)
    if (person.status === 'disabled' && put.crewId !== null)
      throw conflict(`${person.name} was deactivated. Let them in again to put them on a crew.`)
    const { id } = await putTx(db, actor, userId, put)
    return { ...(await getStretches(db, userId)), changeId: id }
  })

export const undoCrewChange = (actor: Actor, userId: string, changeId: string) =>
  withTenant(actor, async (db) => {
    await holdCrews(db)
    await lockPerson(db, actor, userId)
    await undoTx(db, actor, userId, changeId)
    return getStretches(db, userId)
  })

/** Puts a person on a crew for one day; the day after they are where they were. Told when somebody else has given them to another crew meanwhile. */
export const addStandIn = (
  actor: Actor,
  crewId: string,
  { day, userId, seenOn }: { day: Day; userId: string; seenOn: string | null },
) =>
  withTenant(actor, async (db) => {
    await holdCrews(db)
    await assertCrewTx(db, crewId)
    await holdPerson(db, userId)
    const { members, people } = await getCrewStaff(db, crewId, day)
    const there = members.find((one) => one.userId === userId)
    const free = people.find((one) => one.userId === userId)
    if (!there && !free)
      throw conflict(
        `This person cannot come on ${formatDay(day)}: they are off, or were deactivated. Nothing was changed.`,
      )
    if (free && (free.home?.id ?? null) !== seenOn)
      throw conflict(
        `Somebody else changed it meanwhile: ${free.name} is on ${free.home?.name ?? 'no crew'} on ${formatDay(day)}. Nothing was changed; look again.`,
      )
    const change = there ? null : await putTx(db, actor, userId, { crewId, from: day, to: day })
    return { ...(await getCrewStaff(db, crewId, day)), changeId: change?.id ?? there?.lentBy ?? null }
  })

/** Gives a stand-in back for that one day; no other change of crew is taken back by it. */
export const endStandIn = (
  actor: Actor,
  crewId: string,
  { day, userId, changeId }: { day: Day; userId: string; changeId: string },
) =>
  withTenant(actor, async (db) => {
    await holdCrews(db)
    await assertCrewTx(db, crewId)
    await undoTx(db, actor, userId, changeId, { crewId, day })
    return getCrewStaff(db, crewId, day)
  })
