import { addLicense } from '../features/employees/licenses/server/commands.ts'
import { changeCrew } from '../features/employees/server/commands.ts'
import { listCrews } from '../features/employees/server/queries.ts'
import { putOnCrew } from '../features/employees/staffing/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays, type Day, startOfWeek } from '../shared/dates.ts'

const trucks = [
  { vehicleName: 'Isuzu NPR', vehiclePlate: 'SC 418 KTD', vehicleSeats: 3 },
  { vehicleName: 'Ford F-250', vehiclePlate: 'SC 902 LMA', vehicleSeats: 5 },
  { vehicleName: 'Ram 2500', vehiclePlate: 'SC 377 PWE', vehicleSeats: 5 },
  { vehicleName: 'Ford Transit, spray rig', vehiclePlate: 'SC 145 RBN', vehicleSeats: 2 },
] as const

/** A truck for each crew, a shorter last day of the week, a license that ends soon, and two who change crews next week. */
export const staffCrews = async (owner: Actor, today: Day): Promise<void> => {
  const crews = await withTenant(owner, (db) => listCrews(db, today, { seesWages: false }))
  for (const [at, crew] of crews.entries())
    await changeCrew(owner, crew.id, {
      version: crew.version,
      ...(trucks[at % trucks.length] ?? trucks[0]),
      leaderUserId: crew.leaderUserId ?? crew.members[0]?.userId ?? null,
      ...(at === 1
        ? {
            weekdayShifts: [
              {
                weekday: crew.workDays.at(-1) ?? 5,
                startMinute: crew.shiftStartMinute,
                endMinute: 840,
                breakMinutes: 30,
              },
            ],
          }
        : {}),
    })
  const sprayer = crews.find((crew) => crew.skills.includes('applicator'))?.members[0]
  if (sprayer)
    await addLicense(owner, sprayer.userId, {
      skill: 'applicator',
      number: 'CPA-20418',
      state: 'SC',
      validFrom: addDays(today, -706),
      expiresOn: addDays(today, 24),
    })
  // two who swap, so that neither crew is short of people
  const from = addDays(startOfWeek(today), 7)
  const [, second, third] = crews
  const mateOf = (crew: (typeof crews)[number] | undefined) =>
    crew?.members.find((one) => one.userId !== crew.leaderUserId && crew.members.length > 1)
  for (const [goes, to] of [
    [mateOf(second), third],
    [mateOf(third), second],
  ] as const)
    if (goes && to) await putOnCrew(owner, goes.userId, { crewId: to.id, from, to: null })
}
