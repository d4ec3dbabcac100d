import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { seasonPlan } from '../../src/solver/season.ts'
import { judgeSeason } from '../../src/solver/season-judge.ts'
import type { SeasonDriving, SeasonProblem, SeasonSlot } from '../../src/solver/season-problem.ts'
import { addressFiles, readPoints } from '../routing/addresses.ts'
import { asListed, seasonOf } from '../routing/season.ts'
import { threadMilliseconds } from '../routing/threads.ts'

/** What the season planner saves from days as listed, as its search says and as `evaluate` counts it, with every move priced. */
type Line = {
  file: string
  properties: number
  crews: number
  hoursBefore: number
  hoursAfter: number
  savedHours: number
  /** The same two plans, each day put in order by the day's engine and costed by `evaluate`. */
  evaluatedBefore: number
  evaluatedAfter: number
  evaluatedSavedHours: number
  savedPercent: number
  savedDollars: number
  moves: number
  /** Crew-days of the plan that are over their shift, and were not as listed. */
  overfull: number
  seconds: number
}

const usage = 'bench -- season --addresses DIR [--properties N,N] [--iterations N] [--json]'
const hours = ({ seconds }: Pick<SeasonDriving, 'seconds'>): number => Math.round(seconds / 360) / 10

const runOne = (file: string, count: number, iterations: number | undefined): Line => {
  const { problem: bare } = seasonOf(readPoints(readFileSync(file, 'utf8')), count)
  const today = asListed(bare)
  const problem: SeasonProblem = {
    ...bare,
    properties: bare.properties.map((property, i) => ({ ...property, today: today.get(i)! })),
  }
  const started = threadMilliseconds()
  const plan = seasonPlan(problem, iterations === undefined ? {} : { iterations })
  const seconds = Math.round((threadMilliseconds() - started) / 100) / 10
  const said = plan.before ?? { seconds: 0, meters: 0, cents: 0 }
  const slots = new Map<string, SeasonSlot>(plan.slots.map(({ propertyId, ...slot }) => [propertyId, slot]))
  const before = judgeSeason(problem, new Map(problem.properties.map((p) => [p.id, p.today!])))
  const after = judgeSeason(problem, slots, { orders: plan.routes })
  const full = new Map(before.routes.map((r) => [`${r.crewId} ${r.day} ${r.week}`, r.overSeconds]))
  return {
    file: basename(file),
    properties: count,
    crews: problem.crews.length,
    hoursBefore: hours(said),
    hoursAfter: hours(plan.after),
    savedHours: Math.round((said.seconds - plan.after.seconds) / 3600),
    evaluatedBefore: hours(before.driving),
    evaluatedAfter: hours(after.driving),
    evaluatedSavedHours: Math.round((before.driving.seconds - after.driving.seconds) / 3600),
    savedPercent: Math.round((1 - after.driving.seconds / before.driving.seconds) * 1000) / 10,
    savedDollars: Math.round((before.driving.cents - after.driving.cents) / 100),
    moves: plan.moves.length,
    overfull: after.routes.filter((r) => r.overSeconds > (full.get(`${r.crewId} ${r.day} ${r.week}`) ?? 0)).length,
    seconds,
  }
}

export function run(args: string[]): void {
  const flag = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`)
    return at < 0 ? undefined : args[at + 1]
  }
  const folder = flag('addresses') ?? process.env.SWATH_ADDRESSES
  if (folder === undefined || !statSync(folder, { throwIfNoEntry: false })) {
    console.error(folder === undefined ? usage : `There is no ${folder}.`)
    process.exitCode = 2
    return
  }
  const counts = (flag('properties') ?? '180').split(',').map(Number)
  const iterations = flag('iterations')
  const lines = addressFiles(folder).flatMap((file) =>
    counts.map((count) => runOne(file, count, iterations === undefined ? undefined : Number(iterations))),
  )
  if (args.includes('--json')) for (const line of lines) console.log(JSON.stringify(line))
  else console.table(lines)
}
