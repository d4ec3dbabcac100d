import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { categoriesApi } from '../contract.ts'
import { addCategory, archiveCategory, renameCategory, restoreCategory } from './commands.ts'
import { listCategories } from './queries.ts'

export const categoriesEndpoints = serve(
  'expenseCategories',
  categoriesApi,
)({
  list: ({ actor }) => withTenant(actor, async (db) => ({ items: await listCategories(db) })),
  create: ({ actor, body }) => addCategory(actor, body.name),
  rename: ({ actor, params, body }) => renameCategory(actor, params.id, body),
  archive: ({ actor, params, body }) => archiveCategory(actor, params.id, body.version),
  restore: ({ actor, params, body }) => restoreCategory(actor, params.id, body.version),
})
