import { withProspects } from '../../../../platform/db/prospects.ts'
import { networkOf } from '../../../../platform/http/network.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { linkHash } from '../../../../platform/links.ts'
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

/** A whole office or carrier stands behind one address: what is counted is one lead or call, and floods. */
const countTry = async (token: string, ip: string): Promise<void> => {
  await countUse(`calls:${linkHash(token)}`, 20, hour)
  await countUse(`calls:${networkOf(ip)}`, 500, hour)
}

export const callsEndpoints = serve(
  'calls',
  callsApi,
)({
  slots: async ({ query }) => ({
    minutes: query.minutes,
    slots: (await withProspects((db) => listSlots(db, query.minutes))).slots,
  }),
  book: async ({ body, request }) => {
    await countTry(body.token, request.ip)
    return bookCall(body)
  },
  get: ({ params }) => findOwnCall(params.token),
  reschedule: async ({ params, body, request }) => {
    await countTry(params.token, request.ip)
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
