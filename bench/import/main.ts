import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CustomerListItem } from '../../src/features/customers/contract.ts'
import type { ImportRecord } from '../../src/features/imports/contract.ts'
import { startTestServer } from '../../src/test/cluster.ts'

/** A list of `count` invented customers on one grid of streets; every tenth has a second property. */
const inventedList = (count: number): string => {
  const streets = [
    'Oak Street',
    'Elm Avenue',
    'Tidewater Way',
    'Laurel Green Court',
    'Vernon River Drive',
    'Bull Street',
  ]
  const lines = ['Customer name,Email,Mobile,Street,City,State,ZIP,Latitude,Longitude,Lawn sq ft,Gate code,Tags,Notes']
  for (let i = 0; i < count; i++) {
    const person = i % 10 === 9 ? i - 1 : i
    lines.push(
      [
        `Customer ${person}`,
        `customer${person}@bench.test`,
        `912${String(2_000_000 + person).padStart(7, '0')}`,
        `${100 + i} ${streets[i % streets.length]}`,
        'Savannah',
        'GA',
        `314${String(i % 20).padStart(2, '0')}`,
        (32 + (i % 97) / 1000).toFixed(6),
        (-81.1 - (i % 89) / 1000).toFixed(6),
        3000 + (i % 50) * 100,
        i % 25 === 0 ? String(1000 + i) : '',
        i % 3 === 0 ? 'weekly' : '"weekly; front gate"',
        i % 7 === 0 ? '"Call first, please"' : '',
      ].join(','),
    )
  }
  return lines.join('\n')
}

/** Times a customer import through HTTP and the worker's tasks on a fresh database: upload, dry run, writing, first list. */
export const run = async (args: string[]): Promise<void> => {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 5000)
  const dir = mkdtempSync(join(tmpdir(), 'swath-bench-'))
  process.env.SWATH_DATA_DIR = join(dir, 'var')
  process.env.SWATH_LOG_LEVEL ??= 'silent'
  const cluster = await startTestServer()
  const { cloneTemplate } = await import('../../src/test/cluster.ts')
  const { closeDatabase, connectDatabase } = await import('../../src/platform/db/database.ts')
  const { buildServer } = await import('../../src/app-server.ts')
  const { globalTasks, tasks } = await import('../../src/app-tasks.ts')
  const { runDueTasks } = await import('../../src/platform/tasks/runner.ts')
  try {
    connectDatabase({ url: await cloneTemplate(cluster, 'bench'), max: 8 })
    const app = await buildServer()
    const { token } = await benchBusiness()
    const ask = async <T>(method: 'GET' | 'POST', url: string, payload?: object): Promise<T> => {
      const answer = await app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${token}`, 'x-client-app': 'admin' },
        ...(payload ? { payload } : {}),
      })
      if (answer.statusCode !== 200) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`)
      return answer.json() as T
    }
    const steps: { step: string; seconds: number }[] = []
    const timed = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
      const start = performance.now()
      const result = await work()
      steps.push({ step, seconds: Math.round(performance.now() - start) / 1000 })
      return result
    }
    const text = inventedList(count)
    const made = await timed('upload and read', () =>
      ask<ImportRecord>('POST', '/api/imports', { fileName: 'bench.csv', text }),
    )
    const checked = await timed('dry run', () => ask<ImportRecord>('POST', `/api/imports/${made.id}/check`))
    await timed('write', async () => {
      await ask('POST', `/api/imports/${made.id}/confirm`, {})
      await runDueTasks(tasks, globalTasks)
    })
    const list = await timed('first page of the list', () =>
      ask<{ items: CustomerListItem[]; total: number }>('GET', '/api/customers'),
    )
    await timed('search', () => ask('GET', '/api/customers?q=vernon%20river'))
    await timed('map', () => ask('GET', '/api/customers/map'))
    const result = {
      rows: count,
      good: checked.okCount,
      customers: list.total,
      steps,
      totalSeconds: Math.round(steps.slice(0, 3).reduce((sum, s) => sum + s.seconds, 0) * 1000) / 1000,
    }
    if (args.includes('--json')) console.log(JSON.stringify(result, null, 2))
    else {
      console.table(steps)
      console.log(
        `${result.good} of ${count} rows as ${result.customers} customers in ${result.totalSeconds} s (target: 5,000 rows in under 30 s)`,
      )
    }
    await app.close()
    await closeDatabase()
  } finally {
    await cluster.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

const benchBusiness = async (): Promise<{ token: string }> => {
  const { asBusinessId, withTenant } = await import('../../src/platform/db/tenant.ts')
  const { database } = await import('../../src/platform/db/database.ts')
  const { newId } = await import('../../src/platform/ids.ts')
  const { signAccessToken } = await import('../../src/platform/http/session.ts')
  const businessId = asBusinessId(newId())
  const [userId, sessionId] = [newId(), newId()]
  await withTenant({ businessId }, async (db) => {
    await db
      .insertInto('businesses')
      .values({
        businessId,
        name: 'Bench Lawns',
        slug: 'bench-lawns',
        planTier: 'enterprise',
        subscriptionStatus: 'active',
      })
      .execute()
    await db
      .insertInto('users')
      .values({ businessId, id: userId, name: 'Owner', role: 'Owner', email: 'owner@bench.test' })
      .execute()
    await db
      .insertInto('sessions')
      .values({
        businessId,
        id: sessionId,
        userId,
        familyId: newId(),
        kind: 'admin',
        tokenHash: 'bench',
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      })
      .execute()
  })
  await database().insertInto('slugs').values({ slug: 'bench-lawns', businessId }).execute()
  return { token: await signAccessToken({ businessId, userId, sessionId, tokenVersion: 1 }) }
}
