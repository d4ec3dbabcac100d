import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer } from '../src/test/cluster.ts'

export type Ask = <T>(method: 'GET' | 'POST', url: string, payload?: object) => Promise<T>
export type BenchServer = {
  ask: Ask
  /** Answers with the token that `ask` now carries. */
  signIn: (email: string, password: string) => Promise<string>
  /** As the product owner of the local mode. */
  signInOwner: () => Promise<void>
  download: (url: string) => Promise<Buffer>
  /** A request as it is, with its answer as it is. */
  raw: (request: {
    url: string
    headers: Record<string, string>
    method?: 'GET' | 'POST'
    payload?: object
  }) => Promise<{ statusCode: number; body: string }>
  runTasks: () => Promise<void>
  /** From now on a browser may ask, too: at this address. */
  listen: () => Promise<string>
}

/** A server on a fresh database in a folder of its own, thrown away afterwards. */
export const withBenchServer = async (work: (server: BenchServer) => Promise<void>): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), 'swath-bench-'))
  process.env.SWATH_DATA_DIR = join(dir, 'var')
  process.env.SWATH_LOG_LEVEL ??= 'silent'
  const cluster = await startTestServer()
  const { cloneTemplate } = await import('../src/test/cluster.ts')
  const { closeDatabase, connectDatabase } = await import('../src/platform/db/database.ts')
  const { buildServer } = await import('../src/app-server.ts')
  const { globalTasks, tasks } = await import('../src/app-tasks.ts')
  const { runDueTasks } = await import('../src/platform/tasks/runner.ts')
  try {
    connectDatabase({ url: await cloneTemplate(cluster, 'bench'), max: 8 })
    const app = await buildServer()
    let token = ''
    const ask: Ask = async (method, url, payload) => {
      const answer = await app.inject({
        method,
        url,
        headers: { 'x-client-app': 'admin', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        ...(payload ? { payload } : {}),
      })
      if (answer.statusCode !== 200) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`)
      return answer.json()
    }
    await work({
      ask,
      signIn: async (email, password) => {
        token = (await ask<{ token: string }>('POST', '/api/auth/login', { email, password })).token
        return token
      },
      signInOwner: async () => {
        const body = { username: 'owner', password: 'demo-swath-2026' }
        token = (await ask<{ token: string }>('POST', '/api/owner/login', body)).token
      },
      download: async (url) => {
        const answer = await app.inject({ url, headers: { 'x-client-app': 'admin', authorization: `Bearer ${token}` } })
        if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
        return answer.rawPayload
      },
      raw: (request) => app.inject(request),
      runTasks: () => runDueTasks(tasks, globalTasks),
      listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    })
    await app.close()
    await closeDatabase()
  } finally {
    await cluster.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
