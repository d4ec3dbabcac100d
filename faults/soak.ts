import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { readOptions, report } from './options.ts'
import type { Measure } from './probe.ts'
import { type Product, withProduct } from './product.ts'
import { openSession, type Session } from './session.ts'

const measure = (product: Product): Promise<Measure> =>
  new Promise((done) => {
    product.server().once('message', (answer) => done(answer as Measure))
    product.server().send({ measure: true })
  })

const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]

const count = (counts: Record<string, number>, key: string): void => {
  counts[key] = (counts[key] ?? 0) + 1
}

/** Somebody in the office who clicks through what is used most, and now and then makes a customer. */
const clicks = async (session: Session, going: () => boolean, seen: Record<string, number>): Promise<void> => {
  const customers = await session.ok<{ items: { id: string }[] }>('GET', '/api/customers?limit=50')
  const invoices = await session.ok<{ items: { id: string }[] }>('GET', '/api/invoices')
  const paths = [
    () => '/api/dashboard',
    () => '/api/customers?limit=50',
    () => `/api/customers/${pick(customers.items)?.id}`,
    () => '/api/visits/day-board',
    () => '/api/visits?limit=50',
    () => '/api/invoices',
    () => `/api/invoices/${pick(invoices.items)?.id}`,
    () => `/api/invoices/${pick(invoices.items)?.id}/pdf`,
    () => '/api/messages/conversations',
    () => '/api/customers/map',
    () => '/api/openapi.json',
    () => '/',
  ]
  while (going()) {
    const path = pick(paths)?.() ?? '/'
    count(seen, String((await session.send('GET', path))?.status ?? 'no answer'))
    if (Math.random() < 0.05)
      await session.send(
        'POST',
        '/api/customers',
        { name: `Soak ${randomUUID()}`, allowDuplicate: true },
        { 'idempotency-key': randomUUID() },
      )
  }
}

/** A screen that opens its stream, listens for a moment, and leaves, half of the time before it was answered. */
const listens = async (product: Product, session: Session, going: () => boolean, streams: { count: number }) => {
  while (going()) {
    const leaving = new AbortController()
    const answer = fetch(`${product.base}/api/events/stream`, { headers: session.headers(), signal: leaving.signal })
    answer.catch(() => undefined)
    await sleep(Math.random() < 0.5 ? Math.random() * 10 : Math.random() * 3_000)
    leaving.abort()
    streams.count += 1
  }
}

const mb = (bytes: number): number => Math.round(bytes / 1e5) / 10
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** `npm run faults -- soak [--seconds 1200] [--writers 6] [--snapshots folder]`: does the heap grow while people come and go? */
export const soak = async (args: string[]): Promise<void> => {
  const options = readOptions(args, { kills: 0, seconds: 1_200 })
  const probe = pathToFileURL(join(import.meta.dirname, 'probe.ts')).href
  await withProduct({ nodeFlags: ['--expose-gc', `--import=${probe}`] }, async (product) => {
    const session = await openSession(product.base)
    const end = performance.now() + options.seconds * 1_000
    const going = (): boolean => performance.now() < end
    const [seen, streams] = [{}, { count: 0 }]
    const load = Promise.all([
      ...Array.from({ length: options.writers }, () => clicks(session, going, seen)),
      ...Array.from({ length: options.writers }, () => listens(product, session, going, streams)),
    ])
    const measured: { second: number; heapMb: number; externalMb: number; residentMb: number }[] = []
    const intervals = 20
    for (let n = 1; n <= intervals; n += 1) {
      await sleep((options.seconds * 1_000) / intervals)
      const { heapBytes, externalBytes, residentBytes } = await measure(product)
      measured.push({
        second: Math.round((n * options.seconds) / intervals),
        heapMb: mb(heapBytes),
        externalMb: mb(externalBytes),
        residentMb: mb(residentBytes),
      })
      if (options.snapshots && (n === intervals / 4 || n === intervals))
        product.server().send({ snapshot: join(options.snapshots, `soak-${n}.heapsnapshot`) })
      if (!options.json) console.log(JSON.stringify(measured.at(-1)))
    }
    await load
    // the first quarter warms up; then the second against the last
    const quarter = (from: number) => median(measured.slice(from, from + intervals / 4).map((row) => row.heapMb))
    const [warm, last] = [quarter(intervals / 4), quarter((intervals * 3) / 4)]
    const growth = Math.round((last / warm - 1) * 1_000) / 10
    const result = {
      trial: 'soak',
      seconds: options.seconds,
      answers: JSON.stringify(seen),
      streams: streams.count,
      heapAfterWarmUpMb: warm,
      heapAtTheEndMb: last,
      growthPercent: growth,
    }
    report(
      options.json ? { ...result, measured } : result,
      growth > 5 ? [`the heap grew by ${growth} %`] : [],
      options.json,
    )
  })
}
