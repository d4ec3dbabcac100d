import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { campaignsApi } from '../contract.ts'
import {
  addPicture,
  cancelCampaign,
  copyCampaign,
  createCampaign,
  pauseCampaign,
  removeCampaign,
  resumeCampaign,
  scheduleCampaign,
  startCampaign,
  unscheduleCampaign,
  updateCampaign,
} from './commands.ts'
import { getCampaign, listCampaigns, previewCampaign } from './queries.ts'
import { testCampaign } from './trying.ts'

export const campaignsEndpoints = serve(
  'campaigns',
  campaignsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listCampaigns(db, actor, query)),
  get: ({ actor, params }) => withTenant(actor, (db) => getCampaign(db, actor, params.id)),
  create: ({ actor, body }) => createCampaign(actor, body),
  update: ({ actor, params, body }) => updateCampaign(actor, params.id, body),
  remove: ({ actor, params }) => removeCampaign(actor, params.id),
  copy: ({ actor, params }) => copyCampaign(actor, params.id),
  schedule: ({ actor, params, body }) => scheduleCampaign(actor, params.id, body),
  unschedule: ({ actor, params }) => unscheduleCampaign(actor, params.id),
  start: ({ actor, params, body }) => startCampaign(actor, params.id, body.version),
  pause: ({ actor, params }) => pauseCampaign(actor, params.id),
  resume: ({ actor, params }) => resumeCampaign(actor, params.id),
  cancel: ({ actor, params }) => cancelCampaign(actor, params.id),
  test: ({ actor, params, body }) => testCampaign(actor, params.id, body),
  preview: ({ actor, body }) => withTenant(actor, (db) => previewCampaign(db, body)),
  addPicture: ({ actor, body }) => addPicture(actor, body as Uint8Array),
})
