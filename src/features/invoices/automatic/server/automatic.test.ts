import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, type Day, formatDay, instantAt, startOfWeek } from '../../../../shared/dates.ts'
import { AppError, conflict } from '../../../../shared/errors.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit, today } from '../../../../test/field.ts'
import { type AutoInvoices, noAutoInvoices } from '../../../businesses/autoinvoices/rules.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { customersApi } from '../../../customers/contract.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { BatchIsMade, continueInvoiceBatch } from '../../batch/server/commands.ts'
import { invoicesApi } from '../../contract.ts'
import { invoiceAutomatically } from './commands.ts'

afterEach(resetClock)

/** Weeks ahead, so that whatever is switched on now is on by then. */
const friday: Day = addDays(startOfWeek(today()), 46)
const evening = 18 * 60

/** What the walk does at a minute of a day; people ask by the real clock, or their sign-in would be over. */
const lookAt = async (own: TestBusiness, day: Day, minute = evening, times = 1) => {
  setClock(() => new Date(instantAt(day, minute, 'America/New_York')))
  await Promise.all(Array.from({ length: times }, () => invoiceAutomatically(systemActor(own.id)))).finally(resetClock)
}

const switchOn = async (own: TestBusiness, changes: Partial<AutoInvoices> = {}) => {
  const { version } = await own.api.ok(businessesApi.get, {})
  const autoInvoices: AutoInvoices = { ...noAutoInvoices, rhythm: 'weekly', ...changes }
  await own.api.ok(businessesApi.update, { body: { autoInvoices, version } })
}
const finished = async (own: TestBusiness, day: Day, changes: { customer?: string; priceCents?: number } = {}) => {
  const visit = await aVisit(own, { day, status: 'completed', ...changes })
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: `${visit.customerId}@test.swath.test` })
      .where('businessId', '=', own.id)
      .where('id', '=', visit.customerId)
      .execute(),
  )
  return visit
}
const setOwn = async (own: TestBusiness, id: string, autoInvoices: 'never' | 'daily' | 'weekly' | 'monthly' | null) => {
  const { version } = await own.api.ok(customersApi.get, { params: { id } })
  await own.api.ok(customersApi.update, { params: { id }, body: { autoInvoices, version } })
}
const invoicesOf = async (own: TestBusiness) => (await own.api.ok(invoicesApi.list, {})).items
const bell = async (own: TestBusiness) =>
  (await own.api.ok(notificationsApi.list, {})).notifications
    .map(({ title }) => title)
    .filter((title) => title.includes('automatic'))

describe('automatic invoices', () => {
  it('are off until the business wants them, and then wait for their turn', async () => {
    const own = await aBusiness()
    await finished(own, friday)
    await lookAt(own, friday)
    expect(await invoicesOf(own)).toEqual([])
    await switchOn(own)
    // the turn of that evening was before it was switched on
    const since = instantAt(friday, evening + 5, 'America/New_York')
    await own.db((db) =>
      db.updateTable('businesses').set({ autoInvoicesSince: since }).where('businessId', '=', own.id).execute(),
    )
    await lookAt(own, friday, evening + 60)
    await lookAt(own, addDays(friday, 7), evening - 1)
    expect(await invoicesOf(own)).toEqual([])
    await lookAt(own, addDays(friday, 7))
    expect((await invoicesOf(own)).map(({ status }) => status)).toEqual(['issued'])
    await runTasks()
    expect((await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items).toHaveLength(1)
    expect(await bell(own)).toEqual(['1 invoice totaling $55.00 was made and sent automatically'])
  })

  it('are switched on by who handles money, and others do not see them', async () => {
    const own = await aBusiness()
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['settings'] })
    const { autoInvoices, version } = await clerk.api.ok(businessesApi.get, {})
    expect(autoInvoices).toBeNull()
    const rule = { rhythm: 'daily' as const, weekday: 5, monthDay: 1, hour: 17, send: true }
    const refused = await clerk.api.call(businessesApi.update, { body: { version, autoInvoices: rule } })
    expect([refused.status, refused.error.message]).toEqual([403, expect.stringContaining('automatic invoices')])
    expect((await own.api.ok(businessesApi.get, {})).autoInvoices).toMatchObject({ rhythm: 'off' })
  })

  it('are made once a turn, however many look at once and how often, and what was finished later waits for the next', async () => {
    const own = await aBusiness()
    await switchOn(own)
    await finished(own, addDays(friday, -2))
    await lookAt(own, friday, evening, 3)
    await lookAt(own, friday)
    expect(await invoicesOf(own)).toHaveLength(1)
    await finished(own, friday, { customer: 'Howard Prim' })
    await lookAt(own, friday, evening + 120)
    expect(await invoicesOf(own)).toHaveLength(1)
    // a standstill of nine days: the turn that was missed is taken once, with all that waits
    await lookAt(own, addDays(friday, 9), 600)
    await lookAt(own, addDays(friday, 9), 600)
    expect(await invoicesOf(own)).toHaveLength(2)
    const runs = await own.db((db) =>
      db
        .selectFrom('automaticInvoiceRuns')
        .select(['turnOn', 'batchId'])
        .where('businessId', '=', own.id)
        .where('rhythm', '=', 'weekly')
        .orderBy('turnOn')
        .execute(),
    )
    expect(runs.map(({ turnOn, batchId }) => [turnOn, batchId !== null])).toEqual([
      [friday, true],
      [addDays(friday, 7), true],
    ])
  })

  it('follow each customer: another pace, or never', async () => {
    const own = await aBusiness()
    const monthly = addDays(friday, 3)
    await switchOn(own, { rhythm: 'monthly', monthDay: Number(monthly.slice(8)) })
    const [daily, weekly, never] = [
      await finished(own, addDays(friday, -1), { customer: 'Daily' }),
      await finished(own, addDays(friday, -1), { customer: 'Weekly' }),
      await finished(own, addDays(friday, -1), { customer: 'Never' }),
    ]
    await finished(own, addDays(friday, -1), { customer: 'Monthly' })
    await setOwn(own, daily.customerId, 'daily')
    await setOwn(own, weekly.customerId, 'weekly')
    await setOwn(own, never.customerId, 'never')
    const names = async () => (await invoicesOf(own)).map(({ customer }) => customer.name).sort()
    await lookAt(own, addDays(friday, -1))
    expect(await names()).toEqual(['Daily'])
    await lookAt(own, friday)
    expect(await names()).toEqual(['Daily', 'Weekly'])
    await lookAt(own, monthly)
    expect(await names()).toEqual(['Daily', 'Monthly', 'Weekly'])
    expect(
      (await own.api.ok(invoicesApi.preview, { query: { to: monthly } })).groups.map(({ customer }) => customer.name),
    ).toEqual(['Never'])
  })

  it('that are refused hold no other turn back, and the office is told once; what is busy is looked at again', async () => {
    const own = await aBusiness()
    await switchOn(own, { rhythm: 'daily', monthDay: Number(friday.slice(8)) })
    await own.db((db) =>
      db
        .updateTable('businesses')
        .set({ autoInvoicesSince: instantAt(addDays(friday, -60), 0, 'America/New_York') })
        .where('businessId', '=', own.id)
        .execute(),
    )
    setClock(() => new Date(instantAt(friday, evening, 'America/New_York')))
    const taken: string[] = []
    const looking = (error: Error) =>
      invoiceAutomatically(systemActor(own.id), async (_actor, _rule, { rhythm }) => {
        taken.push(rhythm)
        if (rhythm === 'daily') throw error
      })
    const refused = conflict('This customer was merged. Nothing was made.')
    await looking(refused)
    await looking(refused)
    expect(taken).toEqual(['daily', 'weekly', 'monthly', 'daily', 'weekly', 'monthly'])
    taken.length = 0
    await looking(new BatchIsMade('state_conflict', 'Invoices are being made right now.'))
    await looking(new AppError('unavailable', 'Busy.'))
    expect(taken).toEqual(['daily', 'daily'])
    await expect(looking(new AppError('internal', 'Broken.'))).rejects.toThrow('Broken.')
    resetClock()
    const { notifications } = await own.api.ok(notificationsApi.list, {})
    expect(notifications).toMatchObject([
      {
        title: `The automatic invoices of ${formatDay(friday)} were not made`,
        content: expect.stringContaining('This customer was merged.'),
      },
    ])
  })

  it('leave out what has no price or is on hold, and say so until it is settled', async () => {
    const own = await aBusiness()
    await switchOn(own, { send: false })
    await finished(own, addDays(friday, -1))
    const free = await finished(own, addDays(friday, -1), { customer: 'Howard Prim', priceCents: 0 })
    const held = await finished(own, addDays(friday, -1), { customer: 'Held' })
    await own.db((db) =>
      sql`update customers set hold_invoices = true where business_id = ${own.id} and id = ${held.customerId}`.execute(
        db,
      ),
    )
    await lookAt(own, friday)
    expect((await invoicesOf(own)).map(({ status }) => status)).toEqual(['draft'])
    const [notice] = (await own.api.ok(notificationsApi.list, {})).notifications
    expect(notice).toMatchObject({
      title: '1 draft totaling $55.00 was made automatically',
      content: '1 draft is to be looked over and sent. 1 visit left out without a price. 1 visit left out on hold.',
    })
    const needs = async () => (await own.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'unbilled')
    expect(await needs()).toMatchObject([
      { title: '1 finished visit has no price', detail: `left out of the automatic invoices of ${formatDay(friday)}` },
    ])
    await own.api.ok(invoicesApi.settleVisit, { params: { visitId: free.visitId }, body: { priceCents: 4000 } })
    expect(await needs()).toEqual([])
  })

  it('go on where they were cut off: a turn of many is one batch, finished by whoever comes next', async () => {
    const own = await aBusiness()
    await switchOn(own)
    const { visitId } = await finished(own, addDays(friday, -1))
    await own.db(async (db) => {
      await sql`update customers set invoice_grouping = 'visit' where business_id = ${own.id}`.execute(db)
      const ids = Array.from({ length: 60 }, () => newId())
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
    })
    await lookAt(own, friday)
    const count = async () =>
      Number(
        (
          await own.db((db) =>
            sql<{ n: number }>`select count(*)::int as n from invoices where business_id = ${own.id}`.execute(db),
          )
        ).rows[0]?.n,
      )
    // killed after the first piece: nobody is told yet, and another look begins nothing
    expect([await count(), await bell(own)]).toEqual([50, []])
    await lookAt(own, friday)
    expect(await count()).toBe(50)
    const { rows } = await own.db((db) =>
      sql<{ id: string }>`select id from invoice_batches where business_id = ${own.id}`.execute(db),
    )
    expect(rows).toHaveLength(1)
    await continueInvoiceBatch.run(systemActor(own.id), { batchId: rows[0]?.id ?? '' })
    expect(await count()).toBe(61)
    expect(await bell(own)).toEqual(['61 invoices totaling $3,355.00 were made and sent automatically'])
  })
})
