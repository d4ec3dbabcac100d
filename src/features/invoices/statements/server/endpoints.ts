import { withTenant } from '../../../../platform/db/tenant.ts'
import { sendPdf } from '../../../../platform/http/pdf.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { statementsApi } from '../contract.ts'
import { printStatement, sendStatement } from './commands.ts'
import { openStatementLink, revokeStatementLink } from './links.ts'
import { sendOpenStatements } from './many.ts'
import { countOpenStatements, findSinceZero, getStatement, lastStatementRun } from './queries.ts'

export const statementsEndpoints = serve(
  'invoices',
  statementsApi,
)({
  get: ({ actor, params, query }) => withTenant(actor, (db) => getStatement(db, params.id, query.from, query.to)),
  sinceZero: ({ actor, params }) => withTenant(actor, (db) => findSinceZero(db, params.id)),
  pdf: async ({ actor, params, query, reply }) => {
    const { name, pdf } = await printStatement(actor, params.id, query)
    return sendPdf(reply, name, pdf)
  },
  findOpen: ({ actor }) => withTenant(actor, countOpenStatements),
  lastRun: ({ actor }) => withTenant(actor, async (db) => ({ run: await lastStatementRun(db) })),
  sendOpen: ({ actor, body }) => sendOpenStatements(actor, body),
  link: ({ actor, params }) => openStatementLink(actor, params.id),
  revokeLink: ({ actor, params }) => revokeStatementLink(actor, params.id),
  send: ({ actor, params, body }) => sendStatement(actor, params.id, body),
})
