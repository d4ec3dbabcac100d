import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { AppError } from '../../../../shared/errors.ts'
import { costingApi } from '../contract.ts'
import { listCosts, listCostVisits } from './queries.ts'

/** Costs tell wages and money at once. */
const needsMoney = (actor: Actor): void => {
  if (!hasPermission(actor, 'money'))
    throw new AppError('forbidden', 'Job costing needs the permission for money. Ask the owner.')
}

export const costingEndpoints = serve(
  'costing',
  costingApi,
)({
  list: ({ actor, query }) => {
    needsMoney(actor)
    return withTenant(actor, (db) => listCosts(db, actor, query))
  },
  visits: ({ actor, query }) => {
    needsMoney(actor)
    return withTenant(actor, (db) => listCostVisits(db, actor, query))
  },
})
