import { withProspects } from '../../../../platform/db/prospects.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { callsApi } from '../contract.ts'
import {
  bookCall,
  bookCallForLead,
  cancelCall,
  findOwnCall,
  markCall,
  ownerCancel,
  ownerReschedule,
  rescheduleCall,
} from './commands.ts'
import { listCalls, listSlots } from './queries.ts'

const hour = 3600

export const callsEndpoints = serve(
  'calls',
  callsApi,
)({
  slots: async ({ query }) => ({
    minutes: query.minutes,
    slots: (await withProspects((db) => listSlots(db, query.minutes))).slots,
  }),
  book: async ({ body, request }) => {
    await countUse(`calls:${request.ip}`, 20, hour)
    return bookCall(body)
  },
  get: ({ params }) => findOwnCall(params.token),
  reschedule: async ({ params, body, request }) => {
    await countUse(`calls:${request.ip}`, 20, hour)
    return rescheduleCall(params.token, body)
  },
  cancel: ({ params }) => cancelCall(params.token),
  ofLead: async ({ params }) => ({ calls: await withProspects((db) => listCalls(db, params.leadId)) }),
  bookForLead: ({ params, body }) => bookCallForLead(params.leadId, body),
  ownerReschedule: ({ params, body }) => ownerReschedule(params.callId, body.startsAt),
  ownerCancel: ({ params }) => ownerCancel(params.callId),
  mark: ({ params, body }) => markCall(params.callId, body.status),
  slotsForOwner: async ({ query }) => ({
    minutes: query.minutes,
    ...(await withProspects((db) => listSlots(db, query.minutes, { withoutNotice: true }))),
  }),
})
