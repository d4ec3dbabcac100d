import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { referralsApi } from '../contract.ts'
import { giveReferralCode } from './commands.ts'
import { getReferrals } from './queries.ts'

export const referralsEndpoints = serve(
  'referrals',
  referralsApi,
)({
  get: ({ actor, params }) => withTenant(actor, (db) => getReferrals(db, actor, params.id)),
  give: ({ actor, params }) => giveReferralCode(actor, params.id),
})
