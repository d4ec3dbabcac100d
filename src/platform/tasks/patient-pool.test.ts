import { connect, createServer, type Socket } from 'node:net'
import { run } from 'graphile-worker'
import pg from 'pg'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { useDatabase } from '../../test/database.ts'
import { databaseUrl, ownerPool } from '../db/database.ts'
import { newId } from '../ids.ts'
import { patientPool } from './patient-pool.ts'

/** A way to the database that can be cut, as when it is killed: open connections end, new ones are refused. */
const aWayToTheDatabase = async () => {
  const url = new URL(databaseUrl())
  const [port, host] = [Number(url.port), url.hostname]
  const sockets = new Set<Socket>()
  let away = false
  const server = createServer((from) => {
    if (away) return void from.destroy()
    const to = connect(port, host)
    for (const socket of [from, to]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        for (const other of [from, to]) other.destroy()
        sockets.delete(socket)
      })
    }
    from.pipe(to).pipe(from)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.toString(),
    cut: () => {
      away = true
      for (const socket of sockets) socket.destroy()
    },
    fix: () => {
      away = false
    },
    close: () => server.close(),
  }
}

beforeAll(() => useDatabase())

it('a task that ends while the database is away is done once it is back, and nothing is left unhandled', async () => {
  const way = await aWayToTheDatabase()
  const pool = new pg.Pool({ connectionString: way.url, max: 4 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  const name = `test.${newId()}`
  let started = (): void => undefined
  let goOn = (): void => undefined
  const inTheMiddle = new Promise<void>((done) => (started = done))
  const resumed = new Promise<void>((done) => (goOn = done))
  let times = 0
  const runner = await run({
    pgPool: patientPool(pool),
    concurrency: 1,
    pollInterval: 100,
    noHandleSignals: true,
    taskList: {
      [name]: async () => {
        times += 1
        started()
        await resumed
      },
    },
  })
  onTestFinished(async () => {
    process.off('unhandledRejection', note)
    await runner.stop()
    await pool.end()
    way.close()
  })
  const { rows } = await ownerPool().query<{ id: string }>('select id from graphile_worker.add_job($1)', [name])
  await inTheMiddle
  way.cut()
  goOn()
  // the end of the task is noted in vain at least once before the way is open again
  await expect(pool.query('select 1')).rejects.toThrow()
  way.fix()
  await expect
    .poll(
      async () =>
        (await ownerPool().query('select 1 from graphile_worker._private_jobs where id = $1', [rows[0]?.id])).rowCount,
      { timeout: 60_000 },
    )
    .toBe(0)
  expect([times, unhandled]).toEqual([1, []])
}, 90_000)
