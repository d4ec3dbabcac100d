import { expect, it } from 'vitest'
import { type DemoCrew, workDay } from '../demo/season.ts'
import { ownerOf } from '../demo/team.ts'
import { tellOfVisits } from '../demo/visits.ts'
import { visitsApi } from '../features/visits/contract.ts'
import { resetClock, setClock } from '../platform/clock.ts'
import { addDays, instantAt } from '../shared/dates.ts'
import { aBusiness } from './factories.ts'
import { aCrew, aVisit, everyDay, today } from './field.ts'

it('the demo shows a visit with photos, taps of a phone and a text, and what the office did with others', async () => {
  const business = await aBusiness({ workDays: everyDay })
  const crewId = await aCrew(business, { workDays: everyDay })
  const [yesterday, tomorrow] = [addDays(today(), -1), addDays(today(), 1)]
  const done = await aVisit(business, { day: yesterday, crewId, status: 'completed' })
  const gate = await aVisit(business, { day: yesterday, crewId, status: 'skipped' })
  const coming = [await aVisit(business, { day: tomorrow, crewId }), await aVisit(business, { day: tomorrow, crewId })]
  const at = (minute: number) => instantAt(yesterday, minute, 'America/New_York')
  await business.db(async (db) => {
    const mine = db.updateTable('visits').where('businessId', '=', business.id)
    const finishedBy = business.owner.userId
    await mine
      .set({ startedAt: at(540), finishedAt: at(580), finishedBy })
      .where('id', '=', done.visitId)
      .execute()
    const skip = { skipReason: 'locked_gate', finishedAt: at(600), finishedBy }
    await mine.set(skip).where('id', '=', gate.visitId).execute()
    await db
      .updateTable('customers')
      .set({ phone: '+19125550177' })
      .where('businessId', '=', business.id)
      .where('id', '=', done.customerId)
      .execute()
  })
  await tellOfVisits(await ownerOf(business.id, 'America/New_York'))
  const get = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })
  const full = await get(done.visitId)
  expect(full.photos.map((photo) => photo.kind)).toEqual(['before', 'after'])
  expect(full.history.map(({ text, fromPhone }) => [text, fromPhone])).toEqual([
    ['Finished', true],
    ['Started', true],
  ])
  expect(full.messages?.map((message) => message.text)).toEqual(['The lawn looks great, thank you!'])
  const again = await get(gate.visitId)
  expect([again.photos.map((photo) => photo.kind), again.rebookedDay]).toEqual([['other'], tomorrow])
  const fates = await Promise.all(coming.map(async ({ visitId }) => (await get(visitId)).status))
  expect(fates.toSorted()).toEqual(['canceled', 'scheduled'])
})

it('a crew of the demo that is on a stop has been at it since it began', async () => {
  const business = await aBusiness({ workDays: everyDay })
  const crewId = await aCrew(business, { workDays: everyDay })
  const { visitId } = await aVisit(business, { crewId, position: 1, startMinute: 600, budgetMinutes: 300 })
  const noon = Date.parse(instantAt(today(), 720, 'America/New_York')) - Date.now()
  setClock(() => new Date(Date.now() + noon))
  await business.db((db) =>
    workDay(
      db,
      { id: crewId, people: 1, leader: business.owner.userId } as DemoCrew,
      today(),
      today(),
      'America/New_York',
      () => 0.5,
    ),
  )
  const row = await business.db((db) =>
    db
      .selectFrom('visits')
      .select(['status', 'startedAt', 'intervalStartedAt'])
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .executeTakeFirstOrThrow(),
  )
  resetClock()
  expect(row).toMatchObject({ status: 'in_progress', startedAt: row.intervalStartedAt })
  expect(row.startedAt).not.toBeNull()
})

it('a crew of the demo has stops that wait, however late it is', async () => {
  const business = await aBusiness({ workDays: everyDay })
  const crewId = await aCrew(business, { workDays: everyDay })
  for (const [at, startMinute] of [600, 660, 720].entries())
    await aVisit(business, { crewId, position: at + 1, startMinute, budgetMinutes: 30 })
  const night = Date.parse(instantAt(today(), 1380, 'America/New_York')) - Date.now()
  setClock(() => new Date(Date.now() + night))
  const crew = { id: crewId, people: 1, leader: business.owner.userId } as DemoCrew
  await business.db((db) => workDay(db, crew, today(), today(), 'America/New_York', () => 0.5, 2))
  const rows = await business.db((db) =>
    db.selectFrom('visits').select('status').where('businessId', '=', business.id).orderBy('position').execute(),
  )
  resetClock()
  expect(rows.map(({ status }) => status)).toEqual(['completed', 'scheduled', 'scheduled'])
})
