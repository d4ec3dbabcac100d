import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { clock, resetClock } from '../../../platform/clock.ts'
import { ownerPool } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { anAutomatedBusiness, automating } from '../../../test/automations.ts'
import type { TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { at, hours, noon, phoneOf } from '../../../test/reviews.ts'
import { businessOutbox } from '../../messages/server/delivery/commands.ts'
import { sendFromOutbox } from '../../messages/server/outbox/commands.ts'
import { noteDaySaidTx } from '../../notices/server/commands.ts'
import { visitsApi } from '../../visits/contract.ts'
import { skipForCustomerTx } from '../../visits/server/commands.ts'
import { automationsApi } from '../contract.ts'

/** That nobody reads what is not so: each automation as it is set up, nothing of it changed. */

let business: TestBusiness
const { api, make, on, done, run, sent, runs, approve, setCustomer, setVisit } = automating(() => business)
const today = '2026-06-12'
const night = Date.parse('2026-06-13T01:30:00Z')
const nextMorning = Date.parse('2026-06-13T13:00:00Z')

beforeEach(async () => {
  business = await anAutomatedBusiness()
})
afterEach(resetClock)

const reachable = async (customerId: string, more: object = {}) =>
  setCustomer(customerId, { email: `c-${customerId.slice(-8)}@test.swath.test`, ...more })
const move = async (visitId: string, day: string) =>
  (await api()).ok(visitsApi.move, { params: { visitId }, body: { day, crewId: null } as never })
/** Every message to customers, whoever sent it. */
const all = () =>
  business.db((db) =>
    db
      .selectFrom('messages')
      .select(['dedupeKey', 'bodyText', 'status', 'customerId'])
      .where('businessId', '=', business.id)
      .where('customerId', 'is not', null)
      .orderBy('id')
      .execute(),
  )
const movesTold = async () => (await all()).filter(({ dedupeKey }) => dedupeKey.startsWith('moved:'))
/** Lets what a move holds for some minutes run: the queue's clock is the database's. */
const afterTheHold = async () => {
  await runTasks()
  at(clock.nowMs() + 6 * 60_000)
  await ownerPool().query('update graphile_worker._private_jobs set run_at = now() where key like $1', [
    `notices.moved:${business.id}:%`,
  ])
  await runTasks()
}
const leave = async () => {
  for (const { id, status } of await sent())
    if (status === 'pending' || status === 'held') await sendFromOutbox(businessOutbox(business.id), id)
  return (await sent()).at(-1)
}

describe('a skipped visit', () => {
  const visitOf = async (day: string) => {
    const made = await aVisit(business, { customer: 'Rosa Marsh', day })
    await reachable(made.customerId)
    return made
  }
  const skip = async (visitId: string, reason = 'dog') =>
    (await api()).ok(visitsApi.skip, { params: { visitId }, body: { reason } as never })

  it('is told where somebody could not do it that day, with the day', async () => {
    await on('visit_skipped')
    const { visitId, customerId } = await visitOf(today)
    await skip(visitId)
    at(noon + hours(1.5))
    await run()
    const [mail, ...more] = await sent()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ customerId, subject: 'We could not do your visit' })
    expect(mail?.bodyText).toContain('we could not do your visit of Friday, June 12.')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['it is ahead, and the office took it out', async () => skip((await visitOf('2026-06-15')).visitId)],
    ['they asked for it by phone', async () => skip((await visitOf(today)).visitId, 'customer_asked')],
    ['there was nothing to do', async () => skip((await visitOf(today)).visitId, 'not_needed')],
    [
      'they skipped it in their portal, whatever reason stands for that',
      async () => {
        const { visitId } = await visitOf(today)
        await business.db((db) =>
          skipForCustomerTx(db, systemActor(business.id), visitId, { reason: 'other', note: 'in the portal' }),
        )
      },
    ],
    [
      'a rain push skipped it, which tells of it',
      async () => {
        const { visitId } = await visitOf(today)
        await business.db((db) =>
          db
            .insertInto('routeChanges')
            .values({
              businessId: business.id,
              id: newId(),
              day: addDays(today, -1),
              kind: 'rain',
              label: 'Rain',
              before: '[]',
              after: '[]',
              effects: JSON.stringify({ skipped: [newId(), visitId], told: true }),
            })
            .execute(),
        )
        await skip(visitId, 'too_wet')
      },
    ],
    [
      'it has another day already',
      async () => {
        const { visitId } = await visitOf(today)
        await skip(visitId)
        await (await api()).ok(visitsApi.rebook, { params: { visitId }, body: { day: '2026-06-16' } })
      },
    ],
  ])('is not told where %s', async (_, skipIt) => {
    await on('visit_skipped')
    await skipIt()
    at(noon + hours(1.5))
    await run()
    expect(await sent()).toEqual([])
    expect(await runs()).toEqual([])
  })

  it('that gets another day in the night does not leave in the morning', async () => {
    await on('visit_skipped')
    const { visitId, customerId } = await visitOf(today)
    await reachable(customerId, { phone: phoneOf(5) })
    at(night - hours(1))
    await skip(visitId)
    at(night)
    await run()
    await leave()
    await (await api()).ok(visitsApi.rebook, { params: { visitId }, body: { day: '2026-06-16' } })
    at(nextMorning)
    expect(await leave()).toMatchObject({
      status: 'suppressed',
      reason: 'What it was about has changed before it left',
    })
  })
})

describe('words are those of the moment in which they leave', () => {
  /** Work booked in the evening, whose text quiet hours hold. */
  const bookedAtNight = async () => {
    await on('visit_booked')
    const made = await aVisit(business, { customer: 'Rosa Marsh', day: '2026-06-16' })
    await reachable(made.customerId, { phone: phoneOf(1) })
    await business.db((db) =>
      db
        .updateTable('jobs')
        .set({ createdAt: new Date(night - hours(1)).toISOString() })
        .where('businessId', '=', business.id)
        .execute(),
    )
    at(night + 60_000)
    await run()
    expect((await leave())?.status).toBe('held')
    return made
  }

  it('a visit that moved in the night is named by its new day, once; who moves it after that tells them', async () => {
    const { visitId } = await bookedAtNight()
    expect((await sent())[0]?.bodyText).toContain('Tuesday, June 16')
    await move(visitId, '2026-06-18')
    await afterTheHold()
    at(nextMorning)
    const text = await leave()
    expect(text?.status).toMatch(/sent|delivered/)
    expect(text?.bodyText).toBe(
      'Hi Rosa, you are on our schedule. We come first on Thursday, June 18. Marsh Side Lawns Reply STOP to opt out.',
    )
    await afterTheHold()
    expect(await movesTold()).toEqual([])
    await move(visitId, '2026-06-19')
    await afterTheHold()
    expect((await movesTold()).map(({ bodyText }) => bodyText)).toEqual([
      expect.stringMatching(/Thu.* 18.* is now on Fri.* 19/),
    ])
  })

  it('a first visit that was done meanwhile is not announced', async () => {
    const { visitId } = await bookedAtNight()
    await setVisit(visitId, { status: 'completed', finishedAt: new Date(night + hours(1)).toISOString() })
    at(nextMorning)
    expect((await leave())?.status).toBe('suppressed')
  })

  it('what has nothing to say any more does not leave, and says why', async () => {
    await on('visit_done', { textEn: 'Questions? {business phone}' })
    await business.db((db) =>
      db.updateTable('businesses').set({ phone: '9125550100' }).where('businessId', '=', business.id).execute(),
    )
    const { customerId } = await done(-8, { phone: phoneOf(2) })
    at(night + hours(1.5))
    await run()
    await leave()
    await business.db((db) =>
      db.updateTable('businesses').set({ phone: null }).where('businessId', '=', business.id).execute(),
    )
    at(nextMorning)
    const text = await leave()
    expect(text).toMatchObject({ customerId, status: 'suppressed' })
    expect(text?.reason).toContain('no phone number')
  })

  it('what somebody said yes to leaves in those words, with the values of the morning', async () => {
    const automation = await on('visit_done', { approval: 'ask' })
    const { customerId } = await done(-8, { phone: phoneOf(3) })
    at(night + hours(1.5))
    await run()
    expect((await approve((await runs())[0])).status).toBe(200)
    await leave()
    await (await api()).ok(automationsApi.update, {
      params: { id: automation.id },
      body: { textEn: 'Buy more!', version: automation.version },
    })
    await setCustomer(customerId, { name: 'Rosa Maria Marsh' })
    at(nextMorning)
    expect((await leave())?.bodyText).toContain('Hi Rosa, we were at your place on Friday, June 12.')
  })
})

describe('a day that was told', () => {
  const aTreatment = async (day: string) => {
    const made = await aVisit(business, { customer: 'Rosa Marsh', day })
    await reachable(made.customerId)
    await business.db(async (db) => {
      const programId = newId()
      await db
        .insertInto('programs')
        .values({ businessId: business.id, id: programId, name: 'Five rounds', steps: '[]' })
        .execute()
      await db
        .updateTable('jobs')
        .set({ programId, programYear: 2026 })
        .where('businessId', '=', business.id)
        .where('id', '=', made.jobId)
        .execute()
    })
    return made
  }
  const days = async () => (await sent()).map(({ bodyText }) => /June \d+/.exec(bodyText)?.[0])

  it('is known to the notice of a move, and the new day is told in its own time', async () => {
    await on('treatment_coming')
    const { visitId } = await aTreatment('2026-06-15')
    await run()
    await leave()
    expect(await days()).toEqual(['June 15'])
    await move(visitId, '2026-06-18')
    await afterTheHold()
    expect((await movesTold()).map(({ bodyText }) => bodyText)).toEqual([expect.stringContaining('is now on')])
    await run()
    expect(await days()).toEqual(['June 15'])
    // three days before, and not a week since the last one
    at(noon + hours(72))
    await run()
    expect(await days()).toEqual(['June 15', 'June 18'])
  })

  it('is not told once more where the notice of the move said it at that time or later', async () => {
    await on('treatment_coming')
    const { visitId, customerId } = await aTreatment('2026-06-25')
    await business.db((db) => noteDaySaidTx(db, { visitId, customerId, day: '2026-06-25' }))
    at(noon + hours(1))
    await move(visitId, '2026-06-15')
    await afterTheHold()
    expect(await movesTold()).toHaveLength(1)
    await run()
    expect(await sent()).toEqual([])
  })

  it('waits for a yes again where it is back on its day', async () => {
    await on('treatment_coming', { approval: 'ask' })
    const { visitId } = await aTreatment('2026-06-15')
    await run()
    await move(visitId, '2026-06-16')
    await run()
    expect((await runs()).map(({ status }) => status)).toEqual(['canceled'])
    await move(visitId, '2026-06-15')
    await run()
    await run()
    expect((await runs()).map(({ status }) => status)).toEqual(['waiting', 'canceled'])
  })

  it('of two properties is told with the street of each', async () => {
    await on('treatment_coming')
    const [here, there] = [await aTreatment('2026-06-15'), await aTreatment('2026-06-15')]
    const { customerId } = here
    await business.db(async (db) => {
      await db
        .updateTable('properties')
        .set({ customerId, street: '9 Oak St' })
        .where('businessId', '=', business.id)
        .where('id', '=', there.propertyId)
        .execute()
      await db
        .updateTable('jobs')
        .set({ customerId })
        .where('businessId', '=', business.id)
        .where('id', '=', there.jobId)
        .execute()
    })
    await setVisit(there.visitId, { customerId })
    await run()
    expect((await sent()).map(({ bodyText }) => /June 15 \(.*?\)/.exec(bodyText)?.[0]).sort()).toEqual([
      'June 15 (132 Laurel Green Ct)',
      'June 15 (9 Oak St)',
    ])
  })
})

it('the words that come with a kind say no day that is today', async () => {
  for (const kind of ['visit_done', 'visit_skipped'] as const) {
    const { textEn, textEs, subjectEn } = await make(kind)
    expect(`${textEn} ${subjectEn}`).not.toMatch(/today/i)
    expect(textEs).not.toMatch(/\bhoy\b/i)
  }
})
