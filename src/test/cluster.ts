import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { prepareBinaries } from '../platform/db/binaries.ts'
import {
  type Cluster,
  databaseUser,
  freePort,
  initCluster,
  startCluster,
  stopCluster,
  superuser,
} from '../platform/db/cluster.ts'
import { migrate } from '../platform/db/migrate.ts'
import { isProcessAlive, processBirth } from '../platform/db/processes.ts'

/** What a test worker needs to make its own database. */
export type TestServer = {
  /** The owner's address of the template database. */
  templateUrl: string
  /** Temporary folder of this run. */
  dir: string
  /** Starts the name of every database of this run. */
  prefix: string
  /** Whether a database that is done with goes at once. On a disk it stays until the end of the run. */
  dropsEarly: boolean
}

const folderPrefix = 'swath-test-'
const password = 'test'

/** The superuser's address of a database of ours: for a bench that fills tables whole. */
export const superuserUrl = (url: string): string => {
  const changed = new URL(url)
  changed.username = superuser
  changed.password = password
  return changed.toString()
}

const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const lastNames = new Map<string, string>()
let copies = 0

/** Makes a database as a copy of `template` (default: the migrated one); another worker may be copying it at this moment, or have it open for an instant. */
export const cloneTemplate = async (
  server: TestServer,
  suffix: string,
  template = new URL(server.templateUrl).pathname.slice(1),
): Promise<string> => {
  const before = lastNames.get(suffix)
  const name = `${server.prefix}_${suffix}_${process.pid}_${++copies}`
  lastNames.set(suffix, name)
  return withClient(withDatabase(server.templateUrl, 'postgres'), async (client) => {
    if (before && server.dropsEarly) await client.query(`drop database if exists ${before} with (force)`)
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query(`create database ${name} template ${template} strategy file_copy`)
        return withDatabase(server.templateUrl, name)
      } catch (error) {
        if ((error as { code?: string }).code !== '55006' || attempt === 100) throw error
        await sleep(50)
      }
    }
  })
}

/** Databases of earlier runs whose process is gone. */
const dropLeftOvers = (client: pg.Client, everything: string | undefined): Promise<void> =>
  client
    .query<{ datname: string }>("select datname from pg_database where datname like 'swath\\_test\\_%'")
    .then(async ({ rows }) => {
      for (const { datname } of rows) {
        const pid = Number(/^swath_test_(\d+)_/.exec(datname)?.[1])
        if (datname.startsWith(`${everything}_`) || !isProcessAlive(pid))
          await client.query(`drop database if exists ${datname} with (force)`).catch(() => undefined)
      }
    })

const removeLeftOverFolders = async (root: string): Promise<void> => {
  for (const name of readdirSync(root).filter((entry) => entry.startsWith(folderPrefix))) {
    const dir = join(root, name)
    const mark = join(dir, 'run')
    if (!existsSync(mark)) continue
    const [pid, birth] = readFileSync(mark, 'utf8').split(' ')
    if (isProcessAlive(Number(pid)) && processBirth(Number(pid)) === birth) continue
    await stopCluster(join(dir, 'cluster', 'data'))
    rmSync(dir, { recursive: true, force: true })
  }
}

/** A folder in memory, where the system has one with room for the databases of a run. */
const memory = (): string | undefined => {
  const root = '/dev/shm'
  if (!existsSync(root)) return undefined
  const { bavail, bsize } = statfsSync(root)
  return bavail * bsize > 2 ** 31 ? root : undefined
}

const makeFolder = (root = tmpdir()): string => {
  const dir = mkdtempSync(join(root, folderPrefix))
  chmodSync(dir, 0o755)
  writeFileSync(join(dir, 'run'), `${process.pid} ${processBirth(process.pid)}`)
  return dir
}

/** Fast and forgetful: a crash may lose everything. */
const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
}

const startEmbedded = async (dir: string, dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> => {
  const cluster: Cluster = {
    binaries: prepareBinaries(dir),
    dataDir,
    logFile: join(dir, 'postgres.log'),
    runAs: databaseUser(),
    settings: testSettings,
  }
  initCluster(cluster, password, { durable: false })
  const port = await freePort()
  await startCluster(cluster, port)
  await withClient(`postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`, (client) =>
    client.query(`create role swath_owner login createdb createrole password '${password}'`),
  )
  return {
    url: `postgres://swath_owner:${password}@127.0.0.1:${port}/postgres`,
    stop: () => stopCluster(cluster.dataDir),
  }
}

/**
 * A PostgreSQL for one test run with a migrated template: our own embedded one in a temporary folder, or the server at
 * SWATH_TEST_DATABASE_URL (the owner needs createdb and createrole, and nothing more). `small`: its databases fit into
 * memory, where making and dropping one costs a fraction of what a disk takes.
 */
export const startTestServer = async ({ small = false } = {}): Promise<TestServer & { stop: () => Promise<void> }> => {
  // what an earlier run left in memory is gone before anybody asks for room there
  for (const root of [tmpdir(), '/dev/shm']) if (existsSync(root)) await removeLeftOverFolders(root)
  const dir = makeFolder()
  const outside = process.env.SWATH_TEST_DATABASE_URL
  const root = small && !outside ? memory() : undefined
  const data = root ? makeFolder(root) : dir
  const server = outside
    ? { url: outside, stop: async () => undefined }
    : await startEmbedded(dir, join(data, 'cluster', 'data'))
  const prefix = `swath_test_${process.pid}`
  const template = `${prefix}_template`
  await withClient(withDatabase(server.url, 'postgres'), async (client) => {
    await dropLeftOvers(client, prefix)
    await client.query(`create database ${template}`)
  })
  const templateUrl = withDatabase(server.url, template)
  await migrate({ url: templateUrl })
  await runMigrations({ connectionString: templateUrl })
  return {
    templateUrl,
    dir,
    prefix,
    dropsEarly: root !== undefined || outside !== undefined,
    stop: async () => {
      if (outside) await withClient(withDatabase(outside, 'postgres'), (client) => dropLeftOvers(client, prefix))
      await server.stop()
      for (const folder of new Set([dir, data])) rmSync(folder, { recursive: true, force: true })
    },
  }
}
