import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { DayPlan, RouteRun } from '../../src/features/routes/contract.ts'
import { addDays, dayOf } from '../../src/shared/dates.ts'
import { median, withBenchServer } from '../server.ts'

type Step = { step: string; milliseconds: number; what: string }
type Optimized = { run: RouteRun; plan: DayPlan; blocked: string }

/** How often the event loop is looked at. */
const lookMs = 4

/** For how long nobody was answered at the worst moment: by the clock, and by the main thread's own work, which a busy machine does not stretch. */
const watchLoop = () => {
  const delay = monitorEventLoopDelay({ resolution: lookMs })
  delay.enable()
  let worst = 0
  let last = process.threadCpuUsage()
  const look = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    worst = Math.max(worst, (user + system) / 1000)
    last = process.threadCpuUsage()
  }, lookMs)
  return () => {
    delay.disable()
    clearInterval(look)
    const waited = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e6 - lookMs))
    return `at most ${Math.round(worst)} ms of work at once; by the clock 99 % up to ${waited(delay.percentile(99))} ms, at most ${waited(delay.max)}`
  }
}

/** Times an owner's day on the demo business through HTTP: making it, the screens, optimizing the next day, invoicing the finished visits. */
export const run = async (args: string[]): Promise<void> => {
  const steps: Step[] = []
  await withBenchServer(async ({ ask, signIn, runTasks }) => {
    const timed = async <T>(
      step: string,
      times: number,
      work: () => Promise<T>,
      what: (result: T) => string,
    ): Promise<T> => {
      const spans: number[] = []
      let result: T | undefined
      for (let i = 0; i < times; i++) {
        const start = performance.now()
        result = await work()
        spans.push(performance.now() - start)
      }
      steps.push({ step, milliseconds: Math.round(median(spans)), what: what(result as T) })
      return result as T
    }
    const { demoPassword } = await import('../../src/demo/business.ts')
    const { makeDemo } = await import('../../src/demo/demo.ts')
    await timed('make the demo business', 1, makeDemo, () => '120 customers, 6 weeks of visits')
    await signIn('owner@demo.swath.test', demoPassword)
    await timed(
      'dashboard',
      5,
      () => ask<{ stopCount: number }>('GET', '/api/dashboard'),
      (d) => `${d.stopCount} stops`,
    )
    await timed(
      'customers, first page',
      5,
      () => ask<{ total: number }>('GET', '/api/customers'),
      (list) => `${list.total} customers`,
    )
    await timed(
      'jobs, first page',
      5,
      () => ask<{ total: number }>('GET', '/api/jobs'),
      (list) => `${list.total} jobs`,
    )
    await timed(
      'invoices, first page',
      5,
      () => ask<{ total: number }>('GET', '/api/invoices'),
      (list) => `${list.total} invoices`,
    )
    const today = dayOf(new Date(), 'America/New_York')
    let day = addDays(today, 1)
    const planOf = (on: string) => ask<DayPlan>('GET', `/api/routes?day=${on}`)
    for (
      let plan = await planOf(day);
      plan.crews.every((crew) => crew.stops.length === 0) && day < addDays(today, 9);
      plan = await planOf(day)
    )
      day = addDays(day, 1)
    const before = await planOf(day)
    const driving = (plan: DayPlan) =>
      Math.round(plan.crews.reduce((sum, crew) => sum + crew.totals.driveSeconds, 0) / 60)
    const stops = before.crews.reduce((sum, crew) => sum + crew.stops.length, 0)
    await timed(
      'route map of a day',
      5,
      () => planOf(day),
      () => `${stops} stops, ${before.crews.length} crews`,
    )
    /** Optimizes as a screen does. */
    const optimized = async (body: object): Promise<Optimized> => {
      const stop = watchLoop()
      let { run } = await ask<{ run: RouteRun }>('POST', '/api/routes/optimize', { day, ...body })
      while (run.status === 'running') {
        await new Promise((next) => setTimeout(next, 50))
        run = await ask<RouteRun>('GET', `/api/routes/runs/${run.id}`)
      }
      const blocked = stop()
      return { run, plan: await planOf(day), blocked }
    }
    await timed(
      'optimize it',
      3,
      () => optimized({}),
      ({ plan, run, blocked }) =>
        `driving ${driving(before)} -> ${driving(plan)} min, searched ${run.result?.tookMs} ms, server held up ${blocked}`,
    )
    for (const [days, moveDays] of [
      [6, 0],
      [14, 1],
    ] as const)
      await timed(
        `propose ${days} days${moveDays ? ', visits may move a day' : ''}`,
        1,
        () => optimized({ lastDay: addDays(day, days - 1), moveDays, apply: false }),
        ({ run: { result }, blocked }) =>
          `${result?.stops} stops, driving ${Math.round((result?.before.driveSeconds ?? 0) / 60)} -> ${Math.round((result?.after.driveSeconds ?? 0) / 60)} min, server held up ${blocked}`,
      )
    await timed(
      'publish it',
      1,
      () => ask('POST', '/api/routes/publish', { day }),
      () => 'crews told',
    )
    await timed(
      'preview of the batch',
      5,
      () => ask<{ visitCount: number; invoiceCount: number }>('GET', '/api/invoices/batch/preview'),
      (p) => `${p.visitCount} visits, ${p.invoiceCount} invoices`,
    )
    await timed(
      'create and issue the batch',
      1,
      () => ask<{ invoiceCount: number }>('POST', '/api/invoices/batch', { send: true }),
      (b) => `${b.invoiceCount} invoices`,
    )
    await timed('draw, file and mail them', 1, runTasks, () => 'PDF and mail each')
  })
  if (args.includes('--json')) console.log(JSON.stringify(steps, null, 2))
  else console.table(steps)
}
