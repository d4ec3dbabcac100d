import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { database, databaseUrl } from '../../src/platform/db/database.ts'
import { asBusinessId } from '../../src/platform/db/tenant.ts'
import { signAccessToken } from '../../src/platform/http/session.ts'
import { callersOf, type Endpoint } from '../../src/shared/endpoint.ts'
import { superuserUrl } from '../../src/test/cluster.ts'
import { withBenchServer } from '../server.ts'
import { fillBase, fillHistory, weeksOf } from './fill.ts'

type Call = { name: string; url: string; as: 'owner' | 'crew' }
type Cost = { p50: number; p99: number; rows: number }

/** Not an answer of records: the stream of events, and the whole business as one file, which the person asked for. */
const left = new Set(['system.stream', 'closing.exportAll', 'customers.exportCsv', 'localPhone.state'])

const owner = ['office', 'owner', 'member']

/** A record of each kind to ask for by its id, all of one customer in the middle of the giant business. */
const samplesOf = async (client: pg.ClientBase, businessId: string): Promise<Record<string, string>> => {
  const one = async (text: string): Promise<string> => (await client.query(text, [businessId])).rows[0]?.id ?? ''
  const customer = await one("select id from customers where business_id = $1 and name = 'Customer 700'")
  return {
    customers: customer,
    invoices: await one(
      `select id from invoices where business_id = $1 and customer_id = '${customer}' order by number desc limit 1`,
    ),
    messages: await one(`select id from messages where business_id = $1 and customer_id = '${customer}' limit 1`),
    visits: await one(
      `select id from visits where business_id = $1 and customer_id = '${customer}' order by day desc limit 1`,
    ),
    jobs: await one(`select id from jobs where business_id = $1 and customer_id = '${customer}'`),
  }
}

const callsOf = async (samples: Record<string, string>): Promise<Call[]> => {
  const { endpointPlugins } = await import('../../src/app-endpoints.ts')
  const day = new Date().toISOString().slice(0, 10)
  const calls: Call[] = []
  for (const plugin of endpointPlugins)
    for (const [key, endpoint] of Object.entries<Endpoint>(plugin.contract)) {
      const name = `${plugin.feature}.${key}`
      if (endpoint.method !== 'GET' || !callersOf(endpoint).some((caller) => owner.includes(caller)) || left.has(name))
        continue
      const kind = /^\/api\/([a-z]+)\/:/.exec(endpoint.path)?.[1]
      const id = kind ? samples[kind] : ''
      // Imports, runs and batches are not made here: their answers hold one record and nothing of the history.
      if (endpoint.path.includes(':') && !id) continue
      const url = `${endpoint.path.replace(/:[A-Za-z]+/, id ?? '')}?day=${day}&from=${day}&to=${day}&q=customer+70&search=customer+70&priceId=x`
      const bare = endpoint.path.replace(/:[A-Za-z]+/, id ?? '')
      const crew = endpoint.access === 'member' && /crew|employee/.test(endpoint.path)
      const query = ['routes.day', 'routes.week', 'routes.currentRun', 'routes.compare', 'visits.dayBoard'].includes(
        name,
      )
        ? `?day=${day}`
        : name === 'timeclock.entries'
          ? `?from=${day}&to=${day}`
          : ''
      calls.push({ name, url: `${bare}${query}`, as: crew ? 'crew' : 'owner' })
      if (/\.(list|find|conversations|people)$/.test(name))
        calls.push({ name: `${name} (words)`, url, as: crew ? 'crew' : 'owner' })
    }
  return calls
}

/** Rows that the database has read so far; every connection is told to report first, or what one of them read before falls to a later call. */
const rowsRead = async (client: pg.ClientBase): Promise<number> => {
  const db = database() as Kysely<unknown>
  await Promise.all(Array.from({ length: 8 }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.01)`.execute(db)))
  // The bench's own, too: it has just counted every visit.
  await client.query('select pg_stat_force_next_flush()')
  const { rows } = await client.query(
    `select (select coalesce(sum(seq_tup_read), 0) from pg_stat_user_tables where schemaname = 'public')
      + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes where schemaname = 'public') as n`,
  )
  return Number(rows[0]?.n)
}

const percentile = (values: readonly number[], part: number): number =>
  Math.round(
    (values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0) * 10,
  ) / 10

/**
 * `npm run bench -- scale [--visits 500000,5000000] [--times 30] [--grown]`: 400 businesses in two sizes of history with the same work open; every
 * GET of the office and the crew app of the giant one: p50 and p99 in milliseconds, rows read, and how often more at the larger size.
 */
export const run = async (args: string[]): Promise<void> => {
  const value = (flag: string, usual: string): string => {
    const at = args.indexOf(flag)
    return at >= 0 ? (args[at + 1] ?? usual) : usual
  }
  const sizes = value('--visits', '500000,5000000').split(',').map(Number)
  const times = Number(value('--times', '30'))
  await withBenchServer(async ({ raw }) => {
    const client = new pg.Client({ connectionString: superuserUrl(databaseUrl()) })
    client.on('error', () => undefined)
    await client.connect()
    const costs: Map<string, Cost>[] = []
    const failed = new Map<string, string>()
    const note = (text: string): void => (args.includes('--json') ? undefined : console.log(text))
    let from = performance.now()
    const since = (): string => {
      const seconds = ((performance.now() - from) / 1000).toFixed(0)
      from = performance.now()
      return `${seconds} s`
    }
    await fillBase(client)
    let week = 1
    for (const size of sizes) {
      await fillHistory(client, week, weeksOf(size))
      week = weeksOf(size) + 1
      const count = await client.query('select count(*)::int as n from visits')
      note(`${Number(count.rows[0]?.n).toLocaleString('en-US')} visits made in ${since()}`)
      const found = await client.query(
        `select b.business_id, u.id as user_id, s.id as session_id, u.role from businesses b join users u on u.business_id = b.business_id
         join sessions s on s.business_id = b.business_id and s.user_id = u.id where b.slug = 'bench-1' order by u.name limit 20`,
      )
      const token = async (role: string): Promise<string> => {
        const row = found.rows.find((one) => one.role === role)
        return signAccessToken({
          businessId: asBusinessId(row.business_id),
          userId: row.user_id,
          sessionId: row.session_id,
          tokenVersion: 1,
        })
      }
      const tokens = { owner: await token('Owner'), crew: await token('Employee') }
      const ask = (call: Call) =>
        raw({
          url: call.url,
          headers: {
            authorization: `Bearer ${tokens[call.as]}`,
            'x-client-app': call.as === 'owner' ? 'admin' : 'employee',
          },
        })
      const cost = new Map<string, Cost>()
      for (const call of await callsOf(await samplesOf(client, found.rows[0].business_id))) {
        const first = await ask(call)
        if (first.statusCode !== 200) {
          failed.set(call.name, `${first.statusCode} ${first.body.slice(0, 90)}`)
          continue
        }
        const before = await rowsRead(client)
        await ask(call)
        const rows = (await rowsRead(client)) - before
        const spans: number[] = []
        const start = performance.now()
        while (spans.length < times && performance.now() - start < 10_000) {
          const at = performance.now()
          await ask(call)
          spans.push(performance.now() - at)
        }
        cost.set(call.name, { p50: percentile(spans, 0.5), p99: percentile(spans, 0.99), rows })
      }
      costs.push(cost)
      note(`measured in ${since()}`)
    }
    await client.end()
    const [small, large = small] = [costs[0], costs.at(-1)]
    const rows = [...(small ?? [])].map(([call, a]) => {
      const b = large?.get(call) ?? a
      return {
        call,
        'p50 ms': a.p50,
        'p99 ms': a.p99,
        rows: a.rows,
        'larger p50': b.p50,
        'larger p99': b.p99,
        'larger rows': b.rows,
        'rows grew': Math.round(((b.rows + 50) / (a.rows + 50)) * 100) / 100,
      }
    })
    const grown = rows.filter((row) => row['rows grew'] >= 1.5)
    if (args.includes('--json')) return console.log(JSON.stringify({ sizes, rows, failed: [...failed] }))
    console.table(args.includes('--grown') ? grown : rows)
    if (failed.size) console.table([...failed].map(([call, answer]) => ({ call, answer })))
    console.log(`${grown.length} of ${rows.length} calls read 1.5 times the rows or more at the larger size`)
  })
}
