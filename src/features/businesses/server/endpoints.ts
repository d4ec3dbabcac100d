import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { notFound } from '../../../shared/errors.ts'
import { businessesApi } from '../contract.ts'
import { addTaxRate, endTaxRate, removeTaxRate } from '../taxes/server/commands.ts'
import { changeBusiness, removeLogo, setLogo, setNumbers } from './commands.ts'
import { findBusinessBySlug, getBusinessSettings, getPublicBusiness } from './queries.ts'

export const businessesEndpoints = serve(
  'businesses',
  businessesApi,
)({
  get: ({ actor }) => withTenant(actor, (db) => getBusinessSettings(db, actor)),
  update: ({ actor, body }) => changeBusiness(actor, body),
  addTaxRate: ({ actor, body }) => addTaxRate(actor, body),
  endTaxRate: ({ actor, params, body }) => endTaxRate(actor, params.id, body.validTo),
  removeTaxRate: ({ actor, params }) => removeTaxRate(actor, params.id),
  setLogo: ({ actor, body }) => setLogo(actor, body as Uint8Array),
  removeLogo: ({ actor }) => removeLogo(actor),
  setNumbers: ({ actor, body }) => setNumbers(actor, body),
  publicPage: async ({ params }) => {
    const businessId = await findBusinessBySlug(params.username)
    if (!businessId) throw notFound('business')
    return withTenant({ businessId }, getPublicBusiness)
  },
})
