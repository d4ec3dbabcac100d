import { windowsOf } from '../features/jobs/programs/rules.ts'
import { addProgramTx } from '../features/jobs/programs/server/commands.ts'
import { createJobsTx, type NewJob } from '../features/jobs/server/commands.ts'
import { type MeasuredBy, measureOf, unmeasured } from '../features/services/measures/rules.ts'
import { budgetMinutesFor, priceFor } from '../features/services/rules.ts'
import { listServices } from '../features/services/server/queries.ts'
import { systemActor } from '../platform/actor.ts'
import type { TenantDb } from '../platform/db/tenant.ts'
import { addDays, type Day, weekdayOf } from '../shared/dates.ts'
import type { DemoCrew } from './season.ts'

/** Programs treat the lawn. */
const measuredAt = (of: { measuredBy: MeasuredBy }, { squareFeet, difficulty }: Place) => ({
  ...measureOf(of, { ...unmeasured, lawnSquareFeet: squareFeet }),
  difficulty,
})

type Place = { customerId: string; propertyId: string; squareFeet: number; difficulty: number; treated: boolean }

/** What a lawn gets in each two months of the year, from January on. */
const treatments = [
  'pre-emergent',
  'spring weeds',
  'grub preventer',
  'summer fertilizer',
  'fall fertilizer',
  'winterizer',
]
const roundCount = 6
/** The round whose window is open on the day on which the demo starts. */
const openRound = 3

const monthDay = (day: Day): string => {
  const md = day.slice(5)
  return md === '02-29' ? '03-01' : md
}

/**
 * A program of six rounds that is under way, whatever day it is: customers who joined after the second round have the third behind them, the
 * fourth in the due list and the others ahead; one round was missed. Beside them work that waits and work on demand.
 */
export const runPrograms = async (
  db: TenantDb,
  places: readonly Place[],
  crews: readonly DemoCrew[],
  workDays: readonly number[],
  today: Day,
): Promise<void> => {
  const who = systemActor(db.businessId)
  const services = await listServices(db)
  const service = (code: string) => services.find((one) => one.code === code) as (typeof services)[number]
  const treat = service('fert-weed')
  const opens = (at: number) => addDays(today, (at - openRound) * 48 - 6)
  const nameOf = (at: number) =>
    `Round ${at + 1}, ${treatments[Math.floor((Number(addDays(opens(at), 20).slice(5, 7)) - 1) / 2)]}`
  const steps = Array.from({ length: roundCount }, (_, at) => ({
    name: nameOf(at),
    serviceId: treat.id,
    from: monthDay(opens(at)),
    to: monthDay(addDays(opens(at), 40)),
    minGapDays: at === 0 ? 0 : 21,
    priceCents: null,
    minutes: null,
  }))
  const programId = await addProgramTx(db, who, { name: 'Six-round lawn program', steps, renews: true })
  const programYear = Number(opens(0).slice(0, 4))
  const windows = windowsOf(steps, programYear)
  const plain = {
    instructions: '',
    poNumber: '',
    billing: 'per_visit',
    endOn: null,
    status: 'active',
    batchId: null,
  } as const
  const lineOf = (place: Place, of: (typeof services)[number], undated: object) => ({
    serviceId: of.id,
    description: '',
    quantity: 1,
    unitPriceCents: priceFor(of.priceRule, { ...measuredAt(of, place), frequency: 'once' }).cents ?? 6500,
    budgetMinutes: budgetMinutesFor(of, { ...measuredAt(of, place), quantity: 1 }),
    recurrence: null,
    onceOn: null,
    undated: undated as never,
  })
  const free = places.filter((place) => !place.treated)
  const joined = free.slice(0, 8).map(
    (place): NewJob => ({
      ...plain,
      customerId: place.customerId,
      propertyId: place.propertyId,
      title: 'Six-round lawn program',
      crewId: null,
      startOn: addDays(today, -54),
      programId,
      programYear,
      programRenews: true,
      lines: steps.slice(openRound - 1).map((step, at) => ({
        ...lineOf(place, treat, {
          kind: 'step',
          name: step.name,
          ...windows[openRound - 1 + at],
          minGapDays: step.minGapDays,
        }),
        description: step.name,
      })),
    }),
  )
  const single = (place: Place, title: string, code: string, undated: object): NewJob => ({
    ...plain,
    customerId: place.customerId,
    propertyId: place.propertyId,
    title,
    crewId: null,
    startOn: today,
    lines: [lineOf(place, service(code), undated)],
  })
  const waits = free.slice(8, 12).map((place, at) =>
    at < 2
      ? single(place, 'Core aeration', 'aerate', {
          kind: 'waiting',
          fromOn: addDays(today, -20),
          warnOn: addDays(today, at === 0 ? -5 : 9),
        })
      : single(place, 'Hedge trimming on demand', 'hedge', { kind: 'on_demand' }),
  )
  const ids = await createJobsTx(db, who, [...joined, ...waits])
  const treaters = crews.find((crew) => crew.name === 'Treatments')
  // Their third round was done four weeks ago, as far as nobody missed it; from there on the day's history is the crews'.
  for (const [at, jobId] of ids.slice(0, joined.length - 1).entries()) {
    let day = addDays(today, -28 - (at % 3))
    while (!workDays.includes(weekdayOf(day))) day = addDays(day, 1)
    await db
      .updateTable('visits')
      .set({ day, crewId: treaters?.id ?? null, status: 'scheduled' })
      .where('businessId', '=', db.businessId)
      .where('jobId', '=', jobId)
      .where('status', '=', 'missed')
      .execute()
  }
}
