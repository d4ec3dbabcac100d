import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { employeesApi } from '../contract.ts'
import {
  addCrew,
  addEmployee,
  archiveCrew,
  changeCrew,
  changeEmployee,
  deactivateEmployee,
  reactivateEmployee,
} from './commands.ts'
import { listCrewsFor, listEmployees } from './queries.ts'

export const employeesEndpoints = serve(
  'employees',
  employeesApi,
)({
  list: async ({ actor, query }) => ({
    items: await withTenant(actor, (db) => listEmployees(db, actor, query)),
  }),
  create: ({ actor, body }) => addEmployee(actor, body),
  update: ({ actor, params, body }) => changeEmployee(actor, params.id, body),
  deactivate: ({ actor, params }) => deactivateEmployee(actor, params.id),
  reactivate: ({ actor, params }) => reactivateEmployee(actor, params.id),
  crews: async ({ actor, query }) => ({
    items: await withTenant(actor, async (db) => listCrewsFor(db, actor, query.day ?? (await todayOf(db)))),
  }),
  createCrew: ({ actor, body }) => addCrew(actor, body),
  updateCrew: ({ actor, params, body }) => changeCrew(actor, params.id, body),
  archiveCrew: ({ actor, params }) => archiveCrew(actor, params.id),
})
