import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { programsApi } from '../contract.ts'
import { addProgram, archiveProgram, changeProgram, putOnProgram } from './commands.ts'
import { listPrograms, previewProgram } from './queries.ts'
import { setRenewal } from './renewals/commands.ts'
import { getRenewal } from './renewals/queries.ts'

export const programsEndpoints = serve(
  'programs',
  programsApi,
)({
  list: async ({ actor, query }) => ({
    items: await withTenant(actor, (db) => listPrograms(db, actor, query.archived)),
  }),
  create: ({ actor, body }) => addProgram(actor, body),
  update: ({ actor, params, body }) => changeProgram(actor, params.id, body),
  archive: ({ actor, params, body }) => archiveProgram(actor, params.id, body.version, true),
  restore: ({ actor, params, body }) => archiveProgram(actor, params.id, body.version, false),
  preview: ({ actor, params, query }) => withTenant(actor, (db) => previewProgram(db, actor, params.id, query)),
  renewal: ({ actor, params }) => withTenant(actor, (db) => getRenewal(db, actor, params.id)),
  setRenewal: ({ actor, params, body }) => setRenewal(actor, params.id, body),
  putOn: ({ actor, params, body }) => putOnProgram(actor, params.id, body),
})
