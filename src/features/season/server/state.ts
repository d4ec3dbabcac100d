import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day, weekdayOf } from '../../../shared/dates.ts'
import { asSkill } from '../../../shared/skills.ts'
import { crewCostCents, crewSize } from '../../employees/rules.ts'
import { listCrews, listUsualCrews } from '../../employees/server/queries.ts'
import { getCalendar } from '../../jobs/schedule/server/queries.ts'
import { listSlotJobs, type SlotJob } from '../../jobs/slots/server/queries.ts'
import { fixedWhy, leftWhy, type PlannedCrew, type PlannedJob, weeksOf } from '../rules.ts'

/** What a plan of the season is made of, as it stands in the database. */

export type StateJob = PlannedJob & {
  customerId: string
  title: string
  neighborhood: string
  /** Why it stays, in words. */
  keeps: string | null
  /** Services that it asks for; only in the state of a search. */
  services?: string[]
}

export type StateCrew = PlannedCrew & {
  color: string
  driveFactorPercent: number
  centsPerHour: number
  /** Services that it finished in the last year, null for a crew that finished none; only in the state of a search. */
  services?: string[] | null
}

export type LeftJob = { jobId: string; customerName: string; street: string; why: string }

export type SeasonState = {
  day: Day
  timeZone: string
  weeks: number
  mileCents: number
  estimate: { factorSeconds: number; exponent: number }
  jobs: StateJob[]
  crews: StateCrew[]
  left: LeftJob[]
}

/** Crews of a usual day: everybody who belongs to them, whoever is off or on loan just now; else a plan of today were for other work tomorrow. */
const crewsOf = async (db: TenantDb, day: Day): Promise<StateCrew[]> => {
  const business = await db
    .selectFrom('businesses')
    .select(['latitude', 'longitude', 'defaultWageCents', 'burdenPercent'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const usual = await listUsualCrews(db, day)
  return (await listCrews(db, day, { seesWages: false })).flatMap((crew) => {
    const { members, skills } = usual.get(crew.id) ?? { members: [], skills: [] }
    const lat = crew.depotLatitude ?? business.latitude
    const lng = crew.depotLongitude ?? business.longitude
    if (lat === null || lng === null) return []
    const days = [...crew.workDays].sort()
    return [
      {
        id: crew.id,
        name: crew.name,
        color: crew.color,
        lat,
        lng,
        days,
        shiftSeconds: Object.fromEntries(
          [0, 1, 2, 3, 4, 5, 6].map((weekday) => {
            const own = crew.weekdayShifts.find((shift) => shift.weekday === weekday)
            const { startMinute, endMinute, breakMinutes } = own ?? {
              startMinute: crew.shiftStartMinute,
              endMinute: crew.shiftEndMinute,
              breakMinutes: crew.breakMinutes,
            }
            return [weekday, Math.max(0, endMinute - startMinute - breakMinutes) * 60]
          }),
        ),
        people: crewSize(members.length),
        skills,
        driveFactorPercent: crew.driveFactorPercent,
        centsPerHour: crewCostCents(members, business),
      },
    ]
  })
}

/** Rhythms whose weeks come together later are in no plan. */
const cycleWeeks = 12

const leftOf = (job: SlotJob, why: string): LeftJob => ({
  jobId: job.jobId,
  customerName: job.customerName,
  street: job.street,
  why,
})

/** All recurring work with its slots, and the crews with their hours. Asks nobody and changes nothing. */
export const readState = async (db: TenantDb): Promise<SeasonState> => {
  const { today, season } = await getCalendar(db)
  const business = await db
    .selectFrom('businesses')
    .select(['timeZone', 'mileCostCents', 'driveFactorSeconds', 'driveExponent', 'workDays'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  // A usual work day that is near.
  let day = addDays(today, 1)
  for (let n = 0; n < 7 && !business.workDays.includes(weekdayOf(day)); n++) day = addDays(day, 1)
  const crews = await crewsOf(db, day)
  const byId = new Map(crews.map((crew) => [crew.id, crew]))
  const jobs: StateJob[] = []
  const left: LeftJob[] = []
  for (const job of await listSlotJobs(db)) {
    if (job.fixed === 'no_weekday') left.push(leftOf(job, leftWhy.no_weekday))
    else if (job.latitude === null || job.longitude === null) left.push(leftOf(job, leftWhy.no_pin))
    else if (job.slots.some((slot) => cycleWeeks % slot.everyWeeks !== 0)) left.push(leftOf(job, fixedWhy.long_rhythm))
    else if (job.crewId === null) left.push(leftOf(job, leftWhy.no_crew))
    else {
      const crew = byId.get(job.crewId)
      if (!crew) {
        left.push(leftOf(job, leftWhy.no_depot))
        continue
      }
      const skills = [...new Set(job.skills.map(asSkill))].sort()
      const lacks = skills.some((skill) => !crew.skills.includes(skill))
      jobs.push({
        jobId: job.jobId,
        customerId: job.customerId,
        name: job.customerName,
        title: job.title,
        street: job.street,
        neighborhood: [job.city, job.zip].filter(Boolean).join(' ') || 'Elsewhere',
        lat: job.latitude,
        lng: job.longitude,
        crewId: job.crewId,
        slots: job.slots,
        fixed: job.fixed ?? (lacks ? 'skills' : null),
        keepsWeek: job.keepsWeek,
        keepDay: job.keepDay,
        skills,
        keeps: job.fixed ? fixedWhy[job.fixed] : lacks ? leftWhy.skills : job.keepDay ? 'keeps its day' : null,
      })
    }
  }
  return {
    day,
    timeZone: business.timeZone,
    weeks: weeksOf(season),
    mileCents: business.mileCostCents,
    estimate: { factorSeconds: business.driveFactorSeconds, exponent: business.driveExponent },
    jobs,
    crews,
    left,
  }
}

/** The last day that a crew was sent, from today on. */
export const lastSentDay = async (db: TenantDb, today: Day): Promise<Day | null> => {
  const row = await db
    .selectFrom('visits')
    .select((eb) => eb.fn.max('publishedDay').as('day'))
    .where('businessId', '=', db.businessId)
    .where('publishedDay', '>=', today)
    .executeTakeFirst()
  return row?.day ?? null
}
