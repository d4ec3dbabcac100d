import type { FastifyInstance } from 'fastify'
import { withTenant } from '../../../platform/db/tenant.ts'
import { sendPdf } from '../../../platform/http/pdf.ts'
import { serve } from '../../../platform/http/serve.ts'
import { seasonApi } from '../contract.ts'
import {
  acceptMoves,
  checkMoves,
  closeRuns,
  printLetters,
  recallLetters,
  sendLetters,
  startRun,
  stopRun,
  undoAcceptance,
} from './commands.ts'
import { getLetters, getOverview, getRun } from './queries.ts'

const served = serve(
  'season',
  seasonApi,
)({
  overview: ({ actor }) => withTenant(actor, getOverview),
  start: async ({ actor, body }) => ({ run: await startRun(actor, body.whatIf) }),
  run: ({ actor, params }) => withTenant(actor, (db) => getRun(db, actor, params.id)),
  stop: ({ actor, params }) => stopRun(actor, params.id),
  check: ({ actor, params, body }) => checkMoves(actor, params.id, body.jobIds),
  accept: ({ actor, params, body, once }) => acceptMoves(actor, params.id, body, once),
  undo: ({ actor, params }) => undoAcceptance(actor, params.id),
  letters: ({ actor, params }) => withTenant(actor, (db) => getLetters(db, params.id)),
  send: ({ actor, params, body }) => sendLetters(actor, params.id, body.expected),
  recall: ({ actor, params }) => recallLetters(actor, params.id),
  paper: async ({ actor, params, reply }) => sendPdf(reply, 'new-service-days', await printLetters(actor, params.id)),
})

/** The endpoints of the season planner; a server that closes ends its searches with words before its database goes. */
export const seasonEndpoints = Object.assign(
  async (app: FastifyInstance) => {
    app.addHook('preClose', closeRuns)
    await served(app, {})
  },
  { contract: served.contract, feature: served.feature },
)
