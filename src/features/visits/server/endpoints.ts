import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { dayOf } from '../../../shared/dates.ts'
import { visitsApi } from '../contract.ts'
import { getWorkCalendar } from '../days/server/queries.ts'
import {
  cancelVisit,
  finishVisit,
  moveVisit,
  noteOnVisit,
  rebookVisit,
  reopenVisit,
  skipVisit,
  undoVisit,
} from './commands.ts'
import { countUnassignedTx, getVisit, listDayBoardTx, listVisits } from './queries.ts'

export const visitsEndpoints = serve(
  'visits',
  visitsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listVisits(db, actor, query)),
  dayBoard: ({ actor, query }) => {
    const today = dayOf(clock.now(), actor.timeZone)
    const day = query.day ?? today
    return withTenant(actor, async (db) => {
      const [crews, unassigned] = await Promise.all([listDayBoardTx(db, day), countUnassignedTx(db, day)])
      return { day, today, crews, unassigned }
    })
  },
  calendar: ({ actor }) => withTenant(actor, (db) => getWorkCalendar(db)),
  get: ({ actor, params }) => withTenant(actor, (db) => getVisit(db, actor, params.visitId)),
  move: ({ actor, params, body }) => moveVisit(actor, params.visitId, body),
  cancel: ({ actor, params, body }) => cancelVisit(actor, params.visitId, body),
  finish: ({ actor, params, body }) => finishVisit(actor, params.visitId, body),
  skip: ({ actor, params, body }) => skipVisit(actor, params.visitId, body),
  reopen: ({ actor, params, body }) => reopenVisit(actor, params.visitId, body),
  rebook: ({ actor, params, body }) => rebookVisit(actor, params.visitId, body),
  note: ({ actor, params, body }) => noteOnVisit(actor, params.visitId, body),
  undo: ({ actor, params, body }) => undoVisit(actor, params.visitId, body),
})
