import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { ownerPool } from '../../../../platform/db/database.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { renewTestServer, runTasks } from '../../../../test/api.ts'
import { somebodyWaits } from '../../../../test/database.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import { rowsRead } from '../../../../test/rows-read.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { lockVisit } from '../../../visits/server/commands.ts'
import { invoicesApi } from '../../contract.ts'
import { listVisitLines } from './finished.ts'

// how a read is planned goes by all that stands in its tables
beforeAll(async () => {
  await renewTestServer()
})

/** Makes more visits like one, each a day earlier by its rule, with its lines. */
const copyVisits = async (db: TenantDb, own: TestBusiness, visitId: string, count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => newId())
  await sql`
    insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, status, budget_minutes, price_cents)
    select v.business_id, n.id, v.job_id, v.customer_id, v.property_id, v.occurrence_on - n.at::int, v.day, v.status, v.budget_minutes, v.price_cents
    from visits v cross join unnest(${ids}::uuid[]) with ordinality as n(id, at)
    where v.business_id = ${own.id} and v.id = ${visitId}`.execute(db)
  await sql`
    insert into visit_lines (business_id, id, visit_id, job_line_id, service_id, description, unit_price_cents)
    select l.business_id, gen_random_uuid(), n.id, l.job_line_id, l.service_id, l.description, l.unit_price_cents
    from visit_lines l cross join unnest(${ids}::uuid[]) as n(id)
    where l.business_id = ${own.id} and l.visit_id = ${visitId}`.execute(db)
  return ids
}

/** So many finished visits of one customer, each with its line; asked for by visit they are as many invoices. */
const withVisits = async (
  count: number,
  email: string | null = null,
): Promise<{ own: TestBusiness; visitIds: string[] }> => {
  const own = await aBusiness()
  const first = await aVisit(own, { status: 'completed', customer: 'Rebecca Odom' })
  const others = await own.db(async (db) => {
    await sql`update customers set email = ${email}::text where business_id = ${own.id}`.execute(db)
    return copyVisits(db, own, first.visitId, count - 1)
  })
  return { own, visitIds: [first.visitId, ...others] }
}
const start = (own: TestBusiness, body = {}, headers = {}) =>
  own.api.call(invoicesApi.createBatch, { body: { send: true, grouping: 'visit', ...body } }, headers)
const stateOf = (own: TestBusiness, id: string) => own.api.ok(invoicesApi.getBatch, { params: { id } })

/** What stands in the books, by what must never be doubled or missing. */
const books = (own: TestBusiness) =>
  own.db(async (db) => {
    const { rows } = await sql<{ numbers: number[]; billed: number; lines: number; owed: number; links: number }>`
      select array(select number from invoices where business_id = ${own.id} order by 1) as numbers,
        (select count(distinct invoice_id)::int from visits where business_id = ${own.id} and invoice_id is not null) as billed,
        (select count(distinct visit_line_id)::int from invoice_lines where business_id = ${own.id}) as lines,
        (select coalesce(sum(amount_cents), 0)::int from ledger_entries where business_id = ${own.id}) as owed,
        (select count(*)::int from public_tokens where business_id = ${own.id} and kind = 'invoice') as links`.execute(
      db,
    )
    return rows[0]
  })
const allOf = (count: number) => ({
  numbers: Array.from({ length: count }, (_, i) => 1001 + i),
  billed: count,
  lines: count,
  owed: count * 5500,
  links: count,
})

/** From here on the database refuses this invoice, as if the process had ended while it was made. */
const cutOffAt = async (number: number): Promise<void> => {
  await ownerPool().query(`
    create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$;
    create trigger cut_off before insert on invoices for each row when (new.number = ${number}) execute function cut_off();`)
}
const goOn = async (): Promise<void> => {
  await ownerPool().query('drop function if exists cut_off cascade')
  // the worker notes a failed try behind our back
  await expect
    .poll(
      async () =>
        (await ownerPool().query('select 1 from graphile_worker._private_jobs where locked_at is not null')).rowCount,
    )
    .toBe(0)
  // tried again now and not after its pause
  await ownerPool().query('update graphile_worker._private_jobs set run_at = now()')
}
afterEach(async () => {
  resetClock()
  await goOn()
  // mails that a test did not wait for are not drawn in the next one
  await ownerPool().query('delete from graphile_worker._private_jobs')
})

describe('many invoices at once', () => {
  it('say before they are made of whose work credit is there', async () => {
    const { own } = await withVisits(1)
    const creditsOf = async () =>
      (await own.api.ok(invoicesApi.preview, { query: {} })).groups.map(({ creditCents }) => creditCents)
    expect(await creditsOf()).toEqual([0])
    const [group] = (await own.api.ok(invoicesApi.preview, { query: {} })).groups
    await own.api.ok(correctionsApi.giveCredit, {
      params: { id: group?.customer.id ?? '' },
      body: { amountCents: 900, reason: 'Half a visit' },
    })
    expect(await creditsOf()).toEqual([900])
    // a deposit is kept for its work: none of it is offered for this
    const { jobId } = await own.db((db) =>
      db
        .selectFrom('visits')
        .select('jobId')
        .where('businessId', '=', own.id)
        .where('id', '=', group?.visits[0]?.id ?? '')
        .executeTakeFirstOrThrow(),
    )
    await own.db((db) => db.updateTable('payments').set({ jobId }).where('businessId', '=', own.id).execute())
    expect(await creditsOf()).toEqual([0])
    await own.db((db) => db.updateTable('payments').set({ jobId: null }).where('businessId', '=', own.id).execute())
    await own.db((db) =>
      db.updateTable('businesses').set({ useCredit: true }).where('businessId', '=', own.id).execute(),
    )
    expect((await own.api.ok(invoicesApi.preview, { query: {} })).usesCredit).toBe(true)
  })

  it('say the credit of somebody who gets more than one invoice once', async () => {
    const { own } = await withVisits(2)
    const groups = async () => (await own.api.ok(invoicesApi.preview, { query: { grouping: 'visit' } })).groups
    const [group] = await groups()
    const customerId = group?.customer.id ?? ''
    await own.api.ok(correctionsApi.giveCredit, {
      params: { id: customerId },
      body: { amountCents: 900, reason: 'Half a visit' },
    })
    expect((await groups()).filter(({ customer }) => customer.id === customerId).length).toBeGreaterThan(1)
    expect((await groups()).map(({ creditCents }) => creditCents).filter((cents) => cents > 0)).toEqual([900])
  })

  it('of up to 50 are made while the person waits', async () => {
    const { own } = await withVisits(3, 'rebecca@test.swath.test')
    const made = await start(own)
    expect(made.body).toMatchObject({
      status: 'done',
      total: 3,
      done: 3,
      invoiceCount: 3,
      mailedCount: 3,
      lostCount: 0,
      lost: [],
      leftOutCount: 0,
    })
    expect(await books(own)).toEqual(allOf(3))
    expect(await stateOf(own, made.body.batchId)).toEqual(made.body)
    await runTasks()
    await own.db((db) =>
      sql`update messages set status = 'failed', reason = '550 no such user' where business_id = ${own.id} and id = (
      select id from messages where business_id = ${own.id} and entity_type = 'invoice' order by id limit 1)`.execute(
        db,
      ),
    )
    expect(await stateOf(own, made.body.batchId)).toMatchObject({
      mailedCount: 3,
      lostCount: 1,
      lost: [{ customer: { name: expect.any(String) } }],
    })
  })

  it('a visit that is opened again at that moment is left out and stands on none', async () => {
    const { own, visitIds } = await withVisits(2)
    const [opened = '', left = ''] = visitIds
    let made: ReturnType<typeof start> | undefined
    await own.db(async (db) => {
      await lockVisit(db, opened)
      await sql`update visits set status = 'paused' where business_id = ${own.id} and id = ${opened}`.execute(db)
      made = start(own, { send: false })
      await somebodyWaits()
    })
    expect((await made)?.body).toMatchObject({
      status: 'done',
      total: 2,
      invoiceCount: 1,
      visitCount: 1,
      leftOutCount: 1,
    })
    const billed = await own.db((db) =>
      db
        .selectFrom('visits')
        .select('id')
        .where('businessId', '=', own.id)
        .where('invoiceId', 'is not', null)
        .execute(),
    )
    expect(billed).toEqual([{ id: left }])
  })

  it('go on in the background, readable meanwhile, and whoever presses again is told to wait', async () => {
    const { own } = await withVisits(120)
    const key = { 'idempotency-key': 'batch-of-120' }
    const expected = { invoiceCount: 120, totalCents: 120 * 5500 }
    const made = await start(own, { expected }, key)
    expect(made.body).toMatchObject({ status: 'running', total: 120, done: 50, invoiceCount: 50, visitCount: 50 })
    const other = await start(own)
    expect([other.status, other.error.message]).toEqual([409, expect.stringContaining('50 of 120')])
    expect((await start(own, { expected }, key)).body).toEqual(made.body)
    await runTasks()
    expect(await stateOf(own, made.body.batchId)).toMatchObject({
      status: 'done',
      done: 120,
      invoiceCount: 120,
      visitCount: 120,
      totalCents: 120 * 5500,
      mailedCount: 0,
      unmailedCount: 120,
      lostCount: 0,
      lost: [],
      leftOutCount: 0,
    })
    expect(await books(own)).toEqual(allOf(120))
    expect((await start(own)).status).toBe(409)
  }, 120_000)

  it('cut off between two chunks go on after the last one: none doubled, none missing, no number left out', async () => {
    const { own } = await withVisits(170, 'rebecca@test.swath.test')
    const made = await start(own, { send: false })
    const id = made.body.batchId
    await cutOffAt(1120)
    await runTasks()
    expect(await stateOf(own, id)).toMatchObject({ status: 'running', done: 100, invoiceCount: 100 })
    expect((await books(own))?.numbers).toEqual(allOf(100).numbers)
    await goOn()
    await runTasks()
    expect(await stateOf(own, id)).toMatchObject({ status: 'done', done: 170, invoiceCount: 170, mailedCount: 0 })
    expect(await books(own)).toEqual({ ...allOf(170), owed: 0, links: 0 })
    const sent = await own.api.ok(invoicesApi.sendMany, { body: { filter: { view: 'drafts', batchId: id } } })
    expect(sent).toEqual({ sentCount: 170, skipped: [] })
    expect(await books(own)).toEqual(allOf(170))
  }, 120_000)

  it('are only those that were confirmed: work that changed meanwhile is left out and waits for the next time', async () => {
    const { own } = await withVisits(60)
    const made = await start(own)
    const open = await own.api.ok(invoicesApi.preview, { query: { grouping: 'visit' } })
    expect(open.invoiceCount).toBe(10)
    const [dearer, free] = open.groups.map((group) => group.visits[0]?.id ?? '')
    await own.api.ok(invoicesApi.settleVisit, { params: { visitId: dearer ?? '' }, body: { priceCents: 9900 } })
    await own.api.ok(invoicesApi.settleVisit, { params: { visitId: free ?? '' }, body: { billable: false } })
    await runTasks()
    expect(await stateOf(own, made.body.batchId)).toMatchObject({ status: 'done', invoiceCount: 58, leftOutCount: 2 })
    expect(await books(own)).toEqual(allOf(58))
    expect(await own.api.ok(invoicesApi.preview, {})).toMatchObject({ invoiceCount: 1, totalCents: 9900 })
  }, 120_000)

  it('that do not move any more are ended, the office is told, and the rest can be invoiced', async () => {
    const { own } = await withVisits(60)
    const made = await start(own)
    await cutOffAt(1051)
    await runTasks()
    const now = clock.nowMs()
    setClock(() => new Date(now + 11 * 60_000))
    await ownerPool().query('drop function cut_off cascade')
    const rest = await start(own)
    expect(rest.body).toMatchObject({ status: 'done', total: 10, invoiceCount: 10 })
    await goOn()
    await runTasks()
    expect(await stateOf(own, made.body.batchId)).toMatchObject({ status: 'failed', done: 50, invoiceCount: 50 })
    expect(await books(own)).toEqual(allOf(60))
    const { notifications: items } = await own.api.ok(notificationsApi.list, {})
    expect(items.map((one) => one.title)).toContain('A batch of invoices stopped part of the way')
  }, 120_000)

  it('that their task gave up are ended and told at once, and whoever presses again goes on', async () => {
    const { own } = await withVisits(60)
    const made = await start(own)
    await cutOffAt(1051)
    await ownerPool().query('update graphile_worker._private_jobs set attempts = max_attempts - 1')
    await runTasks()
    expect(await stateOf(own, made.body.batchId)).toMatchObject({ status: 'failed', done: 50, invoiceCount: 50 })
    const { notifications: items } = await own.api.ok(notificationsApi.list, {})
    expect(items.map((one) => one.title)).toContain('A batch of invoices stopped part of the way')
    await ownerPool().query('drop function cut_off cascade')
    expect((await start(own)).body).toMatchObject({ status: 'done', total: 10, invoiceCount: 10 })
    expect(await books(own)).toEqual(allOf(60))
  }, 120_000)

  it('of more visits than one batch takes are made batch by batch, none left behind', async () => {
    const { own } = await withVisits(205)
    const look = () => own.api.ok(invoicesApi.preview, { query: { grouping: 'visit' } })
    expect(await look()).toMatchObject({ visitCount: 200, more: true, moreExceptions: false })
    expect((await start(own, { expected: { invoiceCount: 200, totalCents: 200 * 5500 } })).status).toBe(200)
    await runTasks()
    expect(await look()).toMatchObject({ visitCount: 5, more: false })
    await start(own)
    expect(await books(own)).toEqual(allOf(205))
  })

  it('take the oldest visits of a job, list the newest that are left out, and get past what is disputed by a later first day', async () => {
    const { own, visitIds } = await withVisits(205)
    const flat = await aVisit(own, { customer: 'Ann Lee' })
    await own.db(async (db) => {
      await sql`update visits v set day = date '2026-01-01' + n.at::int - 1 from unnest(${visitIds}::uuid[]) with ordinality as n(id, at)
        where v.business_id = ${own.id} and v.id = n.id`.execute(db)
      await sql`insert into jobs (business_id, id, customer_id, property_id, number, title, start_on, billing)
        select business_id, gen_random_uuid(), customer_id, property_id, 90000 + n, title, start_on, 'flat'
        from jobs cross join generate_series(1, 60) n where business_id = ${own.id} and id = ${flat.jobId}`.execute(db)
      await sql`insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, status, budget_minutes, price_cents)
        select j.business_id, gen_random_uuid(), j.id, j.customer_id, j.property_id, date '2026-01-01' + n, date '2026-01-01' + n, 'completed', 56, 5500
        from jobs j cross join generate_series(1, 30) n where j.business_id = ${own.id} and j.billing = 'flat'`.execute(
        db,
      )
    })
    const { groups, exceptions } = await own.api.ok(invoicesApi.preview, {
      query: { to: '2026-12-31', grouping: 'customer' },
    })
    const billed = groups.flatMap((group) => group.visits.map((visit) => visit.id))
    expect(new Set(billed)).toEqual(new Set(visitIds.slice(0, 200)))
    expect(exceptions.filter(({ day }) => day < '2026-01-12')).toEqual([])
    const rest = await own.api.ok(invoicesApi.preview, { query: { from: '2026-07-20', to: '2026-12-31' } })
    expect(rest.groups.flatMap((group) => group.visits.map((visit) => visit.id))).toEqual(visitIds.slice(200))
  })

  it('count the lines of a visit once, however often it is named', async () => {
    const { own, visitIds } = await withVisits(2)
    const lines = await own.db((db) => listVisitLines(db, [...visitIds, ...visitIds]))
    expect(lines.map((line) => line.visitId).sort()).toEqual([...visitIds].sort())
  })

  it('are as many on the screen of invoices and on the dashboard as the batch takes; of more than 1,000 it is only said', async () => {
    const { own } = await withVisits(3)
    const both = async () => [
      (await own.api.ok(invoicesApi.countInvoiceable, {})).visitCount,
      (await own.api.ok(dashboardApi.get, {})).money?.invoiceableVisits,
    ]
    const taken = async () => (await own.api.ok(invoicesApi.preview, {})).visitCount
    const held = await aVisit(own, { status: 'completed', customer: 'Howard Prim' })
    const flat = await aVisit(own, { status: 'completed', customer: 'Ann Lee' })
    await aVisit(own, { status: 'completed', customer: 'Ann Lee', priceCents: 0 })
    await aVisit(own, { customer: 'Ann Lee' })
    expect([...(await both()), await taken()]).toEqual([5, 5, 5])
    await own.db(async (db) => {
      await sql`update customers set hold_invoices = true where business_id = ${own.id} and id = ${held.customerId}`.execute(
        db,
      )
      await sql`update jobs set billing = 'flat' where business_id = ${own.id} and id = ${flat.jobId}`.execute(db)
    })
    expect([...(await both()), await taken()]).toEqual([3, 3, 3])
    await start(own, { send: false })
    expect([...(await both()), await taken()]).toEqual([0, 0, 0])
    await own.db((db) => copyVisits(db, own, held.visitId, 1_000))
    await own.db((db) => sql`update customers set hold_invoices = false where business_id = ${own.id}`.execute(db))
    expect(await both()).toEqual([null, null])
  })

  it('leave out what a contract bills and what has no price, a bounded part of it listed, and twice the years of it read no more rows', async () => {
    const { own } = await withVisits(1)
    const unpriced = await aVisit(own, { status: 'completed', priceCents: 0 })
    await own.db((db) =>
      sql`update jobs set billing = 'flat' where business_id = ${own.id} and id <> ${unpriced.jobId}`.execute(db),
    )
    const billed = await aVisit(own, { status: 'completed', customer: 'Ann Lee' })
    const live = () =>
      own.db((db) =>
        sql`insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, status, budget_minutes, price_cents)
        select v.business_id, gen_random_uuid(), v.job_id, v.customer_id, v.property_id, v.occurrence_on - n, v.day - n, v.status, v.budget_minutes, v.price_cents
        from (select distinct on (job_id) * from visits where business_id = ${own.id} and job_id <> ${billed.jobId} order by job_id, day) v, generate_series(1, 1500) n`.execute(
          db,
        ),
      )
    await live()
    const { exceptions, moreExceptions, visitCount } = await own.api.ok(invoicesApi.preview, {})
    expect([exceptions.length, moreExceptions, visitCount]).toEqual([40, true, 1])
    const costs = async () => {
      const rows: number[] = []
      for (const endpoint of [invoicesApi.preview, invoicesApi.countInvoiceable, dashboardApi.get])
        rows.push(await rowsRead(own, ['visits', 'visit_lines', 'jobs', 'customers'], () => own.api.ok(endpoint, {})))
      return rows
    }
    const before = await costs()
    await live()
    const after = await costs()
    expect({ before, after, grown: after.map((rows, i) => rows > (before[i] ?? 0) * 1.2) }).toMatchObject({
      grown: [false, false, false],
    })
  })

  it('are not for other businesses, nor for people without the permission for money', async () => {
    const { own } = await withVisits(1)
    const params = { id: (await start(own)).body.batchId }
    expect((await (await aBusiness()).api.call(invoicesApi.getBatch, { params })).status).toBe(404)
    expect((await (await own.employee()).api.call(invoicesApi.getBatch, { params })).status).toBe(403)
  })
})
