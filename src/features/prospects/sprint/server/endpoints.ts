import { withProspects } from '../../../../platform/db/prospects.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { endFeeCheckout } from '../../fee/server/commands.ts'
import { sprintApi } from '../contract.ts'
import { decide, setStep, settleFee } from './commands.ts'
import { findSprintOfBusiness } from './milestones.ts'
import { getLeadSprint, getPlaces } from './queries.ts'

export const sprintEndpoints = serve(
  'sprint',
  sprintApi,
)({
  places: () => withProspects(getPlaces),
  mine: async ({ actor }) => ({ sprint: await findSprintOfBusiness(actor) }),
  ofLead: ({ params }) => withProspects((db) => getLeadSprint(db, params.leadId)),
  admit: ({ params, body }) => decide(params.leadId, 'admitted', body.note),
  queue: ({ params, body }) => decide(params.leadId, 'queued', body.note),
  decline: ({ params, body }) => decide(params.leadId, 'declined', body.note),
  confirmFee: ({ params, body }) => settleFee(params.leadId, 'confirmed', body.note),
  waiveFee: async ({ params, body }) => {
    const waived = await settleFee(params.leadId, 'waived', body.note)
    await endFeeCheckout(params.leadId)
    return waived
  },
  tick: ({ params, body }) => setStep(params.leadId, body.step, body.done),
})
