import { createHash } from 'node:crypto'
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
import { hostname, tmpdir } from 'node:os'
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
import { appRole, prospectsRole } from '../platform/db/database.ts'
import { migrate } from '../platform/db/migrate.ts'
import { isProcessAlive, processBirth } from '../platform/db/processes.ts'
import { randomToken } from '../platform/ids.ts'
import { cloneOnNodes, createOnNodes, distributeTemplate, dropOnNodes, nodesOf } from './citus.ts'

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
  /** The administrator's addresses of every node where the server is a Citus, the coordinator first; else empty. */
  nodes: string[]
}

const folderPrefix = 'swath-test-'
const password = 'test'

/** Whether tests may ask for `superuserUrl`: not where `npm run test:database` was given the address of a mere owner. */
export const hasSuperuser = !process.env.SWATH_TEST_DATABASE_URL || process.env.SWATH_TEST_DATABASE_ADMIN === '1'

/** The superuser's address of a database of ours: for a bench that fills tables whole, and tests that go past the triggers. */
export const superuserUrl = (url: string): string => {
  const changed = new URL(url)
  const outside = process.env.SWATH_TEST_DATABASE_URL
  changed.username = outside ? new URL(outside).username : superuser
  changed.password = outside ? new URL(outside).password : password
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
  if (server.nodes.length > 0) {
    if (before) await dropOnNodes(server.nodes, before)
    await cloneOnNodes(server.nodes, name, template, new URL(server.templateUrl).username)
    return withDatabase(server.templateUrl, name)
  }
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

/** Every database and role of a run is called so, and nobody else's is: which machine, which process. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const prefixOf = (pid: number): string => `swath_test_${machine}_${pid}`
const ours = new RegExp(`^swath_test_${machine}_(\\d+)_`)

/** What `everything` names, and what runs of this machine left whose process is gone. Other names are never touched. */
const dropLeftOvers = async (client: pg.Client, everything: string): Promise<void> => {
  const isDone = (name: string): boolean => {
    const pid = ours.exec(name)?.[1]
    return pid !== undefined && (name.startsWith(`${everything}_`) || !isProcessAlive(Number(pid)))
  }
  const names = async (query: string): Promise<string[]> =>
    (await client.query<{ name: string }>(query)).rows.map(({ name }) => name).filter(isDone)
  for (const name of await names('select datname as name from pg_database'))
    await client.query(`drop database if exists ${name} with (force)`).catch(() => undefined)
  for (const name of await names('select rolname as name from pg_roles'))
    await client.query(`drop role if exists ${name}`).catch(() => undefined)
}

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

/** An administrator's address is not worked with: the tests get an owner of their own, with the rights that the product asks for. */
const ownOwner = async (url: string, prefix: string): Promise<string> => {
  const owner = `${prefix}_owner`
  const secret = randomToken(16)
  await withClient(url, async (client) => {
    await client.query(`create role ${owner} login createdb createrole password '${secret}'`)
    for (const role of [appRole, prospectsRole]) {
      await client.query(`create role ${role} nologin`).catch((error: { code?: string }) => {
        if (error.code !== '42710') throw error
      })
      await client.query(`grant ${role} to ${owner}`)
    }
  })
  const changed = new URL(url)
  changed.username = owner
  changed.password = secret
  return changed.toString()
}

type Server = { url: string; nodes: string[]; stop: () => Promise<void> }

/** Somebody else's server: nothing is dropped on it but what is called as ours. */
const workOutside = async (url: string, prefix: string): Promise<Server> => {
  const { isAdministrator, nodes } = await withClient(url, async (client) => {
    const { rows } = await client.query<{ rolsuper: boolean }>(
      'select rolsuper from pg_roles where rolname = current_user',
    )
    return { isAdministrator: rows[0]?.rolsuper, nodes: await nodesOf(client, url) }
  })
  if (nodes.length > 0 && !isAdministrator)
    throw new Error('On a Citus the tests need the address of an administrator.')
  const clean = async (): Promise<void> => {
    // the coordinator last: it takes the roles away everywhere
    for (const node of nodes.length > 0 ? nodes.toReversed() : [url])
      await withClient(node, (client) => dropLeftOvers(client, prefix))
  }
  await clean()
  return { url: isAdministrator ? await ownOwner(url, prefix) : url, nodes, stop: clean }
}

/**
 * A PostgreSQL for one test run with a migrated template: our own embedded one in a temporary folder, or the server at
 * SWATH_TEST_DATABASE_URL (`npm run test:database`): an administrator's address, or an owner's with createdb and createrole. `small`: its databases
 * fit into memory, where making and dropping one costs a fraction of what a disk takes.
 */
export const startTestServer = async ({ small = false } = {}): Promise<TestServer & { stop: () => Promise<void> }> => {
  // what an earlier run left in memory is gone before anybody asks for room there
  for (const root of [tmpdir(), '/dev/shm']) if (existsSync(root)) await removeLeftOverFolders(root)
  const dir = makeFolder()
  const outside = process.env.SWATH_TEST_DATABASE_URL
  const root = small && !outside ? memory() : undefined
  const data = root ? makeFolder(root) : dir
  const prefix = prefixOf(process.pid)
  const server: Server = outside
    ? await workOutside(withDatabase(outside, 'postgres'), prefix)
    : { ...(await startEmbedded(dir, join(data, 'cluster', 'data'))), nodes: [] }
  const template = `${prefix}_template`
  const templateUrl = withDatabase(server.url, template)
  if (server.nodes.length > 0) await createOnNodes(server.nodes, template, new URL(server.url).username)
  else await withClient(withDatabase(server.url, 'postgres'), (client) => client.query(`create database ${template}`))
  await migrate({ url: templateUrl })
  await runMigrations({ connectionString: templateUrl })
  if (server.nodes.length > 0) await distributeTemplate(server.nodes, templateUrl)
  return {
    templateUrl,
    dir,
    prefix,
    nodes: server.nodes,
    dropsEarly: root !== undefined || outside !== undefined,
    stop: async () => {
      await server.stop()
      for (const folder of new Set([dir, data])) rmSync(folder, { recursive: true, force: true })
    },
  }
}
