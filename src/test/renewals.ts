import { newId } from '../platform/ids.ts'
import { stranger } from './api.ts'
import type { TestBusiness } from './factories.ts'

/** Lawns whose seasons are renewed, and the browser of who answers. */

const person = { 'user-agent': 'Mozilla/5.0 (iPhone) Safari' }
export const post = (path: string, fields: Record<string, string> = {}) =>
  stranger.raw({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...person },
    payload: new URLSearchParams(fields).toString(),
  })
export const open = (path: string) => stranger.raw({ method: 'GET', url: path, headers: person })

/** So many customers with a property each. */
export const lawnsOf = (business: TestBusiness, count: number, more: { email?: boolean; tags?: string[] } = {}) =>
  business.db(async (db) => {
    const places = Array.from({ length: count }, () => ({ customerId: newId(), propertyId: newId() }))
    await db
      .insertInto('customers')
      .values(
        places.map(({ customerId }, at) => ({
          businessId: business.id,
          id: customerId,
          name: `Customer ${String(at + 1).padStart(3, '0')}`,
          email: more.email === false ? null : `c${at}.${customerId.slice(-6)}@test.swath.test`,
          tags: more.tags ?? [],
        })),
      )
      .execute()
    await db
      .insertInto('properties')
      .values(
        places.map(({ customerId, propertyId }, at) => ({
          businessId: business.id,
          id: propertyId,
          customerId,
          street: `${at + 1} Oak St`,
          city: 'Savannah',
          state: 'GA',
          zip: '31419',
          lawnSquareFeet: 8000,
        })),
      )
      .execute()
    return places
  })
