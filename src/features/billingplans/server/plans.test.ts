import { describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { newId } from '../../../platform/ids.ts'
import { runTasks } from '../../../test/api.ts'
import { aPlanBusiness, months, season } from '../../../test/billing-plans.ts'
import { aBusiness } from '../../../test/factories.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { messagesApi } from '../../messages/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { billingPlansApi } from '../contract.ts'
import { billDueMonths } from './commands.ts'

const { api, of, on, bill, books, aCustomer, preview, start, get, settlement, settle, visitsOf, finish, invoice, pay } =
  aPlanBusiness()

describe('a budget plan', () => {
  it('comes to what recurrence and prices say, in equal months, and makes nothing before it is started', async () => {
    await on('2027-03-20')
    const { customerId } = await aCustomer()
    const seen = await preview(customerId)
    // 30 Mondays from April 5 to October 25, and two treatments
    expect(seen.lines.map(({ visits, cents, covered }) => [visits, cents, covered])).toEqual([
      [30, 150_000, true],
      [1, 7_500, true],
      [1, 7_500, true],
    ])
    expect([seen.listCents, seen.seasonCents, seen.problems]).toEqual([165_000, 165_000, []])
    expect(seen.months.map(({ billOn, cents }) => [billOn, cents])[0]).toEqual(['2027-04-01', 20_625])
    expect(seen.months.reduce((sum, { cents }) => sum + cents, 0)).toBe(165_000)
    // 7 % of the treatments alone
    expect(seen.taxCents).toBeGreaterThanOrEqual(1_048)
    expect(seen.taxCents).toBeLessThanOrEqual(1_052)
    const odd = await preview(customerId, { months: months.slice(0, 7), billDay: 31 })
    expect(odd.months.map(({ billOn }) => billOn.slice(5))).toEqual([
      '04-30',
      '05-31',
      '06-30',
      '07-31',
      '08-31',
      '09-30',
      '10-31',
    ])
    expect(odd.months.map(({ cents }) => cents)).toEqual([23_574, 23_571, 23_571, 23_571, 23_571, 23_571, 23_571])
    expect((await api.ok(billingPlansApi.list, { query: { customerId } })).items).toEqual([])
  })

  it('bills each month once, taxed by its share, mailed; its visits make no invoice, work beyond it does', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId)
    expect(plan.months.every(({ state }) => state === 'planned')).toBe(true)
    await bill('2027-04-01')
    await bill('2027-04-01')
    await Promise.all([billDueMonths(systemActor(of().id)), billDueMonths(systemActor(of().id))])
    const first = (await get(plan.id)).months.flatMap(({ invoice: one }) => one ?? [])
    expect(first).toHaveLength(1)
    const made = await invoice(first[0]?.id ?? '')
    expect(made.status).toBe('issued')
    expect(made.subtotalCents).toBe(20_625)
    expect(made.taxes).toEqual([expect.objectContaining({ ratePercent: 7, baseCents: 1_875, taxCents: 131 })])
    expect(made.dueOn).toBe('2027-04-11')
    await finish(job.id, 3)
    const covered = (await visitsOf(job.id)).filter(({ status }) => status === 'completed')
    expect(covered.map(({ coveredBy, toBill }) => [coveredBy, toBill])).toEqual(Array(3).fill([plan.id, false]))
    const seen = await api.ok(invoicesApi.preview, { query: { to: '2027-04-30' } })
    expect(seen.groups.filter(({ customer }) => customer.id === customerId)).toEqual([])
    expect(seen.coveredCount).toBeGreaterThanOrEqual(3)
    expect(await get(plan.id)).toMatchObject({ deliveredCents: 15_000, billedCents: 20_625, differenceCents: -5_625 })
    // opened again it counts no more
    const [one] = covered
    await api.ok(visitsApi.reopen, { params: { visitId: one?.id ?? '' }, body: { reason: 'Not done' } as never })
    await runTasks()
    expect((await get(plan.id)).deliveredCents).toBe(10_000)
    expect(await books()).toEqual([])
  })

  it('makes up for a stand-still without doing a month twice, and waits while invoices are on hold', async () => {
    await on('2027-03-20')
    const { customerId } = await aCustomer()
    const plan = await start(customerId)
    const hold = (holdInvoices: boolean) =>
      of().db((db) =>
        db
          .updateTable('customers')
          .set({ holdInvoices })
          .where('businessId', '=', of().id)
          .where('id', '=', customerId)
          .execute(),
      )
    await hold(true)
    await bill('2027-06-15')
    expect(await get(plan.id)).toMatchObject({ billedCents: 0, heldSince: '2027-04-01' })
    const waiting = async () =>
      (await api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'plan').map(({ title }) => title)
    expect(await waiting()).toEqual([expect.stringContaining('is held')])
    await hold(false)
    await bill('2027-06-15')
    const after = await get(plan.id)
    expect(after.months.map(({ state }) => state).slice(0, 4)).toEqual(['billed', 'billed', 'billed', 'planned'])
    expect(after.heldSince).toBeNull()
    expect(await waiting()).toEqual([])
    const numbers = after.months.flatMap(({ invoice: one }) => one?.number ?? [])
    expect(new Set(numbers).size).toBe(3)
    expect(await books()).toEqual([])
  })

  it('canceled in October with less done than billed: credit or refund to the cent, months stopped, once, and back', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId)
    await finish(job.id, 20)
    await bill('2027-10-02')
    const billed = await get(plan.id)
    expect(billed.months.filter(({ state }) => state === 'billed')).toHaveLength(7)
    await pay(billed, 6)
    const seen = await settlement(plan.id)
    // 20 Mondays and the treatment of May
    expect(seen).toMatchObject({
      deliveredCents: 107_500,
      billedCents: 144_375,
      netCents: -36_875,
      monthsLeft: { count: 1, cents: 20_625 },
    })
    const taxed = billed.months.reduce((sum, { invoice: one, cents }) => sum + (one ? one.totalCents - cents : 0), 0)
    expect(taxed).toBe(918 - 1)
    expect(seen.totalCents).toBe(-36_875 + seen.taxCents)
    expect(seen.choices).toEqual(['credit', 'refund'])
    expect(seen.openCents).toBe(billed.months[6]?.invoice?.totalCents)
    const wrong = await api.call(billingPlansApi.settle, {
      params: { id: plan.id },
      body: { choice: 'credit', send: false, expectedTotalCents: -1 },
    })
    expect(wrong.status).toBe(409)
    const [a, b] = await Promise.all([settle(plan.id, 'credit'), settle(plan.id, 'credit')])
    expect([a?.status, b?.status].sort()).toEqual([200, 409])
    const done = await get(plan.id)
    expect(done).toMatchObject({
      status: 'settled',
      settled: { choice: 'credit', totalCents: seen.totalCents, sent: false },
    })
    expect(done.months.map(({ state }) => state).at(-1)).toBe('stopped')
    expect(await books()).toEqual([])
    // the open month is paid by it, the rest waits
    const open = await invoice(done.months[6]?.invoice?.id ?? '')
    expect([open.status, open.creditCents]).toEqual(['paid', -seen.totalCents - seen.openCents])
    const back = await api.ok(billingPlansApi.undoSettlement, { params: { id: plan.id } })
    expect([back.status, back.months.at(-1)?.state]).toEqual(['active', 'planned'])
    expect(await books()).toEqual([])
    expect((await settlement(plan.id)).totalCents).toBe(seen.totalCents)
    const refunded = await settle(plan.id, 'refund', { send: true })
    expect(refunded.status).toBe(200)
    await runTasks()
    const end = await get(plan.id)
    expect(end.settled).toMatchObject({ refundedCents: -seen.totalCents - seen.openCents, sent: true })
    expect((await api.call(billingPlansApi.undoSettlement, { params: { id: plan.id } })).status).toBe(409)
    expect((await invoice(done.months[6]?.invoice?.id ?? '')).creditCents).toBe(0)
    expect(await books()).toEqual([])
    const mails = (await api.ok(messagesApi.list, { query: { channel: 'email' } })).items.map(({ subject }) => subject)
    expect(mails.filter((subject) => subject.includes('is settled'))).toHaveLength(1)
    // work that is finished later is billed by the visit
    await finish(job.id, 1)
    const late = (await visitsOf(job.id)).filter(({ status }) => status === 'completed').at(-1)
    expect([late?.coveredBy, late?.toBill]).toEqual([null, true])
    const [gone] = await visitsOf(job.id)
    expect(
      (await api.call(visitsApi.reopen, { params: { visitId: gone?.id ?? '' }, body: { reason: 'x' } as never }))
        .status,
    ).toBe(409)
  })

  it('with more done than billed: one last invoice of the difference, and its undo while nothing was sent', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId)
    await finish(job.id, 8)
    await bill('2027-05-25')
    const seen = await settlement(plan.id)
    expect(seen).toMatchObject({
      deliveredCents: 47_500,
      billedCents: 41_250,
      netCents: 6_250,
      choices: ['bill', 'waive'],
    })
    // all of the treatment was done, of which two shares were billed
    expect(seen.taxCents).toBe(Math.round((7_500 - 3_750) * 0.07))
    const settled = await settle(plan.id, 'bill')
    expect(settled.status).toBe(200)
    const last = await invoice((await get(plan.id)).settled?.invoice?.id ?? '')
    expect(last).toMatchObject({ status: 'issued', subtotalCents: 6_250, totalCents: seen.totalCents })
    expect(last.lines.some(({ totalCents }) => totalCents < 0)).toBe(true)
    expect(last.lines.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(6_250)
    expect((await get(plan.id)).can).toMatchObject({ undoSettlement: true, settle: false })
    await api.ok(billingPlansApi.undoSettlement, { params: { id: plan.id } })
    expect((await invoice(last.id)).status).toBe('void')
    expect(await books()).toEqual([])
    await settle(plan.id, 'bill', { send: true })
    await runTasks()
    expect((await get(plan.id)).can.undoSettlement).toBe(false)
    expect(await books()).toEqual([])
  })

  it('changes with the season: a raise is seen, the months left follow, the customer is told, and it is taken back', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId)
    await bill('2027-05-02')
    const lines = job.lines.map((line, at) => ({
      id: line.id,
      serviceId: line.serviceId,
      quantity: line.quantity,
      unitPriceCents: at === 0 ? 6000 : (line.unitPriceCents ?? 0),
      budgetMinutes: line.budgetMinutes,
      recurrence: line.recurrence,
      onceOn: line.onceOn,
    }))
    const { version } = await api.ok(jobsApi.get, { params: { id: job.id } })
    await api.ok(jobsApi.update, {
      params: { id: job.id },
      body: { version, lines: lines as never, scope: 'all_open' },
    })
    const seen = await get(plan.id)
    expect(seen.expected).toEqual({ listCents: 195_000, seasonCents: 195_000, isChanged: true })
    const change = await api.ok(billingPlansApi.previewChange, { params: { id: plan.id }, body: {} })
    expect([change.problem, change.billedCents, change.seasonCents]).toEqual([null, 41_250, 195_000])
    expect(change.months.reduce((sum, { cents }) => sum + cents, 0)).toBe(195_000 - 41_250)
    const body = {
      version: seen.version,
      lineIds: change.lines.filter(({ covered }) => covered).map(({ lineId }) => lineId),
      seasonCents: change.seasonCents,
      reason: 'Mowing is $60 from May on.',
      tell: true,
      expectedListCents: change.listCents,
    }
    const changed = await api.ok(billingPlansApi.change, { params: { id: plan.id }, body })
    expect(changed.months.slice(2).map(({ cents }) => cents)).toEqual(change.months.map(({ cents }) => cents))
    expect([changed.seasonCents, changed.isChanged, changed.changes[0]?.told]).toEqual([195_000, false, true])
    expect((await api.call(billingPlansApi.change, { params: { id: plan.id }, body })).status).toBe(409)
    const back = await api.ok(billingPlansApi.undoChange, {
      params: { id: plan.id },
      body: { version: changed.version },
    })
    expect([back.seasonCents, back.months[2]?.cents, back.isChanged]).toEqual([165_000, 20_625, true])
    expect(back.changes[0]?.undoneOn).toBe('2027-05-02')
    await runTasks()
    const mails = (await api.ok(messagesApi.list, { query: { channel: 'email' } })).items.map(({ subject }) => subject)
    expect(mails.filter((subject) => subject.includes('changes'))).toHaveLength(2)
    const low = await api.call(billingPlansApi.change, {
      params: { id: plan.id },
      body: { ...body, version: back.version, seasonCents: 100 },
    })
    expect(low.status).toBe(422)
  })

  it('is taken back while nothing was billed; what was done is billed by the visit again', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId, { months: months.slice(2) })
    await finish(job.id, 2)
    expect((await get(plan.id)).deliveredCents).toBeGreaterThan(0)
    expect((await settle(plan.id, 'bill')).status).toBe(409)
    await api.ok(billingPlansApi.discard, { params: { id: plan.id } })
    const done = (await visitsOf(job.id)).filter(({ status }) => status === 'completed')
    expect(done.map(({ coveredBy, toBill }) => [coveredBy, toBill])).toEqual(Array(2).fill([null, true]))
    expect((await api.ok(billingPlansApi.list, { query: { customerId } })).items).toEqual([])
    // started in the middle it takes what is done and not billed with it
    const again = await start(customerId, { months: months.slice(2) })
    expect(again.deliveredCents).toBe(10_000)
  })

  it('refuses work twice, months that are over, a foreign line and a sum without a reason, each at its field', async () => {
    await on('2027-03-20')
    const { customerId } = await aCustomer()
    await start(customerId)
    const twice = await preview(customerId)
    expect(twice.lines.map(({ refusal }) => refusal)).toEqual(Array(3).fill('Covered by Season 2027'))
    expect(twice.problems.map(({ path }) => path)).toContain('lineIds')
    const other = await aCustomer()
    const seen = await preview(other.customerId)
    const body = {
      customerId: other.customerId,
      kind: 'budget' as const,
      name: 'Season',
      ...season,
      months,
      lineIds: seen.lines.map(({ lineId }) => lineId),
      seasonCents: seen.seasonCents,
      expectedListCents: seen.listCents,
    }
    const tried = async (change: object) => {
      const answer = await api.call(billingPlansApi.create, { body: { ...body, ...change } })
      return [answer.status, JSON.stringify(answer)]
    }
    expect((await tried({ seasonCents: 150_000 }))[0]).toBe(422)
    expect((await tried({ months: ['2027-01'] }))[1]).toContain('January 2027 is over')
    expect((await tried({ lineIds: [newId()] }))[0]).toBe(422)
    expect((await tried({ expectedListCents: 1 }))[0]).toBe(409)
    expect((await tried({ customerId: newId() }))[0]).toBe(404)
    const stranger = await aBusiness()
    expect((await stranger.api.call(billingPlansApi.get, { params: { id: newId() } })).status).toBe(404)
  })
})

describe('a prepaid season', () => {
  it('is billed at once for less, delivered at that price, and even when all is done; canceled, the discount may go', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId, { kind: 'prepaid', months: ['2027-03'], billDay: 1, seasonCents: 156_750 })
    expect(plan.months.map(({ state, cents }) => [state, cents])).toEqual([['billed', 156_750]])
    const made = await invoice(plan.months[0]?.invoice?.id ?? '')
    expect(made.taxes[0]?.baseCents).toBe(14_250)
    await finish(job.id, 10)
    const seen = await settlement(plan.id)
    // ten Mondays and a treatment at 95 %
    expect(seen).toMatchObject({ fullCents: 57_500, deliveredCents: 54_625 })
    const full = await settlement(plan.id, true)
    expect(full.netCents).toBe(57_500 - 156_750)
    expect(full.totalCents).toBeGreaterThan(seen.totalCents)
    await finish(job.id, 20)
    const end = await get(plan.id)
    expect([end.deliveredCents, end.differenceCents]).toEqual([156_750, 0])
    expect(end.entries.at(-1)?.differenceCents).toBe(0)
    expect((await settlement(plan.id)).choices).toEqual(['none'])
    expect((await settle(plan.id, 'none')).status).toBe(200)
    expect(await books()).toEqual([])
  })

  it('at the end of the season the next plan takes over what is left', async () => {
    await on('2027-03-20')
    const { customerId, job } = await aCustomer()
    const plan = await start(customerId)
    await finish(job.id, 28)
    await bill('2027-11-02')
    const seen = await settlement(plan.id)
    expect(seen).toMatchObject({ netCents: 155_000 - 165_000, choices: ['credit', 'carry'] })
    expect((await settle(plan.id, 'carry')).status).toBe(200)
    const next = { startsOn: '2028-02-01', endsOn: '2028-10-31', months: ['2028-02', '2028-03'], billDay: 31 }
    const shown = await preview(customerId, next)
    expect([shown.carryCents, shown.carriedFrom?.id]).toEqual([-10_000, plan.id])
    expect(shown.months[0]?.billOn).toBe('2028-02-29')
    const again = await start(customerId, next)
    expect(again.months.reduce((sum, { cents }) => sum + cents, 0)).toBe(again.seasonCents - 10_000)
    expect((await api.call(billingPlansApi.undoSettlement, { params: { id: plan.id } })).status).toBe(409)
    await api.ok(billingPlansApi.discard, { params: { id: again.id } })
    await api.ok(billingPlansApi.undoSettlement, { params: { id: plan.id } })
    expect(await books()).toEqual([])
  })
})
