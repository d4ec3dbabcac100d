import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { superuserUrl } from '../../test/cluster.ts'
import { emptyDatabase } from '../../test/database.ts'
import { newId } from '../ids.ts'
import { migrate, migrationsDir } from './migrate.ts'

/** A database with a business in it that stands at the last migration before this number. */
const standingBefore = async (name: string, number: string) => {
  const dir = mkdtempSync(join(tmpdir(), 'swath-upgrade-'))
  for (const file of readdirSync(migrationsDir))
    if (file < number) copyFileSync(join(migrationsDir, file), join(dir, file))
  const url = await emptyDatabase(name)
  await migrate({ url, dir })
  rmSync(dir, { recursive: true, force: true })
  const client = new pg.Client({ connectionString: superuserUrl(url) })
  await client.connect()
  return { url, client }
}

it('what leads had asked for, and where customers came from, is there after an upgrade', async () => {
  const { url, client } = await standingBefore('upgrade_leads', '0400')
  const [business, customer, lead] = [newId(), newId(), newId()]
  try {
    await client.query(
      "insert into businesses (business_id, name, slug, time_zone, created_at, updated_at) values ($1, 'Green', 'green', 'America/New_York', now(), now())",
      [business],
    )
    await client.query("insert into customers (business_id, id, name, source) values ($1, $2, 'Ann Ames', 'manual')", [
      business,
      customer,
    ])
    await client.query(
      `insert into business_leads (business_id, id, name, source, stage_at, created_at, updated_at, customer_id, converted_at)
        values ($1, $2, 'Ann Ames', 'profile', '2026-06-02T12:00Z', '2026-06-01T12:00Z', now(), $3, now())`,
      [business, lead, customer],
    )
    for (const kind of ['created', 'again'])
      await client.query(
        `insert into business_lead_events (business_id, id, lead_id, kind, words, data, at)
          values ($1, $2, $3, $4, $4, '{"source":"website"}', now())`,
        [business, newId(), lead, kind],
      )
    expect(await migrate({ url })).toContain('0400_lead_requests.sql')
    const { rows } = await client.query(
      `select c.source, l.request_count as count, l.asked_at = l.stage_at as asked,
        (select string_agg(r.wants, ' ' order by r.id) from lead_requests r where r.business_id = l.business_id and r.lead_id = l.id) as wants
      from business_leads l join customers c on c.business_id = l.business_id and c.id = l.customer_id where l.business_id = $1`,
      [business],
    )
    expect(rows).toEqual([{ source: 'Business page', count: 2, asked: true, wants: 'created again' }])
  } finally {
    await client.end()
  }
})

it('a deposit that was bound to the first job of its quote pays all of them after an upgrade', async () => {
  const { url, client } = await standingBefore('upgrade_deposits', '0710')
  const [business, customer, property, quote, first, second, other, bound, own] = Array.from({ length: 9 }, newId)
  try {
    await client.query("set session_replication_role = 'replica'")
    await client.query(
      "insert into businesses (business_id, name, slug, time_zone, created_at, updated_at) values ($1, 'Green', 'green', 'America/New_York', now(), now())",
      [business],
    )
    await client.query(
      `insert into quotes (business_id, id, number, customer_id, property_id, title, status, job_id, content, created_at, updated_at)
        values ($1, $2, 1001, $3, $4, 'Mulch', 'converted', $5, '{}', now(), now())`,
      [business, quote, customer, property, first],
    )
    for (const [at, id] of [first, second, other].entries())
      await client.query(
        "insert into jobs (business_id, id, number, customer_id, property_id, title, start_on) values ($1, $2, $3, $4, $5, 'Mulch', '2026-05-01')",
        [business, id, at + 1, customer, property],
      )
    await client.query(
      `insert into audit_log (business_id, id, actor_kind, action, entity_type, entity_id, after)
        values ($1, $2, 'user', 'quote.convert', 'quote', $3, $4)`,
      [business, newId(), quote, JSON.stringify({ jobIds: [first, second] })],
    )
    for (const [id, quoteId, jobId] of [
      [bound, quote, first],
      [own, null, other],
    ])
      await client.query(
        `insert into payments (business_id, id, customer_id, method, amount_cents, received_on, quote_id, job_id)
          values ($1, $2, $3, 'check', 20000, '2026-04-01', $4, $5)`,
        [business, id, customer, quoteId, jobId],
      )
    await client.query("set session_replication_role = 'origin'")
    expect(await migrate({ url })).toContain('0710_jobs_of_quotes.sql')
    const jobs = await client.query('select id from jobs where quote_id = $1 order by number', [quote])
    expect(jobs.rows.map(({ id }) => id)).toEqual([first, second])
    const { rows } = await client.query('select id, quote_id, job_id from payments order by id')
    expect(rows).toEqual([
      { id: bound, quote_id: quote, job_id: null },
      { id: own, quote_id: null, job_id: other },
    ])
  } finally {
    await client.end()
  }
})
