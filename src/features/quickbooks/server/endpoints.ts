import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { checkMonth, resend } from '../checks/server/commands.ts'
import { listMonths } from '../checks/server/queries.ts'
import { listRecords } from '../checks/server/records.ts'
import { repairThere } from '../checks/server/repair.ts'
import { beginBooks, disconnectBooks, finishBooks } from '../connect/server/commands.ts'
import { quickbooksApi } from '../contract.ts'
import { takeNotices } from '../inbound/server/commands.ts'
import { fixRow, sendNow } from '../queue/server/commands.ts'
import { linkCustomers, listChoices, listMatches, setUpBooks } from '../setup/server/commands.ts'
import { getBooks, listQueue } from './queries.ts'

export const quickbooksEndpoints = serve(
  'quickbooks',
  quickbooksApi,
)({
  get: ({ actor }) => withTenant(actor, (db) => getBooks(db, actor)),
  connect: ({ actor }) => beginBooks(actor),
  finish: ({ actor, body }) => finishBooks(actor, body),
  disconnect: ({ actor }) => disconnectBooks(actor),
  choices: ({ actor }) => listChoices(actor),
  setUp: ({ actor, body }) => setUpBooks(actor, body),
  matches: ({ actor }) => listMatches(actor),
  match: ({ actor, body }) => linkCustomers(actor, body.pairs),
  queue: ({ actor, query }) => withTenant(actor, (db) => listQueue(db, query.status)),
  fix: ({ actor, params, body }) => fixRow(actor, params.id, body),
  send: ({ actor }) => sendNow(actor),
  months: ({ actor }) => withTenant(actor, (db) => listMonths(db)),
  records: ({ actor, query }) => withTenant(actor, (db) => listRecords(db, query)),
  checkMonth: ({ actor, body }) => checkMonth(actor, body.month),
  resend: ({ actor, body }) => resend(actor, body),
  repair: ({ actor, body }) => repairThere(actor, body),
  webhook: async ({ request }) => {
    await takeNotices(String(request.body ?? ''), String(request.headers['intuit-signature'] ?? ''))
    return { received: true }
  },
})
