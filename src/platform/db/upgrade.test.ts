import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { it as always, expect } from 'vitest'
import { linkTo } from '../../shared/links.ts'
import { hasSuperuser, superuserUrl } from '../../test/cluster.ts'
import { emptyDatabase } from '../../test/database.ts'
import { newId } from '../ids.ts'
import { migrate, migrationsDir } from './migrate.ts'

// rows are put behind the wall and past the triggers
const it = always.skipIf(!hasSuperuser)

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

/** A business that a test of an upgrade writes rows into without what they refer to. */
const aBusinessOf = async (client: pg.Client): Promise<string> => {
  const business = newId()
  await client.query("set session_replication_role = 'replica'")
  await client.query(
    "insert into businesses (business_id, name, slug, time_zone, created_at, updated_at) values ($1, 'Green', 'green', 'America/New_York', now(), now())",
    [business],
  )
  return business
}
/** What stands in the way of others, or lets the owner see all businesses, once an upgrade is through. */
const leftOpen = async (client: pg.Client, index: string, key: string): Promise<unknown[]> => {
  const { rows } = await client.query(
    `select relname::text as open from pg_class where relrowsecurity and not relforcerowsecurity
      union all select $1::text where not coalesce((select indisvalid from pg_index where indexrelid = to_regclass($1::text)), false)
      union all select $2::text where not coalesce((select convalidated from pg_constraint where conname = $2::text), false)`,
    [index, key],
  )
  return rows
}

it('a deposit that was bound to the first job of its quote pays all of them after an upgrade', async () => {
  const { url, client } = await standingBefore('upgrade_deposits', '0710')
  const [customer, property, quote, first, second, other, bound, own] = Array.from({ length: 8 }, newId)
  // quotes that were invoiced as a whole, with the deposit that this freed
  const billed = (['draft', 'void', 'issued'] as const).map((status, at) => ({
    status,
    number: 1002 + at,
    quoteId: newId(),
    paymentId: newId(),
  }))
  try {
    const business = await aBusinessOf(client)
    for (const [id, number, status, jobId] of [
      [quote, 1001, 'converted', first],
      ...billed.map((one) => [one.quoteId, one.number, 'approved', null]),
    ])
      await client.query(
        `insert into quotes (business_id, id, number, customer_id, property_id, title, status, job_id, content, created_at, updated_at)
          values ($1, $2, $3, $4, $5, 'Mulch', $6, $7, '{}', now(), now())`,
        [business, id, number, customer, property, status, jobId],
      )
    for (const { status, number, quoteId } of billed)
      await client.query(
        'insert into invoices (business_id, id, number, customer_id, status, quote_id) values ($1, $2, $3, $4, $5, $6)',
        [business, newId(), number, customer, status, quoteId],
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
    for (const [id, quoteId, jobId, freedAt] of [
      [bound, quote, first, '2026-04-02T12:00:00Z'],
      [own, null, other, null],
      ...billed.map((one) => [one.paymentId, one.quoteId, null, '2026-04-02T12:00:00Z']),
    ])
      await client.query(
        `insert into payments (business_id, id, customer_id, method, amount_cents, received_on, quote_id, job_id, freed_at)
          values ($1, $2, $3, 'check', 20000, '2026-04-01', $4, $5, $6)`,
        [business, id, customer, quoteId, jobId, freedAt],
      )
    await client.query("set session_replication_role = 'origin'")
    expect(await migrate({ url })).toContain('0710_jobs_of_quotes.sql')
    const jobs = await client.query('select id from jobs where quote_id = $1 order by number', [quote])
    expect(jobs.rows.map(({ id }) => id)).toEqual([first, second])
    const { rows } = await client.query(
      'select id, quote_id, job_id, freed_at is not null as freed from payments order by id',
    )
    const [draft, voided, issued] = billed.map((one) => ({ id: one.paymentId, quote_id: one.quoteId, job_id: null }))
    const wanted = [
      { id: bound, quote_id: quote, job_id: null, freed: false },
      { id: own, quote_id: null, job_id: other, freed: false },
      { ...draft, freed: false },
      { ...voided, freed: false },
      { ...issued, freed: true },
    ]
    expect(rows).toHaveLength(wanted.length)
    expect(rows).toEqual(expect.arrayContaining(wanted))
    expect(await leftOpen(client, 'jobs_quote', 'jobs_business_id_quote_id_fkey')).toEqual([])
  } finally {
    await client.end()
  }
})

it('the last invoices of settlements are those of their plans after an upgrade, also the void ones that were replaced or taken back', async () => {
  const { url, client } = await standingBefore('upgrade_last_invoices', '0714')
  const [customer, plan, present, told, taken, typed, request] = Array.from({ length: 7 }, newId)
  try {
    const business = await aBusinessOf(client)
    await client.query(
      `insert into billing_plans (business_id, id, customer_id, kind, name, status, starts_on, ends_on, bill_day, list_cents, season_cents,
          expected_list_cents, settled_on, settlement, settle_invoice_id)
        values ($1, $2, $3, 'budget', 'Season 2026', 'settled', '2026-04-01', '2026-10-31', 1, 100, 100, 100, '2026-09-01', '{}', $4)`,
      [business, plan, customer, present],
    )
    for (const [at, id] of [present, told, taken, typed].entries())
      await client.query(
        "insert into invoices (business_id, id, number, customer_id, status) values ($1, $2, $3, $4, 'void')",
        [business, id, 1001 + at, customer],
      )
    await client.query(
      `insert into notifications (business_id, id, user_id, type, title, path, dedupe_key)
        values ($1, $2, $2, 'invoice', 'Voided', $3, $4)`,
      [business, newId(), linkTo.billingPlan(plan ?? ''), `billing-plan-unsettled:${told}`],
    )
    for (const [action, type, entity, after, of] of [
      ['billingPlan.undoSettlement', 'customer', customer, { plan: 'Season 2026' }, request],
      ['invoice.void', 'invoice', taken, null, request],
      ['invoice.void', 'invoice', typed, null, newId()],
    ])
      await client.query(
        `insert into audit_log (business_id, id, actor_kind, action, entity_type, entity_id, after, request_id)
          values ($1, $2, 'user', $3, $4, $5, $6, $7)`,
        [business, newId(), action, type, entity, JSON.stringify(after), of],
      )
    await client.query("set session_replication_role = 'origin'")
    expect(await migrate({ url })).toContain('0715_last_invoices_found.sql')
    const { rows } = await client.query('select plan_id, invoice_id from billing_plan_last_invoices')
    expect(rows).toHaveLength(3)
    expect(rows).toEqual(
      expect.arrayContaining([present, told, taken].map((id) => ({ plan_id: plan, invoice_id: id }))),
    )
  } finally {
    await client.end()
  }
})

it('an invoice that was stopped because its customer answered waits for the office after an upgrade, none that the office stopped', async () => {
  const { url, client } = await standingBefore('upgrade_answers', '0718')
  const stopped = [
    ['Ann Ames wrote since Sun, Nov 8', true],
    ['Ann Ames wrote since it was sent', true],
    ['Part of it was paid since Sat, Nov 14', true],
    ['She wrote since we spoke that she pays on Friday', false],
    ['They pay in cash', false],
    [null, false],
  ] as const
  try {
    const business = await aBusinessOf(client)
    for (const [at, [reason]] of stopped.entries())
      await client.query(
        `insert into invoices (business_id, id, number, customer_id, status, reminders_stopped, updated_at)
          values ($1, $2, $3, $4, 'issued', $5, '2026-11-15T12:00:00Z')`,
        [business, newId(), 1001 + at, newId(), reason],
      )
    await client.query("set session_replication_role = 'origin'")
    expect(await migrate({ url })).toContain('0719_answered_invoices_found.sql')
    const { rows } = await client.query(
      "select reminders_stopped as reason, answered_at = '2026-11-15T12:00:00Z' as waits from invoices order by number",
    )
    expect(rows.map(({ reason, waits }) => [reason, waits ?? false])).toEqual(stopped)
    expect(await leftOpen(client, 'invoices_answered', 'invoices_business_id_made_from_fkey')).toEqual([])
  } finally {
    await client.end()
  }
})
