import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, addMonths } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aLawn } from '../../../test/field.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { compareBooks } from '../../payments/corrections/server/queries.ts'
import { billingPlansApi } from '../contract.ts'
import { billDueMonths, countVisit } from './commands.ts'

/** Whatever comes in whatever order, what a customer is asked for in the end is what was done, and the books balance. */

type Deed =
  | 'visits'
  | 'reopen'
  | 'month'
  | 'pay'
  | 'part'
  | 'void'
  | 'credit'
  | 'change'
  | 'undo'
  | 'price'
  | 'settleAndBack'
const deeds: Deed[] = [
  'visits',
  'visits',
  'month',
  'month',
  'pay',
  'part',
  'reopen',
  'void',
  'credit',
  'change',
  'undo',
  'price',
  'settleAndBack',
]

let own: TestBusiness
let service: string
let treat: string
const first = '2027-04-05'

beforeAll(async () => {
  setClock(() => new Date('2027-04-01T16:00:00Z'))
  own = await aBusiness()
  ;[service, treat] = [newId(), newId()]
  await own.db(async (db) => {
    for (const [id, code, taxCategory] of [
      [service, 'MOW', 'lawn'],
      [treat, 'FEED', 'treat'],
    ] as const)
      await db
        .insertInto('services')
        .values({ businessId: own.id, id, code, name: code, priceRule: '{}', timeRule: '{}', taxCategory })
        .execute()
    await db
      .insertInto('taxRates')
      .values({
        businessId: own.id,
        id: newId(),
        name: 'Sales tax',
        ratePercent: 7.25 as never,
        taxCategory: 'treat',
        state: null,
      })
      .execute()
  })
})
afterAll(() => resetClock())

/** A lawn with a visit each week, fed with every fourth: rows straight into the tables, so that a hundred histories stay quick. */
const aSeason = async (cents: number, treatCents: number) => {
  const { customerId, propertyId } = await aLawn(own)
  const [jobId, mowLine, treatLine] = [newId(), newId(), newId()]
  const visits = Array.from({ length: 12 }, (_, at) => ({
    id: newId(),
    day: addDays(first, at * 7),
    both: at % 4 === 0,
  }))
  await own.db(async (db) => {
    const { next } = await db
      .selectFrom('jobs')
      .where('businessId', '=', own.id)
      .select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.val(0)).as('next'))
      .executeTakeFirstOrThrow()
    await db
      .insertInto('jobs')
      .values({
        businessId: own.id,
        id: jobId,
        number: Number(next) + 1,
        customerId,
        propertyId,
        title: 'Season',
        startOn: first,
        endOn: addDays(first, 100),
        horizonOn: addDays(first, 200),
      })
      .execute()
    for (const [id, serviceId, unitPriceCents] of [
      [mowLine, service, cents],
      [treatLine, treat, treatCents],
    ] as const)
      await db
        .insertInto('jobLines')
        .values({ businessId: own.id, id, jobId, serviceId, unitPriceCents, onceOn: first })
        .execute()
    for (const { id, day, both } of visits) {
      await db
        .insertInto('visits')
        .values({
          businessId: own.id,
          id,
          jobId,
          customerId,
          propertyId,
          occurrenceOn: day,
          day,
          status: 'scheduled',
          budgetMinutes: 30,
          priceCents: cents + (both ? treatCents : 0),
        })
        .execute()
      const lines = [
        { jobLineId: mowLine, serviceId: service, unitPriceCents: cents },
        ...(both ? [{ jobLineId: treatLine, serviceId: treat, unitPriceCents: treatCents }] : []),
      ]
      await db
        .insertInto('visitLines')
        .values(lines.map((line) => ({ ...line, businessId: own.id, id: newId(), visitId: id })))
        .execute()
    }
  })
  return { customerId, visits }
}

/** What a customer was asked for, less what was credited: work and its tax, and on how many papers. */
const askedOf = (customerId: string) =>
  own.db(async (db) => {
    const sums = sql<{ papers: number; netCents: number; taxCents: number }>`
      select count(*)::int as papers, coalesce(sum(net), 0)::float8 as net_cents, coalesce(sum(tax), 0)::float8 as tax_cents from (
        select subtotal_cents - discount_cents as net, tax_cents as tax from invoices
          where business_id = ${own.id} and customer_id = ${customerId} and status <> 'void'
        union all select -n.net_cents, -n.tax_cents from credit_notes n
          join payments p on p.business_id = n.business_id and p.id = n.payment_id and p.status = 'succeeded'
          where n.business_id = ${own.id} and n.customer_id = ${customerId}) papers`
    const [row] = (await sums.execute(db)).rows
    return row ?? { papers: 0, netCents: 0, taxCents: 0 }
  })

/** Which part of the finished work of a plan is taxed. */
const taxedPart = (planId: string) =>
  own.db(async (db) => {
    const { rows } = await sql<{ part: number }>`
      select coalesce(sum(list_cents) filter (where tax_category = 'treat') / nullif(sum(list_cents), 0), 0)::float8 as part
      from billing_plan_deliveries where business_id = ${own.id} and plan_id = ${planId}`.execute(db)
    return rows[0]?.part ?? 0
  })

const isLong = process.env.SWATH_TEST_LONG === '1'
const runs = isLong ? 400 : 5
let begun = 0

it(
  `in any order of work, months, money, changes and an end the sums are what was done, to the cent (${runs} histories)`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...deeds), { minLength: 3, maxLength: 14 }),
        fc.record({
          cents: fc.integer({ min: 1_001, max: 9_999 }),
          treatCents: fc.integer({ min: 999, max: 19_999 }),
          months: fc.integer({ min: 1, max: 9 }),
          agreed: fc.integer({ min: 80, max: 120 }),
          atFullPrice: fc.boolean(),
          refund: fc.boolean(),
        }),
        async (history, { cents, treatCents, months, agreed, atFullPrice, refund }) => {
          begun += 1
          if (isLong && begun % 20 === 0) process.stdout.write(`history ${begun} of ${runs}\n`)
          let day = '2027-04-01'
          const to = async (next: string) => {
            day = next
            setClock(() => new Date(`${next}T16:00:00Z`))
            return (await aPerson(own.id, 'Admin')).api
          }
          let api = await to(day)
          const { customerId, visits } = await aSeason(cents, treatCents)
          const season = { startsOn: '2027-04-01', endsOn: '2027-07-31' }
          const wish = {
            customerId,
            kind: 'budget' as const,
            ...season,
            months: Array.from({ length: months }, (_, at) => addMonths('2027-04-01', at).slice(0, 7)),
          }
          const seen = await api.ok(billingPlansApi.preview, { body: wish })
          const seasonCents = Math.round((seen.listCents * agreed) / 100)
          const lineIds = seen.lines.map(({ lineId }) => lineId)
          const { id } = await api.ok(billingPlansApi.create, {
            body: { ...wish, name: 'Plan', lineIds, seasonCents, expectedListCents: seen.listCents, reason: 'Agreed' },
          })
          const params = { id }
          const plan = () => api.ok(billingPlansApi.get, { params })
          const openInvoices = async () =>
            (await plan()).months.flatMap(({ invoice, state }) => (invoice && state === 'billed' ? [invoice] : []))
          let done = 0
          const setVisit = async (visitId: string, status: 'completed' | 'scheduled') => {
            await own.db((db) =>
              db
                .updateTable('visits')
                .set({ status })
                .where('businessId', '=', own.id)
                .where('id', '=', visitId)
                .execute(),
            )
            await countVisit(systemActor(own.id), visitId)
          }
          for (const deed of history) {
            if (deed === 'visits')
              for (let n = 0; n < 2 && done < visits.length; n++) await setVisit(visits[done++]?.id ?? '', 'completed')
            if (deed === 'reopen' && done > 0) await setVisit(visits[--done]?.id ?? '', 'scheduled')
            if (deed === 'month') {
              api = await to(addDays(day, 31))
              await Promise.all([1, 2].map(() => billDueMonths(systemActor(own.id))))
            }
            if (deed === 'pay' || deed === 'part')
              for (const one of (await openInvoices()).slice(0, 2)) {
                const left = one.totalCents - one.paidCents
                const amountCents = deed === 'pay' ? left + 7 : Math.ceil(left / 3)
                if (left > 0)
                  await api.ok(paymentsApi.recordPayment, {
                    params: { id: one.id },
                    body: { method: 'check', amountCents, receivedOn: day },
                  })
              }
            const [some] = await openInvoices()
            if (deed === 'void' && some) await api.call(invoicesApi.voidInvoice, { params: { id: some.id } })
            if (deed === 'credit' && some)
              await api.call(correctionsApi.creditInvoice, {
                params: { id: some.id },
                body: { amountCents: Math.ceil(some.totalCents / 7), reason: 'Sorry' },
              })
            const last = visits[done - 1]
            if (deed === 'price' && last) {
              await own.db((db) =>
                db
                  .updateTable('visitLines')
                  .set({ unitPriceCents: cents + 101 })
                  .where('businessId', '=', own.id)
                  .where('visitId', '=', last.id)
                  .execute(),
              )
              await countVisit(systemActor(own.id), last.id)
            }
            if (deed === 'change' || deed === 'undo') {
              const { version } = await plan()
              const change = await api.ok(billingPlansApi.previewChange, { params, body: {} })
              if (deed === 'undo') await api.call(billingPlansApi.undoChange, { params, body: { version } })
              else
                await api.call(billingPlansApi.change, {
                  params,
                  body: {
                    version,
                    lineIds,
                    seasonCents: Math.max(1, change.seasonCents),
                    reason: 'So',
                    tell: false,
                    expectedListCents: change.listCents,
                  },
                })
            }
            if (deed === 'settleAndBack') {
              const found = await api.ok(billingPlansApi.settlement, { params, query: {} })
              const body = { choice: found.choices[0] ?? 'none', send: false, expectedTotalCents: found.totalCents }
              const settled = await api.call(billingPlansApi.settle, { params, body })
              if (settled.status === 200) await api.ok(billingPlansApi.undoSettlement, { params })
            }
            expect(await own.db((db) => compareBooks(db))).toEqual([])
          }
          // one month at the least, or there is nothing to settle
          api = await to(addDays(day < '2027-04-01' ? '2027-04-01' : day, 1))
          await billDueMonths(systemActor(own.id))
          if ((await openInvoices()).length === 0) return
          const ends = await api.ok(billingPlansApi.settlement, { params, query: { atFullPrice } as never })
          const before = await askedOf(customerId)
          const choice = refund && ends.choices.includes('refund') ? 'refund' : (ends.choices[0] ?? 'none')
          await api.ok(billingPlansApi.settle, {
            params,
            body: { choice, send: false, atFullPrice, expectedTotalCents: ends.totalCents },
          })
          await runTasks()
          const end = await plan()
          expect(await own.db((db) => compareBooks(db))).toEqual([])
          // what was asked for in the end, less what was credited, is what was done as it counts, and its tax: each to the cent
          const left = await askedOf(customerId)
          const isSettled = ends.totalCents !== 0
          expect([left.netCents, left.taxCents]).toEqual([
            end.deliveredCents - (isSettled ? 0 : ends.netCents),
            before.taxCents + (isSettled ? ends.taxCents : 0),
          ])
          // the tax of the work that was done, by the rate; each paper has rounded its own
          const fairCents = end.deliveredCents * (await taxedPart(id)) * 0.0725
          if (isSettled) expect(Math.abs(left.taxCents - fairCents)).toBeLessThanOrEqual(left.papers)
          if (isSettled) expect(end.differenceCents).toBe(0)
          expect(
            end.entries.filter(({ kind }) => kind === 'delivered').reduce((sum, entry) => sum + entry.cents, 0),
          ).toBe(end.deliveredCents)
          expect(end.entries.findLast(({ differenceCents }) => differenceCents !== null)?.differenceCents ?? 0).toBe(
            end.differenceCents,
          )
        },
      ),
      { numRuns: runs, seed: 20_270_401, endOnFailure: true },
    )
  },
  isLong ? 3_600_000 : 180_000,
)
