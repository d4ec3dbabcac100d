import { describe, expect, it } from 'vitest'
import type { Api } from '../../../test/api.ts'
import { type Acts, doneOf, supportIn } from '../../../test/can.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { jobsApi } from '../contract.ts'
import type { JobAction, JobStatus, JobVerb } from '../states/rules.ts'

const read = (api: Api, id: string) => api.call(jobsApi.get, { params: { id } })
const verb = (name: JobVerb) => (api: Api, id: string) =>
  api.call(jobsApi.act, { params: { id, verb: name }, body: {} })
const acts: Acts<JobAction> = {
  reschedule: (api, id) => api.call(jobsApi.update, { params: { id }, body: { version: 1, crewId: null } }),
  activate: verb('activate'),
  pause: verb('pause'),
  resume: verb('resume'),
  complete: verb('complete'),
  cancel: verb('cancel'),
  reactivate: verb('reactivate'),
}

const aJob = async (own: TestBusiness, status: JobStatus): Promise<string> => {
  const { jobId } = await aVisit(own)
  await own.db((db) =>
    db.updateTable('jobs').set({ status }).where('businessId', '=', own.id).where('id', '=', jobId).execute(),
  )
  return jobId
}

const states: Record<JobStatus, JobAction[]> = {
  draft: ['reschedule', 'activate', 'cancel'],
  active: ['reschedule', 'pause', 'complete', 'cancel'],
  paused: ['reschedule', 'resume', 'complete', 'cancel'],
  completed: ['reactivate'],
  canceled: ['reactivate'],
}

describe('what may be done with a job stands on it, and the commands say the same', () => {
  it.each(Object.entries(states) as [JobStatus, JobAction[]][])('%s', async (status, may) => {
    const own = await aBusiness()
    expect(await doneOf(own.api, () => aJob(own, status), read, acts)).toEqual(may)
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    expect(await doneOf(dispatcher.api, () => aJob(own, status), read, acts)).toEqual(may)
    const id = await aJob(own, status)
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['money'] })
    expect((await read(clerk.api, id)).status).toBe(200)
    for (const api of [clerk.api, (await own.employee()).api, await supportIn(own)])
      expect(await doneOf(api, async () => id, read, acts)).toEqual([])
  })
})
