import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { businessesApi } from '../contract.ts'
import { addTaxRate, changeBusiness, removeTaxRate } from './commands.ts'
import { getBusinessSettings } from './queries.ts'

export const businessesEndpoints = serve(
  'businesses',
  businessesApi,
)({
  get: ({ actor }) => withTenant(actor, getBusinessSettings),
  update: ({ actor, body }) => changeBusiness(actor, body),
  addTaxRate: ({ actor, body }) => addTaxRate(actor, body),
  removeTaxRate: ({ actor, params }) => removeTaxRate(actor, params.id),
})
