import { setTimeout as sleep } from 'node:timers/promises'
import { type Batch, finishWork, lookAtBatch, tryBatch, untilMailed } from '../../faults/invoices.ts'
import { type Product, until, withProduct } from '../../faults/product.ts'
import { openSession } from '../../faults/session.ts'
import { forgetPeak, lookOn, peakMb, round, share } from '../office.ts'
import { drawPapers } from './papers.ts'

const quietMs = 10_000

const measure = (count: number) =>
  withProduct({}, async (product: Product) => {
    const session = await openSession(product.base)
    await finishWork(product, count)
    // the first look of a process that has just started is that of nobody's day
    const first = lookOn(session)
    await sleep(quietMs / 2)
    await first()
    const quiet = lookOn(session)
    await sleep(quietMs)
    const before = await quiet()
    const pid = product.server().pid ?? 0
    forgetPeak(pid)
    const restMb = peakMb(pid)
    const busy = lookOn(session)
    const from = performance.now()
    const seconds = () => (performance.now() - from) / 1000
    const batch = await session.ok<Batch>('POST', '/api/invoices/batch', { send: true })
    const pressed = seconds()
    const steps = new Set([batch.done])
    await until(
      'the batch to be done',
      async () => {
        const now = (await session.send('GET', `/api/invoices/batches/${batch.batchId}`))?.body as Batch | undefined
        if (now) steps.add(now.done)
        return now?.status === 'done'
      },
      1_200_000,
    )
    const made = seconds()
    await untilMailed(product, batch.batchId)
    const mailed = seconds()
    const during = await busy()
    const { found, broken } = await lookAtBatch(product, batch.batchId)
    return {
      broken: [...broken, ...before.failed, ...during.failed],
      row: {
        invoices: found.invoices,
        'first answer s': round(pressed),
        'made and issued s': round(made),
        'PDF and mail s': round(mailed),
        'ms an invoice': round((mailed * 1000) / found.invoices),
        'peak MB': peakMb(pid),
        'MB before': restMb,
        'progress steps': steps.size,
        'others quiet p99 ms': share(before.waits, 0.99),
        'others p50 ms': share(during.waits, 0.5),
        'others p99 ms': share(during.waits, 0.99),
        'board p99 ms': share(during.byScreen.board, 0.99),
        'customers p99 ms': share(during.byScreen.customers, 0.99),
        'dashboard p99 ms': share(during.byScreen.dashboard, 0.99),
        'others max ms': share(during.waits, 1),
        'others asked': during.waits.length,
      },
    }
  })

/** What is aimed at on two cores. */
const aims = { secondsPer1000: 60, othersP99Ms: 100 }

/**
 * `npm run bench -- invoices [1000 4000]`: so many finished visits of as many customers are billed in one batch, issued, drawn and mailed, each size
 * on a product of its own, while somebody else goes on with the day. Then the smallest once more with the server killed twice in the middle. Prints
 * seconds, memory, growth, how long others waited, what was missing or doubled, and which aims that reaches. `invoices papers [count]` draws PDFs alone.
 */
export const run = async (args: string[]): Promise<void> => {
  if (args[0] === 'papers') return drawPapers(args.slice(1))
  const asked = args.filter((arg) => /^\d+$/.test(arg)).map(Number)
  const counts = asked.length > 0 ? asked : [1000, 4000]
  const runs = []
  for (const count of counts) runs.push(await measure(count))
  const rows = runs.map(({ row }) => row)
  const [first, last] = [rows[0], rows.at(-1)]
  const times = (key: 'ms an invoice' | 'peak MB') => round((last?.[key] ?? 0) / (first?.[key] || 1), 2)
  const growth = {
    invoices: round((last?.invoices ?? 0) / (first?.invoices || 1), 2),
    'ms an invoice': times('ms an invoice'),
    'peak MB': times('peak MB'),
  }
  const isJson = args.includes('--json')
  // said at once: what comes next starts the product three times more
  if (!isJson) console.table(rows)
  if (!isJson && rows.length > 1) console.log('Growth, times:', growth)
  const killed = await tryBatch(Math.min(...counts), { kills: 2, seconds: 4 })
  const broken = [...runs.flatMap((one) => one.broken), ...killed.broken]
  if (isJson) console.log(JSON.stringify({ rows, growth, killed: killed.result, broken }))
  else {
    console.log('Killed in the middle:', killed.result)
    for (const row of rows)
      for (const { what, measured, most } of [
        {
          what: 'seconds for each 1,000, PDF and mail',
          measured: round((row['PDF and mail s'] * 1000) / row.invoices),
          most: aims.secondsPer1000,
        },
        { what: 'others p99 ms', measured: row['others p99 ms'], most: aims.othersP99Ms },
      ])
        console.log(
          `${row.invoices}: ${what}: ${measured}, aim under ${most}: ${measured < most ? 'reached' : 'missed'}`,
        )
    console.log(broken.length === 0 ? 'None missing, none doubled.' : `Broken: ${broken.join('; ')}`)
  }
  if (broken.length > 0) process.exitCode = 1
}
