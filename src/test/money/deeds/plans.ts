import { billingPlansApi } from '../../../features/billingplans/contract.ts'
import { countVisit } from '../../../features/billingplans/server/commands.ts'
import { systemActor } from '../../../platform/actor.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, addMonths } from '../../../shared/dates.ts'
import { pick, pickRecent } from '../dice.ts'
import { type Deed, press, treated, type World } from '../world.ts'
import { seeNew } from './days.ts'

// A season that is billed by the month.

const reason = 'Agreed'

/** A job with a visit a week, some of them with a treatment: rows straight into the tables, so that a run stays quick. */
const aSeason = async ({ own, day }: World, customerId: string) => {
  const [jobId, propertyId] = [newId(), newId()]
  const services = [
    { id: newId(), code: `MOW${jobId.slice(-5)}`, taxCategory: 'lawn', cents: 4321, line: newId() },
    { id: newId(), code: `FEED${jobId.slice(-5)}`, taxCategory: treated, cents: 6543, line: newId() },
  ]
  const visits = Array.from({ length: 8 }, (_, at) => ({
    id: newId(),
    day: addDays(day, 1 + at * 7),
    both: at % 3 === 0,
  }))
  const businessId = own.id
  await own.db(async (db) => {
    for (const { id, code, taxCategory } of services)
      await db
        .insertInto('services')
        .values({ businessId, id, code, name: code, priceRule: '{}', timeRule: '{}', taxCategory })
        .execute()
    await db
      .insertInto('properties')
      .values({
        businessId,
        id: propertyId,
        customerId,
        street: '7 Oak St',
        city: 'Savannah',
        state: 'GA',
        zip: '31419',
      })
      .execute()
    const { next } = await db
      .selectFrom('jobs')
      .where('businessId', '=', businessId)
      .select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.val(0)).as('next'))
      .executeTakeFirstOrThrow()
    const span = { startOn: day, endOn: addDays(day, 100), horizonOn: addDays(day, 200) }
    await db
      .insertInto('jobs')
      .values({ businessId, id: jobId, number: Number(next) + 1, customerId, propertyId, title: 'Season', ...span })
      .execute()
    for (const { id, line, cents } of services)
      await db
        .insertInto('jobLines')
        .values({ businessId, id: line, jobId, serviceId: id, unitPriceCents: cents, onceOn: day })
        .execute()
    for (const visit of visits) {
      const lines = services.slice(0, visit.both ? 2 : 1)
      await db
        .insertInto('visits')
        .values({
          businessId,
          id: visit.id,
          jobId,
          customerId,
          propertyId,
          occurrenceOn: visit.day,
          day: visit.day,
          status: 'scheduled',
          budgetMinutes: 30,
          priceCents: lines.reduce((sum, { cents }) => sum + cents, 0),
        })
        .execute()
      await db
        .insertInto('visitLines')
        .values(
          lines.map(({ id, line, cents }) => ({
            businessId,
            id: newId(),
            visitId: visit.id,
            jobLineId: line,
            serviceId: id,
            unitPriceCents: cents,
          })),
        )
        .execute()
    }
  })
  return visits
}

const startPlan: Deed = async (world, dice) => {
  if (world.plans.length > 1) return null
  const customerId = pick(dice, world.customers)?.id ?? ''
  const visits = await aSeason(world, customerId)
  const wish = {
    customerId,
    kind: 'budget' as const,
    startsOn: world.day,
    endsOn: addDays(world.day, 90),
    months: Array.from({ length: 2 + dice(3) }, (_, at) => addMonths(world.day, at).slice(0, 7)),
  }
  const seen = await world.api.ok(billingPlansApi.preview, { body: wish })
  const own = seen.lines.filter(({ covered }) => covered)
  const body = {
    ...wish,
    name: 'Season',
    lineIds: own.map(({ lineId }) => lineId),
    seasonCents: Math.max(1, Math.round((seen.listCents * (85 + dice(30))) / 100)),
    expectedListCents: seen.listCents,
    reason,
  }
  const plan = await press(world, dice, billingPlansApi.create, { body })
  if (!plan) return null
  world.plans.push({ id: plan.id, visits: visits.map(({ id }) => ({ id, done: false })) })
  await seeNew(world)
  return `a plan of ${body.seasonCents}`
}

/** Some of the season's work is done, or what was done is opened again. */
const work: Deed = async (world, dice) => {
  const plan = pick(dice, world.plans)
  if (!plan) return null
  const done = dice(4) > 0
  const some = plan.visits.filter((visit) => visit.done !== done).slice(0, done ? 1 + dice(3) : 1)
  for (const visit of some) {
    await world.own.db((db) =>
      db
        .updateTable('visits')
        .set({ status: done ? 'completed' : 'scheduled' })
        .where('businessId', '=', world.own.id)
        .where('id', '=', visit.id)
        .execute(),
    )
    await countVisit(systemActor(world.own.id), visit.id)
    visit.done = done
  }
  return some.length > 0 ? `${some.length} visits ${done ? 'done' : 'opened again'}` : null
}

const settle: Deed = async (world, dice) => {
  const plan = pickRecent(dice, world.plans)
  if (!plan) return null
  const params = { id: plan.id }
  const seen = await world.api.call(billingPlansApi.settlement, { params, query: {} })
  if (seen.status !== 200) return null
  const { choices, totalCents } = seen.body
  const body = { choice: pick(dice, choices) ?? ('none' as const), send: false, expectedTotalCents: totalCents }
  const done = await press(world, dice, billingPlansApi.settle, { params, body })
  if (done) await seeNew(world)
  return done && `settled by ${body.choice}: ${totalCents}`
}

const unsettle: Deed = async (world, dice) => {
  const plan = pickRecent(dice, world.plans)
  const done = plan && (await press(world, dice, billingPlansApi.undoSettlement, { params: { id: plan.id } }))
  return done ? 'the settlement is taken back' : null
}

export const plans = { startPlan, work, settle, unsettle }
