import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import pg from 'pg'
import { type Balancer, startBalancer } from '../scripts/web/balancer.ts'
import { freePort } from '../scripts/web/product.ts'
import { findInstance } from '../src/platform/db/instance.ts'
import { clusterHome, startEmbedded } from '../src/platform/db/supervisor.ts'
import { readOptions, report } from './options.ts'
import { until } from './product.ts'
import { openSession, type Session } from './session.ts'
import { startWriters, type Writers } from './writers.ts'

const root = resolve(import.meta.dirname, '..')

/** Longer than a balancer needs to see that a server leaves. */
const drainSeconds = 3

/** One place of the fleet, whose process is ended in order and followed by another one. */
type Place = { port: number | null; child: ChildProcess }

const isOver = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** The fleet on one database: servers that only answer, and workers. */
const startFleet = (url: string, dataDir: string) => {
  let output = ''
  const launch = (folder: string, port: number | null): ChildProcess => {
    const child = spawn(process.execPath, [join(folder, port === null ? 'src/main-worker.ts' : 'src/main-api.ts')], {
      cwd: folder,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PUBLIC_URL: '',
        DATABASE_URL: url,
        SWATH_DATA_DIR: dataDir,
        SWATH_DEMO: '1',
        SWATH_ROLE: port === null ? 'worker' : 'api',
        SWATH_LOG_LEVEL: 'warn',
        SWATH_DB_POOL: '6',
        SWATH_TRUST_PROXY: '1',
        SWATH_DRAIN_SECONDS: String(drainSeconds),
        PORT: String(port ?? 0),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-2_000_000)
      })
    return child
  }
  const places: Place[] = []
  const end = async ({ child }: Place): Promise<void> => {
    if (isOver(child)) return
    const ended = new Promise((done) => child.once('close', done))
    child.kill('SIGTERM')
    await ended
  }
  return {
    output: () => output,
    places,
    add: (folder: string, port: number | null): Place => {
      const place = { port, child: launch(folder, port) }
      places.push(place)
      return place
    },
    /** Ends what stands at a place and starts the release of `folder` there. */
    renew: async (place: Place, folder: string): Promise<void> => {
      await end(place)
      place.child = launch(folder, place.port)
    },
    stop: async (): Promise<void> => {
      await Promise.all(places.map(end))
    },
  }
}

/** What a person's screen knows of customers: it hears changes, and asks for all again when a stream broke off, as the app does. */
const startScreen = (base: string, session: Session, going: () => boolean) => {
  const heard = new Set<string>()
  let allAt = 0
  let opened = 0
  const all = (): void => {
    allAt = performance.now()
  }
  const listen = async (): Promise<void> => {
    const leaving = new AbortController()
    const watch = setInterval(() => {
      if (!going()) leaving.abort()
    }, 200)
    try {
      const response = await fetch(`${base}/api/events/stream`, { headers: session.headers(), signal: leaving.signal })
      if (!response.ok || !response.body) return
      opened += 1
      all()
      const parser = createParser({
        onEvent: ({ event, data }) => {
          if (event === 'missed') all()
          if (event !== 'change') return
          const { topic, ids } = JSON.parse(data) as { topic: string; ids: string[] }
          if (topic !== 'customers') return
          if (ids.length === 0) all()
          for (const id of ids) heard.add(id)
        },
      })
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) parser.feed(piece)
    } finally {
      clearInterval(watch)
    }
  }
  const run = async (): Promise<void> => {
    while (going()) {
      await listen().catch(() => undefined)
      await sleep(500 + Math.random() * 1_000)
    }
  }
  return {
    done: run(),
    opened: () => opened,
    /** Of what was made, what this screen can not have shown. */
    missing: (made: Writers['made']) =>
      [...made].filter(([id, at]) => !heard.has(id) && allAt < at && at < performance.now() - 1_000).length,
  }
}

/** Somebody in the office who looks at what is used most. */
const look = async (
  session: Session,
  going: () => boolean,
  seen: { statuses: Record<string, number>; ms: number[] },
) => {
  const paths = [
    '/api/dashboard',
    '/api/customers?limit=50',
    '/api/visits/day-board',
    '/api/invoices',
    '/',
    '/api/jobs',
  ]
  for (let n = 0; going(); n += 1) {
    const answer = await session.send('GET', paths[n % paths.length] ?? '/')
    const status = String(answer?.status ?? 'no answer')
    seen.statuses[status] = (seen.statuses[status] ?? 0) + 1
    if (answer) seen.ms.push(answer.ms)
  }
}

const percentile = (values: readonly number[], part: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0)

const withFleet = async (
  first: string,
  count: number,
  work: (
    fleet: ReturnType<typeof startFleet>,
    balancer: Balancer,
    query: (text: string, values?: unknown[]) => Promise<never[]>,
  ) => Promise<void>,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-rolling-'))
  const dataDir = join(folder, 'var')
  const database = await startEmbedded(dataDir, 'rolling')
  const fleet = startFleet(database.url, dataDir)
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const balancer = await startBalancer(ports)
  const allReady = (n: number) => () => {
    if (fleet.places.some(({ child }) => isOver(child)))
      throw new Error(`A process ended at its start: ${fleet.output().slice(-2000)}`)
    return balancer.ready().length >= n
  }
  try {
    // the first makes tables and demo, the others find them
    fleet.add(first, ports[0] ?? 0)
    await until('the first server', allReady(1))
    for (const port of ports.slice(1)) fleet.add(first, port)
    await until('all servers', allReady(count))
    for (let n = 0; n < 2; n += 1) fleet.add(first, null)
    await work(fleet, balancer, async (text, values) => {
      const client = new pg.Client({ connectionString: database.adminUrl })
      await client.connect()
      try {
        return (await client.query(text, values)).rows as never[]
      } finally {
        await client.end()
      }
    })
  } finally {
    await fleet.stop()
    await balancer.stop()
    const instance = findInstance(dataDir)
    await database.stop()
    if (instance) rmSync(clusterHome(dataDir, instance), { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * `npm run faults -- rolling [--servers 3] [--kills 2] [--seconds 5] [--before folder]`: servers and two workers behind a balancer are ended in order and
 * started again one by one, each `--kills` times, under people who read, write and listen. With `--before` they begin as the release that is set up in that
 * folder and go to this one, with its migrations.
 */
export const rolling = async (args: string[]): Promise<void> => {
  const options = readOptions(args, { kills: 2, seconds: 5 })
  const first = options.before ? resolve(options.before) : root
  await withFleet(first, options.servers, async (fleet, balancer, query) => {
    const session = await openSession(balancer.base)
    let running = true
    const going = (): boolean => running
    const writers = startWriters({ query }, session, options.writers)
    const [rest, restarting] = [
      { statuses: {}, ms: [] as number[] },
      { statuses: {}, ms: [] as number[] },
    ]
    const screens = Array.from({ length: 10 }, () => startScreen(balancer.base, session, going))
    let calm = true
    const calmEyes = Array.from({ length: options.writers }, () => look(session, () => calm, rest))
    await sleep(options.seconds * 1_000)
    calm = false
    await Promise.all(calmEyes)
    const eyes = Array.from({ length: options.writers }, () => look(session, going, restarting))
    let restarts = 0
    for (let round = 0; round < options.kills; round += 1)
      for (const place of fleet.places) {
        await fleet.renew(place, root)
        restarts += 1
        await until('a process after its restart', () => {
          if (isOver(place.child)) throw new Error(`A process ended at its start: ${fleet.output().slice(-2000)}`)
          return place.port === null || balancer.ready().includes(place.port)
        })
        await sleep(options.seconds * 200)
      }
    await writers.stop()
    await sleep(1_500)
    const missing = screens.map((screen) => screen.missing(writers.made))
    running = false
    await Promise.all([...eyes, ...screens.map(({ done }) => done)])
    const settled = await writers.settle()
    if (options.log) console.error(fleet.output())
    const unread = Object.entries(restarting.statuses).filter(([status]) => status !== '200')
    const result = {
      trial: 'rolling',
      servers: options.servers,
      workers: fleet.places.length - options.servers,
      restarts,
      release: options.before ? 'from the one before' : 'the same',
      ...settled,
      writes: JSON.stringify(writers.seen.statuses),
      unanswered: writers.seen.unanswered,
      reads: JSON.stringify(restarting.statuses),
      balancerFailed: balancer.failed(),
      streamsOpened: screens.reduce((sum, { opened }) => sum + opened(), 0),
      missedByScreens: missing.reduce((sum, n) => sum + n, 0),
      readP50AtRestMs: percentile(rest.ms, 0.5),
      readP99AtRestMs: percentile(rest.ms, 0.99),
      readP50Ms: percentile(restarting.ms, 0.5),
      readP99Ms: percentile(restarting.ms, 0.99),
    }
    const broken = [
      settled.lost > 0 && `${settled.lost} acknowledged writes lost`,
      settled.doubled > 0 && `${settled.doubled} writes doubled`,
      settled.deadKeys > 0 && `${settled.deadKeys} keys that nothing answers`,
      settled.otherAnswers > 0 && `${settled.otherAnswers} repeats answered otherwise`,
      writers.seen.unanswered > 0 && `${writers.seen.unanswered} writes without an answer`,
      Object.keys(writers.seen.statuses).some((status) => status !== '200') && 'writes were refused',
      unread.length > 0 && `reads were refused: ${JSON.stringify(unread)}`,
      result.missedByScreens > 0 && `${result.missedByScreens} changes that a screen missed`,
    ].filter((text) => text !== false)
    report(result, broken, options.json)
  })
}
