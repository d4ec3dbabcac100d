import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { sheetsApi } from '../contract.ts'
import {
  answerSheet,
  approveSheets,
  correctSheet,
  countLateTime,
  leaveOutLateTime,
  lockWeek,
  reopenSheet,
  sendBackSheet,
  unlockWeek,
} from './commands.ts'
import { getSheet, listSheets, ownSheets } from './queries.ts'

export const sheetsEndpoints = serve(
  'timesheets',
  sheetsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listSheets(db, actor, query.week)),
  get: ({ actor, params, query }) => withTenant(actor, (db) => getSheet(db, actor, params.id, query.week)),
  own: ({ actor }) => withTenant(actor, (db) => ownSheets(db, actor)),
  approve: ({ actor, body }) => approveSheets(actor, body),
  sendBack: ({ actor, params, body }) => sendBackSheet(actor, params.id, body),
  reopen: ({ actor, params, body }) => reopenSheet(actor, params.id, body),
  answer: ({ actor, params, body }) => answerSheet(actor, params.id, body),
  count: ({ actor, params, body }) => countLateTime(actor, params.id, body),
  leaveOut: ({ actor, params, body }) => leaveOutLateTime(actor, params.id, body),
  correct: ({ actor, params, body }) => correctSheet(actor, params.id, body),
  lock: ({ actor, body }) => lockWeek(actor, body.week),
  unlock: ({ actor, body }) => unlockWeek(actor, body.week, body.reason),
})
