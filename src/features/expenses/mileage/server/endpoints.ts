import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { mileageApi } from '../contract.ts'
import { clearOdometer, setOdometer } from './commands.ts'
import { readMileageMonth } from './queries.ts'

export const mileageEndpoints = serve(
  'mileage',
  mileageApi,
)({
  month: ({ actor, query }) => withTenant(actor, (db) => readMileageMonth(db, query.month)),
  setOdometer: ({ actor, body }) => setOdometer(actor, body),
  clearOdometer: ({ actor, body }) => clearOdometer(actor, body),
})
