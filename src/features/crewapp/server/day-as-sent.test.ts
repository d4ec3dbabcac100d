import { expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { aBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, publishDay, today } from '../../../test/field.ts'
import { placeNear } from '../../../test/planning.ts'
import { routesApi } from '../../routes/contract.ts'
import { finishVisitTx } from '../../visits/server/commands.ts'
import { listDayBoardTx } from '../../visits/server/queries.ts'
import { crewappApi } from '../contract.ts'

it('the way home and the break of a crew are those of what it was sent, until it is sent again', async () => {
  const day = addDays(today(), 1)
  const business = await aBusiness({ workDays: everyDay })
  const ann = await business.employee({ name: 'Ann Lee' })
  const crewId = await aCrew(business, { name: 'North', members: [ann], workDays: everyDay })
  const place = async (street: string, away: number, position: number) => {
    const visit = await aVisit(business, { day, street, budgetMinutes: 120, ...placeNear(1, away) })
    await business.api.ok(routesApi.move, { body: { visitId: visit.visitId, crewId, day, position } })
  }
  for (const at of [1, 2, 3]) await place(`${at} Oak St`, 0.01, at)
  const publish = () => business.api.ok(routesApi.publish, { body: { day } })
  const told = async () => {
    const [{ homeMinutes, rest } = { homeMinutes: -1 }] = (await ann.api.ok(crewappApi.day, { query: { day } })).days
    const board = (await business.db((db) => listDayBoardTx(db, day))).find((one) => one.crewId === crewId)
    return { homeMinutes, rest, back: board?.backAtMinute }
  }
  await publish()
  const sent = await told()
  expect(sent.rest).toMatchObject({ beforeVisitId: expect.any(String) })
  await place('9 Far Rd', 0.4, 1)
  await place('10 Far Rd', 0.4, 99)
  expect(await told()).toEqual(sent)
  await publish()
  const again = await told()
  expect(again.homeMinutes).toBeGreaterThan(sent.homeMinutes)
  expect(again.rest).not.toEqual(sent.rest)
  expect(again.back).toBeGreaterThan(sent.back ?? 0)
})

it('a stop that two have finished is theirs when a third joins the crew', async () => {
  const day = today()
  const business = await aBusiness({ workDays: everyDay })
  const [ann, bo, cy] = [await business.employee(), await business.employee(), await business.employee()]
  const crewId = await aCrew(business, { name: 'North', members: [ann, bo], workDays: everyDay })
  const done = await aVisit(business, { day, crewId, position: 1, budgetMinutes: 60 })
  await aVisit(business, { day, crewId, position: 2, budgetMinutes: 60 })
  await publishDay(business, crewId, day)
  await business.db((db) => finishVisitTx(db, systemActor(business.id), done.visitId))
  await business.db((db) =>
    db
      .insertInto('crewMembers')
      .values({ businessId: business.id, id: newId(), crewId, userId: cy.userId, validFrom: day })
      .execute(),
  )
  const [plan] = (await ann.api.ok(crewappApi.day, { query: { day } })).days
  expect(plan?.stops.map(({ people }) => people)).toEqual([2, 3])
  const board = (await business.db((db) => listDayBoardTx(db, day))).find((one) => one.crewId === crewId)
  expect(board?.stops.map(({ minutes }) => minutes)).toEqual([30, 20])
})
