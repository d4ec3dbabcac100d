import { withProspects } from '../../../../platform/db/prospects.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { prospectSettingsApi } from '../contract.ts'
import { saveProspectSettings } from './commands.ts'
import { getProspectSettings } from './queries.ts'

export const prospectSettingsEndpoints = serve(
  'prospectSettings',
  prospectSettingsApi,
)({
  get: () => withProspects(getProspectSettings),
  save: ({ body }) => saveProspectSettings(body),
})
