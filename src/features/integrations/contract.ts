import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { integrationKeys, integrationModes } from './rules.ts'

export const Integration = z.object({
  key: z.enum(integrationKeys),
  mode: z.enum(integrationModes),
  /** What happens as it is set up now, in one or two sentences. */
  message: z.string(),
  /** Settings of the server that would change that, each with what it looks like. */
  missing: z.array(z.object({ name: z.string(), example: z.string() })),
})
export type Integration = z.output<typeof Integration>

export const integrationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/integrations',
    access: 'office',
    permission: 'settings',
    response: z.object({ production: z.boolean(), items: z.array(Integration) }),
    summary: 'What this server is connected to, and what runs on its own stand-ins',
  }),
}
