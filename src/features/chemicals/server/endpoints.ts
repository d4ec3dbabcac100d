import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { chemicalsApi } from '../contract.ts'
import { addMix, addProduct, changeMix, changeProduct, setChemicalRules } from './commands.ts'
import { getCatalog } from './queries.ts'

export const chemicalsEndpoints = serve(
  'chemicals',
  chemicalsApi,
)({
  catalog: ({ actor }) => withTenant(actor, (db) => getCatalog(db, actor)),
  setRules: ({ actor, body }) => setChemicalRules(actor, body),
  addProduct: ({ actor, body }) => addProduct(actor, body),
  updateProduct: ({ actor, params, body }) => changeProduct(actor, params.id, body),
  addMix: ({ actor, body }) => addMix(actor, body),
  updateMix: ({ actor, params, body }) => changeMix(actor, params.id, body),
})
