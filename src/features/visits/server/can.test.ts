import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import type { Api } from '../../../test/api.ts'
import { type Acts, doneOf, supportIn } from '../../../test/can.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aVisit, everyDay, today } from '../../../test/field.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { visitsApi } from '../contract.ts'
import type { VisitAction, VisitStatus } from '../rules.ts'

const at = (visitId: string) => ({ params: { visitId } })
const acts: Acts<VisitAction> = {
  move: (api, id) => api.call(visitsApi.move, { ...at(id), body: { day: addDays(today(), 3), crewId: null } }),
  unschedule: (api, id) => api.call(visitsApi.move, { ...at(id), body: { day: null, crewId: null } }),
  cancel: (api, id) => api.call(visitsApi.cancel, { ...at(id), body: {} }),
  finish: (api, id) => api.call(visitsApi.finish, { ...at(id), body: {} }),
  skip: (api, id) => api.call(visitsApi.skip, { ...at(id), body: { reason: 'dog' } }),
  reopen: (api, id) => api.call(visitsApi.reopen, { ...at(id), body: { reason: 'The wrong lawn' } }),
  rebook: (api, id) => api.call(visitsApi.rebook, { ...at(id), body: { day: addDays(today(), 2) } }),
}
const read = (api: Api, id: string) => api.call(visitsApi.get, at(id))

const inState = (status: VisitStatus) => async (own: TestBusiness) =>
  (await aVisit(own, { status, ...(status === 'unscheduled' ? { day: null } : {}) })).visitId
const invoiced = async (own: TestBusiness) => {
  const visit = await aVisit(own, { status: 'completed' })
  await own.api.ok(invoicesApi.createBatch, { body: { send: false } }, { 'idempotency-key': newId() })
  return visit.visitId
}
const rebooked = async (own: TestBusiness) => {
  const visitId = await inState('skipped')(own)
  await acts.rebook(own.api, visitId)
  return visitId
}

const ofEndedJob = async (own: TestBusiness) => {
  const { visitId, jobId } = await aVisit(own, { status: 'canceled' })
  await own.api.ok(jobsApi.act, { params: { id: jobId, verb: 'complete' }, body: {} })
  return visitId
}

const states: Record<string, { make: (own: TestBusiness) => Promise<string>; may: VisitAction[] }> = {
  unscheduled: { make: inState('unscheduled'), may: ['move', 'cancel'] },
  scheduled: { make: inState('scheduled'), may: ['move', 'unschedule', 'cancel', 'finish', 'skip'] },
  'on the way': { make: inState('en_route'), may: ['move', 'unschedule', 'cancel', 'finish', 'skip'] },
  'being worked on': { make: inState('in_progress'), may: ['finish', 'skip'] },
  paused: { make: inState('paused'), may: ['finish', 'skip'] },
  finished: { make: inState('completed'), may: ['reopen'] },
  invoiced: { make: invoiced, may: [] },
  skipped: { make: inState('skipped'), may: ['reopen', 'rebook'] },
  'skipped, with another day': { make: rebooked, may: [] },
  canceled: { make: inState('canceled'), may: ['reopen'] },
  'canceled with its job': { make: ofEndedJob, may: [] },
  missed: { make: inState('missed'), may: ['rebook'] },
}

describe('what may be done with a visit stands on it, and the commands say the same', () => {
  it.each(Object.entries(states))('%s', async (_, { make, may }) => {
    const own = await aBusiness({ workDays: everyDay })
    expect(await doneOf(own.api, () => make(own), read, acts)).toEqual(may)
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    expect(await doneOf(dispatcher.api, () => make(own), read, acts)).toEqual(may)
    const id = await make(own)
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['money', 'customers'] })
    for (const api of [clerk.api, (await own.employee()).api, await supportIn(own)])
      expect(await doneOf(api, async () => id, read, acts)).toEqual([])
  })
})
