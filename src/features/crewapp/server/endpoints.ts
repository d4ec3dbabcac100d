import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { takePhoto } from '../../files/server/commands.ts'
import { crewappApi } from '../contract.ts'
import { applyCommands, setLanguage } from './commands.ts'
import { revealGateCode } from './gate/commands.ts'
import { listStopPhotos } from './marks/queries.ts'
import { addCheckPhoto } from './photos/checks.ts'
import { addVisitPhoto } from './photos/commands.ts'
import { getBundle, getEmployee, getToday, listLastPhotosOf } from './queries.ts'

export const crewappEndpoints = serve(
  'crewapp',
  crewappApi,
)({
  profile: async ({ actor }) => ({ employee: await withTenant(actor, (db) => getEmployee(db, actor)) }),
  setLanguage: async ({ actor, body }) => ({ employee: await setLanguage(actor, body.language) }),
  todayJobs: async ({ actor }) => ({ jobs: (await withTenant(actor, (db) => getToday(db, actor))).stops }),
  todayRoute: async ({ actor }) => {
    const plan = await withTenant(actor, (db) => getToday(db, actor))
    return { route: plan.crew ? plan : null }
  },
  day: ({ actor, query }) => withTenant(actor, (db) => getBundle(db, actor, query.day)),
  lastPhotos: async ({ actor }) => ({ photos: await withTenant(actor, (db) => listLastPhotosOf(db, actor)) }),
  stopPhotos: ({ actor, params }) =>
    withTenant(actor, async (db) => ({ photos: await listStopPhotos(db, actor, params.visitId) })),
  commands: ({ actor, body }) => applyCommands(actor, body.commands, body.sentAt),
  gateCode: async ({ actor, params }) => ({ code: await revealGateCode(actor, params.visitId) }),
  addPhoto: ({ actor, params, query, body }) =>
    takePhoto(actor, body, (bytes) => addVisitPhoto(actor, params.visitId, query, bytes)),
  addCheckPhoto: async ({ actor, params, body }) => {
    await takePhoto(actor, body, (bytes) => addCheckPhoto(actor, params.receiptId, bytes))
    return { kept: true }
  },
})
