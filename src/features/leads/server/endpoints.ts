import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { toE164 } from '../../../shared/phone.ts'
import { businessLeadsApi } from '../contract.ts'
import { changeLeads, createLead, mailLead, moveLead, noteLead, textLead, updateLead } from './commands.ts'
import { convertLead } from './convert.ts'
import { countLeads, findLeadDuplicates, getBoard, getLead, listLeads, listOfficePeople } from './queries.ts'
import { listTimeline } from './timeline.ts'

export const businessLeadsEndpoints = serve(
  'business-leads',
  businessLeadsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listLeads(db, actor, query)),
  board: ({ actor, query }) => withTenant(actor, (db) => getBoard(db, actor, query)),
  counts: ({ actor }) => withTenant(actor, (db) => countLeads(db, actor)),
  people: ({ actor }) => withTenant(actor, async (db) => ({ items: await listOfficePeople(db) })),
  duplicates: ({ actor, query }) =>
    withTenant(actor, (db) =>
      findLeadDuplicates(db, {
        ...query,
        phone: toE164(query.phone),
        email: query.email.trim().toLowerCase() || null,
      }),
    ),
  get: ({ actor, params }) => withTenant(actor, (db) => getLead(db, actor, params.id)),
  timeline: ({ actor, params, query }) => withTenant(actor, (db) => listTimeline(db, params.id, query)),
  create: ({ actor, body }) => createLead(actor, body),
  update: ({ actor, params, body }) => updateLead(actor, params.id, body),
  move: ({ actor, params, body }) => moveLead(actor, params.id, body),
  note: ({ actor, params, body }) => noteLead(actor, params.id, body),
  sendText: ({ actor, params, body }) => textLead(actor, params.id, body.text),
  sendEmail: ({ actor, params, body }) => mailLead(actor, params.id, body),
  convert: ({ actor, params, body }) => convertLead(actor, params.id, body),
  bulk: ({ actor, body }) => changeLeads(actor, body.choice.ids, body.action),
})
