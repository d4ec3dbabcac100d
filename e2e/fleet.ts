import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Balancer, startBalancer } from '../scripts/web/balancer.ts'
import { freePort } from '../scripts/web/product.ts'
import { config } from '../src/platform/config.ts'
import { databaseUrl } from '../src/platform/db/database.ts'

/** How many servers answer a journey: by `npm test` the one of the test itself, with `SWATH_TEST_SERVERS=3` two more beside it. */
export const servers = Number(process.env.SWATH_TEST_SERVERS ?? '1')

const root = join(import.meta.dirname, '..')
let running: { balancer: Balancer; children: ChildProcess[] } | undefined

export const stopFleet = async (): Promise<void> => {
  const fleet = running
  running = undefined
  await fleet?.balancer.stop()
  for (const child of fleet?.children ?? []) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = new Promise((done) => child.once('close', done))
    child.kill('SIGKILL')
    await ended
  }
}

/** More servers on this test's database, in processes of their own, and a balancer in front of them and of the test's own server. */
export const startFleet = async (own: string): Promise<string> => {
  await stopFleet()
  const ports = await Promise.all(Array.from({ length: servers - 1 }, freePort))
  const children = ports.map((port) =>
    spawn(process.execPath, [join(root, 'src/main-api.ts')], {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        VITEST: '',
        DATABASE_URL: databaseUrl(),
        SWATH_DATA_DIR: config.dataDir,
        SWATH_ROLE: 'api',
        SWATH_DEMO: '0',
        SWATH_DB_POOL: '4',
        PORT: String(port),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  const balancer = await startBalancer([Number(new URL(own).port), ...ports])
  running = { balancer, children }
  const until = performance.now() + 90_000
  while (balancer.ready().length < servers) {
    if (children.some(({ exitCode }) => exitCode !== null) || performance.now() > until)
      throw new Error('A server of the journey did not start.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return balancer.base
}
