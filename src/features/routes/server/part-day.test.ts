import { expect, it } from 'vitest'
import { addDays } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../test/field.ts'
import { placeNear } from '../../../test/planning.ts'
import { calendarApi } from '../../calendar/contract.ts'
import { calendarEventsApi } from '../../calendar/events/contract.ts'
import { loadPercent } from '../../calendar/rules.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import { employeesApi } from '../../employees/contract.ts'
import { staffingApi } from '../../employees/staffing/contract.ts'
import { peopleDuring } from '../../employees/staffing/rules.ts'
import { visitsApi } from '../../visits/contract.ts'
import { onSiteMinutes } from '../../visits/rules.ts'
import { routesApi } from '../contract.ts'

const day = addDays(today(), 1)

const aDay = async () => {
  const business = await aBusiness({ workDays: everyDay })
  const [ann, bo, cy] = [
    await business.employee({ name: 'Ann Lee' }),
    await business.employee({ name: 'Bo Kim' }),
    await business.employee({ name: 'Cy Fox' }),
  ]
  const crewId = await aCrew(business, { name: 'North', members: [ann, bo], workDays: everyDay })
  const visits = []
  for (let n = 1; n <= 3; n++)
    visits.push(await aVisit(business, { day, street: `${n} Oak St`, budgetMinutes: 240, ...placeNear(n, 0.01) }))
  for (const { visitId } of visits)
    await business.api.ok(routesApi.move, { body: { visitId, crewId, day, position: 99 } })
  const plan = async () => {
    const { crews } = await business.api.ok(routesApi.day, { query: { day } })
    const crew = crews.find((one) => one.crewId === crewId)
    if (!crew) throw new Error('no crew')
    const range = await business.api.ok(calendarApi.range, { query: { from: day, to: day } })
    const load = range.crewDays.find((one) => one.crewId === crewId)
    if (!load) throw new Error('no load')
    return { crew, load, stored: range.visits.map((visit) => visit.startMinute) }
  }
  const off = (userId: string, startMinute: number, endMinute: number) =>
    business.api.ok(calendarEventsApi.create, {
      body: { kind: 'time_off', title: 'Off', firstDay: day, lastDay: day, userId, startMinute, endMinute },
    })
  return { business, ann, bo, cy, crewId, plan, off }
}

it('who leaves early is missing from then on: in the capacity, in the minutes on site and in the times of the crew', async () => {
  const { business, ann, bo, plan, off } = await aDay()
  const before = await plan()
  expect(before.crew.stops.map((stop) => stop.minutes)).toEqual([120, 120, 120])
  const { shiftStartMinute, shiftEndMinute } = before.crew
  const event = await off(bo.userId, shiftStartMinute + 180, shiftEndMinute)
  await runTasks()
  const now = await plan()
  const [first, second, third] = now.crew.stops
  expect(first?.minutes).toBe(120)
  expect(second?.minutes).toBeGreaterThan(120)
  expect(second?.minutes).toBeLessThan(240)
  expect(third?.minutes).toBe(240)
  expect(now.load.capacityMinutes).toBe(before.load.capacityMinutes - (shiftEndMinute - shiftStartMinute - 180))
  expect(now.load.partly).toEqual([expect.stringMatching(/^Bo Kim until /)])
  expect(loadPercent(now.load)).toBe(now.crew.totals.shiftPercent)
  // The phone of the crew shows what is stored, and so do the calendar, the dashboard and the visit itself.
  expect(now.stored).toEqual(now.crew.stops.map((stop) => stop.startMinute))
  const minutes = now.crew.stops.map((stop) => stop.minutes)
  const bundle = await ann.api.ok(crewappApi.day, { query: { day } })
  expect(bundle.days[0]?.stops.map((stop) => stop.minutes)).toEqual(minutes)
  const { presence, people } = now.load
  const atStop = ({ startMinute, budgetMinutes }: (typeof visits)[number]) =>
    onSiteMinutes(budgetMinutes, peopleDuring(presence, people, startMinute, budgetMinutes))
  const { visits } = await business.api.ok(calendarApi.range, { query: { from: day, to: day } })
  expect(visits.map((visit) => atStop(visit))).toEqual(minutes)
  const opened = await Promise.all(visits.map(({ id }) => business.api.ok(visitsApi.get, { params: { visitId: id } })))
  expect(opened.map((visit) => visit.plannedMinutes)).toEqual(minutes)
  expect(now.stored[2]).toBeGreaterThan(before.stored[2] ?? 0)
  await business.api.ok(calendarEventsApi.remove, { params: { id: event.id }, body: { version: event.version } })
  await runTasks()
  expect(await plan()).toEqual(before)
})

it('a crew of which nobody is there yet begins later, and with a stand-in earlier again', async () => {
  const { business, ann, bo, cy, crewId, plan, off } = await aDay()
  const { crew: usual, stored } = await plan()
  const late = usual.shiftStartMinute + 90
  for (const one of [ann, bo]) await off(one.userId, usual.shiftStartMinute, late)
  await runTasks()
  const now = await plan()
  expect(now.crew.shiftStartMinute).toBe(late)
  expect(now.stored).toEqual(stored.map((minute) => (minute ?? 0) + 90))
  expect(loadPercent(now.load)).toBe(now.crew.totals.shiftPercent)
  await business.api.ok(staffingApi.standIn, {
    params: { id: crewId },
    body: { day, userId: cy.userId, seenOn: null },
  })
  await runTasks()
  const helped = await plan()
  expect(helped.crew.shiftStartMinute).toBe(usual.shiftStartMinute)
  expect(helped.stored[0]).toBe(stored[0])
  expect(helped.crew.stops.map((stop) => stop.startMinute)).toEqual(helped.stored)
  expect(loadPercent(helped.load)).toBe(helped.crew.totals.shiftPercent)
})

it('who leaves a crew by whatever panel is missing in its times, and so are other hours of the shift', async () => {
  const { business, ann, bo, crewId, plan } = await aDay()
  const usual = await plan()
  const crewOf = async () => {
    const crew = (await business.api.ok(employeesApi.crews, {})).items.find((one) => one.id === crewId)
    if (!crew) throw new Error('no crew')
    return crew
  }
  const change = async (changes: object) =>
    business.api.ok(employeesApi.updateCrew, {
      params: { id: crewId },
      body: { version: (await crewOf()).version, ...changes } as never,
    })
  const times = async () => {
    await runTasks()
    const now = await plan()
    // The phone of the crew shows what is stored.
    expect(now.stored).toEqual(now.crew.stops.map((stop) => stop.startMinute))
    return now.stored
  }
  const [first, second] = usual.stored
  await change({ memberUserIds: [ann.userId] })
  const alone = await times()
  expect(alone[1]).toBeGreaterThanOrEqual((second ?? 0) + 120)
  await change({ memberUserIds: [ann.userId, bo.userId] })
  expect(await times()).toEqual(usual.stored)
  const { items } = await business.api.ok(employeesApi.list, {})
  const version = items.find((one) => one.id === bo.userId)?.version ?? 0
  await business.api.ok(employeesApi.update, { params: { id: bo.userId }, body: { version, crewId: null } })
  expect(await times()).toEqual(alone)
  await change({ memberUserIds: [ann.userId, bo.userId] })
  expect(await times()).toEqual(usual.stored)
  await business.api.ok(employeesApi.deactivate, { params: { id: bo.userId } })
  expect(await times()).toEqual(alone)
  await change({ shiftStartMinute: usual.crew.shiftStartMinute + 30 })
  expect((await times())[0]).toBe((first ?? 0) + 30)
})

it('Undo of a move brings back the place of a stop, and the times of who is there by now', async () => {
  const { business, bo, crewId, plan, off } = await aDay()
  const usual = await plan()
  const [first] = usual.crew.stops
  const moved = await business.api.ok(routesApi.move, {
    body: { visitId: first?.visitId ?? '', crewId, day, position: 99 },
  })
  await off(bo.userId, usual.crew.shiftStartMinute, usual.crew.shiftEndMinute)
  await runTasks()
  await business.api.ok(routesApi.undo, { body: { day, changeId: moved.plan.undo?.id } as never })
  const now = await plan()
  expect(now.crew.stops.map((stop) => stop.visitId)).toEqual(usual.crew.stops.map((stop) => stop.visitId))
  expect(now.crew.stops.map((stop) => stop.minutes)).toEqual([240, 240, 240])
  expect(now.stored).toEqual(now.crew.stops.map((stop) => stop.startMinute))
})

it('an hour in the shop of the whole crew, at the end or in the middle of the day, is taken from the route map as from the calendar', async () => {
  const { business, crewId, plan } = await aDay()
  const { crew: usual } = await plan()
  const shop = (startMinute: number, endMinute: number, of: string | null) =>
    business.api.ok(calendarEventsApi.create, {
      body: {
        kind: 'shop',
        title: 'Sharpen blades',
        firstDay: day,
        lastDay: day,
        startMinute,
        endMinute,
        ...(of ? { crewId: of } : {}),
      },
    })
  await shop(usual.shiftEndMinute - 60, usual.shiftEndMinute, crewId)
  await runTasks()
  const atEnd = await plan()
  expect(atEnd.crew.shiftEndMinute).toBe(usual.shiftEndMinute - 60)
  expect(loadPercent(atEnd.load)).toBe(atEnd.crew.totals.shiftPercent)
  await shop(usual.shiftStartMinute + 60, usual.shiftStartMinute + 120, null)
  await runTasks()
  const both = await plan()
  expect(loadPercent(both.load)).toBe(both.crew.totals.shiftPercent)
  expect(both.crew.totals.shiftPercent).toBeGreaterThan(atEnd.crew.totals.shiftPercent ?? 0)
  expect(both.stored[1]).toBeGreaterThanOrEqual((atEnd.stored[1] ?? 0) + 60)
})
