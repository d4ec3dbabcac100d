import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { batchJobs, undoBatch } from '../batch/server/commands.ts'
import { getBatch } from '../batch/server/queries.ts'
import { changeJob, previewJobChange } from '../change/server/commands.ts'
import { jobsApi } from '../contract.ts'
import { listPlaces } from '../places/server/queries.ts'
import { bookLine, decideStep } from '../undated/server/commands.ts'
import { actOnJob, createJob } from './commands.ts'
import { countJobs, getCalendar, getJob, listJobs } from './queries.ts'

export const jobsEndpoints = serve(
  'jobs',
  jobsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listJobs(db, actor, query)),
  counts: ({ actor }) => withTenant(actor, countJobs),
  calendar: ({ actor }) => withTenant(actor, getCalendar),
  places: async ({ actor, query }) => ({ items: await withTenant(actor, (db) => listPlaces(db, query)) }),
  get: ({ actor, params }) => withTenant(actor, (db) => getJob(db, actor, params.id)),
  create: ({ actor, body }) => createJob(actor, body),
  update: ({ actor, params, body }) => changeJob(actor, params.id, body),
  previewChange: ({ actor, params, body }) => previewJobChange(actor, params.id, body),
  act: ({ actor, params, body }) => actOnJob(actor, params.id, params.verb, body),
  decideStep: ({ actor, params, body }) => decideStep(actor, params, body.decision),
  bookLine: ({ actor, params, body }) => bookLine(actor, params, body),
  batch: ({ actor, body }) => batchJobs(actor, body),
  getBatch: ({ actor, params }) => withTenant(actor, (db) => getBatch(db, params.id)),
  undoBatch: ({ actor, params }) => undoBatch(actor, params.id),
})
