import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { pricesApi } from '../contract.ts'
import { changePrices, undoPrices } from './commands.ts'
import { listPriceChanges, previewPrices } from './queries.ts'

export const pricesEndpoints = serve(
  'prices',
  pricesApi,
)({
  list: async ({ actor }) => ({ items: await withTenant(actor, (db) => listPriceChanges(db)) }),
  preview: ({ actor, body }) => withTenant(actor, (db) => previewPrices(db, body)),
  apply: ({ actor, body }) => changePrices(actor, body),
  undo: ({ actor, params }) => undoPrices(actor, params.id),
})
