import { serve } from '../../../platform/http/serve.ts'
import { ownerApi } from '../contract.ts'
import { signInOwner } from './commands.ts'

export const ownerEndpoints = serve(
  'owner',
  ownerApi,
)({
  login: ({ body, request }) => signInOwner(body, request.ip),
  session: async ({ actor }) => ({ name: actor.name }),
})
