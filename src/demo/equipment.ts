import { sql } from 'kysely'
import { todayOf } from '../features/businesses/server/queries.ts'
import { linesOf } from '../features/equipment/checks/rules.ts'
import { keepCheckTx } from '../features/equipment/checks/server/commands.ts'
import { getCheckSettings } from '../features/equipment/checks/server/settings.ts'
import { addEquipment, takeOut } from '../features/equipment/server/commands.ts'
import { addPlan, serviceDone } from '../features/equipment/server/service.ts'
import { addFileTx, storeImage } from '../features/files/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { addDays, type Day, instantAt, weekdayOf } from '../shared/dates.ts'
import { wornBlade } from './photos.ts'

type Crew = { id: string; vehicle: string; leaderId: string; leader: string; playedByVisitors: boolean }

const mowers = ['Scag Turf Tiger II 61', 'Exmark Lazer Z 52', 'Toro TimeMaster 30', 'Wright Stander 48'] as const
/** Hours a day of a mower, miles a day of a truck, in tenths. */
const pace = { hours: 41, miles: 460 } as const

const crewsOf = (owner: Actor): Promise<Crew[]> =>
  withTenant(owner, async (db) => {
    const { rows } = await sql<Crew>`
      select c.id, c.vehicle_name as vehicle, u.id as "leaderId", u.name as leader,
        exists (select 1 from crew_members m join users p on p.business_id = m.business_id and p.id = m.user_id
          where m.business_id = c.business_id and m.crew_id = c.id and p.email like 'crew@%') as "playedByVisitors"
      from crews c join users u on u.business_id = c.business_id and u.id = c.leader_user_id
      where c.business_id = ${db.businessId} and c.archived_at is null order by c.position`.execute(db)
    return rows
  })

/** What a meter that reads `tenths` now read in the morning some days ago, within the last five weeks. */
const readThen = (tenths: number, aDay: number, today: Day, daysAgo: number): { lastOn: Day; lastTenths: number } => {
  const days = Array.from({ length: daysAgo }, (_, n) => weekdayOf(addDays(today, -1 - n)))
  return { lastOn: addDays(today, -daysAgo), lastTenths: tenths - aDay * days.filter((day) => day !== 0).length }
}

/** What a meter read at the end of each working day of the last five weeks. */
const readBack = (owner: Actor, equipmentId: string, tenths: number, aDay: number, today: Day): Promise<void> =>
  withTenant(owner, async (db) => {
    let reads = tenths
    const rows = []
    for (let ago = 1; ago <= 35; ago++) {
      const on = addDays(today, -ago)
      if (weekdayOf(on) === 0) continue
      reads -= aDay
      const readAt = instantAt(on, 7 * 60, owner.timeZone)
      rows.push({
        businessId: owner.businessId,
        id: newId(),
        equipmentId,
        tenths: reads,
        readOn: on,
        readAt,
        source: 'check' as const,
        createdAt: readAt,
      })
    }
    await db.insertInto('equipmentReadings').values(rows).execute()
  })

/** Trucks, trailers and mowers of every crew with five weeks of readings, service that is due, and this morning's checks. */
export const equipCrews = async (owner: Actor): Promise<void> => {
  const today = await withTenant(owner, todayOf)
  const crews = await crewsOf(owner)
  const had: { crew: Crew; pieces: { id: string; kind: 'truck' | 'trailer' | 'mower' }[] }[] = []
  for (const [at, crew] of crews.entries()) {
    const truck = await addEquipment(owner, {
      kind: 'truck',
      name: crew.vehicle || `Truck ${at + 1}`,
      model: '',
      serial: `1FDUF5HT${at}MDA1${4072 + at * 137}`,
      meter: 'miles',
      crewId: crew.id,
      tenths: 412_600 + at * 118_340,
    })
    await readBack(owner, truck.id, 412_600 + at * 118_340, pace.miles, today)
    await addPlan(owner, truck.id, {
      what: 'Oil and filter',
      everyTenths: 50_000,
      everyMonths: 6,
      lastOn: addDays(today, -96),
      lastTenths: 412_600 + at * 118_340 - 41_200 - at * 1500,
    })
    const trailer = await addEquipment(owner, {
      kind: 'trailer',
      name: `Trailer ${at + 1}`,
      model: 'Open, 16 ft',
      serial: '',
      meter: null,
      crewId: crew.id,
      tenths: null,
    })
    await addPlan(owner, trailer.id, {
      what: 'Wheel bearings and brakes',
      everyTenths: null,
      everyMonths: 12,
      lastOn: addDays(today, -200),
    })
    const tenths = 6_120 + at * 2_385
    const mower = await addEquipment(owner, {
      kind: 'mower',
      name: `Mower ${at + 1}`,
      model: mowers[at % mowers.length] ?? '',
      serial: `TT${48_210 + at * 71}`,
      meter: 'hours',
      crewId: crew.id,
      tenths,
    })
    await readBack(owner, mower.id, tenths, pace.hours, today)
    const oil = await addPlan(owner, mower.id, {
      what: 'Oil and filter',
      everyTenths: 1000,
      everyMonths: null,
      ...readThen(tenths, pace.hours, today, at === 0 ? 30 : at === 1 ? 26 : 12),
    })
    await addPlan(owner, mower.id, {
      what: 'Sharpen blades',
      everyTenths: 250,
      everyMonths: null,
      ...readThen(tenths, pace.hours, today, 4),
    })
    if (at === 2)
      await serviceDone(owner, mower.id, {
        planId: oil.plans[0]?.id ?? null,
        what: 'Oil and filter',
        doneOn: addDays(today, -9),
        tenths: readThen(tenths, pace.hours, today, 9).lastTenths,
        note: '',
        expense: null,
      })
    had.push({
      crew,
      pieces: [
        { id: truck.id, kind: 'truck' },
        { id: trailer.id, kind: 'trailer' },
        { id: mower.id, kind: 'mower' },
      ],
    })
  }
  const spare = await addEquipment(owner, {
    kind: 'mower',
    name: 'Spare mower',
    model: 'Toro TimeMaster 30',
    serial: '',
    meter: 'hours',
    crewId: null,
    tenths: 11_404,
  })
  await takeOut(owner, spare.id, { reason: 'Drive belt is torn, a new one comes on Friday', version: spare.version })

  const image = await storeImage(owner, await wornBlade())
  for (const [at, { crew, pieces }] of had.entries()) {
    // Whoever plays a crew member finds the check of the own truck still to be done.
    if (crew.playedByVisitors) continue
    const leader: Actor = { ...owner, userId: crew.leaderId, name: crew.leader, role: 'Employee', permissions: [] }
    const [defectId, photoId] = [newId(), newId()]
    const seven = instantAt(today, 7 * 60 + at * 4, owner.timeZone)
    await withTenant(owner, async (db) => {
      const { items } = await getCheckSettings(db)
      const answers = linesOf(items, pieces).flatMap(({ equipmentId, items: points }) =>
        points.map(({ id, en }) =>
          at === had.length - 1 && id === 'blades'
            ? {
                equipmentId,
                item: en,
                ok: false,
                defect: {
                  id: defectId,
                  note: 'Nicked on both ends. It still cuts, but tears the tips.',
                  stops: false,
                  photoIds: [photoId],
                },
              }
            : { equipmentId, item: en, ok: true },
        ),
      )
      const checkAt = [seven, clock.iso()].sort()[0] ?? seven
      await keepCheckTx(db, leader, {
        id: newId(),
        crewId: crew.id,
        at: checkAt,
        day: today,
        check: { readings: [], answers },
      })
      if (at !== had.length - 1) return
      const fileId = await addFileTx(db, leader, 'photo', image)
      await db
        .insertInto('truckDefectPhotos')
        .values({ businessId: owner.businessId, id: photoId, defectId, fileId, createdAt: checkAt })
        .execute()
    })
  }
}
