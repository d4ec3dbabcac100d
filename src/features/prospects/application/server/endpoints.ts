import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { applicationApi } from '../contract.ts'
import { findApplication, saveAnswers, submitApplication } from './commands.ts'

export const applicationEndpoints = serve(
  'application',
  applicationApi,
)({
  get: ({ params }) => findApplication(params.token),
  save: async ({ params, body, request }) => {
    await countUse(`application:${request.ip}`, 200, 3600)
    return saveAnswers(params.token, body.answers)
  },
  submit: ({ params }) => submitApplication(params.token),
})
