import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

export const ownerApi = {
  login: endpoint({
    method: 'POST',
    path: '/api/owner/login',
    access: 'public',
    body: z.object({ username: z.string().trim().min(1).max(80), password: z.string().min(1).max(128) }),
    response: z.object({ token: z.string(), name: z.string(), expiresInSeconds: z.number().int() }),
    summary: 'The product owner signs in; the token is theirs alone and lasts 8 hours',
  }),
  session: endpoint({
    method: 'GET',
    path: '/api/owner/session',
    access: 'productOwner',
    response: z.object({ name: z.string() }),
    summary: 'Whether this is a session of the product owner',
  }),
}
