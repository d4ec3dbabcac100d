import { sql } from 'kysely'
import { windowsOf } from '../../src/features/jobs/programs/rules.ts'
import { addProgramTx } from '../../src/features/jobs/programs/server/commands.ts'
import { createJobsTx } from '../../src/features/jobs/server/commands.ts'
import { bookRenewal } from '../../src/features/quotes/renewals/server/booking.ts'
import { continueRun } from '../../src/features/quotes/renewals/server/steps.ts'
import { approveByNotice } from '../../src/features/quotes/signing/server/commands.ts'
import { addDefaultServicesTx } from '../../src/features/services/server/commands.ts'
import { systemActor } from '../../src/platform/actor.ts'
import { clock } from '../../src/platform/clock.ts'
import { asBusinessId, withTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/ids.ts'
import { addDays, dayOf } from '../../src/shared/dates.ts'

type Call = <T>(method: 'GET' | 'POST', url: string, payload?: object) => Promise<T>
type Run = { id: string; version: number; counts: Record<string, number>; afterCents: number }

const booked = 20

/** A season of so many programs: the list is put together, looked at, sent, and some of it is signed and booked. In milliseconds. */
export const renewSeason = async (call: Call, business: string, count: number): Promise<Record<string, unknown>[]> => {
  const businessId = asBusinessId(business)
  const actor = systemActor(businessId)
  const year = Number(dayOf(clock.now(), 'America/New_York').slice(0, 4))
  await withTenant(actor, async (db) => {
    const services = await addDefaultServicesTx(db, actor)
    const treat = services.find(({ code }) => code === 'fert-weed')?.id ?? ''
    const steps = [2, 4, 6, 8, 10].map((month) => ({
      name: `Round ${month / 2}`,
      serviceId: treat,
      from: `${String(month).padStart(2, '0')}-01`,
      to: `${String(month).padStart(2, '0')}-28`,
      minGapDays: 0,
      priceCents: 6300,
      minutes: 30,
    }))
    const programId = await addProgramTx(db, actor, { name: 'Five rounds', steps, renews: true })
    const windows = windowsOf(steps, year)
    const { rows } = await sql<{ customerId: string; propertyId: string }>`
      select customer_id as "customerId", id as "propertyId" from properties where business_id = ${businessId} order by id limit ${count}`.execute(
      db,
    )
    await createJobsTx(
      db,
      actor,
      rows.map((place) => ({
        ...place,
        title: 'Five rounds',
        instructions: '',
        poNumber: '',
        billing: 'per_visit' as const,
        crewId: null,
        startOn: `${year}-01-01`,
        endOn: null,
        status: 'active' as const,
        batchId: null,
        programId,
        programYear: year,
        programRenews: true,
        lines: steps.map((step, at) => ({
          serviceId: treat,
          description: step.name,
          quantity: 1,
          unitPriceCents: 6300,
          budgetMinutes: 30,
          recurrence: null,
          onceOn: null,
          undated: { kind: 'step' as const, name: step.name, minGapDays: 0, ...windows[at] } as never,
        })),
      })),
    )
  })
  const figures: Record<string, unknown>[] = []
  const timed = async <T>(what: string, work: () => Promise<T>, each = 1): Promise<T> => {
    const at = performance.now()
    const answer = await work()
    const ms = performance.now() - at
    figures.push({
      what: `renewal of ${count}: ${what}`,
      ms: Math.round(ms),
      'ms each': Math.round((ms / each) * 10) / 10,
    })
    return answer
  }
  const today = dayOf(clock.now(), 'America/New_York')
  const filter = { work: 'programs' }
  await timed('how many', () => call('POST', '/api/renewal-runs/candidates', { filter, startsOn: addDays(today, 120) }))
  const { id } = await timed('asked for', () =>
    call<Run>('POST', '/api/renewal-runs', {
      filter,
      startsOn: addDays(today, 120),
      endsOn: null,
      answerBy: addDays(today, 40),
      raise: { kind: 'percent', value: 500, roundTo: 100 },
    }),
  )
  const step = () => continueRun.run(actor, { runId: id })
  await timed('put together', step, count)
  const run = await timed('its sums', () => call<Run>('GET', `/api/renewal-runs/${id}`))
  await timed('its first 100', () => call('GET', `/api/renewal-runs/${id}/rows?limit=100`))
  await call('POST', `/api/renewal-runs/${id}/send`, {
    version: run.version,
    expected: { count: run.counts.open, afterCents: run.afterCents },
  })
  await timed('sent', step, count)
  const quotes = await withTenant(actor, (db) =>
    db
      .selectFrom('renewals')
      .select('quoteId')
      .where('businessId', '=', businessId)
      .where('runId', '=', id)
      .where('quoteId', 'is not', null)
      .limit(booked)
      .execute(),
  )
  await timed(
    `${quotes.length} agreed to and booked`,
    async () => {
      for (const { quoteId } of quotes) {
        await approveByNotice(businessId, quoteId ?? newId())
        await bookRenewal.run(actor, { quoteId: quoteId ?? newId() })
      }
    },
    quotes.length,
  )
  await timed('its sums then', () => call<Run>('GET', `/api/renewal-runs/${id}`))
  return figures
}
