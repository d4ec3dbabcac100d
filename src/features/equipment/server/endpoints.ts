import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { equipmentApi } from '../contract.ts'
import { addEquipment, assignEquipment, bringBack, changeEquipment, keepEquipment, takeOut } from './commands.ts'
import { getEquipment, listEquipment } from './queries.ts'
import { judgeReading, readMeter } from './readings.ts'
import { addPlan, changePlan, removePlan, removeWork, serviceDone } from './service.ts'

export const equipmentEndpoints = serve(
  'equipment',
  equipmentApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listEquipment(db, actor, query)),
  get: ({ actor, params }) => withTenant(actor, (db) => getEquipment(db, actor, params.id)),
  create: ({ actor, body }) => addEquipment(actor, body),
  update: ({ actor, params, body }) => changeEquipment(actor, params.id, body),
  archive: ({ actor, params, body }) => keepEquipment(actor, params.id, body.version, false),
  restore: ({ actor, params, body }) => keepEquipment(actor, params.id, body.version, true),
  assign: ({ actor, params, body }) => assignEquipment(actor, params.id, body),
  takeOut: ({ actor, params, body }) => takeOut(actor, params.id, body),
  bringBack: ({ actor, params, body }) => bringBack(actor, params.id, body.version),
  read: ({ actor, params, body }) => readMeter(actor, params.id, body),
  judge: ({ actor, params, body }) => judgeReading(actor, params.id, body),
  addPlan: ({ actor, params, body }) => addPlan(actor, params.id, body),
  changePlan: ({ actor, params, body }) => changePlan(actor, params.id, body),
  removePlan: ({ actor, params, body }) => removePlan(actor, params.id, body.planId),
  service: ({ actor, params, body }) => serviceDone(actor, params.id, body),
  removeWork: ({ actor, params, body }) => removeWork(actor, params.id, body.workId),
})
