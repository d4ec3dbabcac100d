import { estimateMatrix } from './matrix.ts'
import type { CrewDay, Problem, Visit } from './problem.ts'
import { createRandom, type Random } from './random.ts'

/** How rich a made-up problem is; every feature appears with its own chance. For tests and the bench, not for customers. */
export type RandomProblemOptions = {
  seed: number
  visits: number
  crewDays: number
  rich?: boolean
  pins?: boolean
  holes?: boolean
}

const HOUR = 3600

/** A lawn-care problem around one town: stops of 10 to 70 minutes, crews from 7:00 to about 16:00. Same options, same problem. */
export function randomProblem(options: RandomProblemOptions): Problem {
  const random = createRandom(options.seed)
  const chance = (share: number): boolean => random.next() < share
  const { rich = true, pins = false, holes = false } = options
  const places = options.visits + 2
  const points = Array.from({ length: places }, () => ({
    lat: 38 + (random.next() - 0.5) * 0.3,
    lng: -85 + (random.next() - 0.5) * 0.4,
  }))
  const matrix = estimateMatrix(points)
  for (let k = 0; k < matrix.seconds.length; k++)
    if (chance(0.3)) matrix.seconds[k] = Math.round(matrix.seconds[k]! * (0.9 + 0.2 * random.next()))
  if (holes) for (let k = 0; k < places * 2; k++) matrix.seconds[random.int(places * places)] = -1
  const crewDays = Array.from({ length: options.crewDays }, (_, r) => randomCrewDay(random, r, rich))
  const dayed = rich && chance(0.2)
  const visits = Array.from({ length: options.visits }, (_, i): Visit => {
    const visit: Visit = { id: `v${i}`, location: i + 2, serviceSeconds: 600 + random.int(3600) }
    if (!rich) return visit
    if (chance(0.3)) visit.windows = randomWindows(random, dayed, options.crewDays)
    if (chance(0.5)) visit.demand = [1 + random.int(4), random.int(3)]
    if (chance(0.15)) visit.skills = [['mulch', 'spray', 'crane'][random.int(3)]!]
    if (chance(0.3)) visit.priority = random.int(4)
    if (chance(0.1)) visit.prizeCents = random.int(3000)
    if (chance(0.2)) visit.serviceSecondsByClass = { fast: Math.round(visit.serviceSeconds * 0.7) }
    if (chance(0.1)) visit.forbiddenCrewDayIds = [`c${random.int(options.crewDays)}`]
    if (chance(0.1)) visit.allowedCrewDayIds = [`c${random.int(options.crewDays)}`, `c${random.int(options.crewDays)}`]
    if (chance(0.2)) visit.crewDayCostCents = { [`c${random.int(options.crewDays)}`]: random.int(600) - 200 }
    const pinned = pins ? random.next() : 1
    if (pinned < 0.15) visit.pin = { crewDayId: `c${random.int(options.crewDays)}` }
    else if (pinned < 0.3)
      visit.pin = { crewDayId: `c${random.int(options.crewDays)}`, order: random.int(6), lockGapBefore: chance(0.3) }
    return visit
  })
  return { matrix, visits, crewDays, waitCentsPerHour: rich && chance(0.3) ? 1000 : 0 }
}

function randomCrewDay(random: Random, r: number, rich: boolean): CrewDay {
  const chance = (share: number): boolean => random.next() < share
  const crewDay: CrewDay = {
    id: `c${r}`,
    day: r % 3,
    startLocation: 0,
    endLocation: 0,
    shiftStartSeconds: 7 * HOUR,
    shiftEndSeconds: 16 * HOUR,
  }
  if (!rich) return crewDay
  crewDay.shiftEndSeconds -= random.int(4) * 1800
  crewDay.crewSize = 1 + random.int(3)
  if (chance(0.3)) crewDay.endLocation = chance(0.5) ? null : 1
  if (chance(0.4)) crewDay.break = { earliestSeconds: 11 * HOUR, latestSeconds: 13 * HOUR, durationSeconds: 1800 }
  if (chance(0.4)) crewDay.capacity = [10 + random.int(10), 6 + random.int(6)].slice(0, 1 + random.int(2))
  if (chance(0.6)) crewDay.skills = ['mulch', 'spray', 'crane'].filter(() => chance(0.7))
  if (chance(0.2)) crewDay.maxStops = 3 + random.int(12)
  if (chance(0.2)) crewDay.maxDriveSeconds = HOUR + random.int(2 * HOUR)
  if (chance(0.3)) crewDay.fixedCostCents = random.int(5000)
  if (chance(0.5)) crewDay.centsPerMile = 60 + random.int(20)
  if (chance(0.3)) crewDay.overtimeAfterSeconds = 14 * HOUR
  if (chance(0.3)) crewDay.crewClass = 'fast'
  return crewDay
}

function randomWindows(random: Random, dayed: boolean, days: number): NonNullable<Visit['windows']> {
  return Array.from({ length: 1 + random.int(3) }, () => {
    const startSeconds = 7 * HOUR + random.int(8 * HOUR)
    return {
      startSeconds,
      endSeconds: startSeconds + random.int(3 * HOUR),
      ...(dayed ? { day: random.int(Math.min(3, days)) } : {}),
    }
  })
}
