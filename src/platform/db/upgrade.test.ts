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
