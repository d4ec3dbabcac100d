import { networkOf } from '../../../../platform/http/network.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { linkHash } from '../../../../platform/links.ts'
import { applicationApi } from '../contract.ts'
import { findApplication, saveAnswers, submitApplication } from './commands.ts'

export const applicationEndpoints = serve(
  'application',
  applicationApi,
)({
  get: ({ params }) => findApplication(params.token),
  save: async ({ params, body, request }) => {
    // Each answer is saved by itself: what is counted is one application, and floods.
    await countUse(`application:${linkHash(params.token)}`, 200, 3600)
    await countUse(`application:${networkOf(request.ip)}`, 4000, 3600)
    return saveAnswers(params.token, body.answers)
  },
  submit: ({ params }) => submitApplication(params.token),
})
