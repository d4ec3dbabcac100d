import { sql } from 'kysely'
import type pg from 'pg'
import type { Page } from 'playwright-core'
import { buildWeb } from '../../scripts/build-web.ts'
import { launchBrowser } from '../../scripts/web/browser.ts'
import { database } from '../../src/platform/db/database.ts'
import { addDays, type Day, dayOf, weekdayOf } from '../../src/shared/dates.ts'
import { type BenchServer, median } from '../server.ts'
import { type BenchBusiness, fillDays, password, zone } from './business.ts'

const rounds = 7
const connections = 8

/** Every work day of the month after this one, with the rest of its last week. */
const workDaysOfNextMonth = (): Day[] => {
  const thisMonth = dayOf(new Date(), zone).slice(0, 7)
  let day: Day = `${thisMonth}-28`
  while (day.slice(0, 7) === thisMonth) day = addDays(day, 1)
  const month = day.slice(0, 7)
  const days: Day[] = []
  for (; day.slice(0, 7) === month; day = addDays(day, 1)) if (![0, 6].includes(weekdayOf(day))) days.push(day)
  return days
}

/** Rows and entries of indexes that the database has read so far; every connection reports first, or what one of them read falls to a later call. */
const rowsSoFar = async (client: pg.ClientBase): Promise<number> => {
  const flush = sql`select pg_stat_force_next_flush(), pg_sleep(0.01)`
  await Promise.all(Array.from({ length: connections }, () => flush.execute(database())))
  await client.query('select pg_stat_force_next_flush()')
  const { rows } = await client.query(
    'select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::bigint as n from pg_stat_user_tables',
  )
  return Number(rows[0].n)
}

const reads = (days: readonly Day[]): [name: string, url: string, visitsOfDays: number][] => {
  const first = days.find((day) => weekdayOf(day) === 1) ?? ''
  const friday = addDays(first, 4)
  return [
    ['day', `/api/calendar?from=${first}&to=${first}`, 1],
    ['due list', `/api/calendar/due?day=${first}`, 0],
    ['week', `/api/calendar?from=${first}&to=${friday}`, 5],
    ['month', `/api/calendar/month?month=${first.slice(0, 7)}`, days.length],
  ]
}

/** Runs in the page: resolves with the milliseconds until `count` cards stand on the board and the frame after them is drawn. */
const untilCards = (count: number, day: Day) => `new Promise((resolve) => {
  const began = performance.now()
  const look = () => {
    const there = location.search.includes('${day}') && document.querySelectorAll('.cal-day .cal-card:not([data-before])').length >= ${count}
    if (there) requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)))
    else requestAnimationFrame(look)
  }
  look()
})`

/** Runs in the page: the cards of this day are not taken for those of the next. */
const markCards = `document.querySelectorAll('.cal-card').forEach((card) => { card.dataset.before = '' })`

/** Runs in the page: keeps how long each movement of the pointer took to the frame that shows it. */
const watchMoves = `(() => {
  window.benchMoves = []
  const seen = (event) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => window.benchMoves.push(performance.now() - event.timeStamp); port2.postMessage(0) })
  document.addEventListener('mousemove', seen, true)
})()`

/** Carries the first stop of a crew over the columns of the others and lets go where it came from. */
const drag = async (page: Page): Promise<number[]> => {
  const grip = page.getByRole('button', { name: /^Drag / }).first()
  const from = await grip.boundingBox()
  if (!from) throw new Error('The board has nothing to drag.')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.evaluate(watchMoves)
  await page.mouse.down()
  for (let i = 1; i <= 40; i++) await page.mouse.move(from.x + i * 22, from.y + (i % 9) * 24)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  return page.evaluate<number[]>('window.benchMoves')
}

const onScreen = async (
  base: string,
  { email }: BenchBusiness,
  visits: number,
  days: readonly Day[],
): Promise<object> => {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ baseURL: base, viewport: { width: 1440, height: 1000 } })
    const login = await context.request.post('/api/auth/login', {
      data: { email, password },
      headers: { origin: base },
    })
    if (!login.ok()) throw new Error(`Signing in answered ${login.status()}: ${await login.text()}`)
    await context.addCookies([{ name: 'swath_app', value: 'admin', url: base }])
    const page = await context.newPage()
    const [opened, next, moves]: [number[], number[], number[]] = [[], [], []]
    const monday = days.find((day) => weekdayOf(day) === 1 && days.includes(addDays(day, 1))) ?? ''
    const tuesday = addDays(monday, 1)
    for (let round = 0; round < 3; round++) {
      await page.goto(`/calendar?view=day&day=${monday}`, { waitUntil: 'commit' })
      await page.evaluate(untilCards(visits, monday))
      opened.push(await page.evaluate<number>('performance.now()'))
      await page.evaluate(markCards)
      await page.getByRole('button', { name: 'Later day' }).click({ noWaitAfter: true })
      next.push(await page.evaluate<number>(untilCards(visits, tuesday)))
      moves.push(...(await drag(page)))
    }
    return {
      'visits on the board': visits,
      'day board opened ms': Math.round(median(opened)),
      'next day ms': Math.round(median(next)),
      'drag shown ms': Math.round(median(moves)),
      'drag worst ms': Math.round(Math.max(...moves)),
    }
  } finally {
    await browser.close()
  }
}

/** What the calendar costs with so many visits on every work day of a month: read by HTTP, and the day board in Chromium. */
export const calendars = async (
  { signIn, raw, listen }: BenchServer,
  client: pg.ClientBase,
  sizes: readonly number[],
): Promise<{ reads: object[]; screen: object[] }> => {
  await buildWeb({ ifStale: true })
  const days = workDaysOfNextMonth()
  const found: { reads: object[]; screen: object[] } = { reads: [], screen: [] }
  const base = await listen()
  for (const visits of sizes) {
    const business = await fillDays(
      client,
      `calendar-${visits}`,
      days.map((day) => ({ day, visits })),
    )
    await client.query('vacuum (analyze) visits, visit_lines, properties, customers, jobs, job_lines')
    const headers = { 'x-client-app': 'admin', authorization: `Bearer ${await signIn(business.email, password)}` }
    for (const [name, url, ofDays] of reads(days)) {
      const ask = async () => {
        const answer = await raw({ url, headers })
        if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
        return answer.body.length
      }
      const bytes = await ask()
      const before = await rowsSoFar(client)
      await ask()
      const rows = (await rowsSoFar(client)) - before
      const spans: number[] = []
      for (let round = 0; round < rounds; round++) {
        const began = performance.now()
        await ask()
        spans.push(performance.now() - began)
      }
      found.reads.push({
        read: name,
        visits: visits * ofDays || visits,
        ms: Math.round(median(spans)),
        'worst ms': Math.round(Math.max(...spans)),
        rows,
        kB: Math.round(bytes / 1024),
      })
    }
    found.screen.push(await onScreen(base, business, visits, days))
  }
  return found
}
