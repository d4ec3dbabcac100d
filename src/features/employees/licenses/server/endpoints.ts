import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { licensesApi } from '../contract.ts'
import { addLicense, changeLicense, keepLicense } from './commands.ts'
import { getLicense, listLicenses } from './queries.ts'

export const licensesEndpoints = serve(
  'licenses',
  licensesApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listLicenses(db, query.userId)),
  get: ({ actor, params }) => withTenant(actor, (db) => getLicense(db, params.id)),
  create: ({ actor, params, body }) => addLicense(actor, params.id, body),
  update: ({ actor, params, body }) => changeLicense(actor, params.id, body),
  remove: ({ actor, params, body }) => keepLicense(actor, params.id, body.version, false),
  restore: ({ actor, params, body }) => keepLicense(actor, params.id, body.version, true),
})
