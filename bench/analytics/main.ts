import pg from 'pg'
import { countMarked, markDaysTx } from '../../src/features/analytics/rollups/server/commands.ts'
import { lookBackDays } from '../../src/features/analytics/rules.ts'
import { systemActor } from '../../src/platform/actor.ts'
import { databaseUrl } from '../../src/platform/db/database.ts'
import { asBusinessId, withTenant } from '../../src/platform/db/tenant.ts'
import { signAccessToken } from '../../src/platform/http/session.ts'
import { addDays } from '../../src/shared/dates.ts'
import { superuserUrl } from '../../src/test/cluster.ts'
import { fillBase, fillHistory, giantCustomers } from '../scale/fill.ts'
import { withBenchServer } from '../server.ts'

const round = (value: number): number => Math.round(value * 10) / 10
const percentile = (values: readonly number[], part: number): number =>
  round(values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0)

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

const timesOf = async (times: number, work: () => Promise<unknown>): Promise<number[]> => {
  const took: number[] = []
  for (let n = 0; n < times; n++) took.push((await secondsOf(work)) * 1000)
  return took
}

/** Reports of a year, the longest that somebody asks for. */
const reports = [
  ['sales by service of a year', 'kind=sales&period=last_365'],
  ['routes of a year', 'kind=routes&period=last_365'],
  ['skips of a year', 'kind=skips&period=last_365'],
  ['aging of today', 'kind=aging'],
] as const

/** What is aimed at, in milliseconds: a period's answer and a report as a PDF, with days that are kept. */
const aims: Record<string, number> = {
  '7 days, p99 ms': 100,
  '30 days, p99 ms': 100,
  '365 days, p99 ms': 100,
  'PDF of a year, p99 ms': 1000,
}

/** Milliseconds that a statement takes for each of its rows, undone each time. */
const perRow = async (
  client: pg.ClientBase,
  role: 'origin' | 'replica',
  text: string,
  values: unknown[],
  rows: number,
) => {
  const took = await timesOf(5, async () => {
    await client.query(`begin; set local session_replication_role = ${role}`)
    await client.query(text, values)
    await client.query('rollback')
  })
  return percentile(took, 0.5) / rows
}

/**
 * `npm run bench -- analytics [--visits 1000000] [--times 30]`: one business with so many visits. What each period's answer takes with days that are
 * kept and with none, what the report takes as a PDF, what reports of a year take, what counting all days takes, and what a change costs more because it
 * marks its day; and which aims that reaches.
 */
export const run = async (args: string[]): Promise<void> => {
  const value = (flag: string, usual: string): number => {
    const at = args.indexOf(flag)
    return Number(at >= 0 ? (args[at + 1] ?? usual) : usual)
  }
  const say = (text: string): void => {
    if (!args.includes('--json')) console.log(text)
  }
  const [visits, times] = [value('--visits', '1000000'), value('--times', '30')]
  await withBenchServer(async ({ raw }) => {
    const client = new pg.Client({ connectionString: superuserUrl(databaseUrl()) })
    // a bench that fails ends its database under this connection
    client.on('error', () => undefined)
    await client.connect()
    await fillBase(client)
    await client.query(
      "delete from work where business_id <> (select business_id from businesses where slug = 'bench-1')",
    )
    await fillHistory(client, 1, Math.max(8, Math.round(visits / giantCustomers)))
    const { rows } = await client.query(
      `select b.business_id, u.id as user_id, s.id as session_id, (select count(*)::int from visits v where v.business_id = b.business_id) as visits
       from businesses b join users u on u.business_id = b.business_id and u.role = 'Owner'
       join sessions s on s.business_id = b.business_id and s.user_id = u.id where b.slug = 'bench-1'`,
    )
    const [owner] = rows
    const businessId = asBusinessId(owner.business_id)
    const token = await signAccessToken({
      businessId,
      userId: owner.user_id,
      sessionId: owner.session_id,
      tokenVersion: 1,
    })
    const ask = async (url: string): Promise<void> => {
      const { statusCode, body } = await raw({
        url,
        headers: { 'x-client-app': 'admin', authorization: `Bearer ${token}` },
      })
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body}`)
    }
    await client.query('set session_replication_role = origin')
    await client.query(`insert into analytics_marks (business_id, id, day, by_transaction)
      select business_id, gen_random_uuid(), day, pg_current_xact_id() from (select distinct business_id, day from visits where status = 'completed') x`)
    const all = await secondsOf(async () => {
      while (await countMarked(systemActor(businessId))) {
        // all of them
      }
    })
    await client.query('vacuum analyze')

    say(`${owner.visits} visits, all days counted in ${round(all)} s`)
    const found: Record<string, number> = {}
    const periods = [
      ['7 days', '7'],
      ['30 days', '30'],
      ['365 days', '365'],
    ] as const
    for (const [name, range] of periods) {
      await ask(`/api/analytics?timeRange=${range}`)
      const took = await timesOf(times, () => ask(`/api/analytics?timeRange=${range}`))
      found[`${name}, p50 ms`] = percentile(took, 0.5)
      found[`${name}, p99 ms`] = percentile(took, 0.99)
    }
    say('periods are measured')
    const pdf = await timesOf(Math.min(times, 10), () => ask('/api/analytics/report.pdf?period=year'))
    found['PDF of a year, p50 ms'] = percentile(pdf, 0.5)
    found['PDF of a year, p99 ms'] = percentile(pdf, 0.99)
    for (const [name, query] of reports) {
      await ask(`/api/reports/run?${query}`)
      const took = await timesOf(Math.min(times, 10), () => ask(`/api/reports/run?${query}`))
      found[`${name}, p50 ms`] = percentile(took, 0.5)
      found[`${name}, p99 ms`] = percentile(took, 0.99)
    }
    say('the PDF and the reports are measured')
    const today = new Date().toISOString().slice(0, 10)
    await withTenant(systemActor(businessId), (db) =>
      markDaysTx(
        db,
        Array.from({ length: lookBackDays + 1 }, (_, ago) => addDays(today, -ago)),
      ),
    )
    for (const [name, range] of periods) {
      const took = await timesOf(Math.max(3, Math.round(times / 10)), () => ask(`/api/analytics?timeRange=${range}`))
      found[`${name} with nothing kept, p50 ms`] = percentile(took, 0.5)
      found[`${name} with nothing kept, p99 ms`] = percentile(took, 0.99)
    }
    say('looks with nothing kept are measured')
    await client.query(`set app.business_id = '${businessId}'`)
    const changes = {
      'a finished visit': [
        `update visits set status = 'completed' where business_id = $1 and id in (
           select id from visits where business_id = $1 and status = 'scheduled' order by id limit 200)`,
        200,
      ],
      'a paid invoice': [
        `update invoices set paid_cents = paid_cents - 1 where business_id = $1 and id in (
           select id from invoices where business_id = $1 and status = 'paid' order by number desc limit 200)`,
        200,
      ],
    } as const
    for (const [name, [text, count]] of Object.entries(changes)) {
      const plain = await perRow(client, 'replica', text, [businessId], count)
      const marking = await perRow(client, 'origin', text, [businessId], count)
      found[`${name}, ms more with all triggers`] = Math.round((marking - plain) * 1000) / 1000
    }
    const head = { visits: owner.visits, 'all days counted, s': round(all) }
    if (args.includes('--json')) console.log(JSON.stringify({ ...head, ...found }))
    else {
      console.table({ ...head, ...found })
      for (const [name, most] of Object.entries(aims))
        console.log(
          `${name}: ${found[name]}, aim under ${most}: ${(found[name] ?? Number.POSITIVE_INFINITY) < most ? 'reached' : 'missed'}`,
        )
    }
    await client.end()
  })
}
