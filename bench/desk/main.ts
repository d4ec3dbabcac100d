import { ownerPool } from '../../src/platform/db/database.ts'
import { median, withBenchServer } from '../server.ts'

/** Leads of a product owner who is doing well, and every third with a conversation of three messages. */
const fill = async (leads: number): Promise<void> => {
  const pool = ownerPool()
  await pool.query(
    `insert into prospects.leads (id, name, email, phone, phone_e164, source, campaign, status, created_at, account_at, customer_at)
     select gen_random_uuid(), 'Lead ' || n, 'lead' || n || '@bench.test', '(912) 555-' || lpad((n % 10000)::text, 4, '0'), '+1912' || lpad(n::text, 7, '0'),
       (array['landing_page', 'quote_builder_direct', 'google_ads'])[1 + n % 3], (array['', 'spring', 'summer', 'fall'])[1 + n % 4],
       (array['new', 'contacted', 'qualified', 'converted', 'closed'])[1 + n % 5], now() - make_interval(mins => n * 10),
       case when n % 4 = 0 then now() end, case when n % 9 = 0 then now() end
     from generate_series(1, $1::int) n`,
    [leads],
  )
  await pool.query(
    `insert into prospects.messages (id, lead_id, channel, direction, purpose, address, subject, body_text, dedupe_key, status, sent_at, opened_at, open_count, created_at)
     select gen_random_uuid(), l.id, (array['email', 'sms', 'sms'])[k], case when k = 3 then 'inbound' else 'outbound' end, 'marketing', l.email, 'Hello', 'Words of message ' || k,
       l.id || ':' || k, case when k = 3 then 'received' else 'delivered' end, l.created_at, case when k = 1 then l.created_at end, 1, l.created_at + make_interval(mins => k)
     from prospects.leads l, generate_series(1, 3) k where right(l.email, 12) is not null and abs(hashtext(l.email)) % 3 = 0`,
  )
  await pool.query('analyze')
}

const calls: [string, string][] = [
  ['first page', '/api/leads/owner/leads'],
  ['status', '/api/leads/owner/leads?status=qualified'],
  ['source and campaign', '/api/leads/owner/leads?source=google_ads&campaign=spring'],
  ['campaign that nobody has', '/api/leads/owner/leads?campaign=none'],
  ['days', '/api/leads/owner/leads?dateFrom=2026-01-01&dateTo=2026-12-31&status=new'],
  ['conversations', '/api/leads/owner/leads?conversations=true'],
  ['search by name', '/api/leads/owner/leads?conversations=true&search=Lead%2049'],
  ['search by words', '/api/leads/owner/leads?conversations=true&search=nowhere'],
  ['figures', '/api/leads/owner/analytics'],
]

/** `npm run bench -- desk [leads]`: each call of the product owner's desk, medians of 9 in milliseconds. */
export const run = async (args: string[]): Promise<void> => {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 50_000)
  await withBenchServer(async ({ ask, signInOwner }) => {
    await fill(count)
    await signInOwner()
    const rows: { call: string; 'median ms': number; 'slowest ms': number }[] = []
    const measure = async (name: string, url: string): Promise<void> => {
      const times: number[] = []
      for (let n = 0; n < 9; n++) {
        const from = performance.now()
        await ask('GET', url)
        times.push(performance.now() - from)
      }
      rows.push({ call: name, 'median ms': Math.round(median(times)), 'slowest ms': Math.round(Math.max(...times)) })
    }
    for (const [name, url] of calls) await measure(name, url)
    let cursor: string | null = null
    for (let page = 0; page < 40; page++) {
      const url: string = `/api/leads/owner/leads?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
      cursor = (await ask<{ nextCursor: string | null }>('GET', url)).nextCursor
    }
    await measure('page 41', `/api/leads/owner/leads?cursor=${encodeURIComponent(cursor ?? '')}`)
    if (args.includes('--json')) console.log(JSON.stringify({ leads: count, rows }))
    else {
      console.log(`${count.toLocaleString('en-US')} leads`)
      console.table(rows)
    }
  })
}
