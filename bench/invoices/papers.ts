import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ownerPool } from '../../src/platform/db/database.ts'
import { closeThreads } from '../../src/platform/threads.ts'
import { withBenchServer } from '../server.ts'

/** How often the main thread's own work is looked at. */
const lookMs = 4

type Run = {
  what: string
  seconds: number
  'delay p50 ms': number
  'delay p99 ms': number
  'delay max ms': number
  'own work p99 ms': number
  'own work max ms': number
  'memory MB': number
}

const measured = async (what: string, work: () => Promise<void>): Promise<Run> => {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  // By the clock a busy machine delays everybody; the thread's own work at once is what we can answer for.
  const works: number[] = []
  let last = process.threadCpuUsage()
  const look = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    works.push((user + system) / 1000)
    last = process.threadCpuUsage()
  }, lookMs)
  const from = performance.now()
  delay.enable()
  await work()
  delay.disable()
  clearInterval(look)
  works.sort((a, b) => a - b)
  const share = (part: number): number => Math.round((works[Math.floor((works.length - 1) * part)] ?? 0) * 10) / 10
  // the timer's own beat of 1 ms is in each value
  const ms = (nanoseconds: number): number => Math.round(Math.max(0, nanoseconds / 1e6 - 1) * 10) / 10
  return {
    what,
    seconds: Math.round((performance.now() - from) / 100) / 10,
    'delay p50 ms': ms(delay.percentile(50)),
    'delay p99 ms': ms(delay.percentile(99)),
    'delay max ms': ms(delay.max),
    'own work p99 ms': share(0.99),
    'own work max ms': share(1),
    'memory MB': Math.round(process.memoryUsage().rss / 2 ** 20),
  }
}

const inTurn = async (
  ids: readonly string[],
  atOnce: number,
  work: (id: string) => Promise<unknown>,
): Promise<void> => {
  const waiting = [...ids]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let id = waiting.pop(); id; id = waiting.pop()) await work(id)
    }),
  )
}

/**
 * `npm run bench -- invoices papers [count]`: a business with so many issued invoices (500) of ten lines each; all their PDFs are asked for, eight
 * at a time, first undrawn, then drawn. Prints how long the main thread kept everybody else waiting.
 */
export const drawPapers = async (args: string[]): Promise<void> => {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 500)
  await withBenchServer(async ({ ask, download, signIn }) => {
    const { demoPassword } = await import('../../src/demo/business.ts')
    const { makeDemo } = await import('../../src/demo/demo.ts')
    await makeDemo()
    await signIn('owner@demo.swath.test', demoPassword)
    const { id: customerId } = await ask<{ id: string }>('POST', '/api/customers', {
      name: 'Ann Ames',
      email: 'ann@bench.test',
      property: { street: '1 Bench St', city: 'Savannah', state: 'GA', zip: '31401' },
    })
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      const { id } = await ask<{ id: string }>('POST', '/api/invoices', {
        customerId,
        lines: Array.from({ length: 10 }, (_, i) => ({
          description: `Mow, edge, blow ${n}.${i}`,
          quantity: 1,
          unitPriceCents: 5500 + n,
        })),
      })
      ids.push(id)
    }
    await ownerPool().query('analyze')
    const rows = [
      await measured(`${count} PDFs drawn`, () => inTurn(ids, 8, (id) => download(`/api/invoices/${id}/pdf`))),
      await measured(`${count} PDFs asked for again`, () =>
        inTurn(ids, 8, (id) => download(`/api/invoices/${id}/pdf`)),
      ),
    ]
    await closeThreads()
    if (args.includes('--json')) console.log(JSON.stringify(rows))
    else console.table(rows)
  })
}
