import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { conflict } from '../../../../shared/errors.ts'
import { countLook, countRequest, openPage, placeOf } from '../../requests/server/endpoints.ts'
import type { Door } from '../../requests/server/queries.ts'
import { leadBookingApi, pageBookingApi } from '../contract.ts'
import { isClose, partOfDay } from '../rules.ts'
import { acceptBooking, bookDay, holdDay, offerDays, refuseBooking } from './commands.ts'
import { getBookingOfLead } from './queries.ts'

/** Where the lawn is, which the days hang on. @throws state_conflict for an address elsewhere, or that nobody finds */
const bookablePlace = async (door: Door, address: { street: string; city: string; state: string; zip: string }) => {
  const { point, exact, served } = await placeOf(door.businessId, address)
  if (served === false)
    throw conflict(
      `${door.name} does not work at this address yet. Send a request, and they tell you when that changes.`,
    )
  if (!point)
    throw conflict('Your address was not found on the map, so no day can be picked. Send a request: they pick the day.')
  return { point, isExact: exact }
}

export const pageBookingEndpoints = serve(
  'page-bookings',
  pageBookingApi,
)({
  days: async ({ params, body, request }) => {
    const door = await openPage(params.slug)
    await countLook(door.businessId, request)
    const { lawn, services, ...address } = body
    const { point } = await bookablePlace(door, address)
    const { openings, ...told } = await offerDays(door.businessId, { point, lawn, services })
    return {
      ...told,
      days: openings.map(({ day, startMinute, addedDriveSeconds }) => ({
        day,
        part: partOfDay(startMinute),
        close: isClose(addedDriveSeconds),
      })),
    }
  },
  hold: async ({ params, body, request }) => {
    const door = await openPage(params.slug)
    await countLook(door.businessId, request)
    const { key, day, lawn, services, ...address } = body
    const place = await bookablePlace(door, address)
    return holdDay(door.businessId, { key, day, lawn, services, address, ...place })
  },
  book: async ({ params, body, request }) => {
    const door = await openPage(params.slug)
    await countRequest(door.businessId, request)
    return bookDay(door.businessId, body)
  },
})

export const leadBookingEndpoints = serve(
  'lead-bookings',
  leadBookingApi,
)({
  get: ({ actor, params }) => withTenant(actor, (db) => getBookingOfLead(db, actor, params.id)),
  accept: ({ actor, params, body }) => acceptBooking(actor, params.id, body),
  refuse: ({ actor, params }) => refuseBooking(actor, params.id),
})
