import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { Registration } from '../contract.ts'

export const portalApi = {
  createAccount: endpoint({
    method: 'POST',
    path: '/api/owner/accounts',
    access: 'productOwner',
    body: Registration,
    response: z.object({ userId: z.uuid(), name: z.string(), email: z.string() }),
    summary: 'The product owner opens an account for somebody; nobody is signed in by it',
  }),
}
