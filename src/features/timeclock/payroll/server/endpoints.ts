import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { payrollApi } from '../contract.ts'
import { setOwnMiles, setPayrollNumber } from './commands.ts'
import { getPayroll, getVisitLabor } from './queries.ts'
import { getPayrollSettings, savePayrollSettings } from './settings.ts'

export const payrollEndpoints = serve(
  'payroll',
  payrollApi,
)({
  period: ({ actor, query }) => withTenant(actor, (db) => getPayroll(db, actor, query)),
  settings: ({ actor }) => withTenant(actor, getPayrollSettings),
  saveSettings: ({ actor, body }) => savePayrollSettings(actor, body),
  setNumber: ({ actor, params, body }) => setPayrollNumber(actor, params.id, body.number),
  setMiles: ({ actor, params, body }) => setOwnMiles(actor, params.id, body),
  visitLabor: ({ actor, params }) => withTenant(actor, (db) => getVisitLabor(db, actor, params.visitId)),
})
