import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endProcesses, isProcessAlive, processesIn } from './processes.ts'

export type RunAs = { uid: number; gid: number }

/** One PostgreSQL data folder with what is needed to run it. */
export type Cluster = {
  /** Folder with bin/ and lib/. */
  binaries: string
  /** The cluster's own folder (PGDATA). */
  dataDir: string
  /** Where the server's messages go. */
  logFile: string
  /** The user it runs as when we are root. */
  runAs: RunAs | undefined
  /** Further settings of the server. */
  settings: Record<string, string>
}

export const superuser = 'postgres'

/** root may not run PostgreSQL: user `postgres`, else `nobody`. Undefined for an ordinary user. */
export const databaseUser = (): RunAs | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : { uid: 65_534, gid: 65_534 }
}

const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' })

/** Makes a folder that only the database's user may enter. */
export const makePrivateDir = (dir: string, runAs: RunAs | undefined): void => {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  chmodSync(dir, 0o700)
  if (runAs) chownSync(dir, runAs.uid, runAs.gid)
}

const tail = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(-4).join(' | ')
  } catch {
    return ''
  }
}

/**
 * initdb: UTF-8, builtin C.UTF-8, scram with the given password of the superuser.
 * @throws Error with initdb's own words
 */
export const initCluster = (cluster: Cluster, password: string, options: { durable: boolean }): void => {
  const home = dirname(cluster.dataDir)
  makePrivateDir(home, cluster.runAs)
  const passwordFile = join(home, 'password')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (cluster.runAs) chownSync(passwordFile, cluster.runAs.uid, cluster.runAs.gid)
  const args = [
    '-D',
    cluster.dataDir,
    '-U',
    superuser,
    '-E',
    'UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
  ]
  try {
    const done = spawnSync(join(cluster.binaries, 'bin', 'initdb'), options.durable ? args : [...args, '-N'], {
      cwd: home,
      env: environment(),
      encoding: 'utf8',
      ...cluster.runAs,
    })
    if (done.status !== 0)
      throw new Error(`The database could not be made: ${(done.error?.message ?? done.stderr ?? '').trim()}`)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

export type Running = { pid: number; port: number; ready: boolean }

/** What postmaster.pid of a cluster says, when that process lives and the file is this folder's own. */
export const findRunning = (dataDir: string): Running | null => {
  const path = join(dataDir, 'postmaster.pid')
  if (!existsSync(path)) return null
  const lines = readFileSync(path, 'utf8').split('\n')
  const pid = Number(lines[0])
  // a copied folder brings the file of the original along
  if (lines[1] !== dataDir || !isProcessAlive(pid, 'postgres')) return null
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/** A TCP port of the loopback that nobody uses at this moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port')),
      )
    })
  })

const waitUntilReady = async (cluster: Cluster, child: ChildProcess, timeoutMs: number): Promise<number> => {
  const until = performance.now() + timeoutMs
  while (performance.now() < until) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The database did not start: ${tail(cluster.logFile)}`)
    const running = findRunning(cluster.dataDir)
    if (running?.ready && running.pid === child.pid) return running.pid
    await sleep(10)
  }
  throw new Error(`The database did not get ready within ${timeoutMs / 1000} s: ${tail(cluster.logFile)}`)
}

/**
 * Starts the server detached (Ctrl-C must not stop it in the middle of our own shutdown), on the loopback only.
 * @throws Error with the end of its log when it does not come up
 */
export const startCluster = async (cluster: Cluster, port: number): Promise<number> => {
  if (!findRunning(cluster.dataDir)) {
    // what a killed server left behind still writes into the folder and holds its shared memory: no start while it lives
    await endProcesses(processesIn(cluster.dataDir, 'postgres'), 'postgres')
    rmSync(join(cluster.dataDir, 'postmaster.pid'), { force: true })
  }
  mkdirSync(dirname(cluster.logFile), { recursive: true })
  const output = openSync(cluster.logFile, 'a', 0o600)
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    ...cluster.settings,
  }
  const child = spawn(
    join(cluster.binaries, 'bin', 'postgres'),
    [
      '-D',
      cluster.dataDir,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    {
      cwd: dirname(cluster.dataDir),
      env: environment(),
      detached: true,
      stdio: ['ignore', output, output],
      ...cluster.runAs,
    },
  )
  closeSync(output)
  child.unref()
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  return Promise.race([waitUntilReady(cluster, child, 60_000), failed])
}

const waitUntilGone = async (dataDir: string, pid: number, timeoutMs: number): Promise<boolean> => {
  const until = performance.now() + timeoutMs
  while (performance.now() < until) {
    if (!existsSync(join(dataDir, 'postmaster.pid')) || !isProcessAlive(pid, 'postgres')) return true
    await sleep(10)
  }
  return false
}

/** Stops the server of a folder, if one runs: connections are ended, everything is written. */
export const stopCluster = async (dataDir: string): Promise<void> => {
  const running = findRunning(dataDir)
  if (!running) return
  for (const [signal, timeoutMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    try {
      process.kill(running.pid, signal)
    } catch {
      return
    }
    if (await waitUntilGone(dataDir, running.pid, timeoutMs)) return
  }
}
