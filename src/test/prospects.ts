import { ownerApi } from '../features/owner/contract.ts'
import { leadsApi } from '../features/prospects/contract.ts'
import { withProspects } from '../platform/db/prospects.ts'
import { newId } from '../platform/ids.ts'
import type { BodyOf } from '../shared/endpoint.ts'
import { type Api, apiWith, stranger } from './api.ts'

/** The product owner of the tests, signed in. */
export const anOwner = async (): Promise<Api> =>
  apiWith((await stranger.ok(ownerApi.login, { body: { username: 'owner', password: 'demo-swath-2026' } })).token)

let made = 0

/** A lead as the landing form makes one, with an address and a number of its own. Returns its id. */
export const aProspect = async (changes: Partial<BodyOf<typeof leadsApi.create>> = {}): Promise<string> => {
  made += 1
  const email = changes.email ?? `lead-${newId()}@oak.test`
  // Each form comes from a neighbor of its own: the limit per address is not what these tests are about.
  await stranger.raw({
    method: 'POST',
    url: leadsApi.create.path,
    remoteAddress: `10.${(made >> 16) & 255}.${(made >> 8) & 255}.${made & 255}`,
    payload: {
      name: 'Dana Whitfield',
      email,
      phone: `912555${String(made % 10_000).padStart(4, '0')}`,
      source: 'landing_page',
      ...changes,
    },
  })
  const row = await withProspects((db) =>
    db.selectFrom('leads').select('id').where('email', '=', email.toLowerCase()).executeTakeFirstOrThrow(),
  )
  return row.id
}
