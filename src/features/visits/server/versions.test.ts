import { describe, expect, it } from 'vitest'
import { addDays } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../test/field.ts'
import { employeesApi } from '../../employees/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { servicesApi } from '../../services/contract.ts'
import { visitsApi } from '../contract.ts'

const visitOf = (own: TestBusiness, visitId: string) => own.api.ok(visitsApi.get, { params: { visitId } })
const routeOf = (own: TestBusiness, crewId: string) =>
  own.db((db) =>
    db
      .selectFrom('routes')
      .select(['dirty', 'version'])
      .where('businessId', '=', own.id)
      .where('crewId', '=', crewId)
      .executeTakeFirstOrThrow(),
  )

/** Somebody who had the visit open before must not overwrite what happened since. */
const refusesOld = async (own: TestBusiness, visitId: string, version: number) => {
  const late = await own.api.call(visitsApi.cancel, { params: { visitId }, body: { version } })
  expect(late.error.code).toBe('version_conflict')
}

describe('what other features cause on a visit', () => {
  it('an archived crew leaves its visits and jobs, and the route that it was sent is no longer the plan', async () => {
    const own = await aBusiness()
    const crewId = await aCrew(own, { members: [await own.employee()] })
    const visit = await aVisit(own, { crewId, position: 1, startMinute: 480 })
    const past = await aVisit(own, { crewId, day: addDays(today(), -1) })
    await publishDay(own, crewId)
    const before = await visitOf(own, visit.visitId)
    expect(await routeOf(own, crewId)).toMatchObject({ dirty: false })
    const { version } = await routeOf(own, crewId)
    await own.api.ok(employeesApi.archiveCrew, { params: { id: crewId } })
    await runTasks()
    const after = await visitOf(own, visit.visitId)
    expect([after.crewId, after.day, after.status]).toEqual([null, today(), 'scheduled'])
    expect(after.version).toBe(before.version + 1)
    expect(await routeOf(own, crewId)).toEqual({ dirty: true, version: version + 1 })
    expect((await visitOf(own, past.visitId)).crewId).toBe(crewId)
    const job = await own.api.ok(jobsApi.get, { params: { id: visit.jobId } })
    expect([job.crew, job.version]).toEqual([null, 2])
    await refusesOld(own, visit.visitId, before.version)
  })

  it('a job booked on a day that its crew was sent makes that route not what was sent', async () => {
    const own = await aBusiness()
    const { items } = await own.api.ok(servicesApi.addDefaults, {})
    const [crewId, other] = [await aCrew(own), await aCrew(own)]
    const { propertyId } = await aVisit(own, { crewId, position: 1 })
    await aVisit(own, { crewId: other, position: 1 })
    await publishDay(own, crewId)
    await publishDay(own, other)
    const line = { serviceId: items[0]?.id ?? '', unitPriceCents: 5500, recurrence: null, onceOn: today() }
    await own.api.ok(jobsApi.create, { body: { propertyId, startOn: today(), crewId, lines: [line] } })
    expect([(await routeOf(own, crewId)).dirty, (await routeOf(own, other)).dirty]).toEqual([true, false])
  })

  it('the office that says how long the work took changes the visit once', async () => {
    const own = await aBusiness()
    const { visitId } = await aVisit(own)
    const finished = await own.api.ok(visitsApi.finish, { params: { visitId }, body: { minutes: 20 } })
    expect(finished).toMatchObject({ status: 'completed', workedSeconds: 1200, version: 2 })
  })

  it('a settled, billed and freed visit has a new version each time', async () => {
    const own = await aBusiness()
    const { visitId } = await aVisit(own, { status: 'completed', priceCents: 0 })
    const versions = [(await visitOf(own, visitId)).version]
    const note = async () => versions.push((await visitOf(own, visitId)).version)
    await own.api.ok(invoicesApi.settleVisit, { params: { visitId }, body: { priceCents: 4250 } })
    await note()
    await own.api.ok(invoicesApi.createBatch, { body: { send: false } })
    const { invoiceId } = await visitOf(own, visitId)
    expect(invoiceId).not.toBeNull()
    await note()
    await own.api.ok(invoicesApi.voidInvoice, { params: { id: invoiceId ?? '' } })
    expect((await visitOf(own, visitId)).invoiceId).toBeNull()
    await note()
    expect(versions).toEqual([1, 2, 3, 4])
    await refusesOld(own, visitId, 3)
  })
})
