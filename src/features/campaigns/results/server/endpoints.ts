import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { csvText } from '../../../../shared/csv.ts'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { recipientLabels } from '../../rules.ts'
import { campaignResultsApi } from '../contract.ts'
import { getBilled, getResults, listAllPeople, listCampaignPeople } from './queries.ts'

const header = ['Customer', 'Address', 'State', 'Why', 'Subject', 'Sent', 'Opened', 'Clicked', 'Unsubscribed']

export const campaignResultsEndpoints = serve(
  'campaign-results',
  campaignResultsApi,
)({
  results: ({ actor, params }) => withTenant(actor, (db) => getResults(db, params.id)),
  billed: ({ actor, params }) => withTenant(actor, (db) => getBilled(db, actor, params.id)),
  people: ({ actor, params, query }) => withTenant(actor, (db) => listCampaignPeople(db, actor, params.id, query)),
  exportCsv: async ({ actor, params, query, reply }) => {
    const people = await withTenant(actor, (db) => listAllPeople(db, actor, params.id, query.show))
    const at = (instant: string | null): string =>
      instant
        ? `${formatDay(dayOf(instant, actor.timeZone), { year: true })}, ${formatTime(instant, actor.timeZone)}`
        : ''
    const text = csvText([
      header,
      ...people.map((one) => [
        one.name,
        one.address ?? '',
        recipientLabels[one.state],
        one.reason ?? '',
        one.variant?.toUpperCase() ?? '',
        at(one.sentAt),
        at(one.openedAt),
        at(one.clickedAt),
        at(one.unsubscribedAt),
      ]),
    ])
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="campaign-${dayOf(clock.now(), actor.timeZone)}.csv"`)
      .serializer((body: unknown) => String(body))
    return text
  },
})
