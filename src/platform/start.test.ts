import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort, stopCluster } from './db/cluster.ts'
import { findInstance, type Instance } from './db/instance.ts'
import { isProcessAlive } from './db/processes.ts'
import { clusterDataDir, clusterHome } from './db/supervisor.ts'

// The real entry point in processes of its own, with data folders of its own.

const root = resolve(import.meta.dirname, '../..')
let folder: string
let started: ChildProcess[] = []
const dataDirs: string[] = []

type Server = {
  child: ChildProcess
  port: number
  dataDir: string
  output: () => string
  ended: Promise<number | null>
}

const launch = (
  dataDir: string,
  port: number,
  extra: { command?: string[]; env?: Record<string, string> } = {},
): Server => {
  const [command = process.execPath, ...args] = extra.command ?? [process.execPath, join(root, 'src/main-api.ts')]
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    VITEST: '',
    SWATH_DATA_DIR: dataDir,
    PORT: String(port),
    SWATH_DEMO: '0',
    ...extra.env,
  }
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  dataDirs.push(dataDir)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    child,
    port,
    dataDir,
    output: () => output,
    ended: new Promise((done) => child.once('close', (code) => done(code))),
  }
}

const until = async (what: string, test: () => Promise<boolean> | boolean, timeoutMs = 40_000): Promise<void> => {
  const end = performance.now() + timeoutMs
  while (performance.now() < end) {
    if (await test()) return
    await sleep(25)
  }
  throw new Error(`waited in vain for ${what}`)
}

const answers = (port: number, path = '/health'): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    (response) => response.ok,
    () => false,
  )

const healthy = async (server: Server): Promise<void> => {
  await until('health', async () => {
    if (server.child.exitCode !== null) throw new Error(`the server ended: ${server.output()}`)
    return answers(server.port)
  })
}

const databasePid = (dataDir: string): number => {
  const instance = findInstance(dataDir)
  const path = instance ? join(clusterDataDir(dataDir, instance), 'postmaster.pid') : ''
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : 0
}

const newDataDir = (name: string): string => join(folder, name)

const eachInstance = async (work: (dataDir: string, instance: Instance) => Promise<void> | void): Promise<void> => {
  for (const dataDir of new Set(dataDirs)) {
    const instance = existsSync(dataDir) ? findInstance(dataDir) : null
    if (instance) await work(dataDir, instance)
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-start-test-'))
})

// the folders stay from test to test: what one leaves behind the next has to take up
afterEach(async () => {
  for (const child of started) child.kill('SIGKILL')
  started = []
  await eachInstance((dataDir, instance) => stopCluster(clusterDataDir(dataDir, instance)))
})

afterAll(async () => {
  await eachInstance((dataDir, instance) => rmSync(clusterHome(dataDir, instance), { recursive: true, force: true }))
  rmSync(folder, { recursive: true, force: true })
})

describe('a start', { timeout: 180_000 }, () => {
  it('says where it is, and Ctrl-C ends server and database in order', async () => {
    const server = launch(newDataDir('a'), await freePort())
    await healthy(server)
    await until('the greeting', () => server.output().includes(`http://localhost:${server.port}`))
    const database = databasePid(server.dataDir)
    expect(isProcessAlive(database, 'postgres')).toBe(true)
    server.child.kill('SIGINT')
    expect(await server.ended).toBe(0)
    expect(isProcessAlive(database, 'postgres')).toBe(false)
    expect(server.output()).not.toContain('Error')
    expect(server.output()).toContain('Swath ends because of SIGINT.')
  })

  it('one that is told to end says that it leaves and answers on, until a balancer has seen it', async () => {
    const server = launch(join(folder, 'drain'), await freePort(), { env: { SWATH_DRAIN_SECONDS: '3' } })
    await healthy(server)
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`)
      return [response.status, response.headers.get('connection'), (await response.text()).slice(0, 60)]
    }
    expect(await ask('/ready')).toEqual([200, 'keep-alive', '{"status":"ready"}'])
    server.child.kill('SIGTERM')
    await until('that it leaves', async () => !(await answers(server.port, '/ready')))
    expect(await ask('/ready')).toEqual([503, 'close', '{"status":"leaving"}'])
    expect(await ask('/api/health')).toEqual([200, 'close', '{"status":"ok"}'])
    expect(await server.ended).toBe(0)
  })

  it('takes up a database that a killed server left running, and one that was stopped', async () => {
    const first = launch(newDataDir('a'), await freePort())
    await healthy(first)
    const database = databasePid(first.dataDir)
    first.child.kill('SIGKILL')
    await first.ended
    expect(isProcessAlive(database, 'postgres')).toBe(true)

    const second = launch(first.dataDir, first.port)
    await healthy(second)
    expect(databasePid(first.dataDir)).toBe(database)
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(isProcessAlive(database, 'postgres')).toBe(false)

    const third = launch(first.dataDir, first.port)
    await healthy(third)
  })

  it('a second one with the same folder is one clear line', async () => {
    const first = launch(newDataDir('a'), await freePort())
    await healthy(first)
    const second = launch(first.dataDir, await freePort())
    expect(await second.ended).toBe(1)
    expect(second.output().trim()).toMatch(/^Swath is already running with the data folder .*\/a \(process \d+\)\. .*$/)
    expect(await answers(first.port)).toBe(true)
  })

  it('a port in use is one clear line, and nothing is made', async () => {
    const first = launch(newDataDir('a'), await freePort())
    await healthy(first)
    const second = launch(newDataDir('unmade'), first.port)
    expect(await second.ended).toBe(1)
    expect(second.output().trim()).toBe(
      `Port ${first.port} is already in use. Stop what uses it, or choose another one: PORT=${first.port + 1} npm start`,
    )
    expect(existsSync(second.dataDir)).toBe(false)
  })

  it('two folders are two databases', async () => {
    const [first, second] = [launch(newDataDir('a'), await freePort()), launch(newDataDir('b'), await freePort())]
    await Promise.all([healthy(first), healthy(second)])
    expect(databasePid(first.dataDir)).not.toBe(databasePid(second.dataDir))
    const ports = [first, second].map(({ dataDir }) => findInstance(dataDir)?.port)
    expect(new Set(ports).size).toBe(2)
  })

  it('starts the database again when it dies', async () => {
    const server = launch(newDataDir('a'), await freePort())
    await healthy(server)
    const database = databasePid(server.dataDir)
    process.kill(database, 'SIGKILL')
    await until(
      'another database',
      () => databasePid(server.dataDir) !== database && isProcessAlive(databasePid(server.dataDir), 'postgres'),
    )
    await until('readiness', () => answers(server.port, '/ready'))
  })

  // only as root does the database stand outside of its data folder
  it.runIf(process.getuid?.() === 0)('removes the database of a deleted data folder a week later', async () => {
    const dataDir = newDataDir('deleted')
    const startOnce = async () => {
      const server = launch(dataDir, await freePort())
      await healthy(server)
      server.child.kill('SIGTERM')
      await server.ended
      return clusterHome(dataDir, findInstance(dataDir) as Instance)
    }
    const former = await startOnce()
    rmSync(dataDir, { recursive: true })
    const present = await startOnce()
    const mark = join(former, 'forgotten')
    expect([present === former, existsSync(mark), existsSync(join(present, 'forgotten'))]).toEqual([false, true, false])
    const past = new Date(Date.now() - 8 * 86_400_000)
    utimesSync(mark, past, past)
    await startOnce()
    expect([existsSync(former), existsSync(present)]).toEqual([false, true])
  })

  it('goes when the npm that started it is killed hard', async () => {
    const script = `"${process.execPath}" src/main-api.ts & echo server $!; wait`
    const server = launch(newDataDir('a'), await freePort(), {
      command: ['sh', '-c', script],
      env: { npm_lifecycle_event: 'start' },
    })
    await healthy(server)
    const pid = Number(/server (\d+)/.exec(server.output())?.[1])
    const database = databasePid(server.dataDir)
    server.child.kill('SIGKILL')
    await until('the end of the server', () => !isProcessAlive(pid), 5_000)
    await until('the end of the database', () => !isProcessAlive(database, 'postgres'), 5_000)
  })

  it('a value that cannot be used is one line before anything is made', async () => {
    const server = launch(newDataDir('unmade'), 1, { env: { PORT: 'http' } })
    expect(await server.ended).toBe(1)
    expect(server.output().trim()).toBe(
      'Swath cannot start: PORT must be a port number from 0 to 65535 (it is "http").',
    )
    expect(existsSync(server.dataDir)).toBe(false)
  })
})
