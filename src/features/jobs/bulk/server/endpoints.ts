import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { jobEditsApi } from '../contract.ts'
import { editJobs, previewJobEdit } from './commands.ts'
import { listJobEdits } from './queries.ts'
import { undoJobEdit } from './undo.ts'

export const jobEditsEndpoints = serve(
  'job-edits',
  jobEditsApi,
)({
  preview: ({ actor, body }) => previewJobEdit(actor, body),
  create: ({ actor, body }) => editJobs(actor, body),
  list: async ({ actor }) => ({ items: await withTenant(actor, (db) => listJobEdits(db, actor)) }),
  undo: ({ actor, params }) => undoJobEdit(actor, params.id),
})
