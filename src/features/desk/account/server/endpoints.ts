import { withProspects } from '../../../../platform/db/prospects.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { inviteOwner } from '../../../accounts/portal/server/commands.ts'
import { companySizes, customerCountOf } from '../../../accounts/rules.ts'
import { auditProspects } from '../../../prospects/server/commands.ts'
import { getLeadSprint } from '../../../prospects/sprint/server/queries.ts'
import { getLead } from '../../server/queries.ts'
import { leadAccountApi } from '../contract.ts'

export const leadAccountEndpoints = serve(
  'leadAccount',
  leadAccountApi,
)({
  invite: async ({ params: { leadId }, body }) => {
    const [{ email, timeZone }, { answers }] = await withProspects(async (db) => [
      await getLead(db, leadId),
      await getLeadSprint(db, leadId),
    ])
    const customerCount = Math.max(0, ...answers.map(({ answer }) => customerCountOf(answer)))
    const size = companySizes.find(({ label }) => answers.some(({ answer }) => answer === label))
    await countUse('portal:accounts', 60, 3600)
    const state = await inviteOwner({
      ...body,
      email,
      timeZone: timeZone ?? undefined,
      companySize: size?.value ?? 'small',
      customerCount,
    })
    if (state !== 'sent_already')
      await withProspects((db) =>
        auditProspects(db, 'owner', `lead.account.${state}`, { type: 'lead', id: leadId }, { email, ...body }),
      )
    return { email, state }
  },
})
