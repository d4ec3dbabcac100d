import { existsSync, readFileSync } from 'node:fs'
import { check } from '../../src/solver/check.ts'
import { FAMILIES, family } from '../../src/solver/families.ts'
import { solve } from '../../src/solver/solve.ts'
import { addressFiles, readPoints, runAddresses } from './addresses.ts'
import { type Effort, runAgainst, summaryOf } from './against.ts'
import { dayInstances, runDays, runLimits } from './days.ts'
import { type Instance, readInstances } from './instances.ts'
import { solveOnIslands } from './islands.ts'
import { runRich } from './rich.ts'
import { runSeasons } from './season.ts'
import { threadMilliseconds } from './threads.ts'

type Run = {
  instance: string
  set: string
  seed: number
  seconds: number
  cost: number
  feasible: boolean
  routes: number
  iterations: number
  gap?: number
}

/** One clear line where the data is not there. */
function missing(path: string): boolean {
  if (existsSync(path)) return false
  console.error(`There is no file or folder ${path}.`)
  process.exitCode = 2
  return true
}

/** `bench -- routing`: see the usage text below for the flags. */
export async function run(args: string[]): Promise<void> {
  const flag = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`)
    return at < 0 ? undefined : args[at + 1]
  }
  const json = args.includes('--json')
  const addresses = flag('addresses')
  if (addresses) {
    if (missing(addresses)) return
    const runs = runAddresses(
      addresses,
      Number(flag('crews') ?? 3),
      Number(flag('seconds') ?? 5),
      Number(flag('first-seed') ?? 1),
    )
    if (json) for (const line of runs) console.log(JSON.stringify(line))
    else console.table(runs)
    return
  }
  const days = flag('days')
  const against = flag('against')
  if (against) {
    if (missing(against) || (days && missing(days))) return
    const only = flag('only')?.split(',')
    const instances = days ? dayInstances(days, Number(flag('limit') ?? 3)) : instancesOf(flag)
    const chosen = instances?.filter(({ name, set }) => !only || only.includes(name) || only.includes(set)) ?? []
    await compare(against, chosen, flag, json)
    return
  }
  if (days) {
    if (missing(days)) return
    const limit = flag('limit')
    const runs =
      limit === undefined
        ? runDays(days, Number(flag('seconds') ?? 0.5))
        : runLimits(days, Number(flag('seconds') ?? 0.3), Number(limit), Number(flag('seeds') ?? 3))
    if (json) for (const line of runs) console.log(JSON.stringify(line))
    else console.table(runs)
    return
  }
  const season = flag('season')
  if (season) {
    if (missing(season)) return
    const counts = (flag('properties') ?? '180,280,400').split(',').map(Number)
    const runs = runSeasons(season, counts, flag('iterations') === undefined ? undefined : Number(flag('iterations')))
    if (json) for (const line of runs) console.log(JSON.stringify(line))
    else console.table(runs)
    return
  }
  if (args.includes('--rich')) {
    const runs = runRich()
    if (json) for (const line of runs) console.log(JSON.stringify(line))
    else console.table(runs)
    return
  }
  const instances = instancesOf(flag)
  if (instances === null) return
  const seconds = Number(flag('seconds') ?? 1)
  const seeds = Number(flag('seeds') ?? 1)
  const firstSeed = Number(flag('first-seed') ?? 1)
  const islands = Number(flag('islands') ?? 1)
  const only = flag('only')?.split(',')
  const runs: Run[] = []
  for (const instance of instances) {
    if (only && !only.includes(instance.name)) continue
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      const result = runOne(instance, seed, seconds, islands)
      runs.push(result)
      if (json) {
        const { set: _set, ...line } = result
        console.log(JSON.stringify(line))
      }
    }
  }
  if (runs.length === 0) {
    console.error('There is no instance (.txt, .vrp or .json) of that kind there.')
    process.exitCode = 2
  } else if (!json) printTable(runs, seconds)
}

const usage = `bench -- routing --instances DIR [--seconds N] [--seeds K] [--first-seed S] [--only NAME,NAME] [--islands N] [--json]
bench -- routing --addresses DIR [--crews N] [--seconds N] [--json]
bench -- routing --families tune|report [--towns DIR] [--seconds N] [--seeds K] [--json]
bench -- routing --days DIR [--seconds N] [--limit N [--seeds K]] [--json]
bench -- routing --season DIR [--properties N,N] [--iterations N] [--json]
bench -- routing --rich [--json]
bench -- routing --against CHECKOUT --instances DIR | --families tune|report | --days DIR [--limit N] [--seconds N | --steps-per-visit N] [--seeds K] [--only NAME,NAME] [--json]
DIR of instances may come from SWATH_ROUTING_DATA.`

type Flag = (name: string) => string | undefined

/** The instances that the flags name, or null after a line that says what is missing. */
function instancesOf(flag: Flag): Instance[] | null {
  const half = flag('families')
  if (half !== undefined) return families(half, flag('towns'))
  const path = flag('instances') ?? process.env.SWATH_ROUTING_DATA
  if (path === undefined) {
    console.error(usage)
    process.exitCode = 2
    return null
  }
  return missing(path) ? null : readInstances(path)
}

/** Both checkouts by turns, a line a pair as it is known, and the sum of them. */
async function compare(folder: string, instances: readonly Instance[], flag: Flag, json: boolean): Promise<void> {
  if (instances.length === 0) return
  const perVisit = flag('steps-per-visit')
  const effort: Effort =
    perVisit === undefined ? { seconds: Number(flag('seconds') ?? 1) } : { stepsPerVisit: Number(perVisit) }
  const first = Number(flag('first-seed') ?? 1)
  const seeds = Array.from({ length: Number(flag('seeds') ?? 1) }, (_, k) => first + k)
  const runs = await runAgainst(folder, instances, seeds, effort, (one) => {
    if (json) console.log(JSON.stringify(one))
  })
  const sets = [...new Set(instances.map(({ set }) => set))].map((set) => {
    const names = new Set(instances.filter((one) => one.set === set).map(({ name }) => name))
    return { set, ...summaryOf(runs.filter(({ instance }) => names.has(instance))) }
  })
  const sums = [...sets, { set: 'all', ...summaryOf(runs) }]
  if (json) for (const line of sums) console.log(JSON.stringify(line))
  else {
    console.table(runs)
    console.table(sums)
  }
}

/** The half of the made-up instances for tuning or the one for reporting, lawns from the address files of `towns` if given. */
function families(half: string, towns: string | undefined): Instance[] {
  const places = towns === undefined ? [] : addressFiles(towns).map((file) => readPoints(readFileSync(file, 'utf8')))
  const odd = half === 'report' ? 1 : 0
  return Array.from({ length: FAMILIES / 2 }, (_, k) => family(2 * k + odd, places))
}

function runOne(instance: Instance, seed: number, seconds: number, islands: number): Run {
  const from = threadMilliseconds()
  const solution =
    islands > 1
      ? solveOnIslands(instance.problem, islands, seed, seconds)
      : solve(instance.problem, { seed, deadlineMs: seconds * 1000, now: threadMilliseconds, coolByTime: true })
  const spent = (threadMilliseconds() - from) / 1000
  // Families have preferences besides; a cent is a second in both.
  const cost = instance.best === null ? solution.cost.totalCents : solution.totals.driveSeconds
  const feasible = solution.unserved.length === 0 && check(instance.problem, solution).length === 0
  const gap = instance.best === null ? {} : { gap: Math.round((cost / instance.best - 1) * 1e6) / 1e4 }
  return {
    instance: instance.name,
    set: instance.set,
    seed,
    seconds: Math.round(spent * 1000) / 1000,
    cost,
    feasible,
    routes: solution.totals.routesUsed,
    iterations: solution.stats.iterations,
    ...gap,
  }
}

function printTable(runs: Run[], seconds: number): void {
  const mean = (list: number[]): number => list.reduce((a, b) => a + b, 0) / Math.max(1, list.length)
  const line = (name: string, list: Run[]): void => {
    const gaps = list.flatMap((r) => (r.gap === undefined ? [] : [r.gap]))
    const bad = list.filter((r) => !r.feasible).length
    console.log(
      `${name.padEnd(22)} ${mean(list.map((r) => r.cost))
        .toFixed(1)
        .padStart(11)} ${gaps.length ? mean(gaps).toFixed(2).padStart(8) : '       -'} ${mean(list.map((r) => r.routes))
        .toFixed(1)
        .padStart(7)} ${Math.round(mean(list.map((r) => r.iterations)))
        .toString()
        .padStart(10)} ${mean(list.map((r) => r.seconds))
        .toFixed(2)
        .padStart(7)}${bad ? `  ${bad} not feasible` : ''}`,
    )
  }
  console.log(
    `${'instance'.padEnd(22)} ${'mean cost'.padStart(11)} ${'gap %'.padStart(8)} ${'routes'.padStart(7)} ${'iterations'.padStart(10)} ${'CPU s'.padStart(7)}   (asked: ${seconds} s of one thread)`,
  )
  const sets = [...new Set(runs.map((r) => r.set))]
  for (const set of sets) {
    const members = runs.filter((r) => r.set === set)
    for (const name of new Set(members.map((r) => r.instance)))
      line(
        name,
        members.filter((r) => r.instance === name),
      )
  }
  console.log('')
  for (const set of sets) {
    const members = runs.filter((r) => r.set === set)
    const bySize = new Map<string, Run[]>()
    for (const r of members) {
      const size = /_(\d+)_\d+$/.exec(r.instance)?.[1]
      const key = size ? `${set} ${Number(size) * 100}` : set
      bySize.set(key, [...(bySize.get(key) ?? []), r])
    }
    for (const [key, list] of bySize) line(key, list)
  }
}
