import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { mergesApi } from '../contract.ts'
import { mergeCustomers, undoMerge } from './commands.ts'
import { listDuplicates, listUndoableMerges, previewMerge } from './queries.ts'

export const mergesEndpoints = serve(
  'merges',
  mergesApi,
)({
  duplicates: ({ actor, params }) => withTenant(actor, async (db) => ({ items: await listDuplicates(db, params.id) })),
  preview: ({ actor, params }) => withTenant(actor, (db) => previewMerge(db, params.id, params.goneId)),
  merge: ({ actor, params, body }) => mergeCustomers(actor, params.id, body),
  undoable: ({ actor, params }) =>
    withTenant(actor, async (db) => ({ items: await listUndoableMerges(db, params.id) })),
  undo: ({ actor, params }) => undoMerge(actor, params.id),
})
