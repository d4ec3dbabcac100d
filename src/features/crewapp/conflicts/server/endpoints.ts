import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { conflictsApi } from '../contract.ts'
import { decideConflict } from './commands.ts'
import { listAnswersTo } from './queries.ts'

export const conflictsEndpoints = serve(
  'conflicts',
  conflictsApi,
)({
  answers: ({ actor, body }) =>
    withTenant(actor, async (db) => ({ answers: await listAnswersTo(db, actor.userId, body.commandIds) })),
  decide: ({ actor, params, body }) => decideConflict(actor, params.id, body),
})
