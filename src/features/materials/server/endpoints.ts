import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { materialsApi } from '../contract.ts'
import {
  addMaterial,
  changeMaterial,
  countMaterial,
  keepMaterial,
  receiveMaterial,
  saveMaterialSettings,
  setLaw,
  takeMaterial,
} from './commands.ts'
import { listLoads } from './loads.ts'
import { planMaterial, putOnQuote, takePlan, unplanMaterial } from './plans.ts'
import { getMaterial, listMaterials, listMoves, listVisitsAhead } from './queries.ts'
import { listPurchases, unwant, want } from './wants.ts'

export const materialsEndpoints = serve(
  'materials',
  materialsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listMaterials(db, actor, query.archived)),
  get: ({ actor, params }) => withTenant(actor, (db) => getMaterial(db, actor, params.id)),
  moves: ({ actor, params, query }) => withTenant(actor, (db) => listMoves(db, params.id, query)),
  create: ({ actor, body }) => addMaterial(actor, body),
  update: ({ actor, params, body }) => changeMaterial(actor, params.id, body),
  archive: ({ actor, params, body }) => keepMaterial(actor, params.id, body.version, false),
  restore: ({ actor, params, body }) => keepMaterial(actor, params.id, body.version, true),
  count: ({ actor, params, body }) => countMaterial(actor, params.id, body),
  receive: ({ actor, params, body }) => receiveMaterial(actor, params.id, body),
  use: ({ actor, params, body }) => takeMaterial(actor, params.id, body),
  saveSettings: ({ actor, body }) => saveMaterialSettings(actor, body),
  setLaw: ({ actor, body }) => setLaw(actor, body),
  visits: ({ actor, query }) => withTenant(actor, (db) => listVisitsAhead(db, query.propertyId)),
  loads: ({ actor }) => withTenant(actor, (db) => listLoads(db, actor)),
  plan: ({ actor, body }) => planMaterial(actor, body),
  unplan: ({ actor, params }) => unplanMaterial(actor, params.id),
  usePlan: ({ actor, params, body }) => takePlan(actor, params.id, body),
  purchases: ({ actor }) => withTenant(actor, (db) => listPurchases(db, actor)),
  want: ({ actor, body }) => want(actor, body),
  unwant: ({ actor, params }) => unwant(actor, params.id),
  quoteLine: ({ actor, body }) => putOnQuote(actor, body),
})
