import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort, isUp } from '../scripts/web/product.ts'
import { findRunning, stopCluster } from '../src/platform/db/cluster.ts'
import { findInstance } from '../src/platform/db/instance.ts'
import { clusterDataDir, clusterHome, findEmbedded } from '../src/platform/db/supervisor.ts'

const root = resolve(import.meta.dirname, '..')

type Part = { child: ChildProcess; ended: Promise<unknown> }

/** The product in processes of its own on a data folder that is thrown away. */
export type Product = {
  base: string
  dataDir: string
  /** All that its processes wrote. */
  output: () => string
  /** What the database wrote. */
  databaseLog: () => string
  server: () => ChildProcess
  startServer: () => Promise<void>
  /** Starts a process that only works on tasks. */
  startWorker: () => Part
  /** The process of the database at this moment, or null. */
  databasePid: () => number | null
  /** Rows straight from the tables, past the wall between businesses. */
  query: <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<T[]>
}

export type ProductOptions = { env?: Record<string, string>; nodeFlags?: string[] }

/** Waits until `test` is true. @throws Error that names what was waited for */
export const until = async (what: string, test: () => Promise<boolean> | boolean, timeoutMs = 300_000) => {
  const end = performance.now() + timeoutMs
  while (performance.now() < end) {
    if (await test()) return
    await sleep(50)
  }
  throw new Error(`waited in vain for ${what}`)
}

/** Starts the product, works with it, stops all that was started and removes its folders. */
export const withProduct = async <T>(options: ProductOptions, work: (product: Product) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-faults-'))
  const dataDir = join(folder, 'var')
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const children: ChildProcess[] = []
  let output = ''
  let server: ChildProcess | undefined

  const launch = (entry: string): Part => {
    const child = spawn(process.execPath, [...(options.nodeFlags ?? []), join(root, entry)], {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        DATABASE_URL: '',
        PUBLIC_URL: '',
        SWATH_DEMO: '1',
        SWATH_LOG_LEVEL: 'warn',
        ...options.env,
        SWATH_DATA_DIR: dataDir,
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    children.push(child)
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-2_000_000)
      })
    return { child, ended: new Promise((done) => child.once('close', done)) }
  }
  const adminUrl = (): string => {
    const url = findEmbedded(dataDir)?.adminUrl
    if (!url) throw new Error('the database does not run')
    return url
  }

  const product: Product = {
    base,
    dataDir,
    output: () => output,
    databaseLog: () => readFileSync(join(dataDir, 'log', 'postgres.log'), 'utf8'),
    server: () => server!,
    startServer: async () => {
      const started = launch('src/main-api.ts').child
      server = started
      await until('the server', async () => {
        if (started.exitCode !== null || started.signalCode !== null)
          throw new Error(`The server ended before it answered: ${output.slice(-2000)}`)
        return isUp(base)
      })
    },
    startWorker: () => launch('src/main-worker.ts'),
    databasePid: () => {
      const instance = existsSync(dataDir) ? findInstance(dataDir) : null
      return instance ? (findRunning(clusterDataDir(dataDir, instance))?.pid ?? null) : null
    },
    query: async <R extends pg.QueryResultRow>(text: string, values?: unknown[]) => {
      const client = new pg.Client({ connectionString: adminUrl() })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query<R>(text, values)).rows
      } finally {
        await client.end()
      }
    },
  }
  try {
    await product.startServer()
    return await work(product)
  } finally {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise((done) => child.once('close', done))
      child.kill('SIGTERM')
      await Promise.race([ended, sleep(20_000).then(() => child.kill('SIGKILL'))])
    }
    const instance = existsSync(dataDir) ? findInstance(dataDir) : null
    if (instance) {
      await stopCluster(clusterDataDir(dataDir, instance))
      rmSync(clusterHome(dataDir, instance), { recursive: true, force: true })
    }
    rmSync(folder, { recursive: true, force: true })
  }
}
