import { clock } from '../../../../platform/clock.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { csvText } from '../../../../shared/csv.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { getLead } from '../../server/queries.ts'
import { followupApi } from '../contract.ts'
import { addNote, markSeen, setLeadStatuses } from './commands.ts'
import { type ExportLead, listHistory, listLeadsForFile, readAgenda } from './queries.ts'

const columns: [header: string, cell: (lead: ExportLead) => string | null][] = [
  ['Name', (lead) => lead.name],
  ['Email', (lead) => lead.email],
  ['Phone', (lead) => lead.phone],
  ['Status', (lead) => lead.status],
  ['Source', (lead) => lead.source],
  ['Campaign', (lead) => lead.campaign],
  ['UTM source', (lead) => lead.utmSource],
  ['UTM medium', (lead) => lead.utmMedium],
  ['UTM campaign', (lead) => lead.utmCampaign],
  ['Created', (lead) => lead.createdAt],
  ['Account since', (lead) => lead.accountAt],
  ['Customer since', (lead) => lead.customerAt],
]

export const followupEndpoints = serve(
  'followup',
  followupApi,
)({
  setStatuses: ({ body }) => setLeadStatuses(body.choice, body.status),
  exportCsv: async ({ query, reply }) => {
    const rows = await withProspects((db) => listLeadsForFile(db, query))
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="leads-${dayOf(clock.now(), 'UTC')}.csv"`)
      .serializer((body: unknown) => String(body))
    return csvText([columns.map(([header]) => header), ...rows.map((lead) => columns.map(([, cell]) => cell(lead)))])
  },
  history: ({ params }) =>
    withProspects(async (db) => {
      await getLead(db, params.leadId)
      return { items: await listHistory(db, params.leadId) }
    }),
  addNote: ({ actor, params, body }) => addNote(params.leadId, actor.name, body.text),
  markSeen: ({ params }) => markSeen(params.leadId),
  agenda: () => withProspects(readAgenda),
})
