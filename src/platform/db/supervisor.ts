import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { clock } from '../clock.ts'
import { log } from '../log.ts'
import { prepareBinaries, rootHome } from './binaries.ts'
import {
  type Cluster,
  databaseUser,
  findRunning,
  freePort,
  initCluster,
  makePrivateDir,
  startCluster,
  stopCluster,
  superuser,
} from './cluster.ts'
import { findInstance, type Instance, makeDataDir, openInstance, saveInstance } from './instance.ts'
import { findHolder, type Holder, takeLock } from './lock.ts'
import { isProcessAlive } from './processes.ts'

/** A start that cannot go on; the message is one line for the person who starts the server. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StartError'
  }
}

const ownerRole = 'swath_owner'
const databaseName = 'swath'

const serverSettings = {
  max_connections: '60',
  shared_buffers: '128MB',
  // A business grows by thousands of rows in one action (import, season); its plans must know within seconds.
  autovacuum_naptime: '10s',
  autovacuum_analyze_scale_factor: '0.05',
  max_wal_size: '1GB',
  log_min_messages: 'warning',
  idle_session_timeout: '0',
  // After a crash each file of the folder is written out one by one before recovery begins: seconds on a busy disk. One call does it where there is one.
  ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
}

/** Where the cluster of a data folder stands. As root outside of it: the database's own user could not enter a folder of root. */
export const clusterHome = (dataDir: string, instance: Instance): string => {
  if (!databaseUser()) return join(dataDir, 'postgres')
  const folder = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  return join(rootHome, 'data', `${folder}-${instance.id}`)
}

export const clusterDataDir = (dataDir: string, instance: Instance): string =>
  join(clusterHome(dataDir, instance), 'data')

const address = (user: string, password: string, port: number, database: string): string =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`

/** Addresses of a running embedded database. */
export type EmbeddedUrls = {
  /** As the owner of the application's database, no superuser. */
  url: string
  /** As the superuser, for copies only. */
  adminUrl: string
  port: number
}

const urlsOf = (instance: Instance, port: number): EmbeddedUrls => ({
  url: address(ownerRole, instance.ownerPassword, port, databaseName),
  adminUrl: address(superuser, instance.superuserPassword, port, databaseName),
  port,
})

/** The addresses of the database of a data folder when it runs at this moment, else null. */
export const findEmbedded = (dataDir: string): EmbeddedUrls | null => {
  const instance = existsSync(dataDir) ? findInstance(makeDataDir(dataDir)) : null
  if (!instance) return null
  const running = findRunning(clusterDataDir(makeDataDir(dataDir), instance))
  return running?.ready ? urlsOf(instance, running.port) : null
}

type Home = { dataDir: string }

const writeHomeNote = (home: string, dataDir: string): void =>
  writeFileSync(join(home, 'home.json'), `${JSON.stringify({ dataDir } satisfies Home)}\n`)

const homeNote = (home: string): Home | null => {
  try {
    return JSON.parse(readFileSync(join(home, 'home.json'), 'utf8')) as Home
  } catch {
    return null
  }
}

/**
 * As root the cluster stands elsewhere, so a data folder that was moved or copied has to find it again: moved, it takes the cluster along;
 * copied, it gets a copy of a resting cluster, and is refused while the original runs.
 */
const followDataDir = (home: string, dataDir: string, instance: Instance): void => {
  if (!databaseUser() || existsSync(home)) return
  const parent = dirname(home)
  const former = existsSync(parent)
    ? readdirSync(parent)
        .filter((name) => name.endsWith(`-${instance.id}`))
        .map((name) => join(parent, name))
    : []
  const source = former.find((folder) => existsSync(join(folder, 'data', 'PG_VERSION')))
  if (!source) return
  const original = homeNote(source)?.dataDir ?? ''
  const isCopy = existsSync(join(original, 'instance.json')) && findInstance(original)?.id === instance.id
  if (findRunning(join(source, 'data'))) {
    throw new StartError(
      isCopy
        ? `${dataDir} is a copy of ${original}, which is running. Stop that one first, use "npm run backup" and "npm run restore", or remove the copy for a fresh start.`
        : `The database of ${dataDir} still runs from its former place ${original}. Stop it first.`,
    )
  }
  if (isCopy) spawnSync('cp', ['-a', source, home])
  else renameSync(source, home)
}

const keepLogSmall = (path: string): void => {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 20_000_000) renameSync(path, `${path}.1`)
}

const describe = (dataDir: string, instance: Instance): Cluster => ({
  binaries: prepareBinaries(dataDir),
  dataDir: clusterDataDir(dataDir, instance),
  logFile: join(dataDir, 'log', 'postgres.log'),
  runAs: databaseUser(),
  settings: serverSettings,
})

/** Opens the cluster of a data folder for the first time: into a draft, so that an interrupted initdb leaves nothing half-made. */
const makeCluster = (cluster: Cluster, instance: Instance): void => {
  const home = dirname(cluster.dataDir)
  if (existsSync(join(cluster.dataDir, 'PG_VERSION'))) return
  mkdirSync(dirname(home), { recursive: true, mode: 0o755 })
  if (cluster.runAs) chmodSync(dirname(home), 0o755)
  makePrivateDir(home, cluster.runAs)
  const draft = join(home, 'data.new')
  rmSync(draft, { recursive: true, force: true })
  initCluster({ ...cluster, dataDir: draft }, instance.superuserPassword, { durable: true })
  renameSync(draft, cluster.dataDir)
}

const makeOwner = async (instance: Instance, port: number): Promise<void> => {
  const client = new pg.Client({ connectionString: address(superuser, instance.superuserPassword, port, 'postgres') })
  await client.connect()
  try {
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [databaseName])
    if (rows.length > 0) return
    // the same rights that an outside PostgreSQL would give us: owner of one database, no superuser
    const role = await client.query('select 1 from pg_roles where rolname = $1', [ownerRole])
    if (role.rows.length === 0)
      await client.query(`create role ${ownerRole} login createrole password '${instance.ownerPassword}'`)
    await client.query(`create database ${databaseName} owner ${ownerRole}`)
  } finally {
    await client.end()
  }
}

const startOnFreePort = async (
  cluster: Cluster,
  preferred: number | undefined,
): Promise<{ pid: number; port: number }> => {
  for (let attempt = 1; ; attempt += 1) {
    const port = attempt === 1 && preferred ? preferred : await freePort()
    try {
      return { pid: await startCluster(cluster, port), port }
    } catch (error) {
      if (attempt === 4) throw error
    }
  }
}

const waitForReady = async (dataDir: string): Promise<{ pid: number; port: number } | null> => {
  for (let waited = 0; waited < 30_000; waited += 20) {
    const running = findRunning(dataDir)
    if (!running) return null
    if (running.ready) return running
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new StartError(
    `A database left running in ${dataDir} does not answer. Stop it (process ${findRunning(dataDir)?.pid}) and start again.`,
  )
}

const watchMs = 100
/** A database that answered this long was not killed by its own start. */
const steadyMs = 1_000

/** Starts the cluster again when it dies, later each time it dies soon after. */
const watch = (cluster: Cluster, port: number, firstPid: number): { stop: () => void } => {
  let pid = firstPid
  let stopped = false
  let failures = 0
  let startedAt = performance.now()
  let notBefore = 0
  let busy = false
  const check = async (): Promise<void> => {
    if (stopped || busy || isProcessAlive(pid, 'postgres')) return
    if (notBefore === 0) {
      failures = performance.now() - startedAt > steadyMs ? 0 : failures + 1
      notBefore = performance.now() + (failures === 0 ? 0 : Math.min(100 * 2 ** Math.min(failures, 9), 30_000))
      log.error({ pid }, 'the database stopped by itself; starting it again')
    }
    if (performance.now() < notBefore) return
    busy = true
    try {
      pid = findRunning(cluster.dataDir)?.pid ?? (await startCluster(cluster, port))
      startedAt = performance.now()
      log.warn({ pid }, 'the database runs again')
      if (stopped) await stopCluster(cluster.dataDir)
    } catch (error) {
      log.error({ err: error }, 'the database could not be started again')
    } finally {
      notBefore = 0
      busy = false
    }
  }
  const timer = setInterval(() => void check(), watchMs)
  timer.unref()
  return {
    stop: () => {
      stopped = true
      clearInterval(timer)
    },
  }
}

const forgottenFile = (home: string): string => join(home, 'forgotten')
const forgottenMs = 7 * 86_400_000

/**
 * Ends clusters of a data folder of this path that is gone: stopped at once, removed by the first start after a week. Not earlier, since a folder that
 * was moved looks like one that was deleted until it is started in its new place.
 */
const endForgotten = async (home: string, dataDir: string): Promise<void> => {
  if (!databaseUser() || !existsSync(dirname(home))) return
  const [folder] = basename(home).split('-')
  for (const name of readdirSync(dirname(home))) {
    const other = join(dirname(home), name)
    if (!name.startsWith(`${folder}-`) || other === home || homeNote(other)?.dataDir !== dataDir) continue
    await stopCluster(join(other, 'data'))
    const since = statSync(forgottenFile(other), { throwIfNoEntry: false })?.mtimeMs
    if (since === undefined) writeFileSync(forgottenFile(other), '')
    else if (clock.nowMs() - since > forgottenMs) {
      rmSync(other, { recursive: true, force: true })
      log.warn({ folder: other }, 'removed the database of a data folder that was deleted more than a week ago')
    }
  }
}

export type EmbeddedDatabase = EmbeddedUrls & {
  /** Real path of the data folder. */
  dataDir: string
  /** True when this start made the database. */
  fresh: boolean
  /** True when it was found running. */
  adopted: boolean
  /** Stops the database (the last process of this data folder does) and gives the folder free. */
  stop: () => Promise<void>
}

const lockFile = (dataDir: string): string => join(dataDir, 'running.json')

/** Which process runs with a data folder at this moment, else null. */
export const findUser = (dataDir: string): Holder | null =>
  existsSync(dataDir) ? findHolder(lockFile(makeDataDir(dataDir))) : null

/** The line for a second start with the same folder. */
export const alreadyRunning = (dataDir: string, pid: number): StartError =>
  new StartError(
    `Swath is already running with the data folder ${dataDir} (process ${pid}). Stop it, or set SWATH_DATA_DIR to another folder.`,
  )

/**
 * The database of a data folder, started or, when a killed process left it running, adopted. One process at a time may hold a folder.
 * @throws StartError in one line when another process holds the folder or the database does not start
 */
export const startEmbedded = async (wantedDir: string, what = 'server'): Promise<EmbeddedDatabase> => {
  const dataDir = makeDataDir(wantedDir)
  const lock = takeLock(lockFile(dataDir), what)
  if ('pid' in lock) throw alreadyRunning(dataDir, lock.pid)
  try {
    const instance = openInstance(dataDir)
    const home = clusterHome(dataDir, instance)
    followDataDir(home, dataDir, instance)
    rmSync(forgottenFile(home), { force: true })
    await endForgotten(home, dataDir)
    const cluster = describe(dataDir, instance)
    const fresh = !existsSync(join(cluster.dataDir, 'PG_VERSION'))
    makeCluster(cluster, instance)
    writeHomeNote(home, dataDir)
    keepLogSmall(cluster.logFile)
    const orphan = await waitForReady(cluster.dataDir)
    const { pid, port } = orphan ?? (await startOnFreePort(cluster, instance.port))
    if (instance.port !== port) saveInstance(dataDir, { ...instance, port })
    await makeOwner(instance, port)
    const watcher = watch(cluster, port, pid)
    return {
      ...urlsOf(instance, port),
      dataDir,
      fresh,
      adopted: orphan !== null,
      stop: async () => {
        watcher.stop()
        await stopCluster(cluster.dataDir)
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    if (error instanceof StartError) throw error
    throw new StartError(`Swath cannot start its database: ${(error as Error).message}`, error)
  }
}
