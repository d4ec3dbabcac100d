import { applyCommands } from '../features/crewapp/server/commands.ts'
import { makePayFile } from '../features/timeclock/payfiles/server/commands.ts'
import {
  approveSheets,
  askForWeekTx,
  lockWeek,
  sendBackSheet,
  submitWeekTx,
} from '../features/timeclock/sheets/server/commands.ts'
import { getSheet, listSheets } from '../features/timeclock/sheets/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { addDays, type Day, dayOf, instantAt, startOfWeek } from '../shared/dates.ts'

const sheetsIn = (owner: Actor, week: Day) =>
  withTenant(owner, async (db) => (await listSheets(db, owner, week)).items.filter((sheet) => sheet.paidSeconds > 0))

const approve = async (owner: Actor, week: Day, userIds: readonly string[]): Promise<void> => {
  const seen = (await sheetsIn(owner, week)).filter((sheet) => userIds.includes(sheet.userId))
  if (seen.length > 0)
    await approveSheets(owner, { week, items: seen.map(({ userId, version }) => ({ userId, version })) })
}

/** Somebody forgot the clock on the last day of the week; it was ended for them. */
const forgetOnce = async (owner: Actor, week: Day, userId: string): Promise<void> =>
  withTenant(owner, async (db) => {
    const { entries } = await getSheet(db, owner, userId, week)
    const last = entries.findLast((entry) => entry.kind === 'work' && entry.endedAt !== null)
    if (last)
      await db
        .updateTable('timeEntries')
        .set({ flagged: 'forgotten' })
        .where('businessId', '=', db.businessId)
        .where('id', '=', last.id)
        .execute()
  })

/** A phone without a signal comes with an hour at the shop on the Saturday of a week that payroll was run for: it waits for the office. */
const comeLate = async (person: Actor, week: Day): Promise<void> => {
  const at = (minute: number) => instantAt(addDays(week, 5), minute, person.timeZone)
  const tap = (type: 'clock_in' | 'clock_out', minute: number) => ({ id: newId(), type, at: at(minute), payload: {} })
  await applyCommands(person, [tap('clock_in', 480), tap('clock_out', 545)], undefined)
}

/** Two weeks of time in each state: one paid, locked, in a file and with time that came in late, one with the office, sent back, asked about and forgotten, this one running. */
export const keepTime = async (owner: Actor): Promise<void> => {
  const thisWeek = startOfWeek(dayOf(clock.now(), owner.timeZone))
  const [paid, last] = [addDays(thisWeek, -14), addDays(thisWeek, -7)]
  const as = (userId: string, name: string): Actor => ({ ...owner, userId, name })
  await approve(
    owner,
    paid,
    (await sheetsIn(owner, paid)).map((sheet) => sheet.userId),
  )
  const [late] = await sheetsIn(owner, paid)
  if (late) {
    await lockWeek(owner, paid)
    await makePayFile(owner, { preset: 'plain', from: paid, to: addDays(paid, 6) })
    await comeLate(as(late.userId, late.name), paid)
  }
  const people = await sheetsIn(owner, last)
  const [forgetful, asking, sentBack, done, ...rest] = people
  for (const { userId, name } of [asking, sentBack, done, ...rest.slice(1)].flatMap((one) => one ?? []))
    await withTenant(owner, (db) => submitWeekTx(db, as(userId, name), last))
  if (forgetful) await forgetOnce(owner, last, forgetful.userId)
  if (asking)
    await withTenant(owner, (db) =>
      askForWeekTx(db, as(asking.userId, asking.name), last, 'Thursday I stayed until 4:30 to sharpen the blades.'),
    )
  if (sentBack) {
    const { version } = await withTenant(owner, (db) => getSheet(db, owner, sentBack.userId, last))
    await sendBackSheet(owner, sentBack.userId, {
      week: last,
      version,
      reason: 'Tuesday has no lunch. Did you take one?',
    })
  }
  if (done) await approve(owner, last, [done.userId])
}
