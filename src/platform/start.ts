import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { DatabaseError } from 'pg'
import { ConfigError, config } from './config.ts'
import { copyBeforeChange } from './db/backup.ts'
import { freePort } from './db/cluster.ts'
import { closeDatabase, connectDatabase, ownerPool } from './db/database.ts'
import { isConnectionFailure } from './db/errors.ts'
import { MigrationError, migrate } from './db/migrate.ts'
import { alreadyRunning, findEmbedded, findUser, StartError, startEmbedded } from './db/supervisor.ts'
import { signingKey } from './keys.ts'
import { beginLeaving } from './leaving.ts'
import { log } from './log.ts'
import { checkStorage } from './storage.ts'

type Stoppable = { stop: () => Promise<void> }

/** What the entry points hand in; each part is loaded while the database comes up. */
export type Parts = {
  /** Absent in a process that only works on tasks. */
  loadServer?: () => Promise<FastifyInstance>
  /** Absent in a process that only answers. */
  loadTasks?: () => Promise<Stoppable>
  /** Makes the demo business when it is not there yet. */
  loadDemo?: () => Promise<void>
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const isPortFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    // no IPv6 on this machine is no reason
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })

const portInUse = (): StartError =>
  new StartError(
    `Port ${config.port} is already in use. Stop what uses it, or choose another one: PORT=${config.port + 1} npm start`,
  )

/** Looks before anything is started; a browser that asks for localhost may try ::1 first, so somebody else's server there is in the way too. */
const checkPort = async (): Promise<void> => {
  if (config.port === 0) {
    const port = await freePort()
    Object.assign(config, { port, publicUrl: config.production ? config.publicUrl : `http://localhost:${port}` })
    return
  }
  if (config.port < 1024 && process.getuid?.() !== 0) return
  const hosts = config.production ? [config.host] : [config.host, '::1']
  for (const host of hosts) if (!(await isPortFree(config.port, host))) throw portInUse()
}

type Database = Stoppable & { url: string; embedded: boolean }

const openDatabase = async (what: 'api' | 'worker'): Promise<Database> => {
  if (config.databaseUrl) return { url: config.databaseUrl, embedded: false, stop: async () => undefined }
  const user = findUser(config.dataDir)
  if (user && user.what !== what) {
    const running = findEmbedded(config.dataDir)
    if (running) return { url: running.url, embedded: true, stop: async () => undefined }
  }
  const started = await startEmbedded(config.dataDir, what)
  if (started.adopted) log.info('took up a database that was left running')
  return { url: started.url, embedded: true, stop: started.stop }
}

/** Wrong name, password or database, or nothing there. */
const unreachable = (error: unknown): boolean =>
  isConnectionFailure(error) ||
  ['28P01', '28000', '3D000', '42501'].includes(String((error as { code?: unknown }).code))

const prepareDatabase = async (database: Database): Promise<void> => {
  const { hostname, port, pathname } = new URL(database.url)
  await migrate({
    url: database.url,
    ...(database.embedded
      ? {
          beforeChange: async (pending: string[]) => {
            const copy = await copyBeforeChange(config.dataDir, pending[0] ?? 'change')
            say(`Copied the data to ${copy} before changing their shape.`)
          },
        }
      : {}),
  }).catch((error: Error) => {
    if (!unreachable(error)) throw error
    throw new StartError(
      `Swath cannot use the database ${hostname}:${port || 5432}${pathname}: ${error.message}`,
      error,
    )
  })
  connectDatabase({ url: database.url })
  const { migrateTasks } = await import('./tasks/runner.ts')
  await migrateTasks(ownerPool())
}

/** A bucket that cannot be used is said at the start, not by the first photo. */
const lookForFiles = (): Promise<void> =>
  checkStorage().catch((error: Error) => {
    const why = error.cause instanceof Error ? error.cause.message : error.message
    throw new StartError(`Swath cannot use SWATH_FILES=s3://${config.files?.bucket}: ${why}`, error)
  })

const greet = (withDemo: boolean): void => {
  say(`\n  Swath is ready: ${config.publicUrl}\n`)
  if (config.production) return
  if (config.demo && withDemo) {
    say('  Demo sign-ins, password of all: demo-swath-2026')
    say('    owner@demo.swath.test   admin@demo.swath.test   crew@demo.swath.test   product owner: owner\n')
  }
  say(`  Data: ${config.databaseUrl ? 'DATABASE_URL, files in ' : ''}${config.dataDir}   Stop: Ctrl-C\n`)
}

const graceMs = config.production ? 10_000 : 800

const closeServer = async (server: FastifyInstance): Promise<void> => {
  // event streams never end by themselves
  const timer = setTimeout(() => server.server.closeAllConnections(), graceMs)
  await server.close()
  clearTimeout(timer)
}

const listen = async (server: FastifyInstance): Promise<void> => {
  try {
    await server.listen({ port: config.port, host: config.host })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EADDRINUSE') throw portInUse()
    if (code === 'EACCES')
      throw new StartError(`Port ${config.port} is only for an administrator; choose one from 1024 on.`)
    throw error
  }
}

/** npm killed hard cannot tell us; under npm we go when it goes. */
const watchParent = (): void => {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid === parent) return
    process.stderr.write('Swath ends because the npm that started it is gone.\n')
    process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}

const diskCodes = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC']

const oneLine = (error: unknown): string | null => {
  if (error instanceof StartError || error instanceof MigrationError || error instanceof ConfigError)
    return error.message
  const { code, path, message } = (error ?? {}) as NodeJS.ErrnoException
  return code && path && diskCodes.includes(code)
    ? `Swath cannot write its data in ${config.dataDir}: ${message}`
    : null
}

/** What and where, without the message of an error that may hold somebody's data: the database quotes the row that it refused. */
const withoutData = (error: unknown): string => {
  const { name, code, message, stack } = (error ?? {}) as NodeJS.ErrnoException
  const at = /^\s*at (.+)$/m.exec(stack ?? '')?.[1] ?? 'an unknown place'
  const line = error instanceof DatabaseError || message === undefined ? (code ?? '') : message.split('\n')[0]
  return `${name ?? typeof error} ${line} at ${at}`.slice(0, 400)
}

/**
 * Decides on an error that nobody handled, and says it in one line whatever the log level is. A connection that the database cut off leaves nothing
 * half-done in this process: it goes on. After anything else nobody knows what is half-done: it ends, and the service manager starts it again.
 */
const survives = (error: unknown): boolean => {
  if (isConnectionFailure(error)) {
    log.error({ reason: withoutData(error) }, 'a database connection failed where nobody waited for it; going on')
    return true
  }
  process.stderr.write(`Swath ends because of an error that nobody handled: ${withoutData(error)}\n`)
  return false
}

/** The whole error of a start that failed, and what the database said below a sentence that is meant for a screen. */
const inFull = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? `${error.stack}` : `${error.stack}\nBecause of: ${withoutData(error.cause)}`
}

class Interrupted extends Error {}

/** Starts this process, says where it is, and ends it in order on Ctrl-C and TERM; the data folder is left so that the next start takes it up. */
export const start = async (parts: Parts): Promise<void> => {
  const what = parts.loadServer ? 'api' : 'worker'
  const ends: (() => Promise<unknown>)[] = []
  let stopping = false
  const goOn = (): void => {
    if (stopping) throw new Interrupted()
  }

  const bringUp = async (): Promise<void> => {
    if (!config.databaseUrl) {
      const user = findUser(config.dataDir)
      if (user && (user.what === what || user.what === 'restore')) throw alreadyRunning(config.dataDir, user.pid)
    }
    if (parts.loadServer) await checkPort()
    // made or read now, so that keys which cannot be used are said at once
    signingKey('link')
    await lookForFiles()
    goOn()
    const database = await openDatabase(what)
    ends.push(database.stop)
    goOn()
    await prepareDatabase(database)
    ends.push(closeDatabase)
    goOn()
    if (config.demo) await parts.loadDemo?.()
    goOn()
    if (parts.loadTasks) ends.push((await parts.loadTasks()).stop)
    goOn()
    if (!parts.loadServer) return say('Swath works on its tasks. Stop: Ctrl-C')
    const server = await parts.loadServer()
    ends.push(() => closeServer(server))
    goOn()
    await listen(server)
    goOn()
    greet(parts.loadDemo !== undefined)
  }

  const shutDown = async (code: number, running: Promise<unknown>): Promise<void> => {
    if (stopping) return
    stopping = true
    setTimeout(
      () => {
        process.stderr.write('Swath could not end in order within its time and ends hard.\n')
        process.exit(1)
      },
      config.drainSeconds * 1_000 + graceMs + 25_000,
    ).unref()
    await running.catch(() => undefined)
    beginLeaving()
    if (parts.loadServer && code === 0 && config.drainSeconds > 0) await sleep(config.drainSeconds * 1_000)
    for (const end of ends.reverse())
      await end().catch((error: unknown) => log.error({ err: error }, 'could not end in order'))
    process.exit(code)
  }

  const running = bringUp()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping) say(`Swath ends because of ${signal}.`)
      void shutDown(0, running)
    })
  }
  process.on('exit', (code) => {
    if (!stopping) process.stderr.write(`Swath ends with ${code}, and nobody asked it to.\n`)
  })
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => {
      if (!survives(error)) void shutDown(1, running)
    })
  }
  watchParent()
  try {
    await running
  } catch (error) {
    if (error instanceof Interrupted) return
    process.stderr.write(`${oneLine(error) ?? inFull(error)}\n`)
    await shutDown(1, Promise.resolve())
  }
}
