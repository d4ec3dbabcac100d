import { randomUUID } from 'node:crypto'
import {
  chownSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import { clock } from '../clock.ts'
import { databaseUser, makePrivateDir, type RunAs, stopCluster } from './cluster.ts'
import { findInstance, makeDataDir, openInstance, saveInstance } from './instance.ts'
import { clusterDataDir, clusterHome, findEmbedded, findUser, StartError, startEmbedded } from './supervisor.ts'

const note = z.object({
  product: z.literal('swath'),
  createdAt: z.string(),
  kind: z.enum(['full', 'database']),
  postgres: z.string(),
  migration: z.string(),
})

/** What a backup folder says of itself. */
export type BackupNote = z.output<typeof note>

const noteFile = 'backup.json'

/** What belongs to the running server and not into a copy of the data folder. */
const notCopied = (name: string): boolean =>
  ['postgres', 'backups', 'log', 'running.json'].includes(name) || name.startsWith('pg-')

/** Parts of a cluster that are made anew at its start. */
const emptied = new Set([
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_replslot',
])
const leftOut = (name: string): boolean =>
  ['postmaster.pid', 'postmaster.opts', 'pg_internal.init'].includes(name) || name.startsWith('pgsql_tmp')

const copyTree = async (source: string, target: string, inside: string): Promise<void> => {
  await mkdir(target, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(source, { withFileTypes: true })) {
    if (leftOut(entry.name)) continue
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    try {
      if (entry.isDirectory()) {
        if (inside === '' && emptied.has(entry.name)) await mkdir(to, { mode: 0o700 })
        else await copyTree(from, to, join(inside, entry.name))
      } else if (entry.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE)
    } catch (error) {
      // a table dropped meanwhile; the log of the copy takes care of it
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/**
 * Copies a running cluster: consistent as of the end of the copy, with the log that recovery needs. A slot keeps that log from being recycled.
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
const copyCluster = async (adminUrl: string, source: string, target: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'swath-backup' })
  await client.connect()
  try {
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [`swath_backup_${process.pid}`])
    const started = await client.query<{ wal: string }>("select pg_walfile_name(pg_backup_start('swath', true)) as wal")
    await copyTree(source, target, '')
    const stopped = await client.query<{ wal: string; labelfile: string; spcmapfile: string }>(
      'select pg_walfile_name(lsn) as wal, labelfile, spcmapfile from pg_backup_stop(false)',
    )
    const [first, last] = [started.rows[0]?.wal ?? '', stopped.rows[0]?.wal ?? '']
    writeFileSync(join(target, 'backup_label'), stopped.rows[0]?.labelfile ?? '', { mode: 0o600 })
    if (stopped.rows[0]?.spcmapfile)
      writeFileSync(join(target, 'tablespace_map'), stopped.rows[0].spcmapfile, { mode: 0o600 })
    for (const name of readdirSync(join(source, 'pg_wal'))) {
      if (/^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
        copyFileSync(join(source, 'pg_wal', name), join(target, 'pg_wal', name))
    }
  } finally {
    await client.end()
  }
}

const describeDatabase = async (adminUrl: string): Promise<{ postgres: string; migration: string }> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const version = await client.query<{ server_version: string }>('show server_version')
    const known = await client.query("select to_regclass('public.schema_migrations') is not null as known")
    const last = known.rows[0]?.known
      ? await client.query<{ name: string }>('select name from schema_migrations order by number desc limit 1')
      : null
    return { postgres: version.rows[0]?.server_version ?? '', migration: last?.rows[0]?.name ?? '' }
  } finally {
    await client.end()
  }
}

/**
 * Copies the database of a data folder, which must be running, and for a full copy its files and keys as well, into the new folder `target`.
 * The files are copied after the database, so every row finds its file. Until it is whole the folder is called `<target>.partial`.
 */
export const backUp = async (wantedDir: string, target: string, kind: BackupNote['kind']): Promise<void> => {
  const dataDir = makeDataDir(wantedDir)
  const running = findEmbedded(dataDir)
  const instance = findInstance(dataDir)
  if (!running || !instance) throw new StartError(`The database of ${dataDir} does not run.`)
  if (existsSync(target)) throw new StartError(`${target} exists already; a backup wants a new folder.`)
  const draft = `${target}.partial`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const createdAt = clock.iso()
  await copyCluster(running.adminUrl, clusterDataDir(dataDir, instance), join(draft, 'database'))
  if (kind === 'full') {
    for (const name of readdirSync(dataDir)) {
      const inTarget = !relative(join(dataDir, name), resolve(target)).startsWith('..')
      if (!notCopied(name) && !inTarget)
        cpSync(join(dataDir, name), join(draft, 'data', name), { recursive: true, preserveTimestamps: true })
    }
  }
  const about: BackupNote = { product: 'swath', createdAt, kind, ...(await describeDatabase(running.adminUrl)) }
  writeFileSync(join(draft, noteFile), `${JSON.stringify(about, null, 2)}\n`)
  renameSync(draft, target)
}

/** A name that sorts by time: 2026-03-08T07-30-00Z. */
export const backupName = (): string =>
  clock
    .iso()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')

const keptBeforeChange = 3

/** The copy that is taken before a migration; the last three stay. */
export const copyBeforeChange = async (dataDir: string, migration: string): Promise<string> => {
  const folder = join(makeDataDir(dataDir), 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const target = join(folder, `${backupName()}-before-${migration.replace(/\.sql$/, '')}`)
  await backUp(dataDir, target, 'database')
  const old = readdirSync(folder)
    .filter((name) => name.includes('-before-') && !name.endsWith('.partial'))
    .sort()
  for (const name of old.slice(0, -keptBeforeChange)) rmSync(join(folder, name), { recursive: true, force: true })
  return target
}

/** Reads what a backup folder says of itself, or says what is wrong with it. */
export const readBackup = (source: string): BackupNote => {
  const path = join(source, noteFile)
  const parsed = existsSync(path) ? note.safeParse(JSON.parse(readFileSync(path, 'utf8'))) : null
  if (!parsed?.success || !existsSync(join(source, 'database', 'PG_VERSION')))
    throw new StartError(`${source} is not a whole backup of Swath.`)
  return parsed.data
}

const giveTo = (dir: string, runAs: RunAs | undefined): void => {
  if (!runAs) return
  chownSync(dir, runAs.uid, runAs.gid)
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) giveTo(path, runAs)
    else chownSync(path, runAs.uid, runAs.gid)
  }
}

const placeCluster = (source: string, home: string): void => {
  const runAs = databaseUser()
  const [target, draft, former] = [join(home, 'data'), join(home, 'data.new'), join(home, 'data.former')]
  mkdirSync(dirname(home), { recursive: true, mode: 0o755 })
  makePrivateDir(home, runAs)
  rmSync(draft, { recursive: true, force: true })
  cpSync(join(source, 'database'), draft, { recursive: true })
  giveTo(draft, runAs)
  makePrivateDir(draft, runAs)
  rmSync(former, { recursive: true, force: true })
  if (existsSync(target)) renameSync(target, former)
  renameSync(draft, target)
}

const proveIt = async (dataDir: string): Promise<void> => {
  const database = await startEmbedded(dataDir, 'restore')
  try {
    await describeDatabase(database.url)
  } finally {
    await database.stop()
  }
}

/**
 * Brings a full backup into a data folder that is new or empty, starts the database once to prove it, and stops it again.
 * The restored folder is an instance of its own: it never touches the cluster of the original.
 */
export const restoreAll = async (source: string, wantedDir: string): Promise<void> => {
  if (readBackup(source).kind !== 'full')
    throw new StartError(
      `${basename(source)} holds the database only: use --database-only on the data folder that it came from.`,
    )
  const dataDir = makeDataDir(wantedDir)
  if (readdirSync(dataDir).length > 0)
    throw new StartError(
      `${dataDir} is not empty. Restore into a new folder (SWATH_DATA_DIR=...), or move this one away first.`,
    )
  cpSync(join(source, 'data'), dataDir, { recursive: true, preserveTimestamps: true })
  const former = openInstance(dataDir)
  const instance = { ...former, id: randomUUID() as string, port: undefined }
  saveInstance(dataDir, instance)
  placeCluster(source, clusterHome(dataDir, instance))
  await proveIt(dataDir)
}

/** Puts the database of a backup in the place of the present one; files and keys stay. The former cluster is kept beside it as `data.former`. */
export const restoreDatabase = async (source: string, wantedDir: string): Promise<void> => {
  readBackup(source)
  const dataDir = makeDataDir(wantedDir)
  const user = findUser(dataDir)
  const instance = findInstance(dataDir)
  if (user) throw new StartError(`Stop Swath first: it runs with ${dataDir} (process ${user.pid}).`)
  if (!instance) throw new StartError(`${dataDir} holds no data of Swath; restore a full backup instead.`)
  // one that a killed server left running
  await stopCluster(clusterDataDir(dataDir, instance))
  placeCluster(source, clusterHome(dataDir, instance))
  await proveIt(dataDir)
}
